// Accessors, as ATen/core/TensorAccessor.h has them: a pointer with sizes and strides, indexed from the first dimension.
#pragma once
#include "types.h"

namespace at {
template <typename T> struct DefaultPtrTraits {
  using PtrType = T*;
};
#ifndef CSM_HOST  // torch has it only where CUDA is compiled
template <typename T> struct RestrictPtrTraits {
  using PtrType = T* __restrict__;
};
#endif

template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits, typename I = int64_t>
class TensorAccessor {
 public:
  using PtrType = typename P<T>::PtrType;
  CSM_HD TensorAccessor(PtrType data, const I* sizes, const I* strides) : data_(data), sizes_(sizes), strides_(strides) {}
  CSM_HD I size(I i) const { return sizes_[i]; }
  CSM_HD I stride(I i) const { return strides_[i]; }
  CSM_HD PtrType data() const { return data_; }
  // Of a const accessor an element is const.
  CSM_HD decltype(auto) operator[](I i) {
    if constexpr (N == 1) {
      return static_cast<T&>(data_[strides_[0] * i]);
    } else {
      return TensorAccessor<T, N - 1, P, I>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
    }
  }
  CSM_HD decltype(auto) operator[](I i) const {
    if constexpr (N == 1) {
      return static_cast<const T&>(data_[strides_[0] * i]);
    } else {
      using Inner = const TensorAccessor<T, N - 1, P, I>;
      return static_cast<Inner>(Inner(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1));
    }
  }

 private:
  PtrType data_;
  const I* sizes_;
  const I* strides_;
};

template <typename T, size_t N, template <typename U> class P, typename I>
class GenericPackedTensorAccessor {
 public:
  using PtrType = typename P<T>::PtrType;
  GenericPackedTensorAccessor(PtrType data, const int64_t* sizes, const int64_t* strides) : data_(data) {
    for (size_t i = 0; i < N; ++i) {
      sizes_[i] = static_cast<I>(sizes[i]);
      strides_[i] = static_cast<I>(strides[i]);
    }
  }
  CSM_HD I size(I i) const { return sizes_[i]; }
  CSM_HD I stride(I i) const { return strides_[i]; }
  CSM_HD PtrType data() const { return data_; }
  CSM_HD decltype(auto) operator[](I i) {
    TensorAccessor<T, N, P, I> all(data_, sizes_, strides_);
    return all[i];
  }
  CSM_HD decltype(auto) operator[](I i) const {
    const TensorAccessor<T, N, P, I> all(data_, sizes_, strides_);
    return all[i];
  }

 private:
  PtrType data_;
  I sizes_[N], strides_[N];
};
template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int32_t>;
template <typename T, size_t N, template <typename U> class P = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, int64_t>;
}  // namespace at

// What the libraries of host functions share.
#pragma once
#include <utility>

#include "runtime.h"

namespace cudasmith {

// The line of a call, as a last parameter that no integer converts to: it never takes an argument's place.
struct Called { int line; };

// Memory of the emulated device, which checked mode knows.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t n) : data_(static_cast<T*>(device_alloc(n * sizeof(T) + 1, "cub's own memory"))) {}
  Scratch(const Scratch&) = delete;
  ~Scratch() { device_free(data_); }
  T& operator[](std::size_t i) const { return data_[i]; }
  void swap(Scratch& other) { std::swap(data_, other.data_); }

 private:
  T* data_;
};

}  // namespace cudasmith

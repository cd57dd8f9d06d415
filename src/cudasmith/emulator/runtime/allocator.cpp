#include "allocator.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <new>

#include "arena.h"
#include "events.h"
#include "grid.h"
#include "guarded.h"
#include "memory_check.h"

namespace cudasmith {
namespace {

void release(void* memory) { guarded_free(memory); }

class GuardedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* data = bytes == 0 ? nullptr : checked_mode ? arena_alloc(bytes, Kind::tensor, "tensor") : guarded_alloc(bytes, "tensor");
    return {data, data, &release, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
};

GuardedAllocator guarded;
c10::Allocator* original = nullptr;

}  // namespace

void use_guarded_allocator() {
  if (original == nullptr) original = c10::GetCPUAllocator();
  c10::SetCPUAllocator(&guarded, 255);
}

void use_original_allocator() {
  if (original != nullptr) c10::SetCPUAllocator(original, 255);
}

void* device_alloc(std::size_t bytes, const char* what) {
  void* data = nullptr;
  try {
    data = checked_mode ? arena_alloc(bytes, Kind::device, what) : guarded_alloc(bytes, what);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  if (!checked_mode) return data;
  const Trace trace = trace_from(__builtin_frame_address(0));
  track_fresh(reinterpret_cast<std::uintptr_t>(data), trace.places, max_places);
  return data;
}

// Called from candidates of checked mode, see checked/wraps.cpp.
__attribute__((visibility("default"))) void made_empty(const void* data) {
  if (!checked_mode || data == nullptr) return;
  const Trace trace = trace_from(__builtin_frame_address(0));
  track_fresh(reinterpret_cast<std::uintptr_t>(data), trace.places, max_places);
}

__attribute__((visibility("default"))) void returned(const void* data, const std::int64_t* sizes, const std::int64_t* strides,
                                                     std::size_t dimensions, std::size_t element_bytes) {
  if (!checked_mode || skip_kernels || data == nullptr) return;
  const Region* r = region_at(reinterpret_cast<std::uintptr_t>(data));
  if (r == nullptr || r->call != current_call()) return;  // the caller's own, which it may fill in several calls
  check_output(reinterpret_cast<std::uintptr_t>(data), sizes, strides, dimensions, element_bytes);
}

// Homes as numbers, for checked/wraps.cpp.
__attribute__((visibility("default"))) int tensor_home(const void* data) { return static_cast<int>(home_of(reinterpret_cast<std::uintptr_t>(data))); }
__attribute__((visibility("default"))) void set_tensor_home(const void* data, int home) {
  set_home(reinterpret_cast<std::uintptr_t>(data), static_cast<Home>(home));
}

bool device_free(void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (arena.base != 0 && in_arena(address) && region_at(address) == nullptr) return false;  // freed before
  return guarded_free(memory);
}

}  // namespace cudasmith

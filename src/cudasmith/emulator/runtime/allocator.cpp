#include "allocator.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include "guarded.h"

namespace cudasmith {
namespace {

void release(void* memory) { guarded_free(memory); }

class GuardedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* data = bytes > 0 ? guarded_alloc(bytes, "tensor") : nullptr;
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

}  // namespace cudasmith

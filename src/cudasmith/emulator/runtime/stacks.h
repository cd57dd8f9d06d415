// Fiber stacks: reserved once, committed by use, each with an inaccessible page below it.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace cudasmith {

class Stacks {
 public:
  static constexpr std::size_t bytes = 256 * 1024, page = 4096, slot = bytes + page;

  explicit Stacks(std::size_t count) : count_(count) {}

  // Top of stack i, staggered so that equal frames of neighbours do not share a cache set.
  char* top(std::size_t i) { return base() + (i + 1) * slot - (i % 16) * 272 - 64; }
  bool guards(const void* address) const {
    const char* p = static_cast<const char*>(address);
    return base_ != nullptr && p >= base_ && p < base_ + count_ * slot && (p - base_) % slot < page;
  }
  std::size_t total() const { return count_ * slot; }
  char* base() {
    if (base_ != nullptr) return base_;
    void* map = mmap(nullptr, count_ * slot, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<char*>(map);
    for (std::size_t i = 0; i < count_; ++i) mprotect(base_ + i * slot, page, PROT_NONE);
    return base_;
  }

 private:
  std::size_t count_;
  char* base_ = nullptr;
};

}  // namespace cudasmith

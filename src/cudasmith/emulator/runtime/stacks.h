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

  // Guard pages are two mappings each, of which a process has 65,530: a large pool goes without.
  explicit Stacks(std::size_t count, bool guarded = true) : count_(count), guarded_(guarded) {}

  // Top of stack i, staggered so that equal frames of neighbours do not share a cache set.
  char* top(std::size_t i) { return base() + (i + 1) * slot - (i % 16) * 272 - 64; }
  // Top of the stack that holds the address.
  char* end_of(const void* address) { return top(static_cast<std::size_t>(static_cast<const char*>(address) - base()) / slot); }
  bool guards(const void* address) const {
    const char* p = static_cast<const char*>(address);
    return guarded_ && base_ != nullptr && p >= base_ && p < base_ + count_ * slot && (p - base_) % slot < page;
  }
  // Gives the memory back that the first n have used.
  void release(std::size_t n) { if (base_ != nullptr && !guarded_) madvise(base_, n * slot, MADV_DONTNEED); }
  std::size_t count() const { return count_; }
  std::size_t total() const { return count_ * slot; }
  char* base() {
    if (base_ != nullptr) return base_;
    void* map = mmap(nullptr, count_ * slot, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<char*>(map);
    for (std::size_t i = 0; guarded_ && i < count_; ++i) mprotect(base_ + i * slot, page, PROT_NONE);
    if (!guarded_) madvise(base_, count_ * slot, MADV_NOHUGEPAGE);  // a huge page would be eight stacks
    return base_;
  }

 private:
  std::size_t count_;
  bool guarded_;
  char* base_ = nullptr;
};

}  // namespace cudasmith

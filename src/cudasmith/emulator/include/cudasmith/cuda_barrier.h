// cuda::barrier of a block and cuda::pipeline of a thread or of all threads of a block.
#pragma once
#include "cuda_atomic.h"
#include "cuda_copies.h"

namespace cuda {

struct __no_completion {};

// Counts arrivals; a phase ends when all that are expected have come. A thread's own copies are there when it has waited.
template <thread_scope Scope = thread_scope_system, class Completion = __no_completion>
class barrier {
  static_assert(Scope != thread_scope_thread && ::std::is_same_v<Completion, __no_completion>, "the emulator does not have cuda::barrier of this kind");

 public:
  struct arrival_token { unsigned phase; };
  barrier() = default;
  explicit barrier(::std::ptrdiff_t expected) { begin(static_cast<unsigned>(expected)); }
  barrier(const barrier&) = delete;

  arrival_token arrive(::std::ptrdiff_t n = 1, CUDASMITH_HERE) {
    ::cudasmith::async_wait(0);  // what it copied arrives with it
    CUDASMITH_FENCE();
    CUDASMITH_ATOMIC_ACCESS(&left_);
    const unsigned phase = phase_;
    if (left_ < static_cast<unsigned>(n)) ::cudasmith::device_fault("EM205", "cuda::barrier of line " + ::std::to_string(line) + ": more threads arrive than it expects");
    left_ -= static_cast<unsigned>(n);
    if (left_ == 0) left_ = expected_, ++phase_;
    return {phase};
  }
  void wait(arrival_token token, CUDASMITH_HERE) const {
    for (unsigned polls = 0; phase_now() == token.phase; ++polls)
      if (!::cudasmith::yield_thread() || polls > 1000000)
        ::cudasmith::device_fault("EM205", "cuda::barrier of line " + ::std::to_string(line) + ": " + ::std::to_string(left_) + " more threads must arrive, and none of them can");
  }
  void arrive_and_wait(CUDASMITH_HERE) { wait(arrive(1, line), line); }
  void arrive_and_drop(CUDASMITH_HERE) {
    --expected_;
    arrive(1, line);
  }
  friend void init(barrier* b, ::std::ptrdiff_t expected) { b->begin(static_cast<unsigned>(expected)); }

 private:
  void begin(unsigned expected) { expected_ = left_ = expected, phase_ = 0; }
  unsigned phase_now() const {
    CUDASMITH_ATOMIC_ACCESS(&left_);
    return phase_;
  }
  unsigned expected_, left_, phase_;
};

template <class Group, class T, class U, class Size, thread_scope S>
void memcpy_async(const Group& group, T* to, const U* from, Size bytes, barrier<S>&) {
  ::cudasmith::copy_share(to, from, static_cast<::std::size_t>(bytes), group.thread_rank(), group.size());
  ::cudasmith::async_commit();
}
template <class T, class U, class Size, thread_scope S>
void memcpy_async(T* to, const U* from, Size bytes, barrier<S>&) {
  ::cudasmith::copy_share(to, from, static_cast<::std::size_t>(bytes), 0, 1);
  ::cudasmith::async_commit();
}

template <thread_scope Scope, unsigned char Stages>
struct pipeline_shared_state {
  static constexpr unsigned stages = Stages;
};

// Stages of copies, in order. In a block all threads produce and all consume, so they meet where a stage changes hands.
template <thread_scope Scope>
class pipeline {
 public:
  explicit pipeline(unsigned stages) : stages_(stages) {}
  pipeline(const pipeline&) = delete;
  void producer_acquire(CUDASMITH_HERE) {
    if (Scope != thread_scope_thread && acquired_ >= stages_) ::cudasmith::block_barrier(false, line);
    ++acquired_;
  }
  void producer_commit() {
    ::cudasmith::async_commit();
    ++committed_;
  }
  void consumer_wait(CUDASMITH_HERE) { wait_until(committed_ - waited_ > 0 ? committed_ - waited_ - 1 : 0, line), ++waited_; }
  void consumer_release() {}
  void wait_until(unsigned left, int line) {
    ::cudasmith::async_wait(left);
    if (Scope != thread_scope_thread) ::cudasmith::block_barrier(false, line);
  }
  bool quit() { return true; }

 private:
  unsigned stages_, acquired_ = 0, committed_ = 0, waited_ = 0;
};
inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(~0u); }
template <thread_scope S, unsigned char N>
pipeline<S> make_pipeline(const ::cooperative_groups::thread_block&, pipeline_shared_state<S, N>*) { return pipeline<S>(N); }
template <unsigned Left>
void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& p, CUDASMITH_HERE) { p.wait_until(Left, line); }

template <class Group, class T, class U, class Size, thread_scope S>
void memcpy_async(const Group& group, T* to, const U* from, Size bytes, pipeline<S>&) {
  ::cudasmith::copy_share(to, from, static_cast<::std::size_t>(bytes), group.thread_rank(), group.size());
}
template <class T, class U, class Size, thread_scope S>
void memcpy_async(T* to, const U* from, Size bytes, pipeline<S>&) {
  ::cudasmith::copy_share(to, from, static_cast<::std::size_t>(bytes), 0, 1);
}

}  // namespace cuda

// Stack switching: 10 ns of assembly on x86-64, ucontext elsewhere.
#pragma once
#include <cstddef>

namespace cudasmith {

#if defined(__x86_64__)

struct Context {
  void* sp = nullptr;
};

extern "C" void cudasmith_switch(void** save, void* load);

inline void switch_context(Context& from, Context& to) { cudasmith_switch(&from.sp, to.sp); }

// Prepares `context` so that the first switch to it calls `entry` on the given stack. `entry` never returns.
inline void make_context(Context& context, char* top, std::size_t, void (*entry)()) {
  void** slots = reinterpret_cast<void**>(top) - 8;
  for (int i = 0; i < 8; ++i) slots[i] = nullptr;  // six registers, entry, a null return address
  slots[6] = reinterpret_cast<void*>(entry);
  context.sp = slots;
}

#else
}  // namespace cudasmith
#include <ucontext.h>
namespace cudasmith {

struct Context {
  ucontext_t machine;
};

inline void switch_context(Context& from, Context& to) { swapcontext(&from.machine, &to.machine); }

inline void make_context(Context& context, char* top, std::size_t bytes, void (*entry)()) {
  getcontext(&context.machine);
  context.machine.uc_stack.ss_sp = top - bytes;
  context.machine.uc_stack.ss_size = bytes;
  context.machine.uc_link = nullptr;
  makecontext(&context.machine, entry, 0);
}

#endif

}  // namespace cudasmith

// Runs the threads of one block as lazily created fibers: a stack keeps starting threads until one blocks.
#pragma once
#include <csetjmp>

#include "../include/cudasmith/runtime.h"

namespace cudasmith {

constexpr unsigned max_block_threads = 1024;

extern sigjmp_buf abort_env;  // where a fault leaves the fibers; set by run_grid
extern Fault pending_fault;   // what it says
extern bool exited_threads_pass_barriers;  // policy: real hardware lets them, CUDA's manual does not

// Runs all threads of the block at `position.block`. Leaves through `abort_env` on a fault.
void run_block(ThreadBody body, void* context);

// Abandons the running grid: records the fault at the current thread and leaves through `abort_env`.
[[noreturn]] void raise_fault(const char* code, std::string message, bool positioned = true);

// Drops what copies and named barriers of the last block have left.
void forget_async(unsigned threads);

// True when the address lies in the guard page of a fiber's stack.
bool is_stack_guard(const void* address);

}  // namespace cudasmith

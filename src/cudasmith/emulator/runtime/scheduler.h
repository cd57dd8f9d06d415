// Runs the threads of one block as lazily created fibers: a stack keeps starting threads until one blocks.
#pragma once
#include <csetjmp>
#include <memory>
#include <random>

#include "../include/cudasmith/runtime.h"
#include "memory_check.h"

namespace cudasmith {

constexpr unsigned max_block_threads = 1024;

extern sigjmp_buf abort_env;  // where a fault leaves the fibers; set by run_grid
extern Fault pending_fault;   // what it says
extern bool exited_threads_pass_barriers;  // policy: real hardware lets them, CUDA's manual does not

// In which order blocks, and the threads of a block, run between barriers.
struct Schedule {
  enum class Order : std::uint8_t { forward, reverse, random };
  Order order = Order::forward;
  std::uint64_t sampled_blocks = 0;  // run only so many of each launch; 0: all
  std::mt19937 random;
};
extern Schedule schedule;

// Chooses the stacks of a launch: of a cooperative one every thread may keep its own while others run.
void choose_stacks(const LaunchConfig& launch);

// How a block has come back: unless it has ended, `suspend_block` must take it.
enum class Outcome : std::uint8_t { ended, at_grid, spins };

// Runs all threads of the block at `position.block`, the launch's n-th. Leaves through `abort_env` on a fault.
Outcome run_block(ThreadBody body, void* context, std::uint64_t n);

// A block that waits for the grid, or whose threads all poll.
struct SuspendedBlock;
std::shared_ptr<SuspendedBlock> suspend_block();
Outcome resume_block(const SuspendedBlock& block);
std::size_t stacks_for_blocks();  // how many blocks of this launch can be suspended at once

// `frame`: of the read's call, on its thread's stack.
void polled_from(const void* p, std::size_t bytes, const void* frame);
void polls_no_more();  // the running thread writes
std::uint64_t state_of_block();  // of the one just suspended: its threads' registers and stacks, in one number
[[noreturn]] void report_deadlock(const SuspendedBlock& one, const char* code, const std::string& message);
// Ends the launch: these blocks wait, and others have ended.
[[noreturn]] void report_stuck_grid(const SuspendedBlock& one, std::size_t waiting, std::uint64_t blocks);
bool async_in_flight(unsigned thread);

// Abandons the running grid: records the fault at the current thread and leaves through `abort_env`.
// `line`: of the operation in the CUDA text, 0 when unknown; `frame`: of the call of it, on its thread's stack.
[[noreturn]] void raise_fault(const char* code, std::string message, bool positioned = true, int line = 0,
                              const void* frame = nullptr);
// The same for a fault that is among the events already.
[[noreturn]] void raise_told(std::string code, std::string message, bool positioned = true);

// Drops what copies and named barriers of the last block have left.
void forget_async(unsigned threads);
struct AsyncState;
std::shared_ptr<AsyncState> keep_async(unsigned threads);
void restore_async(const AsyncState& kept);

// True when the address lies in the guard page of a fiber's stack.
bool is_stack_guard(const void* address);
Range all_fiber_stacks();

}  // namespace cudasmith

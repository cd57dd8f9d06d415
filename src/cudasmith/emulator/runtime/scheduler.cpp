#include "scheduler.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "context.h"
#include "events.h"
#include "races.h"
#include "stacks.h"

#if defined(__x86_64__)
__asm__(R"(
.text
.globl cudasmith_switch
.hidden cudasmith_switch
.type cudasmith_switch, @function
cudasmith_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cudasmith_switch, .-cudasmith_switch
)");
#endif

namespace cudasmith {

Position position;
sigjmp_buf abort_env;
Fault pending_fault;
bool exited_threads_pass_barriers = false;
Schedule schedule;

namespace {

enum class State : std::uint8_t { running, ready, at_barrier, at_grid, at_warp, converging, done };

struct Thread {
  Context context;
  uint3 id;
  State state;
  WarpOp op;
  int line;        // of the barrier or warp operation it waits at
  const void* frame;  // of that operation, on its stack
  unsigned mask;   // of the warp operation
  int source;
  WarpFunction together;
  std::uint64_t value;  // in: contribution, out: result
  struct Poll {
    const void* at;
    std::uint64_t seen;
  };
  std::array<Poll, 4> polls;  // the last of different places or values
  unsigned poll_count, repeated;
  const void* poll_frame;
};

struct Warp {
  unsigned arrived = 0;  // lanes that wait in a warp operation
  unsigned exited = 0;
};

// The block in flight.
std::array<Thread, max_block_threads> threads;
std::array<Warp, max_block_threads / 32> warps;
std::array<unsigned, max_block_threads> ready;  // ring of thread numbers
unsigned ready_head, ready_count, thread_count, next_fresh, done_count, current;
std::array<std::uint16_t, max_block_threads> order;  // which thread starts i-th
ThreadBody thread_body;
void* thread_context;
int barrier_votes, barrier_result;
unsigned grid_waiters;  // threads that wait for all blocks
std::uint64_t idle_polls;  // of all blocks, since one saw a new value or a thread went on
unsigned idle_yields;   // of threads that poll, since one did anything else
bool block_spins;       // it has come back because its threads poll
bool cooperative = false;
bool stacks_suffice = true;  // for one of each thread of the grid

constexpr std::size_t guarded_grid = 20480, widest_grid = 132 * 1032;  // threads of a grid, with a spare one for each block
Stacks block_stacks(max_block_threads + 1), grid_stacks(guarded_grid), wide_stacks(widest_grid, false);
Stacks* stacks = &block_stacks;
std::size_t first_stack = 0, stacks_of_block = 0;
bool wide_used = false;

// Where the stacks of a block lie. A launch whose blocks run one after another takes one.
struct Slot {
  Stacks* pool;
  std::size_t first;
};
std::vector<Slot> free_slots;
std::size_t slots_made;
constexpr unsigned polls_at_once = 32, polls_in_vain = 1024, turns_at_first = 1u << 16, turns_at_once = 256;
std::array<std::uint16_t, max_block_threads + 1> free_stacks;
unsigned free_stack_count;
Context main_context;

Slot take_slot() {
  if (!free_slots.empty()) {
    const Slot slot = free_slots.back();
    free_slots.pop_back();
    return slot;
  }
  if (slots_made++ == 0) return {&block_stacks, 0};
  const std::size_t first = (slots_made - 2) * stacks_of_block;
  const bool few = first + stacks_of_block <= guarded_grid;
  if (few) return {&grid_stacks, first};
  wide_used = true;
  return {&wide_stacks, first};
}

void use_slot(const Slot& slot) {
  stacks = slot.pool;
  first_stack = slot.first;
  if (checking) fiber_stacks = all_fiber_stacks();
}

void push_ready(unsigned thread) { ready[(ready_head + ready_count++) % max_block_threads] = thread; }

unsigned pop_ready() {
  const unsigned thread = ready[ready_head];
  ready_head = (ready_head + 1) % max_block_threads;
  --ready_count;
  return thread;
}

std::string count_of(unsigned n, const char* what) { return std::to_string(n) + (n == 1 ? " thread " : " threads ") + what; }

std::string thread_states(State state, const char* where) {
  std::map<int, unsigned> waiting;
  for (unsigned i = 0; i < thread_count; ++i)
    if (threads[i].state == state) ++waiting[threads[i].line];
  std::string text;
  for (const auto& [line, n] : waiting) text += (text.empty() ? "" : ", ") + count_of(n, "wait") + " at the " + where + " of line " + std::to_string(line);
  return text;
}

[[noreturn]] void report_stuck_block_of_grid() {
  const Thread* first = nullptr;
  for (unsigned i = 0; i < thread_count && first == nullptr; ++i)
    if (threads[i].state == State::at_grid) first = &threads[i];
  std::string text = thread_states(State::at_grid, "grid.sync()");
  const std::string at_barrier = thread_states(State::at_barrier, "__syncthreads()"), in_warps = thread_states(State::at_warp, "warp operation");
  if (!at_barrier.empty()) text += ", " + at_barrier;
  if (!in_warps.empty()) text += ", " + in_warps;
  if (done_count > 0) text += ", " + count_of(done_count, "exited");
  raise_fault("EM201", "barrier divergence: " + text, false, first->line, first->frame);
}

[[noreturn]] void report_stuck_barrier() {
  const Thread* first = nullptr;
  unsigned in_warp_op = 0;
  for (unsigned i = 0; i < thread_count; ++i) {
    if (threads[i].state == State::at_barrier && (first == nullptr || threads[i].line < first->line)) first = &threads[i];
    if (threads[i].state == State::at_warp) ++in_warp_op;
  }
  std::string text = thread_states(State::at_barrier, "__syncthreads()");
  if (done_count > 0) text += ", " + count_of(done_count, "exited");
  if (in_warp_op > 0) text += ", " + count_of(in_warp_op, "wait in a warp operation");
  raise_fault("EM201", "barrier divergence: " + text, false, first->line, first->frame);
}

[[noreturn]] void report_stuck_warp(const Thread& t, unsigned number) {
  unsigned exited = 0, elsewhere = 0;
  int other_line = 0;
  const unsigned first = number & ~31u;
  const bool reads_exited = t.op == WarpOp::shuffle && (warps[number / 32].exited >> t.source & 1u) != 0;
  for (unsigned lane = 0; lane < 32 && first + lane < thread_count; ++lane) {
    if ((t.mask >> lane & 1u) == 0) continue;
    const Thread& other = threads[first + lane];
    if ((warps[number / 32].exited >> lane & 1u) != 0) ++exited;
    else if (&other != &t && (other.line != t.line || other.op != t.op || other.mask != t.mask)) ++elsewhere, other_line = other.line;
  }
  char mask[16];
  std::snprintf(mask, sizeof mask, "0x%08x", t.mask);
  position.thread = t.id;
  std::string text = std::string("warp operation of line ") + std::to_string(t.line) + " with mask " + mask + " names ";
  text += exited > 0 ? std::to_string(exited) + " lane(s) that exited" : "";
  if (reads_exited) text += ", and lane " + std::to_string(number % 32) + " reads lane " + std::to_string(t.source) + ", one of them";
  if (elsewhere > 0) text += (exited > 0 ? " and " : "") + std::to_string(elsewhere) + " lane(s) that wait elsewhere (line " + std::to_string(other_line) + ")";
  raise_fault("EM202", text, true, t.line, t.frame);
}

// Lanes that wait in different operations: the one that comes first in the text is the one that not all reach.
[[noreturn]] void report_mixed_warp(unsigned first, unsigned lanes) {
  unsigned found = 32;
  for (unsigned lane = 0; lane < 32; ++lane)
    if ((lanes >> lane & 1u) != 0 && (found == 32 || threads[first + lane].line < threads[first + found].line)) found = lane;
  report_stuck_warp(threads[first + found], first + found);
}

// Called when no thread can run: the lanes of a warp that wait at the same line to converge go on as one group.
bool release_converging() {
  bool any = false;
  for (unsigned first = 0; first < thread_count; first += 32) {
    const unsigned end = first + 32 < thread_count ? first + 32 : thread_count;
    for (unsigned i = first; i < end; ++i) {
      if (threads[i].state != State::converging) continue;
      unsigned group = 0;
      for (unsigned j = i; j < end; ++j)
        if (threads[j].state == State::converging && threads[j].line == threads[i].line) group |= 1u << (j - first);
      for (unsigned j = i; j < end; ++j) {
        if ((group >> (j - first) & 1u) == 0) continue;
        threads[j].value = group;
        threads[j].state = State::ready;
        push_ready(j);
      }
      any = true;
    }
  }
  return any;
}

// Called when no thread can run: opens the barrier that all wait at, or reports why it cannot open.
void open_barrier() {
  if (grid_waiters > 0) report_stuck_block_of_grid();
  const Thread* first = nullptr;
  for (unsigned i = 0; i < thread_count; ++i) {
    const Thread& t = threads[i];
    if (t.state == State::at_warp) report_stuck_warp(t, i);
    if (t.state != State::at_barrier) continue;
    if (first == nullptr) first = &t;
    if (t.line != first->line) report_stuck_barrier();
  }
  if (done_count > 0 && !exited_threads_pass_barriers) report_stuck_barrier();
  barrier_result = barrier_votes;
  barrier_votes = 0;
  if (checking) races_barrier_opens();
  for (unsigned i = 0; i < thread_count; ++i)
    if (threads[order[i]].state == State::at_barrier) push_ready(order[i]);
}

// The id of a thread; of the one after `last` it is counted on. Word by word: a uint3 would be copied eight bytes at a time
// right after four were stored, and the CPU waits for such a load.
void set_id(unsigned linear, uint3& mine, uint3& running) {
  static unsigned last = 0, x = 0, y = 0, z = 0;
  const dim3& d = position.block_dim;
  if (linear != 0 && linear == last + 1) {
    if (++x >= d.x) x = 0, ++y;
    if (y >= d.y) y = 0, ++z;
  } else {
    x = linear % d.x, y = linear / d.x % d.y, z = linear / (d.x * d.y);
  }
  last = linear;
  mine.x = running.x = x;
  mine.y = running.y = y;
  mine.z = running.z = z;
}

unsigned existing_lanes(unsigned warp) {
  const unsigned left = thread_count - warp * 32;
  return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

void complete_warp(unsigned warp, unsigned lanes, unsigned self);

// The lanes that must meet: those of the mask that exist and have not exited.
unsigned awaited(unsigned warp, unsigned mask) { return mask & existing_lanes(warp) & ~warps[warp].exited; }

// An exited lane is not waited for any more, so what its warp waits in may be complete.
void exit_thread() {
  threads[current].state = State::done;
  ++done_count;
  idle_polls = idle_yields = 0;
  const unsigned number = current / 32;
  Warp& warp = warps[number];
  warp.exited |= 1u << (current % 32);
  for (unsigned lane = 0; warp.arrived >> lane != 0; ++lane) {
    if ((warp.arrived >> lane & 1u) == 0) continue;
    const unsigned lanes = awaited(number, threads[number * 32 + lane].mask);
    if ((warp.arrived & lanes) == lanes) complete_warp(number, lanes, number * 32 + lane), push_ready(number * 32 + lane);
    if (lane == 31) break;
  }
}

void run_fresh_threads() {
  while (next_fresh < thread_count) {
    current = order[next_fresh++];
    Thread& t = threads[current];
    set_id(current, t.id, position.thread);
    t.state = State::running;
    t.poll_count = t.repeated = 0;
    if (checking) races_thread_runs(current);
    thread_body(thread_context);
    if (checking) races_thread_pauses();
    exit_thread();
  }
}

// Switches from `from`, which may be abandoned, to whatever can run. Returns when `from` is resumed.
void leave(Context& from, unsigned self, bool fresh_first = false);

void stack_entry() {
  const unsigned stack = free_stacks[free_stack_count];  // the one just taken
  run_fresh_threads();
  free_stacks[free_stack_count++] = static_cast<std::uint16_t>(stack);
  Context abandoned;
  if (done_count == thread_count) switch_context(abandoned, main_context);
  leave(abandoned, max_block_threads);
  __builtin_unreachable();
}

bool all_wait_for_grid() {
  return grid_waiters > 0 && grid_waiters + done_count == thread_count && (done_count == 0 || exited_threads_pass_barriers);
}

void leave(Context& from, unsigned self, bool fresh_first) {
  if (ready_count == 0 && next_fresh == thread_count && !release_converging()) {
    if (all_wait_for_grid()) return switch_context(from, main_context);
    open_barrier();
  }
  if (ready_count > 0 && !(fresh_first && next_fresh < thread_count)) {
    const unsigned next = pop_ready();
    if (next != self) switch_context(from, threads[next].context);
    return;
  }
  const unsigned stack = free_stacks[--free_stack_count];
  Context fresh;
  make_context(fresh, stacks->top(first_stack + stack), Stacks::bytes - 8192, stack_entry);
  switch_context(from, fresh);
}

void block_current(State state, bool fresh_first = false) {
  const unsigned self = current;
  Thread& t = threads[self];
  t.state = state;
  if (checking) races_thread_pauses();
  if (block_spins) {
    switch_context(t.context, main_context);
  } else {
    if (state != State::ready) idle_polls = idle_yields = 0;
    leave(t.context, self, fresh_first);
  }
  current = self;
  t.state = State::running;
  position.thread = t.id;
  if (checking) races_thread_runs(self);
}

std::uint64_t reduce(WarpOp op, std::uint64_t a, std::uint64_t b) {
  const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
  switch (op) {
    case WarpOp::add: return a + b;
    case WarpOp::min_signed: return sa < sb ? a : b;
    case WarpOp::max_signed: return sa < sb ? b : a;
    case WarpOp::min_unsigned: return a < b ? a : b;
    case WarpOp::max_unsigned: return a < b ? b : a;
    case WarpOp::bit_and: return a & b;
    case WarpOp::bit_or: return a | b;
    case WarpOp::bit_xor: return a ^ b;
    default: return 0;
  }
}

std::uint64_t lane_result(const Thread& t, unsigned lanes, const std::uint64_t* values) {
  if (t.op == WarpOp::sync || t.op == WarpOp::together) return 0;
  if (t.op == WarpOp::shuffle) return lanes >> t.source & 1u ? values[t.source] : ~std::uint64_t{0};
  std::uint64_t bits = 0, total = 0;
  bool any = false;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    const bool set = t.op == WarpOp::ballot ? values[lane] != 0 : values[lane] == t.value;
    bits |= static_cast<std::uint64_t>(set) << lane;
    total = any ? reduce(t.op, total, values[lane]) : values[lane];
    any = true;
  }
  return t.op == WarpOp::ballot || t.op == WarpOp::match_any ? bits : total;
}

// All lanes of `lanes` have arrived: gives each its result and makes all but the caller ready.
void complete_warp(unsigned warp, unsigned lanes, unsigned self) {
  std::uint64_t values[32];
  const unsigned first = warp * 32;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    const Thread& t = threads[first + lane];
    if (t.mask != threads[self].mask || t.op != threads[self].op || t.together != threads[self].together)
      report_mixed_warp(first, lanes);
    if (t.op == WarpOp::shuffle && (t.mask & warps[warp].exited) >> t.source & 1u) report_stuck_warp(t, first + lane);
    values[lane] = t.value;
  }
  if (checking) races_thread_pauses(), races_warp_meets(first, lanes);
  if (threads[self].op == WarpOp::together) {
    void* brought[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1u) brought[lane] = reinterpret_cast<void*>(values[lane]);
    threads[self].together(brought, lanes);
    if (checking) races_thread_pauses(), races_warp_meets(first, lanes);  // after what it accessed for all
  }
  bool reduced_once = false;
  std::uint64_t common = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    Thread& t = threads[first + lane];
    const bool per_lane = t.op == WarpOp::shuffle || t.op == WarpOp::match_any;
    if (per_lane || !reduced_once) common = lane_result(t, lanes, values);
    reduced_once = true;
    t.value = common;
    if (first + lane != self) push_ready(first + lane);
  }
  warps[warp].arrived &= ~lanes;
}

// Whole warps and their lanes in the order of the schedule. Warps never mix.
void order_threads() {
  static unsigned ordered = 0;
  static Schedule::Order as = Schedule::Order::random;
  if (ordered == thread_count && as == schedule.order && as != Schedule::Order::random) return;
  ordered = thread_count, as = schedule.order;
  for (unsigned i = 0; i < thread_count; ++i)
    order[i] = static_cast<std::uint16_t>(as == Schedule::Order::reverse ? thread_count - 1 - i : i);
  if (as == Schedule::Order::random) {
    std::array<std::uint16_t, max_block_threads / 32> warp_order;
    const unsigned warp_count = (thread_count + 31) / 32;
    for (unsigned w = 0; w < warp_count; ++w) warp_order[w] = static_cast<std::uint16_t>(w);
    std::shuffle(warp_order.begin(), warp_order.begin() + warp_count, schedule.random);
    unsigned n = 0;
    for (unsigned w = 0; w < warp_count; ++w) {
      const unsigned begin = n;
      for (unsigned i = warp_order[w] * 32u; i < std::min(thread_count, warp_order[w] * 32u + 32u); ++i)
        order[n++] = static_cast<std::uint16_t>(i);
      std::shuffle(order.begin() + begin, order.begin() + n, schedule.random);
    }
  }
}

}  // namespace

void raise_fault(const char* code, std::string message, bool positioned, int line, const void* frame) {
  if (checking) {
    Event e = cudasmith::positioned(code, message, trace_from(frame != nullptr ? frame : __builtin_frame_address(0)));
    e.positioned = positioned;
    e.line = line;
    tell(std::move(e));
  }
  raise_told(code, std::move(message), positioned);
}

void raise_told(std::string code, std::string message, bool positioned) {
  pending_fault.event = -1;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].code == code && events[i].message == message) pending_fault.event = static_cast<int>(i);
  pending_fault.code = std::move(code);
  pending_fault.message = std::move(message);
  pending_fault.at = position;
  pending_fault.positioned = positioned;
  siglongjmp(abort_env, 1);
}

bool is_stack_guard(const void* address) { return block_stacks.guards(address) || grid_stacks.guards(address); }
Range all_fiber_stacks() { return {reinterpret_cast<std::uintptr_t>(stacks->base()), stacks->total()}; }

int block_barrier(bool predicate, int line) {
  barrier_votes += predicate;
  threads[current].line = line;
  threads[current].frame = __builtin_frame_address(0);
  block_current(State::at_barrier);
  return barrier_result;
}

bool in_cooperative_launch() { return cooperative; }

void grid_barrier(int line) {
  const std::string name = "grid.sync() of line " + std::to_string(line);
  if (!cooperative) raise_fault("EM207", name + " in a kernel that cudaLaunchCooperativeKernel did not launch", true, line);
  if (!stacks_suffice) raise_fault("EM207", name + ": a grid of more than " + std::to_string(132 * 1024) + " threads does not meet in the emulator", true, line);
  if (async_in_flight(current)) raise_fault("EM207", name + ": a thread comes with asynchronous copies that it has not waited for", true, line);
  threads[current].line = line;
  threads[current].frame = __builtin_frame_address(0);
  ++grid_waiters;
  block_current(State::at_grid);
}

std::uint64_t meet(WarpOp op, unsigned mask, std::uint64_t value, int source, WarpFunction together, int line) {
  Thread& t = threads[current];
  const unsigned warp = current / 32, lane = current % 32, lanes = awaited(warp, mask);
  if ((mask >> lane & 1u) == 0)
    raise_fault("EM202", "warp operation of line " + std::to_string(line) + ": the mask does not name the calling lane", true, line);
  t.op = op;
  t.mask = mask;
  t.value = value;
  t.source = source;
  t.together = together;
  t.line = line;
  t.frame = __builtin_frame_address(0);
  warps[warp].arrived |= 1u << lane;
  if ((warps[warp].arrived & lanes) == lanes) complete_warp(warp, lanes, current);
  else block_current(State::at_warp);
  return t.value;
}

std::uint64_t warp_collective(WarpOp op, unsigned mask, std::uint64_t value, int source, int line) {
  return meet(op, mask, value, source, nullptr, line);
}

void warp_together(unsigned mask, WarpFunction together, void* mine, int line) {
  meet(WarpOp::together, mask, reinterpret_cast<std::uint64_t>(mine), 0, together, line);
}

unsigned converged_lanes(int line) {
  threads[current].line = line;
  block_current(State::converging);
  return static_cast<unsigned>(threads[current].value);
}

bool yield_thread() {
  if (ready_count == 0 && next_fresh == thread_count) return false;
  push_ready(current);
  block_current(State::ready, true);  // else it may wait for one that never starts
  return true;
}

unsigned thread_number() { return current; }

unsigned turns_left = turns_at_first;

// The running thread waits for another: for one of its block, or of another block if all of these do.
static void give_way() {
  const bool others = next_fresh < thread_count || ready_count > 0 || release_converging();
  block_spins = !others || (next_fresh == thread_count && ++idle_yields > 2 * ready_count + 2);
  push_ready(current);
  block_current(State::ready, true);
}

void polled_from(const void* p, std::size_t bytes, const void* frame) {
  if (!in_device_code()) return;
  Thread& t = threads[current];
  std::uint64_t seen = 0;
  std::memcpy(&seen, p, std::min(bytes, sizeof seen));
  bool known = false;
  for (unsigned i = 0; i < std::min<unsigned>(t.poll_count, t.polls.size()); ++i) known |= t.polls[i].at == p && t.polls[i].seen == seen;
  if (!known) {
    t.polls[t.poll_count++ % t.polls.size()] = {p, seen};
    t.repeated = idle_polls = 0;
    if (t.poll_count % (128 * polls_at_once) == 0) give_way();  // it goes round through many places
    return;
  }
  ++idle_polls;
  t.poll_frame = frame;
  if (++t.repeated % (idle_polls < 8 * polls_in_vain ? polls_at_once : polls_in_vain) == 0) give_way();
}

void polled(const void* p, std::size_t bytes) { polled_from(p, bytes, __builtin_frame_address(0)); }

void polls_no_more() {
  if (!in_device_code()) return;
  threads[current].poll_count = 0;
  idle_polls = 0;
}

void loop_gives_way() {
  turns_left = slots_made > 1 || (in_device_code() && thread_count > 1) ? turns_at_once : turns_at_first;
  if (!in_device_code()) return;
  idle_polls = 0;
  give_way();
}

void device_fault(const char* code, const std::string& message) { raise_fault(code, message); }

void choose_stacks(const LaunchConfig& launch) {
  const std::size_t threads_of_block = std::size_t{launch.block.x} * launch.block.y * launch.block.z;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  if (wide_used) wide_stacks.release(wide_stacks.count());
  free_slots.clear();
  slots_made = 0;
  turns_left = turns_at_first;
  cooperative = launch.cooperative;
  stacks_of_block = threads_of_block + 1;
  const std::uint64_t needed = blocks * stacks_of_block;
  stacks_suffice = cooperative && needed <= widest_grid;
  stacks = !stacks_suffice || blocks == 1 ? &block_stacks : needed <= guarded_grid ? &grid_stacks : &wide_stacks;
  wide_used = stacks == &wide_stacks;
}

std::size_t stacks_for_blocks() { return 1 + widest_grid / stacks_of_block; }

// What the block has come back for; one that has ended leaves its stacks to others.
static Outcome outcome() {
  if (block_spins) return Outcome::spins;
  if (grid_waiters > 0) return Outcome::at_grid;
  if (!cooperative) free_slots.push_back({stacks, first_stack});
  return Outcome::ended;
}

Outcome run_block(ThreadBody body, void* context, std::uint64_t n) {
  if (cooperative) first_stack = stacks == &block_stacks ? 0 : n * stacks_of_block;
  else use_slot(take_slot());
  grid_waiters = idle_yields = 0;
  block_spins = false;
  idle_polls = 0;
  thread_body = body;
  thread_context = context;
  thread_count = position.block_dim.x * position.block_dim.y * position.block_dim.z;
  ready_head = ready_count = next_fresh = done_count = 0;
  barrier_votes = barrier_result = 0;
  order_threads();
  forget_async(thread_count);
  for (unsigned w = 0; w * 32 < thread_count; ++w) warps[w] = Warp{};
  free_stack_count = thread_count + 1;
  for (unsigned i = 0; i < free_stack_count; ++i) free_stacks[i] = static_cast<std::uint16_t>(thread_count - i);
  const unsigned stack = free_stacks[--free_stack_count];
  Context fresh;
  make_context(fresh, stacks->top(first_stack + stack), Stacks::bytes - 8192, stack_entry);
  switch_context(main_context, fresh);
  return outcome();
}

#if defined(__x86_64__)
namespace {

void mix(std::uint64_t& state, std::uint64_t word) { state = (state ^ word ^ state >> 29) * 0x9E3779B97F4A7C15u; }

}  // namespace

// What a thread has in registers lies on its stack while it is suspended.
std::uint64_t state_of_block() {
  std::uint64_t state = 0;
  for (unsigned i = 0; i < thread_count; ++i) {
    const Thread& t = threads[i];
    mix(state, static_cast<std::uint64_t>(t.state));
    if (t.state == State::done) continue;
    mix(state, reinterpret_cast<std::uint64_t>(t.context.sp));
    mix(state, t.value);
    const auto* const end = reinterpret_cast<const std::uint64_t*>(stacks->end_of(t.context.sp));
    for (auto* word = static_cast<const std::uint64_t*>(t.context.sp); word < end; ++word) mix(state, *word);
  }
  return state;
}
#else
// Registers are not known: no state is that of another time, and no deadlock is proven.
std::uint64_t state_of_block() {
  static std::uint64_t times = 0;
  return ++times;
}
#endif

struct SuspendedBlock {
  uint3 block;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<std::uint16_t> order, free_stacks;
  Slot slot;
  unsigned next_fresh, done_count, grid_waiters;
  int votes;
  std::vector<unsigned> ready;
  std::shared_ptr<AsyncState> async;
};

std::shared_ptr<SuspendedBlock> suspend_block() {
  const unsigned n = thread_count;
  std::vector<unsigned> runnable;
  for (unsigned i = 0; i < ready_count; ++i) runnable.push_back(ready[(ready_head + i) % max_block_threads]);
  return std::make_shared<SuspendedBlock>(SuspendedBlock{
      position.block, {threads.begin(), threads.begin() + n}, {warps.begin(), warps.begin() + (n + 31) / 32},
      {order.begin(), order.begin() + n}, {free_stacks.begin(), free_stacks.begin() + free_stack_count},
      {stacks, first_stack}, next_fresh, done_count, grid_waiters, barrier_votes, runnable, keep_async(n)});
}

Outcome resume_block(const SuspendedBlock& b) {
  std::copy(b.threads.begin(), b.threads.end(), threads.begin());
  std::copy(b.warps.begin(), b.warps.end(), warps.begin());
  std::copy(b.order.begin(), b.order.end(), order.begin());
  std::copy(b.free_stacks.begin(), b.free_stacks.end(), free_stacks.begin());
  free_stack_count = static_cast<unsigned>(b.free_stacks.size());
  use_slot(b.slot);
  next_fresh = b.next_fresh;
  done_count = b.done_count;
  ready_head = ready_count = idle_yields = 0;
  barrier_votes = b.votes;
  barrier_result = 0;
  block_spins = false;
  forget_async(thread_count);
  restore_async(*b.async);
  for (const unsigned i : b.ready) push_ready(i);
  grid_waiters = b.ready.empty() ? 0 : b.grid_waiters;
  for (const std::uint16_t i : b.order)
    if (b.ready.empty() && threads[i].state == State::at_grid) push_ready(i);
  switch_context(main_context, threads[pop_ready()].context);
  return outcome();
}

void report_deadlock(const SuspendedBlock& one, const char* code, const std::string& message) {
  const Thread& first = one.threads[one.ready.back()];  // the one that polled last
  position.block = one.block;
  position.thread = first.id;
  use_slot(one.slot);
  raise_fault(code, message, true, 0, first.repeated > 0 ? first.poll_frame : nullptr);
}

void report_stuck_grid(const SuspendedBlock& one, std::size_t waiting, std::uint64_t blocks) {
  const auto first = std::find_if(one.threads.begin(), one.threads.end(), [](const Thread& t) { return t.state == State::at_grid; });
  position.block = one.block;
  position.thread = first->id;
  const auto count = [](std::uint64_t n, const char* what) { return std::to_string(n) + (n == 1 ? " block " : " blocks ") + what; };
  raise_fault("EM201", "barrier divergence: " + count(waiting, "wait") + " at the grid.sync() of line " + std::to_string(first->line) + ", " +
                           count(blocks - waiting, "exited"), false, first->line, first->frame);
}

}  // namespace cudasmith

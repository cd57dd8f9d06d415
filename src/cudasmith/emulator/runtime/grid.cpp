#include <link.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <mutex>
#include <numeric>
#include <set>
#include <vector>

#include "../include/cudasmith/device_model.h"
#include "arena.h"
#include "events.h"
#include "grid.h"
#include "guarded.h"
#include "memory_check.h"
#include "quiet.h"
#include "races.h"
#include "scheduler.h"

namespace cudasmith {

std::vector<LaunchRecord> launch_log;
bool skip_kernels = false;
std::string skipped_kernel;
bool plausible_memory = false;
bool checked_mode = false;
void (*after_launch)() = nullptr;
bool alarm_ends_kernel = false;
DeviceModel device{};
std::uint64_t SharedSlot::current_block = 0;

namespace {

constexpr std::size_t default_shared_limit = 48 * 1024;
constexpr int invalid_value = 1, invalid_configuration = 9;

std::mutex grid_mutex;
thread_local bool in_kernel = false;
int last_error = 0;
int dynamic_limit = 0;
LaunchConfig failed_launch{};
void* dynamic_memory = nullptr;
const char* dynamic_name = "dynamic";
std::size_t static_shared_bytes = 0;
std::set<const char*> shared_types;  // texts that end in the type of a shared variable of this launch

struct SharedUse {
  SharedSlot* slot;  // null: the launch's dynamic memory
  void* memory;
  std::size_t bytes;
};
std::vector<SharedUse> shared_uses;  // of the running block

// A block that waits for others: its threads, and what is in its shared memory while other blocks use it.
struct WaitingBlock {
  uint3 block;
  std::shared_ptr<SuspendedBlock> threads;
  std::vector<SharedUse> uses;
  std::vector<std::uint8_t> values, shadows;
  std::size_t static_bytes;
  Acquired acquired;  // in checked mode, of one that spins
  Turns turns;
};
// Here, because a fault leaves the launch without destructors.
std::vector<WaitingBlock> waiting;  // for the grid
std::deque<WaitingBlock> spinning;  // on memory
bool wait_told = false;  // in this launch

std::uint8_t* shadow_of(const SharedUse& u) {
  const auto address = reinterpret_cast<std::uintptr_t>(u.memory);
  return arena.base != 0 && in_arena(address) ? arena.shadow + (address - arena.base) : nullptr;
}

void forget_shared(void* memory, std::size_t bytes) {
  if (arena.base != 0 && in_arena(reinterpret_cast<std::uintptr_t>(memory))) forget_values(memory, bytes);
  else std::memset(memory, 0xFF, bytes);
}

void* shared_alloc(std::size_t bytes, const char* name) {
  return checking ? arena_alloc(bytes, Kind::shared, name) : guarded_alloc(bytes, "shared array", true);
}

volatile std::uintptr_t fault_address;
volatile int fault_signal;
volatile bool fault_write;
volatile std::uintptr_t fault_code, fault_frame;

// The library whose code launched, in which no lock of the runtime or of libc is held.
struct Code {
  std::uintptr_t place, begin, end;
};
Code launching{};

int search_launching(dl_phdr_info* info, std::size_t, void* data) {
  auto& code = *static_cast<Code*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + p.p_vaddr;
    if (p.p_type == PT_LOAD && (p.p_flags & PF_X) != 0 && code.place - begin < p.p_memsz) code.begin = begin, code.end = begin + p.p_memsz;
  }
  return 0;
}

// The kernel does not end. It is left only in its own code; until it is there, the alarm comes again.
bool may_leave(void* machine) {
#if defined(__x86_64__)
  const auto at = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(machine)->uc_mcontext.gregs[REG_RIP]);
  if (at >= launching.begin && at < launching.end) return true;
#endif
  static int tries = 0;
  if (!alarm_ends_kernel || ++tries > 3000) {
    ::signal(SIGALRM, SIG_DFL);
    raise(SIGALRM);
  }
  const itimerval soon{{0, 0}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  return false;
}

void on_signal(int signal, siginfo_t* info, void* machine) {
  if (signal == SIGALRM && in_kernel && !may_leave(machine)) return;
  if (!in_kernel) {
    ::signal(signal, SIG_DFL);
    if (signal == SIGALRM) raise(signal);
    return;
  }
  fault_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  fault_signal = signal;
#if defined(__x86_64__)
  const auto& registers = static_cast<ucontext_t*>(machine)->uc_mcontext.gregs;
  fault_write = (registers[REG_ERR] & 2) != 0;
  fault_code = static_cast<std::uintptr_t>(registers[REG_RIP]);
  fault_frame = static_cast<std::uintptr_t>(registers[REG_RBP]);
#else
  (void)machine;
#endif
  siglongjmp(abort_env, 2);
}

// Catches faults of device code only while a grid runs; restores what was there before.
class SignalGuard {
 public:
  SignalGuard() {
    stack_t alternate{};
    alternate.ss_sp = memory;
    alternate.ss_size = sizeof memory;
    sigaltstack(&alternate, &old_stack_);
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < count(); ++i) sigaction(signals[i], &action, &old_[i]);
    in_kernel = true;
  }
  ~SignalGuard() {
    in_kernel = false;
    for (int i = 0; i < count(); ++i) sigaction(signals[i], &old_[i], nullptr);
    if ((old_stack_.ss_flags & SS_DISABLE) == 0) sigaltstack(&old_stack_, nullptr);
  }

 private:
  static constexpr int signals[4] = {SIGSEGV, SIGBUS, SIGFPE, SIGALRM};
  static int count() { return alarm_ends_kernel ? 4 : 3; }
  static thread_local char memory[64 * 1024];
  stack_t old_stack_{};
  struct sigaction old_[4];
};
thread_local char SignalGuard::memory[64 * 1024];

void describe_signal() {
  pending_fault.at = position;
  pending_fault.positioned = true;
  const auto* address = reinterpret_cast<const void*>(fault_address);
  if (fault_signal == SIGALRM) {
    const itimerval later{{0, 0}, {10, 0}};  // for what the candidate does with the exception
    setitimer(ITIMER_REAL, &later, nullptr);
    pending_fault.code = "EM115";
    pending_fault.message = "the kernel does not end: the time was over while this thread ran";
  } else if (fault_signal == SIGFPE) {
    pending_fault.code = "EM103";
    pending_fault.message = "integer division by zero";
  } else if (is_stack_guard(address)) {
    pending_fault.code = "EM104";
    pending_fault.message = "a thread's local variables need more than the emulator's stack of 256 KB";
  } else {
    const std::string where = describe_address(fault_address);
    pending_fault.code = "EM101";
    pending_fault.message = std::string("out-of-bounds ") + (fault_write ? "write" : "read") +
                            (where.empty() ? std::string(", near no known tensor") : ": " + where);
  }
  pending_fault.event = -1;
  if (!checking) return;
  Event e = positioned(pending_fault.code, pending_fault.message, Trace{});
  if (fiber_stacks.holds(fault_frame)) {
    const Trace callers = trace_from(reinterpret_cast<const void*>(fault_frame));
    std::copy_n(callers.places, max_places - 1, e.trace.places + 1);
  }
  e.trace.places[0] = fault_code + 1;
  pending_fault.event = tell(std::move(e));
}

// A block that goes on begins anew for the races: what its threads did before lies before what they do then.
void tell_wait() {
  wait_told = true;
  tell_unchecked(std::string("kernel ") + running_launch()->kernel + ": races within a block across a point where it waited for another block are treated as ordered");
}

// `turns`: of a block that has waited before.
void keep_waiting(Outcome outcome, Turns turns = {}) {
  if (outcome == Outcome::ended) return;
  WaitingBlock w{position.block, suspend_block(), shared_uses, {}, {}, static_shared_bytes, {}, {}};
  for (const SharedUse& u : w.uses) {
    const auto* bytes = static_cast<const std::uint8_t*>(u.memory);
    w.values.insert(w.values.end(), bytes, bytes + u.bytes);
    if (const std::uint8_t* shadow = shadow_of(u)) w.shadows.insert(w.shadows.end(), shadow, shadow + u.bytes);
  }
  if (outcome == Outcome::at_grid) return waiting.push_back(std::move(w));
  if (checking) w.acquired = races_block_pauses(), count_turn(turns), w.turns = turns;
  if (checking && !wait_told) tell_wait();
  spinning.push_back(std::move(w));
}

void run_on(const WaitingBlock& w) {
  ++SharedSlot::current_block;
  static_shared_bytes = w.static_bytes;
  shared_uses = w.uses;
  const std::uint8_t *value = w.values.data(), *shadow = w.shadows.data();
  for (const SharedUse& u : w.uses) {
    std::copy_n(value, u.bytes, static_cast<std::uint8_t*>(u.memory));
    value += u.bytes;
    if (std::uint8_t* to = shadow_of(u)) std::copy_n(shadow, u.bytes, to), shadow += u.bytes;
    if (u.slot != nullptr) u.slot->keep();
  }
  position.block = w.block;
  if (checking && w.acquired.blocks.empty()) races_block_begins();
  else if (checking) races_block_resumes(w.acquired);
  keep_waiting(resume_block(*w.threads), w.turns);
}

// How many blocks the device runs at once, as far as it depends on threads and shared memory.
std::uint64_t resident_blocks(const LaunchConfig& c) {
  const auto threads = static_cast<int>(c.block.x * c.block.y * c.block.z);
  return std::uint64_t{static_cast<unsigned>(device.sms)} * static_cast<unsigned>(std::max(1, blocks_per_sm(threads, c.shared_bytes + static_shared_bytes)));
}

// All blocks that have begun wait for memory that none of them will ever write.
[[noreturn]] void report_spinning(const LaunchConfig& c, std::uint64_t blocks, std::uint64_t begun) {
  const SuspendedBlock& one = *spinning.front().threads;
  const auto count = [](std::uint64_t n) { return std::to_string(n) + (n == 1 ? " block" : " blocks"); };
  if (begun < blocks && schedule.sampled_blocks > 0) report_deadlock(one, "EM901", "the block waits for others, of which only a sample runs");
  if (begun < blocks && spinning.size() < resident_blocks(c))
    report_deadlock(one, "EM901", "the emulator does not keep more than " + count(spinning.size()) + " that wait for one another");
  std::string text = "deadlock: " + count(spinning.size()) + " spin" + (spinning.size() == 1 ? "s" : "") + " on memory that nothing in this launch writes";
  if (begun < blocks) text += ", and " + count(blocks - begun) + " cannot begin: " + device.name + " runs " + std::to_string(spinning.size()) + " at once";
  else if (!waiting.empty()) text += ", and " + count(waiting.size()) + " wait" + (waiting.size() == 1 ? "s" : "") + " for the grid";
  else if (begun > spinning.size()) text += ", and the others have ended";
  report_deadlock(one, "EM208", text);
}

// Each block that spins goes on, until one of them ends or comes to the grid's barrier.
void run_spinning(const LaunchConfig& c, std::uint64_t blocks, std::uint64_t begun) {
  for (const std::size_t before = spinning.size(); spinning.size() == before;) {
    if (std::all_of(spinning.begin(), spinning.end(), [](const WaitingBlock& w) { return goes_round(w.turns); })) report_spinning(c, blocks, begun);
    const WaitingBlock next = std::move(spinning.front());
    spinning.pop_front();
    run_on(next);
  }
}

// Until every block has ended: those that wait for the grid go on when all have come.
void run_waiting(const LaunchConfig& c, std::uint64_t blocks, std::uint64_t begun) {
  while (!waiting.empty() || !spinning.empty()) {
    if (!spinning.empty()) {
      run_spinning(c, blocks, begun);
      continue;
    }
    if (waiting.size() != blocks) report_stuck_grid(*waiting[0].threads, waiting.size(), blocks);
    if (checking) races_grid_opens();
    std::vector<WaitingBlock> all;
    all.swap(waiting);
    for (const WaitingBlock& w : all) run_on(w);
  }
}

void run_one_block(const LaunchConfig& c, uint3 block, ThreadBody body, void* context, std::uint64_t n) {
  position.block = block;
  ++SharedSlot::current_block;
  static_shared_bytes = 0;
  shared_uses.clear();
  if (dynamic_memory != nullptr) {
    forget_shared(dynamic_memory, c.shared_bytes);
    shared_uses.push_back({nullptr, dynamic_memory, c.shared_bytes});
  }
  if (checking) races_block_begins();
  keep_waiting(run_block(body, context, n));
}

// A block that begins beside others needs room on the device, and stacks.
void make_room(const LaunchConfig& c, std::uint64_t blocks, std::uint64_t begun) {
  while (!c.cooperative && !spinning.empty() && spinning.size() >= std::min<std::uint64_t>(resident_blocks(c), stacks_for_blocks()))
    run_spinning(c, blocks, begun);
}

// A bijection of [0, n) that looks random: multiplication by a number prime to n, and a shift.
class Permutation {
 public:
  Permutation(std::uint64_t n, std::mt19937& random) : n_(n), factor_(random() % n | 1u), shift_(random() % n) {
    while (std::gcd(factor_, n_) != 1) ++factor_;
  }
  std::uint64_t operator()(std::uint64_t i) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(i) * factor_ + shift_) % n_);
  }

 private:
  std::uint64_t n_, factor_, shift_;
};

void run_numbered_block(const LaunchConfig& c, std::uint64_t b, ThreadBody body, void* context, std::uint64_t n = 0) {
  const auto x = static_cast<unsigned>(b % c.grid.x), rest = static_cast<unsigned>(b / c.grid.x);
  run_one_block(c, uint3{x, rest % c.grid.y, rest / c.grid.y}, body, context, n);
}

// The ends, where an index of 32 bits wraps if threads take one, two or four elements each, and some between.
std::set<std::uint64_t> sampled(const LaunchConfig& c, std::uint64_t n) {
  const std::uint64_t threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
  std::set<std::uint64_t> chosen{0, n - 1};
  for (int power = 29; power <= 32; ++power)
    for (std::uint64_t near = 0; near < 2; ++near) {
      const std::uint64_t b = (std::uint64_t{1} << power) / threads + near;
      if (b < n && chosen.size() < schedule.sampled_blocks) chosen.insert(b);
    }
  while (chosen.size() < schedule.sampled_blocks)
    chosen.insert((std::uint64_t{schedule.random()} << 32 | schedule.random()) % n);
  return chosen;
}

void run_blocks(const LaunchConfig& c, ThreadBody body, void* context) {
  position.grid_dim = c.grid;
  position.block_dim = c.block;
  const std::uint64_t n = std::uint64_t{c.grid.x} * c.grid.y * c.grid.z;
  if (schedule.sampled_blocks > 0 && n > schedule.sampled_blocks && !c.cooperative) {
    std::uint64_t begun = 0;
    for (const std::uint64_t b : sampled(c, n)) make_room(c, n, begun), run_numbered_block(c, b, body, context), ++begun;
    run_waiting(c, n, begun);
    return tell_unchecked("kernel " + std::string(c.kernel) + ": only a sample of its " + std::to_string(n) + " blocks ran");
  }
  const Permutation permuted(n, schedule.random);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t b = schedule.order == Schedule::Order::forward ? i
                            : schedule.order == Schedule::Order::reverse ? n - 1 - i : permuted(i);
    make_room(c, n, i);
    run_numbered_block(c, b, body, context, i);
  }
  run_waiting(c, n, n);
}

// Returns false when the kernel faulted; then `pending_fault` says how.
bool run_caught(const LaunchConfig& c, ThreadBody body, void* context) {
  SignalGuard guard;
  const int left = sigsetjmp(abort_env, 1);
  if (left == 0) {
    run_blocks(c, body, context);
    return true;
  }
  if (left == 2) describe_signal();
  return false;
}

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

bool valid(const LaunchConfig& c) {
  const std::uint64_t threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
  const bool grid_ok = c.grid.x >= 1 && c.grid.y >= 1 && c.grid.z >= 1 && c.grid.x <= 0x7fffffffu &&
                       c.grid.y <= 65535 && c.grid.z <= 65535;
  const bool block_ok = threads >= 1 && c.block.x <= 1024 && c.block.y <= 1024 && c.block.z <= 64 && threads <= 1024;
  return grid_ok && block_ok;
}

// Which limit a launch exceeds: ": a block of 2048 threads, at most 1024 are allowed", or "".
std::string why_refused(const LaunchConfig& c) {
  const auto over = [](const std::string& what, std::uint64_t limit) { return ": " + what + ", at most " + std::to_string(limit) + " are allowed"; };
  const std::uint64_t threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
  if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0) return ": the grid has no block";
  if (threads == 0) return ": the block has no thread";
  if (threads > 1024) return over("a block of " + std::to_string(threads) + " threads", 1024);
  if (c.block.z > 64) return over("a block of " + std::to_string(c.block.z) + " threads in z", 64);
  if (c.grid.x > 0x7fffffffu) return over("a grid of " + std::to_string(c.grid.x) + " blocks in x", 0x7fffffffu);
  if (c.grid.y > 65535) return over("a grid of " + std::to_string(c.grid.y) + " blocks in y", 65535);
  if (c.grid.z > 65535) return over("a grid of " + std::to_string(c.grid.z) + " blocks in z", 65535);
  const auto most = static_cast<std::size_t>(device.shared_per_block);
  if (c.shared_bytes > most) return over(std::to_string(c.shared_bytes) + " bytes of shared memory on " + device.name, most);
  if (c.shared_bytes > default_shared_limit)
    return over(std::to_string(c.shared_bytes) + " bytes of dynamic shared memory", std::max(default_shared_limit, static_cast<std::size_t>(dynamic_limit))) +
           "; cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) raises that to " + std::to_string(most);
  return "";
}

bool fits_shared(const LaunchConfig& c) {
  const std::size_t limit = dynamic_limit > 0 ? static_cast<std::size_t>(dynamic_limit) : 0;
  return c.shared_bytes <= std::max(default_shared_limit, std::min(limit, static_cast<std::size_t>(device.shared_per_block)));
}

}  // namespace

void run_grid(const LaunchConfig& c, ThreadBody body, void* context) {
  if (in_kernel) raise_fault("EM901", std::string("the kernel launches ") + c.kernel + " in line " + std::to_string(c.line) + ": dynamic parallelism is not emulated");
  std::lock_guard<std::mutex> lock(grid_mutex);
  if (!valid(c) || !fits_shared(c)) {
    last_error = valid(c) ? invalid_value : invalid_configuration;
    failed_launch = c;
    return;
  }
  launch_log.push_back({c.kernel, c.line, c.grid, c.block, c.shared_bytes, 0});
  if (skip_kernels || (!skipped_kernel.empty() && skipped_kernel == c.kernel)) return;
  checking = checked_mode && c.instrumented;
  if (checked_mode && !checking) tell_unchecked(std::string("kernel ") + c.kernel + " was compiled without checks");
  set_running(&c);
  if (alarm_ends_kernel) launching = {reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), 0, 0}, dl_iterate_phdr(search_launching, &launching);
  shared_types.clear();
  dynamic_memory = c.shared_bytes > 0 ? shared_alloc(c.shared_bytes, dynamic_marker) : nullptr;
  waiting.clear();
  spinning.clear();
  wait_told = false;
  quiet_begins();
  choose_stacks(c);
  if (checking) find_stacks(), races_launch_begins();
  const double started = cpu_seconds();
  bool fine = run_caught(c, body, context);
  if (fine) launch_log.back().seconds = cpu_seconds() - started;
  if (checking) races_launch_ends();
  if (fine && !checked_mode) {
    const std::string damage = damaged_canary();
    fine = damage.empty();
    if (!fine) pending_fault = Fault{"EM102", damage, "", 0, false, {}, -1};
  }
  guarded_free(dynamic_memory);
  dynamic_memory = nullptr;
  set_running(nullptr);
  checking = false;
  if (after_launch != nullptr) after_launch();
  if (fine) return;
  pending_fault.kernel = c.kernel;
  pending_fault.line = c.line;
  throw Fault(pending_fault);
}

// `dimensions`: "[33]"; the text of get<T> ends in "T = float [32][33]]".
bool is_shared_array(const std::string& dimensions) {
  return std::any_of(shared_types.begin(), shared_types.end(), [&](const char* type) {
    const std::string text(type), end = dimensions + "]";
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
  });
}

void SharedSlot::refresh(std::size_t bytes, const char* type) {
  if (checking) shared_types.insert(type);
  const bool is_ours = memory_ != nullptr && arena.base != 0 && in_arena(reinterpret_cast<std::uintptr_t>(memory_));
  if (memory_ == nullptr || is_ours != checking) memory_ = shared_alloc(bytes, name_);
  forget_shared(memory_, bytes);
  block_ = current_block;
  static_shared_bytes += bytes;
  shared_uses.push_back({this, memory_, bytes});
  if (static_shared_bytes > default_shared_limit)
    raise_fault("EM302", "static shared arrays need " + std::to_string(static_shared_bytes) +
                             " bytes; nvcc refuses more than 49152", false);
}

const char* const dynamic_marker = "dynamic";
const char* dynamic_array_name() { return dynamic_name; }

void* dynamic_shared(const char* name) {
  dynamic_name = name;
  return dynamic_memory;
}

void refuse_launch(const LaunchConfig& config, int error) {
  failed_launch = config;
  last_error = error;
}

int take_last_error(bool clear) {
  const int error = last_error;
  if (clear) last_error = 0;
  return error;
}

bool in_device_code() { return in_kernel; }

const DeviceModel& device_model() { return device; }

void set_dynamic_limit(int bytes) { dynamic_limit = bytes; }

namespace {

int tell_launch(const Fault& f) {
  Event e;
  e.code = f.code;
  e.message = f.message;
  e.kernel = f.kernel;
  e.launch_line = e.line = f.line;
  return tell(std::move(e));
}

}  // namespace

void throw_cuda_error(int error, const char* text, int line) {
  const LaunchConfig& c = failed_launch;
  char shape[200];
  std::snprintf(shape, sizeof shape, " [grid (%u, %u, %u), block (%u, %u, %u), %zu bytes of dynamic shared memory]",
                c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z, c.shared_bytes);
  Fault fault;
  fault.code = "EM301";
  if (error == invalid_configuration) text = "invalid configuration argument";
  if (error == invalid_value) text = "invalid argument";
  fault.message = std::string("CUDA error: ") + text + (c.kernel != nullptr ? shape + why_refused(c) : "");
  fault.kernel = c.kernel != nullptr ? c.kernel : "";
  fault.line = c.kernel != nullptr ? c.line : line;
  if (checked_mode) fault.event = tell_launch(fault);
  throw fault;
}

}  // namespace cudasmith

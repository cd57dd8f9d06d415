#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <vector>

#include "grid.h"
#include "guarded.h"
#include "scheduler.h"

namespace cudasmith {

std::vector<LaunchRecord> launch_log;
bool skip_kernels = false;
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
std::size_t static_shared_bytes = 0;

volatile std::uintptr_t fault_address;
volatile int fault_signal;
volatile bool fault_write;

void on_signal(int signal, siginfo_t* info, void* machine) {
  if (!in_kernel) {
    ::signal(signal, SIG_DFL);
    return;
  }
  fault_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  fault_signal = signal;
#if defined(__x86_64__)
  fault_write = (static_cast<ucontext_t*>(machine)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
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
    for (int i = 0; i < 3; ++i) sigaction(signals[i], &action, &old_[i]);
    in_kernel = true;
  }
  ~SignalGuard() {
    in_kernel = false;
    for (int i = 0; i < 3; ++i) sigaction(signals[i], &old_[i], nullptr);
    if ((old_stack_.ss_flags & SS_DISABLE) == 0) sigaltstack(&old_stack_, nullptr);
  }

 private:
  static constexpr int signals[3] = {SIGSEGV, SIGBUS, SIGFPE};
  static thread_local char memory[64 * 1024];
  stack_t old_stack_{};
  struct sigaction old_[3];
};
thread_local char SignalGuard::memory[64 * 1024];

void describe_signal() {
  pending_fault.at = position;
  pending_fault.positioned = true;
  const auto* address = reinterpret_cast<const void*>(fault_address);
  if (fault_signal == SIGFPE) {
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
}

void run_blocks(const LaunchConfig& c, ThreadBody body, void* context) {
  position.grid_dim = c.grid;
  position.block_dim = c.block;
  for (unsigned z = 0; z < c.grid.z; ++z)
    for (unsigned y = 0; y < c.grid.y; ++y)
      for (unsigned x = 0; x < c.grid.x; ++x) {
        position.block = uint3{x, y, z};
        ++SharedSlot::current_block;
        static_shared_bytes = 0;
        if (dynamic_memory != nullptr) std::memset(dynamic_memory, 0xFF, c.shared_bytes);
        run_block(body, context);
      }
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

bool valid(const LaunchConfig& c) {
  const std::uint64_t threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
  const bool grid_ok = c.grid.x >= 1 && c.grid.y >= 1 && c.grid.z >= 1 && c.grid.x <= 0x7fffffffu &&
                       c.grid.y <= 65535 && c.grid.z <= 65535;
  const bool block_ok = threads >= 1 && c.block.x <= 1024 && c.block.y <= 1024 && c.block.z <= 64 && threads <= 1024;
  return grid_ok && block_ok;
}

bool fits_shared(const LaunchConfig& c) {
  const std::size_t limit = dynamic_limit > 0 ? static_cast<std::size_t>(dynamic_limit) : 0;
  return c.shared_bytes <= std::max(default_shared_limit, std::min(limit, static_cast<std::size_t>(device.shared_per_block)));
}

}  // namespace

void run_grid(const LaunchConfig& c, ThreadBody body, void* context) {
  if (in_kernel) raise_fault("EM402", std::string("the kernel launches ") + c.kernel + " in line " + std::to_string(c.line) + ": dynamic parallelism is not emulated");
  std::lock_guard<std::mutex> lock(grid_mutex);
  if (!valid(c) || !fits_shared(c)) {
    last_error = valid(c) ? invalid_value : invalid_configuration;
    failed_launch = c;
    return;
  }
  launch_log.push_back({c.kernel, c.line, c.grid, c.block, c.shared_bytes});
  if (skip_kernels) return;
  dynamic_memory = c.shared_bytes > 0 ? guarded_alloc(c.shared_bytes, "dynamic shared array", true) : nullptr;
  bool fine = run_caught(c, body, context);
  if (fine) {
    const std::string damage = damaged_canary();
    fine = damage.empty();
    if (!fine) pending_fault = Fault{"EM102", damage, "", 0, false, {}};
  }
  guarded_free(dynamic_memory);
  dynamic_memory = nullptr;
  if (fine) return;
  pending_fault.kernel = c.kernel;
  pending_fault.line = c.line;
  throw Fault(pending_fault);
}

void SharedSlot::refresh(std::size_t bytes) {
  if (memory_ == nullptr) memory_ = guarded_alloc(bytes, "shared array", true);
  std::memset(memory_, 0xFF, bytes);
  block_ = current_block;
  static_shared_bytes += bytes;
  if (static_shared_bytes > default_shared_limit)
    raise_fault("EM302", "static shared arrays need " + std::to_string(static_shared_bytes) +
                             " bytes; nvcc refuses more than 49152", false);
}

void* dynamic_shared() { return dynamic_memory; }

int take_last_error(bool clear) {
  const int error = last_error;
  if (clear) last_error = 0;
  return error;
}

bool in_device_code() { return in_kernel; }

const DeviceModel& device_model() { return device; }

void set_dynamic_limit(int bytes) { dynamic_limit = bytes; }

void throw_cuda_error(int error, const char* text, int line) {
  const LaunchConfig& c = failed_launch;
  char shape[200];
  std::snprintf(shape, sizeof shape, " [grid (%u, %u, %u), block (%u, %u, %u), %zu bytes of dynamic shared memory]",
                c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z, c.shared_bytes);
  Fault fault;
  fault.code = "EM301";
  if (error == invalid_configuration) text = "invalid configuration argument";
  if (error == invalid_value) text = "invalid argument";
  fault.message = std::string("CUDA error: ") + text + (c.kernel != nullptr ? shape : "");
  fault.kernel = c.kernel != nullptr ? c.kernel : "";
  fault.line = c.kernel != nullptr ? c.line : line;
  throw fault;
}

}  // namespace cudasmith

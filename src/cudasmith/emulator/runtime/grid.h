// The launch log and the switches that Python sets.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "../include/cudasmith/runtime.h"

namespace cudasmith {

struct LaunchRecord {
  std::string kernel;
  int line;
  dim3 grid, block;
  std::size_t shared_bytes;
  double seconds;  // of CPU time that its threads took; 0 where they did not run to the end
};

extern std::vector<LaunchRecord> launch_log;
extern bool skip_kernels;  // log launches but run nothing: the control experiment
extern std::string skipped_kernel;  // the same for this one alone; empty: for none
extern bool plausible_memory;  // fresh memory holds positive numbers, not NaN
extern void (*after_launch)();  // called when a launch has ended, also by a fault; or null
extern bool alarm_ends_kernel;  // SIGALRM is a fault of the kernel that runs, not the end of the process
extern bool checked_mode;  // instrumented kernels are checked
extern const char* const dynamic_marker;  // the name of a launch's shared memory, until a kernel calls it something
const char* dynamic_array_name();
bool is_shared_array(const std::string& dimensions);  // does a shared array of the launch end in these?

extern DeviceModel device;  // the target

}  // namespace cudasmith

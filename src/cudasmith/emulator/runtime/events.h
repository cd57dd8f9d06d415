// What checked mode found, as a bounded list: one event for each class and place in the code.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "../include/cudasmith/runtime.h"

namespace cudasmith {

constexpr std::size_t max_places = 10;

// Where code was: return addresses, innermost first. Resolved to lines only when Python asks.
struct Trace {
  std::uintptr_t places[max_places] = {};
};

struct Party {
  bool is_known = false;
  uint3 block{}, thread{};
  std::uintptr_t place = 0;
  bool wrote = false, atomically = false;
};

struct Event {
  std::string code, message, kernel;
  int launch_line = 0;
  bool positioned = false;
  uint3 block{}, thread{};
  Trace trace;
  std::string file;  // where the compiler told the place itself
  int line = 0;
  Party other;
  std::uint64_t count = 1;
};

extern std::vector<Event> events;
extern std::vector<std::string> unchecked;  // what a run did that could not be checked
extern bool fail_fast;  // end the kernel at its first finding, also where it could go on

// An event at the running thread.
Event positioned(std::string code, std::string message, const Trace& trace);
// True when an event of this class and place is known already; counts it.
bool already_told(const char* code, std::uintptr_t place, std::uintptr_t caller);
// Adds an event of the running kernel; fills in kernel and launch. Returns its index, -1 when the list is full.
int tell(Event event);
void tell_unchecked(std::string what);
void forget_events();
void set_running(const LaunchConfig* launch);
const LaunchConfig* running_launch();

// The chain of frames from a callback's own frame.
Trace trace_from(const void* frame);
// The whole address in a loaded library whose low half this is.
std::uintptr_t widened(std::uint32_t place);

}  // namespace cudasmith

#include "events.h"

#include <link.h>

#include <set>
#include <tuple>

namespace cudasmith {

std::vector<Event> events;
std::vector<std::string> unchecked;
bool fail_fast = false;

namespace {

constexpr std::size_t most_events = 100, most_unchecked = 20, largest_frame = 1 << 20;
using Key = std::tuple<std::string, std::uintptr_t, std::uintptr_t>;
std::set<Key> told;
const LaunchConfig* running = nullptr;

struct Search {
  std::uint32_t low;
  std::uintptr_t found;
};

int search_code(dl_phdr_info* info, std::size_t, void* data) {
  auto* search = static_cast<Search*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    if (p.p_type != PT_LOAD || (p.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + p.p_vaddr;
    std::uintptr_t candidate = (begin & ~std::uintptr_t{0xFFFFFFFF}) | search->low;
    if (candidate < begin) candidate += std::uintptr_t{1} << 32;
    if (candidate < begin + p.p_memsz) search->found = candidate;  // the last loaded wins: candidates come last
  }
  return 0;
}

}  // namespace

Event positioned(std::string code, std::string message, const Trace& trace) {
  Event e;
  e.code = std::move(code);
  e.message = std::move(message);
  e.positioned = true;
  e.block = position.block;
  e.thread = position.thread;
  e.trace = trace;
  return e;
}

bool already_told(const char* code, std::uintptr_t place, std::uintptr_t caller) {
  return told.count({code, place, caller}) != 0;
}

int tell(Event e) {
  if (running != nullptr) e.kernel = running->kernel, e.launch_line = running->line;
  told.insert({e.code, e.trace.places[0], e.trace.places[1]});
  if (events.size() >= most_events) {
    tell_unchecked("more than 100 findings: the rest is not listed");
    return -1;
  }
  events.push_back(std::move(e));
  return static_cast<int>(events.size()) - 1;
}

void tell_unchecked(std::string what) {
  for (const std::string& known : unchecked)
    if (known == what) return;
  if (unchecked.size() < most_unchecked) unchecked.push_back(std::move(what));
}

void forget_events() {
  events.clear();
  told.clear();
  unchecked.clear();
}

void set_running(const LaunchConfig* launch) { running = launch; }
const LaunchConfig* running_launch() { return running; }

Trace trace_from(const void* frame) {
  Trace trace;
  auto at = reinterpret_cast<std::uintptr_t>(frame);
  for (std::size_t i = 0; i < max_places; ++i) {
    const auto* slots = reinterpret_cast<const std::uintptr_t*>(at);
    trace.places[i] = slots[1];
    const std::uintptr_t next = slots[0];
    if (slots[1] == 0 || next <= at || next - at > largest_frame || next % 8 != 0) break;
    at = next;
  }
  return trace;
}

std::uintptr_t widened(std::uint32_t place) {
  Search search{place, 0};
  dl_iterate_phdr(search_code, &search);
  return search.found;
}

}  // namespace cudasmith

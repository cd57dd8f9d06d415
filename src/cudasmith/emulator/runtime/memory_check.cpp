#include "memory_check.h"

#include <pthread.h>

#include <vector>

#include "arena.h"
#include "grid.h"
#include "quiet.h"
#include "races.h"
#include "scheduler.h"

namespace cudasmith {

Range host_stack, fiber_stacks;

namespace {

constexpr std::uintptr_t null_bytes = 64 * 1024;  // small offsets from a null pointer
std::string plural(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

// " (argument 2 of the kernel)" where a pointer that the launch passed points into the region.
std::string as_argument(const Region& r) {
  const LaunchConfig* c = running_launch();
  for (std::size_t i = 0; c != nullptr && i < c->argument_count; ++i) {
    const auto p = reinterpret_cast<std::uintptr_t>(c->arguments[i]);
    if (p != 0 && p - r.begin < r.bytes) return " (argument " + std::to_string(i + 1) + " of the kernel)";
  }
  return "";
}

std::string named(const Region& r) {
  const char* name = r.name == dynamic_marker ? dynamic_array_name() : r.name;
  std::string text = r.kind == Kind::shared ? std::string("shared array '") + name + "'" : name;
  return text + " of " + plural(r.bytes, "byte") + as_argument(r);
}

[[noreturn]] void stop(const char* code, const std::string& message, const void* frame) {
  Event e = positioned(code, message, trace_from(frame));
  if (!already_told(code, e.trace.places[0], e.trace.places[1])) tell(std::move(e));
  raise_told(code, message);
}

void go_on(const char* code, const std::string& message, const void* frame) {
  tell(positioned(code, message, trace_from(frame)));
  if (fail_fast) raise_told(code, message);
}

bool told_before(const char* code, const void* frame) {
  const Trace t = trace_from(frame);
  return already_told(code, t.places[0], t.places[1]);
}

std::string distance(std::uintptr_t address, const Region& r) {
  if (address < r.begin) return plural(r.begin - address, "byte") + " before the start of ";
  if (address < r.begin + r.bytes) return "over the end of ";
  return plural(address - r.begin - r.bytes, "byte") + " past the end of ";
}

[[noreturn]] void out_of_bounds(std::uintptr_t address, std::size_t bytes, bool writes, const void* frame) {
  const std::string access = std::string(writes ? "write" : "read") + " of " + plural(bytes, "byte");
  const Region* freed = freed_region_at(address);
  if (freed != nullptr)
    stop("EM108", "use after free: " + access + " at byte " + std::to_string(address - freed->begin) + " of a " + named(*freed) +
                      " that was already freed", frame);
  const Region* near = region_near(address);
  if (near == nullptr) stop("EM101", "out-of-bounds " + access + ", near no known tensor", frame);
  const std::uintptr_t first = address >= near->begin && address < near->begin + near->bytes ? near->begin + near->bytes : address;
  stop("EM101", "out-of-bounds " + access + ": " + distance(first == address ? address : first, *near) + "a " + named(*near), frame);
}

bool all_addressable(std::size_t offset, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    if ((arena.shadow[offset + i] & addressable) == 0) return inside_huge(arena.base + offset, bytes);
  return true;
}

// Does a word still have the pattern in all bytes that no kernel wrote? One byte alone may have it by chance: a library
// that wrote the word, which nobody told, is known by any other value.
bool never_written(std::size_t word) {
  for (std::size_t i = word; i < word + 4; ++i)
    if ((arena.shadow[i] & known) == addressable && !holds_pattern(arena.base + i)) return false;
  return true;
}

// Bytes whose value nobody knows. Those that a library wrote meanwhile are marked on the way.
std::size_t unknown_bytes(std::size_t offset, std::size_t bytes) {
  std::size_t n = 0;
  for (std::size_t i = offset; i < offset + bytes; ++i) {
    if ((arena.shadow[i] & initialised) != 0) continue;
    if (never_written(i & ~std::size_t{3})) ++n;
    else mark_initialised(arena.base + (i & ~std::size_t{3}), 4);
  }
  return n;
}

// Padding of a struct is copied without ever being written: then no element of the array has these bytes.
bool is_padding(const Region& r, std::size_t offset, std::size_t bytes) {
  if (bytes < 8) return false;
  const std::size_t begin = r.begin - arena.base;
  for (std::size_t i = 0; i < bytes; ++i) {
    if ((arena.shadow[offset + i] & initialised) != 0) continue;
    for (std::size_t at = begin + (offset + i - begin) % bytes; at < begin + r.bytes; at += bytes)
      if ((arena.shadow[at] & initialised) != 0) return false;
  }
  return true;
}

void check_values(std::uintptr_t address, std::size_t offset, std::size_t bytes, const void* frame) {
  if (inside_huge(address, bytes)) return tell_unchecked("values of tensors of 256 MB and more");
  const std::size_t n = unknown_bytes(offset, bytes);
  if (n == 0) return;
  const bool shared = offset < Arena::shared_bytes;
  const char* code = shared ? "EM401" : "EM402";
  if (told_before(code, frame)) return;
  const Region* r = region_at(address);
  if (r == nullptr || (n < bytes && is_padding(*r, offset, bytes))) return;
  go_on(code, std::string(in_atomic ? "an atomic on" : "read of") + " uninitialised memory: " + plural(bytes, "byte") + " at byte " +
                  std::to_string(address - r->begin) + " of a " + named(*r), frame);
}

// " (argument 2 of the kernel)" where a pointer that the launch passed is the address or lies a little before it.
std::string near_argument(std::uintptr_t address) {
  constexpr std::uintptr_t near = 64 * 1024;
  const LaunchConfig* c = running_launch();
  for (std::size_t i = 0; i < c->argument_count; ++i) {
    const auto p = reinterpret_cast<std::uintptr_t>(c->arguments[i]);
    if (p != 0 && address - p < near) return " (argument " + std::to_string(i + 1) + " of the kernel)";
  }
  return "";
}

[[noreturn]] void in_host_memory(std::size_t bytes, bool writes, const std::string& what, const void* frame) {
  stop("EM113", std::string("host memory: ") + (writes ? "write" : "read") + " of " + plural(bytes, "byte") + " of " + what, frame);
}

// Whether the address lies in a tensor of the host's, which ends the kernel where that is certain.
bool is_hosts(std::uintptr_t address, std::size_t bytes, bool writes, const void* frame) {
  const Region* r = in_arena(address) ? region_at(address) : nullptr;
  if (r == nullptr || r->home != Home::host) return false;
  if (running_launch()->knows_devices) in_host_memory(bytes, writes, "a CPU " + named(*r), frame);
  tell_unchecked(std::string("kernel ") + running_launch()->kernel + ": on which device its tensors lie (torch's own headers are in use)");
  return true;
}

// The offset whose cells stand for the address, or Arena::bytes where there are none.
std::size_t place_of(std::uintptr_t address, std::size_t bytes, bool writes, const void* frame) {
  if (in_arena(address)) return address - arena.base;
  if (fiber_stacks.holds(address) || host_stack.holds(address)) return Arena::bytes;
  if (address < null_bytes)
    stop("EM107", std::string("null pointer: ") + (writes ? "write" : "read") + " of " + plural(bytes, "byte") + " at address " +
                      std::to_string(address), frame);
  const std::size_t variable = variable_offset(address);
  if (variable == Arena::bytes) {
    const LaunchConfig* c = running_launch();
    const std::string argument = devices_told && c->knows_devices ? near_argument(address) : "";
    if (!argument.empty()) in_host_memory(bytes, writes, "what the host has allocated" + argument, frame);
    tell_unchecked(std::string("kernel ") + c->kernel + " accesses memory that was made outside the emulator");
  }
  return variable;
}

}  // namespace

std::string describe_known(std::uintptr_t address) {
  const Region* r = region_at(address);
  return r == nullptr ? "a variable" : "byte " + std::to_string(address - r->begin) + " of a " + named(*r);
}

void check_read(std::uintptr_t address, std::size_t bytes, bool is_volatile, const void* frame) {
  const std::size_t offset = place_of(address, bytes, false, frame);
  if (offset == Arena::bytes) return;
  if (!all_addressable(offset, bytes)) {
    if (is_hosts(address, bytes, false, frame)) return;
    out_of_bounds(address, bytes, false, frame);
  }
  if (in_arena(address)) check_values(address, offset, bytes, frame);
  if (is_volatile) polled_from(reinterpret_cast<const void*>(address), bytes, frame);  // what others write meanwhile is read
  if (is_volatile && offset >= Arena::shared_bytes) races_atomic(address, true);
  note_read(offset, bytes, is_volatile ? Access::volatile_ : Access::plain, frame);
}

void check_write(std::uintptr_t address, std::size_t bytes, bool is_volatile, const void* frame) {
  memory_changed = true;
  const std::size_t offset = place_of(address, bytes, true, frame);
  if (offset == Arena::bytes) return;
  if (!all_addressable(offset, bytes)) {
    if (is_hosts(address, bytes, true, frame)) return;
    out_of_bounds(address, bytes, true, frame);
  }
  for (std::size_t i = 0; i < bytes; ++i) arena.shadow[offset + i] = known;
  if (is_volatile && offset >= Arena::shared_bytes) races_atomic(address);
  note_write(offset, bytes, is_volatile ? Access::volatile_ : Access::plain, frame);
  if (is_volatile) polls_no_more();
}

void check_bounds(std::uintptr_t address, std::size_t bytes, const void* frame) {
  const std::size_t offset = place_of(address, bytes, true, frame);
  if (offset != Arena::bytes && !all_addressable(offset, bytes) && !is_hosts(address, bytes, true, frame)) out_of_bounds(address, bytes, true, frame);
}

namespace {

void check_host(std::uintptr_t address, std::size_t bytes, const char* what) {
  const Region* r = region_at(address);
  if (r == nullptr) r = freed_region_at(address);
  if (bytes == 0 || r == nullptr || r->home == Home::host || (all_addressable(address - arena.base, bytes))) return;
  Fault f;
  f.code = "EM101";
  f.message = std::string("the host ") + what + " " + plural(bytes, "byte") + " from byte " + std::to_string(address - r->begin) +
              " of a " + named(*r) + (freed_region_at(address) != nullptr ? " that was already freed" : "");
  Event e;
  e.code = f.code;
  e.message = f.message;
  e.trace = trace_from(__builtin_frame_address(0));
  f.event = tell(std::move(e));
  throw f;
}

}  // namespace

namespace {
bool is_certainly_hosts(const void* p) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  return home_of(address) == Home::host && (in_arena(address) || variable_offset(address) == Arena::bytes);
}
}  // namespace

void note_host_write(std::uintptr_t address, std::size_t bytes) {
  if (arena.base != 0 && in_arena(address)) mark_initialised(address, bytes);
}

void host_copies(const void* to, const void* from, std::size_t bytes) {
  const auto target = reinterpret_cast<std::uintptr_t>(to), source = reinterpret_cast<std::uintptr_t>(from);
  if (arena.base == 0) return;
  if (in_arena(source)) check_host(source, bytes, "reads");
  if (!in_arena(target)) return;
  check_host(target, bytes, "writes");
  mark_initialised(target, bytes);
}

bool copy_fits(const void* to, const void* from, int kind) {
  constexpr int to_device = 1, to_host = 2, on_device = 3;
  const bool hosts_target = is_certainly_hosts(to), hosts_source = is_certainly_hosts(from);
  const bool wrong_target = hosts_target && (kind == to_device || kind == on_device);
  const bool wrong_source = hosts_source && (kind == to_host || kind == on_device);
  if (!wrong_target && !wrong_source) return true;
  const char* name = kind == to_device ? "HostToDevice" : kind == to_host ? "DeviceToHost" : "DeviceToDevice";
  Event e;
  e.code = "EM114";
  e.message = std::string("cudaMemcpy") + name + ": the " + (wrong_target ? "target" : "source") + " is host memory";
  e.trace = trace_from(__builtin_frame_address(0));
  if (!already_told("EM114", e.trace.places[0], e.trace.places[1])) tell(std::move(e));
  return false;
}

void check_output(std::uintptr_t data, const std::int64_t* sizes, const std::int64_t* strides, std::size_t dimensions,
                  std::size_t element_bytes) {
  const Region* r = arena.base != 0 && in_arena(data) ? region_at(data) : nullptr;
  if (r == nullptr || !r->tracked || r->home == Home::host) return;
  if (r->bytes >= huge_bytes) return tell_unchecked("values of tensors of 256 MB and more");
  std::vector<std::int64_t> index(dimensions, 0);
  std::size_t total = 1, missing = 0, number = 0;
  for (std::size_t d = 0; d < dimensions; ++d) total *= static_cast<std::size_t>(sizes[d]);
  std::string first;
  for (; number < total; ++number) {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < dimensions; ++d) element += index[d] * strides[d];
    const std::uintptr_t at = data + static_cast<std::uintptr_t>(element) * element_bytes;
    if (unknown_bytes(at - arena.base, element_bytes) > 0 && missing++ == 0)
      for (std::size_t d = 0; d < dimensions; ++d) first += (d > 0 ? ", " : "") + std::to_string(index[d]);
    for (std::size_t d = dimensions; d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
  if (missing == 0) return;
  Event e;
  e.code = "EM403";
  e.message = "output never written: " + std::to_string(missing) + " of " + plural(total, "element") +
              " of a returned tensor, the first at (" + first + ")";
  for (std::size_t i = 0; i < 8; ++i) e.trace.places[i] = r->places[i];
  if (!already_told("EM403", e.trace.places[0], e.trace.places[1])) tell(std::move(e));
}

void find_stacks() {
  pthread_attr_t attributes;
  void* low = nullptr;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &host_stack.bytes);
  pthread_attr_destroy(&attributes);
  host_stack.begin = reinterpret_cast<std::uintptr_t>(low);
  fiber_stacks = all_fiber_stacks();
}

}  // namespace cudasmith

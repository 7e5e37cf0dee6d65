#pragma once

#include <sys/mman.h>

#include <functional>
#include <new>
#include <string>

namespace agon::fuzz {

/// What came of work in a process of its own.
struct Came {
  std::string trouble;  ///< what it found itself, or how the process ended; empty: nothing
  double seconds = 0;   ///< of processor time
  long kilobytes = 0;   ///< of memory at the most
};

/// What was printed on standard output since it was last asked for.
using Printed = std::function<std::string()>;

/// Returns what is wrong, or nothing.
using Work = std::function<std::string(const Printed&)>;

/// Does `work` in a child process. One that takes more than `seconds` of processor time is ended.
Came apart(double seconds, const Work& work);

/// A `T` that this process shares with its children. It is never given back.
template <class T>
T* shared() {
  void* memory =
      mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return new (memory) T;
}

}  // namespace agon::fuzz

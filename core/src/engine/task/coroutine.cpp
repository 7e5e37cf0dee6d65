#include "task/coroutine.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <cerrno>
#include <cstring>
#include <exception>

#include "process/sanitized.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define AGON_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_THREAD__)
#define AGON_THREAD_SANITIZER
#endif
#if defined(AGON_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace agon {
namespace {

std::size_t page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// What the runtime of C++ keeps of a thread about exceptions in flight: each coroutine has its
/// own, so that one may be suspended while it handles an exception.
struct Exceptions {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

// Not inlined: a coroutine may go on in another thread, whose exceptions are elsewhere.
__attribute__((noinline)) Exceptions& exceptions_of_thread() {
  return *reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
}

/// Tells the sanitizers which stack is in use.
class StackNotes {
 public:
#if defined(__SANITIZE_ADDRESS__)
  void leave(const void* bottom, std::size_t size, bool for_ever = false) {
    __sanitizer_start_switch_fiber(for_ever ? nullptr : &fake_, bottom, size);
  }
  void leave_for_caller(bool for_ever) {
    leave(caller_, caller_size_, for_ever);
  }
  void arrive() {
    __sanitizer_finish_switch_fiber(fake_, nullptr, nullptr);
  }
  void arrive_from_caller() {
    __sanitizer_finish_switch_fiber(fake_, &caller_, &caller_size_);
  }

 private:
  void* fake_ = nullptr;
  const void* caller_ = nullptr;
  std::size_t caller_size_ = 0;
#else
  void leave(const void*, std::size_t) {}
  void leave_for_caller(bool) {}
  void arrive() {}
  void arrive_from_caller() {}
#endif
};

/// Keeps the stack where it is: the pool has it back from Coroutine.
struct Borrowed {
  boost::context::stack_context allocate() { return {}; }
  void deallocate(boost::context::stack_context&) noexcept {}
};

}  // namespace

StackPool::~StackPool() {
  for (const auto& [begin, size] : mapped_) munmap(begin, size);
}

char* StackPool::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    const std::size_t size = at_once_ * kStack;
    void* const begin = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    const auto refuse = [](int why) {
      throw Error(
          ErrorKind::failure,
          std::string("the system gives no memory for another stack (") + std::strerror(why) + ")",
          "", "have fewer environments or jobs, or raise vm.max_map_count and 'ulimit -v'");
    };
    if (begin == MAP_FAILED) refuse(errno);
    mapped_.emplace_back(begin, size);
    for (std::size_t i = 0; i < at_once_; ++i) {
      char* const stack = static_cast<char*>(begin) + i * kStack;
      if (mprotect(stack, page(), PROT_NONE) != 0) refuse(errno);
      free_.push_back(stack);
    }
    at_once_ = std::min(2 * at_once_, kMostAtOnce);
  }
  char* const stack = free_.back();
  free_.pop_back();
  return stack;
}

void StackPool::give_back(char* stack) noexcept {
  const std::lock_guard lock(mutex_);
  free_.push_back(stack);  // as many places as there were when it was taken
}

struct Coroutine::Impl {
  StackPool& pool;
  std::function<void()> body;
  char* stack = nullptr;
  boost::context::fiber inside{}, outside{};
  Exceptions exceptions{};
  bool has_ended = false;
  char* in_use = nullptr;  ///< while it is suspended: nothing below is
  StackNotes notes{}, notes_outside{};
#if defined(AGON_THREAD_SANITIZER)
  void* thread = __tsan_create_fiber(0);
  void* thread_outside = nullptr;
#endif
};

Coroutine::Coroutine(StackPool& pool, std::function<void()> body)
    : state_(new Impl{pool, std::move(body)}) {
  Impl& s = *state_;
  s.stack = pool.take();
  boost::context::stack_context place;
  place.sp = s.stack + StackPool::kStack;
  place.size = StackPool::kStack - page();
  s.inside = boost::context::fiber(std::allocator_arg,
                                   boost::context::preallocated(place.sp, place.size, place),
                                   Borrowed{}, [&s](boost::context::fiber&& outside) {
                                     s.outside = std::move(outside);
                                     s.notes.arrive_from_caller();
                                     s.body();
                                     s.has_ended = true;
                                     s.notes.leave_for_caller(true);
#if defined(AGON_THREAD_SANITIZER)
                                     __tsan_switch_to_fiber(s.thread_outside, 0);
#endif
                                     return std::move(s.outside);
                                   });
}

Coroutine::~Coroutine() {
  if (!state_->has_ended) std::terminate();
#if defined(AGON_THREAD_SANITIZER)
  __tsan_destroy_fiber(state_->thread);
#endif
  state_->inside = {};
  state_->pool.give_back(state_->stack);
}

bool Coroutine::has_ended() const {
  return state_->has_ended;
}

void Coroutine::resume() {
  Impl& s = *state_;
  Exceptions& now = exceptions_of_thread();
  const Exceptions outside = std::exchange(now, s.exceptions);
#if defined(AGON_THREAD_SANITIZER)
  s.thread_outside = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(s.thread, 0);
#endif
  s.notes_outside.leave(s.stack + page(), StackPool::kStack - page());
  s.inside = std::move(s.inside).resume();
  s.notes_outside.arrive();
  s.exceptions = std::exchange(exceptions_of_thread(), outside);
}

void Coroutine::suspend() {
  Impl& s = *state_;
  // The switch itself needs some bytes below this frame.
  s.in_use = static_cast<char*>(__builtin_frame_address(0)) - page();
  s.notes.leave_for_caller(false);
#if defined(AGON_THREAD_SANITIZER)
  __tsan_switch_to_fiber(s.thread_outside, 0);
#endif
  s.outside = std::move(s.outside).resume();
  s.notes.arrive_from_caller();
}

void Coroutine::trim() noexcept {
  const Impl& s = *state_;
  char* const lowest = s.stack + page();
  const std::size_t unused = s.in_use == nullptr || s.in_use < lowest
                                 ? 0
                                 : static_cast<std::size_t>(s.in_use - lowest) / page() * page();
  if constexpr (!kSanitized)  // what a sanitizer knows of the stack lies elsewhere
    if (unused > 0) madvise(lowest, unused, MADV_DONTNEED);
}

}  // namespace agon

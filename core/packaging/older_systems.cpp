// What the wheel's files, made on this system, miss on one with glibc 2.31 and the C++ library of
// g++ 10: functions that came later. wheel.py links it with the parts of libstdc++ that convert
// numbers; older_systems.py says how the files come to use it.
#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>

// New in C++20: a library that is optimised for size calls it.
template std::string std::stringbuf::str() const&;

// A function of glibc by an old version, which newer ones have too.
#define AGON_OLD(name, function, version) __asm__(".symver " #name "," #function "@" version)

extern "C" {

// Always valid; only glibc knows when there is one thread.
char __libc_single_threaded = 0;

#if defined(__x86_64__)
constexpr int stat_version = 1;
#else
constexpr int stat_version = 0;
#endif
int old_stat(int version, const char* path, struct stat* out);
int old_lstat(int version, const char* path, struct stat* out);
int old_fstat(int version, int file, struct stat* out);
AGON_OLD(old_stat, __xstat, AGON_BASE);
AGON_OLD(old_lstat, __lxstat, AGON_BASE);
AGON_OLD(old_fstat, __fxstat, AGON_BASE);
int agon_stat(const char* path, struct stat* out) __asm__("stat");
int agon_lstat(const char* path, struct stat* out) __asm__("lstat");
int agon_fstat(int file, struct stat* out) __asm__("fstat");
int agon_stat(const char* path, struct stat* out) {
  return old_stat(stat_version, path, out);
}
int agon_lstat(const char* path, struct stat* out) {
  return old_lstat(stat_version, path, out);
}
int agon_fstat(int file, struct stat* out) {
  return old_fstat(stat_version, file, out);
}
// They are the same on 64 bits.
int agon_stat64(const char* path, struct stat* out) __asm__("stat64");
int agon_lstat64(const char* path, struct stat* out) __asm__("lstat64");
int agon_fstat64(int file, struct stat* out) __asm__("fstat64");
int agon_stat64(const char* path, struct stat* out) {
  return agon_stat(path, out);
}
int agon_lstat64(const char* path, struct stat* out) {
  return agon_lstat(path, out);
}
int agon_fstat64(int file, struct stat* out) {
  return agon_fstat(file, out);
}

// These moved into libc.so with a new version, and their old one is not the oldest of all.
// older_systems.py takes the first letter off their names in the files: by its own name a function
// here would call itself, as it has no version.
int old_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                  const struct timespec* until);
int old_setclock(pthread_condattr_t* attributes, clockid_t clock);
#if defined(__x86_64__)
#define AGON_CLOCK "GLIBC_2.3.3"
#else
#define AGON_CLOCK AGON_BASE
#endif
AGON_OLD(old_clockwait, pthread_cond_clockwait, "GLIBC_2.30");
AGON_OLD(old_setclock, pthread_condattr_setclock, AGON_CLOCK);
int thread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                          const struct timespec* until) {
  return old_clockwait(condition, mutex, clock, until);
}
int thread_condattr_setclock(pthread_condattr_t* attributes, clockid_t clock) {
  return old_setclock(attributes, clock);
}

const char* sigdescr_np(int signal) noexcept {
  return signal > 0 && signal < 32 ? strsignal(signal) : nullptr;
}

// Where glibc has none, what is open now is closed in the child. What other threads open between
// this and the start of the child is opened to be closed by it, in Agon and SQLite.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t* actions,
                                             int from) noexcept {
  void* libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (void* own = libc == nullptr ? nullptr : dlsym(libc, __func__); own != nullptr)
    return reinterpret_cast<decltype(&posix_spawn_file_actions_addclosefrom_np)>(own)(actions,
                                                                                      from);
  DIR* open = opendir("/proc/self/fd");
  if (open == nullptr) return 0;
  int error = 0;
  while (const dirent* entry = readdir(open)) {
    const int file = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && file >= from && file != dirfd(open) && error == 0)
      error = posix_spawn_file_actions_addclose(actions, file);
  }
  closedir(open);
  return error;
}

// Programs that are linked with glibc 2.34 leave it to this function to run their constructors;
// earlier versions were told of them by the program.
using Main = int (*)(int, char**, char**);
using Hook = void (*)();
int old_start(Main program, int argc, char** argv, Main init, Hook fini, Hook linker, void* stack);
AGON_OLD(old_start, __libc_start_main, AGON_BASE);

struct Start {
  int argc;
  char** argv;
  char** environment;
};

static int construct_program(dl_phdr_info* program, size_t, void* given) {
  const auto& start = *static_cast<const Start*>(given);
  const ElfW(Dyn)* each = nullptr;
  for (int i = 0; i < program->dlpi_phnum; ++i)
    if (program->dlpi_phdr[i].p_type == PT_DYNAMIC)
      each = reinterpret_cast<const ElfW(Dyn)*>(program->dlpi_addr + program->dlpi_phdr[i].p_vaddr);
  ElfW(Addr) init = 0, functions = 0;
  size_t bytes = 0;
  for (; each != nullptr && each->d_tag != DT_NULL; ++each) {
    if (each->d_tag == DT_INIT) init = program->dlpi_addr + each->d_un.d_ptr;
    if (each->d_tag == DT_INIT_ARRAY) functions = program->dlpi_addr + each->d_un.d_ptr;
    if (each->d_tag == DT_INIT_ARRAYSZ) bytes = each->d_un.d_val;
  }
  using Constructor = void (*)(int, char**, char**);
  if (init != 0) reinterpret_cast<Constructor>(init)(start.argc, start.argv, start.environment);
  for (size_t i = 0; i < bytes / sizeof(Constructor); ++i)
    reinterpret_cast<const Constructor*>(functions)[i](start.argc, start.argv, start.environment);
  return 1;  // the program is the first of all files
}

static int construct(int argc, char** argv, char** environment) {
  Start start{argc, argv, environment};
  dl_iterate_phdr(construct_program, &start);
  return 0;
}

// By a shorter name too.
int _libc_start_main(Main program, int argc, char** argv, Main, Hook fini, Hook linker,
                     void* stack) {
  return old_start(program, argc, argv, construct, fini, linker, stack);
}

// Of the C++ library.
void agon_wait(void* condition, pthread_mutex_t** lock) __asm__(
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void agon_wait(void* condition, pthread_mutex_t** lock) {
  pthread_cond_wait(static_cast<pthread_cond_t*>(condition), *lock);
}

void copy_exception(void** to,
                    void* const* from) __asm__("_ZNSt15__exception_ptr13exception_ptrC1ERKS0_");
void drop_exception(void** pointer) __asm__("_ZNSt15__exception_ptr13exception_ptrD1Ev");
void agon_addref(void** pointer) __asm__("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void agon_release(void** pointer) __asm__("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void agon_addref(void** pointer) {
  void* copy = nullptr;
  copy_exception(&copy, pointer);  // which is never destroyed
}
void agon_release(void** pointer) {
  drop_exception(pointer);
  *pointer = nullptr;
}

[[noreturn]] void agon_bad_length() __asm__("_ZSt28__throw_bad_array_new_lengthv");
void agon_bad_length() {
  throw std::bad_array_new_length();
}

}  // extern "C"

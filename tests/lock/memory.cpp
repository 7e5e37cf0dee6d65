// What processes of games take together.
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "lock/run.hpp"
#include "process/children.hpp"
#include "process/isolation.hpp"

namespace {

using namespace lock_test;
using agon::MemoryWatch;
using agon::WatchedProcess;

agon::Process::Clock::time_point late() {
  return agon::Process::Clock::now() + std::chrono::minutes(5);
}

/// The helper at work in a locked program of at most 400 MiB, which is looked at.
class Acting {
 public:
  Acting(const std::shared_ptr<MemoryWatch>& watch, const std::string& what,
         const std::string& argument)
      : process_({AGON_TEST_WORKER, "program", "--memory", "400", "--read", AGON_TEST_ACT, "--read",
                  AGON_TEST_LIBRARIES, "--", AGON_TEST_ACT, "program", what, argument},
                 "", {}, watch) {}

  std::string hear() {
    std::string line;
    process_.read(line, late(), std::chrono::minutes(5));
    return line;
  }
  /// True if it goes on when it is told to.
  bool goes_on() {
    process_.send("\n");
    return hear() == "done" && process_.why_ended().empty();
  }
  /// Why it was ended, once it was.
  std::string why_ended() {
    REQUIRE(process_.wait(late()));
    CHECK(process_.ended_by() == SIGKILL);
    return process_.why_ended();
  }
  [[nodiscard]] bool is_marked() const { return !process_.why_ended().empty(); }

 private:
  WatchedProcess process_;
};

TEST_CASE("lock: of processes that take too much together the one that has the most is ended") {
  require_lock();
  const auto watch = std::make_shared<MemoryWatch>(450);
  Acting large(watch, "hold", "250"), small(watch, "hold", "60"), least(watch, "hold", "20");
  for (Acting* one : {&large, &small, &least}) CHECK(one->hear() == "holding");
  Acting another(watch, "hold", "180");
  CHECK_THAT(large.why_ended(),
             Catch::Contains("all processes of games together took more than 450 MiB "
                             "(sandbox.limits.total_memory), and it had the most, 25"));
  CHECK(another.hear() == "holding");
  for (Acting* one : {&another, &small, &least}) CHECK(one->goes_on());
}

TEST_CASE("lock: processes that take no more than they may together are left alone") {
  require_lock();
  const auto watch = std::make_shared<MemoryWatch>(450);
  std::vector<std::unique_ptr<Acting>> all;
  for (int i = 0; i < 6; ++i) all.push_back(std::make_unique<Acting>(watch, "hold", "60"));
  for (const auto& one : all) CHECK(one->hear() == "holding");
  for (const auto& one : all) CHECK(one->goes_on());
  // What has ended counts no more.
  all.clear();
  Acting large(watch, "hold", "350");
  CHECK(large.hear() == "holding");
  CHECK(large.goes_on());
}

TEST_CASE("lock: when many take memory at once as many are ended as are too many") {
  require_lock();
  const auto watch = std::make_shared<MemoryWatch>(500);
  std::vector<std::unique_ptr<Acting>> modest, greedy;
  for (int i = 0; i < 3; ++i) modest.push_back(std::make_unique<Acting>(watch, "hold", "10"));
  for (int i = 0; i < 8; ++i) greedy.push_back(std::make_unique<Acting>(watch, "hold", "200"));
  const auto is_marked = [](const auto& one) { return one->is_marked(); };
  // Three of them are too many, and they take it all the same.
  const auto give_up = late();
  while (std::count_if(greedy.begin(), greedy.end(), is_marked) < 6) {
    REQUIRE(agon::Process::Clock::now() < give_up);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (const auto& one : greedy)
    if (!one->is_marked()) CHECK((one->hear() == "holding" && one->goes_on()));
  CHECK(std::count_if(greedy.begin(), greedy.end(), is_marked) == 6);
  for (const auto& one : modest) {
    CHECK(one->hear() == "holding");
    CHECK(one->goes_on());
  }
}

TEST_CASE("lock: the stacks that the system keeps for threads count") {
  require_lock();
  const auto watch = std::make_shared<MemoryWatch>(16);
  Acting few(watch, "threads", "10"), many(watch, "threads", "800");
  CHECK_THAT(many.why_ended(), Catch::Contains("more than 16 MiB"));
  CHECK(few.hear() == "10");
  CHECK(few.goes_on());
}

TEST_CASE("lock: tables of pages count") {
  require_lock();
  const auto watch = std::make_shared<MemoryWatch>(24);
  Acting few(watch, "tables", "1"), many(watch, "tables", "32");
  CHECK_THAT(many.why_ended(), Catch::Contains("more than 24 MiB"));
  CHECK(few.hear() == "0");
  CHECK(few.goes_on());
}

TEST_CASE("lock: a program leaves little with the system beside its memory") {
  require_lock();
  CHECK(act_as_program("full pipes").out == "1 MiB");
}

TEST_CASE("lock: the less memory is left the sooner it is looked at again") {
  constexpr std::int64_t kGiB = std::int64_t{1} << 30;
  CHECK(MemoryWatch::next_look(-kGiB) == std::chrono::milliseconds(2));
  CHECK(MemoryWatch::next_look(0) == std::chrono::milliseconds(2));
  CHECK(MemoryWatch::next_look(100'000 * kGiB) == std::chrono::milliseconds(50));
  auto before = MemoryWatch::next_look(0);
  for (std::int64_t left = kGiB / 64; left < 1000 * kGiB; left *= 2) {
    const auto next = MemoryWatch::next_look(left);
    CHECK(next >= before);
    before = next;
  }
}

TEST_CASE("lock: a machine has the memory that its control groups leave") {
  const Folder folder;
  CHECK(agon::memory_of_machine(folder.path()) == 0);
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder.path(name)).parent_path());
    std::ofstream(folder.path(name)) << text;
  };
  const auto mib = [&] { return agon::memory_of_machine(folder.path()); };
  write("proc/meminfo", "MemFree:  1 kB\nMemTotal:       8388608 kB\n");
  CHECK(mib() == 8192);
  // Version 2: the least of a group and those above it.
  write("proc/self/cgroup", "0::/a/b\n");
  CHECK(mib() == 8192);
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  CHECK(mib() == 8192);
  write("sys/fs/cgroup/a/memory.max", "2147483648\n");
  CHECK(mib() == 2048);
  write("sys/fs/cgroup/a/b/memory.max", "1073741824\n");
  CHECK(mib() == 1024);
  write("sys/fs/cgroup/memory.max", "536870912\n");
  CHECK(mib() == 512);
  // Version 1, and a container that sees its own group at the top.
  write("proc/self/cgroup", "9:cpu:/a/b\n4:blkio,memory:/docker/x\n");
  CHECK(mib() == 8192);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(mib() == 8192);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n");
  CHECK(mib() == 256);
}

TEST_CASE("lock: games together have half of the machine, and one of them what it may") {
  agon::ProcessLimits limits;
  limits.memory = 64;
  CHECK(agon::total_memory_of(limits) == std::max<std::int64_t>(agon::memory_of_machine() / 2, 64));
  limits.memory = 1'048'576;
  CHECK(agon::total_memory_of(limits) >= 1'048'576);
  limits.total_memory = 100;
  CHECK(agon::total_memory_of(limits) == 100);
}

}  // namespace

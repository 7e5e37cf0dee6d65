#include <signal.h>
#include <unistd.h>

#include <agon/process.hpp>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "catch.hpp"
#include "lock/run.hpp"
#include "process/children.hpp"

namespace {

using namespace lock_test;

TEST_CASE("lock: a program is told that it may not and lives on") {
  require_lock();
  const std::string denied = "Operation not permitted";
  const std::string parent = std::to_string(getpid());
  CHECK(act_as_program("socket").out == denied);
  CHECK(act_as_program("fork").out == denied);
  CHECK(act_as_program("kill parent").out == denied);
  CHECK(act_as_program("signal parent", parent).out == denied);
  CHECK(act_as_program("remove", secret_file()).out == denied);
  CHECK(act_as_program("write", "/tmp/agon-lock-test").out == denied);
  CHECK(act_as_program("more memory").out == denied);
  CHECK(act_as_program("live on").out == denied);
  CHECK(act_as_program("shared memory", "1").out == denied);
  CHECK(act_as_program("memory file").out == "Function not implemented");
  CHECK(act_as_program("open", secret_file()).out == "Permission denied");
  CHECK(act_as_program("rights of root").out == "none");
  CHECK(act_as_program("limits").out == "0 0\n0 0\n64 64\n8388608 8388608");
}

TEST_CASE("lock: a program has what it needs to start and compute") {
  require_lock();
  CHECK(act_as_program("open", "/usr/lib").out == "done");
  CHECK(act_as_program("open", "/dev/urandom").out == "done");
  CHECK(act_as_program("random").out == "done");
  CHECK(act_as_program("thread").out == "done");
  CHECK(act_as_program("compute").out == "done");
  CHECK(act_as_program("code").out == "done");
  CHECK(act_as_program("memory", "64").out == "done");
  CHECK(act_as_program("memory", "200").out == "bad_alloc");
  CHECK(act_as_program("memory", "200", {}, 400).out == "done");
  CHECK(act_as_program("addresses", "32").out == "done");
  CHECK(act_as_program("addresses", "70").out == "Cannot allocate memory");
}

TEST_CASE("lock: a program that attacks is ended") {
  require_lock();
  for (const std::string act : {"ptrace", "other rights"}) {
    INFO(act);
    const Ended ended = act_as_program(act, std::to_string(getpid()));
    CHECK(ended.signal == SIGSYS);
    CHECK(ended.out.empty());
  }
}

TEST_CASE("lock: a program reads what it is shown and starts nothing else") {
  require_lock();
  const Folder folder;
  const std::string file = folder.write("shown.txt", "text");
  CHECK(act_as_program("open", file).out == "Permission denied");
  CHECK(act_as_program("open", file, {file}).out == "done");
  CHECK(act_as_program("open", file, {folder.path()}).out == "done");
  CHECK(act_as_program("write", file, {file}).out == "Operation not permitted");
  const std::string program = folder.path("true");
  std::filesystem::copy_file("/bin/true", program);
  CHECK(act_as_program("exec", program).out == "Permission denied");
  CHECK(act_as_program("exec", program, {program}).out.empty());
}

TEST_CASE("lock: a locked program ends with the thread that started it") {
  require_lock();
  std::unique_ptr<agon::Process> process;
  const auto start = [&] {
    process = std::make_unique<agon::Process>(
        std::vector<std::string>{AGON_TEST_WORKER, "program", "--read", AGON_TEST_ACT, "--read",
                                 AGON_TEST_LIBRARIES, "--", AGON_TEST_ACT, "program", "wait"},
        "", std::vector<std::string>{});
    std::string line;
    const auto until = agon::Process::Clock::now() + std::chrono::minutes(5);
    REQUIRE(process->read(line, until, std::chrono::minutes(5)) == agon::Process::Got::line);
    CHECK(line == "waiting");
  };
  std::thread(start).join();
  REQUIRE(process->wait(agon::Process::Clock::now() + std::chrono::minutes(5)));
  CHECK(process->ended_by() == SIGKILL);
  process.reset();
  {
    agon::StartingThread starting;
    starting.run(start);
    CHECK_FALSE(process->wait(agon::Process::Clock::now() + std::chrono::milliseconds(50)));
  }
  REQUIRE(process->wait(agon::Process::Clock::now() + std::chrono::minutes(5)));
  CHECK(process->ended_by() == SIGKILL);
}

TEST_CASE("lock: what is thrown while a program is started reaches who wanted it") {
  agon::StartingThread starting;
  CHECK_THROWS_WITH(starting.run([] { throw std::runtime_error("not there"); }), "not there");
  int started = 0;
  starting.run([&] { ++started; });
  CHECK(started == 1);
}

TEST_CASE("lock: agon-worker program says what is wrong with its words") {
  const auto said = [](std::vector<std::string> words) {
    words.insert(words.begin(), {AGON_TEST_WORKER, "program"});
    const Ended ended = run(words);
    CHECK(ended.fate != "it exited with status 0");
    return ended.err;
  };
  CHECK_THAT(said({}), Catch::Contains("there is no program to start"));
  CHECK_THAT(said({"--"}), Catch::Contains("there is no program to start"));
  CHECK_THAT(said({"--memory", "much", "--", "/bin/true"}),
             Catch::Contains("not 'much'; write for example: --memory 1024"));
  CHECK_THAT(said({"--memory", "0", "--", "/bin/true"}), Catch::Contains("not '0'"));
  CHECK_THAT(said({"--read"}), Catch::Contains("--read needs a value"));
  CHECK_THAT(said({"--write", "x", "--", "/bin/true"}), Catch::Contains("'--write' is no option"));
  CHECK_THAT(said({"--", "/bin/nothing-here"}), Catch::Contains("/bin/nothing-here: cannot start"));
}

}  // namespace

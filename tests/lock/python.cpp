#include <agon/error.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "catch.hpp"
#include "lock/run.hpp"
#include "process/isolation.hpp"
#include "process/sanitized.hpp"

namespace {

using namespace lock_test;

/// PATH as it is wanted here, and what it was again in the end.
class PathVariable {
 public:
  explicit PathVariable(const std::string& value) {
    if (const char* before = std::getenv("PATH"); before != nullptr) before_ = before;
    setenv("PATH", value.c_str(), 1);
  }
  PathVariable(const PathVariable&) = delete;
  PathVariable& operator=(const PathVariable&) = delete;
  ~PathVariable() {
    if (before_) setenv("PATH", before_->c_str(), 1);
  }

 private:
  std::optional<std::string> before_;
};

Ended run_python(const std::string& code, const std::vector<std::string>& readable = {},
                 int memory = 256) {
  agon::ProcessLimits limits;
  limits.memory = memory;
  return run(agon::locked_program({"python3", "-B", "-c", code}, readable, limits));
}

TEST_CASE("lock: a Python starts locked in and has its library") {
  require_support();
  const Ended ended = run_python(
      "import json, dataclasses, random, threading, sys\n"
      "thread = threading.Thread(target=lambda: print(json.dumps([1])))\n"
      "thread.start(); thread.join()\n");
  CHECK(ended.out == "[1]");
  CHECK(ended.err.empty());
}

TEST_CASE("lock: what Python code may not do is a PermissionError at its line") {
  require_support();
  const auto problem = [](const std::string& code) {
    const Ended ended = run_python(code);
    CHECK(ended.out.empty());
    CHECK_THAT(ended.err, Catch::Contains("line 1, in <module>"));
    return ended.err;
  };
  CHECK_THAT(problem("open('/etc/passwd')"), Catch::Contains("PermissionError"));
  CHECK_THAT(problem("open('/tmp/agon-lock-test', 'w')"), Catch::Contains("PermissionError"));
  CHECK_THAT(problem("import os; os.fork()"), Catch::Contains("PermissionError"));
  CHECK_THAT(problem("import os; os.kill(os.getppid(), 9)"), Catch::Contains("PermissionError"));
  CHECK_THAT(problem("import os; os.listdir('/tmp')"), Catch::Contains("PermissionError"));
  CHECK_THAT(problem("import socket; socket.create_connection(('127.0.0.1', 80))"),
             Catch::Contains("PermissionError"));
  CHECK_THAT(problem("import subprocess; subprocess.run(['/bin/true'])"),
             Catch::Contains("PermissionError"));
  if (!agon::kSanitized)  // then there is no bound
    CHECK_THAT(problem("bytearray(1 << 30)"), Catch::Contains("MemoryError"));
  CHECK(run_python("import os; print(sorted(os.environ))").out == "['LC_CTYPE']");
}

TEST_CASE("lock: a Python that a script chooses is started itself") {
  require_support();
  const Folder folder;
  const std::string real = run({"/usr/bin/env", "-S", "sh", "-c",
                                "PATH=" + std::string(std::getenv("PATH")) +
                                    " python3 -c 'import sys; print(sys.executable)'"})
                               .out;
  const std::string shim = folder.write("python3", "#!/bin/sh\nexec '" + real + "' \"$@\"\n");
  std::filesystem::permissions(shim, std::filesystem::perms::owner_all);
  const PathVariable path(folder.path() + ":/usr/bin:/bin");
  const std::vector<std::string> words = agon::locked_program({"python3", "-c", "0"}, {}, {});
  CHECK(words[words.size() - 3] == real);
  CHECK(run_python("print(1)").out == "1");
}

TEST_CASE("lock: programs are looked up as a shell would") {
  const std::vector<std::string> words =
      agon::locked_program({"true", "--help"}, {"/usr/share/games"}, {});
  CHECK(std::filesystem::path(words.front()).filename() == "agon-worker");
  CHECK(std::vector<std::string>(words.begin() + 1, words.begin() + 4) ==
        std::vector<std::string>{"program", "--memory", "1024"});
  CHECK(std::filesystem::path(words[words.size() - 2]).filename() == "true");
  CHECK(words[words.size() - 4] == "/usr/share/games");
  CHECK_THROWS_WITH(agon::locked_program({"no-such-program"}, {}, {}),
                    Catch::Contains("there is no program 'no-such-program' in PATH"));
  const Folder folder;
  const std::string broken = folder.write("python3.99", "#!/bin/sh\necho broken >&2\nexit 3\n");
  std::filesystem::permissions(broken, std::filesystem::perms::owner_all);
  CHECK_THROWS_WITH(agon::locked_program({broken}, {}, {}),
                    Catch::Contains("does not start: it exited with status 3: broken"));
}

}  // namespace

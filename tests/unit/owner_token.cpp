#include <agon/error.hpp>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "archive/database/file.hpp"
#include "archive/database/owner.hpp"
#include "catch.hpp"

using namespace agon::archive;
using namespace std::chrono_literals;

namespace {

/// Options of an owner on a machine of this name, with a short heartbeat.
OwnerOptions on(const std::string& machine) {
  OwnerOptions options;
  options.beat = 20ms;
  options.patience = 400ms;
  options.machine = machine;
  return options;
}

std::string note_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("an archive that another machine writes is refused, until it is given back") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  const auto note = folder.path() / "a.agon.owner";
  {
    const OwnerToken first(archive, on("one"));
    CHECK(std::filesystem::exists(note));
    OwnerOptions patient = on("two");
    patient.patience = 1min;
    CHECK_THROWS_WITH(OwnerToken(archive, patient),
                      Catch::Contains("another run is writing this archive"));
  }
  CHECK_FALSE(std::filesystem::exists(note));
  const OwnerToken second(archive, on("two"));
  CHECK(std::filesystem::exists(note));
}

TEST_CASE(
    "an archive whose owner has stopped its heartbeat is taken over, whatever its clock says") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  const auto note = folder.path() / "a.agon.owner";
  for (const char* started : {"0", "32503680000000"}) {  // 1970, and the year 3000
    std::ofstream(note) << R"({"host":"h","machine":"one","process":7,"started":)" << started
                        << R"(,"beat":3})";
    const auto begun = std::chrono::steady_clock::now();
    const OwnerToken token(archive, on("two"));
    CHECK(std::chrono::steady_clock::now() - begun >= 400ms);
    CHECK(note_in(note).find("\"two\"") != std::string::npos);
  }
  // The same for a file that cannot be read as an owner's.
  std::ofstream(note) << "what?";
  { const OwnerToken token(archive, on("two")); }
  CHECK_FALSE(std::filesystem::exists(note));
}

TEST_CASE(
    "an archive of a dead run of this machine is taken over at once, that of a live one is not") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  const auto note = folder.path() / "a.agon.owner";
  std::ofstream(note) << R"({"host":"h","machine":"one","process":7,"started":1,"beat":3})";
  OwnerOptions options = on("one");
  options.patience = 1h;
  { const OwnerToken token(archive, options); }
  std::ofstream(note) << R"({"host":"h","machine":"one","process":7,"started":1,"beat":3})";
  const RunLock lock(archive);
  CHECK_THROWS_WITH(OwnerToken(archive, options),
                    Catch::Contains("another run is writing this archive"));
  CHECK(note_in(note).find("\"process\":7") != std::string::npos);
}

TEST_CASE("a second run on this machine is refused, and the first one goes on") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  std::atomic<bool> lost{false};
  OwnerOptions options = on("");
  options.on_lost = [&] { lost = true; };
  {
    const OwnerToken first(archive, options);
    CHECK_THROWS_WITH(OwnerToken(archive, on("")),
                      Catch::Contains("another run is writing this archive"));
    CHECK(std::filesystem::exists(folder.path() / "a.agon.owner"));
    std::this_thread::sleep_for(100ms);
    CHECK_FALSE(lost);
    CHECK_FALSE(owner_elsewhere(archive));
  }
  const OwnerToken next(archive, options);
}

TEST_CASE("a run that cannot write its owner file says so") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  const auto note = folder.path() / "a.agon.owner";
  std::filesystem::create_symlink(folder.path() / "elsewhere", note);
  CHECK_THROWS_WITH(OwnerToken(archive, on("two")),
                    Catch::Contains("no run can write here") && Catch::Contains("a.agon.owner"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "elsewhere"));
}

TEST_CASE("an owner that was taken over is told so, and leaves the new owner's file alone") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  const auto note = folder.path() / "a.agon.owner";
  std::atomic<bool> lost{false};
  {
    OwnerOptions options = on("one");
    options.on_lost = [&] { lost = true; };
    const OwnerToken token(archive, options);
    CHECK_FALSE(lost);
    std::ofstream(note) << R"({"host":"h","machine":"two","process":7,"started":1,"beat":3})";
    for (int i = 0; i < 500 && !lost; ++i) std::this_thread::sleep_for(10ms);
    CHECK(lost);
  }
  CHECK(note_in(note).find("\"two\"") != std::string::npos);
}

TEST_CASE("a run that waits for another owner's heartbeat can be stopped") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  std::ofstream(folder.path() / "a.agon.owner")
      << R"({"host":"h","machine":"one","process":7,"started":1,"beat":3})";
  OwnerOptions options = on("two");
  options.patience = 1h;
  options.is_stopped = [] { return true; };
  CHECK_THROWS_WITH(OwnerToken(archive, options), Catch::Contains("stopped while it waited"));
}

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

/// An owner on a machine of this name, with short times.
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

TEST_CASE("the owner's clock does not matter: one without a sign is taken over, one with is not") {
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
  // A file that says nothing is waited for likewise.
  std::ofstream(note) << "what?";
  { const OwnerToken token(archive, on("two")); }
  CHECK_FALSE(std::filesystem::exists(note));
}

TEST_CASE("what a run of this machine left behind is taken over at once, unless it still writes") {
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

TEST_CASE("a second start on this machine is refused, and the first one goes on") {
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

TEST_CASE("an owner whose sign cannot be written says so") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  const auto note = folder.path() / "a.agon.owner";
  std::filesystem::create_symlink(folder.path() / "elsewhere", note);
  CHECK_THROWS_WITH(OwnerToken(archive, on("two")),
                    Catch::Contains("no run can write here") && Catch::Contains("a.agon.owner"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "elsewhere"));
}

TEST_CASE("an owner that was taken over hears of it, and leaves the token alone") {
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

TEST_CASE("who waits for the sign of another owner can be stopped") {
  const ScratchFolder folder("agon-owner");
  const auto archive = folder.path() / "a.agon";
  std::ofstream(folder.path() / "a.agon.owner")
      << R"({"host":"h","machine":"one","process":7,"started":1,"beat":3})";
  OwnerOptions options = on("two");
  options.patience = 1h;
  options.is_stopped = [] { return true; };
  CHECK_THROWS_WITH(OwnerToken(archive, options), Catch::Contains("stopped while it waited"));
}

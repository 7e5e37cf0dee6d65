// What the next run learns of one that went down.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "archive_samples.hpp"
#include "catch.hpp"
#include "run/play/crash.hpp"

using namespace agon;
using archive_samples::Folder;

namespace {

namespace fs = std::filesystem;

archive::MatchId id(std::uint8_t n) {
  archive::MatchId match;
  match.bytes.fill(n);
  return match;
}

PlayingSlot* begin(PlayingFile& file, std::uint8_t n) {
  PlayingSlot* slot = file.take();
  REQUIRE(slot != nullptr);
  slot->match = id(n);
  slot->scenario = 1;
  slot->planned = n;
  slot->trace.begin();
  slot->trace.asks("offer");
  return slot;
}

/// What a process leaves that goes down here: `play` is done, and nothing is ended.
template <class Play>
std::vector<Suspect> after(const fs::path& archive, int threads, const Play& play) {
  const fs::path file = archive.string() + ".playing";
  {
    PlayingFile playing(archive, threads);
    play(playing);
    fs::copy_file(file, file.string() + ".kept", fs::copy_options::overwrite_existing);
  }
  fs::rename(file.string() + ".kept", file);
  PlayingFile next(archive, 1);
  return next.suspects();
}

}  // namespace

TEST_CASE("playing file: a run that ends leaves nothing") {
  const Folder folder;
  const fs::path archive = folder / "a.agon";
  {
    PlayingFile playing(archive, 2);
    PlayingSlot* slot = begin(playing, 1);
    slot->trace.end();
    playing.give_back(slot);
    CHECK(fs::exists(archive.string() + ".playing"));
  }
  CHECK_FALSE(fs::exists(archive.string() + ".playing"));
}

TEST_CASE("playing file: whose thread got the signal is the only suspect") {
  const Folder folder;
  const auto suspects = after(folder / "a.agon", 3, [](PlayingFile& playing) {
    begin(playing, 1);
    begin(playing, 2)->ended_by = SIGSEGV;
    begin(playing, 3);
  });
  REQUIRE(suspects.size() == 1);
  CHECK(suspects[0].match == id(2));
  CHECK(suspects[0].scenario == 1);
  CHECK(suspects[0].planned == 2);
  CHECK(suspects[0].times == 1);
  CHECK(describe(suspects[0]) == "segmentation fault, after a question of stage offer");
}

TEST_CASE(
    "playing file: without a signal all that ran are suspects, and those that waited are not") {
  const Folder folder;
  const auto suspects = after(folder / "a.agon", 3, [](PlayingFile& playing) {
    begin(playing, 1);
    begin(playing, 2)->trace.waits(true);
    begin(playing, 3);
  });
  REQUIRE(suspects.size() == 2);
  for (const Suspect& suspect : suspects) {
    CHECK(suspect.match != id(2));
    CHECK(suspect.times == 1);
  }
}

TEST_CASE("playing file: where answers are waited for, code must have been running for a while") {
  const Folder folder;
  const auto suspects = after(folder / "a.agon", 4, [](PlayingFile& playing) {
    PlayingSlot* changes = begin(playing, 2);
    PlayingSlot* stays = begin(playing, 3);
    changes->waits = stays->waits = true;
    for (int look = 0; look < 3; ++look) {
      changes->trace.waits(true);
      changes->trace.waits(false);
      playing.look();
    }
    begin(playing, 4)->waits = true;
  });
  REQUIRE(suspects.size() == 1);
  CHECK(suspects[0].match == id(3));
  // A signal is a signal, however short it ran.
  const auto known = after(folder / "b.agon", 1, [](PlayingFile& playing) {
    PlayingSlot* slot = begin(playing, 1);
    slot->waits = true;
    slot->ended_by = SIGSEGV;
  });
  CHECK(known.size() == 1);
}

TEST_CASE("playing file: a second time counts where it is certain") {
  const Folder folder;
  const fs::path archive = folder / "a.agon";
  const auto two = [](PlayingFile& playing) {
    begin(playing, 1);
    begin(playing, 2);
  };
  after(archive, 2, two);
  // Again among several: nobody is surer than before.
  for (const Suspect& suspect : after(archive, 2, two)) CHECK(suspect.times == 1);
  // Alone: it was this one.
  const auto suspects = after(archive, 2, [](PlayingFile& playing) { begin(playing, 2); });
  REQUIRE(suspects.size() == 2);
  for (const Suspect& suspect : suspects) CHECK(suspect.times == (suspect.match == id(2) ? 2 : 1));
}

TEST_CASE("playing file: what somebody left is nobody's fault, but for a signal") {
  const Folder folder;
  const auto left = [](PlayingFile& playing) {
    begin(playing, 1);
    begin(playing, 2);
    playing.leave();
  };
  CHECK(after(folder / "a.agon", 2, left).empty());
  const auto signal = after(folder / "b.agon", 2, [](PlayingFile& playing) {
    begin(playing, 1);
    PlayingSlot* slot = begin(playing, 2);
    playing.leave();
    slot->ended_by = SIGSEGV;
  });
  REQUIRE(signal.size() == 1);
  CHECK(signal[0].match == id(2));
  // A suspect that is left while it is played alone stays as suspect as it was.
  after(folder / "c.agon", 2, [](PlayingFile& playing) {
    begin(playing, 1);
    begin(playing, 2);
  });
  const auto alone = after(folder / "c.agon", 1, [](PlayingFile& playing) {
    begin(playing, 1);
    playing.leave();
  });
  REQUIRE(alone.size() == 2);
  for (const Suspect& suspect : alone) CHECK(suspect.times == 1);
}

TEST_CASE("playing file: what is settled is forgotten, and the rest is left to the next run") {
  const Folder folder;
  const fs::path archive = folder / "a.agon";
  after(archive, 2, [](PlayingFile& playing) {
    begin(playing, 1);
    begin(playing, 2);
  });
  {
    PlayingFile playing(archive, 1);
    playing.clear(id(1));
  }
  {
    PlayingFile playing(archive, 1);
    REQUIRE(playing.suspects().size() == 1);
    CHECK(playing.suspects()[0].match == id(2));
    CHECK(playing.suspects()[0].stage == "offer");
    playing.clear(id(2));
  }
  CHECK_FALSE(fs::exists(archive.string() + ".playing"));
}

TEST_CASE("playing file: what is no such file, or the half of one, blames nobody") {
  const Folder folder;
  const fs::path archive = folder / "a.agon";
  const fs::path file = archive.string() + ".playing";
  after(archive, 1, [](PlayingFile& playing) { begin(playing, 1); });
  const std::string whole = [&] {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  for (const std::string& text :
       {std::string(), std::string("some words"), whole.substr(0, 40), "x" + whole}) {
    std::ofstream(file, std::ios::binary) << text;
    PlayingFile playing(archive, 1);
    CHECK(playing.suspects().empty());
  }
  // A long name of a stage is cut, not written past its place.
  const auto suspects = after(archive, 1, [](PlayingFile& playing) {
    begin(playing, 1)->trace.asks(std::string(500, 's'));
  });
  REQUIRE(suspects.size() == 1);
  CHECK(suspects[0].stage == std::string(59, 's'));
}

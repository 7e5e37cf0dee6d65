#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "archive/archive.hpp"
#include "archive/database/file.hpp"
#include "archive/rows.hpp"
#include "archive/writer.hpp"

namespace archive_samples {

using namespace agon::archive;

/// A folder of its own that goes when the test ends.
class Folder : public ScratchFolder {
 public:
  Folder() : ScratchFolder("agon-archive") {}
  std::filesystem::path operator/(std::string_view name) const { return path() / name; }
};

/// Numbers of the rows that matches need.
struct Numbers {
  std::int64_t game = 0;
  std::int64_t scenario = 0;
  std::int64_t first = 0;   // agent
  std::int64_t second = 0;  // agent
};

inline GameRow sample_game() {
  GameRow game;
  game.name = "split";
  game.version = 3;
  game.plugin = "games";
  game.plugin_version = "1.2";
  game.score_decimals = 2;
  game.seat_metrics = {{"share", "", "higher", 0, 0.0, 1.0}, {"paid", "USD", "lower", 2, -12.5}};
  game.match_metrics = {{"efficiency", "", "higher", 0}};
  game.score_max = 1;
  return game;
}

inline Numbers add_rows(Writer& writer) {
  Numbers numbers;
  numbers.game = writer.game(sample_game());
  ScenarioRow scenario;
  scenario.name = "quick";
  scenario.game = numbers.game;
  scenario.preset = "agon";
  scenario.treatment = R"({"supply":[10,20],"mood":"calm, dry"})";
  scenario.settings = writer.store("settings", R"({"pie":10})");
  numbers.scenario = writer.scenario(scenario);
  numbers.first = writer.agent({agon::hash::sha256("first"), "first", R"({"rule":"one"})"});
  numbers.second = writer.agent({agon::hash::sha256("second"), "second", R"({"rule":"two"})"});
  return numbers;
}

/// A match of two seats, all of it a function of its number.
inline MatchRow sample_match(const Numbers& numbers, int i, std::size_t record_size = 40) {
  MatchRow match;
  const auto digest = agon::hash::sha256("match " + std::to_string(i));
  std::copy_n(digest.begin(), match.key.id.bytes.size(), match.key.id.bytes.begin());
  match.key.scenario = numbers.scenario;
  match.key.block = i;
  match.key.repeat = 1;
  match.key.line_up = "pair";
  match.focal = numbers.first;
  match.cluster = "item";
  match.rng_key = 0xFEDCBA9876543210U + static_cast<std::uint64_t>(i);
  match.metrics = {0.1};
  match.questions = 2;
  match.wall_ms = 1.5;
  match.waiting_ms = 0.25;
  match.created = 1'795'178'096'789;
  for (int s = 0; s < 2; ++s) {
    SeatRow seat;
    seat.name = s == 0 ? "Ann" : "Bob";
    seat.role = s == 0 ? "buyer" : "seller";
    seat.agent = s == 0 ? numbers.first : numbers.second;
    seat.payoff = 1250 - 7 * i - s;
    seat.disagreement = 0;
    if (s == 0) seat.ideal = 2000;
    seat.rank = s + 1;
    seat.metrics = {1.0 / (i + 3), 5.0 + s};
    seat.fallbacks = s;
    seat.attempts[0] = 4;
    seat.attempts[2] = s;
    seat.input_tokens = 100 + s;
    seat.output_tokens = 20;
    seat.cost = 1'500'000;
    seat.waiting_ms = 0.125;
    match.seats.push_back(seat);
  }
  // Long ones are noise, which is not compressed.
  match.record.assign(record_size, static_cast<char>('a' + i % 26));
  std::mt19937_64 noise(static_cast<std::uint64_t>(i));
  if (record_size > 1000)
    for (std::size_t at = 1; at < record_size; ++at)
      match.record[at] = static_cast<char>(noise() >> 56U);
  return match;
}

inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const agon::Error& error) {
    return error.what();
  }
  return "no error";
}

/// Runs `work` in a process of its own and gives back what it returns; exceptions as text.
inline std::string in_child(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    std::string said;
    try {
      said = work();
    } catch (const std::exception& error) {
      said = std::string("exception: ") + error.what();
    }
    const bool written = write(ends[1], said.data(), said.size()) == ssize_t(said.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 512> piece{};
  for (;;) {
    const ssize_t size = read(ends[0], piece.data(), piece.size());
    if (size <= 0) break;
    said.append(piece.data(), static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) said += " (the process broke)";
  return said;
}

}  // namespace archive_samples

#include <unistd.h>

#include <agon/analysis/game_theory.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catch.hpp"

using namespace agon::theory;

namespace {

/// Random games of 2 to 5 actions a side. Small payoffs make degenerate games, in which supports
/// of unequal size, equal rows and whole edges of equilibria turn up.
struct RandomGame {
  std::size_t rows = 0, columns = 0;
  std::vector<long> first, second;  // in units of 1/denominator
  long denominator = 1;

  explicit RandomGame(std::uint32_t number) {
    agon::Dice dice(agon::hash_of("games for lrsnash"), number);
    rows = 2 + dice.below(4);
    columns = 2 + dice.below(4);
    constexpr std::array<std::uint64_t, 4> widths{2, 4, 10, 1000};
    const std::uint64_t width = widths[number % widths.size()];
    if (number % 8 == 3) denominator = 100;
    for (std::size_t i = 0; i < rows * columns; ++i) {
      first.push_back(static_cast<long>(dice.below(width)) - static_cast<long>(width / 2));
      second.push_back(static_cast<long>(dice.below(width)) - static_cast<long>(width / 2));
    }
  }

  [[nodiscard]] MatrixGame game() const {
    std::vector<double> payoffs;
    for (std::size_t i = 0; i < first.size(); ++i) {
      payoffs.push_back(static_cast<double>(first[i]) / static_cast<double>(denominator));
      payoffs.push_back(static_cast<double>(second[i]) / static_cast<double>(denominator));
    }
    return {{rows, columns}, payoffs};
  }

  [[nodiscard]] std::string input() const {
    std::ostringstream text;
    text << rows << ' ' << columns << '\n';
    for (const auto* table : {&first, &second}) {
      for (std::size_t i = 0; i < table->size(); ++i) {
        text << (*table)[i];
        if (denominator != 1) text << '/' << denominator;
        text << (i % columns + 1 == columns ? '\n' : ' ');
      }
      text << '\n';
    }
    return text.str();
  }
};

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    out.append(buffer.data(), n);
  }
  pclose(pipe);
  return out;
}

/// "weights of player 0, payoff of player 1 | weights of player 1, payoff of player 0". lrsnash
/// prints blocks of lines that all go together: "2", a strategy of the second player and what the
/// first one gets, and "1", the other way round.
std::set<std::string> theirs(const std::string& output) {
  std::set<std::string> all;
  std::array<std::vector<std::string>, 2> block;
  const auto flush = [&] {
    for (const auto& x : block[0]) {
      for (const auto& y : block[1]) all.insert(x + " | " + y);
    }
    block = {};
  };
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, rest;
    if (!(words >> word)) {
      flush();
      continue;
    }
    if (word != "1" && word != "2") continue;
    const std::size_t player = word == "1" ? 0 : 1;
    while (words >> word) rest += (rest.empty() ? "" : " ") + word;
    block[player].push_back(rest);
  }
  flush();
  return all;
}

std::set<std::string> ours(const MatrixGame& game) {
  std::set<std::string> all;
  for (const auto& found : extreme_equilibria(game)) {
    std::string text;
    for (const auto& weight : found.first) text += weight.text + " ";
    text += found.second_payoff.text + " |";
    for (const auto& weight : found.second) text += " " + weight.text;
    all.insert(text + " " + found.first_payoff.text);
  }
  return all;
}

}  // namespace

TEST_CASE("theory: extreme equilibria are those that lrsnash lists") {
  if (std::system("command -v lrsnash >/dev/null 2>&1") != 0)
    SKIP("lrsnash (package lrslib) is not installed");
  const auto file = std::filesystem::temp_directory_path() /
                    ("agon-lrsnash-" + std::to_string(::getpid()) + ".txt");
  std::size_t degenerate = 0;
  for (std::uint32_t number = 0; number < 320; ++number) {
    const RandomGame random(number);
    INFO(random.input());
    std::ofstream(file) << random.input();
    const auto expected = theirs(output_of("lrsnash '" + file.string() + "' 2>&1"));
    const auto found = ours(random.game());
    REQUIRE_FALSE(expected.empty());
    CHECK(found == expected);
    degenerate += found.size() % 2 == 0 ? 1 : 0;  // regular games have an odd number
  }
  std::filesystem::remove(file);
  CHECK(degenerate > 20);
}

TEST_CASE("theory: games of the largest size for mixed equilibria end") {
  agon::Dice dice(agon::hash_of("twelve by twelve"));
  std::vector<double> payoffs;
  for (std::size_t i = 0; i < 288; ++i) payoffs.push_back(static_cast<double>(dice.below(100)));
  const MatrixGame game({12, 12}, payoffs);
  const auto found = extreme_equilibria(game);
  REQUIRE_FALSE(found.empty());
  for (const auto& equilibrium : found) {
    const auto rows = best_replies(game, 0, equilibrium.second);
    const auto columns = best_replies(game, 1, equilibrium.first);
    for (std::size_t i = 0; i < 12; ++i) {
      if (equilibrium.first[i].value > 0) {
        CHECK(std::find(rows.begin(), rows.end(), i) != rows.end());
      }
      if (equilibrium.second[i].value > 0) {
        CHECK(std::find(columns.begin(), columns.end(), i) != columns.end());
      }
    }
  }
}

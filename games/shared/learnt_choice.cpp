#include "shared/learnt_choice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace shared {

std::optional<double> number_in(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    std::string number(at > 0 && text[at - 1] == '-' ? "-" : "");
    for (; at < text.size() && (is_digit(text[at]) || text[at] == '.' || text[at] == ','); ++at)
      if (text[at] != ',') number += text[at];
    return std::strtod(number.c_str(), nullptr);
  }
  return {};
}

namespace {

constexpr const char* kWords =
    "Matches with the workflow: %d, points %lf, estimated cumulative reward %lf. "
    "Matches without it: %d, points %lf, estimated cumulative reward %lf.";

}  // namespace

LearntChoice LearntChoice::read(std::string_view text) {
  LearntChoice learnt;
  Way& use = learnt.ways_[0];
  Way& direct = learnt.ways_[1];
  const std::string words(text);
  const int found = std::sscanf(words.c_str(), kWords, &use.matches, &use.score, &use.weight,
                                &direct.matches, &direct.score, &direct.weight);
  return found == 6 ? learnt : LearntChoice();
}

std::string LearntChoice::text(double even) const {
  return fmt::format(
      "Matches with the workflow: {}, points {:.6f}, estimated cumulative reward {:.6f}. Matches "
      "without it: {}, points {:.6f}, estimated cumulative reward {:.6f}. Chance of using it next: "
      "{:.3f}.",
      ways_[0].matches, ways_[0].score, ways_[0].weight, ways_[1].matches, ways_[1].score,
      ways_[1].weight, chance(even));
}

double LearntChoice::chance(double even) const {
  // The ratio of exp(even * weight / 2): the difference alone, which cannot overflow.
  const double share = 1 / (1 + std::exp(even * (ways_[1].weight - ways_[0].weight) / 2));
  return (1 - even) * share + even / 2;
}

void LearntChoice::add(bool first, double score, double gain, double even) {
  const double had = first ? chance(even) : 1 - chance(even);
  Way& way = ways_[first ? 0 : 1];
  ++way.matches;
  way.score += score;
  way.weight += gain / had;
}

}  // namespace shared

// No seat is favoured where all are alike: the same agents on all seats, scores do not depend on
// the seat.
//
// Seats are alike where the card gives them no roles or all the same one, all are asked at the same
// time, and nothing that they are shown first is different between them whatever chance brings.
// Then the scores of a match could as well have come in any other order: a permutation test, exact
// at any number of matches (Fisher, "The Design of Experiments", 1935), stopped early as Besag and
// Clifford have it (Biometrika 78, 1991): with as many permutations as are as uneven as what was
// played, k of n, p is k/n. It is failed below 1 in 10,000: so often a sound game is wronged.
#include <fmt/format.h>

#include <boost/json/value.hpp>
#include <cmath>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/watch.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
namespace {

namespace bj = boost::json;

/// Below it a seat is said to be favoured.
constexpr double kLevel = 1e-4;
constexpr std::size_t kMatches = 600;
/// Permutations, unless so many of them are as uneven before.
constexpr std::size_t kPermutations = 40'000;
constexpr std::size_t kEnough = 10;

/// The numbers and bools of a view, by place.
void add_figures(const bj::value& value, const std::string& at,
                 std::map<std::string, std::string>& figures) {
  if (value.is_object()) {
    for (const auto& [name, member] : value.get_object())
      add_figures(member, at + "." + std::string(name), figures);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.get_array().size(); ++i)
      add_figures(value.get_array()[i], at + "[" + std::to_string(i) + "]", figures);
  } else if (value.is_number() || value.is_bool()) {
    figures[at] = json::write(value);
  }
}

/// What seats are shown first, match by match.
class First {
 public:
  void add(const Watched& watched, std::size_t seats) {
    std::vector<bool> done(seats);
    for (const Shown& shown : watched.shown) {
      const auto seat = static_cast<std::size_t>(shown.question.seat);
      if (shown.question.probe || done[seat]) continue;
      done[seat] = true;
      std::map<std::string, std::string> figures;
      add_figures(json::parse(shown.question.view_json, "a view"), "$", figures);
      for (auto& [place, figure] : figures) {
        const auto [known, is_new] = seen_.try_emplace({place, seat}, figure);
        if (!is_new && known->second != figure) known->second = kVaries;
      }
    }
  }
  /// A place at which two seats are always shown different figures; empty if there is none.
  [[nodiscard]] std::string differs() const {
    for (const auto& [where, figure] : seen_)
      for (const auto& [other, theirs] : seen_)
        if (where.first == other.first && figure != kVaries && theirs != kVaries &&
            figure != theirs)
          return where.first;
    return {};
  }

 private:
  static constexpr const char* kVaries = "varies";
  std::map<std::pair<std::string, std::size_t>, std::string> seen_;
};

/// True if all questions that count were put to all seats at once, or to all that are asked again.
bool asks_all_at_once(const Watched& watched, std::size_t seats) {
  std::map<std::size_t, std::set<int>> rounds;
  std::map<int, std::size_t> last;
  for (const Shown& shown : watched.shown)
    if (!shown.question.probe) {
      rounds[shown.round].insert(shown.question.seat);
      last[shown.question.seat] = shown.round;
    }
  for (const auto& [round, asked] : rounds)
    for (std::size_t seat = 0; seat < seats; ++seat) {
      const auto until = last.find(static_cast<int>(seat));
      if (!asked.contains(static_cast<int>(seat)) && until != last.end() && until->second > round)
        return false;
    }
  return !rounds.empty() && rounds.begin()->second.size() == seats;
}

/// How unevenly scores lie over seats: the sum of squares of the seats' totals about their mean.
double unevenness(const std::vector<double>& scores, std::size_t seats) {
  std::vector<double> totals(seats);
  for (std::size_t i = 0; i < scores.size(); ++i) totals[i % seats] += scores[i];
  double mean = 0, sum = 0;
  for (const double total : totals) mean += total / static_cast<double>(seats);
  for (const double total : totals) sum += (total - mean) * (total - mean);
  return sum;
}

double p_value(std::vector<double> scores, std::size_t seats, std::uint64_t seed) {
  const double played = unevenness(scores, seats) * (1 - 1e-12);
  std::size_t as_uneven = 0;
  Dice dice(mix(seed));
  for (std::size_t n = 1; n <= kPermutations; ++n) {
    for (std::size_t at = 0; at < scores.size(); at += seats)
      dice.shuffle(std::span(scores).subspan(at, seats));
    as_uneven += unevenness(scores, seats) >= played ? 1 : 0;
    if (as_uneven == kEnough) return static_cast<double>(kEnough) / static_cast<double>(n);
  }
  return static_cast<double>(as_uneven + 1) / static_cast<double>(kPermutations + 1);
}

}  // namespace

Finding check_symmetry(const Subject& subject) {
  Finding finding{.check = "symmetry", .tried = ""};
  std::string why_not;
  std::size_t tested = 0, matches = 0;
  for (std::size_t s = 0; s < subject.presets(); ++s) {
    const std::size_t seats = subject.seats(s);
    const auto& cards = subject.situations()[s].settings->seating();
    if (seats == 1) {
      why_not = "one seat has no other beside it";
      continue;
    }
    if (std::any_of(cards.begin(), cards.end(),
                    [&](const SeatCard& c) { return c.role != cards.front().role; })) {
      why_not = "seats have different roles";
      continue;
    }
    std::vector<double> scores;
    First first;
    bool at_once = true;
    for (std::size_t m = 0; m < kMatches && at_once; ++m) {
      const Casting casting{s, subject.effort().seed + m, seated({"random"}, seats)};
      const auto played = subject.play(casting);
      if (played->result.end != End::finished) continue;
      if (m < 20) {
        const auto watched =
            watch(subject, casting, {.script = script_of(subject.game(), played->history)});
        at_once = asks_all_at_once(*watched, seats);
        first.add(*watched, seats);
      }
      for (int i = 0; i < played->result.outcome.seats(); ++i)
        scores.push_back(played->result.outcome[i].score);
    }
    if (!at_once) {
      why_not = "seats are not all asked at the same time";
      continue;
    }
    if (const std::string place = first.differs(); !place.empty()) {
      why_not = "seats are not alike: they are always shown different figures at " + place;
      continue;
    }
    ++tested;
    matches += scores.size() / seats;
    const double p = p_value(scores, seats, subject.effort().seed);
    if (p >= kLevel || finding.verdict == Verdict::fail) continue;
    std::vector<double> mean(seats);
    for (std::size_t i = 0; i < scores.size(); ++i)
      mean[i % seats] +=
          scores[i] * static_cast<double>(seats) / static_cast<double>(scores.size());
    finding.verdict = Verdict::fail;
    finding.problem = fmt::format(
        "with the same agent on every seat, mean scores are {:.4g} by seat, which has p = {:.1g} "
        "if no seat is favoured",
        fmt::join(mean, ", "), p);
    finding.command = subject.command({s, subject.effort().seed, seated({"random"}, seats)});
    finding.mend =
        "let chance decide what the order of seats decides now (a tie: chance(...).one_of()); "
        "where seats are not alike, give them roles";
  }
  finding.tried = fmt::format("{} of {}, {}", tested, text::counted(subject.presets(), "preset"),
                              text::counted(matches, "match", "matches"));
  if (tested == 0) {
    finding.verdict = Verdict::skipped;
    finding.problem = why_not;
  }
  return finding;
}

}  // namespace agon::conformance

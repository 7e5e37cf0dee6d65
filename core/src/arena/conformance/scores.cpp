#include <fmt/format.h>

#include <boost/json/value.hpp>
#include <cmath>
#include <set>

#include "conformance/checks.hpp"
#include "conformance/matches.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "table/contract.hpp"
#include "text/words.hpp"

// Scores, their zero and one, and ranks mean what the card says they do.

namespace agon::conformance {
namespace {

/// How far sums of doubles may end beside what they stand for, relative to their size.
constexpr double kRounding = 1e-9;

double slack(double a, double b) {
  return kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

bool has_pie(const SeatOutcome& seat) {
  return std::isfinite(seat.disagreement) && std::isfinite(seat.ideal);
}

/// Why ranks are none, empty if they are: as many seats are better as the rank says.
std::string problem_of_ranks(const Outcome& outcome) {
  for (int i = 0; i < outcome.seats(); ++i) {
    int better = 0;
    for (int j = 0; j < outcome.seats(); ++j) better += outcome[j].rank < outcome[i].rank ? 1 : 0;
    if (outcome[i].rank != better + 1)
      return fmt::format("seat {} has rank {}, and {} seats have a better one", i, outcome[i].rank,
                         better);
  }
  return {};
}

/// Where a seat got more than the best that it could get, empty if none did.
std::string above_ideal(const Outcome& outcome) {
  for (int i = 0; i < outcome.seats(); ++i) {
    bool all_take_part = has_pie(outcome[i]);
    for (int j = 0; j < outcome.seats(); ++j)
      all_take_part = all_take_part && has_pie(outcome[j]) &&
                      (j == i || outcome[j].score >= outcome[j].disagreement);
    if (all_take_part &&
        outcome[i].score > outcome[i].ideal + slack(outcome[i].score, outcome[i].ideal))
      return fmt::format(
          "seat {} scored {}, above its ideal of {}, while nobody else was below the "
          "disagreement point",
          i, outcome[i].score, outcome[i].ideal);
  }
  return {};
}

/// Where two matches with the same chance differ in what no agent may change; empty if nowhere.
std::string other_anchors(const GameCard& card, const Outcome& a, const Outcome& b) {
  const auto stake = [&](const Outcome& outcome) {
    const auto& metrics = outcome.match_metrics();
    return stake_of(card, {metrics.begin(), metrics.end()});
  };
  if (const double x = stake(a), y = stake(b); std::abs(x - y) > slack(x, y))
    return fmt::format("the stake is {} when one plays and {} when another does", x, y);
  for (int i = 0; i < std::min(a.seats(), b.seats()); ++i)
    for (const auto& [what, x, y] :
         {std::tuple{"disagreement point", a[i].disagreement, b[i].disagreement},
          std::tuple{"ideal", a[i].ideal, b[i].ideal}})
      if (std::isfinite(x) != std::isfinite(y) ||
          (std::isfinite(x) && std::abs(x - y) > slack(x, y)))
        return fmt::format("the {} of seat {} is {} when one plays and {} when another does", what,
                           i, x, y);
  return {};
}

}  // namespace

CheckResult check_scores(const GameUnderTest& subject) {
  CheckResult finding;
  std::size_t outcomes = 0, pairs = 0;
  std::uint64_t shortest = ~std::uint64_t{0};
  const auto blame = [&](Verdict verdict, const CheckedMatch& played, std::string problem,
                         std::string_view hint) {
    if (problem.empty() || (finding.verdict == Verdict::fail && verdict != Verdict::fail)) return;
    if (finding.verdict == verdict && played.result.questions >= shortest) return;
    shortest = played.result.questions;
    finding.verdict = verdict;
    finding.problem = std::move(problem);
    finding.command = subject.command(played.casting);
    finding.hint = hint;
  };
  for (const auto& played : subject.sample()) {
    if (broken_by(subject.game(), played->result) == Breach::score)
      blame(Verdict::fail, *played, played->result.problem, "fix what the outcome says");
    if (played->result.end != End::finished) continue;
    ++outcomes;
    blame(Verdict::fail, *played,
          problem_of_score_range(subject.game().card, played->result.outcome),
          "fix what the outcome says, or the score_range of the card");
    blame(Verdict::fail, *played, problem_of_ranks(played->result.outcome),
          "leave ranks out where they follow scores; seats that tie share the better rank");
    // A card without a range promises nothing.
    blame(Verdict::warning, *played, above_ideal(played->result.outcome),
          fmt::format("the ideal is the best that a seat can get with everybody else at the "
                      "disagreement point or above; where that is so, say `{}`",
                      subject.wording(".score_range = agon::at_most(1)", "score_range=(None, 1)")));
  }
  for (const CheckedMatch* played : subject.finished(4)) {
    // The same chance with other agents.
    const auto again = subject.play({played->casting.situation, played->casting.seed,
                                     seated({"default"}, played->casting.agents.size())});
    if (again->result.end != End::finished) continue;
    ++pairs;
    std::string problem =
        other_anchors(subject.game().card, played->result.outcome, again->result.outcome);
    if (!problem.empty()) problem += "; the other: " + subject.command(again->casting);
    blame(Verdict::fail, *played, std::move(problem),
          "disagreement point, ideal and stake follow from settings and chance, never from who "
          "plays");
  }
  finding.tried = fmt::format("{}, {} with the same chance and other agents",
                              text::counted(outcomes, "outcome"), pairs);
  return finding;
}

// What a game says is conserved is conserved. It says so by a metric of the match whose bounds are
// one number: `(surplus, "money paid less money received", agon::range(0, 0))`. The arena holds
// every match to it; here it is tried and told.

CheckResult check_conservation(const GameUnderTest& subject) {
  CheckResult finding;
  const std::vector<std::string_view> conserved = conserved_metrics(subject.game());
  const CheckedMatch* shortest = nullptr;
  for (const auto& played : subject.sample())
    if (broken_by(subject.game(), played->result) == Breach::books &&
        (shortest == nullptr || played->result.questions < shortest->result.questions))
      shortest = played.get();
  finding.tried = fmt::format("{}, {}", text::counted(conserved.size(), "conserved metric"),
                              text::counted(subject.sample().size(), "match", "matches"));
  if (conserved.empty()) {
    finding.skip("no metric of the match has bounds that are one number");
    return finding;
  }
  if (shortest == nullptr) return finding;
  finding.fail(shortest->result.problem, subject.command(shortest->casting),
               "find where it is made or lost between what one pays and another receives");
  return finding;
}

// No seat is favoured where all are alike: the same agents on all seats, scores do not depend on
// the seat.
//
// Seats are alike where the card gives them no roles or all the same one, all are asked at the same
// time, and nothing that they are shown first is different between them whatever chance brings.
// Then the scores of a match could as well have come in any other order: a permutation test, exact
// at any number of matches (Fisher, "The Design of Experiments", 1935), stopped early as Besag and
// Clifford have it (Biometrika 78, 1991): with as many permutations as are as uneven as what was
// played, k of n, p is k/n. It is failed below 1 in 10,000: so often a sound game is wronged.
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
  void add(const ObservedMatch& watched, std::size_t seats) {
    std::vector<bool> done(seats);
    for (const ObservedQuestion& shown : watched.shown) {
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
bool asks_all_at_once(const ObservedMatch& watched, std::size_t seats) {
  std::map<std::size_t, std::set<int>> rounds;
  std::map<int, std::size_t> last;
  for (const ObservedQuestion& shown : watched.shown)
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

/// Matches of a preset with the same agent on every seat.
struct SymmetrySample {
  std::vector<double> scores;  ///< match by match, seat by seat
  std::string why_not;         ///< seats that differ cannot be compared; empty: they do not
};

SymmetrySample sample_symmetry(const GameUnderTest& subject, std::size_t preset) {
  const std::size_t seats = subject.seats(preset);
  const auto& cards = subject.situations()[preset].settings->seating();
  if (seats == 1) return {{}, "one seat has no other beside it"};
  if (std::ranges::any_of(cards, [&](const SeatCard& c) { return c.role != cards.front().role; }))
    return {{}, "seats have different roles"};
  SymmetrySample sample;
  First first;
  for (std::size_t m = 0; m < kMatches; ++m) {
    const Casting casting{preset, subject.effort().seed + m, seated({"random"}, seats)};
    const auto played = subject.play(casting);
    if (played->result.end != End::finished) continue;
    if (m < 20) {
      const auto watched =
          watch(subject, casting, {.script = script_of(subject.game(), played->history)});
      if (!asks_all_at_once(*watched, seats))
        return {{}, "seats are not all asked at the same time"};
      first.add(*watched, seats);
    }
    for (int i = 0; i < played->result.outcome.seats(); ++i)
      sample.scores.push_back(played->result.outcome[i].score);
  }
  if (const std::string place = first.differs(); !place.empty())
    sample.why_not = "seats are not alike: they are always shown different figures at " + place;
  return sample;
}

}  // namespace

CheckResult check_symmetry(const GameUnderTest& subject) {
  CheckResult finding;
  std::string why_not;
  std::size_t tested = 0, matches = 0;
  for (std::size_t s = 0; s < subject.presets(); ++s) {
    const std::size_t seats = subject.seats(s);
    const SymmetrySample sample = sample_symmetry(subject, s);
    if (!sample.why_not.empty()) {
      why_not = sample.why_not;
      continue;
    }
    const std::vector<double>& scores = sample.scores;
    ++tested;
    matches += scores.size() / seats;
    const double p = p_value(scores, seats, subject.effort().seed);
    if (p >= kLevel || finding.verdict == Verdict::fail) continue;
    std::vector<double> mean(seats);
    for (std::size_t i = 0; i < scores.size(); ++i)
      mean[i % seats] +=
          scores[i] * static_cast<double>(seats) / static_cast<double>(scores.size());
    finding.fail(
        fmt::format("with the same agent on every seat, mean scores are {:.4g} by seat, which has "
                    "p = {:.1g} if no seat is favoured",
                    fmt::join(mean, ", "), p),
        subject.command({s, subject.effort().seed, seated({"random"}, seats)}),
        "let chance decide what the order of seats decides now (a tie: chance(...).one_of()); "
        "where seats are not alike, give them roles");
  }
  finding.tried = fmt::format("{} of {}, {}", tested, text::counted(subject.presets(), "preset"),
                              text::counted(matches, "match", "matches"));
  if (tested == 0) {
    finding.skip(why_not);
  }
  return finding;
}

}  // namespace agon::conformance

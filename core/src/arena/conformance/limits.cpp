// Limits are exact: one beyond an edge is turned down, and an edge itself is not turned down each
// time by the game's own check, which would keep from people and models what they may answer.
#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <cmath>

#include "conformance/broken.hpp"
#include "conformance/checks.hpp"
#include "conformance/long_match.hpp"
#include "describe/draw.hpp"
#include "describe/limits_at.hpp"
#include "describe/sums.hpp"
#include "describe/value.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
namespace {

/// A number in an answer, and what it may be.
struct Leaf {
  std::string path;
  const Type* type = nullptr;
  void* at = nullptr;
  double low = 0, high = 0;
};

/// Numbers that the moment or the description bounds, in an answer as it is.
void add_leaves(const Type& type, const Field* field, void* at, std::uint16_t slot,
                std::span<const LimitData> limits, const std::string& path,
                std::vector<Leaf>& leaves) {
  const auto inner = static_cast<std::uint16_t>(slot + 1);
  switch (type.kind) {
    case Kind::integer: {
      const IntegerBounds b = integer_bounds(type, field, slot, limits);
      // What a sum bounds has an end where it has none of its own.
      if (b.lo > type.low && (b.hi < type.high || is_summed(slot, limits)) && b.lo <= b.hi)
        leaves.push_back({path, &type, at, static_cast<double>(b.lo), static_cast<double>(b.hi)});
      return;
    }
    case Kind::number: {
      const NumberBounds b = number_bounds(field, slot, limits);
      if (std::isfinite(b.lo) && (std::isfinite(b.hi) || is_summed(slot, limits)) && b.lo <= b.hi)
        leaves.push_back({path, &type, at, b.lo, b.hi});
      return;
    }
    case Kind::structure:
      for (const Field& f : type.fields) {
        add_leaves(*f.type, &f, f.at(at), slot, limits, path + "." + std::string(f.name), leaves);
        slot = static_cast<std::uint16_t>(slot + f.type->slots);
      }
      return;
    case Kind::variant: {
      const std::size_t held = type.index(at);
      return add_leaves(*type.alternatives[held], nullptr, type.alternative(at),
                        alternative_slot(type, slot, held), limits,
                        path + "." + kind_of(*type.alternatives[held]), leaves);
    }
    case Kind::list:
      if (const LimitData* each = limit_at(limits, slot, LimitKind::each)) {
        for (std::uint32_t i = 0; i < each->n && i < type.count(at); ++i)
          leaves.push_back({path + "[" + std::to_string(i) + "]", type.element, type.item(at, i),
                            static_cast<double>(each->lo), static_cast<double>(each->each[i])});
        return;
      }
      [[fallthrough]];
    case Kind::optional:
      for (std::size_t i = 0; i < type.count(at); ++i)
        add_leaves(*type.element, field, type.item(at, i), inner, limits,
                   type.kind == Kind::list ? path + "[]" : path, leaves);
      return;
    default:
      return;
  }
}

/// What sums leave of a number's range while the other numbers are at their least.
void narrow(std::vector<Leaf>& leaves, std::span<const SummedNumber> sums) {
  for (Leaf& leaf : leaves)
    for (const SummedNumber& sum : sums)
      if (sum.at == leaf.at) leaf.low = sum.low, leaf.high = sum.high;
}

void put(const Leaf& leaf, double value) {
  if (leaf.type->kind == Kind::number)
    *static_cast<double*>(leaf.at) = value;
  else
    leaf.type->set(leaf.at, static_cast<std::int64_t>(value));
}

/// An edge, or one beyond it.
struct Tried {
  std::string path;
  bool high = false;
  bool beyond = false;
  double value = 0;
};

/// Answers first beyond one edge of one number, then at it, a few times with all else drawn anew,
/// then at random. It keeps what it tried: it plays one match.
class Prober final : public Agent {
 public:
  static constexpr int kTimes = 8;

  void answer(Question& q) const override {
    if (q.is_probe()) return q.decline();
    std::vector<Tried>& tried = tried_[q.number()];
    if (q.attempt() > kTimes) return q.draw();
    Dice dice = q.dice();
    for (int i = 0; i < kTimes; ++i) {
      Value value(q.answer_type());
      draw_value(q.answer_type(), nullptr, value.get(), 0, q.limits(), dice);
      std::vector<Leaf> leaves;
      add_leaves(q.answer_type(), nullptr, value.get(), 0, q.limits(), "$", leaves);
      narrow(leaves, summed_numbers(q.answer_type(), value.get(), q.limits()));
      if (leaves.empty()) continue;
      const bool is_first = tried.empty();
      const Leaf* leaf = is_first ? &leaves[dice.below(leaves.size())] : nullptr;
      for (const Leaf& one : leaves)
        if (!is_first && one.path == tried.front().path) leaf = &one;
      if (leaf == nullptr) continue;
      const bool high = is_first ? dice.below(2) == 1 : tried.front().high;
      const double edge = high ? leaf->high : leaf->low;
      const double step =
          leaf->type->kind == Kind::number ? std::max(1e-6, std::abs(edge) * 1e-6) : 1;
      const double answer = !is_first ? edge : high ? edge + step : edge - step;
      put(*leaf, answer);
      // At the edge of one number the others give way to it.
      fit_sums_around(q.answer_type(), value.get(), q.limits(), dice, leaf->at);
      tried.push_back({leaf->path, high, is_first, answer});
      return q.answer_json(write_json(q.answer_type(), value.get()));
    }
    // What was tried has one entry for each attempt.
    tried.push_back({});
    q.draw();
  }
  [[nodiscard]] const std::map<std::uint32_t, std::vector<Tried>>& tried() const { return tried_; }

 private:
  mutable std::map<std::uint32_t, std::vector<Tried>> tried_;
};

/// How often an edge was tried.
struct Edge {
  std::size_t taken = 0;
  std::size_t refused = 0;  ///< questions at which it was never taken
  std::string complaint;
  double value = 0;
};

/// Edges by stage, place in the answer, and which end it is.
using Edges = std::map<std::tuple<std::string, std::string, bool>, Edge>;

/// What came of all that was tried.
struct Trials {
  Edges edges;
  std::size_t beyond = 0;
  std::string taken_beyond;  ///< an answer that should not have been; empty: none was
};

void note(const record::Entry& entry, const std::vector<Tried>& tried, Trials& trials) {
  bool at_edge = false, taken = false;
  std::string complaint;
  for (std::size_t i = 0; i < std::min(entry.attempts.size(), tried.size()); ++i) {
    if (tried[i].path.empty()) continue;
    const bool stood = i + 1 == entry.attempts.size() && !entry.forced;
    if (tried[i].beyond) {
      ++trials.beyond;
      if (stood)
        trials.taken_beyond =
            fmt::format("at stage '{}', {} for {}", entry.name, tried[i].value, tried[i].path);
      continue;
    }
    at_edge = true;
    taken = taken || stood;
    if (!stood) complaint = entry.attempts[i].complaint;
  }
  if (!at_edge) return;
  Edge& edge = trials.edges[{std::string(entry.name), tried.front().path, tried.front().high}];
  edge.value = tried.back().value;
  ++(taken ? edge.taken : edge.refused);
  if (!taken) edge.complaint = std::move(complaint);
}

}  // namespace

Finding check_limits(const Subject& subject) {
  /// Matches of each preset.
  constexpr std::uint64_t kMatches = 20;
  /// Questions at which an edge has to be turned down before it is one that never passes.
  constexpr std::size_t kOften = 5;
  Finding finding{.check = "limits", .tried = ""};
  const auto fail = [&](std::string problem, std::string_view mend) {
    if (finding.verdict == Verdict::fail) return;
    finding.verdict = Verdict::fail;
    finding.problem = std::move(problem);
    finding.command = subject.check_command("limits");
    finding.mend = mend;
  };
  Trials trials;
  for (std::size_t s = 0; s < subject.presets(); ++s)
    for (std::uint64_t m = 0; m < kMatches; ++m) {
      MatchSetup setup =
          subject.setup({s, subject.effort().seed + m, seated({"random"}, subject.seats(s))});
      const Prober prober;
      for (SeatSetup& seat : setup.seats) seat.agent = &prober;
      setup.reasks = Prober::kTimes + 4;
      const MatchResult result = play_some(std::move(setup));
      subject.heed(result, subject.check_command("limits"));
      const record::History history = record::read(result.record);
      for (const record::Entry& entry : history.entries)
        if (const auto tried = prober.tried().find(entry.number);
            entry.what == record::Entry::What::question && tried != prober.tried().end())
          note(entry, tried->second, trials);
      if (broken_by(subject.game(), result) == Broken::play)
        fail("an answer within the limits breaks the game: " + result.problem,
             "its code has to take every answer within the limits: mend it, or narrow the limit to "
             "what the rules allow; a check says a reason and throws nothing");
    }
  finding.tried = fmt::format("{}, {} beyond", text::counted(trials.edges.size(), "edge"),
                              text::counted(trials.beyond, "answer"));
  if (!trials.taken_beyond.empty())
    fail(trials.taken_beyond + " is beyond the limits and was taken",
         "this is a fault of the arena: please tell its authors");
  for (const auto& [where, edge] : trials.edges)
    if (edge.taken == 0 && edge.refused >= kOften)
      fail(fmt::format("at stage '{}', the limits let {} be {}, and the game turns that down each "
                       "time: {}",
                       std::get<0>(where), std::get<1>(where), edge.value, edge.complaint),
           "narrow the limit to what the check lets pass: people and models are told the limits");
  return finding;
}

}  // namespace agon::conformance

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "branch/effects.hpp"
#include "json/parse.hpp"
#include "record/record.hpp"

namespace agon::branch {
namespace {

/// The answers of a match by stage and seat, in their order: a period each.
using Periods = std::map<std::pair<std::string, int>, std::vector<std::string>>;

struct PlayedPeriods {
  Periods answers;
  std::map<std::uint32_t, std::pair<int, std::size_t>> places;  ///< seat and period, by question
  /// What the seats were told that they got, by event and in order.
  std::map<std::string, std::vector<std::vector<double>>> paid;
};

/// The member "payoffs" of an event, where it is a number for each seat.
std::vector<double> payoffs_in(const std::string& json, std::size_t seats) {
  std::vector<double> payoffs;
  const boost::json::value event = json::parse(json, "");
  const auto* members = event.if_object();
  const auto* list = members == nullptr ? nullptr : members->if_contains("payoffs");
  if (list == nullptr || !list->is_array() || list->get_array().size() != seats) return payoffs;
  for (const auto& payoff : list->get_array()) {
    if (!payoff.is_number()) return {};
    payoffs.push_back(payoff.to_number<double>());
  }
  return payoffs;
}

/// By period of the stage; null where the game does not tell it so.
const std::vector<std::vector<double>>* paid_by_period(const PlayedPeriods& match,
                                                       const std::string& stage) {
  for (const auto& paid : match.paid)
    if (std::ranges::all_of(match.answers, [&](const auto& asked) {
          return asked.first.first != stage || asked.second.size() == paid.second.size();
        }))
      return &paid.second;
  return nullptr;
}

PlayedPeriods periods_of(const archive::Archive& archive, const record::RecordedTypes& types,
                         std::int64_t number) {
  PlayedPeriods out;
  const archive::MatchRow match = archive.matches().at(number);
  if (match.record.empty()) return out;
  record::each_entry(match.record, [&](const record::Entry& entry) {
    if (entry.what == record::Entry::What::event)
      if (auto paid = payoffs_in(types.json(entry.shape, entry.payload).value_or("null"),
                                 match.seats.size());
          !paid.empty())
        out.paid[std::string(entry.name)].push_back(std::move(paid));
    if (entry.what != record::Entry::What::question || entry.probe || entry.declined) return true;
    auto& answers = out.answers[{std::string(entry.name), entry.seat}];
    out.places[entry.number] = {entry.seat, answers.size()};
    answers.push_back(types.json(entry.shape, entry.payload).value_or(""));
    return true;
  });
  return out;
}

/// The first number in an answer; yes and no are 1 and 0.
std::optional<double> number_in(const boost::json::value& value) {
  if (value.is_bool()) return value.get_bool() ? 1 : 0;
  if (value.is_number()) return value.to_number<double>();
  if (const auto* members = value.if_object())
    for (const auto& member : *members)
      if (const auto number = number_in(member.value())) return number;
  if (const auto* items = value.if_array())
    for (const auto& item : *items)
      if (const auto number = number_in(item)) return number;
  return std::nullopt;
}

std::optional<double> number_of(const std::string& answer) {
  try {
    return number_in(json::parse(answer, ""));
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The others' answers of one period after one cut.
struct PeriodSums {
  double differ = 0, moved = 0;
  double answers = 0, numbers = 0;

  void add(const std::string& before, const std::string& after) {
    ++answers;
    differ += before == after ? 0 : 1;
    const auto from = number_of(before), to = number_of(after);
    if (!from || !to) return;
    ++numbers;
    moved += *to - *from;
  }
};

using ImpulseKey = std::tuple<std::string, std::string, std::string>;  // game, stage, answer

/// What all cuts say of an answer.
struct ImpulseValues {
  using ByPeriod = std::map<std::int64_t, std::vector<stats::ClusteredValue>>;
  ByPeriod differ, moved, own_paid, others_paid;
  std::vector<stats::ClusteredValue> own, others;
};

/// Payoffs of the seat and of the others in each period, less those in the parent.
void add_paid(ImpulseValues& values, const BranchEffect& effect, std::size_t seat, std::size_t from,
              const PlayedPeriods& parent, const PlayedPeriods& branch) {
  const auto* before = paid_by_period(parent, effect.stage);
  const auto* after = paid_by_period(branch, effect.stage);
  if (before == nullptr || after == nullptr) return;
  for (std::size_t p = from; p < std::min(before->size(), after->size()); ++p) {
    const std::vector<double>&was = (*before)[p], &is = (*after)[p];
    double others = 0;
    for (std::size_t s = 0; s < was.size(); ++s) others += s == seat ? 0 : is[s] - was[s];
    const auto period = static_cast<std::int64_t>(p - from);
    values.own_paid[period].push_back({effect.cluster, is[seat] - was[seat]});
    values.others_paid[period].push_back(
        {effect.cluster, others / static_cast<double>(std::max<std::size_t>(was.size(), 2) - 1)});
  }
}

void add_cut(ImpulseValues& values, const BranchEffect& effect, const PlayedPeriods& parent,
             const PlayedPeriods& branch) {
  const auto cut = parent.places.find(static_cast<std::uint32_t>(effect.question));
  if (cut == parent.places.end()) return;
  const auto [seat, from] = cut->second;
  std::map<std::int64_t, PeriodSums> periods;
  for (const auto& [place, before] : parent.answers) {
    const auto after = branch.answers.find(place);
    if (place.first != effect.stage || place.second == seat || after == branch.answers.end())
      continue;
    for (std::size_t p = from; p < std::min(before.size(), after->second.size()); ++p)
      periods[static_cast<std::int64_t>(p - from)].add(before[p], after->second[p]);
  }
  for (const auto& [period, sums] : periods) {
    values.differ[period].push_back({effect.cluster, sums.differ / sums.answers});
    if (sums.numbers > 0)
      values.moved[period].push_back({effect.cluster, sums.moved / sums.numbers});
  }
  add_paid(values, effect, static_cast<std::size_t>(seat), from, parent, branch);
  values.own.push_back({effect.cluster, effect.change_of_score});
  values.others.push_back({effect.cluster, effect.change_of_others});
}

/// A stage that a seat is asked more than once.
bool repeats(const PlayedPeriods& match, const std::string& stage) {
  for (const auto& [place, answers] : match.answers)
    if (place.first == stage && answers.size() > 1) return true;
  return false;
}

}  // namespace

Impulses impulse_responses(const archive::Archive& archive,
                           const std::vector<BranchEffect>& branches,
                           const stats::IntervalOptions& options) {
  const record::RecordedTypes types(
      [&](const hash::Digest& digest) { return archive.content(digest); });
  const std::map<archive::MatchId, archive::BranchRow> rows = archive::branches_of(archive);
  std::map<std::int64_t, PlayedPeriods> parents;
  std::map<ImpulseKey, ImpulseValues> all;
  for (const BranchEffect& effect : branches) {
    if (effect.change != archive::BranchChange::answer) continue;
    const auto row = rows.find(archive.matches().at(effect.number).key.id);
    if (row == rows.end()) continue;
    const auto number = archive.matches().number(row->second.unchanged);
    if (!number) continue;
    const auto [parent, is_new] = parents.try_emplace(*number);
    if (is_new) parent->second = periods_of(archive, types, *number);
    if (!repeats(parent->second, effect.stage)) continue;
    add_cut(all[{effect.game, effect.stage, effect.text}], effect, parent->second,
            periods_of(archive, types, effect.number));
  }
  Impulses out;
  for (const auto& [key, values] : all) {
    const auto& [game, stage, text] = key;
    for (const auto& [period, differ] : values.differ) {
      const auto estimate = [&options, at_period = period](const ImpulseValues::ByPeriod& of) {
        const auto at = of.find(at_period);
        return at == of.end() ? stats::Estimate{} : stats::clustered_mean(at->second, options);
      };
      out.responses.push_back({game, text, stage, period, stats::clustered_mean(differ, options),
                               estimate(values.moved), estimate(values.own_paid),
                               estimate(values.others_paid)});
    }
    if (!values.own.empty())
      out.scores.push_back({game, text, stage, stats::clustered_mean(values.own, options),
                            stats::clustered_mean(values.others, options)});
  }
  return out;
}

}  // namespace agon::branch

#include "judge/results.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "results/participant.hpp"
#include "stats/statistics.hpp"

namespace agon::judge {
namespace {

/// Ratings by dimension; rows are records and columns judges.
using Values = std::array<std::vector<stats::CrossedValue>, kDimensions>;

/// The same without rows and columns.
using PooledRatings = std::array<std::vector<double>, kDimensions>;

std::array<Spread, kDimensions> spreads(const PooledRatings& columns) {
  std::array<Spread, kDimensions> all;
  for (std::size_t d = 0; d < kDimensions; ++d) all[d] = spread(columns[d]);
  return all;
}

/// Who played the record.
const archive::AgentRow& agent_of(const archive::Archive& archive,
                                  const std::map<std::int64_t, archive::AgentRow>& agents,
                                  const std::string& record, const Keyed& keyed) {
  const auto number = archive.matches().number(keyed.match);
  if (!number)
    throw Error(
        ErrorKind::not_found,
        "the archive has no match " + keyed.match.hex() + ", which the key names for " + record,
        archive.path().string(), "name the archive that the records were drawn from");
  const archive::MatchRow match = archive.matches().at(*number);
  if (static_cast<std::size_t>(keyed.seat) >= match.seats.size())
    throw Error(ErrorKind::invalid,
                "the key names seat " + std::to_string(keyed.seat) + " for " + record +
                    ", and its match has " + std::to_string(match.seats.size()) + " seats",
                archive.path().string(), "use the key as 'agon judge' wrote it");
  return archive.row(agents, match.seats[static_cast<std::size_t>(keyed.seat)].agent);
}

Rated rated(std::string agent, std::size_t records, const Values& values) {
  Rated out;
  out.agent = std::move(agent);
  out.records = records;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    std::vector<double> plain;
    for (const stats::CrossedValue& rating : values[d]) plain.push_back(rating.value);
    out.dimensions[d] = spread(plain);
    out.intervals[d] = stats::crossed_interval(values[d], kLevel);
  }
  return out;
}

/// What judges said of others' play.
struct SortedRatings {
  std::map<std::string, std::string> played;  // by record
  std::map<std::string, Values> by_agent;
  std::map<std::string, std::set<std::string>> records;  // by agent
  std::map<std::string, std::string> plays;              // by agent
  std::map<std::string, std::size_t> judges;
  std::map<std::string, PooledRatings> by_judge;
  std::map<std::string, std::size_t> rated_by;           // records by judge
  std::map<std::string, std::string> agents_that_judge;  // what they are, by judge
  Values all;
  std::array<Values, 2> by_identity;  // without one, with one
  std::array<std::set<std::string>, 2> records_by_identity;

  SortedRatings(const archive::Archive& archive, const std::map<std::string, Keyed>& key,
                const std::vector<JudgeRating>& ratings);
};

SortedRatings::SortedRatings(const archive::Archive& archive,
                             const std::map<std::string, Keyed>& key,
                             const std::vector<JudgeRating>& ratings) {
  const auto agents = archive.agents();
  for (const JudgeRating& rating : ratings) {
    const auto [who, added] = played.try_emplace(rating.record);
    if (added) {
      const auto& row = agent_of(archive, agents, rating.record, key.at(rating.record));
      who->second = row.name;
      plays[row.name] = report::participant(row).plays;
    }
    records[who->second].insert(rating.record);
    const std::size_t has_identity = key.at(rating.record).identity ? 1 : 0;
    records_by_identity[has_identity].insert(rating.record);
    const auto judge = judges.try_emplace(rating.judge, judges.size()).first->second;
    const auto record =
        static_cast<std::size_t>(std::distance(key.begin(), key.find(rating.record)));
    for (std::size_t d = 0; d < kDimensions; ++d) {
      if (!rating.values[d]) continue;
      const stats::CrossedValue value{record, judge, static_cast<double>(*rating.values[d])};
      by_agent[who->second][d].push_back(value);
      by_judge[rating.judge][d].push_back(value.value);
      all[d].push_back(value);
      by_identity[has_identity][d].push_back(value);
    }
    ++rated_by[rating.judge];
    if (!rating.plays.empty()) agents_that_judge[rating.judge] = rating.plays;
  }
}

/// How far those judges agree whom `among` names.
std::array<Agreement, kDimensions> agreement_of(
    const std::vector<JudgeRating>& ratings,
    const std::function<bool(const JudgeRating& rating)>& among) {
  std::map<std::string, std::array<std::vector<int>, kDimensions>> by_record;
  for (const JudgeRating& rating : ratings)
    for (std::size_t d = 0; d < kDimensions; ++d)
      if (rating.values[d] && among(rating))
        by_record[rating.record][d].push_back(*rating.values[d]);
  std::array<Agreement, kDimensions> all;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    using stats::RatingScale;
    std::vector<std::vector<int>> units;
    for (const auto& [record, values] : by_record) units.push_back(values[d]);
    Agreement& found = all[d];
    found.ordinal = stats::krippendorff_alpha(units, RatingScale::ordinal);
    found.bounds = stats::krippendorff_interval(units, RatingScale::ordinal, kLevel);
    found.interval = stats::krippendorff_alpha(units, RatingScale::interval);
    found.interval_bounds = stats::krippendorff_interval(units, RatingScale::interval, kLevel);
    for (const auto& unit : units) found.records += unit.size() > 1 ? 1 : 0;
  }
  return all;
}

std::vector<AgreementAmong> agreement_among(const std::vector<JudgeRating>& ratings,
                                            const std::map<std::string, std::string>& agents) {
  const auto person = [](const JudgeRating& rating) { return rating.plays.empty(); };
  std::vector<AgreementAmong> all;
  if (agents.empty() || std::none_of(ratings.begin(), ratings.end(), person)) return all;
  all.push_back({"people", agreement_of(ratings, person)});
  for (const auto& [judge, plays] : agents)
    all.push_back({"people and " + judge,
                   agreement_of(ratings, [&, &judge = judge](const JudgeRating& rating) {
                     return person(rating) || rating.judge == judge;
                   })});
  return all;
}

std::optional<stats::Interval> interval_of(const Figure& figure) {
  if (std::isnan(figure.low)) return std::nullopt;
  return stats::Interval{figure.low, figure.high};
}

/// What judges gave their own play. `by_judge`: what they gave records.
std::array<OwnPlay, kDimensions> own_play_of(const std::vector<JudgeRating>& own,
                                             const std::map<std::string, PooledRatings>& by_judge) {
  std::array<OwnPlay, kDimensions> all;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    std::vector<double> plain;
    Sample ratings, differences;
    for (const JudgeRating& rating : own) {
      if (!rating.values[d]) continue;
      plain.push_back(*rating.values[d]);
      ratings.add(rating.judge, plain.back());
      const auto others = by_judge.find(rating.judge);
      if (others != by_judge.end() && !others->second[d].empty())
        differences.add(rating.judge, plain.back() - spread(others->second[d]).mean);
    }
    OwnPlay& found = all[d];
    found.ratings = spread(plain);
    if (!ratings.empty()) found.interval = interval_of(ratings.mean(kLevel));
    if (differences.empty()) continue;
    const Figure difference = differences.mean(kLevel);
    found.difference = difference.value;
    found.difference_interval = interval_of(difference);
    found.pairs = static_cast<std::size_t>(differences.n());
  }
  return all;
}

}  // namespace

JudgingResults results(const archive::Archive& archive, const std::map<std::string, Keyed>& key,
                       const ReadForms& forms) {
  SortedRatings sorted(archive, key, forms.ratings);
  JudgingResults out;
  out.records = sorted.played.size();
  out.judges = sorted.judges.size();
  out.ratings = forms.ratings.size();
  out.blank = forms.blank;
  out.all = rated("", sorted.played.size(), sorted.all);
  for (const auto& [agent, values] : sorted.by_agent) {
    out.agents.push_back(rated(agent, sorted.records[agent].size(), values));
    out.agents.back().plays = sorted.plays[agent];
  }
  if (!sorted.records_by_identity[0].empty() && !sorted.records_by_identity[1].empty())
    for (const std::size_t has : {1U, 0U})
      out.by_identity.push_back(rated(has == 1 ? "with an identity" : "without one",
                                      sorted.records_by_identity[has].size(),
                                      sorted.by_identity[has]));
  for (const auto& [judge, columns] : sorted.by_judge) {
    const auto agent = sorted.agents_that_judge.find(judge);
    out.by_judge.push_back({judge, agent == sorted.agents_that_judge.end() ? "" : agent->second,
                            sorted.rated_by[judge], spreads(columns)});
  }
  out.own_play = own_play_of(forms.own, sorted.by_judge);
  out.mock = report::mock_words(archive);
  out.agreement = agreement_of(forms.ratings, [](const JudgeRating&) { return true; });
  out.agreement_among = agreement_among(forms.ratings, sorted.agents_that_judge);
  return out;
}

}  // namespace agon::judge

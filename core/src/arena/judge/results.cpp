#include "judge/results.hpp"

#include <agon/error.hpp>
#include <iterator>
#include <set>

#include "results/participant.hpp"
#include "stats/crossed_mean.hpp"
#include "stats/krippendorff.hpp"

namespace agon::judge {
namespace {

/// Ratings by dimension; rows are records and columns judges.
using Values = std::array<std::vector<stats::CrossedValue>, kDimensions>;

/// The same without rows and columns.
using Columns = std::array<std::vector<double>, kDimensions>;

std::array<Spread, kDimensions> spreads(const Columns& columns) {
  std::array<Spread, kDimensions> all;
  for (std::size_t d = 0; d < kDimensions; ++d) all[d] = spread(columns[d]);
  return all;
}

/// Who played the record.
const archive::AgentRow& agent_of(const archive::Archive& archive,
                                  const std::map<std::int64_t, archive::AgentRow>& agents,
                                  const std::string& record, const Keyed& keyed) {
  const auto number = archive.number(keyed.match);
  if (!number)
    throw Error(
        ErrorKind::not_found,
        "the archive has no match " + keyed.match.hex() + ", which the key names for " + record,
        archive.path().string(), "name the archive that the records were drawn from");
  const archive::MatchRow match = archive.match(*number);
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

}  // namespace

Results results(const archive::Archive& archive, const std::map<std::string, Keyed>& key,
                const ReadForms& forms) {
  const auto agents = archive.agents();
  std::map<std::string, std::string> played;  // by record
  std::map<std::string, Values> by_agent;
  std::map<std::string, std::set<std::string>> records;  // by agent
  std::map<std::string, std::array<std::vector<int>, kDimensions>> by_record;
  std::map<std::string, std::string> plays;  // by agent
  std::map<std::string, std::size_t> judges;
  std::map<std::string, Columns> by_judge;
  std::map<std::string, std::size_t> rated_by;  // records by judge
  Values all;
  std::array<Values, 2> by_identity;  // without one, with one
  std::array<std::set<std::string>, 2> records_by_identity;
  for (const Rating& rating : forms.ratings) {
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
      by_record[rating.record][d].push_back(*rating.values[d]);
      by_judge[rating.judge][d].push_back(value.value);
      all[d].push_back(value);
      by_identity[has_identity][d].push_back(value);
    }
    ++rated_by[rating.judge];
  }
  Columns own;
  for (const Rating& rating : forms.own)
    for (std::size_t d = 0; d < kDimensions; ++d)
      if (rating.values[d]) own[d].push_back(*rating.values[d]);
  Results out;
  out.records = played.size();
  out.judges = judges.size();
  out.ratings = forms.ratings.size();
  out.blank = forms.blank;
  out.all = rated("", played.size(), all);
  for (const auto& [agent, values] : by_agent) {
    out.agents.push_back(rated(agent, records[agent].size(), values));
    out.agents.back().plays = plays[agent];
  }
  if (!records_by_identity[0].empty() && !records_by_identity[1].empty())
    for (const std::size_t has : {1U, 0U})
      out.by_identity.push_back(rated(has == 1 ? "with an identity" : "without one",
                                      records_by_identity[has].size(), by_identity[has]));
  for (const auto& [judge, columns] : by_judge)
    out.by_judge.push_back({judge, rated_by[judge], spreads(columns)});
  out.own_play = spreads(own);
  out.mock = report::mock_words(archive);
  for (std::size_t d = 0; d < kDimensions; ++d) {
    std::vector<std::vector<int>> units;
    for (const auto& [record, values] : by_record) units.push_back(values[d]);
    out.agreement[d].ordinal = stats::krippendorff_alpha(units, stats::RatingScale::ordinal);
    out.agreement[d].interval = stats::krippendorff_alpha(units, stats::RatingScale::interval);
    for (const auto& unit : units) out.agreement[d].records += unit.size() > 1 ? 1 : 0;
  }
  return out;
}

}  // namespace agon::judge

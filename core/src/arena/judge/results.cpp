#include "judge/results.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <iterator>
#include <set>

#include "json/write.hpp"
#include "results/participant.hpp"
#include "stats/statistics.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"

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
  std::map<std::string, std::array<std::vector<int>, kDimensions>> by_record;
  std::map<std::string, std::string> plays;  // by agent
  std::map<std::string, std::size_t> judges;
  std::map<std::string, PooledRatings> by_judge;
  std::map<std::string, std::size_t> rated_by;  // records by judge
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
      by_record[rating.record][d].push_back(*rating.values[d]);
      by_judge[rating.judge][d].push_back(value.value);
      all[d].push_back(value);
      by_identity[has_identity][d].push_back(value);
    }
    ++rated_by[rating.judge];
  }
}

}  // namespace

JudgingResults results(const archive::Archive& archive, const std::map<std::string, Keyed>& key,
                       const ReadForms& forms) {
  SortedRatings sorted(archive, key, forms.ratings);
  PooledRatings own;
  for (const JudgeRating& rating : forms.own)
    for (std::size_t d = 0; d < kDimensions; ++d)
      if (rating.values[d]) own[d].push_back(*rating.values[d]);
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
  for (const auto& [judge, columns] : sorted.by_judge)
    out.by_judge.push_back({judge, sorted.rated_by[judge], spreads(columns)});
  out.own_play = spreads(own);
  out.mock = report::mock_words(archive);
  for (std::size_t d = 0; d < kDimensions; ++d) {
    std::vector<std::vector<int>> units;
    for (const auto& [record, values] : sorted.by_record) units.push_back(values[d]);
    out.agreement[d].ordinal = stats::krippendorff_alpha(units, stats::RatingScale::ordinal);
    out.agreement[d].interval = stats::krippendorff_alpha(units, stats::RatingScale::interval);
    for (const auto& unit : units) out.agreement[d].records += unit.size() > 1 ? 1 : 0;
  }
  return out;
}

namespace {

namespace bj = boost::json;

std::string decimal(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string alpha(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string interval(const std::optional<stats::Interval>& i) {
  return i ? fmt::format("[{:.2f}, {:.2f}]", i->low, i->high) : "-";
}

std::string level() {
  return fmt::format("{:g}% CI", 100 * kLevel);
}

std::string quartiles(const Spread& s) {
  if (std::isnan(s.median)) return "-";
  return fmt::format("{:g} / {:g} / {:g}", s.lower_quartile, s.median, s.upper_quartile);
}

std::string titled(const std::string& title, bool colour) {
  return colour ? "\x1b[1m" + title + "\x1b[0m\n" : title + "\n";
}

bj::object rated_json(const Rated& rated) {
  bj::object list;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const Spread& s = rated.dimensions[d];
    const auto& interval = rated.intervals[d];
    list[dimensions()[d].id] =
        bj::object{{"n", s.n},
                   {"mean", s.mean},
                   {"interval", interval ? bj::value(bj::array{interval->low, interval->high})
                                         : bj::value(nullptr)},
                   {"sd", s.deviation},
                   {"quartiles", bj::array{s.lower_quartile, s.median, s.upper_quartile}}};
  }
  bj::object out;
  if (!rated.agent.empty()) {
    out["agent"] = rated.agent;
    out["plays"] = rated.plays;
  }
  out["records"] = static_cast<std::int64_t>(rated.records);
  out["dimensions"] = std::move(list);
  return out;
}

bj::object own_json(const Spread& own, const Dimension& dimension) {
  return {{"n", own.n},
          {"mean", own.mean},
          {"sd", own.deviation},
          {"published_mean",
           dimension.own_play > 0 ? bj::value(dimension.own_play) : bj::value(nullptr)},
          {"published_sd",
           dimension.own_play > 0 ? bj::value(dimension.own_deviation) : bj::value(nullptr)}};
}

/// A row for each judge, and two for what judges gave their own play and what those of the paper
/// did.
std::string judges_table(const JudgingResults& results) {
  std::vector<text::Column> columns{{"judge", text::Align::left, 30},
                                    {"records", text::Align::right}};
  for (const Dimension& d : dimensions())
    columns.push_back({std::string(d.id), text::Align::right});
  text::TextTable table(columns);
  for (const RatedBy& by : results.by_judge) {
    std::vector<std::string> row{by.judge, std::to_string(by.records)};
    for (const Spread& s : by.dimensions) row.push_back(decimal(s.mean, "{:.2f}"));
    table.add(row);
  }
  std::vector<std::string> own{"own play", ""}, published{"  published", ""};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const Dimension& dimension = dimensions()[d];
    own.push_back(decimal(results.own_play[d].mean, "{:.2f}"));
    published.push_back(dimension.own_play > 0 ? fmt::format("{:.2f}", dimension.own_play) : "-");
  }
  table.add(own);
  table.add(published);
  return table.str(2);
}

/// Every dimension of each group of records.
std::string rated_table(const char* what, const std::vector<Rated>& groups) {
  using text::Align;
  const bool plays = std::any_of(groups.begin(), groups.end(),
                                 [](const Rated& rated) { return !rated.plays.empty(); });
  std::vector<text::Column> columns{{what, Align::left, 44}};
  if (plays) columns.push_back({"plays", Align::left, 24});
  for (const text::Column& column : {text::Column{"records", Align::right},
                                     {"dimension"},
                                     {"n", Align::right},
                                     {"mean", Align::right},
                                     {level()},
                                     {"sd", Align::right},
                                     {"quartiles"}})
    columns.push_back(column);
  text::TextTable table(columns);
  for (const Rated& rated : groups) {
    bool first = true;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const Spread& s = rated.dimensions[d];
      std::vector<std::string> row{first ? rated.agent : ""};
      if (plays) row.push_back(first ? rated.plays : "");
      for (const std::string& cell :
           {first ? std::to_string(rated.records) : "", std::string(dimensions()[d].id),
            decimal(s.n, "{:g}"), decimal(s.mean, "{:.2f}"), interval(rated.intervals[d]),
            decimal(s.deviation, "{:.2f}"), quartiles(s)})
        row.push_back(cell);
      table.add(row);
      first = false;
    }
  }
  return table.str(2);
}

bj::value optional_json(const std::optional<double>& value) {
  return value ? bj::value(*value) : bj::value(nullptr);
}

}  // namespace

std::string text(const JudgingResults& results, bool colour) {
  using text::Align;
  std::string out = titled(
      fmt::format("Ratings from 1 to 5: {} of {} records by {} {}{}", results.ratings,
                  results.records, results.judges, results.judges == 1 ? "judge" : "judges",
                  results.blank > 0 ? fmt::format(", {} more not given yet", results.blank) : ""),
      colour);
  text::TextTable all({{"dimension"},
                       {"n", Align::right},
                       {"mean", Align::right},
                       {level()},
                       {"sd", Align::right},
                       {"quartiles"},
                       {"alpha", Align::right},
                       {"published", Align::right},
                       {"sd", Align::right},
                       {"quartiles"}});
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const Spread& s = results.all.dimensions[d];
    const Dimension& dimension = dimensions()[d];
    const PublishedRating& paper = dimension.agents;
    all.add(
        {fmt::format("{} {}", dimension.id, dimension.name), decimal(s.n, "{:g}"),
         decimal(s.mean, "{:.2f}"), interval(results.all.intervals[d]),
         decimal(s.deviation, "{:.2f}"), quartiles(s), alpha(results.agreement[d].ordinal),
         fmt::format("{:.2f}", paper.mean), fmt::format("{:.2f}", paper.deviation),
         fmt::format("{} / {} / {}", paper.quartiles[0], paper.quartiles[1], paper.quartiles[2])});
  }
  out += '\n' + all.str(2);
  out += "\n" + titled("By agent", colour) + "\n" + rated_table("agent", results.agents);
  if (!results.by_identity.empty())
    out +=
        "\n" + titled("By identity", colour) + "\n" + rated_table("records", results.by_identity);
  out += "\n" + titled("By judge: means", colour) + "\n" + judges_table(results);
  out += "\n" + titled("How to read this", colour);
  if (!results.mock.empty()) out += text::paragraph(results.mock, {2, "- "});
  out += text::paragraph(
      fmt::format("n: ratings. Intervals take the records and the judges for draws from many, as "
                  "ratings of one record depend on each other, and those by one judge; none under "
                  "{} records or judges. Each is by itself: for agents that the same judges rated, "
                  "compare the forms.",
                  stats::kFewestCrossed),
      {2, "- "});
  out +=
      "  - alpha: agreement of the judges (Krippendorff, ratings as ranks): 1 always agree, 0 as\n";
  out += "    by chance. With --json also for ratings as numbers.\n";
  out += fmt::format("  - published: {}.\n", published_source());
  out += "  - own play: what judges gave themselves, over all who played.\n";
  return out;
}

std::string json(const JudgingResults& results) {
  bj::array agents;
  for (const Rated& rated : results.agents) agents.emplace_back(rated_json(rated));
  bj::array by_identity;
  for (const Rated& rated : results.by_identity) {
    bj::object group = rated_json(rated);
    group.erase("agent");
    group.erase("plays");
    group["identity"] = rated.agent == results.by_identity.front().agent;
    by_identity.emplace_back(std::move(group));
  }
  bj::array judges;
  for (const RatedBy& by : results.by_judge) {
    bj::object means;
    for (std::size_t d = 0; d < kDimensions; ++d)
      means[dimensions()[d].id] =
          bj::object{{"n", by.dimensions[d].n}, {"mean", by.dimensions[d].mean}};
    judges.emplace_back(bj::object{{"judge", by.judge},
                                   {"records", static_cast<std::int64_t>(by.records)},
                                   {"dimensions", std::move(means)}});
  }
  bj::object agreement;
  bj::object own_play;
  bj::object published;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const Agreement& a = results.agreement[d];
    const Dimension& dimension = dimensions()[d];
    const PublishedRating& paper = dimension.agents;
    agreement[dimension.id] = bj::object{{"alpha_ordinal", optional_json(a.ordinal)},
                                         {"alpha_interval", optional_json(a.interval)},
                                         {"records", static_cast<std::int64_t>(a.records)}};
    own_play[dimension.id] = own_json(results.own_play[d], dimension);
    published[dimension.id] = bj::object{
        {"mean", paper.mean},
        {"sd", paper.deviation},
        {"own_play_mean",
         dimension.own_play > 0 ? bj::value(dimension.own_play) : bj::value(nullptr)},
        {"quartiles", bj::array{paper.quartiles[0], paper.quartiles[1], paper.quartiles[2]}}};
  }
  return json::write_pretty(bj::object{{"format", "agon.judging"},
                                       {"version", 1},
                                       {"records", static_cast<std::int64_t>(results.records)},
                                       {"judges", static_cast<std::int64_t>(results.judges)},
                                       {"ratings", static_cast<std::int64_t>(results.ratings)},
                                       {"blank", static_cast<std::int64_t>(results.blank)},
                                       {"level", kLevel},
                                       {"mock", results.mock},
                                       {"all", rated_json(results.all)},
                                       {"agents", std::move(agents)},
                                       {"by_identity", std::move(by_identity)},
                                       {"by_judge", std::move(judges)},
                                       {"own_play", std::move(own_play)},
                                       {"agreement", std::move(agreement)},
                                       {"published", std::move(published)},
                                       {"published_source", published_source()}});
}

}  // namespace agon::judge

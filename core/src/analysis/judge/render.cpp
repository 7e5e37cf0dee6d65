// What judges say, as tables and as JSON.

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "json/write.hpp"
#include "judge/results.hpp"
#include "stats/statistics.hpp"
#include "text/layout.hpp"
#include "text/utf8.hpp"

namespace agon::judge {

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

bj::value optional_json(const std::optional<double>& value) {
  return value ? bj::value(*value) : bj::value(nullptr);
}

bj::value interval_json(const std::optional<stats::Interval>& bounds) {
  return bounds ? bj::value(bj::array{bounds->low, bounds->high}) : bj::value(nullptr);
}

/// `interval`: of the mean; none: it is not said.
bj::object spread_json(const Spread& s, const std::optional<bj::value>& interval = {}) {
  bj::object all{{"n", s.n}, {"mean", s.mean}};
  if (interval) all["interval"] = *interval;
  all["sd"] = s.deviation;
  all["quartiles"] = bj::array{s.lower_quartile, s.median, s.upper_quartile};
  return all;
}

bj::object rated_json(const Rated& rated) {
  bj::object list;
  for (std::size_t d = 0; d < kDimensions; ++d)
    list[dimensions()[d].id] = spread_json(rated.dimensions[d], interval_json(rated.intervals[d]));
  bj::object out;
  if (!rated.agent.empty()) {
    out["agent"] = rated.agent;
    out["plays"] = rated.plays;
  }
  out["records"] = static_cast<std::int64_t>(rated.records);
  out["dimensions"] = std::move(list);
  return out;
}

bj::object own_json(const OwnPlay& own, const Dimension& dimension) {
  bj::object all = spread_json(own.ratings, interval_json(own.interval));
  all["minus_agents"] = optional_json(own.difference);
  all["minus_agents_interval"] = interval_json(own.difference_interval);
  all["minus_agents_judges"] = static_cast<std::int64_t>(own.pairs);
  const bool published = dimension.own_play > 0;
  all["published_mean"] = published ? bj::value(dimension.own_play) : nullptr;
  all["published_sd"] = published ? bj::value(dimension.own_deviation) : nullptr;
  return all;
}

bj::object agreement_json(const std::array<Agreement, kDimensions>& agreement) {
  bj::object out;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const Agreement& a = agreement[d];
    out[dimensions()[d].id] =
        bj::object{{"alpha_ordinal", optional_json(a.ordinal)},
                   {"alpha_ordinal_interval", interval_json(a.bounds)},
                   {"alpha_interval", optional_json(a.interval)},
                   {"alpha_interval_interval", interval_json(a.interval_bounds)},
                   {"records", static_cast<std::int64_t>(a.records)}};
  }
  return out;
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
    own.push_back(decimal(results.own_play[d].ratings.mean, "{:.2f}"));
    published.push_back(dimension.own_play > 0 ? fmt::format("{:.2f}", dimension.own_play) : "-");
  }
  table.add(own);
  table.add(published);
  return table.str(2);
}

std::string judges_quartiles(const JudgingResults& results) {
  std::vector<text::Column> columns{{"judge", text::Align::left, 30}};
  for (const Dimension& d : dimensions()) columns.push_back({std::string(d.id)});
  text::TextTable table(columns);
  for (const RatedBy& by : results.by_judge) {
    std::vector<std::string> row{by.judge};
    for (const Spread& s : by.dimensions) row.push_back(quartiles(s));
    table.add(row);
  }
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

/// What judges gave their own play beside what they gave records.
std::string own_table(const JudgingResults& results) {
  using text::Align;
  text::TextTable table({{"dimension"},
                         {"own: n", Align::right},
                         {"mean", Align::right},
                         {level()},
                         {"sd", Align::right},
                         {"quartiles"},
                         {"records: mean", Align::right},
                         {"sd", Align::right},
                         {"quartiles"},
                         {"own minus records", Align::right},
                         {level()},
                         {"published: own", Align::right},
                         {"agents", Align::right}});
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const OwnPlay& own = results.own_play[d];
    const Spread& records = results.all.dimensions[d];
    const Dimension& dimension = dimensions()[d];
    table.add({std::string(dimension.id), decimal(own.ratings.n, "{:g}"),
               decimal(own.ratings.mean, "{:.2f}"), interval(own.interval),
               decimal(own.ratings.deviation, "{:.2f}"), quartiles(own.ratings),
               decimal(records.mean, "{:.2f}"), decimal(records.deviation, "{:.2f}"),
               quartiles(records), own.difference ? fmt::format("{:+.2f}", *own.difference) : "-",
               interval(own.difference_interval),
               dimension.own_play > 0 ? fmt::format("{:.2f}", dimension.own_play) : "-",
               fmt::format("{:.2f}", dimension.agents.mean)});
  }
  return table.str(2);
}

/// Alpha of all judges and, where agents are among them, of people, and of people with each.
std::string agreement_table(const JudgingResults& results) {
  using text::Align;
  text::TextTable table({{"judges", Align::left, 44},
                         {"dimension"},
                         {"records", Align::right},
                         {"alpha", Align::right},
                         {level()}});
  const auto add = [&](const std::string& judges,
                       const std::array<Agreement, kDimensions>& agreement) {
    for (std::size_t d = 0; d < kDimensions; ++d)
      table.add({d == 0 ? judges : "", std::string(dimensions()[d].id),
                 std::to_string(agreement[d].records), alpha(agreement[d].ordinal),
                 interval(agreement[d].bounds)});
  };
  add("all", results.agreement);
  for (const AgreementAmong& some : results.agreement_among) add(some.judges, some.dimensions);
  return table.str(2);
}

/// What stands below the tables.
std::string how_to_read(const JudgingResults& results) {
  std::string out;
  if (!results.mock.empty()) out += text::paragraph(results.mock, {2, "- "});
  out += text::paragraph(
      fmt::format("n: ratings. Intervals take the records and the judges for draws from many, as "
                  "ratings of one record depend on each other, and those by one judge; none under "
                  "{} records or judges. Each is by itself: for agents that the same judges rated, "
                  "compare the forms.",
                  stats::kFewestCrossed),
      {2, "- "});
  out += text::paragraph(
      fmt::format(
          "alpha: agreement of the judges (Krippendorff, ratings as ranks): 1 always agree, "
          "0 as by chance. Its interval is from resamples of the records, none under {} of "
          "them; the judges are taken as they are. With --json also for ratings as numbers.",
          stats::kFewestUnits),
      {2, "- "});
  out += fmt::format("  - published: {}.\n", published_source());
  out += text::paragraph(
      "own play: what judges gave themselves, over all who played. Own minus records: the mean "
      "over "
      "judges of their own rating minus their mean rating of records, over those who gave both.",
      {2, "- "});
  return out;
}

bool has_own_play(const JudgingResults& results) {
  return std::any_of(results.own_play.begin(), results.own_play.end(),
                     [](const OwnPlay& own) { return own.ratings.n > 0; });
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
  out += "\n" + titled("By judge: quartiles", colour) + "\n" + judges_quartiles(results);
  if (has_own_play(results))
    out += "\n" + titled("Own play beside the records", colour) + "\n" + own_table(results);
  out += "\n" + titled("Agreement", colour) + "\n" + agreement_table(results);
  return out + "\n" + titled("How to read this", colour) + how_to_read(results);
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
      means[dimensions()[d].id] = spread_json(by.dimensions[d]);
    judges.emplace_back(bj::object{{"judge", by.judge},
                                   {"plays", by.plays},
                                   {"records", static_cast<std::int64_t>(by.records)},
                                   {"dimensions", std::move(means)}});
  }
  bj::array among;
  for (const AgreementAmong& some : results.agreement_among)
    among.emplace_back(
        bj::object{{"judges", some.judges}, {"dimensions", agreement_json(some.dimensions)}});
  bj::object own_play;
  bj::object published;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const Dimension& dimension = dimensions()[d];
    const PublishedRating& paper = dimension.agents;
    own_play[dimension.id] = own_json(results.own_play[d], dimension);
    published[dimension.id] = bj::object{
        {"mean", paper.mean},
        {"sd", paper.deviation},
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
                                       {"agreement", agreement_json(results.agreement)},
                                       {"agreement_among", std::move(among)},
                                       {"published", std::move(published)},
                                       {"published_source", published_source()}});
}

}  // namespace agon::judge

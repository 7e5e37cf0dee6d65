#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "archive/writer.hpp"
#include "archive_samples.hpp"
#include "json/parse.hpp"
#include "report/render/render.hpp"
#include "report/report.hpp"
#include "results/results.hpp"
#include "support/report_figures.hpp"

namespace report_samples {

namespace archive = agon::archive;
namespace report = agon::report;

/// What programs get of a report.
inline boost::json::value data_of(const report::Document& document) {
  return agon::json::parse(report::render_json(document), "report");
}
inline boost::json::value data_of(const report::ReportEstimates& made) {
  return data_of(report::document(made, report::Detail::data));
}

/// A seat as a test writes it: who, what score out of which pie.
struct Seat {
  std::string agent;
  double score = 0;
  double disagreement = 0;
  double ideal = 1;
  std::string role{};
  std::int64_t fallbacks = 0;
  std::vector<double> metrics{};
  std::string name{};
  bool ranked = true;
};

/// Where a match stands.
struct Place {
  std::string scenario;
  std::int64_t block = 0;
  std::string focal{};
  std::string cluster{};
  std::int64_t repeat = 0;
  std::int64_t position = 0;
  std::string record{};
  std::optional<std::int64_t> assignment{};  ///< without one, a match has its own
};

/// An archive in a folder of its own, filled match by match.
class Book {
 public:
  Book() : writer_(std::make_unique<archive::Writer>(path())) {}
  /// With one scenario of a game without metrics.
  Book(const std::string& scenario_name, const std::string& game_name) : Book() {
    scenario(scenario_name, game(game_name));
  }

  [[nodiscard]] std::filesystem::path path() const { return folder_ / "book.agon"; }

  std::int64_t game(const std::string& name, std::vector<archive::Metric> seat_metrics = {},
                    std::vector<archive::Metric> match_metrics = {}, int score_decimals = 0,
                    std::optional<double> score_min = {}, std::optional<double> score_max = {}) {
    archive::GameRow row;
    row.score_min = score_min;
    row.score_max = score_max;
    row.name = name;
    row.plugin = name;
    row.score_decimals = score_decimals;
    row.seat_metrics = std::move(seat_metrics);
    row.match_metrics = std::move(match_metrics);
    return writer_->game(row);
  }

  /// A scenario is known by the name that matches use; chance knows it by `chance`.
  void scenario(const std::string& name, std::int64_t game, const std::string& luck = {},
                const std::string& treatment = "{}", std::optional<std::uint64_t> seed = {}) {
    archive::ScenarioRow row;
    row.place = static_cast<std::int64_t>(scenarios_.size());
    row.name = luck.empty() ? name : luck;
    row.game = game;
    row.treatment = treatment;
    row.seed = seed;
    row.settings = writer_->store(
        "settings", R"({"settings":{"of":")" + name + R"(","treatment":)" + treatment + "}}");
    scenarios_.emplace_back(name, writer_->scenario(row));
  }

  std::int64_t agent(const std::string& name, const std::string& spec = {}) {
    const std::string text = spec.empty() ? "{\"rule\":\"" + name + "\"}" : spec;
    const auto [at, added] = agents_.try_emplace({name, text}, 0);
    if (added) at->second = writer_->agent({agon::hash::sha256(text), name, text});
    return at->second;
  }

  /// An agent with levels or labels; matches then name it as any other.
  void labelled(const std::string& name, const std::string& factors, const std::string& base = {},
                std::string spec = {}) {
    const std::string plain = "{\"rule\":\"" + name + "\"}";
    if (spec.empty()) spec = plain;
    archive::AgentRow row{agon::hash::sha256(name + spec), name, spec};
    row.factors = factors;
    row.family = base;
    agents_[{name, plain}] = writer_->agent(row);
  }

  void match(const Place& place, const std::vector<Seat>& seats,
             const std::vector<double>& metrics = {}) {
    archive::MatchRow row = empty_match(place, seats);
    row.metrics = metrics;
    for (const Seat& seat : seats) {
      archive::SeatRow& s = row.seats.emplace_back();
      s.name = seat.name;
      s.role = seat.role;
      s.agent = agent(seat.agent);
      s.payoff = seat.score;
      s.disagreement = seat.disagreement;
      s.ideal = seat.ideal;
      s.metrics = seat.metrics;
      s.fallbacks = seat.fallbacks;
      s.attempts[0] = 5;
      s.attempts[2] = 4 * seat.fallbacks;
      s.rank = 1;
      for (const Seat& other : seats) s.rank += other.score > seat.score ? 1 : 0;
      if (!seat.ranked) s.rank = 0;
    }
    writer_->write_finished(std::move(row));
  }

  void game_fault(const Place& place, const std::vector<std::string>& agents,
                  const std::string& fault, std::int64_t forced = 0) {
    archive::MatchRow row = empty_match(place, {});
    for (const std::string& name : agents) {
      row.seats.emplace_back().agent = agent(name);
      row.seats.back().fallbacks = forced;
    }
    row.status = archive::MatchStatus::game_error;
    row.fault = fault;
    writer_->write_finished(std::move(row));
  }

  void unfinished(const Place& place, const std::vector<std::string>& agents,
                  const std::string& reason) {
    archive::PartialMatch partial;
    const archive::MatchRow row = empty_match(place, {});
    partial.key = row.key;
    partial.focal = row.focal;
    for (const std::string& name : agents) {
      partial.agents.push_back(agent(name));
      partial.key.line_up += (partial.key.line_up.empty() ? "" : " + ") + name;
    }
    partial.reason = reason;
    writer_->save_partial(partial);
  }

  archive::Writer& writer() { return *writer_; }

  report::Results collect(const report::CollectOptions& options = {}) {
    writer_->flush();
    return report::collect(archive::Archive::open(path()), options);
  }
  report::ReportEstimates make(const report::ReportOptions& options = {},
                               const report::CollectOptions& collecting = {}) {
    return report::make(collect(collecting), options);
  }

 private:
  archive::MatchRow empty_match(const Place& place, const std::vector<Seat>& seats) {
    archive::MatchRow row;
    const auto digest = agon::hash::sha256("match " + std::to_string(matches_++));
    std::copy_n(digest.begin(), row.key.id.bytes.size(), row.key.id.bytes.begin());
    for (const auto& [name, number] : scenarios_)
      if (name == place.scenario) row.key.scenario = number;
    row.key.block = place.block;
    row.key.repeat = place.repeat;
    row.key.position = place.position;
    row.key.assignment = place.assignment.value_or(matches_);
    for (const Seat& seat : seats)
      row.key.line_up += (row.key.line_up.empty() ? "" : " + ") + seat.agent;
    if (!place.focal.empty()) row.focal = agent(place.focal);
    row.cluster = place.cluster;
    row.record = place.record;
    row.created = 1'795'178'096'789;
    return row;
  }

  archive_samples::Folder folder_;
  std::unique_ptr<archive::Writer> writer_;
  std::vector<std::pair<std::string, std::int64_t>> scenarios_;
  std::map<std::pair<std::string, std::string>, std::int64_t> agents_;  // by name and spec
  int matches_ = 0;
};

inline const report::LeaderRow& row_of(const report::ReportEstimates& report,
                                       const std::string& agent) {
  for (const auto& row : report.leaderboard.rows)
    if (row.agent == agent) return row;
  throw std::runtime_error("no row of " + agent);
}

/// What programs get of the report's sections of this id.
inline std::vector<report::ReportSection> sections_of(const report::ReportEstimates& made,
                                                      const std::string& id) {
  auto sections = report::document(made, report::Detail::data).sections;
  std::erase_if(sections, [&](const report::ReportSection& section) { return section.id != id; });
  return sections;
}

/// All figures of an agent and a metric in such sections.
inline std::vector<boost::json::object> figures_of(const report::ReportEstimates& made,
                                                   const std::string& section,
                                                   const std::string& agent,
                                                   const std::string& metric) {
  return agon::test::figures(data_of(made),
                             {{"section", section}, {"agent", agent}, {"metric", metric}});
}

/// The only one.
inline boost::json::object figure_of(const report::ReportEstimates& made,
                                     const std::string& section, const std::string& agent,
                                     const std::string& metric) {
  return agon::test::figure(data_of(made),
                            {{"section", section}, {"agent", agent}, {"metric", metric}});
}

/// Its value.
inline double value_of(const report::ReportEstimates& made, const std::string& section,
                       const std::string& agent, const std::string& metric) {
  return figure_of(made, section, agent, metric).at("value").as_double();
}

inline double score_of(const report::ReportEstimates& report, const std::string& agent) {
  return row_of(report, agent).score.value.value();
}

}  // namespace report_samples

// Answers to questions of suites, scored against the record.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "report/estimates.hpp"
#include "report/sections/sections.hpp"
#include "results/probe_answers.hpp"
#include "stats/contrasts.hpp"

namespace agon::report {
namespace {

/// Bins of a calibration curve.
constexpr std::size_t kBins = 10;

/// Of one agent at one probe.
struct ProbeTally {
  std::size_t scored = 0, unscored = 0, declined = 0;
  std::map<std::string_view, std::array<stats::RatioTerm, 3>> rules;  ///< own, base, difference
  std::array<stats::RatioTerm, kBins> came_true{};
  std::array<double, kBins> said{};
};

/// The names of agents as tables show them.
using ShownAgents = std::map<std::string, std::string>;

std::string shown_as(const ShownAgents& shown, const std::string& agent) {
  const auto found = shown.find(agent);
  return found == shown.end() ? agent : found->second;
}

/// By probe and agent.
using ProbeTallies = std::map<std::pair<std::string, std::string>, ProbeTally>;

void add(stats::RatioTerm& term, std::size_t units, std::size_t unit, double value) {
  if (term.numerator.empty()) term = stats::ratio_over(units);
  term.numerator[unit] += value;
  term.denominator[unit] += 1;
}

stats::StratumCell cell_of(const stats::RatioTerm& term, bool difference) {
  stats::StratumCell cell;
  cell.difference = difference;
  cell.terms = {term};
  cell.units = static_cast<std::size_t>(
      std::ranges::count_if(term.denominator, [](double count) { return count > 0; }));
  cell.blocks = cell.units;
  return cell;
}

/// The answers of one scenario.
class ProbedAnswers {
 public:
  explicit ProbedAnswers(const std::vector<const ProbeAnswer*>& answers) {
    std::map<std::pair<std::string, std::int64_t>, std::size_t> units;
    for (const ProbeAnswer* each : answers)
      units.try_emplace({each->draws, each->block}, units.size());
    units_ = units.size();
    for (const ProbeAnswer* each : answers) add_answer(*each, units.at({each->draws, each->block}));
  }

  [[nodiscard]] const ProbeTallies& tallies() const { return tallies_; }
  [[nodiscard]] stats::Estimate estimate(const stats::RatioTerm& term, bool difference,
                                         const stats::IntervalOptions& options) const {
    if (term.numerator.empty()) return {};
    return estimates_of(units_, {cell_of(term, difference)}, options).front();
  }

 private:
  void add_answer(const ProbeAnswer& each, std::size_t unit) {
    ProbeTally& tally = tallies_[{each.probe, each.agent}];
    if (each.declined) {
      ++tally.declined;
    } else if (each.scores.empty()) {
      ++tally.unscored;
    } else {
      ++tally.scored;
    }
    for (const ProbeScore& score : each.scores) {
      auto& terms = tally.rules[score.rule];
      add(terms[0], units_, unit, score.own);
      if (!score.base) continue;
      add(terms[1], units_, unit, *score.base);
      add(terms[2], units_, unit, score.own - *score.base);
    }
    for (const auto& [probability, came_true] : each.forecasts) {
      const auto bin =
          std::min(static_cast<std::size_t>(probability * static_cast<double>(kBins)), kBins - 1);
      add(tally.came_true[bin], units_, unit, came_true ? 1 : 0);
      tally.said[bin] += probability;
    }
  }

  std::size_t units_ = 0;
  ProbeTallies tallies_;
};

ReportTable empty_table(const Subject& about) {
  ReportTable table{.about = about, .fixed = 3};
  const auto column = [&](const std::string& header, const std::string& metric) {
    table.columns.push_back(number_column(header, metric));
  };
  table.columns = {
      {.header = "probe", .key = true}, agent_column(), {.header = "rule", .key = true}};
  column("answers", "answers");
  column("score", "probe_score");
  column("base rate", "probe_base_rate");
  table.columns.push_back({.header = "difference", .about = {.metric = "probe_difference"}});
  column("unscored", "unscored");
  column("declined", "declined");
  table.columns.push_back(units_column());
  return table;
}

/// A row for each rule, or one for answers that none says anything of.
void add_rows(ReportTable& table, const ProbedAnswers& answers, const ShownAgents& shown,
              const stats::IntervalOptions& options) {
  for (const auto& [key, tally] : answers.tallies()) {
    const auto& [probe, agent] = key;
    const auto start = [&, &probe = probe, &agent = agent,
                        &tally = tally](std::string_view rule) -> ReportRow& {
      ReportRow& row = table.rows.emplace_back();
      row.about = {.agent = agent,
                   .metric = {},
                   .better = rule.empty()    ? ""
                             : is_loss(rule) ? "lower"
                                             : "higher"};
      row.about.row = probe;
      row.about.column = rule;
      row.cells = {probe, shown_as(shown, agent), std::string(rule), whole(tally.scored)};
      return row;
    };
    const auto finish = [&, &tally = tally](ReportRow& row, std::size_t units) {
      row.cells.insert(row.cells.end(),
                       {whole(tally.unscored), whole(tally.declined), whole(units)});
      row.units = units;
    };
    for (const auto& [rule, terms] : tally.rules) {
      const stats::Estimate own = answers.estimate(terms[0], false, options);
      const stats::Estimate base = answers.estimate(terms[1], false, options);
      ReportRow& row = start(rule);
      const int decimals = std::min(3, decimals_for(own.value.value_or(0)));
      row.cells.insert(row.cells.end(),
                       {number(own.value, decimals), number(base.value, decimals),
                        figure(answers.estimate(terms[2], true, options), decimals, true)});
      finish(row, own.units);
    }
    if (!tally.rules.empty()) continue;
    ReportRow& row = start("");
    row.cells.insert(row.cells.end(), {NoFigure{}, NoFigure{}, NoFigure{}});
    finish(row, 0);
  }
}

/// How often what was said with a probability came true: a curve an agent and probe.
void add_calibration(ReportSection& section, const Subject& about, const ProbedAnswers& answers,
                     const ShownAgents& shown, const stats::IntervalOptions& options) {
  std::map<std::string, Plot> plots;
  for (const auto& [key, tally] : answers.tallies()) {
    PlotSeries series{.name = key.first + ", " + shown_as(shown, key.second),
                      .about = about,
                      .x = {"probability that was said"},
                      .y = {"share that came true"}};
    series.about.agent = key.second;
    series.about.row = key.first;
    series.about.metric = "came_true";
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      const stats::RatioTerm& term = tally.came_true[bin];
      if (term.numerator.empty()) continue;
      double count = 0;
      for (const double n : term.denominator) count += n;
      Estimated share{.estimate = answers.estimate(term, false, options), .decimals = 3};
      if (auto& interval = share.estimate.interval)
        interval = stats::Interval{std::max(interval->low, 0.0), std::min(interval->high, 1.0)};
      series.points.push_back({tally.said[bin] / count, std::move(share)});
    }
    if (series.points.empty()) continue;
    const auto [plot, is_new] = plots.try_emplace(key.first);
    if (is_new)
      plot->second = {.name = "calibration-" + key.first,
                      .title = "How often what agents said about '" + key.first + "' came true.",
                      .drawing = Drawing::curves};
    plot->second.columns.push_back(section.series.size());
    section.series.push_back(std::move(series));
  }
  for (auto& [probe, plot] : plots) {
    PlotSeries exact{.name = probe + ", as said",
                     .about = about,
                     .x = {"probability that was said"},
                     .y = {"share that came true"}};
    for (const double at : {0.0, 1.0}) {
      Estimated figure;
      figure.estimate.value = at;
      figure.estimate.note = stats::Note::none;
      exact.points.push_back({at, std::move(figure)});
    }
    exact.about.row = probe;
    exact.theory = true;
    plot.columns.push_back(section.series.size());
    section.series.push_back(std::move(exact));
    section.plots.push_back(std::move(plot));
  }
}

}  // namespace

std::vector<ReportSection> probe_sections(const archive::Archive& archive, const Results& results,
                                          const stats::IntervalOptions& options) {
  const std::vector<ProbeAnswer> all = probe_answers(archive, results.apart);
  std::map<std::string, std::string> shown;
  for (const AgentFacts& facts : results.facts) shown[facts.name] = facts.shown;
  std::map<std::pair<std::string, std::string>, std::vector<const ProbeAnswer*>> scenarios;
  for (const ProbeAnswer& each : all) scenarios[{each.game, each.scenario}].push_back(&each);
  std::vector<ReportSection> sections;
  for (const auto& [key, answers] : scenarios) {
    const ProbedAnswers scenario(answers);
    const Subject about{.game = key.first, .treatment = key.second};
    ReportSection& section = sections.emplace_back();
    section.id = "probes";
    section.title = "Probes: " + key.second;
    section.explanation =
        "Answers to questions that the suite asks, against what the record says. Brier, log, "
        "absolute error and interval score are losses: lower is better; right is the share of "
        "right choices. Base rate: the same of what came true in the other blocks (frequencies "
        "with one more of each, the median, quantiles). Difference: score less base rate, with "
        "the block as the unit (n). Unscored: the record has no truth.";
    section.method = stats::interval_method;
    section.tables.push_back(empty_table(about));
    add_rows(section.tables.back(), scenario, shown, options);
    add_calibration(section, about, scenario, shown, options);
  }
  return sections;
}

}  // namespace agon::report

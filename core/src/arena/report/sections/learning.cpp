#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/estimates.hpp"
#include "report/sections/sections.hpp"
#include "stats/contrasts.hpp"

namespace agon::report {
namespace {

/// What one agent got at every position, by bin.
using Course = std::map<std::size_t, std::vector<const PositionUnit*>>;

enum class Measure : std::uint8_t { rank, score };

/// The sequences of one treatment as bootstrap cells.
class Sequences {
 public:
  Sequences(const GameResults& game, std::size_t treatment) {
    std::set<std::size_t> bins;
    for (const PositionUnit& unit : game.positions)
      if (unit.treatment == treatment) length_ = std::max(length_, unit.position + 1);
    for (const PositionUnit& unit : game.positions) {
      if (unit.treatment != treatment) continue;
      auto& positions = agents_[unit.agent][unit.bin];
      positions.resize(length_);
      positions[unit.position] = &unit;
      bins.insert(unit.bin);
    }
    units_ = units_of(game, &bins);
  }

  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::size_t units() const { return units_.count; }
  [[nodiscard]] const std::map<std::size_t, Course>& agents() const { return agents_; }

  /// The least-squares slope over positions, as a weighted sum of the means at each. `less` is
  /// subtracted, on the bins that both have.
  [[nodiscard]] stats::StratumCell slope(const Course& course, const Course* less,
                                         Measure measure) const {
    stats::StratumCell cell;
    cell.difference = true;
    std::set<std::size_t> bins;
    std::set<std::size_t> units;
    for (const auto& [bin, positions] : course) {
      if (!says(positions, measure)) continue;
      if (less != nullptr) {
        const auto other = less->find(bin);
        if (other == less->end() || !says(other->second, measure)) continue;
      }
      bins.insert(bin);
      units.insert(units_.of_bin[bin]);
    }
    cell.blocks = bins.size();
    cell.units = units.size();
    if (bins.empty()) return cell;
    const double middle = static_cast<double>(length_ - 1) / 2;
    double squares = 0;
    for (std::size_t p = 0; p < length_; ++p) {
      const double apart = static_cast<double>(p) - middle;
      squares += apart * apart;
    }
    for (std::size_t p = 0; p < length_; ++p) {
      const double weight = (static_cast<double>(p) - middle) / squares;
      if (weight == 0) continue;
      cell.terms.push_back(term(course, bins, p, measure, weight));
      if (less != nullptr) cell.terms.push_back(term(*less, bins, p, measure, -weight));
    }
    return cell;
  }

  /// The mean rank, or the ratio of sums, at one position.
  [[nodiscard]] static std::optional<double> mean(const Course& course, std::size_t position,
                                                  Measure measure) {
    double above = 0;
    double below = 0;
    for (const auto& [bin, positions] : course) {
      const auto [n, d] = values(*positions[position], measure);
      above += n;
      below += d;
    }
    if (!(below > 0)) return std::nullopt;
    return above / below;
  }

 private:
  /// False for scores of sequences without a scale.
  static bool says(const std::vector<const PositionUnit*>& positions, Measure measure) {
    return std::ranges::any_of(
        positions, [&](const PositionUnit* unit) { return values(*unit, measure).second > 0; });
  }

  static std::pair<double, double> values(const PositionUnit& unit, Measure measure) {
    if (measure == Measure::rank) return {unit.rank.total, unit.rank.count};
    return {unit.gain, unit.pie};
  }

  [[nodiscard]] stats::RatioTerm term(const Course& course, const std::set<std::size_t>& bins,
                                      std::size_t position, Measure measure, double weight) const {
    stats::RatioTerm out = stats::ratio_over(units_.count, weight);
    for (const std::size_t bin : bins) {
      const auto [n, d] = values(*course.at(bin)[position], measure);
      const std::size_t unit = units_.of_bin[bin];
      out.numerator[unit] += n;
      out.denominator[unit] += d;
    }
    return out;
  }

  std::size_t length_ = 0;
  std::map<std::size_t, Course> agents_;
  Units units_;
};

/// One agent over the sequences of a scenario under a treatment.
struct LearningRow {
  std::string agent;
  const Course* course;
  std::array<stats::Estimate, 2> slope;       ///< by Measure: change a match
  std::array<stats::Estimate, 2> difference;  ///< minus the reference's, on shared sequences
};

/// By agent. An agent that is not compared has no difference.
std::vector<LearningRow> rows_of(const ReportEstimates& report, const Sequences& sequences) {
  const Results& results = report.results;
  const auto is_compared = [&](const std::string& agent) {
    return !results.against_others.contains(agent);
  };
  const Course* reference = nullptr;
  for (const auto& [agent, course] : sequences.agents())
    if (results.agents[agent] == report.options.reference && is_compared(results.agents[agent]))
      reference = &course;
  std::vector<stats::StratumCell> cells;
  std::vector<LearningRow> rows;
  for (const auto& [agent, course] : sequences.agents()) {
    rows.push_back({results.agents[agent], &course, {}, {}});
    const bool compared =
        reference != nullptr && reference != &course && is_compared(results.agents[agent]);
    for (const Measure measure : {Measure::rank, Measure::score}) {
      cells.push_back(sequences.slope(course, nullptr, measure));
      cells.push_back(compared ? sequences.slope(course, reference, measure)
                               : stats::StratumCell{});
    }
  }
  const auto estimates = estimates_of(sequences.units(), std::move(cells),
                                      report.options.intervals(report.options.resamples));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t m = 0; m < 2; ++m) {
      rows[r].slope[m] = estimates[4 * r + 2 * m];
      rows[r].difference[m] = estimates[4 * r + 2 * m + 1];
    }
  return rows;
}

/// Adds a table of one measure, its curves (n: sequences, as for the slope) and their plot.
void add_measure(const ReportEstimates& report, ReportSection& section, const Subject& scope,
                 std::size_t length, const std::vector<LearningRow>& rows, Measure measure) {
  const bool ranks = measure == Measure::rank;
  const auto m = static_cast<std::size_t>(measure);
  const std::string& reference = report.options.reference;
  const bool compared = rows.size() > 1 && std::ranges::any_of(rows, [&](const auto& row) {
                          return row.agent == reference;
                        });
  const std::string metric = ranks ? "rank" : "score";
  ReportTable table{.title = metric, .about = scope, .fixed = 1};
  table.about.metric = ranks ? "rank" : "normalized_score";
  table.columns = {agent_column(metric + " by match")};
  for (std::size_t p = 1; p <= length; ++p)
    table.columns.push_back({.header = std::to_string(p),
                             .align = text::Align::right,
                             .about = {.position = static_cast<double>(p)}});
  table.columns.push_back({.header = "change a match", .about = {.metric = metric + "_slope"}});
  if (compared)
    table.columns.push_back(
        {.header = "vs. " + shown_agent(report, reference),
         .about = {.other = reference, .metric = metric + "_slope_difference"}});
  table.columns.push_back(units_column());
  Plot plot{.name = metric,
            .title = "Mean " + metric + " by place in the sequence.",
            .drawing = Drawing::curves};
  Sides change;
  for (const LearningRow& row : rows) {
    ReportRow& out = table.rows.emplace_back();
    out.about.agent = row.agent;
    out.cells = {shown_agent(report, row.agent)};
    change.add(quoted(report, row.agent), row.slope[m].interval);
    plot.columns.push_back(section.series.size());
    PlotSeries& series = section.series.emplace_back();
    series = {.name = metric + " of " + row.agent,
              .about = table.about,
              .x = {"match"},
              .y = {"mean " + std::string(ranks ? "rank" : "normalised score")},
              .in_table = true};
    series.about.agent = row.agent;
    for (std::size_t p = 0; p < length; ++p) {
      const auto mean = Sequences::mean(*row.course, p, measure);
      out.cells.push_back(number(mean, ranks ? 2 : 3));
      Estimated figure;
      figure.estimate.value = mean;
      figure.estimate.units = row.slope[m].units;
      figure.estimate.note = stats::Note::none;
      series.points.push_back({static_cast<double>(p + 1), std::move(figure)});
    }
    out.cells.push_back(figure(row.slope[m], 3, true));
    if (compared)
      out.cells.push_back(row.agent == reference ? ReportCell(NoFigure{"reference"})
                                                 : figure(row.difference[m], 3, true));
    out.cells.push_back(whole(row.slope[m].blocks));
  }
  section.tables.push_back(std::move(table));
  if (ranks) std::swap(change.above, change.below);  // a lower rank is better
  say_found(plot, change.words({"better from match to match", "worse from match to match",
                                "not found to change"}));
  section.plots.push_back(std::move(plot));
}

ReportSection learning_section(const ReportEstimates& report, const GameResults& game,
                               const std::string& label, const Sequences& sequences) {
  const std::size_t length = sequences.length();
  std::vector<LearningRow> rows = rows_of(report, sequences);
  std::size_t statements = 0;
  bool scored = false;
  for (const LearningRow& row : rows) {
    for (const auto* slopes : {&row.slope, &row.difference})
      for (const stats::Estimate& slope : *slopes) statements += slope.interval ? 1 : 0;
    scored = scored || row.slope[static_cast<std::size_t>(Measure::score)].value;
  }
  std::ranges::sort(rows,
                    [](const LearningRow& a, const LearningRow& b) { return a.agent < b.agent; });
  ReportSection section;
  section.id = "learning";
  section.title = fmt::format("Learning over {} matches: {}, {}", length, game.name, label);
  section.explanation =
      "Mean rank and normalised score by place in the sequence. Change: the least-squares slope "
      "over places, with the sequence as the unit (n); a falling rank is an improvement. " +
      each_by_itself(statements, report.options.level);
  section.method = stats::interval_method;
  const Subject scope{.game = game.name, .treatment = label};
  add_measure(report, section, scope, length, rows, Measure::rank);
  if (scored) add_measure(report, section, scope, length, rows, Measure::score);
  return section;
}

}  // namespace

std::vector<ReportSection> learning_sections(const ReportEstimates& report) {
  std::vector<ReportSection> sections;
  for (const GameResults& game : report.results.games)
    for (std::size_t t = 0; t < game.treatments.size(); ++t)
      if (const Sequences sequences(game, t); sequences.length() > 1)
        sections.push_back(learning_section(report, game, game.treatments[t].label, sequences));
  return sections;
}

}  // namespace agon::report

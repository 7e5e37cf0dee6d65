#include <algorithm>
#include <map>
#include <set>

#include "report/estimates.hpp"
#include "stats/contrasts.hpp"

namespace agon::report {
namespace {

/// What one agent got at every position, by bin.
using Course = std::map<std::size_t, std::vector<const PositionUnit*>>;

enum class Measure : std::uint8_t { rank, score };

/// The sequences of one treatment as bootstrap cells.
class Sequences {
 public:
  Sequences(const GameResults& game, std::size_t treatment) : game_(game) {
    for (const PositionUnit& unit : game.positions)
      if (unit.treatment == treatment) length_ = std::max(length_, unit.position + 1);
    for (const PositionUnit& unit : game.positions) {
      if (unit.treatment != treatment) continue;
      auto& positions = agents_[unit.agent][unit.bin];
      positions.resize(length_);
      positions[unit.position] = &unit;
      places_.try_emplace(unit_of(unit.bin), 0);
    }
    std::size_t next = 0;
    for (auto& [name, place] : places_) place = next++;
  }

  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::size_t units() const { return places_.size(); }
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
      units.insert(places_.at(unit_of(bin)));
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
  [[nodiscard]] std::string unit_of(std::size_t bin) const {
    const Bin& at = game_.bins[bin];
    return at.cluster.empty() ? "block " + at.name : "item " + at.cluster;
  }

  /// False for scores of sequences without a scale.
  static bool says(const std::vector<const PositionUnit*>& positions, Measure measure) {
    return std::any_of(positions.begin(), positions.end(),
                       [&](const PositionUnit* unit) { return values(*unit, measure).second > 0; });
  }

  static std::pair<double, double> values(const PositionUnit& unit, Measure measure) {
    if (measure == Measure::rank) return {unit.rank.total, unit.rank.count};
    return {unit.gain, unit.pie};
  }

  [[nodiscard]] stats::RatioTerm term(const Course& course, const std::set<std::size_t>& bins,
                                      std::size_t position, Measure measure, double weight) const {
    stats::RatioTerm out;
    out.weight = weight;
    out.numerator.resize(places_.size());
    out.denominator.resize(places_.size());
    for (const std::size_t bin : bins) {
      const auto [n, d] = values(*course.at(bin)[position], measure);
      const std::size_t unit = places_.at(unit_of(bin));
      out.numerator[unit] += n;
      out.denominator[unit] += d;
    }
    return out;
  }

  const GameResults& game_;
  std::size_t length_ = 0;
  std::map<std::size_t, Course> agents_;
  std::map<std::string, std::size_t> places_;  // of units
};

LearningTable table_of(const Results& results, const GameResults& game, std::size_t treatment,
                       const Sequences& sequences, const ReportOptions& options) {
  LearningTable table;
  table.game = game.name;
  table.label = game.treatments[treatment].label;
  table.length = sequences.length();
  const Course* reference = nullptr;
  for (const auto& [agent, course] : sequences.agents())
    if (results.agents[agent] == options.reference &&
        !results.against_others.contains(options.reference))
      reference = &course;
  stats::ContrastProblem problem;
  problem.units = {sequences.units()};
  const auto add = [&](stats::StratumCell cell) {
    problem.cells.push_back(std::move(cell));
    problem.contrasts.push_back({{problem.cells.size() - 1, 1.0}});
  };
  for (const auto& [agent, course] : sequences.agents()) {
    LearningRow& row = table.rows.emplace_back();
    row.agent = results.agents[agent];
    for (std::size_t p = 0; p < table.length; ++p) {
      row.ranks.push_back(Sequences::mean(course, p, Measure::rank));
      row.scores.push_back(Sequences::mean(course, p, Measure::score));
    }
    const bool compared =
        reference != nullptr && reference != &course && !results.against_others.contains(row.agent);
    for (const Measure measure : {Measure::rank, Measure::score}) {
      add(sequences.slope(course, nullptr, measure));
      add(compared ? sequences.slope(course, reference, measure) : stats::StratumCell{});
    }
  }
  stats::IntervalOptions bootstrap;
  bootstrap.level = options.level;
  bootstrap.resamples = options.resamples;
  bootstrap.seed = options.seed;
  const auto estimates = stats::ContrastEstimates(problem, bootstrap).estimates();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    table.rows[r].rank_slope = estimates[4 * r];
    table.rows[r].rank_slope_difference = estimates[4 * r + 1];
    table.rows[r].score_slope = estimates[4 * r + 2];
    table.rows[r].score_slope_difference = estimates[4 * r + 3];
  }
  std::sort(table.rows.begin(), table.rows.end(),
            [](const LearningRow& a, const LearningRow& b) { return a.agent < b.agent; });
  return table;
}

}  // namespace

std::vector<LearningTable> make_learning(const Results& results, const ReportOptions& options) {
  std::vector<LearningTable> tables;
  for (const GameResults& game : results.games) {
    for (std::size_t t = 0; t < game.treatments.size(); ++t) {
      const Sequences sequences(game, t);
      if (sequences.length() < 2) continue;
      tables.push_back(table_of(results, game, t, sequences, options));
    }
  }
  return tables;
}

}  // namespace agon::report

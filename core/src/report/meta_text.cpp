#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "json/write.hpp"
#include "report/meta.hpp"
#include "report/numbers.hpp"
#include "report/wide_table.hpp"
#include "text/counted.hpp"
#include "text/table.hpp"
#include "text/utf8.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

constexpr std::size_t meta_page = 100;

std::string shown_figure(const Figure& figure, int decimals) {
  if (std::isnan(figure.value)) return "-";
  std::string words = fixed(figure.value, decimals);
  if (!std::isnan(figure.low))
    words += " " + interval(stats::Interval{figure.low, figure.high}, decimals);
  return words;
}

/// "use 1/3 (0.333), not 2/3 (0.667)"; long fractions are left out.
std::string shown_mixture(const theory::MixedStrategy& strategy,
                          const std::vector<std::string>& levels) {
  constexpr std::size_t longest = 9;
  std::string words;
  for (std::size_t i = 0; i < strategy.size(); ++i) {
    if (strategy[i].value == 0) continue;
    words += (words.empty() ? "" : ", ") + levels[i] + " ";
    if (strategy[i].value == 1)
      words += "always";
    else if (strategy[i].text.size() <= longest)
      words += fmt::format("{} ({})", strategy[i].text, fixed(strategy[i].value, 3));
    else
      words += fixed(strategy[i].value, 3);
  }
  return words;
}

class MetaText {
 public:
  MetaText(const MetaReport& report, bool colour) : report_(report), colour_(colour) {}

  std::string write() {
    for (const MetaMatrix& matrix : report_.matrices) add(matrix);
    heading("How to read this");
    line(
        fmt::format("Each table is the game of two owners who choose '{}' for their agent. Cells: "
                    "mean scores, the row's seat first; * marks pure equilibria of the means.",
                    report_.factor));
    line(
        fmt::format("Intervals at {:g}% over blocks; faults counted {}. Held in: share of {} "
                    "resamples of the blocks in which it is an equilibrium too.",
                    100 * report_.level, name(report_.policy), report_.resamples));
    line(
        "Agents are of one base if their other labels, factors and suite entry agree, or, without "
        "any, the name of their model.");
    if (report_.other_bases > 0)
      line("Not counted: " + text::counted(report_.other_bases, "match", "matches") +
           " between agents of different bases.");
    if (report_.unlabelled > 0)
      line("Not counted: " + text::counted(report_.unlabelled, "match", "matches") +
           " with an agent that lacks the label.");
    if (report_.other_seats > 0)
      line("Not counted: " + text::counted(report_.other_seats, "match", "matches") +
           " of more or fewer than two seats.");
    if (report_.excluded > 0)
      line("Not counted: " + text::counted(report_.excluded, "match", "matches") +
           " in blocks with a forced answer.");
    return std::move(out_);
  }

 private:
  void heading(const std::string& title) {
    if (!out_.empty()) out_ += '\n';
    const std::string shown = text::printable(title);
    out_ += colour_ ? "\x1b[1m" + shown + "\x1b[0m\n" : shown + "\n";
  }

  void line(const std::string& words) {
    std::string row = "  -";
    const std::string shown = text::printable(words);
    for (std::size_t at = 0; at < shown.size();) {
      const std::size_t end = std::min(shown.find(' ', at), shown.size());
      if (text::width(row) + 1 + (end - at) > meta_page) {
        out_ += row + '\n';
        row = "   ";
      }
      row += ' ' + shown.substr(at, end - at);
      at = end + 1;
    }
    out_ += row + '\n';
  }

  void add(const MetaMatrix& m) {
    heading(m.label + (m.base.empty() ? "" : ": " + m.base) +
            (m.treatments > 1 ? fmt::format(", over {} treatments", m.treatments) : ""));
    double largest = 0;
    for (const MetaCell& cell : m.cells)
      for (const Figure& score : cell.score)
        if (!std::isnan(score.value)) largest = std::max(largest, std::abs(score.value));
    const int decimals = std::max(std::min(decimals_for(largest), 2), m.decimals);
    matrix_table(m, decimals);
    cell_table(m, decimals);
    if (m.levels.size() < 2)
      line(
          fmt::format("Only one level is known here: '{}'. Label another agent of this base, and "
                      "play the two against each other and themselves.",
                      m.levels.front()));
    for (const auto& [row, column] : m.missing)
      line(
          fmt::format("No match has '{}' on seat {} and '{}' on seat {}: add the line-up [\"{}\", "
                      "\"{}\"] to a \"fixed\" design, in this order of seats too, and run again.",
                      m.levels[row], seat(m, 0), m.levels[column], seat(m, 1), m.agents[row],
                      m.agents[column]));
    if (m.missing.empty() && m.levels.size() > 1) equilibria(m, decimals);
  }

  static std::string seat(const MetaMatrix& m, std::size_t s) {
    return fmt::format("{} ({})", s, m.seats[s]);
  }

  void matrix_table(const MetaMatrix& m, int decimals) {
    std::vector<text::Column> columns;
    for (const std::string& level : m.levels) columns.push_back({m.seats[1] + ": " + level});
    WideTable table({{""}}, columns);
    const std::size_t k = m.levels.size();
    for (std::size_t row = 0; row < k; ++row) {
      std::vector<std::string> cells{m.seats[0] + ": " + m.levels[row]};
      for (std::size_t column = 0; column < k; ++column) {
        const MetaCell& cell = m.cells[row * k + column];
        std::string words = "-";
        if (!std::isnan(cell.score[0].value))
          words =
              fixed(cell.score[0].value, decimals) + ", " + fixed(cell.score[1].value, decimals);
        for (const MetaPure& pure : m.pure)
          if (pure.row == row && pure.column == column) words += " *";
        cells.push_back(words);
      }
      table.add(std::move(cells));
    }
    out_ += '\n' + table.str(2, meta_page);
  }

  void cell_table(const MetaMatrix& m, int decimals) {
    text::Table table({{m.seats[0]},
                       {m.seats[1]},
                       {"score of " + m.seats[0]},
                       {"score of " + m.seats[1]},
                       {"matches", text::Align::right},
                       {"blocks", text::Align::right}});
    const std::size_t k = m.levels.size();
    for (std::size_t i = 0; i < m.cells.size(); ++i) {
      const MetaCell& cell = m.cells[i];
      const bool played = !std::isnan(cell.score[0].value);
      table.add({m.levels[i / k], m.levels[i % k], shown_figure(cell.score[0], decimals),
                 shown_figure(cell.score[1], decimals),
                 played ? fmt::format("{:g}", cell.score[0].n) : "0", std::to_string(cell.blocks)});
    }
    out_ += '\n' + table.str(2) + '\n';
  }

  void equilibria(const MetaMatrix& m, int decimals) {
    if (m.pure.empty()) line("No pure equilibrium.");
    for (const MetaPure& pure : m.pure)
      line(fmt::format(
          "Pure equilibrium: ({}, {}){}.", m.levels[pure.row], m.levels[pure.column],
          pure.stability ? fmt::format(", held in {}%", fixed(100 * *pure.stability, 0)) : ""));
    for (const auto& found : m.mixed)
      line(fmt::format(
          "Mixed equilibrium: {} plays {}; {} plays {}; expected {}, {}.", m.seats[0],
          shown_mixture(found.first, m.levels), m.seats[1], shown_mixture(found.second, m.levels),
          fixed(found.first_payoff.value, decimals), fixed(found.second_payoff.value, decimals)));
    if (!m.mixed_note.empty()) line("Mixed equilibria are missing: " + m.mixed_note + ".");
  }

  const MetaReport& report_;
  bool colour_;
  std::string out_;
};

bj::value number(double value) {
  return std::isnan(value) ? bj::value(nullptr) : bj::value(value);
}

bj::object figure_json(const Figure& figure) {
  bj::object out{{"mean", number(figure.value)}};
  out["interval"] = std::isnan(figure.low)
                        ? bj::value(nullptr)
                        : bj::value(bj::array{number(figure.low), number(figure.high)});
  return out;
}

bj::array strategy_json(const theory::MixedStrategy& strategy) {
  bj::array list;
  for (const auto& weight : strategy)
    list.emplace_back(bj::object{{"share", weight.value}, {"exact", weight.text}});
  return list;
}

bj::object matrix_json(const MetaMatrix& m) {
  bj::array levels;
  for (const std::string& level : m.levels) levels.emplace_back(level);
  bj::array cells;
  const std::size_t k = m.levels.size();
  for (std::size_t i = 0; i < m.cells.size(); ++i) {
    const MetaCell& cell = m.cells[i];
    const double n = cell.score[0].n;
    cells.emplace_back(
        bj::object{{"levels", bj::array{bj::value(m.levels[i / k]), bj::value(m.levels[i % k])}},
                   {"scores", bj::array{figure_json(cell.score[0]), figure_json(cell.score[1])}},
                   {"matches", std::isnan(n) ? 0 : static_cast<std::int64_t>(n)},
                   {"blocks", static_cast<std::int64_t>(cell.blocks)}});
  }
  bj::array missing;
  for (const auto& [row, column] : m.missing)
    missing.emplace_back(
        bj::object{{"levels", bj::array{bj::value(m.levels[row]), bj::value(m.levels[column])}},
                   {"line_up", bj::array{bj::value(m.agents[row]), bj::value(m.agents[column])}}});
  bj::array pure;
  for (const MetaPure& found : m.pure)
    pure.emplace_back(bj::object{
        {"levels", bj::array{bj::value(m.levels[found.row]), bj::value(m.levels[found.column])}},
        {"held_in", found.stability ? bj::value(*found.stability) : bj::value(nullptr)}});
  bj::array mixed;
  for (const auto& found : m.mixed)
    mixed.emplace_back(bj::object{
        {"strategies", bj::array{strategy_json(found.first), strategy_json(found.second)}},
        {"expected", bj::array{found.first_payoff.value, found.second_payoff.value}}});
  return {{"game", m.game},
          {"label", m.label},
          {"treatments", static_cast<std::int64_t>(m.treatments)},
          {"base", m.base},
          {"seats", bj::array{bj::value(m.seats[0]), bj::value(m.seats[1])}},
          {"levels", std::move(levels)},
          {"cells", std::move(cells)},
          {"missing", std::move(missing)},
          {"pure_equilibria", std::move(pure)},
          {"mixed_equilibria", std::move(mixed)},
          {"mixed_note", m.mixed_note}};
}

}  // namespace

std::string text(const MetaReport& report, bool colour) {
  return MetaText(report, colour).write();
}

std::string json(const MetaReport& report) {
  bj::array matrices;
  for (const MetaMatrix& matrix : report.matrices) matrices.emplace_back(matrix_json(matrix));
  return json::write_pretty(
      bj::object{{"format", "agon.meta"},
                 {"version", 1},
                 {"factor", report.factor},
                 {"policy", name(report.policy)},
                 {"level", report.level},
                 {"resamples", static_cast<std::int64_t>(report.resamples)},
                 {"matrices", std::move(matrices)},
                 {"matches_of_different_bases", static_cast<std::int64_t>(report.other_bases)},
                 {"matches_without_label", static_cast<std::int64_t>(report.unlabelled)},
                 {"matches_of_other_seats", static_cast<std::int64_t>(report.other_seats)},
                 {"matches_excluded", static_cast<std::int64_t>(report.excluded)}});
}

}  // namespace agon::report

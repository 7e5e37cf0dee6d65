#include <fmt/format.h>

#include <cmath>

#include "report/meta.hpp"
#include "report/numbers.hpp"
#include "report/render.hpp"
#include "report/sections.hpp"
#include "text/counted.hpp"

namespace agon::report {
namespace {

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

Cell mean_cell(const Figure& mean, std::size_t blocks, int decimals) {
  if (std::isnan(mean.value)) return Missing{};
  Estimated cell{.decimals = decimals, .out_of = {}};
  cell.estimate.value = mean.value;
  if (!std::isnan(mean.low)) cell.estimate.interval = stats::Interval{mean.low, mean.high};
  cell.estimate.units = blocks;
  cell.estimate.note = stats::Note::none;
  return cell;
}

std::string seat_words(const MetaMatrix& m, std::size_t seat) {
  return fmt::format("{} ({})", seat, m.seats[seat]);
}

/// The game of one matrix: means for people, its cells, and its equilibria in words and as data.
class MatrixSections {
 public:
  explicit MatrixSections(const MetaMatrix& matrix) : m_(matrix), k_(matrix.levels.size()) {
    double largest = 0;
    for (const MetaCell& cell : m_.cells)
      for (const Figure& score : cell.score)
        if (!std::isnan(score.value)) largest = std::max(largest, std::abs(score.value));
    decimals_ = std::max(std::min(decimals_for(largest), 2), m_.decimals);
  }

  [[nodiscard]] std::vector<Section> all() const {
    Section payoffs;
    payoffs.id = "payoffs";
    payoffs.title = m_.label + (m_.base.empty() ? "" : ": " + m_.base) +
                    (m_.treatments > 1 ? fmt::format(", over {} treatments", m_.treatments) : "");
    payoffs.method = "Student's t over blocks";
    payoffs.tables = {means(), cells()};
    payoffs.points = words();
    Section equilibria;
    equilibria.id = "equilibria";
    equilibria.title = "Equilibria of " + payoffs.title;
    equilibria.where = Where::data;  // for people they are words below the payoffs
    equilibria.tables = {equilibrium_table()};
    return {std::move(payoffs), std::move(equilibria)};
  }

 private:
  [[nodiscard]] Subject about() const { return {.game = m_.game, .treatment = m_.label}; }

  [[nodiscard]] Table means() const {
    Table table;
    table.title = "means";
    table.fixed = 1;
    table.columns = {{.header = "", .key = true}};
    for (const std::string& level : m_.levels)
      table.columns.push_back({.header = m_.seats[1] + ": " + level, .where = Where::shown});
    for (std::size_t row = 0; row < k_; ++row) {
      Row& out = table.rows.emplace_back();
      out.where = Where::shown;
      out.cells = {m_.seats[0] + ": " + m_.levels[row]};
      for (std::size_t column = 0; column < k_; ++column) {
        const MetaCell& cell = m_.cells[row * k_ + column];
        if (std::isnan(cell.score[0].value)) {
          out.cells.emplace_back(Missing{});
          continue;
        }
        std::string means =
            fixed(cell.score[0].value, decimals_) + ", " + fixed(cell.score[1].value, decimals_);
        for (const MetaPure& pure : m_.pure)
          if (pure.row == row && pure.column == column) means += " *";
        out.cells.emplace_back(std::move(means));
      }
    }
    return table;
  }

  [[nodiscard]] Table cells() const {
    Table table;
    table.title = "cells";
    table.about = about();
    table.columns = {{.header = m_.seats[0], .key = true}, {.header = m_.seats[1], .key = true}};
    for (const std::string& seat : m_.seats)
      table.columns.push_back(
          {.header = "score of " + seat, .about = {.role = seat, .metric = "score"}});
    for (const char* count : {"matches", "blocks"})
      table.columns.push_back(
          {.header = count, .align = text::Align::right, .about = {.metric = count}});
    for (std::size_t i = 0; i < m_.cells.size(); ++i) {
      const MetaCell& cell = m_.cells[i];
      const double n = cell.score[0].n;
      table.rows.push_back(
          {.about = {.agent = m_.levels[i / k_], .other = m_.levels[i % k_]},
           .cells = {m_.levels[i / k_], m_.levels[i % k_],
                     mean_cell(cell.score[0], cell.blocks, decimals_),
                     mean_cell(cell.score[1], cell.blocks, decimals_),
                     std::isnan(n) ? std::int64_t{0} : static_cast<std::int64_t>(n),
                     whole(cell.blocks)}});
    }
    return table;
  }

  /// Pure ones with the share of resamples that they held in, then the shares of mixed ones.
  [[nodiscard]] Table equilibrium_table() const {
    Table table;
    table.about = about();
    table.columns = {{.header = "equilibrium", .key = true},
                     {.header = "of", .key = true},
                     {.header = "level", .key = true},
                     {.header = "value", .align = text::Align::right}};
    for (const MetaPure& pure : m_.pure) {
      const std::string &row = m_.levels[pure.row], &column = m_.levels[pure.column];
      table.rows.push_back({.about = {.agent = row, .other = column, .metric = "pure_held_in"},
                            .cells = {"pure", "both", "(" + row + ", " + column + "), held in",
                                      number(pure.stability, 3)}});
    }
    std::size_t place = 0;
    for (const auto& found : m_.mixed) {
      const std::string at = std::to_string(++place);
      for (std::size_t s = 0; s < 2; ++s) {
        const theory::MixedStrategy& strategy = s == 0 ? found.first : found.second;
        for (std::size_t level = 0; level < strategy.size(); ++level)
          table.rows.push_back({.about = {.role = m_.seats[s],
                                          .agent = m_.levels[level],
                                          .position = at,
                                          .metric = "mixed_share"},
                                .cells = {"mixed " + at, m_.seats[s], m_.levels[level],
                                          Number{strategy[level].value, 3}}});
        table.rows.push_back(
            {.about = {.role = m_.seats[s], .position = at, .metric = "mixed_expected"},
             .cells = {
                 "mixed " + at, m_.seats[s], "expected",
                 Number{(s == 0 ? found.first_payoff : found.second_payoff).value, decimals_}}});
      }
    }
    return table;
  }

  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> points;
    if (k_ < 2)
      points.push_back(
          fmt::format("Only one level is known here: '{}'. Label another agent of this base, and "
                      "play the two against each other and themselves.",
                      m_.levels.front()));
    for (const auto& [row, column] : m_.missing)
      points.push_back(
          fmt::format("No match has '{}' on seat {} and '{}' on seat {}: add the line-up [\"{}\", "
                      "\"{}\"] to a \"fixed\" design, in this order of seats too, and run again.",
                      m_.levels[row], seat_words(m_, 0), m_.levels[column], seat_words(m_, 1),
                      m_.agents[row], m_.agents[column]));
    if (!m_.missing.empty() || k_ < 2) return points;
    if (m_.pure.empty()) points.emplace_back("No pure equilibrium.");
    for (const MetaPure& pure : m_.pure)
      points.push_back(fmt::format(
          "Pure equilibrium: ({}, {}){}.", m_.levels[pure.row], m_.levels[pure.column],
          pure.stability ? fmt::format(", held in {}%", fixed(100 * *pure.stability, 0)) : ""));
    for (const auto& found : m_.mixed)
      points.push_back(fmt::format("Mixed equilibrium: {} plays {}; {} plays {}; expected {}, {}.",
                                   m_.seats[0], shown_mixture(found.first, m_.levels), m_.seats[1],
                                   shown_mixture(found.second, m_.levels),
                                   fixed(found.first_payoff.value, decimals_),
                                   fixed(found.second_payoff.value, decimals_)));
    if (!m_.mixed_note.empty())
      points.push_back("Mixed equilibria are missing: " + m_.mixed_note + ".");
    return points;
  }

  const MetaMatrix& m_;
  std::size_t k_;
  int decimals_ = 0;
};

Section reading_section(const MetaReport& report) {
  Section section;
  section.id = "notes";
  section.title = "How to read this";
  section.points = {
      fmt::format("Each table is the game of two owners who choose '{}' for their agent. Cells: "
                  "mean scores, the row's seat first; * marks pure equilibria of the means.",
                  report.factor),
      fmt::format("Intervals at {:g}% over blocks; faults counted {}. Held in: share of {} "
                  "resamples of the blocks in which it is an equilibrium too.",
                  100 * report.level, name(report.policy), report.resamples),
      "Agents are of one base if their other labels, factors and suite entry agree, or, without "
      "any, the name of their model."};
  const auto not_counted = [&](std::size_t matches, const char* which) {
    if (matches > 0)
      section.points.push_back("Not counted: " + text::counted(matches, "match", "matches") + " " +
                               which + ".");
  };
  not_counted(report.other_bases, "between agents of different bases");
  not_counted(report.unlabelled, "with an agent that lacks the label");
  not_counted(report.other_seats, "of more or fewer than two seats");
  not_counted(report.excluded, "in blocks with a forced answer");
  return section;
}

}  // namespace

const std::vector<std::string>& meta_section_names() {
  static const std::vector<std::string> names = {"payoffs", "equilibria", "notes"};
  return names;
}

Document document(const MetaReport& report) {
  Document document;
  document.level = report.level;
  for (const MetaMatrix& matrix : report.matrices)
    for (Section& section : MatrixSections(matrix).all())
      document.sections.push_back(std::move(section));
  document.sections.push_back(reading_section(report));
  return document;
}

std::string text(const MetaReport& report, bool colour) {
  return render_text(document(report), colour);
}

}  // namespace agon::report

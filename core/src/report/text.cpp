#include <fmt/format.h>

#include <algorithm>

#include "report/numbers.hpp"
#include "report/report.hpp"
#include "report/text_sections.hpp"
#include "report/wide_table.hpp"
#include "text/counted.hpp"
#include "text/paragraph.hpp"
#include "text/table.hpp"
#include "text/utf8.hpp"

namespace agon::report {
namespace {

using text::Align;
using text::Column;
using text::Table;

constexpr std::size_t page_columns = 100;

/// Writes the sections of a report one after the other.
class Writer {
 public:
  Writer(const Report& report, bool colour, Detail detail)
      : report_(report), colour_(colour), detail_(detail) {}

  std::string write() {
    leaderboard();
    by_game();
    for (const Section& s : factor_sections(report_, page_columns)) section(s);
    for (const Section& s : learning_sections(report_, page_columns)) section(s);
    treatments();
    for (const Section& s : paper_sections(report_, page_columns, detail_ == Detail::full))
      section(s);
    if (detail_ == Detail::full)
      for (const GameReport& game : report_.games) game_details(game);
    faults();
    policies();
    missing();
    for (const Section& s : use_sections(report_)) section(s);
    for (const Section& s : drift_sections(report_)) section(s);
    notes();
    return std::move(out_);
  }

 private:
  void heading(const std::string& title, const std::string& explanation = {}) {
    if (!out_.empty()) out_ += '\n';
    const std::string shown = text::printable(title);
    out_ += colour_ ? "\x1b[1m" + shown + "\x1b[0m\n" : shown + "\n";
    if (!explanation.empty()) paragraph(explanation, 2);
  }

  [[nodiscard]] std::string named(const std::string& agent) const {
    return shown_agent(report_, agent);
  }

  void section(const Section& s) {
    heading(s.title, s.explanation);
    if (!s.body.empty()) out_ += '\n' + s.body;
    for (const std::string& remark : s.remarks) paragraph(remark, 2);
  }

  void paragraph(const std::string& words, std::size_t indent, const std::string& bullet = {}) {
    out_ += text::paragraph(words, {indent, bullet, page_columns});
  }

  void leaderboard() {
    const Leaderboard& board = report_.leaderboard;
    heading(
        "Leaderboard",
        fmt::format("{}; faults counted {}. Score: 0 is the outside option, 1 "
                    "the best that leaves nobody worse off; mean over {} game{}. n: independent "
                    "blocks.{}",
                    text::counted(report_.results.matches, "finished match", "finished matches"),
                    name(report_.results.policy), board.games.size(),
                    board.games.size() == 1 ? "" : "s",
                    board.depends_on_field
                        ? " DEPENDS ON THE FIELD: some games were played all against all."
                        : ""));
    if (report_.open_run.open()) {
      paragraph("NOT FINISHED: " + report_.open_run.what + ".", 2);
      out_ += "  " + text::printable(report_.open_run.resume) + '\n';
    }
    out_ += '\n';
    if (board.rows.empty()) {
      out_ += "  No agent has a normalised score.\n";
      return;
    }
    const std::string level = fmt::format("{:g}%", 100 * report_.options.level);
    std::vector<Column> columns = {{"rank", Align::right},
                                   {"agent", Align::left, agent_width},
                                   {"score", Align::right},
                                   {level + " interval"},
                                   {"n", Align::right}};
    if (board.reference_scored) {
      columns.push_back({"less " + named(report_.options.reference), Align::right, agent_width});
      columns.push_back({level + " together"});
      columns.push_back({"p", Align::right});
    }
    const bool ranges = board.games.size() > 1;
    if (ranges) columns.push_back({"rank without a game"});
    Table table(columns);
    for (const LeaderRow& row : board.rows) {
      std::vector<std::string> cells = {
          row.ranks ? std::to_string(row.ranks->rank) : "-", named(row.agent),
          row.score.value ? fixed(*row.score.value, 3) : "-", interval_or_note(row.score),
          std::to_string(row.score.units)};
      if (board.reference_scored) {
        if (row.agent == report_.options.reference) {
          cells.insert(cells.end(), {"reference", "", ""});
        } else {
          cells.push_back(row.difference.value ? fixed(*row.difference.value, 3, true) : "-");
          cells.push_back(row.simultaneous ? interval(*row.simultaneous, 3, true)
                                           : interval_or_note(row.difference));
          cells.push_back(row.holm_p ? fixed(*row.holm_p, 4) : "");
        }
      }
      if (ranges)
        cells.push_back(!row.ranks ? "lacks a game"
                        : row.ranks->best == row.ranks->worst
                            ? std::to_string(row.ranks->best)
                            : fmt::format("{} to {}", row.ranks->best, row.ranks->worst));
      table.add(std::move(cells));
    }
    out_ += table.str(2);
    for (const auto& [game, reason] : board.without)
      paragraph(fmt::format("Not counted: {}, as {}.", game, reason), 2);
  }

  static std::string interval_or_note(const stats::Estimate& estimate) {
    if (estimate.interval) return interval(*estimate.interval, 3);
    return note_words(estimate.note);
  }

  void by_game() {
    const Leaderboard& board = report_.leaderboard;
    if (board.rows.empty()) return;
    heading("Scores by game", "Normalised score and interval; n: independent blocks.");
    out_ += '\n' + game_table(false);
    if (!board.reference_scored || board.rows.size() < 2) return;
    heading("Differences by game", fmt::format("Score less that of '{}', paired by block and role.",
                                               report_.options.reference));
    out_ += '\n' + game_table(true);
  }

  [[nodiscard]] std::string game_table(bool differences) const {
    const Leaderboard& board = report_.leaderboard;
    std::vector<Column> games;
    std::vector<std::size_t> usual;
    for (std::size_t g = 0; g < board.games.size(); ++g) {
      usual.push_back(0);
      for (const LeaderRow& row : board.rows)
        usual.back() =
            std::max(usual.back(), (differences ? row.game_differences : row.game_scores)[g].units);
      games.push_back({fmt::format("{}, n={}", board.games[g], usual.back())});
    }
    WideTable table({{"agent", Align::left, agent_width}}, games);
    for (const LeaderRow& row : board.rows) {
      if (differences && row.agent == report_.options.reference) continue;
      std::vector<std::string> cells = {named(row.agent)};
      for (std::size_t g = 0; g < usual.size(); ++g)
        cells.push_back(with_interval_and_n(
            (differences ? row.game_differences : row.game_scores)[g], 3, differences, usual[g]));
      table.add(std::move(cells));
    }
    return table.str(2, page_columns);
  }

  void treatments() {
    if (report_.treatments.empty()) return;
    heading("Scenarios and treatments", "Normalised score of each by itself.");
    for (std::size_t i = 0; i < report_.treatments.size();) {
      const std::string& game = report_.treatments[i].game;
      std::vector<std::string> agents;
      std::size_t end = i;
      for (; end < report_.treatments.size() && report_.treatments[end].game == game; ++end)
        for (const TreatmentRow& row : report_.treatments[end].rows)
          if (std::find(agents.begin(), agents.end(), row.agent) == agents.end())
            agents.push_back(row.agent);
      std::sort(agents.begin(), agents.end());
      std::vector<Column> columns;
      for (const std::string& agent : agents)
        columns.push_back({named(agent), Align::left, agent_width});
      WideTable table({{game, Align::left, 44}, {"blocks", Align::right}}, columns);
      for (; i < end; ++i) {
        const TreatmentTable& t = report_.treatments[i];
        std::vector<std::string> cells = {t.facts.label, std::to_string(t.facts.blocks)};
        for (const std::string& agent : agents) {
          const auto row = std::find_if(t.rows.begin(), t.rows.end(),
                                        [&](const auto& r) { return r.agent == agent; });
          cells.push_back(row == t.rows.end()
                              ? "-"
                              : with_interval_and_n(row->score, 3, false,
                                                    static_cast<std::size_t>(t.facts.blocks)));
        }
        table.add(std::move(cells));
      }
      out_ += '\n' + table.str(2, page_columns);
    }
  }

  void game_details(const GameReport& game) {
    const auto found = std::find_if(report_.results.games.begin(), report_.results.games.end(),
                                    [&](const auto& g) { return g.name == game.game; });
    heading(game.game + ": " + text::counted(found->matches, "match", "matches") + ", " +
            text::counted(found->blocks, "block"));
    metrics(game);
    strengths(game);
    pairs(game, found->score_decimals);
  }

  static std::string count_of(const std::map<std::string, stats::Estimate>& agents) {
    std::size_t low = agents.begin()->second.units;
    std::size_t high = low;
    for (const auto& [agent, e] : agents) {
      low = std::min(low, e.units);
      high = std::max(high, e.units);
    }
    return low == high ? std::to_string(low) : fmt::format("{} to {}", low, high);
  }

  void metrics(const GameReport& game) {
    if (game.metrics.empty()) return;
    std::vector<std::string> agents;
    for (const MetricRow& row : game.metrics)
      for (const auto& [agent, e] : row.agents)
        if (std::find(agents.begin(), agents.end(), agent) == agents.end()) agents.push_back(agent);
    std::sort(agents.begin(), agents.end());
    out_ += '\n';
    paragraph(
        "Metrics: mean and interval; + more is better, - less is better; n: independent blocks.",
        2);
    std::vector<Column> columns;
    for (const std::string& agent : agents)
      columns.push_back({named(agent), Align::left, agent_width});
    WideTable table({{"metric", Align::left, 44}, {"n", Align::right}}, columns);
    std::size_t zeros = 0;
    for (const bool of_match : {false, true}) {
      bool first = true;
      for (const MetricRow& row : game.metrics) {
        if (row.of_match != of_match) continue;
        if (zero_for_all(row)) {
          ++zeros;
          continue;
        }
        if (of_match && std::exchange(first, false)) table.add({"of the whole match:"});
        table.add(metric_cells(row, agents));
      }
    }
    out_ += table.str(2, page_columns);
    if (zeros > 0)
      paragraph(fmt::format("Not shown: {} metric{} that {} 0 for everybody.", zeros,
                            zeros == 1 ? "" : "s", zeros == 1 ? "is" : "are"),
                2);
  }

  static bool zero_for_all(const MetricRow& row) {
    return std::all_of(row.agents.begin(), row.agents.end(), [](const auto& agent) {
      const stats::Estimate& e = agent.second;
      return e.value && *e.value == 0 && e.note == stats::Note::no_variation;
    });
  }

  static std::vector<std::string> metric_cells(const MetricRow& row,
                                               const std::vector<std::string>& agents) {
    const archive::Metric& m = row.metric;
    std::string title = m.better == "higher" ? "+ " : m.better == "lower" ? "- " : "  ";
    title += m.name;
    if (!row.role.empty()) title += ", " + row.role;
    if (!m.unit.empty()) title += " (" + m.unit + ")";
    double size = 0;
    for (const auto& [agent, e] : row.agents)
      if (const auto shown = in_major_units(e, m.decimals); shown.value)
        size = std::max(size, std::abs(*shown.value));
    const int decimals = m.decimals > 0 ? m.decimals : decimals_for(size);
    std::vector<std::string> cells = {title, count_of(row.agents)};
    for (const std::string& agent : agents) {
      const auto at = row.agents.find(agent);
      cells.push_back(at == row.agents.end()
                          ? "-"
                          : with_interval(in_major_units(at->second, m.decimals), decimals));
    }
    return cells;
  }

  void strengths(const GameReport& game) {
    out_ += '\n';
    if (!game.strengths) {
      paragraph(sentence(game.strengths_note), 2);
      return;
    }
    const stats::Strengths& s = *game.strengths;
    std::string title = game.strengths_model + " log strengths";
    if (!game.strengths_note.empty()) title += " (" + game.strengths_note + ")";
    title += ", from " + text::counted(s.matches, "match", "matches");
    if (s.left_out > 0) title += fmt::format(" ({} of one agent alone left out)", s.left_out);
    title += s.components > 1
                 ? fmt::format(
                       "; {} groups of agents that no match links: strengths (and mu) of "
                       "different groups cannot be compared",
                       s.components)
             : s.strongly_connected
                 ? "; everybody finished both at or above and at or below everybody, directly or "
                   "through others"
                 : "; some agents only ever won or lost: a small ridge keeps them finite";
    if (game.trueskill) title += ". TrueSkill: mu and sigma describe a belief, not an interval";
    paragraph(sentence(title), 2);
    if (!game.trueskill_note.empty()) paragraph(sentence(game.trueskill_note), 2);
    std::vector<Column> columns = {
        {"agent", Align::left, agent_width},
        {"strength", Align::right},
        {"less " + named(game.strengths_reference), Align::left, agent_width},
        {"n", Align::right}};
    if (game.trueskill) {
      columns.push_back({"mu", Align::right});
      columns.push_back({"sigma", Align::right});
    }
    Table table(columns);
    auto order = s.agents;
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.log_strength > b.log_strength; });
    for (const stats::Strength& agent : order) {
      std::vector<std::string> cells = {named(agent.agent), fixed(agent.log_strength, 3, true),
                                        agent.agent == game.strengths_reference
                                            ? "reference"
                                            : with_interval(agent.difference, 3, true),
                                        std::to_string(agent.difference.units)};
      if (game.trueskill) {
        const auto rating =
            std::find_if(game.trueskill->agents.begin(), game.trueskill->agents.end(),
                         [&](const auto& r) { return r.agent == agent.agent; });
        const bool rated = rating != game.trueskill->agents.end();
        cells.push_back(rated ? fixed(rating->mu, 2) : "-");
        cells.push_back(rated ? fixed(rating->sigma, 2) : "-");
      }
      table.add(std::move(cells));
    }
    out_ += table.str(2);
  }

  static std::string sentence(std::string words) {
    if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
      words.front() = static_cast<char>(words.front() - 'a' + 'A');
    if (!words.empty() && words.back() != '.') words += '.';
    return words;
  }

  void pairs(const GameReport& game, int score_decimals) {
    if (game.pairs.empty()) return;
    out_ += '\n';
    paragraph("Who finished above whom, and the mean difference of their scores.", 2);
    Table table({{"agent", Align::left, agent_width},
                 {"against", Align::left, agent_width},
                 {"won", Align::right},
                 {"tied", Align::right},
                 {"lost", Align::right},
                 {"score difference"},
                 {"n", Align::right}});
    for (const stats::PairwiseRow& row : game.pairs) {
      if (row.agent > row.opponent) continue;  // the same again
      const auto difference = in_major_units(row.difference, score_decimals);
      table.add({named(row.agent), named(row.opponent), std::to_string(row.wins),
                 std::to_string(row.ties), std::to_string(row.losses),
                 with_interval(difference,
                               score_decimals > 0 ? score_decimals
                                                  : decimals_for(difference.value.value_or(0)),
                               true),
                 std::to_string(difference.units)});
    }
    out_ += table.str(2);
  }

  void faults() {
    heading("Faults",
            "Attempts at an answer by how they came out, over all seats of an agent; "
            "forced: answers that the game's fallback gave.");
    out_ += '\n';
    std::vector<Column> columns;
    const Enumeration names = fault_names();
    std::vector<std::size_t> shown;
    for (std::size_t f = 0; f < kFaults; ++f)
      if (f == 0 || std::any_of(report_.results.facts.begin(), report_.results.facts.end(),
                                [&](const auto& a) { return a.attempts[f] > 0; }))
        shown.push_back(f);
    for (const std::size_t f : shown) columns.push_back({names[f], Align::right});
    columns.push_back({"forced", Align::right});
    columns.push_back({"seats forced", Align::right});
    WideTable table({{"agent", Align::left, agent_width}, {"seats", Align::right}}, columns);
    for (const AgentFacts& agent : report_.results.facts) {
      std::vector<std::string> cells = {named(agent.name), std::to_string(agent.seats)};
      for (const std::size_t f : shown) cells.push_back(std::to_string(agent.attempts[f]));
      cells.push_back(std::to_string(agent.forced));
      cells.push_back(std::to_string(agent.seats_forced));
      table.add(std::move(cells));
    }
    out_ += table.str(2, page_columns);
    if (shown.size() == 1) out_ += "  No attempt went wrong.\n";
  }

  using Enumeration = std::vector<std::string>;
  static Enumeration fault_names() {
    return {"ok",        "repaired", "illegal",   "unparsable", "empty",
            "truncated", "refused",  "timed-out", "crashed",    "provider-failed"};
  }

  void policies() {
    heading("Fault policies", report_.policy_verdict);
    const bool forced = std::any_of(report_.results.facts.begin(), report_.results.facts.end(),
                                    [](const AgentFacts& agent) { return agent.forced > 0; });
    if (report_.policies.empty() || !forced) return;
    out_ += '\n';
    Table table({{"agent", Align::left, agent_width},
                 {"as played", Align::right},
                 {"rank", Align::right},
                 {"forfeit", Align::right},
                 {"rank", Align::right},
                 {"exclude", Align::right},
                 {"rank", Align::right}});
    for (const PolicyRow& row : report_.policies) {
      std::vector<std::string> cells = {named(row.agent)};
      for (const PolicyRow::Place& place : row.places) {
        cells.push_back(place.value ? fixed(*place.value, 3, report_.leaderboard.reference_scored)
                                    : "-");
        cells.push_back(place.rank ? std::to_string(*place.rank) : "-");
      }
      table.add(std::move(cells));
    }
    out_ += table.str(2);
    paragraph(report_.leaderboard.reference_scored
                  ? fmt::format("Mean difference to '{}'.", report_.options.reference)
                  : "Mean normalised score.",
              2);
  }

  void missing() {
    if (report_.bounds.empty()) return;
    heading("Missing matches",
            "Not in the tables above: unfinished, or broken by the game. Bounds: the agent's score "
            "if every such match had ended at its outside option, or at its full pie.");
    out_ += '\n';
    Table table({{"agent", Align::left, agent_width},
                 {"seats unfinished", Align::right},
                 {"seats broken by the game", Align::right},
                 {"worst", Align::right},
                 {"best", Align::right}});
    for (const BoundsRow& row : report_.bounds)
      table.add({named(row.agent), std::to_string(row.unfinished), std::to_string(row.game_faults),
                 row.worst ? fixed(*row.worst, 3) : "-", row.best ? fixed(*row.best, 3) : "-"});
    out_ += table.str(2);
    std::size_t listed = 0;
    for (const MissingReason& reason : report_.results.missing) {
      if (++listed > 10) {
        out_ += fmt::format("  - and {} more reasons\n", report_.results.missing.size() - 10);
        break;
      }
      paragraph(fmt::format("{}: {} {}: {}", reason.scenario, reason.matches,
                            reason.game_fault ? "broken by the game" : "unfinished", reason.reason),
                2, "- ");
    }
  }

  void notes() {
    heading("How to read this");
    for (const std::string& note : report_.notes) paragraph(note, 2, "- ");
  }

  const Report& report_;
  bool colour_;
  Detail detail_;
  std::string out_;
};

}  // namespace

std::string text(const Report& report, bool colour, Detail detail) {
  return Writer(report, colour, detail).write();
}

}  // namespace agon::report

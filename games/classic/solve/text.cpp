#include <fmt/format.h>

#include <agon/form.hpp>
#include <algorithm>

#include "classic/solve/solution.hpp"

namespace classic {
namespace {

using Row = std::vector<std::string>;

/// Of a page. Lines and trees' tables that would be wider are laid out otherwise.
constexpr std::size_t kColumns = 100;

/// A line moved right by two, broken between words where the page ends.
std::string wrapped(std::string_view text) {
  std::string out;
  std::string line = "  ";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (line.size() + end > kColumns && line.find_first_not_of(' ') != std::string::npos) {
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
      line = "    ";
    }
    line += std::string(text.substr(0, end)) + " ";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  line.pop_back();
  return out + line + "\n";
}

/// Rows with columns two spaces apart, the first row underlined; moved right by two.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  const auto add = [&](const Row& row) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add(rows[i]);
    if (i > 0) continue;
    Row line;
    for (const std::size_t width : widths) line.emplace_back(width, '-');
    add(line);
  }
  return text;
}

std::string payoffs_text(const GameData& game, const std::vector<double>& payoffs) {
  std::string text;
  for (const double x : payoffs) text += (text.empty() ? "" : ", ") + payoff_text(x, game.prefix);
  return text;
}

std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string outlined(const GameData& game, const Outlined& o) {
  return fmt::format("({}): {}", list_text(o.actions), payoffs_text(game, o.payoffs));
}

std::string outlines(const GameData& game, const std::vector<Outlined>& list) {
  std::string text;
  for (const Outlined& o : list)
    text += wrapped(outlined(game, o) + (o.best ? "  (Pareto-best)" : ""));
  return list.empty() ? "  none\n" : text;
}

/// "choice_1 cooperate": what players read, and what the data call it.
std::string action_text(const Solution& s, std::size_t player, std::size_t action) {
  const std::string& name = s.game.actions[player][action];
  return s.labels.empty() ? name : name + " " + s.labels[player][action];
}

std::string table_text(const Solution& s) {
  const GameData& g = s.game;
  std::vector<Row> rows;
  const auto is_equilibrium = [&](const std::vector<std::string>& actions) {
    return std::any_of(s.pure.begin(), s.pure.end(),
                       [&](const Outlined& o) { return o.actions == actions; });
  };
  if (g.players.size() == 2) {
    rows.push_back({""});
    for (std::size_t b = 0; b < g.actions[1].size(); ++b) rows[0].push_back(action_text(s, 1, b));
    for (std::size_t a = 0; a < g.actions[0].size(); ++a) {
      rows.push_back({action_text(s, 0, a)});
      for (std::size_t b = 0; b < g.actions[1].size(); ++b) {
        const auto& cell = g.payoffs[a * g.actions[1].size() + b];
        rows.back().push_back(payoffs_text(g, cell) +
                              (is_equilibrium({g.actions[0][a], g.actions[1][b]}) ? " *" : ""));
      }
    }
    return fmt::format("\nPayoffs ({} chooses the row, {} the column; *: pure equilibrium)\n{}",
                       g.players[0], g.players[1], aligned(rows));
  }
  rows.push_back(g.players);
  rows[0].emplace_back("payoffs");
  std::vector<std::size_t> at(g.players.size(), 0);
  for (const auto& cell : g.payoffs) {
    Row row;
    std::vector<std::string> actions;
    for (std::size_t p = 0; p < at.size(); ++p) {
      row.push_back(action_text(s, p, at[p]));
      actions.push_back(g.actions[p][at[p]]);
    }
    row.push_back(payoffs_text(g, cell) + (is_equilibrium(actions) ? " *" : ""));
    rows.push_back(std::move(row));
    for (std::size_t p = at.size(); p-- > 0;) {
      if (++at[p] < g.actions[p].size()) break;
      at[p] = 0;
    }
  }
  return "\nPayoffs (*: pure equilibrium)\n" + aligned(rows);
}

std::string mixed_text(const Solution& s) {
  if (!s.mixed_missing.empty()) return "  " + s.mixed_missing + "\n";
  if (s.mixed.empty()) return "  none\n";
  std::vector<Row> rows{{"player"}};
  std::size_t most = 0;
  for (const auto& own : s.game.actions) most = std::max(most, own.size());
  for (std::size_t a = 0; a < most; ++a) rows[0].push_back(fmt::format("action {}", a + 1));
  rows[0].emplace_back("payoff");
  for (const OutlinedMix& mix : s.mixed)
    for (std::size_t p = 0; p < 2; ++p) {
      Row row{s.game.players[p]};
      row.insert(row.end(), mix.probabilities[p].begin(), mix.probabilities[p].end());
      row.resize(most + 1);
      row.push_back(mix.payoffs[p]);
      rows.push_back(std::move(row));
    }
  return aligned(rows);
}

std::string_view by_single(const OutlinedDominance& d) {
  return d.by_single ? " by single actions (the game is too large for mixtures)" : "";
}

std::string dominance_text(const OutlinedDominance& d) {
  if (d.eliminated.empty()) return "  nothing\n";
  std::vector<Row> rows{{"round", "player", "action", "dominated by"}};
  for (const OutlinedElimination& e : d.eliminated)
    rows.push_back({std::to_string(e.round), e.player, e.action, e.by});
  std::string text = aligned(rows) + "  left:";
  for (std::size_t p = 0; p < d.left.size(); ++p)
    text += (p == 0 ? " " : "; ") + list_text(d.left[p]);
  return text + "\n";
}

/// What backward induction says of each node. The nodes of a deep tree are numbered, and told by
/// the last move only: whole ways to them would make the table wider than any page.
std::string nodes_text(const Solution& s, bool numbered) {
  std::vector<Row> rows{{"after", "mover", "best", "value", ""}};
  if (numbered) rows[0].insert(rows[0].begin(), "node");
  for (const OutlinedNode& n : s.nodes) {
    std::string after = n.way.empty() ? "(nothing)" : n.way;
    if (numbered && n.before > 0) after = fmt::format("node {}: {}", n.before, n.move);
    Row row{after, n.player, n.best + (n.tied ? " =" : ""), payoffs_text(s.game, n.value),
            n.on_path ? "on the path" : ""};
    if (numbered) row.insert(row.begin(), std::to_string(rows.size()));
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

bool fits_page(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > kColumns) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

std::string tree_text(const Solution& s) {
  std::string nodes = nodes_text(s, false);
  if (!fits_page(nodes)) nodes = nodes_text(s, true);
  const bool ties =
      std::any_of(s.nodes.begin(), s.nodes.end(), [](const OutlinedNode& n) { return n.tied; });
  return "\nBackward induction (the value of a node: what comes of it)\n" + nodes +
         (ties ? "  =: another action is as good for the mover; the first is taken\n" : "") +
         "\nPrincipal path\n" + wrapped(outlined(s.game, s.pure.front()));
}

}  // namespace

std::string as_text(const Solution& s) {
  std::string text = s.name;
  if (!s.game.title.empty() && s.game.title != s.name) text += ": " + s.game.title;
  text += "\n";
  if (is_tree(s.game)) {
    text += tree_text(s);
  } else {
    text += table_text(s);
    text += "\nPure equilibria\n" + outlines(s.game, s.pure);
    text += "\nMixed equilibria (extreme ones; all others are mixtures of these and the pure)\n" +
            mixed_text(s);
    text += fmt::format("\nStrict dominance{} crosses out\n", by_single(s.strict)) +
            dominance_text(s.strict);
    if (s.weak.eliminated.size() > s.strict.eliminated.size())
      text += fmt::format("\nWeak dominance{} crosses out\n", by_single(s.weak)) +
              dominance_text(s.weak);
  }
  text += "\nPareto-optimal outcomes\n" + outlines(s.game, s.pareto);
  text += "\nWhat each player is sure of by a single action (in a tree, by a plan)\n";
  for (std::size_t p = 0; p < s.safe.size(); ++p)
    text += fmt::format("  {}: {}\n", s.game.players[p], s.safe[p]);
  if (s.game.players.size() == 2)
    text += "\nNash bargaining point over that\n" + outlines(s.game, s.bargain);
  return agon::printable(text, true);
}

}  // namespace classic

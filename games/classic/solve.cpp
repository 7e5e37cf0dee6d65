#include "classic/solve.hpp"

#include <fmt/ranges.h>

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/json_writer.hpp>
#include <agon/plugin_command.hpp>
#include <algorithm>
#include <cstdio>
#include <set>

#include "classic/payoff_change.hpp"

namespace classic {
namespace {

namespace theory = agon::theory;

std::vector<double> copy_of(std::span<const double> payoffs) {
  return {payoffs.begin(), payoffs.end()};
}

/// "choice_2", or "1/2 choice_1 + 1/2 choice_3".
std::string mixture(const theory::MixedStrategy& strategy, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t a = 0; a < strategy.size(); ++a) {
    if (strategy[a].text == "0") continue;
    text += text.empty() ? "" : " + ";
    text += strategy[a].text == "1" ? names[a] : strategy[a].text + " " + names[a];
  }
  return text;
}

Outlined cell_of(const Prepared& made, std::size_t cell) {
  Outlined out;
  const auto profile = made.matrix->profile(cell);
  for (std::size_t p = 0; p < profile.size(); ++p)
    out.actions.push_back(made.game.actions[p][profile[p]]);
  out.payoffs = copy_of(made.matrix->payoffs(cell));
  return out;
}

OutlinedDominance dominance_of(const Prepared& made, theory::Dominance kind) {
  OutlinedDominance out;
  const auto found = [&] {
    try {
      return theory::eliminate_dominated(*made.matrix, kind, theory::DominatedBy::mixed);
    } catch (const agon::Error&) {
      // Too many actions to weigh mixtures of: what single actions dominate can be told all the
      // same.
      out.by_single = true;
      return theory::eliminate_dominated(*made.matrix, kind, theory::DominatedBy::pure);
    }
  }();
  for (const theory::Elimination& e : found.eliminated)
    out.eliminated.push_back({static_cast<int>(e.round) + 1, made.game.players[e.player],
                              made.game.actions[e.player][e.action],
                              mixture(e.by, made.game.actions[e.player])});
  for (std::size_t p = 0; p < found.left.size(); ++p) {
    out.left.emplace_back();
    for (const std::size_t a : found.left[p]) out.left.back().push_back(made.game.actions[p][a]);
  }
  return out;
}

void solve_table(const Prepared& made, Solution& out) {
  const theory::MatrixGame& matrix = *made.matrix;
  for (std::size_t c = 0; c < made.nash.size(); ++c) {
    if (!made.nash[c]) continue;
    out.pure.push_back(cell_of(made, c));
    out.pure.back().best = made.best_nash[c];
  }
  for (std::size_t c = 0; c < made.pareto.size(); ++c)
    if (made.pareto[c]) out.pareto.push_back(cell_of(made, c));
  out.strict = dominance_of(made, theory::Dominance::strict);
  out.weak = dominance_of(made, theory::Dominance::weak);
  for (std::size_t p = 0; p < made.players(); ++p)
    out.safe.push_back(theory::pure_maximin(matrix, p).value.text);
  if (matrix.players() != 2) {
    out.mixed_missing = "they are worked out for two players only";
    return;
  }
  try {
    for (const theory::MixedEquilibrium& e : theory::extreme_equilibria(matrix)) {
      if (e.pure()) continue;
      OutlinedMix mix;
      for (const theory::MixedStrategy* strategy : {&e.first, &e.second}) {
        mix.probabilities.emplace_back();
        for (const theory::Exact& x : *strategy) mix.probabilities.back().push_back(x.text);
      }
      mix.payoffs = {e.first_payoff.text, e.second_payoff.text};
      out.mixed.push_back(std::move(mix));
    }
  } catch (const agon::Error& error) {
    out.mixed_missing = error.problem();
  }
  std::vector<theory::PayoffPair> points;
  for (std::size_t c = 0; c < matrix.profiles(); ++c)
    points.push_back({matrix.payoff(c, 0), matrix.payoff(c, 1)});
  for (const std::size_t c :
       theory::nash_bargains(points, {made.anchors[0].zero, made.anchors[1].zero}))
    out.bargain.push_back(cell_of(made, c));
}

void solve_tree(const Prepared& made, Solution& out) {
  const theory::TreeGame& tree = *made.tree;
  const std::size_t decisions = made.game.nodes.size();
  std::vector<std::vector<std::string>> ways(tree.nodes().size());
  std::vector<std::size_t> before(tree.nodes().size(), 0);
  std::size_t number = 0;
  for (const std::size_t n : tree.order()) {
    if (n < decisions) ++number;
    for (std::size_t m = 0; m < tree.nodes()[n].children.size(); ++m) {
      const std::size_t child = tree.nodes()[n].children[m];
      ways[child] = ways[n];
      ways[child].push_back(made.options[n][m]);
      before[child] = number;
    }
  }
  const auto end_of = [&](std::size_t place) {
    return Outlined{ways[place], tree.nodes()[place].payoffs, false};
  };
  const theory::TreeSolution& s = made.solution;
  for (const std::size_t n : tree.order()) {
    if (n >= decisions) continue;
    OutlinedNode node;
    node.way = fmt::format("{}", fmt::join(ways[n], ", "));
    node.before = before[n];
    if (!ways[n].empty()) node.move = ways[n].back();
    node.player = made.game.players[tree.nodes()[n].player];
    node.best = made.options[n][s.choice[n]];
    node.value = tree.nodes()[s.end[n]].payoffs;
    node.tied = std::binary_search(s.ties.begin(), s.ties.end(), n);
    node.on_path = std::find(s.nodes.begin(), s.nodes.end(), n) != s.nodes.end();
    out.nodes.push_back(std::move(node));
  }
  out.pure.push_back(end_of(s.end[0]));
  out.pure.back().best = true;
  for (std::size_t o = 0; o < made.pareto.size(); ++o)
    if (made.pareto[o]) out.pareto.push_back(end_of(decisions + o));
  for (const Anchors& anchors : made.anchors) out.safe.push_back(fmt::format("{}", anchors.zero));
  if (made.players() != 2) return;
  std::vector<theory::PayoffPair> points;
  for (std::size_t o = 0; o < made.pareto.size(); ++o) {
    const auto& payoffs = tree.nodes()[decisions + o].payoffs;
    points.push_back({payoffs[0], payoffs[1]});
  }
  for (const std::size_t o :
       theory::nash_bargains(points, {made.anchors[0].zero, made.anchors[1].zero}))
    out.bargain.push_back(end_of(decisions + o));
}

}  // namespace

Solution solve(const Settings& settings, std::string name) {
  const Prepared made = prepare(settings);
  Solution out;
  out.name = settings.game.name;
  if (out.name.empty()) out.name = std::move(name);
  out.game = made.game;
  if (!settings.labels) out.labels = settings.game.actions;
  if (made.tree)
    solve_tree(made, out);
  else
    solve_table(made, out);
  return out;
}

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

std::string outlined(const GameData& game, const Outlined& o) {
  return fmt::format("({}): {}", fmt::join(o.actions, ", "), payoffs_text(game, o.payoffs));
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
    text += fmt::format("{}{}", p == 0 ? " " : "; ", fmt::join(d.left[p], ", "));
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

namespace {

using agon::JsonWriter;

void add_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.open_list();
  for (const std::string& text : texts) json.text(text);
  json.close_list();
}

void add_numbers(JsonWriter& json, const std::vector<double>& numbers) {
  json.open_list();
  for (const double x : numbers) json.number(x);
  json.close_list();
}

void add_outlined(JsonWriter& json, std::string_view name, const std::vector<Outlined>& list) {
  json.name(name).open_list();
  for (const Outlined& o : list) {
    json.open_object().name("actions");
    add_texts(json, o.actions);
    json.name("payoffs");
    add_numbers(json, o.payoffs);
    json.close_object();
  }
  json.close_list();
}

void add_dominance(JsonWriter& json, std::string_view name, const OutlinedDominance& d) {
  json.name(name).open_object().name("eliminated").open_list();
  for (const OutlinedElimination& e : d.eliminated)
    json.open_object()
        .name("round")
        .number(e.round)
        .name("player")
        .text(e.player)
        .name("action")
        .text(e.action)
        .name("by")
        .text(e.by)
        .close_object();
  json.close_list().name("left").open_list();
  for (const auto& own : d.left) add_texts(json, own);
  json.close_list().name("mixtures").truth(!d.by_single).close_object();
}

void add_table(JsonWriter& json, const Solution& s) {
  json.name("actions").open_list();
  for (const auto& own : s.game.actions) add_texts(json, own);
  json.close_list().name("payoffs").open_list();
  for (const auto& cell : s.game.payoffs) add_numbers(json, cell);
  json.close_list();
  add_outlined(json, "pure_equilibria", s.pure);
  std::vector<Outlined> best;
  for (const Outlined& o : s.pure)
    if (o.best) best.push_back(o);
  add_outlined(json, "best_pure_equilibria", best);
  json.name("mixed_equilibria");
  if (!s.mixed_missing.empty()) {
    json.null();
  } else {
    json.open_list();
    for (const OutlinedMix& mix : s.mixed) {
      json.open_object().name("probabilities").open_list();
      for (const auto& own : mix.probabilities) add_texts(json, own);
      json.close_list().name("payoffs");
      add_texts(json, mix.payoffs);
      json.close_object();
    }
    json.close_list();
  }
  add_dominance(json, "strict_dominance", s.strict);
  add_dominance(json, "weak_dominance", s.weak);
}

void add_tree(JsonWriter& json, const Solution& s) {
  json.name("nodes").open_list();
  for (const OutlinedNode& n : s.nodes) {
    json.open_object().name("after").text(n.way).name("mover").text(n.player);
    json.name("best").text(n.best).name("value");
    add_numbers(json, n.value);
    json.name("tied").truth(n.tied).name("on_path").truth(n.on_path).close_object();
  }
  json.close_list();
  add_outlined(json, "principal_path", s.pure);
}

}  // namespace

std::string as_json(const Solution& s) {
  JsonWriter json;
  json.open_object().name("game").text(s.name).name("title").text(s.game.title);
  json.name("players");
  add_texts(json, s.game.players);
  if (is_tree(s.game))
    add_tree(json, s);
  else
    add_table(json, s);
  add_outlined(json, "pareto_optimal", s.pareto);
  json.name("sure_of");
  add_texts(json, s.safe);
  add_outlined(json, "nash_bargain", s.bargain);
  return json.close_object().take();
}

namespace {

constexpr const char* synopsis = "SCENARIO [--same-as SCENARIO] [--json]";
constexpr const char* usage =
    "SCENARIO [--same-as SCENARIO] [--json]\n"
    "\n"
    "Arguments\n"
    "  SCENARIO  a suite (each classic game in it), a data file, or a game that ships, such as "
    "draco\n"
    "\n"
    "Options\n"
    "  --same-as SCENARIO  do the games have the same equilibria as that one? Exit code 1: no\n"
    "  --json              print JSON on standard output: a list of games\n"
    "  --help              show this help\n"
    "\n"
    "Example\n"
    "  agon solve stag-hunt";

void put_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw agon::Error(agon::ErrorKind::failure, "cannot write to standard output");
}

/// Says for each of some games whether it has the equilibria of another; 1: one has not.
int compare(const std::string& what, const std::string& other, bool json,
            const agon::CommandServices& services) {
  const auto solved = [&](const std::string& name) {
    std::vector<Solution> all;
    std::set<std::string> known;
    for (const agon::GameSettings& found : services.settings_of("classic", name)) {
      Solution s = solve(*static_cast<const Settings*>(found.settings.get()), found.name);
      if (known.insert(as_json(s)).second) all.push_back(std::move(s));
    }
    return all;
  };
  const std::vector<Solution> base = solved(other);
  if (base.size() != 1)
    throw agon::Error(
        agon::ErrorKind::usage,
        fmt::format("'{}' has {} games, and --same-as compares with one", other, base.size()),
        "--same-as", "name a data file, or a game that ships");
  bool same = true;
  agon::JsonWriter list;
  list.open_list();
  std::string text;
  for (const Solution& one : solved(what)) {
    const std::vector<std::string> lines = differences_of(one, base.front());
    same = same && lines.empty();
    list.open_object().name("game").text(one.name).name("same_as").text(base.front().name);
    list.name("same").truth(lines.empty()).name("differences");
    add_texts(list, lines);
    list.close_object();
    text += fmt::format("{} has {} equilibria as {}\n", one.name,
                        lines.empty() ? "the same" : "other", base.front().name);
    for (const std::string& line : lines) text += "  " + line + "\n";
  }
  put_out(json ? list.close_list().take() + "\n" : text);
  return same ? 0 : 1;
}

int run(std::span<const std::string> arguments, const agon::CommandServices& services) {
  bool json = false;
  std::string what;
  std::string other;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string help = std::string("write: agon solve ") + synopsis;
    if (word == "--json")
      json = true;
    else if (word == "--same-as" && i + 1 < arguments.size())
      other = arguments[++i];
    else if (word == "--same-as")
      throw agon::Error(agon::ErrorKind::usage, "--same-as needs a game to compare with", "", help);
    else if (word.starts_with("--"))
      throw agon::Error(agon::ErrorKind::usage, "solve has no option '" + word + "'", "", help);
    else if (!what.empty())
      throw agon::Error(agon::ErrorKind::usage, "'" + word + "' is one argument too many", "",
                        help);
    else
      what = word;
  }
  if (what.empty())
    throw agon::Error(agon::ErrorKind::usage,
                      "solve needs a suite file, a data file or the name "
                      "of a game that ships",
                      "", "for example: agon solve prisoners-dilemma");
  if (!other.empty()) return compare(what, other, json, services);
  std::string out;
  std::set<std::string> told;
  for (const agon::GameSettings& found : services.settings_of("classic", what)) {
    const auto& settings = *static_cast<const Settings*>(found.settings.get());
    // A suite plays the same game with other agents, rounds and prompts: it is solved once.
    Solution solution = solve(settings, found.name);
    const std::string same = as_json(solution);
    if (!told.insert(same).second) continue;
    if (json)
      out += (out.empty() ? "[" : ",\n") + same;
    else
      out += (out.empty() ? "" : "\n\n") + as_text(solution);
  }
  if (json) out += "]\n";
  put_out(out);
  return 0;
}

}  // namespace

agon::PluginCommand solve_command() {
  agon::PluginCommand command;
  command.id = "solve";
  command.doc = "compute equilibria, dominance and backward induction";
  command.usage = usage;
  command.run_with = &run;
  return command;
}

}  // namespace classic

#include "report/sections/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meta/meta.hpp"
#include "report/document.hpp"
#include "report/render/render.hpp"
#include "stats/contrasts.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// More line-ups are only counted where they are missing.
constexpr std::size_t kMostMissingShown = 12;
/// A smaller share of resamples is left to the data, and so is a smaller mass.
constexpr double kLeastSupportShown = 0.05;
constexpr double kLeastMassShown = 0.01;
constexpr std::size_t kMostSupportsShown = 4;
/// Ends of dynamics that lie further apart are not one.
constexpr double kOneEnd = 0.02;

/// "use 1/3 (0.333), not 2/3 (0.667)"; long fractions are left out, intervals stand behind.
std::string shown_mixture(const theory::MixedStrategy& strategy,
                          const std::vector<std::string>& choices,
                          const std::vector<std::optional<stats::Interval>>& intervals) {
  constexpr std::size_t longest = 9;
  std::string words;
  for (std::size_t i = 0; i < strategy.size(); ++i) {
    if (strategy[i].value == 0) continue;
    words += (words.empty() ? "" : ", ") + choices[i] + " ";
    if (strategy[i].value == 1)
      words += "constant";
    else if (strategy[i].text.size() <= longest)
      words += fmt::format("{} ({})", strategy[i].text, fixed(strategy[i].value, 3));
    else
      words += fixed(strategy[i].value, 3);
    if (intervals[i] && strategy[i].value != 1) words += " " + interval(*intervals[i], 2);
  }
  return words;
}

std::string shown_shares(const std::vector<double>& shares,
                         const std::vector<std::string>& choices) {
  std::string words;
  for (std::size_t a = 0; a < shares.size(); ++a)
    if (shares[a] >= 0.0005)
      words += (words.empty() ? "" : ", ") + choices[a] + " " + fixed(shares[a], 3);
  return words;
}

std::string held_words(const std::optional<double>& held) {
  return held ? fmt::format(", held in {}%", fixed(100 * *held, 0)) : "";
}

/// A figure with an interval of its own making.
ReportCell with(const std::optional<double>& value, const std::optional<stats::Interval>& interval,
                int decimals, stats::Note note = stats::Note::none) {
  if (!value) return NoFigure{};
  stats::Estimate estimate;
  estimate.value = value;
  estimate.interval = interval;
  estimate.note = note;
  return figure(estimate, decimals);
}

/// One game: payoffs, equilibria, gains, alpha-rank and replicator dynamics.
class GameSections {
 public:
  GameSections(const MetaReport& report, const MetaGame& game) : report_(report), g_(game) {
    title_ = g_.label + (g_.base.empty() ? "" : ": " + g_.base) +
             (g_.treatments > 1 ? fmt::format(", over {} treatments", g_.treatments) : "");
    double largest = 0;
    for (const MetaSolution& solution : g_.solutions)
      if (solution.scale == MetaScale::raw)
        for (const auto& payoffs : solution.payoffs)
          for (const auto& payoff : payoffs)
            largest = std::max(largest, std::abs(payoff.value.value_or(0)));
    decimals_ = std::max(std::min(decimals_for(largest), 2), g_.decimals);
  }

  [[nodiscard]] std::vector<ReportSection> all() const {
    std::vector<ReportSection> sections = {payoffs()};
    for (ReportSection section : {equilibria(), gains(), rankings(), dynamics()})
      if (!section.tables.empty() || !section.remarks.empty())
        sections.push_back(std::move(section));
    return sections;
  }

 private:
  [[nodiscard]] Subject about(const MetaSolution& solution) const {
    return {.game = g_.game, .treatment = g_.label, .unit = unit(solution)};
  }
  static std::string unit(const MetaSolution& solution) {
    return solution.scale == MetaScale::normalised ? "normalised" : "score";
  }
  [[nodiscard]] int decimals(const MetaSolution& solution) const {
    return solution.scale == MetaScale::normalised ? 3 : decimals_;
  }
  /// The scale that people see: that of the leaderboard where there is one.
  [[nodiscard]] bool is_main(const MetaSolution& solution) const {
    return &solution == &g_.solutions.front();
  }
  [[nodiscard]] Where where(const MetaSolution& solution) const {
    return is_main(solution) ? Where::everywhere : Where::data;
  }

  [[nodiscard]] std::string seat(std::size_t s) const {
    if (!g_.symmetric) return g_.seats[s];
    return g_.players() == 2 ? (s == 0 ? "own" : "other") : fmt::format("seat {}", s + 1);
  }
  [[nodiscard]] const std::string& choice(std::size_t s, std::size_t c) const {
    return g_.choices[s][c];
  }
  [[nodiscard]] std::string line_up(const std::vector<std::size_t>& choices) const {
    std::string words;
    for (std::size_t s = 0; s < choices.size(); ++s)
      words += (s > 0 ? ", " : "") + choice(s, choices[s]);
    return words;
  }
  [[nodiscard]] std::string line_up(std::size_t l) const { return line_up(g_.line_ups[l].choices); }
  /// The choices of all seats but one.
  [[nodiscard]] std::string others(const std::vector<std::size_t>& choices, std::size_t s) const {
    std::string words;
    for (std::size_t o = 0; o < choices.size(); ++o)
      if (o != s) words += (words.empty() ? "" : ", ") + choice(o, choices[o]);
    return words;
  }
  [[nodiscard]] Subject about_line_up(std::size_t l) const {
    const auto& choices = g_.line_ups[l].choices;
    return {.agent = choice(0, choices[0]), .other = others(choices, 0)};
  }

  [[nodiscard]] ReportSection payoffs() const {
    ReportSection section{.id = "payoffs", .title = title_, .method = stats::interval_method};
    if (std::ranges::any_of(g_.solutions,
                            [](const MetaSolution& solution) { return !solution.payoffs.empty(); }))
      section.explanation = each_by_itself();
    section.points = words();
    for (const MetaSolution& solution : g_.solutions) {
      if (solution.payoffs.empty()) continue;
      if (is_main(solution) && g_.players() == 2) section.tables.push_back(matrix(solution));
      section.tables.push_back(cells(solution));
    }
    if (!g_.missing.empty()) section.tables.push_back(missing());
    section.tables.push_back(facts("game", {.game = g_.game, .treatment = g_.label},
                                   {{"base", g_.base},
                                    {"treatments", whole(g_.treatments)},
                                    {"symmetric", std::int64_t{g_.symmetric}}}));
    return section;
  }

  /// Line-ups without a match, with agents that would make them.
  [[nodiscard]] ReportTable missing() const {
    ReportTable table{
        .title = "missing",
        .about = {.game = g_.game, .treatment = g_.label, .metric = "missing_line_up"}};
    table.columns = {{.header = "choices", .key = true}, {.header = "line-up"}};
    for (const std::size_t l : g_.missing) {
      const auto& choices = g_.line_ups[l].choices;
      std::vector<std::string> agents;
      for (std::size_t s = 0; s < choices.size(); ++s) agents.push_back(g_.agents[s][choices[s]]);
      table.rows.push_back({.about = about_line_up(l),
                            .cells = {line_up(choices), text::joined(agents)},
                            .where = Where::data});
    }
    return table;
  }

  [[nodiscard]] ReportTable matrix(const MetaSolution& solution) const {
    ReportTable table{.title = unit(solution) + ", both seats", .fixed = 1};
    table.columns = {{.header = "", .key = true}};
    for (const std::string& column : g_.choices[1])
      table.columns.push_back({.header = seat(1) + ": " + column, .where = Where::shown});
    for (std::size_t row = 0; row < g_.choices[0].size(); ++row) {
      ReportRow& out = table.rows.emplace_back();
      out.where = Where::shown;
      out.cells = {seat(0) + ": " + choice(0, row)};
      for (std::size_t column = 0; column < g_.choices[1].size(); ++column) {
        const std::size_t l = g_.line_up({row, column});
        // Where seats are alike the line-up may stand the other way round.
        const std::size_t first = g_.symmetric && row > column ? 1 : 0;
        const auto& values = solution.payoffs[l];
        if (!values[0].value || !values[1].value) {
          out.cells.emplace_back(NoFigure{});
          continue;
        }
        std::string cell = fixed(*values[first].value, decimals(solution)) + ", " +
                           fixed(*values[1 - first].value, decimals(solution));
        for (const MetaPure& pure : solution.pure)
          if (pure.line_up == l) cell += " *";
        out.cells.emplace_back(std::move(cell));
      }
    }
    return table;
  }

  [[nodiscard]] ReportTable cells(const MetaSolution& solution) const {
    ReportTable table{
        .title = solution.scale == MetaScale::normalised ? "normalised" : "in the game's unit",
        .about = about(solution)};
    for (std::size_t s = 0; s < g_.players(); ++s)
      table.columns.push_back({.header = seat(s), .key = true});
    for (std::size_t s = 0; s < g_.players(); ++s)
      table.columns.push_back(
          {.header = "payoff of " + seat(s), .about = {.role = seat(s), .metric = "payoff"}});
    for (const char* count : {"matches", "blocks"})
      table.columns.push_back(number_column(count, count));
    for (std::size_t l = 0; l < g_.line_ups.size(); ++l) {
      const MetaLineUp& played = g_.line_ups[l];
      ReportRow& row = table.rows.emplace_back();
      row.about = about_line_up(l);
      for (std::size_t s = 0; s < g_.players(); ++s)
        row.cells.emplace_back(choice(s, played.choices[s]));
      for (const stats::Estimate& payoff : solution.payoffs[l])
        row.cells.push_back(figure(payoff, decimals(solution)));
      row.cells.push_back(whole(played.matches));
      row.cells.push_back(whole(played.blocks));
      row.units = played.blocks;
    }
    return table;
  }

  [[nodiscard]] std::vector<ListedRemark> words() const {
    std::vector<ListedRemark> points;
    if (!g_.note.empty()) points.push_back("No game is told: " + g_.note + ".");
    if (!g_.left_out.empty())
      points.push_back(
          "Left out, as line-ups with them were not played: " + text::joined(g_.left_out) + ".");
    std::size_t most = 0;
    for (const auto& choices : g_.choices) most = std::max(most, choices.size());
    const bool label = !report_.question.label.empty();
    if (most == 1)
      points.push_back(
          fmt::format("Only one {} is known here: '{}'. {}, and play the two against each other "
                      "and themselves.",
                      label ? "level" : "agent", choice(0, 0),
                      label ? "Label another agent of this base" : "Name another agent"));
    missing_words(points);
    for (const MetaSolution& solution : g_.solutions) {
      if (!solution.note.empty())
        points.push_back(
            (solution.scale == MetaScale::raw ? "Raw payoffs: " : "Normalised payoffs: ") +
            solution.note + ".");
      if (!g_.missing.empty() || most == 1 || !solution.note.empty()) continue;
      if (is_main(solution))
        equilibrium_words(solution, points);
      else
        other_scale_words(solution, points);
    }
    return points;
  }

  void missing_words(std::vector<ListedRemark>& points) const {
    std::size_t told = 0;
    for (const std::size_t l : g_.missing) {
      if (told++ == kMostMissingShown) {
        points.push_back(fmt::format("And {} more line-ups without a match; the JSON has all.",
                                     g_.missing.size() - kMostMissingShown));
        return;
      }
      const auto& choices = g_.line_ups[l].choices;
      std::string seats;
      std::string line_up;
      for (std::size_t s = 0; s < choices.size(); ++s) {
        seats += (s > 0 ? " and '" : "'") + choice(s, choices[s]) + "'";
        if (!g_.symmetric) seats += fmt::format(" on seat {} ({})", s, g_.seats[s]);
        line_up += (s > 0 ? ", \"" : "\"") + g_.agents[s][choices[s]] + "\"";
      }
      points.push_back(fmt::format(
          "No match has {}: add the line-up [{}] to a \"fixed\" design{}, and run again.", seats,
          line_up, g_.symmetric ? "" : ", in this order of seats too"));
    }
  }

  void equilibrium_words(const MetaSolution& solution, std::vector<ListedRemark>& points) const {
    if (solution.pure.empty()) points.emplace_back("No pure equilibrium.");
    for (const MetaPure& pure : solution.pure)
      points.push_back(fmt::format("Pure equilibrium: ({}){}.", line_up(pure.line_up),
                                   held_words(pure.held_in)));
    for (const MetaMixed& mixed : solution.mixed) {
      const std::string first = shown_mixture(mixed.exact.first, g_.choices[0], mixed.weights[0]);
      const std::string earns = fixed(mixed.exact.first_payoff.value, decimals(solution));
      if (mixed.symmetric)
        points.push_back(fmt::format("Mixed equilibrium: both play {}; expected {}{}.", first,
                                     earns, held_words(mixed.held_in)));
      else
        points.push_back(fmt::format(
            "Mixed equilibrium: {} plays {}; {} plays {}; expected {}, {}{}.", seat(0), first,
            seat(1), shown_mixture(mixed.exact.second, g_.choices[1], mixed.weights[1]), earns,
            fixed(mixed.exact.second_payoff.value, decimals(solution)), held_words(mixed.held_in)));
    }
    if (!solution.mixed_note.empty())
      points.push_back("Mixed equilibria are missing: " + solution.mixed_note + ".");
    std::size_t shown = 0;
    for (const MetaSupport& support : solution.supports) {
      if (support.found || support.share < kLeastSupportShown) continue;
      if (shown++ == kMostSupportsShown) {
        points.emplace_back("Other choices make equilibria of resamples too; the JSON has all.");
        break;
      }
      points.push_back(fmt::format("Not an equilibrium of the means, but in {}% of resamples: {}.",
                                   fixed(100 * support.share, 0), sides(support)));
    }
  }

  /// Whether the other scale has other pure equilibria.
  void other_scale_words(const MetaSolution& solution, std::vector<ListedRemark>& points) const {
    const auto list = [&](const MetaSolution& of) {
      std::vector<std::string> pure;
      for (const MetaPure& found : of.pure) pure.push_back("(" + line_up(found.line_up) + ")");
      return pure.empty() ? std::string("none") : text::joined(pure);
    };
    const MetaSolution& main = g_.solutions.front();
    if (main.note.empty() && list(solution) != list(main))
      points.push_back("With raw payoffs the pure equilibria are others: " + list(solution) + ".");
  }

  /// Pure ones with the share of resamples that they held in, then the shares of mixed ones.
  [[nodiscard]] ReportSection equilibria() const {
    ReportSection section{.id = "equilibria", .title = "Equilibria of " + title_};
    section.where = Where::data;  // for people they are words below the payoffs
    section.method = "percentiles over resampled blocks";
    for (const MetaSolution& solution : g_.solutions) {
      ReportTable table{.title = unit(solution), .about = about(solution)};
      table.columns = {{.header = "equilibrium", .key = true},
                       {.header = "of", .key = true},
                       {.header = "choice", .key = true},
                       {.header = "value", .align = text::Align::right}};
      for (const MetaPure& pure : solution.pure) {
        ReportRow& row = table.rows.emplace_back();
        row.about = about_line_up(pure.line_up);
        row.about.metric = "pure_held_in";
        row.cells = {"pure", "all", "(" + line_up(pure.line_up) + "), held in",
                     number(pure.held_in, 3)};
      }
      double place = 0;
      for (const MetaMixed& mixed : solution.mixed) add_mixed(table, solution, mixed, ++place);
      for (const MetaSupport& support : solution.supports)
        table.rows.push_back(
            {.about = {.metric = support.found ? "support_held_in" : "other_support_held_in",
                       .text = sides(support)},
             .cells = {"support", "all", sides(support), Number{support.share, 3}}});
      if (!table.rows.empty()) section.tables.push_back(std::move(table));
      if (solution.resamples > 0)
        section.tables.push_back(
            facts("how", about(solution), {{"resamples", whole(solution.resamples)}}));
    }
    return section;
  }

  /// "(use) against (not, use)".
  [[nodiscard]] std::string sides(const MetaSupport& support) const {
    std::string words;
    for (std::size_t p = 0; p < 2; ++p) {
      std::vector<std::string> used;
      for (const std::size_t a : support.choices[p]) used.push_back(choice(p, a));
      words += (p > 0 ? " against (" : "(") + text::joined(used) + ")";
    }
    return words;
  }

  void add_mixed(ReportTable& table, const MetaSolution& solution, const MetaMixed& mixed,
                 double at) const {
    const std::string name = fmt::format("mixed {}", at);
    table.rows.push_back({.about = {.position = at,
                                    .metric = "mixed_held_in",
                                    .text = mixed.symmetric ? "both mix alike" : ""},
                          .cells = {name, "all", "held in", number(mixed.held_in, 3)}});
    for (std::size_t p = 0; p < 2; ++p) {
      const theory::MixedStrategy& strategy = p == 0 ? mixed.exact.first : mixed.exact.second;
      for (std::size_t a = 0; a < strategy.size(); ++a)
        table.rows.push_back({.about = {.role = seat(p),
                                        .agent = choice(p, a),
                                        .position = at,
                                        .metric = "mixed_share",
                                        .text = strategy[a].text},
                              .cells = {name, seat(p), choice(p, a),
                                        with(strategy[a].value, mixed.weights[p][a], 3)}});
      const theory::Exact& expected = p == 0 ? mixed.exact.first_payoff : mixed.exact.second_payoff;
      table.rows.push_back(
          {.about = {.role = seat(p), .position = at, .metric = "mixed_expected"},
           .cells = {name, seat(p), "expected", Number{expected.value, decimals(solution)}}});
    }
  }

  /// What changing one choice gains, and for every line-up the most that anybody gains.
  [[nodiscard]] ReportSection gains() const {
    ReportSection section{.id = "gains", .title = "Gains of another choice in " + title_};
    section.explanation =
        "What a seat gains by choosing otherwise while the others keep to their choices: "
        "differences within blocks, each with an interval by itself. Regret: the most that any one "
        "seat gains, 0 in an equilibrium; its interval holds for all gains of the line-up at once.";
    section.method = stats::interval_method;
    for (const MetaSolution& solution : g_.solutions) {
      if (!solution.gains.empty() && is_main(solution)) section.plots.push_back(arrows(section));
      if (!solution.gains.empty()) section.tables.push_back(gain_table(solution));
      if (!solution.regrets.empty()) section.tables.push_back(regret_table(solution));
    }
    return section;
  }

  /// The best replies, of the table that comes next.
  [[nodiscard]] Plot arrows(const ReportSection& section) const {
    Plot plot{.name = "best-replies",
              .title = "Best replies in " + title_ +
                       (g_.symmetric && g_.players() == 2 ? ": own choice, the other's" : ""),
              .drawing = Drawing::arrows,
              .table = section.tables.size()};
    const std::size_t keys = g_.symmetric ? 3 : 4;
    for (std::size_t c = 0; c <= 2 * g_.players(); ++c) plot.columns.push_back(keys + c);
    return plot;
  }

  [[nodiscard]] ReportTable gain_table(const MetaSolution& solution) const {
    ReportTable table{.title = unit(solution) + ", gains", .about = about(solution)};
    if (!g_.symmetric) table.columns.push_back({.header = "seat", .key = true});
    for (const char* header : {"against", "from", "to"})
      table.columns.push_back({.header = header, .key = true});
    table.columns.push_back({.header = "gain",
                             .about = {.metric = "gain"},
                             .apart = {{FigurePart::Item::value, "gain"},
                                       {FigurePart::Item::interval, "interval", text::Align::left},
                                       {FigurePart::Item::p, "unadjusted p"},
                                       {FigurePart::Item::units, "n"}}});
    // For plots and programs: everybody's choices before and after.
    for (const char* when : {"before", "after"})
      for (std::size_t s = 0; s < g_.players(); ++s)
        table.columns.push_back({.header = fmt::format("{}: {}", when, g_.seats[s]),
                                 .key = true,
                                 .where = Where::data});
    for (const MetaGain& gain : solution.gains) {
      const std::string& from = choice(gain.seat, gain.choices[gain.seat]);
      const std::string& to = choice(gain.seat, gain.to);
      const std::string against = others(gain.choices, gain.seat);
      ReportRow& row = table.rows.emplace_back();
      row.where = where(solution);
      row.about = {.role = g_.symmetric ? "" : g_.seats[gain.seat],
                   .agent = to,
                   .other = from,
                   .text = "against " + against};
      if (!g_.symmetric) row.cells.emplace_back(g_.seats[gain.seat]);
      row.cells.insert(row.cells.end(), {against, from, to});
      row.cells.push_back(figure(gain.gain, decimals(solution), true));
      std::vector<std::size_t> after = gain.choices;
      after[gain.seat] = gain.to;
      for (const auto& choices : {gain.choices, after}) {
        // Where seats are alike, line-ups stand in one order.
        const auto& line_up = g_.line_ups[g_.line_up(choices)].choices;
        for (std::size_t s = 0; s < line_up.size(); ++s)
          row.cells.emplace_back(choice(s, line_up[s]));
      }
    }
    return table;
  }

  [[nodiscard]] ReportTable regret_table(const MetaSolution& solution) const {
    ReportTable table{.title = unit(solution) + ", regrets", .about = about(solution)};
    table.columns = {{.header = "line-up", .key = true},
                     {.header = "regret", .about = {.metric = "regret"}},
                     {.header = "by changing", .key = true}};
    for (const MetaRegret& regret : solution.regrets) {
      const auto& choices = g_.line_ups[regret.line_up].choices;
      std::string change;
      if (regret.regret.value_or(0) > 0)
        change = (g_.symmetric ? "" : g_.seats[regret.seat] + ": ") +
                 choice(regret.seat, choices[regret.seat]) + " to " +
                 choice(regret.seat, regret.to);
      Subject about = about_line_up(regret.line_up);
      about.text = change;
      table.rows.push_back(
          {.about = std::move(about),
           .cells = {line_up(choices),
                     with(regret.regret, regret.interval, decimals(solution),
                          regret.always ? stats::Note::no_variation : stats::Note::none),
                     change},
           .where = where(solution)});
    }
    return table;
  }

  [[nodiscard]] ReportSection rankings() const {
    ReportSection section{.id = "alpha-rank", .title = "Alpha-rank of " + title_};
    section.explanation = fmt::format(
        "How much of the time populations spend at each {} when mutants that earn more take over; "
        "with the middle {} of resamples. Infinite alpha: only those that earn more do.",
        g_.symmetric ? "choice" : "line-up", text::percent(report_.level));
    section.method = "percentiles over resampled blocks";
    for (const MetaSolution& solution : g_.solutions) {
      if (!solution.ranking_note.empty() && is_main(solution))
        section.remarks.push_back("Not told: " + solution.ranking_note + ".");
      if (solution.rankings.empty()) continue;
      section.tables.push_back(ranking_table(solution));
      std::vector<std::pair<std::string, ReportCell>> imbalances;
      for (const MetaRanking& ranking : solution.rankings)
        imbalances.emplace_back(metric(ranking) + "_imbalance", Number{ranking.residual, 3});
      section.tables.push_back(facts("flows", about(solution), imbalances));
    }
    return section;
  }

  static std::string metric(const MetaRanking& ranking) {
    return ranking.alpha ? fmt::format("alpha_rank_{:g}", *ranking.alpha) : "alpha_rank";
  }

  [[nodiscard]] ReportTable ranking_table(const MetaSolution& solution) const {
    ReportTable table{.title = unit(solution), .about = about(solution)};
    table.columns = {{.header = g_.symmetric ? "choice" : "line-up", .key = true}};
    for (const MetaRanking& ranking : solution.rankings)
      table.columns.push_back(
          {.header = ranking.alpha ? fmt::format("alpha {:g}", *ranking.alpha) : "infinite alpha",
           .about = {.metric = metric(ranking)}});
    const auto& mass = solution.rankings.front().mass;
    std::vector<std::size_t> order(mass.size());
    for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return mass[a] > mass[b]; });
    for (const std::size_t s : order) {
      const bool seen =
          g_.symmetric || std::ranges::any_of(solution.rankings, [&](const auto& ranking) {
            return ranking.mass[s] >= kLeastMassShown;
          });
      ReportRow& row = table.rows.emplace_back();
      row.where = seen ? where(solution) : Where::data;
      if (g_.symmetric)
        row.about.agent = choice(0, s);
      else
        row.about = about_line_up(s);
      row.cells.emplace_back(g_.symmetric ? choice(0, s) : line_up(s));
      for (const MetaRanking& ranking : solution.rankings)
        row.cells.push_back(with(ranking.mass[s], ranking.intervals[s], 3));
    }
    return table;
  }

  [[nodiscard]] ReportSection dynamics() const {
    ReportSection section{.id = "replicator", .title = "Replicator dynamics of " + title_};
    section.explanation =
        "Where shares of choices go when what earns more than the mean grows: from even shares, "
        "and from starts drawn evenly over all mixtures.";
    for (const MetaSolution& solution : g_.solutions) {
      if (!solution.dynamics) continue;
      section.tables.push_back(dynamics_table(solution, *solution.dynamics));
      section.tables.push_back(shares_table(solution, *solution.dynamics));
      const theory::ReplicatorEnd& end = solution.dynamics->from_uniform;
      section.tables.push_back(facts("how", about(solution),
                                     {{"starts", whole(solution.dynamics->starts)},
                                      {"largest_error", Number{solution.dynamics->error, 6}},
                                      {"from_even_shares_gap", Number{end.gap, 6}},
                                      {"from_even_shares_time", Number{end.time, 0}},
                                      {"from_even_shares_error", Number{end.error, 6}}}));
      const auto& basins = solution.dynamics->basins;
      if (is_main(solution) && std::ranges::any_of(basins, [](const auto& basin) {
            return basin.settled && basin.spread > kOneEnd;
          }))
        section.remarks.emplace_back(
            "Ends with the same choices differ (their mean is shown): there are many rest points.");
    }
    return section;
  }

  [[nodiscard]] ReportTable dynamics_table(const MetaSolution& solution,
                                           const MetaDynamics& d) const {
    ReportTable table{.title = unit(solution), .about = about(solution)};
    table.columns = {{.header = "from", .key = true},
                     number_column("of the starts", "basin"),
                     {.header = "ends", .about = {.metric = "ends"}},
                     data_column("spread")};
    for (std::size_t p = 0; p < d.from_uniform.shares.size(); ++p)
      table.columns.push_back(
          {.header = g_.symmetric ? "shares" : g_.seats[p], .limit = 60, .key = true});
    const auto add = [&](const std::string& from, const std::optional<double>& starts, bool settled,
                         const theory::Shares& shares, const std::optional<double>& spread) {
      ReportRow& row = table.rows.emplace_back();
      row.where = where(solution);
      row.about.position = static_cast<double>(table.rows.size() - 1);
      row.cells = {from, number(starts, 2), settled ? "at rest" : "moves on (mean over time)",
                   number(spread, 6)};
      for (std::size_t p = 0; p < shares.size(); ++p) {
        const std::string words = shown_shares(shares[p], g_.choices[p]);
        row.about.text += (p > 0 ? "; " : "") + words;
        row.cells.emplace_back(words);
      }
    };
    add("even shares", std::nullopt, d.from_uniform.settled, d.from_uniform.shares, std::nullopt);
    for (const MetaBasin& basin : d.basins)
      add("drawn starts", basin.starts, basin.settled, basin.shares, basin.spread);
    return table;
  }

  /// The shares at the same ends one by one, for programs.
  [[nodiscard]] ReportTable shares_table(const MetaSolution& solution,
                                         const MetaDynamics& d) const {
    ReportTable table{.title = unit(solution) + ", shares", .about = about(solution)};
    table.about.metric = "share_in_the_end";
    table.columns = {
        {.header = "of", .key = true}, {.header = "choice", .key = true}, {.header = "share"}};
    double at = 0;
    const auto add = [&](const theory::Shares& shares) {
      for (std::size_t p = 0; p < shares.size(); ++p)
        for (std::size_t a = 0; a < shares[p].size(); ++a)
          table.rows.push_back(
              {.about = {.role = g_.symmetric ? "" : g_.seats[p],
                         .agent = choice(p, a),
                         .position = at},
               .cells = {g_.symmetric ? "all" : g_.seats[p], choice(p, a), Number{shares[p][a], 3}},
               .where = Where::data});
      ++at;
    };
    add(d.from_uniform.shares);
    for (const MetaBasin& basin : d.basins) add(basin.shares);
    return table;
  }

  const MetaReport& report_;
  const MetaGame& g_;
  std::string title_;
  int decimals_ = 0;
};

/// True if a payoff or gain is the same in all blocks.
bool has_constants(const MetaGame& game) {
  const auto is_constant = [](const stats::Estimate& e) {
    return e.note == stats::Note::no_variation;
  };
  return std::ranges::any_of(game.solutions, [&](const MetaSolution& solution) {
    return std::ranges::any_of(
               solution.payoffs,
               [&](const auto& seats) { return std::ranges::any_of(seats, is_constant); }) ||
           std::ranges::any_of(solution.gains,
                               [&](const MetaGain& gain) { return is_constant(gain.gain); });
  });
}

ReportSection reading_section(const MetaReport& report) {
  ReportSection section{.id = "notes", .title = "How to read this"};
  const bool label = !report.question.label.empty();
  section.points = {
      fmt::format("Each game is that of owners who choose {} for every seat of a table. * marks "
                  "pure equilibria of the means.",
                  label ? "'" + report.question.label + "' of their agent" : "an agent"),
      fmt::format("Intervals at {} over blocks (matches on the same random numbers). {} Held in: "
                  "share of {} resamples of the blocks with an equilibrium on the same choices.",
                  text::percent(report.level), fault_words(report.policy), report.resamples)};
  if (std::ranges::any_of(report.games, has_constants))
    section.points.emplace_back(
        "'constant': every block says the same, so that nothing tells how far others would be, and "
        "there is no interval; behind '<' the share of blocks below which something may happen "
        "that was not seen. Where that is so of all payoffs, no resample differs, and none is "
        "told.");
  if (std::ranges::any_of(report.games, [](const MetaGame& game) { return game.symmetric; }))
    section.points.emplace_back(
        "Seats of one role are alike: payoffs are means over them. --asymmetric tells them "
        "apart.");
  if (label)
    section.points.emplace_back(
        "Agents are of one base if their other labels, factors and suite entry agree, or, without "
        "any, the name of their model.");
  const auto not_counted = [&](std::size_t matches, const char* which) {
    if (matches > 0)
      section.points.push_back("Not counted: " + text::counted(matches, "match", "matches") + " " +
                               which + ".");
  };
  not_counted(report.other_bases, "between agents of different bases");
  not_counted(report.not_chosen,
              label ? "with an agent that lacks the label" : "with an agent that is not named");
  not_counted(report.one_seat, "of one seat");
  not_counted(report.excluded, "in blocks with a forced answer");
  return section;
}

}  // namespace

const std::vector<std::string>& meta_section_names() {
  static const std::vector<std::string> names = {"payoffs",    "equilibria", "gains",
                                                 "alpha-rank", "replicator", "notes"};
  return names;
}

Document document(const MetaReport& report) {
  Document document;
  document.made = {.level = report.level,
                   .scope = report.scope,
                   .policy = std::string(name(report.policy)),
                   .metagame = report.question};
  add_alerts(document, {}, report.scope.warnings);
  for (const MetaGame& game : report.games)
    for (ReportSection& section : GameSections(report, game).all())
      document.sections.push_back(std::move(section));
  document.sections.push_back(reading_section(report));
  return document;
}

std::string text(const MetaReport& report, bool colour) {
  return render_text(document(report), colour);
}

}  // namespace agon::report

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "plugin/catalogue.hpp"
#include "plugin/search_path.hpp"
#include "report/document.hpp"
#include "report/estimates.hpp"
#include "report/sections/sections.hpp"
#include "results/played_archive.hpp"
#include "results/scope.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

constexpr std::size_t kWidestLabel = 52;

std::string games_of(const TableCard& card) {
  return std::string(card.game) + (card.also.empty() ? "" : " or ") + std::string(card.also);
}

/// `run`: the last one, if it is to play the table's game and did not come to its end.
[[noreturn]] void lacks(const TableCard& card, const std::string& what, const std::string& path,
                        const OpenRun& run) {
  std::string hint = run.text();
  if (!run.open() && card.scenario.empty()) {
    hint = fmt::format("play them: a suite with the game '{}'", card.game);
  } else if (!run.open()) {
    const std::string out = std::filesystem::path(card.scenario).stem().string() + ".agon";
    hint = fmt::format(
        "make them: agon run {0} --out {1} && agon report {1} --paper-table {2}"
        "\n  (agon run ... --model mock shows without a key what it does)",
        plugin::scenario_file("scenarios/" + std::string(card.scenario)), out, card.id);
  }
  throw Error(ErrorKind::failure,
              fmt::format("table '{}' cannot be made{}: the archive has no {}", card.id,
                          run.open() ? " yet" : "", what),
              path, hint);
}

/// What is wrong with how a table says that it is drawn; nothing if it is right.
std::optional<std::string> wrong_plot(const PaperTable& table, const TablePlot& plot) {
  for (const auto* list : {&plot.columns, &plot.deviations})
    for (const std::size_t column : *list)
      if (column >= table.columns.size())
        return fmt::format("names column {}, and there are {}, counted from 0", column,
                           table.columns.size());
  const auto unit_of_column = [&](std::size_t column) {
    return table.units.size() > 1 ? table.units.at(column) : std::string();
  };
  const std::size_t named = plot.columns.empty() ? table.columns.size() : plot.columns.size();
  const auto column_of = [&](std::size_t place) {
    return plot.columns.empty() ? place : plot.columns[place];
  };
  for (std::size_t i = 1; i < named; ++i)
    if (plot.how == TablePlot::How::boxes &&
        unit_of_column(column_of(i)) != unit_of_column(column_of(0)))
      return "is of boxes, whose columns have several units";
  for (std::size_t i = 0; i < std::min(plot.columns.size(), plot.deviations.size()); ++i)
    if (unit_of_column(plot.columns[i]) != unit_of_column(plot.deviations[i]))
      return "has a deviation of another unit than its column";
  if (plot.how == TablePlot::How::boxes && named != 5 && named != 6)
    return fmt::format("is of boxes and names {} columns, which have 5 or, with the mean, 6",
                       named);
  if (plot.how == TablePlot::How::points && named != 2 && named != 3)
    return fmt::format("is of points and names {} columns, which have 2 or 3", named);
  if (plot.how == TablePlot::How::curves && !table.curves)
    return "is of curves, whose axes are not said";
  if (!plot.deviations.empty() && plot.deviations.size() != named)
    return fmt::format("names {} deviations for {} columns", plot.deviations.size(), named);
  if (!plot.deviations.empty() && plot.how != TablePlot::How::dots &&
      plot.how != TablePlot::How::bars)
    return "names deviations, which dots and bars have alone";
  return std::nullopt;
}

[[noreturn]] void made_wrongly(const TableCard& card, const std::string& what) {
  throw Error(ErrorKind::failure, fmt::format("table '{}' is made wrongly: {}", card.id, what), "",
              "this is a mistake of the plugin that brings it");
}

/// The table that a card makes of `matches`. Throws LacksData; and Error (failure) for a table
/// whose rows, units or plots do not fit its columns.
PaperTable checked_table(const TableCard& card, const PlayedMatches& matches) {
  PaperTable table = card.make(matches);
  for (const TableRow& row : table.rows)
    if (row.cells.size() != table.columns.size())
      made_wrongly(card, fmt::format("row '{}' has {} cells for {} columns", row.label,
                                     row.cells.size(), table.columns.size()));
  if (table.units.size() > 1 && table.units.size() != table.columns.size())
    made_wrongly(card, fmt::format("it has {} units for {} columns", table.units.size(),
                                   table.columns.size()));
  if (table.points && table.columns.size() < 2)
    made_wrongly(card, "its rows are points, and it has no two columns");
  for (std::size_t p = 0; p < table.plots.size(); ++p)
    if (const auto wrong = wrong_plot(table, table.plots[p]))
      made_wrongly(card, fmt::format("its plot {} {}", p + 1, *wrong));
  return table;
}

/// A table of an archive as a section; throws LacksData. `seats` grows by those who played for it.
ReportSection section_of(const TableCard& card, const archive::Archive& archive, double level,
                         std::int64_t& read, std::map<std::int64_t, std::int64_t>& seats) {
  const PlayedArchive matches(archive, std::string(card.game), card.reads_records, level,
                              std::string(card.also));
  const PaperTable table = checked_table(card, matches);
  read = matches.handed_out();
  for (const auto& [agent, count] : matches.seats()) seats[agent] = std::max(seats[agent], count);
  const std::string from =
      card.source.empty() ? std::string(card.id) : fmt::format("{} ({})", card.source, card.id);
  return paper_section(card, table,
                       fmt::format("{}. From {} of {}.", from,
                                   text::counted(read, "match", "matches"), games_of(card)),
                       level);
}

/// Who they are that played.
ReportSection who_played(const archive::Archive& archive, const Catalogue& catalogue,
                         const std::map<std::int64_t, std::int64_t>& all, std::string_view game) {
  std::vector<AgentProfile> agents;
  const auto rows = archive.agents();
  for (const auto& [number, seats] : all)
    agents.push_back(participant(archive.row(rows, number), seats, &catalogue, game));
  std::ranges::stable_sort(
      agents, [](const AgentProfile& a, const AgentProfile& b) { return a.agent < b.agent; });
  ReportSection section{.id = "who-played", .title = "Who played"};
  section.explanation = "With: parameters that are not as by default.";
  ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "agent", .limit = kWidestLabel, .key = true},
                   {.header = "is", .limit = 30, .about = {.metric = "is"}},
                   {.header = "with", .limit = 48, .about = {.metric = "with"}},
                   number_column("seats", "seats")};
  std::set<std::string> mocks;
  for (const AgentProfile& p : agents) {
    table.rows.push_back(
        {.about = {.agent = p.agent}, .cells = {p.agent, p.plays, p.with, p.seats}});
    if (p.is_mock) mocks.insert(p.plays);
  }
  for (const std::string& mock : mocks)
    section.remarks.push_back(fmt::format(
        "'{}' is no model: it answers at random. Its numbers say nothing about any model.", mock));
  return section;
}

}  // namespace

void add_papers(Document& document, const std::string& path, const Catalogue& catalogue,
                const ScopeChoice& asked) {
  archive::Archive archive = archive::Archive::open(path);
  std::vector<ReportSection> made;
  archive.together([&] {
    narrow(archive, asked);
    const double level = suite_wishes(archive).level;
    std::set<std::string, std::less<>> games;
    for (const auto& [number, game] : archive.games()) games.insert(game.name);
    std::map<std::string_view, std::map<std::int64_t, std::int64_t>> seats;  // by game
    for (const TableCard* card : catalogue.all<TableCard>()) {
      if (card->in_report || (!games.contains(card->game) && !games.contains(card->also))) continue;
      try {
        std::int64_t read = 0;
        made.push_back(section_of(*card, archive, level, read, seats[card->game]));
      } catch (const LacksData&) {
        continue;  // what else it needs was not played
      }
    }
    for (const auto& [game, all] : seats)
      if (!all.empty()) made.push_back(who_played(archive, catalogue, all, game));
  });
  if (made.empty())
    throw Error(ErrorKind::not_found, "no table of a paper can be made of this archive", path,
                "'agon report --list-paper-tables' says which suite plays for each");
  // What one came for goes before what every report has.
  const auto place = std::ranges::find_if_not(
      document.sections, [](const ReportSection& section) { return section.id == "summary"; });
  document.sections.insert(place, std::make_move_iterator(made.begin()),
                           std::make_move_iterator(made.end()));
}

Document table_document(const TableCard& card, const std::string& path, const Catalogue& catalogue,
                        const ScopeChoice& asked) {
  archive::Archive archive = archive::Archive::open(path);
  const std::string game = games_of(card);
  Document document;
  Made& made = document.made;
  made.table = {std::string(card.id), std::string(card.source), game};
  archive.together([&] {
    Narrowed scope = narrow(archive, asked);
    made.scope = scope;
    made.level = suite_wishes(archive).level;
    const auto games = archive.games();
    OpenRun run = open_run(archive, path, card.game);
    if (!run.open() && !card.also.empty()) run = open_run(archive, path, card.also);
    const bool there = std::ranges::any_of(games, [&](const auto& g) {
      return g.second.name == card.game || (!card.also.empty() && g.second.name == card.also);
    });
    if (!there) lacks(card, fmt::format("matches of the game '{}'", game), path, run);
    add_alerts(document, run, scope.warnings);
    std::map<std::int64_t, std::int64_t> seats;
    std::int64_t read = 0;
    try {
      document.sections.push_back(section_of(card, archive, made.level, read, seats));
    } catch (const LacksData& missing) {
      lacks(card, missing.what, path, run);
    }
    made.matches = read;
    document.sections.push_back(who_played(archive, catalogue, seats, card.game));
  });
  return document;
}

namespace {

/// Which matches it is of.
std::string made_from(std::int64_t read, std::int64_t all, std::int64_t shares,
                      const std::string& game) {
  if (shares == 1)
    return fmt::format("From {} of {}.", text::counted(read, "match", "matches"), game);
  return fmt::format(
      "From {} of {} matches of {}: of every scenario one block in {}, from the "
      "first one on.",
      read, all, game, shares);
}

}  // namespace

std::vector<const TableCard*> play_tables_of(const Catalogue& catalogue) {
  std::vector<const TableCard*> cards;
  for (const TableCard* card : catalogue.all<TableCard>())
    if (card->in_report) cards.push_back(card);
  return cards;
}

std::vector<ReportSection> play_sections(const archive::Archive& archive, const Results& results,
                                         const std::vector<const TableCard*>& cards, double level,
                                         std::size_t threads) {
  std::vector<std::optional<ReportSection>> made(cards.size());
  std::vector<std::function<void()>> tasks;
  const PlayedArchive::MatchSelection all{.apart = results.apart,
                                          .last = archive.matches().last_number()};
  for (std::size_t c = 0; c < cards.size(); ++c) {
    const TableCard& card = *cards[c];
    const auto game = std::ranges::find_if(
        results.games, [&](const GameResults& g) { return g.name == card.game; });
    if (game == results.games.end()) continue;
    tasks.emplace_back([&, c, game, &card = card] {
      const archive::Archive own = archive.again();
      PlayedArchive::MatchSelection choice = all;
      choice.shares = std::max<std::int64_t>(1, (game->matches + kMostRead - 1) / kMostRead);
      choice.recorded = card.reads_records;
      PlayedArchive matches(own, std::string(card.game), card.reads_records, level);
      matches.choose(choice);
      try {
        const PaperTable table = checked_table(card, matches);
        made[c] = paper_section(
            card, table,
            made_from(matches.handed_out(), game->matches, choice.shares, std::string(card.game)),
            level);
      } catch (const LacksData&) {
        made[c].reset();  // nothing was played that it could be made of
      }
    });
  }
  run_all(tasks, threads);
  std::vector<ReportSection> sections;
  for (std::optional<ReportSection>& section : made)
    if (section) sections.push_back(std::move(*section));
  return sections;
}

namespace {

using text::Align;

std::optional<double> known(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

bool says_nothing(const TableCell& cell) {
  return cell.text.empty() && std::isnan(cell.ours.value) && std::isnan(cell.ours.n) &&
         std::isnan(cell.published);
}

ReportCell cell_of(const TableCell& from) {
  if (says_nothing(from)) return NoFigure{};
  if (!from.text.empty() && std::isnan(from.published)) return from.text;
  Estimated figure{.decimals = from.decimals, .published = known(from.published)};
  figure.instead = from.text;
  figure.estimate.value = known(from.ours.value);
  if (!std::isnan(from.ours.low) && !std::isnan(from.ours.high))
    figure.estimate.interval = stats::Interval{from.ours.low, from.ours.high};
  figure.estimate.note = stats::Note::none;
  figure.out_of = known(from.ours.n);
  return figure;
}

/// The n that all cells share; none if they differ.
std::optional<double> shared_n(const PaperTable& table) {
  std::set<double> all;
  for (const TableRow& row : table.rows)
    for (const TableCell& cell : row.cells)
      if (!std::isnan(cell.ours.n)) all.insert(cell.ours.n);
  return all.size() == 1 ? std::optional(*all.begin()) : std::nullopt;
}

std::size_t indent_of(const std::string& label) {
  return std::min(label.find_first_not_of(' '), label.size());
}

/// By row: its label with that of the row that it stands under, the last one above with a smaller
/// indent. Many tables have the same labels under several headings.
std::vector<std::string> full_labels(const PaperTable& table) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string& label = table.rows[i].label;
    std::size_t above = i;
    while (above > 0 && indent_of(table.rows[above].label) >= indent_of(label)) --above;
    const std::string& heading = table.rows[above].label;
    const std::string own = label.substr(indent_of(label));
    all.push_back(indent_of(heading) < indent_of(label) ? heading + ": " + own : own);
  }
  return all;
}

/// True if some figure has what `part` is of it.
bool any(const ReportTable& table, bool (*part)(const Estimated&)) {
  return std::ranges::any_of(table.rows, [&](const ReportRow& row) {
    return std::ranges::any_of(row.cells, [&](const ReportCell& cell) {
      const auto* figure = std::get_if<Estimated>(&cell);
      return figure != nullptr && part(*figure);
    });
  });
}

std::string how_to_read(const ReportTable& table, const std::optional<double>& n, double level) {
  std::string words;
  if (any(table, [](const Estimated& f) { return f.estimate.interval.has_value(); }))
    words += fmt::format(" Under a value: its {} interval over blocks.", text::percent(level));
  if (n)
    words += fmt::format(" Every value is out of n = {}.", count_words(*n));
  else if (any(table, [](const Estimated& f) { return f.out_of.has_value(); }))
    words += " n: what a value is out of.";
  if (any(table, [](const Estimated& f) { return f.published.has_value(); }))
    words +=
        " Published: what the paper prints, or, where a note says so, what its published runs "
        "give.";
  return words;
}

/// A table that is no paper's is a part of reports: it is known by its game and what it is of.
void make_own(ReportSection& section, const TableCard& card) {
  section.id = "play";
  Subject& about = section.tables.front().about;
  about.game = card.game;
  about.metric = card.id.substr(card.id.find('/') + 1);
  for (PlotSeries& series : section.series) {
    series.about.game = about.game;
    series.about.metric = about.metric;
  }
  std::string name(card.id);
  std::replace(name.begin(), name.end(), '/', '-');
  for (Plot& plot : section.plots) plot.name.replace(0, std::string_view("figure").size(), name);
}

}  // namespace

ReportSection paper_section(const TableCard& card, const PaperTable& from,
                            const std::string& introduction, double level) {
  const std::optional<double> n = shared_n(from);
  const std::vector<std::string> labels = full_labels(from);
  ReportSection section{.id = std::string(card.id), .title = std::string(card.title)};
  if (!section.title.empty() && section.title.front() >= 'a' && section.title.front() <= 'z')
    section.title.front() = static_cast<char>(section.title.front() - 'a' + 'A');
  section.method = "over blocks";
  section.points.assign(from.notes.begin(), from.notes.end());
  ReportTable& table = section.tables.emplace_back();
  table.fixed = 1;
  table.below = {{FigurePart::Item::interval, "interval"}};
  if (!n) table.below.push_back({FigurePart::Item::out_of, "n"});
  table.below.push_back({FigurePart::Item::published, "published"});
  table.columns = {{.header = from.corner, .limit = kWidestLabel, .key = true}};
  if (from.units.size() == 1) table.about.unit = from.units.front();
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    const std::string& unit = from.units.size() > 1 ? from.units.at(c) : "";
    table.columns.push_back({.header = from.columns[c],
                             .align = Align::right,
                             .about = {.unit = unit, .column = from.columns[c]}});
  }
  for (std::size_t r = 0; r < from.rows.size(); ++r) {
    ReportRow& row = table.rows.emplace_back();
    row.about.row = labels[r];
    row.about.unit = from.rows[r].unit;
    row.theory = from.rows[r].theory;
    row.plotted = from.rows[r].plotted;
    row.cells = {from.rows[r].label};
    row.heading = std::ranges::all_of(from.rows[r].cells, says_nothing);
    if (row.heading) {
      row.where = Where::shown;
      continue;
    }
    for (const TableCell& cell : from.rows[r].cells) row.cells.push_back(cell_of(cell));
  }
  section.explanation = introduction + how_to_read(table, n, level);
  add_paper_plots(section, from);
  if (card.in_report) make_own(section, card);
  return section;
}

}  // namespace agon::report

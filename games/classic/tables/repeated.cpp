#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <map>

#include "classic/prepared.hpp"
#include "classic/tables/tables.hpp"
#include "shared/tables.hpp"

namespace classic {
namespace {

/// Most periods that have a column.
constexpr std::size_t most_columns = 100;

/// A line of the table: what was played, and who chose against whom.
struct Line {
  std::string scenario;
  std::string who;
  auto operator<=>(const Line&) const = default;
};
using ByPeriod = std::vector<agon::Sample>;

/// What the settings make of a game, kept for the matches that share them.
class Games {
 public:
  /// Null for a game that is played once, is a tree, or has no cooperation.
  const Prepared* of(const agon::PlayedMatch& match) {
    if (match.settings() == known_) return fits_ ? &*made_ : nullptr;
    known_ = match.settings();
    fits_ = false;
    const auto settings = shared::settings_of<Settings>(match);
    if (!settings || settings->periods == 1) return nullptr;
    made_.emplace(prepare(*settings));
    fits_ = made_->counts_cooperation;
    return fits_ ? &*made_ : nullptr;
  }

 private:
  std::string known_;
  std::optional<Prepared> made_;
  bool fits_ = false;
};

/// Who a seat plays against.
std::string others_of(const agon::PlayedMatch& match, std::size_t seat) {
  std::string text;
  for (std::size_t s = 0; s < match.seats().size(); ++s)
    if (s != seat) text += (text.empty() ? "" : " and ") + std::string(match.seats()[s].agent);
  return text;
}

std::string scenario_of(const agon::PlayedMatch& match) {
  const std::string treatment(match.treatment());
  return std::string(match.scenario()) + (treatment.size() > 2 ? ", " + treatment : "");
}

void add_period(const Prepared& made, const agon::PlayedMatch& match, const std::string& event,
                std::map<Line, ByPeriod>& lines) {
  const agon::JsonDocument document(event, "record");
  const auto period = static_cast<std::size_t>(document.root()["period"].whole());
  const agon::JsonNode actions = document.root()["actions"];
  if (period > most_columns) return;
  for (std::size_t s = 0; s < match.seats().size(); ++s) {
    const auto& own = made.game.actions[s];
    const auto found = std::find(own.begin(), own.end(), actions[s].text());
    if (found == own.end()) continue;
    ByPeriod& line = lines[{scenario_of(match),
                            std::string(match.seats()[s].agent) + " with " + others_of(match, s)}];
    if (line.size() < period) line.resize(period);
    const bool cooperates =
        made.cooperation->counts[s][static_cast<std::size_t>(found - own.begin())];
    line[period - 1].add(shared::block_of(match), cooperates ? 1 : 0);
  }
}

agon::PaperTable by_period(const agon::PlayedMatches& matches) {
  Games games;
  std::map<Line, ByPeriod> lines;
  matches.each([&](const agon::PlayedMatch& match) {
    const Prepared* made = games.of(match);
    if (made == nullptr) return;
    for (const agon::PlayedEntry& entry : match.entries())
      if (entry.what == agon::PlayedEntry::What::event && entry.name == "period")
        add_period(*made, match, entry.json, lines);
  });
  if (lines.empty())
    throw agon::LacksData{
        "recorded matches of a game with a payoff table that is played again and again, and whose "
        "data or payoffs say what cooperation is"};
  agon::PaperTable table;
  table.corner = "who chooses";
  std::size_t periods = 0;
  for (const auto& [line, samples] : lines) periods = std::max(periods, samples.size());
  for (std::size_t i = 1; i <= periods; ++i) table.columns.push_back(std::to_string(i));
  std::string heading;
  for (const auto& [line, samples] : lines) {
    if (line.scenario != heading) {
      heading = line.scenario;
      table.rows.push_back({heading, std::vector<agon::TableCell>(periods)});
    }
    agon::TableRow row{"  " + line.who, {}};
    for (std::size_t i = 0; i < periods; ++i)
      row.cells.push_back(
          shared::cell(i < samples.size() ? samples[i].share(matches.level()) : agon::Figure{}, 2));
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Share of choices that cooperate, by period. An action counts as cooperation if it leaves "
      "everybody else, as long as they cooperate, no less than the fairest outcome does; where the "
      "game's data name an action, it alone does.",
      "Where chance ends the game, later periods have fewer matches."};
  if (periods == most_columns)
    table.notes.push_back(fmt::format("Periods after the {}th are left out.", most_columns));
  table.curves = {.x = "period", .y = "share that cooperates"};
  return table;
}

}  // namespace

agon::TableCard cooperation_by_period_table() {
  return {.id = "experiments/cooperation-by-period",
          .title = "repeated play: share that cooperates in each period",
          .source = "an experiment of this project's own: docs/experiments/repeated-duopoly.md",
          .scenario = "experiments/repeated-duopoly.json",
          .game = "classic",
          .reads_records = true,
          .make = &by_period};
}

}  // namespace classic

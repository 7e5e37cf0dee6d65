#include <agon/json_reader.hpp>
#include <algorithm>
#include <map>

#include "classic/tables/tables.hpp"
#include "shared/tables.hpp"

namespace classic {
namespace {

/// What the settings say, read once for all matches that share them.
struct SettingsRead {
  bool fits = false;
  Trial trial;
};

SettingsRead read_settings(std::string_view json) {
  SettingsRead read;
  const agon::JsonDocument document{std::string(json), "settings"};
  const agon::JsonNode settings = document.root();
  const auto game = settings.find("game");
  // A huge game is kept apart from the settings; none of the paper's is.
  if (!game || !game->find("name")) return read;
  // Nothing in the paper is played again; archives from before do not say how often it is.
  if (const auto periods = settings.find("periods"); periods && periods->whole() > 1) return read;
  read.fits = true;
  read.trial.game = (*game)["name"].text();
  read.trial.scale = settings["scale"].number();
  read.trial.rounds = static_cast<int>(settings["rounds"].whole());
  read.trial.who_first = static_cast<int>(settings["who_first"].whole());
  read.trial.prompt = static_cast<int>(settings["prompt"].whole());
  return read;
}

/// Who an agent is, by its factors and labels.
struct Kind {
  bool workflow = false;
  std::string personality;
  bool operator==(const Kind&) const = default;
};

Kind kind_of(std::string_view factors) {
  Kind kind;
  if (factors.empty()) return kind;
  const agon::JsonDocument document{std::string(factors), "factors"};
  const agon::JsonNode levels = document.root();
  for (std::size_t i = 0; i < levels.member_count(); ++i) {
    const agon::JsonNode level = levels.member(i);
    if (level.kind() != agon::JsonNode::Kind::text) continue;
    const std::string_view name = levels.name(i);
    const std::string_view text = level.text();
    if (name == "workflow") kind.workflow = text == "use";
    if (name == "reasoning") kind.workflow = text.find("workflow") != std::string_view::npos;
    if (name == "personality") kind.personality = text;
    if (name == "persona" && text.starts_with("personality:is="))
      kind.personality = text.substr(std::string_view("personality:is=").size());
  }
  return kind;
}

}  // namespace

void each_trial(const agon::PlayedMatches& matches, const std::function<void(const Trial&)>& each) {
  std::map<std::string, SettingsRead, std::less<>> known;
  std::map<std::string, Kind, std::less<>> kinds;
  const auto kind_by = [&](std::string_view factors) -> const Kind& {
    auto found = kinds.find(factors);
    if (found == kinds.end()) found = kinds.emplace(factors, kind_of(factors)).first;
    return found->second;
  };
  matches.each([&](const agon::PlayedMatch& match) {
    const auto seats = match.seats();
    if (seats.size() != 2 || seats[0].agent != seats[1].agent) return;
    auto found = known.find(match.settings());
    if (found == known.end())
      found = known.emplace(match.settings(), read_settings(match.settings())).first;
    if (!found->second.fits) return;
    Trial trial = found->second.trial;
    const Kind& kind = kind_by(seats[0].factors);
    trial.workflow = kind.workflow;
    trial.personality = kind.personality;
    trial.agent = seats[0].base;
    trial.block = shared::block_of(match);
    trial.valid = match.metric("valid") == 1;
    trial.nash = match.metric("nash") == 1;
    trial.best_nash = match.metric("best_nash") == 1;
    for (std::size_t p = 0; p < 2; ++p)
      if (match.metric(seats[p], "forced") != 1)
        trial.choices[p] = static_cast<int>(match.metric(seats[p], "choice"));
    each(trial);
  });
}

RateTable::RateTable(std::string corner, std::vector<std::string> models)
    : corner_(std::move(corner)), columns_(std::move(models)) {}

void RateTable::row(const std::string& label) {
  rows_.push_back(label);
}

void RateTable::publish(const std::string& row, const std::string& column, double value) {
  published_[{row, column}] = value;
}

void RateTable::add(const std::string& row, const std::string& column, const std::string& block,
                    bool is) {
  if (std::find(columns_.begin(), columns_.end(), column) == columns_.end())
    columns_.push_back(column);
  samples_[{row, column}].add(block, is ? 1 : 0);
}

void RateTable::add_choices(const std::string& row, const std::string& column, const Trial& trial,
                            int choice) {
  for (const int taken : trial.choices) add(row, column, trial.block, taken == choice);
}

agon::PaperTable RateTable::make(double level, const std::string& lacks,
                                 std::vector<std::string> notes) const {
  if (samples_.empty()) throw agon::LacksData{lacks};
  agon::PaperTable table;
  table.corner = corner_;
  table.columns = columns_;
  table.units = {"share"};
  std::string missing;
  for (const std::string& label : rows_) {
    agon::TableRow row{label, {}};
    bool played = false;
    for (const std::string& column : columns_) {
      agon::TableCell cell;
      if (const auto found = samples_.find({label, column}); found != samples_.end()) {
        cell.ours = found->second.share(level);
        played = true;
      }
      if (const auto found = published_.find({label, column}); found != published_.end())
        cell.published = found->second;
      row.cells.push_back(std::move(cell));
    }
    if (!played) missing += (missing.empty() ? "" : "; ") + label;
    table.rows.push_back(std::move(row));
  }
  table.notes = std::move(notes);
  if (!missing.empty()) table.notes.push_back("Nobody has played: " + missing + ".");
  return table;
}

std::string title_of(const std::string& game) {
  static const std::map<std::string, std::string> titles{
      {"prisoners-dilemma", "Prisoner's Dilemma"},
      {"stag-hunt", "Stag Hunt"},
      {"battle-of-sexes", "Battle of the Sexes"},
      {"wait-go", "Wait-Go"},
      {"duopoly", "Duopoly"},
      {"rock-paper-scissors", "Rock-Paper-Scissors"},
      {"escalation", "Escalation"},
      {"monopoly", "Monopoly"},
      {"hot-cold", "Hot-Cold"},
      {"draco", "Draco"},
      {"trigame", "TriGame"}};
  const auto found = titles.find(game);
  return found == titles.end() ? game : found->second;
}

}  // namespace classic

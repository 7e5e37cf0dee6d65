#include "results/played_archive.hpp"

#include <agon/analysis/paper_table.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "record/record.hpp"
#include "record/shape.hpp"
#include "replay/replay.hpp"
#include "results/names.hpp"

namespace agon::report {
namespace {

/// What matches of one scenario and treatment share.
struct ScenarioContext {
  archive::ScenarioRow row;
  const archive::GameRow* game = nullptr;
  std::string settings;
  std::string draws;
};

class ArchivedMatch final : public PlayedMatch {
 public:
  /// `apart`: as in PlayedArchive::MatchSelection.
  ArchivedMatch(const archive::Archive& archive, bool records, const AgentsApart& apart)
      : archive_(archive), records_(records), agents_(archive.agents()), people_(archive.people()) {
    for (const auto& [who, words] : apart)
      if (const auto agent = agents_.find(who.second); agent != agents_.end())
        names_[who] = agent->second.name + words;
  }

  void set(const archive::MatchRow& match, const ScenarioContext& played) {
    match_ = &match;
    played_ = &played;
    seats_.clear();
    for (const archive::SeatRow& row : match.seats) {
      const archive::AgentRow& agent = agent_row(row.agent);
      seats_.push_back({row.name, row.role, name_of(agent, row.agent),
                        agent.family.empty() ? agent.name : agent.family, agent.factors, row.payoff,
                        row.disagreement, row.ideal, row.rank, row.fallbacks, row.metrics});
      const auto person = people_.find({match.key.id, static_cast<int>(seats_.size()) - 1});
      if (person != people_.end()) seats_.back().person = person->second;
    }
  }

  [[nodiscard]] std::string_view game() const override { return played_->game->name; }
  [[nodiscard]] std::string_view scenario() const override { return played_->row.name; }
  [[nodiscard]] std::string_view draws() const override { return played_->draws; }
  [[nodiscard]] std::string_view preset() const override { return played_->row.preset; }
  [[nodiscard]] std::string_view treatment() const override { return played_->row.treatment; }
  [[nodiscard]] std::string_view settings() const override { return played_->settings; }
  [[nodiscard]] std::int64_t block() const override { return match_->key.block; }
  [[nodiscard]] std::int64_t repeat() const override { return match_->key.repeat; }
  [[nodiscard]] std::int64_t position() const override { return match_->key.position; }
  [[nodiscard]] std::string_view focal() const override {
    return match_->focal ? std::string_view(agent_row(*match_->focal).name) : std::string_view();
  }
  [[nodiscard]] std::span<const PlayedSeat> seats() const override { return seats_; }

  [[nodiscard]] double metric(std::string_view name) const override {
    return at(played_->game->match_metrics, match_->metrics, name);
  }
  [[nodiscard]] double metric(const PlayedSeat& seat, std::string_view name) const override {
    return at(played_->game->seat_metrics, seat.metrics, name);
  }

  [[nodiscard]] std::vector<PlayedEntry> entries() const override {
    std::vector<PlayedEntry> all;
    if (!records_) return all;
    for (const record::Entry& entry : record::read(archive_.matches().record_of(*match_)).entries) {
      using What = record::Entry::What;
      if (entry.what == What::outcome) continue;
      PlayedEntry& out = all.emplace_back();
      out.name = entry.name;
      switch (entry.what) {
        case What::event:
          out.what = PlayedEntry::What::event;
          out.audience = entry.audience;
          break;
        case What::question:
          out.what = PlayedEntry::What::answer;
          out.seat = entry.seat;
          out.probe = entry.probe;
          out.forced = entry.forced;
          out.declined = entry.declined;
          break;
        case What::draw:
          out.what = PlayedEntry::What::draw;
          break;
        default:
          out.what = PlayedEntry::What::carry;
          out.seat = entry.seat;
      }
      if (!entry.declined) out.json = json_of(entry);
    }
    return all;
  }

 private:
  static double at(const std::vector<archive::Metric>& names, std::span<const double> values,
                   std::string_view name) {
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i)
      if (names[i].name == name) return values[i];
    return kNothing;
  }

  [[nodiscard]] std::string_view name_of(const archive::AgentRow& agent,
                                         std::int64_t number) const {
    if (names_.empty()) return agent.name;
    const auto apart = names_.find({played_->game->name, number});
    return apart == names_.end() ? agent.name : apart->second;
  }

  const archive::AgentRow& agent_row(std::int64_t number) const {
    return archive_.row(agents_, number);
  }

  std::string json_of(const record::Entry& entry) const {
    auto text = recorded_.json(entry.shape, entry.payload);
    if (!text) archive_.damaged("an entry of a match's record cannot be decoded");
    return *std::move(text);
  }

  const archive::Archive& archive_;
  bool records_;
  std::map<std::int64_t, archive::AgentRow> agents_;
  std::map<std::pair<archive::MatchId, int>, std::string> people_;
  AgentsApart names_;
  const archive::MatchRow* match_ = nullptr;
  const ScenarioContext* played_ = nullptr;
  std::vector<PlayedSeat> seats_;
  record::RecordedTypes recorded_{
      [this](const hash::Digest& digest) { return archive_.content(digest); }};
};

}  // namespace

void PlayedArchive::each(const std::function<void(const PlayedMatch&)>& each) const {
  const auto games = archive_.games();
  std::map<std::int64_t, ScenarioContext> scenarios;
  archive::ReadOptions wanted;
  wanted.record = records_ || choice_.recorded;
  wanted.shares = choice_.shares;
  wanted.last = choice_.last;
  const auto rows = archive_.scenarios();
  std::map<std::string, std::set<std::optional<std::uint64_t>>> seeds;  // by draws, of all games
  for (const auto& [number, row] : rows) seeds[row.draws()].insert(row.seed);
  for (const auto& [number, row] : rows) {
    const auto game = games.find(row.game);
    if (game == games.end()) continue;
    const std::string& name = game->second.name;
    if (name != game_ && (also_.empty() || name != also_)) continue;
    ScenarioContext& played = scenarios[number];
    played.settings = archive::stored_settings(archive_, row.settings);
    played.row = row;
    played.draws = with_seed(row.draws(), seed_words(seeds[row.draws()], row));
    played.game = &game->second;
    wanted.scenarios.push_back(number);
  }
  if (scenarios.empty()) return;
  ArchivedMatch match(archive_, records_, choice_.apart);
  std::int64_t matches = 0;
  std::map<std::int64_t, std::int64_t> seats;
  archive_.matches().each(wanted, [&](std::int64_t, const archive::MatchRow& row) {
    if (row.status != archive::MatchStatus::finished || (choice_.recorded && row.record.empty()))
      return true;
    match.set(row, archive_.row(scenarios, row.key.scenario));
    ++matches;
    for (const archive::SeatRow& seat : row.seats) ++seats[seat.agent];
    each(match);
    return true;
  });
  if (matches < handed_out_) return;
  handed_out_ = matches;
  seats_ = std::move(seats);
}

}  // namespace agon::report

namespace agon {

PlayedMatch::~PlayedMatch() = default;
std::string_view PlayedMatch::draws() const {
  return scenario();
}
PlayedMatches::~PlayedMatches() = default;

}  // namespace agon

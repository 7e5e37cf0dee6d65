#include "run/replay.hpp"

#include <agon/learning.hpp>
#include <algorithm>

#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "run/archived_game.hpp"
#include "suite/prompts.hpp"
#include "table/match.hpp"

namespace agon {

Replayer::Replayer(const archive::Archive& archive, const Catalogue& catalogue)
    : archive_(archive),
      catalogue_(catalogue),
      games_(archive.games()),
      scenarios_(archive.scenarios()),
      agents_(archive.agents()) {}
Replayer::~Replayer() = default;

std::shared_ptr<const PromptSet> Replayer::prompts_of(std::int64_t agent) {
  const archive::AgentRow& row = archive_.row(agents_, agent);
  if (!row.prompts) return nullptr;
  const auto [found, is_new] = prompts_.try_emplace(*row.prompts);
  if (is_new)
    if (const auto text = archive_.content(*row.prompts))
      found->second = read_prompts_document(*text, archive_.path().string());
  return found->second;
}

const Replayer::Stage& Replayer::stage_of(std::int64_t number) {
  const auto known = stages_.find(number);
  if (known != stages_.end()) return *known->second;
  const archive::ScenarioRow& scenario = archive_.row(scenarios_, number);
  const archive::GameRow& row = archive_.row(games_, scenario.game);
  const Game& game = archived_game(catalogue_, archive_, row);
  if (game.card.version != row.version)
    throw Error(ErrorKind::not_found,
                "the archive was played with version " + std::to_string(row.version) + " of " +
                    row.name + ", the plugin at hand has version " +
                    std::to_string(game.card.version),
                archive_.path().string(), "replay it with the plugin that played it");
  auto stage = std::make_unique<Stage>(
      Stage{&game, archive::read_stored_settings(game, archive_, scenario.settings)});
  return *stages_.emplace(number, std::move(stage)).first->second;
}

void Replayer::prepare(const archive::MatchRow& match, const Stage& stage, std::string_view record,
                       MatchSetup& setup) {
  const Settings& settings = stage.stored.settings;
  setup.game = stage.game;
  setup.settings = settings.get();
  setup.prepared = settings.prepared();
  setup.cards = settings.seating();
  setup.rules = settings.rules();
  setup.facts = settings.facts();
  setup.stream_key = match.luck;
  setup.turn = static_cast<std::uint64_t>(match.key.block + match.key.position);
  setup.position = static_cast<std::uint64_t>(match.key.position);
  record::each_entry(record, [&](const record::Entry& e) {
    setup.another_follows = e.name == kTakeAlong.name;
    return !setup.another_follows;
  });
  setup.reasks = stage.stored.reasks;
  setup.shapes = shapes_;
  if (match.seats.size() != setup.cards.size())
    archive_.damaged("a match has " + std::to_string(match.seats.size()) + " seats, its game " +
                     std::to_string(setup.cards.size()));
  setup.seats.resize(match.seats.size());
  for (std::size_t i = 0; i < match.seats.size(); ++i)
    setup.seats[i].prompts = prompts_of(match.seats[i].agent);
  if (match.key.position == 0) return;
  // In a learning sequence, what a seat brought along is what it handed on one match before.
  std::optional<archive::MatchRow> before;
  archive_.matches({.seats = false, .record = true, .scenarios = {match.key.scenario}},
                   [&](std::int64_t, const archive::MatchRow& m) {
                     const archive::MatchKey& k = m.key;
                     if (k.block != match.key.block || k.repeat != match.key.repeat ||
                         k.position != match.key.position - 1 || k.line_up != match.key.line_up ||
                         k.assignment != match.key.assignment)
                       return true;
                     before = m;
                     return false;
                   });
  if (!before) return;
  record::each_entry(archive_.record_of(*before), [&](const record::Entry& e) {
    if (e.what == record::Entry::What::carry &&
        static_cast<std::size_t>(e.seat) < setup.seats.size())
      setup.seats[static_cast<std::size_t>(e.seat)].carried =
          recorded_.json(e.shape, e.payload).value_or("");
    return true;
  });
}

std::vector<std::string> Replayer::seat_names(const archive::MatchRow& match) {
  std::vector<std::string> names;
  for (const SeatCard& card : stage_of(match.key.scenario).stored.settings.seating())
    names.push_back(card.name);
  return names;
}

void Replayer::put_in_words(const archive::MatchRow& match, record::TranscriptOptions& options) {
  bool known = true;
  try {
    options.tellings = tellings(match);
  } catch (const Error&) {
    known = false;  // what differs meanwhile is for `agon replay` to tell
  }
  options.types = [this, known](const hash::Digest& shape) {
    return known ? types(shape) : std::vector<const Type*>();
  };
}

std::vector<std::string> Replayer::tellings(const archive::MatchRow& match) {
  const Stage& stage = stage_of(match.key.scenario);
  std::vector<std::string> told;
  if (match.seats.size() != stage.stored.settings.seating().size()) return told;
  MatchSetup setup;
  prepare(match, stage, archive_.record_of(match), setup);
  setup.past = match.record;
  setup.strict_replay = true;
  setup.tellings = &told;
  const MatchResult again = play_match(setup);
  if (again.record == match.record) return told;
  const auto events_of = [](const record::History& history) {
    std::vector<const record::Entry*> events;
    for (const record::Entry& e : history.entries)
      if (e.what == record::Entry::What::event) events.push_back(&e);
    return events;
  };
  const record::History recorded = record::read(match.record);
  const record::History replayed = record::read(again.record);
  const auto ours = events_of(recorded), theirs = events_of(replayed);
  const auto parted = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                                    [](const record::Entry* a, const record::Entry* b) {
                                      return a->name == b->name && a->shape == b->shape &&
                                             a->payload == b->payload && a->audience == b->audience;
                                    });
  told.resize(std::min(told.size(), static_cast<std::size_t>(parted.first - ours.begin())));
  return told;
}

std::optional<Divergence> Replayer::replay(const archive::MatchRow& match) {
  const Stage& stage = stage_of(match.key.scenario);
  const std::string& record = archive_.record_of(match);
  if (const std::size_t seats = stage.stored.settings.seating().size(); match.seats.size() != seats)
    return Divergence{"the record has " + std::to_string(match.seats.size()) + " seats, the game " +
                          std::to_string(seats),
                      "", ""};
  MatchSetup setup;
  prepare(match, stage, record, setup);
  setup.past = record;
  setup.strict_replay = true;
  const MatchResult again = play_match(setup);
  if (again.record == match.record && (again.end == End::finished) == (match.ended == "finished"))
    return std::nullopt;

  record::TranscriptOptions options;
  for (const SeatCard& card : setup.cards) options.seat_names.push_back(card.name);
  Divergence d;
  d.problem = again.end == End::finished ? "the match comes out otherwise" : again.problem;
  const record::History recorded = record::read(record);
  const record::History replayed = record::read(again.record);
  const std::size_t most = std::max(recorded.entries.size(), replayed.entries.size());
  for (std::size_t i = 0; i < most; ++i) {
    const std::string a = i < recorded.entries.size()
                              ? record::entry_line(recorded.entries[i], recorded_, options)
                              : "";
    const std::string b = i < replayed.entries.size()
                              ? record::entry_line(replayed.entries[i], recorded_, options)
                              : "";
    if (a == b) continue;
    d.problem += "; first at entry " + std::to_string(i + 1) + " of " +
                 std::to_string(recorded.entries.size());
    d.recorded = a;
    d.replayed = b;
    break;
  }
  return d;
}

}  // namespace agon

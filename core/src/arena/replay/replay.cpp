#include "replay/replay.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/learning.hpp>
#include <agon/model/call_ledger.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <tuple>

#include "archive/rows.hpp"
#include "describe/read.hpp"
#include "describe/skinned_types.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/search_path.hpp"
#include "record/record.hpp"
#include "security/trust.hpp"
#include "suite/agents/prompts.hpp"
#include "suite/scenario/match_setup.hpp"
#include "table/match.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {

const Game& archived_game(const Catalogue& catalogue, const archive::Archive& archive,
                          const archive::GameRow& row) {
  const PluginEntry* own = catalogue.plugin_of_game(row.name);
  if (catalogue.find<Game>(row.name) && (own == nullptr || !plugin::comes_with_agon(own->path)))
    return catalogue.game(row.name);
  std::string file = "FILE";
  bool is_ours = false, is_others = false;  // whose game of that name runs had
  for (const archive::RunRow& run : archive.runs())
    if (const auto plugins = read_recorded<std::vector<archive::PluginOfRun>>(run.plugins))
      for (const archive::PluginOfRun& plugin : *plugins) {
        const bool brings = plugin.games && plugin.games->contains(row.name);
        if (brings) (plugin.shipped.value_or(true) ? is_ours : is_others) = true;
        if (plugin.name == row.plugin && (own == nullptr || brings))
          file = text::shell_word(text::printable(plugin.path));
      }
  if (own != nullptr) {
    if (is_ours || !is_others) return catalogue.game(row.name);
    throw Error(ErrorKind::not_found,
                "the game '" + text::printable(row.name) +
                    "' of this archive is not Agon's own; "
                    "the plugin '" +
                    text::printable(row.plugin) + "' supplied it when it was played",
                archive.path().string(), "add --replace " + file);
  }
  throw Error(ErrorKind::not_found,
              "there is no game '" + text::printable(row.name) + "'; the plugin '" +
                  text::printable(row.plugin) + "' brought it when it was played",
              archive.path().string(), "add --plugin " + file);
}

}  // namespace agon

namespace agon::archive {

namespace bj = boost::json;

namespace {

constexpr std::string_view kNoSettings = "the settings of a scenario are not as a run stores them";

bj::value stored_json(const Archive& archive, const std::string& text) {
  try {
    return json::parse(text, "");
  } catch (const Error&) {
    archive.damaged(kNoSettings);
  }
}

/// A recorded document of settings, with the data that it refers to in their place.
bj::object whole_document(const Archive& archive, const hash::Digest& digest) {
  const std::optional<std::string> text = archive.content(digest);
  if (!text) archive.damaged("the settings of a scenario are missing");
  bj::value document = stored_json(archive, *text);
  bj::object* members = document.if_object();
  bj::value* settings = members == nullptr ? nullptr : members->if_contains("settings");
  if (settings == nullptr || !settings->is_object()) archive.damaged(kNoSettings);
  for (auto& entry : settings->get_object()) {
    const bj::object* reference = entry.value().if_object();
    if (reference == nullptr || !reference->contains("sha256") || !reference->contains("data"))
      continue;
    const std::optional<hash::Digest> named =
        reference->at("sha256").is_string()
            ? hash::read_hex(std::string_view(reference->at("sha256").get_string()))
            : std::nullopt;
    const std::optional<std::string> data = named ? archive.content(*named) : std::nullopt;
    if (!data)
      archive.damaged("the data of setting '" + std::string(entry.key()) + "' are missing");
    entry.value() = stored_json(archive, *data);
  }
  return std::move(*members);
}

}  // namespace

std::vector<ProbeEntry> stored_probes(const Archive& archive, const hash::Digest& digest) {
  std::vector<ProbeEntry> probes;
  const std::optional<std::string> text = archive.content(digest);
  if (!text || text->find("\"probes\":") == std::string::npos) return probes;
  const bj::value document = stored_json(archive, *text);
  const bj::object* members = document.if_object();
  const bj::value* list = members == nullptr ? nullptr : members->if_contains("probes");
  if (list != nullptr && read_json(probes, json::write(*list), Missing::keeps))
    archive.damaged(kNoSettings);
  return probes;
}

std::string stored_settings(const Archive& archive, const hash::Digest& digest) {
  return json::write(whole_document(archive, digest).at("settings"));
}

StoredSettings read_stored_settings(const Game& game, const Archive& archive,
                                    const hash::Digest& digest) {
  const std::string place = archive.path().string();
  const bj::object document = whole_document(archive, digest);
  const bj::value* preset = document.if_contains("preset");
  const bj::value* reasks = document.if_contains("reasks");
  constexpr std::int64_t most_reasks = 100;
  if (preset == nullptr || !preset->is_string() || reasks == nullptr || !reasks->is_int64() ||
      reasks->get_int64() < 0 || reasks->get_int64() > most_reasks)
    archive.damaged(kNoSettings);
  return {Settings::read(game, std::string(preset->get_string()),
                         document.at("settings").get_object(), place + " (recorded settings)", {}),
          static_cast<int>(reasks->get_int64())};
}

}  // namespace agon::archive

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

const Replayer::StoredScenario& Replayer::stage_of(std::int64_t number) {
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
  auto stage = std::make_unique<StoredScenario>(
      StoredScenario{&game, archive::read_stored_settings(game, archive_, scenario.settings)});
  if (auto probes = archive::stored_probes(archive_, scenario.settings); !probes.empty())
    stage->probes = std::make_unique<const Probes>(game, std::move(probes));
  return *stages_.emplace(number, std::move(stage)).first->second;
}

MatchSetup Replayer::set_up(const archive::MatchRow& match, const StoredScenario& stage,
                            std::string_view record, std::vector<const AgentInGame*> agents) {
  agents.resize(match.seats.size());
  MatchSetup setup = match_setup(
      *stage.game, stage.stored.settings,
      {match.rng_key, archive_.row(scenarios_, match.key.scenario).name,
       static_cast<std::uint64_t>(match.key.block), static_cast<std::uint64_t>(match.key.repeat)},
      agents);
  setup.turn = static_cast<std::uint64_t>(match.key.block + match.key.position);
  setup.position = static_cast<std::uint64_t>(match.key.position);
  record::each_entry(record, [&](const record::Entry& e) {
    setup.another_follows = e.name == kTakeAlong.name;
    return !setup.another_follows;
  });
  setup.reasks = stage.stored.reasks;
  setup.probes = stage.probes.get();
  setup.shapes = shapes_;
  if (match.seats.size() != setup.cards.size())
    archive_.damaged("a match has " + std::to_string(match.seats.size()) + " seats, its game " +
                     std::to_string(setup.cards.size()));
  for (std::size_t i = 0; i < match.seats.size(); ++i)
    setup.seats[i].prompts = prompts_of(match.seats[i].agent);
  if (match.key.position == 0) return setup;
  // In a learning sequence, what a seat brought along is what it handed on one match before.
  std::optional<archive::MatchRow> before;
  archive_.matches().each({.seats = false, .record = true, .scenarios = {match.key.scenario}},
                          [&](std::int64_t, const archive::MatchRow& m) {
                            const archive::MatchKey& k = m.key;
                            if (k.block != match.key.block || k.repeat != match.key.repeat ||
                                k.position != match.key.position - 1 ||
                                k.line_up != match.key.line_up ||
                                k.assignment != match.key.assignment)
                              return true;
                            before = m;
                            return false;
                          });
  if (!before) return setup;
  record::each_entry(archive_.matches().record_of(*before), [&](const record::Entry& e) {
    if (e.what == record::Entry::What::carry &&
        static_cast<std::size_t>(e.seat) < setup.seats.size())
      setup.seats[static_cast<std::size_t>(e.seat)].carried =
          recorded_.json(e.shape, e.payload).value_or("");
    return true;
  });
  return setup;
}

MatchSetup Replayer::replaying(const archive::MatchRow& match) {
  const std::string& record = archive_.matches().record_of(match);
  MatchSetup setup = set_up(match, stage_of(match.key.scenario), record);
  setup.past = record;
  setup.strict_replay = true;
  return setup;
}

std::vector<std::string> Replayer::seat_names(const archive::MatchRow& match) {
  std::vector<std::string> names;
  for (const SeatCard& card : stage_of(match.key.scenario).stored.settings.seating())
    names.push_back(card.name);
  return names;
}

std::shared_ptr<const Skin> Replayer::skin_of(const archive::MatchRow& match) {
  for (const archive::SeatRow& seat : match.seats)
    if (const auto prompts = prompts_of(seat.agent); prompts != nullptr && prompts->skin != nullptr)
      return prompts->skin;
  return nullptr;
}

void Replayer::put_in_skin(const archive::MatchRow& match, record::TranscriptOptions& options) {
  const std::shared_ptr<const Skin> skin = skin_of(match);
  if (skin == nullptr) return;
  options.skin = std::make_shared<SkinnedTypes>(skin);
  for (std::vector<std::string>* texts : {&options.seat_names, &options.tellings})
    for (std::string& text : *texts) text = skin->shown(text);
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
  put_in_skin(match, options);
}

std::vector<std::string> Replayer::tellings(const archive::MatchRow& match) {
  const StoredScenario& stage = stage_of(match.key.scenario);
  std::vector<std::string> told;
  if (match.seats.size() != stage.stored.settings.seating().size()) return told;
  MatchSetup setup = replaying(match);
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
  const StoredScenario& stage = stage_of(match.key.scenario);
  const std::string& record = archive_.matches().record_of(match);
  if (const std::size_t seats = stage.stored.settings.seating().size(); match.seats.size() != seats)
    return Divergence{"the record has " + std::to_string(match.seats.size()) + " seats, the game " +
                          std::to_string(seats),
                      "", ""};
  const MatchSetup setup = replaying(match);
  const MatchResult again = play_match(setup);
  if (again.record == match.record &&
      (again.end == End::finished) == (match.status == archive::MatchStatus::finished))
    return std::nullopt;

  record::TranscriptOptions options;
  for (const SeatCard& card : setup.cards) options.seat_names.push_back(card.name);
  put_in_skin(match, options);
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

namespace {

namespace bj = boost::json;

using RecordedCalls = std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, ModelCall>;

/// The recorded calls of an attempt, and no others.
class ClosedLedger final : public CallLedger {
 public:
  ClosedLedger(std::shared_ptr<const RecordedCalls> calls, std::uint32_t question, int attempt)
      : calls_(std::move(calls)), question_(question), attempt_(attempt) {}
  std::optional<ModelCall> find(int index) override {
    const auto found = calls_->find({question_, attempt_, index});
    return found == calls_->end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] bool is_closed() const override { return true; }
  Halt admit(const CallEstimate&) override { return Halt::configuration; }
  void keep(int, const ModelCall&) override {}
  void give_back(int, const ModelCall&) override {}

 private:
  const std::shared_ptr<const RecordedCalls> calls_;
  const std::int64_t question_;
  const std::int64_t attempt_;
};

/// Answers as somebody did who cannot be asked again: a person, another program.
class Recorded final : public WaitingAgent {
 public:
  struct RecordedAnswer {
    std::string stage;
    bool declined = false;
    bool forced = false;
    std::string json;
  };
  explicit Recorded(std::map<std::uint32_t, RecordedAnswer> answers)
      : answers_(std::move(answers)) {}
  void ask(OwnedQuestion q, Completion done) const override {
    const auto found = answers_.find(q.number);
    if (found == answers_.end() && q.probe) return done({.declined = true});
    if (found == answers_.end() || found->second.stage != q.stage)
      return done({.status = Fault::provider_failed,
                   .problem = "the record has no answer of seat " + std::to_string(q.seat) +
                              " to what the game asks now"});
    const RecordedAnswer& a = found->second;
    if (a.declined) return done({.declined = true});
    if (a.forced) return done({.status = Fault::timed_out, .problem = "forced, as recorded"});
    done({.json = a.json});
  }

 private:
  const std::map<std::uint32_t, RecordedAnswer> answers_;
};

/// Counts the first attempt at a question that comes out in another class: those after it were
/// answers to something else.
void note_change(const std::vector<record::Attempt>& recorded,
                 const std::vector<record::Attempt>& now, const std::string& place,
                 std::vector<ClassChange>& changes) {
  for (std::size_t i = 0; i < std::min(recorded.size(), now.size()); ++i) {
    if (recorded[i].fault == now[i].fault) continue;
    const auto same = [&](const ClassChange& c) {
      return c.recorded == recorded[i].fault && c.now == now[i].fault;
    };
    auto change = std::find_if(changes.begin(), changes.end(), same);
    if (change == changes.end())
      change = changes.insert(change, {recorded[i].fault, now[i].fault, 0, place});
    ++change->attempts;
    return;
  }
}

/// Puts recorded answers in the place of agents that wait and are no models.
std::vector<std::unique_ptr<Agent>> stand_ins_for(const record::History& recorded,
                                                  const record::RecordedTypes& types,
                                                  const std::vector<const AgentInGame*>& agents,
                                                  std::uint32_t with_models, MatchSetup& setup) {
  std::vector<std::unique_ptr<Agent>> stand_ins;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    if (!agents[i]->agent->waits() || (with_models >> i & 1U) != 0) continue;
    std::map<std::uint32_t, Recorded::RecordedAnswer> answers;
    for (const record::Entry& e : recorded.entries) {
      if (e.what != record::Entry::What::question || e.seat != static_cast<int>(i)) continue;
      answers[e.number] = {std::string(e.name), e.declined, e.forced,
                           types.json(e.shape, e.payload).value_or("")};
    }
    stand_ins.push_back(std::make_unique<Recorded>(std::move(answers)));
    setup.seats[i].agent = stand_ins.back().get();
  }
  return stand_ins;
}

std::map<std::uint32_t, const record::Entry*> questions_of(const record::History& history) {
  std::map<std::uint32_t, const record::Entry*> questions;
  for (const record::Entry& e : history.entries)
    if (e.what == record::Entry::What::question) questions[e.number] = &e;
  return questions;
}

}  // namespace

AgentInGame read_recorded_agent(const SpecContext& context, const archive::AgentRow& row,
                                const Game& game, const archive::Archive& archive) {
  const std::string place = archive.path().string() + " (agent " + row.name + ")";
  const bj::value spec = json::parse(row.spec, place);
  // By game, as an agent may be called like a key of specs: 'rule' is a bidder.
  const bj::object* said = spec.if_object();
  const bj::value* id = said == nullptr ? nullptr : said->if_contains("agent");
  const bj::value* params = said == nullptr ? nullptr : said->if_contains("params");
  if (id == nullptr || !id->is_string() || params == nullptr)
    archive.damaged("the spec of an agent is not as a run stores it");
  InOrder<JsonText> entry;
  entry["rule"].text = json::write(bj::object{{game.id, bj::object{{id->get_string(), *params}}}});
  std::vector<AgentSpec> made = AgentSpec::read(context, row.name, entry, place);
  if (made.empty() || made.front().in(game.id) == nullptr)
    archive.damaged("the spec of an agent does not say who plays");
  AgentInGame in = *made.front().in(game.id);
  // Its dice are those of the spec as it was.
  in.digest = recorded_digest(context.catalogue, row.spec, game.id);
  return in;
}

const AgentInGame& Replayer::agent_of(std::int64_t number, const Game& game) {
  const auto key = std::pair(number, std::string(game.id));
  if (const auto known = made_.find(key); known != made_.end()) return known->second;
  const archive::AgentRow& row = archive_.row(agents_, number);
  // Somebody else may have made the archive: nothing is started or sent, and no file is read.
  Accesses outside("/dev/null");
  const SpecContext context{
      .catalogue = catalogue_, .games = {key.second}, .dry_run = true, .accesses = &outside};
  AgentInGame in = read_recorded_agent(context, row, game, archive_);
  if (outside.left_files_out())
    throw Error(ErrorKind::invalid, "a recorded agent names a file, and records name none",
                archive_.path().string() + " (agent " + row.name + ")");
  return made_.emplace(key, std::move(in)).first->second;
}

std::optional<Reparsed> Replayer::reparse(const archive::MatchRow& match) {
  auto calls = std::make_shared<RecordedCalls>();
  std::uint32_t with_models = 0;
  archive_.calls().each(&match.key.id, [&](const archive::CallRow& row) {
    with_models |= 1U << row.seat;
    if (row.answered) calls->insert_or_assign({row.question, row.attempt, row.place}, row.call);
  });
  if (calls->empty()) return std::nullopt;

  const StoredScenario& stage = stage_of(match.key.scenario);
  const record::History recorded = record::read(archive_.matches().record_of(match));
  std::vector<const AgentInGame*> agents;
  for (const archive::SeatRow& seat : match.seats)
    agents.push_back(&agent_of(seat.agent, *stage.game));
  MatchSetup setup = set_up(match, stage, match.record, agents);
  setup.ledger = [&](int, std::uint32_t number, int attempt) {
    return std::make_shared<ClosedLedger>(calls, number, attempt);
  };
  const auto stand_ins = stand_ins_for(recorded, recorded_, agents, with_models, setup);
  const MatchResult again = play_match(setup);

  Reparsed out;
  if (again.end != End::finished) out.problem = again.problem;
  const record::History replayed = record::read(again.record);
  const auto now = questions_of(replayed);
  record::TranscriptOptions options;
  for (const SeatCard& card : setup.cards) options.seat_names.push_back(card.name);
  put_in_skin(match, options);
  for (const record::Entry& e : recorded.entries) {
    if (e.what != record::Entry::What::question || (with_models >> e.seat & 1U) == 0 ||
        static_cast<std::size_t>(e.seat) >= match.seats.size())
      continue;
    ++out.answers;
    const auto found = now.find(e.number);
    const record::Entry* n = found == now.end() ? nullptr : found->second;
    const bool is_left = n == nullptr && again.left_at == e.number && !again.left.empty();
    // After a flip the words are answers to something else.
    if ((n == nullptr && !is_left) || out.flipped > 0) {
      ++out.unknown;
      continue;
    }
    const std::string place = "question " + std::to_string(e.number) + ", seat " +
                              options.seat_names[static_cast<std::size_t>(e.seat)] + ", stage " +
                              std::string(e.name);
    note_change(e.attempts, is_left ? again.left : n->attempts, place, out.changes);
    if (!is_left && n->seat == e.seat && n->name == e.name && n->payload == e.payload &&
        n->declined == e.declined && n->forced == e.forced)
      continue;
    ++out.flipped;
    out.first = {place, record::entry_line(e, recorded_, options),
                 is_left ? "  turned down: " + text::printable(again.left.back().complaint)
                         : record::entry_line(*n, recorded_, options)};
  }
  if (again.end == End::finished)
    for (int i = 0; i < again.outcome.seats(); ++i)
      out.result_flips = out.result_flips ||
                         again.outcome[i].score != match.seats[static_cast<std::size_t>(i)].payoff;
  return out;
}

}  // namespace agon

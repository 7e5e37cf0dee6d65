#include "run/planned_match.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>

#include "allocation/stop_allocation.hpp"
#include "archive/matches/match_id.hpp"
#include "branch/branches.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "suite/agents/prompts.hpp"
#include "text/words.hpp"

namespace agon {

PeopleAtTables::~PeopleAtTables() = default;

namespace bj = boost::json;

std::string settings_document(const Scenario& scenario, const Treatment& treatment) {
  bj::object document;
  document["game"] = bj::string(scenario.game->id);
  document["preset"] = treatment.settings->preset();
  document["reasks"] = scenario.reasks;
  if (!scenario.same_draws_as.empty()) document["same_draws_as"] = scenario.same_draws_as;
  if (scenario.probes != nullptr)
    document["probes"] = json::parse(scenario.probes->json(), "probes");
  document["settings"] = json::parse(treatment.settings->brief(), "settings");
  return json::write(bj::value(std::move(document)));
}

hash::Digest agent_identity(const AgentInGame& agent, const Scenario& scenario) {
  const auto prompts = scenario.prompts_of(*agent.agent);
  if (prompts == nullptr) return agent.identity;
  return hash::sha256(hash::hex(agent.identity) + '\0' + prompts->digest);
}

archive::MatchParts match_parts(const Suite& suite, const Scenario& scenario,
                                const hash::Digest& settings, const design::PlannedMatch& planned,
                                std::uint64_t position) {
  archive::MatchParts parts;
  parts.game = scenario.game->id;
  parts.game_version = scenario.game->card.version;
  parts.plugin_version = scenario.plugin_version;
  parts.scenario = scenario.name;
  parts.settings = settings;
  for (const int agent : planned.agents)
    parts.agents.push_back(agent_identity(
        *suite.agents[static_cast<std::size_t>(agent)].in(scenario.game->id), scenario));
  parts.seed = scenario.treatments[planned.treatment].seed.value_or(suite.seed);
  parts.block = static_cast<std::int64_t>(planned.block);
  parts.position = static_cast<std::int64_t>(position);
  parts.repeat = static_cast<std::int64_t>(planned.repeat);
  if (planned.branch) parts.branch = scenario.branches->identity(*planned.branch);
  return parts;
}

namespace {

/// The archive's number of a match that is not to be played.
std::optional<std::int64_t> done_with(const archive::Archive& archive, const archive::MatchId& id,
                                      bool retry_set_aside) {
  const std::optional<std::int64_t> number = archive.matches().number(id);
  if (number && retry_set_aside &&
      archive.matches().at(*number).status == archive::MatchStatus::quarantined)
    return std::nullopt;
  return number;
}

/// Goes through the looks as a run would, over what there is.
bool is_decided(const archive::Archive& archive, const Suite& suite, bool retry_set_aside) {
  std::vector<std::vector<hash::Digest>> settings;
  for (const Scenario& s : suite.scenarios) {
    settings.emplace_back();
    for (const Treatment& t : s.treatments)
      settings.back().push_back(hash::sha256(settings_document(s, t)));
  }
  StopAllocation allocation(suite, 0);
  allocation.take_known(
      [&](const Allocation::Task& task) -> std::optional<std::vector<archive::MatchRow>> {
        const Scenario& s = suite.scenarios[task.scenario];
        const design::PlannedMatch planned = s.plan->match(task.match);
        std::vector<archive::MatchRow> matches;
        for (std::uint64_t position = 0; position < s.sequence; ++position) {
          const archive::MatchId id = archive::match_id(
              match_parts(suite, s, settings[task.scenario][planned.treatment], planned, position));
          const auto number = done_with(archive, id, retry_set_aside);
          if (!number) return std::nullopt;
          matches.push_back(archive.matches().at(*number));
          if (matches.back().status != archive::MatchStatus::finished) break;
        }
        return matches;
      });
  return allocation.done();
}

bool has_whole_plan(const archive::Archive& archive, const Suite& suite, bool retry_set_aside) {
  const DoneInColumns in_columns(archive);
  const auto is_done = [&](const Scenario& s, const archive::MatchIds& ids,
                           const design::PlannedMatch& planned) {
    const auto block = static_cast<std::int64_t>(planned.block);
    const auto repeat = static_cast<std::int64_t>(planned.repeat);
    const DoneInColumns::LineUpMatches* table = s.sequence == 1 ? in_columns.find(ids) : nullptr;
    if (table != nullptr && table->number(block, repeat)) return true;
    for (std::uint64_t position = 0; position < s.sequence; ++position) {
      const auto number =
          archive.matches().row_number(ids(block, static_cast<std::int64_t>(position), repeat));
      if (!number || (retry_set_aside &&
                      archive.matches().at(*number).status == archive::MatchStatus::quarantined))
        return false;
    }
    return true;
  };
  for (std::size_t scenario = 0; scenario < suite.scenarios.size(); ++scenario) {
    const Scenario& s = suite.scenarios[scenario];
    if (s.as_seated) return false;
    std::vector<hash::Digest> settings;
    for (const Treatment& t : s.treatments)
      settings.push_back(hash::sha256(settings_document(s, t)));
    for (std::uint64_t i = suite.next_played(scenario, 0); i < s.plan->size();
         i = suite.next_played(scenario, i + 1)) {
      const design::PlannedMatch planned = s.plan->match(i);
      const archive::MatchIds ids(match_parts(suite, s, settings[planned.treatment], planned, 0));
      if (!is_done(s, ids, planned)) return false;
    }
  }
  return true;
}

}  // namespace

bool has_all_matches(const archive::Archive& archive, const Suite& suite, bool retry_set_aside) {
  if (suite.stop) return is_decided(archive, suite, retry_set_aside);
  bool all = false;
  archive.together([&] { all = has_whole_plan(archive, suite, retry_set_aside); });
  return all;
}

namespace {

bool is_before(const archive::DoneMatch& a, const archive::DoneMatch& b) {
  return std::tie(a.block, a.repeat) < std::tie(b.block, b.repeat);
}

}  // namespace

DoneInColumns::DoneInColumns(const archive::Archive& archive) {
  archive.matches().done_in_columns(
      [this](const archive::MatchId& first, std::span<const archive::DoneMatch> some) {
        std::vector<archive::DoneMatch>& all = tables_[first].all_;
        all.insert(all.end(), some.begin(), some.end());
        size_ += some.size();
      });
  for (auto& [first, table] : tables_)
    if (!std::is_sorted(table.all_.begin(), table.all_.end(), is_before))
      std::sort(table.all_.begin(), table.all_.end(), is_before);
}

const DoneInColumns::LineUpMatches* DoneInColumns::find(const archive::MatchIds& ids) const {
  if (tables_.empty()) return nullptr;
  const auto at = tables_.find(ids(0, 0, 0));
  return at == tables_.end() ? nullptr : &at->second;
}

std::optional<std::int64_t> DoneInColumns::LineUpMatches::number(std::int64_t block,
                                                                 std::int64_t repeat) const {
  const archive::DoneMatch wanted{block, repeat, 0};
  const auto at = std::lower_bound(all_.begin(), all_.end(), wanted, is_before);
  if (at == all_.end() || is_before(wanted, *at)) return std::nullopt;
  return at->number;
}

namespace {

/// A bound that is known.
std::optional<double> bound(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// What the metric's type allows by itself, within what is declared.
Range range_of(const Field& field, const Type& value) {
  Range range{field.min, field.max};
  if (value.kind == Kind::boolean) range = {std::max(range.min, 0.0), std::min(range.max, 1.0)};
  return range;
}

std::vector<archive::Metric> metrics_of(const Type* type) {
  std::vector<archive::Metric> metrics;
  if (type == nullptr) return metrics;
  for (const Field& f : type->fields) {
    const Type* value = f.type->kind == Kind::optional ? f.type->element : f.type;
    const Range range = range_of(f, *value);
    metrics.push_back({std::string(f.name), std::string(f.unit),
                       f.better == Better::higher  ? "higher"
                       : f.better == Better::lower ? "lower"
                                                   : "",
                       std::max(f.decimals, value->decimals), bound(range.min), bound(range.max)});
  }
  return metrics;
}

archive::GameRow game_row(const Scenario& s, const Catalogue& catalogue) {
  archive::GameRow game;
  game.name = s.game->id;
  game.version = s.game->card.version;
  if (const PluginEntry* plugin = catalogue.plugin_of_game(s.game->id)) game.plugin = plugin->name;
  game.plugin_version = s.plugin_version;
  game.score_decimals = s.game->card.score_decimals;
  game.seat_metrics = metrics_of(s.game->card.seat_metrics);
  game.match_metrics = metrics_of(s.game->card.match_metrics);
  for (archive::Metric& metric : game.match_metrics)
    if (metric.name == s.game->card.stake) metric.stake = true;
  game.score_min = bound(s.game->card.score_range.min);
  game.score_max = bound(s.game->card.score_range.max);
  return game;
}

}  // namespace

void SuiteKeys::enter(archive::Writer& writer, const Catalogue& catalogue) {
  for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) enter_scenario(i, writer, catalogue);
}

void SuiteKeys::enter_scenario(std::size_t scenario, archive::Writer& writer,
                               const Catalogue& catalogue) {
  const Scenario& s = suite_.scenarios[scenario];
  const std::int64_t game = writer.game(game_row(s, catalogue));
  std::vector<StoredTreatment>& stored = stored_.emplace_back();
  for (const Treatment& t : s.treatments) {
    for (const auto& [digest, data] : t.settings->data()) writer.store("data", data);
    archive::ScenarioRow row;
    row.place = places_++;
    row.name = s.name;
    row.game = game;
    row.preset = t.settings->preset();
    row.treatment = t.values;
    row.settings = writer.store("settings", settings_document(s, t));
    row.seed = t.seed.value_or(suite_.seed);
    stored.push_back({row.settings, writer.scenario(row)});
  }
  std::map<int, std::int64_t>& rows = agent_rows_.emplace_back();
  for (const int number : s.players()) {
    const AgentSpec& agent = suite_.agents[static_cast<std::size_t>(number)];
    const AgentInGame& in = *agent.in(s.game->id);
    archive::AgentRow row;
    row.hash = agent_identity(in, s);
    row.name = agent.name();
    row.spec = in.spec;
    row.family = agent.base();
    row.factors = agent.factors();
    if (const auto prompts = s.prompts_of(*in.agent))
      row.prompts = writer.store("prompts", prompts_document(*prompts));
    rows.emplace(number, writer.agent(row));
  }
}

PlacedMatch SuiteKeys::place(std::size_t scenario, const design::PlannedMatch& planned,
                             std::uint64_t position) const {
  const Scenario& s = suite_.scenarios[scenario];
  const StoredTreatment& stored = stored_[scenario][planned.treatment];
  const archive::MatchParts parts = match_parts(suite_, s, stored.settings, planned, position);
  archive::MatchKey key;
  key.id = archive::match_id(parts);
  key.scenario = stored.row;
  key.block = parts.block;
  key.repeat = parts.repeat;
  key.position = parts.position;
  key.line_up = planned.branch ? s.branches->line_up(*planned.branch)
                               : line_up_label(s.plan->line_ups()[planned.line_up]);
  key.assignment = static_cast<std::int64_t>(planned.assignment);
  return {scenario, planned, std::move(key)};
}

archive::MatchIds SuiteKeys::ids(std::size_t scenario, const design::PlannedMatch& planned) const {
  return archive::MatchIds(match_parts(suite_, suite_.scenarios[scenario],
                                       stored_[scenario][planned.treatment].settings, planned, 0));
}

std::string SuiteKeys::line_up_label(const design::Seating& seating) const {
  return text::joined(seating.assignment(0), " + ",
                      [&](int a) { return suite_.agents[static_cast<std::size_t>(a)].name(); });
}

void SuiteKeys::each_match(std::int64_t last_block,
                           const std::function<void(const Scenario&, const archive::MatchIds&,
                                                    const design::PlannedMatch&)>& each) const {
  const auto blocks = static_cast<std::uint64_t>(last_block + 1);
  for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) {
    const Scenario& s = suite_.scenarios[i];
    // Blocks come one after the other in a plan.
    std::uint64_t end =
        s.plan->is_listed() ? s.plan->size() : s.plan->begin_of(std::min(s.plan->blocks(), blocks));
    if (s.as_seated) end = std::min<std::uint64_t>(1, end);
    for (std::uint64_t m = suite_.next_played(i, 0); m < end; m = suite_.next_played(i, m + 1)) {
      const design::PlannedMatch planned = s.plan->match(m);
      each(s, ids(i, planned), planned);
    }
  }
}

/// Two suites that ask for the same matches, and mean the same with them, are one. The matches of
/// the first block stand for those of all.
hash::Digest SuiteKeys::digest() const {
  hash::Sha256 sha;
  const auto add = [&](std::string_view text) {
    sha.update(std::to_string(text.size()) + ":");
    sha.update(text);
  };
  for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) {
    const Scenario& s = suite_.scenarios[i];
    if (s.as_seated) return archive::digest_of_plays();
    for (const std::uint64_t count : {s.blocks, s.repeats, s.sequence}) add(std::to_string(count));
    for (const Treatment& t : s.treatments) add(t.values);
    const std::uint64_t end = s.plan->is_listed() ? s.plan->size() : s.plan->round_size();
    for (std::uint64_t m = 0; m < end; ++m) {
      const PlacedMatch match = place(i, s.plan->match(m), 0);
      add(match.key.id.hex());
      add(std::to_string(match.planned.focal));
    }
  }
  add(suite_.name);
  return sha.digest();
}

}  // namespace agon

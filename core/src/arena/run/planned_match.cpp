#include "run/planned_match.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <span>
#include <tuple>

#include "allocation/stop_allocation.hpp"
#include "archive/match_id.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon {

SeatSetup seat_setup(const AgentInGame& in, std::string_view scenario, std::uint64_t block,
                     std::uint64_t dice_key, std::string carried) {
  std::shared_ptr<const Agent> own = in.agent->in_block(scenario, block);
  const Agent* agent = own == nullptr ? in.agent.get() : own.get();
  return {agent, dice_key, std::move(carried), std::move(own)};
}

MatchSetup match_setup(const Game& game, const Settings& settings, const MatchDraws& draws,
                       const std::vector<const AgentInGame*>& agents) {
  MatchSetup setup = set_up_match(game, settings, draws.stream_key);
  setup.seats.resize(agents.size());
  for (std::size_t i = 0; i < agents.size(); ++i)
    if (agents[i] != nullptr)
      setup.seats[i] =
          seat_setup(*agents[i], draws.scenario, draws.block,
                     dice_key(draws.stream_key, draws.repeat, agents[i]->digest, i), {});
  return setup;
}

MatchSetup match_setup(const Suite& suite, const Scenario& scenario,
                       const design::PlannedMatch& planned, std::uint64_t position,
                       const std::vector<std::string>& carried) {
  std::vector<const AgentInGame*> agents;
  for (const int agent : planned.agents)
    agents.push_back(suite.agents[static_cast<std::size_t>(agent)].in(scenario.game->id));
  MatchSetup setup = match_setup(*scenario.game, *scenario.treatments[planned.treatment].settings,
                                 {stream_key(suite.seed, scenario.name, planned.block, position),
                                  scenario.name, planned.block, planned.repeat},
                                 agents);
  setup.turn = planned.block + position;
  setup.position = position;
  setup.another_follows = position + 1 < scenario.sequence;
  setup.reasks = scenario.reasks;
  setup.answer_limit = suite.answer_limit;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    setup.seats[i].carried = carried[i];
    setup.seats[i].prompts = scenario.prompts_of(*agents[i]->agent);
  }
  return setup;
}

PeopleAtTables::~PeopleAtTables() = default;

namespace bj = boost::json;

std::string settings_document(const Scenario& scenario, const Treatment& treatment) {
  bj::object document;
  document["game"] = bj::string(scenario.game->id);
  document["preset"] = treatment.settings->preset();
  document["reasks"] = scenario.reasks;
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
  parts.seed = suite.seed;
  parts.block = static_cast<std::int64_t>(planned.block);
  parts.position = static_cast<std::int64_t>(position);
  parts.repeat = static_cast<std::int64_t>(planned.repeat);
  return parts;
}

namespace {

/// The archive's number of a match that is not to be played.
std::optional<std::int64_t> done_with(const archive::Archive& archive, const archive::MatchId& id,
                                      bool retry_set_aside) {
  const std::optional<std::int64_t> number = archive.number(id);
  if (number && retry_set_aside && archive.match(*number).ended == "set-aside") return std::nullopt;
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
          matches.push_back(archive.match(*number));
          if (matches.back().ended != "finished") break;
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
          archive.row_number(ids(block, static_cast<std::int64_t>(position), repeat));
      if (!number || (retry_set_aside && archive.match(*number).ended == "set-aside")) return false;
    }
    return true;
  };
  for (const Scenario& s : suite.scenarios) {
    if (s.as_seated) return false;
    std::vector<hash::Digest> settings;
    for (const Treatment& t : s.treatments)
      settings.push_back(hash::sha256(settings_document(s, t)));
    for (std::uint64_t i = 0; i < s.plan->size(); ++i) {
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
  archive.done_in_columns(
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

}  // namespace agon

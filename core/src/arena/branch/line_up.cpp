#include "branch/line_up.hpp"

#include <agon/error.hpp>

#include "design/plan.hpp"
#include "plugin/catalogue.hpp"

namespace agon::branch {

FreeLineUp::FreeLineUp(const Game& game, const Settings& settings,
                       std::vector<const AgentInGame*> agents)
    : agents_(std::move(agents)), dice_(agents_.size()), setup_(set_up_match(game, settings, 0)) {
  setup_.record = false;
  setup_.seats.resize(agents_.size());
  for (std::size_t i = 0; i < agents_.size(); ++i) setup_.seats[i].agent = agents_[i]->agent.get();
  table_ = std::make_unique<MatchTable>(setup_);
}

const Outcome& FreeLineUp::play(std::uint64_t stream_key, std::uint64_t block,
                                std::uint64_t repeat) {
  setup_.stream_key = stream_key;
  setup_.turn = block;
  for (std::size_t i = 0; i < dice_.size(); ++i)
    dice_[i] = dice_key(stream_key, repeat, agents_[i]->digest, i);
  const MatchResult& result = table_->play_next(stream_key, dice_);
  if (result.end != End::finished)
    throw Error(ErrorKind::failure, "the game broke: " + result.problem,
                std::string(setup_.game->id), "run 'agon check' on the game");
  return result.outcome;
}

bool is_free(const AgentInGame& agent) {
  if (agent.agent->waits() || agent.agent->is_costly()) return false;
  try {
    return agent.agent->in_block("", 0) == nullptr;
  } catch (const Error&) {
    return false;  // it has answers for certain blocks only
  }
}

const AgentInGame& ReferenceAgents::made(const std::string& typed, const Game& game,
                                         const std::string& option) {
  const auto [at, is_new] = made_.try_emplace({typed, std::string(game.id)});
  if (is_new)
    at->second =
        AgentSpec::parse({.catalogue = catalogue_, .games = {std::string(game.id)}, .typed = true},
                         typed, std::string(game.id), option);
  const AgentInGame* in = at->second.in(game.id);
  if (in == nullptr)
    throw Error(ErrorKind::usage, "'" + typed + "' does not play " + std::string(game.id), option,
                "see 'agon list agents'");
  if (!is_free(*in))
    throw Error(ErrorKind::usage, "'" + typed + "' is not an agent that answers at once", option,
                "name a rule agent: it is played many times");
  return *in;
}

}  // namespace agon::branch

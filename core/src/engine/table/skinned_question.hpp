#pragma once

#include <agon/agent.hpp>
#include <agon/skin.hpp>
#include <memory>
#include <string>

namespace agon {

/// What a person under a skin is asked and told: all of it in the skin's words. What they are shown
/// of it by terminal and pages follows, as these have no words of the game of their own.
[[nodiscard]] OwnedQuestion in_skin(OwnedQuestion question,
                                    const std::shared_ptr<const Skin>& skin);
[[nodiscard]] MatchEnding in_skin(MatchEnding ending, const std::shared_ptr<const Skin>& skin);
/// What they answered to a question of that type, in the game's words and amounts. What no amount
/// of the game stands for, as 15 where amounts are shown times 10, is an illegal answer.
[[nodiscard]] Reply in_original(Reply reply, const Type& answer,
                                const std::shared_ptr<const Skin>& skin);

}  // namespace agon

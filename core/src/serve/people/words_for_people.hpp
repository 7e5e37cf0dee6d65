#pragma once

#include <agon/game.hpp>
#include <agon/language.hpp>
#include <agon/model/prompt_set.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "settings/settings.hpp"

namespace agon::serve {

/// In what people are told of a match before its first question, which has it all as they read it:
/// their language, or the words of a skin.
class WordsForPeople {
 public:
  /// `prompts`: of their seat; null: the game's own words, in English.
  explicit WordsForPeople(std::shared_ptr<const PromptSet> prompts)
      : prompts_(std::move(prompts)) {}

  [[nodiscard]] const Language& language() const {
    return prompts_ != nullptr && prompts_->language ? *prompts_->language : Language::english();
  }
  [[nodiscard]] std::string in_skin(std::string_view words) const {
    return prompts_ != nullptr && prompts_->skin ? prompts_->skin->shown(words)
                                                 : std::string(words);
  }
  [[nodiscard]] std::string text(std::string_view english) const {
    return in_skin(language().text(english));
  }
  [[nodiscard]] std::string rules(const Game& game, const void* settings) const {
    return in_skin(rules_in(game, settings, language()));
  }

 private:
  std::shared_ptr<const PromptSet> prompts_;
};

}  // namespace agon::serve

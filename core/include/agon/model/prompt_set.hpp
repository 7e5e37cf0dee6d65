#pragma once

#include <agon/language.hpp>
#include <agon/model/kit.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace agon {

/// The prompt texts of one scenario in one language: the generic ones, those of the game over them,
/// those of the scenario over these. Core loads them; agents that read prompts get them with each
/// question.
struct PromptSet {
  /// A prompt.
  struct Text {
    std::string text;  ///< with its placeholders
    std::string file;  ///< where it is from, for messages
  };
  std::map<std::string, Text, std::less<>> texts;  ///< by file name without ".txt": "bid"
  std::string digest;                              ///< hex SHA-256 over names, texts and sentences
  /// What is said beside them; null: English.
  std::shared_ptr<const Language> language{};
};

}  // namespace agon

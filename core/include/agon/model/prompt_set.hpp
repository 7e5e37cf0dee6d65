#pragma once

#include <agon/describe.hpp>
#include <agon/language.hpp>
#include <agon/model/kit.hpp>
#include <agon/skin.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace agon {

/// What a folder of prompts says of itself in its `prompts.json`, such as one of published texts
/// that are used as they were printed.
struct PromptFolder {
  std::string source;
  std::string licence;
  std::map<std::string, std::string> placeholders;
  std::vector<std::string> left_out;
  bool keep_questions = false;
  bool without_headings = false;
};
AGON_DESCRIBE(PromptFolder, (source, "where the texts are from"),
              (licence, "under which licence they are here"),
              (placeholders,
               "other words for placeholders, as the texts have them: \"bidder_name\": \"seat\""),
              (left_out, "required placeholders that the texts do without"),
              (keep_questions,
               "earlier questions stay in the dialogue as they were asked, without what was new"),
              (without_headings,
               "lessons, notes, beliefs and plans stand without headings, since the texts lead to "
               "them"))

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
  PromptFolder folder{};                           ///< what the scenario's folder says of itself
  /// What is said beside them; null: English.
  std::shared_ptr<const Language> language{};
  /// The story in which all of it is told; null: the game's own.
  std::shared_ptr<const Skin> skin{};
};

}  // namespace agon

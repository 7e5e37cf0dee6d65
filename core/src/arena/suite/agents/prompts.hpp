#pragma once

#include <agon/export.hpp>
#include <agon/model/prompt_set.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace agon {

class Accesses;
class Catalogue;
struct Game;

/// What a scenario says of prompts: a folder, or names to files.
using OwnPrompts = std::variant<std::string, std::map<std::string, std::string>>;

/// Loads the prompts of one scenario: `<root>/any-game/*.txt`, over them `<root>/<game>/*.txt` (and
/// `prompts/<game>` beside the game's plugin), over these what the scenario says: a folder, or an
/// object from prompt names to files, paths from `beside`. A folder may describe itself in
/// `prompts.json` (PromptFolder). What is in another language than
/// English is in a folder of its name in each of these ("de/bid" in an object), with a
/// `sentences.json` beside the prompts. "published" in place of a language: the English ones, and
/// over them those in folders of this name. Throws Error for what is not there, is no UTF-8, or has
/// a name that is nearly one of those known, and for sentences whose names are not those of the
/// English ones. What `accesses` (null: all may be read) does not let read is left out.
[[nodiscard]] AGON_API std::shared_ptr<const PromptSet> load_prompts(
    const Catalogue& catalogue, const Game& game, const std::vector<std::string>& roots,
    const std::optional<OwnPrompts>& own, const std::string& beside, const std::string& where,
    const std::string& language = "en", Accesses* accesses = nullptr);

/// The same told in another story.
[[nodiscard]] std::shared_ptr<const PromptSet> with_skin(const PromptSet& prompts,
                                                         std::shared_ptr<const Skin> skin);

/// A prompt set as the archive keeps it, one for equal names and texts, and back.
[[nodiscard]] AGON_API std::string prompts_document(const PromptSet& prompts);
[[nodiscard]] AGON_API std::shared_ptr<const PromptSet> read_prompts_document(
    std::string_view text, const std::string& place);

}  // namespace agon

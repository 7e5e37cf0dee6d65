#pragma once

#include <agon/export.hpp>
#include <agon/skin.hpp>
#include <memory>
#include <string>
#include <vector>

#include "suite/suite_file.hpp"

namespace agon {

class Catalogue;
class FileText;
struct Game;
struct Scenario;
struct Suite;
struct SuiteOptions;

/// What the member of a treatment is called that names its skin.
inline constexpr std::string_view kSkinFactor = "skin";

/// The skins that ship with a game: `skins.json` beside its prompts. None: it has no words to
/// rename. Throws Error with the place in the file for what is wrong there.
[[nodiscard]] AGON_API SkinFile shipped_skins(const Catalogue& catalogue, const Game& game,
                                              const std::vector<std::string>& prompt_roots);

/// A skin by its name, its file (`.json`) or "generated-SEED". Throws Error (not_found) for
/// another.
[[nodiscard]] AGON_API std::shared_ptr<const Skin> find_skin(const SkinFile& shipped,
                                                             const std::string& name,
                                                             const std::string& beside);

/// A text of a game that players read, and what it is.
struct PlayerText {
  std::string what;  ///< "the rules", "stage bid"
  std::string text;
};

/// What of a scenario is known before it is played: title, rules, personas, seats, stages, prompts.
[[nodiscard]] AGON_API std::vector<PlayerText> player_texts(const Scenario& scenario);

/// Why the skin does not fit the texts, with the text; empty: it does.
[[nodiscard]] AGON_API std::string problem_of(const Skin& skin,
                                              const std::vector<PlayerText>& texts);

/// The same scenario, on the same draws, told in a skin that fits it. `people`: they have seats.
[[nodiscard]] AGON_API Scenario in_skin(const Scenario& scenario,
                                        const std::shared_ptr<const Skin>& skin, bool people);

/// Adds to each scenario the same in other stories, on the same draws, as the suite says. Throws
/// Error with its place for a skin that does not fit.
void add_skins(Suite& suite, const suite_file::SuiteDocument& said, const Catalogue& catalogue,
               const SuiteOptions& options, const FileText& text);

}  // namespace agon

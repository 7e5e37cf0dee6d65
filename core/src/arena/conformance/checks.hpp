#pragma once

#include <agon/export.hpp>
#include <span>
#include <string_view>

#include "conformance/finding.hpp"
#include "conformance/subject.hpp"

namespace agon::conformance {

/// Without what a check has nothing to say.
enum class Needs : std::uint8_t {
  nothing,   ///< it speaks of the card, or of how the game breaks
  matches,   ///< a match that the game does not break, be it cut short
  finished,  ///< one that came to its end
};

/// A check of a game: something that every sound game keeps to.
struct Check {
  std::string_view name;  ///< "replay"
  std::string_view doc;   ///< what a sound game keeps to, in a sentence
  Finding (*run)(const Subject& subject);
  Needs needs = Needs::finished;
};

/// Makes a check. Where there are no matches to look at, it is skipped for that reason; where a
/// game has no end, the first check that meets this fails and all others are skipped.
[[nodiscard]] AGON_API Finding find(const Check& check, const Subject& subject);

/// All of them, in the order in which they are made: what others build on comes first.
[[nodiscard]] AGON_API std::span<const Check> checks();

// Each finds what its entry in checks() says, in the order of docs/conformance.md.
Finding check_card(const Subject& subject);
Finding check_plays(const Subject& subject);
Finding check_scores(const Subject& subject);
Finding check_conservation(const Subject& subject);
Finding check_fallbacks(const Subject& subject);
Finding check_limits(const Subject& subject);
Finding check_reading(const Subject& subject);
Finding check_order(const Subject& subject);
Finding check_replay(const Subject& subject);
Finding check_resume(const Subject& subject);
Finding check_jobs(const Subject& subject);
Finding check_process(const Subject& subject);
Finding check_probes(const Subject& subject);
Finding check_privacy(const Subject& subject);
Finding check_luck(const Subject& subject);
Finding check_symmetry(const Subject& subject);
Finding check_reached(const Subject& subject);
Finding check_texts(const Subject& subject);
Finding check_history(const Subject& subject);

}  // namespace agon::conformance

#pragma once

#include <agon/export.hpp>
#include <span>
#include <string_view>

#include "conformance/finding.hpp"
#include "conformance/subject.hpp"

namespace agon::conformance {

/// A check of a game: something that every sound game keeps to.
struct Check {
  std::string_view name;  ///< "replay"
  std::string_view doc;   ///< what a sound game keeps to, in a sentence
  Finding (*run)(const Subject& subject);
  bool looks_at_finished = true;  ///< it looks at matches that came to their end
};

/// Makes a check. Where it found nothing because no match of any preset came to its end, it is
/// skipped for that reason.
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

#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "people/store.hpp"
#include "suite/people/people_file.hpp"

/// What becomes of somebody for whom the study ends: what they are told, and by which code and
/// where they go back.
namespace agon::serve {

/// How a study ends for somebody, as panels sort it.
enum class StudyOutcome : std::uint8_t {
  complete,
  waited,
  screened_out,
  timed_out,
  no_consent,
  left,
};
AGON_DESCRIBE_ENUM(StudyOutcome, (complete, "they stayed to the end"),
                   (waited, "nobody came for a match in time"),
                   (screened_out, "they did not pass a quiz"),
                   (timed_out, "they were away for too long"),
                   (no_consent, "they did not agree to the consent text"),
                   (left, "they left, were removed, or the session ended before their first match"))

/// Nothing: it has not ended.
[[nodiscard]] AGON_API std::optional<StudyOutcome> outcome_of(const ParticipantRow& who);
/// The key of what they are told of it.
[[nodiscard]] AGON_API std::string_view end_text(EndReason why);
/// The code that they are shown; nothing: none.
[[nodiscard]] AGON_API std::optional<std::string> code_of(const suite_file::People& people,
                                                          const ParticipantRow& who);
/// Where they go back to, with the code and what the panel sent in it, percent-encoded; nothing:
/// nowhere.
[[nodiscard]] AGON_API std::optional<std::string> return_address(const suite_file::People& people,
                                                                 const ParticipantRow& who);

}  // namespace agon::serve

#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>

namespace agon {

/// How one attempt to answer a question came out.
enum class Fault : std::uint8_t {
  ok,
  repaired,
  illegal,
  unparsable,
  empty,
  truncated,
  refused,
  timed_out,
  crashed,
  provider_failed,
  in_words,
};
AGON_DESCRIBE_ENUM(Fault, (ok, "legal as given"),
                   (repaired, "legal after a lossless repair of its form"),
                   (illegal, "well formed, but against the limits or the rules of the moment"),
                   (unparsable, "not of the answer's form"), (empty, "nothing was said"),
                   (truncated, "cut off before it was complete"),
                   (refused, "the agent would not answer"),
                   (timed_out, "no answer before the deadline"),
                   (crashed, "the agent broke while answering"),
                   (provider_failed, "the service behind the agent failed; never a move"),
                   (in_words, "legal, found among other words"))
/// How many there are, for lists by fault.
inline constexpr std::size_t kFaults = 11;

/// Whether such an answer is played.
[[nodiscard]] constexpr bool is_played(Fault fault) {
  return fault == Fault::ok || fault == Fault::repaired || fault == Fault::in_words;
}

/// Why a whole run has to stop.
enum class Halt : std::uint8_t {
  no,             ///< it need not
  budget,         ///< a cap of the run is reached
  out_of_money,   ///< the provider takes no more calls on this account
  configuration,  ///< no call can ever succeed: a wrong key, a wrong URL, a model that is not there
};

/// Thrown at game code when its match is stopped: cancelled, or left unfinished. It is no
/// std::exception, so that a game's own handlers do not swallow it by accident; a table that threw
/// it stays closed and throws it again.
struct AGON_API Stop {};

}  // namespace agon

#pragma once

#include <agon/export.hpp>
#include <agon/outcome.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/match.hpp"

/// How whole matches go to Agon's own worker and come back: compact, because there are many.
namespace agon::remote {

/// One match whose agents all live where its game does.
struct BatchMatch {
  /// Who plays a seat.
  struct Seat {
    std::uint64_t agent = 0;  ///< number that the worker knows it by
    std::uint64_t dice_key = 0;
  };
  std::uint64_t table = 0;  ///< number that the worker knows game and settings by
  std::uint64_t stream_key = 0;
  std::uint64_t turn = 0;
  std::vector<Seat> seats;
};

/// What came of it, and how long it took.
struct BatchResult {
  /// Without its shapes; without its outcome where there is a record, which has it.
  MatchResult result;
  std::vector<std::string> shapes;  ///< notations that this record is the first to refer to
  double wall_ms = 0;
};

[[nodiscard]] AGON_API std::string write_matches(const std::vector<BatchMatch>& matches);
/// Nothing if the bytes are no such list.
[[nodiscard]] AGON_API std::optional<std::vector<BatchMatch>> read_matches(std::string_view bytes);

/// Appends one.
AGON_API void write_result(std::string& out, const BatchResult& result);
/// Hands on all that were appended, in order, one at a time, as each is large. False if the bytes
/// are no such list.
[[nodiscard]] AGON_API bool read_results(std::string_view bytes,
                                         const std::function<void(BatchResult&&)>& each);

}  // namespace agon::remote

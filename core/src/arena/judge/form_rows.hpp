#pragma once

#include <agon/describe.hpp>
#include <agon/detail/asking.hpp>
#include <optional>
#include <string>

/// The rows of the files that a study with judges goes by.
namespace agon::judge {

inline constexpr int kLowestRating = 1;
inline constexpr int kHighestRating = 5;

/// What stands in the place of a record where judges rate their own play.
inline constexpr std::string_view kOwnPlay = "own";

/// Of the key: which record is what.
struct KeyRow {
  std::string record;
  std::string match;
  int seat = 0;
};
AGON_DESCRIBE(KeyRow, (record, "all that judges know it by", length(1, 1000)),
              (match, "of the archive", length(1, 1000)),
              (seat, "the player's, from 0", range(0, kMaxSeats - 1)))

/// Of a form: what a judge says of a record. The dimensions are those of the Alympics study.
struct FormRow {
  std::string record;
  std::string judge;
  std::optional<int> IU, LR, SE, AD, LP, IA;
};
AGON_DESCRIBE(FormRow, (record, "as in the names of the records' files; own: the judge's own play"),
              (judge, "a number or a name"),
              (IU, "information utilisation", range(kLowestRating, kHighestRating)),
              (LR, "logical reasoning", range(kLowestRating, kHighestRating)),
              (SE, "strategic effectiveness", range(kLowestRating, kHighestRating)),
              (AD, "adaptability", range(kLowestRating, kHighestRating)),
              (LP, "long-term planning", range(kLowestRating, kHighestRating)),
              (IA, "identity alignment", range(kLowestRating, kHighestRating)))

/// The members of a form's row that are ratings.
inline constexpr std::span kRatings = std::span<const Field>(detail::fields_of<FormRow>).subspan(2);
inline constexpr std::size_t kDimensions = kRatings.size();

}  // namespace agon::judge

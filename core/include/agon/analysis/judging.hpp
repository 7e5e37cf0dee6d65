#pragma once

#include <agon/analysis/kit.hpp>
#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/stage.hpp>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// @file
/// Ratings of play by judges, as forms, matches of a game that asks for them, and tables have them.
/// Source of the dimensions and of the scale: Mao et al., Alympics, arXiv 2311.03220, the
/// evaluation by people. What each level means is in our words.
namespace agon::judging {

/// The ends of the scale.
///@{
inline constexpr int kLowestRating = 1;
inline constexpr int kHighestRating = 5;
///@}

/// What stands in the place of a record where judges rate their own play.
inline constexpr std::string_view kOwnPlay = "own";

/// The format of data files of records to be judged.
inline constexpr std::string_view kRecordsFormat = "agon.judging.records/1";

/// A record to be judged: how a seat lived through a match.
struct RecordToRate {
  std::string id;        ///< all that judges know it by: "R01"
  std::string key;       ///< which match and seat it is, as a digest that tells judges nothing
  bool identity = true;  ///< the player was given one, so that IA can be rated
  std::string text;      ///< what judges read
};
AGON_DESCRIBE(RecordToRate, (id, "all that judges know it by", length(1, 1000)),
              (key, "digest of the match and the seat", length(1, 1000)),
              (identity, "the player was given an identity, so that IA can be rated"),
              (text, "what judges read", length(1, 4'000'000)))

/// What a judge says of a record, or of its own play: whole numbers, empty where it says nothing.
struct Ratings {
  std::optional<int> IU, LR, SE, AD, LP, IA;  ///< see dimensions()
};
AGON_DESCRIBE(Ratings, (IU, "information utilisation", range(kLowestRating, kHighestRating)),
              (LR, "logical reasoning", range(kLowestRating, kHighestRating)),
              (SE, "strategic effectiveness", range(kLowestRating, kHighestRating)),
              (AD, "adaptability", range(kLowestRating, kHighestRating)),
              (LP, "long-term planning", range(kLowestRating, kHighestRating)),
              (IA, "identity alignment; none if the player was given no identity",
               range(kLowestRating, kHighestRating)))

/// How many dimensions there are.
inline constexpr std::size_t kDimensions = detail::fields_of<Ratings>.size();

/// The rating in a dimension, counted from 0.
[[nodiscard]] inline std::optional<int> rating_at(Ratings ratings, std::size_t dimension) {
  return *static_cast<const std::optional<int>*>(
      detail::fields_of<Ratings>[dimension].at(&ratings));
}

/// What a game that asks for ratings notes of each: the game is known by this event.
struct RatedRecord {
  std::string_view record;  ///< RecordToRate::id, or kOwnPlay
  std::string_view key;     ///< RecordToRate::key; empty for own play
  Ratings ratings;          ///< all empty where no answer was legal
};
AGON_DESCRIBE(RatedRecord, (record, "as its file calls it; own: the judge's own play"),
              (key, "digest of the match and the seat; empty for own play"),
              (ratings, "what the judge said"))

/// The event.
inline constexpr Note<"rated", RatedRecord> kRated{"what a judge said of a record"};

/// What a published study found for one dimension.
struct PublishedRating {
  double mean = 0;                 ///< of the ratings
  double deviation = 0;            ///< of the sample
  std::array<int, 3> quartiles{};  ///< lower, median, upper
};

/// Something that judges rate.
struct Dimension {
  std::string_view id;                     ///< "IU", the member of Ratings
  std::string_view name;                   ///< "information utilisation"
  std::string_view question;               ///< what is asked
  std::array<std::string_view, 5> levels;  ///< what 1 to 5 mean
  PublishedRating agents;                  ///< of model agents
  double own_play = 0;       ///< published mean of what the judges gave their own play; 0: none
  double own_deviation = 0;  ///< published standard deviation of that
};

/// All of them, in the order of Ratings.
[[nodiscard]] AGON_API const std::array<Dimension, kDimensions>& dimensions();

/// The dimensions with their questions and levels, for judges; begins with an empty line.
[[nodiscard]] AGON_API std::string scale_text();

}  // namespace agon::judging

#pragma once

#include <agon/describe.hpp>
#include <agon/detail/asking.hpp>
#include <agon/export.hpp>
#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "judge/records.hpp"

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

/// What a published study found for one dimension.
struct PublishedRating {
  double mean = 0;
  double deviation = 0;
  std::array<int, 3> quartiles{};  ///< lower, median, upper
};

/// Something that judges rate from 1 to 5.
struct Dimension {
  std::string_view id;                     ///< "IU", the column of the forms
  std::string_view name;                   ///< "information utilisation"
  std::string_view question;               ///< what is asked
  std::array<std::string_view, 5> levels;  ///< what 1 to 5 mean
  PublishedRating agents;                  ///< of model agents
  double own_play = 0;       ///< published mean of what the judges gave their own play; 0: none
  double own_deviation = 0;  ///< published standard deviation of that
};

/// The dimensions of the Alympics study (Mao and others 2023, its human evaluation of 30
/// records of the water allocation challenge, 5 judges each); anchors in our own words.
[[nodiscard]] AGON_API const std::array<Dimension, kDimensions>& dimensions();

/// What the published figures are of, for a table's foot.
[[nodiscard]] std::string_view published_source();

/// The sheet of instructions for judges. `judges_a_record`: how many rate each record.
[[nodiscard]] std::string instructions(std::size_t judges_a_record);

/// Tells one record in words for judges.
using TellRecord = std::function<std::string(const archive::MatchRow& match, int seat)>;

/// Writes what judges get into the folder `out`, which must not exist: instructions.txt,
/// records/R01.txt and so on, and a form for each judge (judge-1.csv). `key`, which must not exist
/// either, says which record is which match and seat; it stays with the researcher. Throws
/// Error if something is there already or cannot be written.
AGON_API void write_forms(const archive::Archive& archive, const std::vector<SampledRecord>& drawn,
                          const DrawOptions& options, const TellRecord& tell,
                          const std::filesystem::path& out, const std::filesystem::path& key);

/// A record of the key: match and seat.
struct Keyed {
  archive::MatchId match;
  int seat = 0;
  bool identity = true;  ///< the seat was given one, so that IA can be rated
};

/// Reads a key; `identity` is left as it is. Throws Error (invalid) with file and line for what is
/// none.
[[nodiscard]] AGON_API std::map<std::string, Keyed> read_key(const std::filesystem::path& file);

/// A judge's ratings of one record.
struct JudgeRating {
  std::string record;
  std::string judge;
  std::array<std::optional<int>, kDimensions> values{};
};

/// A row that cannot be used.
struct BadFormRow {
  std::string file;
  std::size_t line = 0;
  std::string problem;
};

/// What was read from forms.
struct ReadForms {
  std::vector<JudgeRating> ratings;  ///< in order of files and lines
  std::vector<JudgeRating> own;      ///< what judges say of their own play, likewise
  std::vector<BadFormRow> bad;
  std::size_t blank = 0;  ///< rows that nobody has filled in yet
};

/// Reads filled forms. A row that is not as it is described, or for a record that the key does not
/// have, a second rating of a record by the same judge, a row without a judge, and an identity
/// rating where there is no identity are bad. Throws
/// Error (invalid) for a file that is no form, (not_found) for one that cannot be read.
[[nodiscard]] AGON_API ReadForms read_forms(const std::vector<std::string>& files,
                                            const std::map<std::string, Keyed>& key);

}  // namespace agon::judge

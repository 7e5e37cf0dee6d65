#pragma once

#include <agon/analysis/judging.hpp>
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

using judging::Dimension;
using judging::dimensions;
using judging::kDimensions;
using judging::kHighestRating;
using judging::kLowestRating;
using judging::kOwnPlay;
using judging::PublishedRating;

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
static_assert(kRatings.size() == kDimensions);

/// What the published figures are of, for a table's foot.
[[nodiscard]] std::string_view published_source();

/// The sheet of instructions for judges. `judges_a_record`: how many rate each record.
[[nodiscard]] std::string instructions(std::size_t judges_a_record);

/// Tells one record in words for judges.
using TellRecord = std::function<std::string(const archive::MatchRow& match, int seat)>;

/// A game that asks for ratings.
struct RatingGame {
  std::string id;
  std::string records;  ///< its setting with the records to rate
};

/// Writes what judges get into the folder `out`, which must not exist: instructions.txt,
/// records/R01.txt and so on, and a form for each judge (judge-1.csv). With `game`, a game that
/// asks for ratings, also a suite in which models or people in the browser judge the same records:
/// judges.json and its data file, records.json. `key`, which must not exist either, says which
/// record is which match and seat; it stays with the researcher. Throws Error if something is there
/// already or cannot be written.
AGON_API void write_forms(const archive::Archive& archive, const std::vector<SampledRecord>& drawn,
                          const DrawOptions& options, const TellRecord& tell,
                          const std::filesystem::path& out, const std::filesystem::path& key,
                          const RatingGame* game = nullptr);

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
  std::string plays{};  ///< what the judge is, if an agent: "mock/x"; empty: a person
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
  /// In archives: how often no answer of an agent was legal, and how many of its ratings are left
  /// out: of a record that it had rated before, and of its own play, as it is no person. By judge.
  std::map<std::string, std::size_t> unanswered{}, repeated{}, own_of_agents{};
};

/// Reads filled forms. A row that is not as it is described, or for a record that the key does not
/// have, a second rating of a record by the same judge, a row without a judge, and an identity
/// rating where there is no identity are bad. Throws Error (invalid) for a file that is no form,
/// (not_found) for one that cannot be read.
[[nodiscard]] AGON_API ReadForms read_forms(const std::vector<std::string>& files,
                                            const std::map<std::string, Keyed>& key);

/// What RecordToRate::key says of a record. It tells who does not have the archive nothing.
[[nodiscard]] AGON_API std::string digest_of(const archive::MatchId& match, int seat);

/// The games that ask for ratings, by their event and the setting with the records.
[[nodiscard]] AGON_API std::vector<RatingGame> rating_games(const Catalogue& catalogue);

/// Adds the ratings that matches of these games in archives hold, as models, programs and people in
/// the browser gave them. Agents of different specs are different judges. Throws Error (invalid)
/// for an archive without any, for a record that the key does not have, for one that is another
/// match's there (the rating is of another study), and for an identity rating where there is no
/// identity.
AGON_API void read_rated(const std::vector<std::string>& files,
                         const std::vector<RatingGame>& games,
                         const std::map<std::string, Keyed>& key, ReadForms& out);

}  // namespace agon::judge

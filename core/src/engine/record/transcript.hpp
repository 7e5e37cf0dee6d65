#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "record/shape.hpp"

namespace agon {

class SkinnedTypes;

}  // namespace agon

namespace agon::record {

/// Finds the types that have a shape: more than one where they differ in names or units only.
using FindTypes = std::function<std::vector<const Type*>(const hash::Digest&)>;

/// How a transcript is written.
struct TranscriptOptions {
  std::vector<std::string> seat_names;
  int seat = -1;  ///< only what this seat was told, asked and said; -1: everything
  /// With it, values are told in plain words, with units where it knows the type; else as JSON.
  FindTypes types{};
  int score_decimals = 0;  ///< 2: scores are cents and shown as 12.50
  /// Each event in its game's words, in the order of the record; empty where it has none.
  std::vector<std::string> tellings{};
  /// Of a match in other words: with it all is told in these, and `seat_names` and `tellings` are.
  std::shared_ptr<SkinnedTypes> skin{};
};

/// The record of a match for people, a line an entry: what was said and to whom, what was asked and
/// answered, attempts that were turned down and why, chance, notes for the record. Calls `line`
/// with each, line break included.
AGON_API void transcript(std::string_view record, const RecordedTypes& recorded,
                         const TranscriptOptions& options,
                         const std::function<void(const std::string& line)>& line);

/// One entry as such a line (without line break at its end; long values take several). `telling`:
/// the event in its game's words.
[[nodiscard]] AGON_API std::string entry_line(const Entry& entry, const RecordedTypes& recorded,
                                              const TranscriptOptions& options,
                                              std::string_view telling = {});

/// One entry in words and in parts, for pages that sort and fold them.
struct ToldEntry {
  Entry::What what{};
  std::string name;            ///< of the event, the stage, the probe or the chance
  std::uint32_t audience = 0;  ///< of an event: a bit a seat, all bits: everybody, none: the record
  int seat = -1;               ///< that answered or carries on
  std::int64_t question = -1;  ///< its number
  bool probe = false;
  std::string words;    ///< what was said, answered or drawn; it may take several lines
  std::string thought;  ///< behind the answer
  std::vector<std::string> turned_down;  ///< attempts that were not taken, and why
  std::string remark;                    ///< on the answer: whose it is if not the agent's
};

/// Calls `each` with the entries of a record in their order, until it returns false.
AGON_API void told(std::string_view record, const RecordedTypes& recorded,
                   const TranscriptOptions& options, const std::function<bool(ToldEntry&&)>& each);

/// An entry as a JSON object on one line; the schema is in docs/archive.md.
[[nodiscard]] AGON_API std::string entry_json(const Entry& entry, const RecordedTypes& recorded);

}  // namespace agon::record

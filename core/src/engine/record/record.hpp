#pragma once

#include <agon/export.hpp>
#include <agon/fault.hpp>
#include <agon/game.hpp>
#include <agon/outcome.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/codec.hpp"
#include "record/delta.hpp"
#include "record/shape.hpp"
#include "text/hash.hpp"

namespace agon::record {

/// What entries of a record may be called, by the game's card and by the arena: for records that
/// are not the arena's own. Most records of a game name the same things in the same order, which
/// costs a comparison each.
class CardNames {
 public:
  /// What a name may be used for, as bits.
  enum NameUse : std::uint8_t { kAsked = 1, kProbed = 2, kAnnounced = 4, kTold = 8, kNoted = 16 };

  AGON_API explicit CardNames(const Game& game);

  /// What a name may be used for that is the record's `place`th.
  [[nodiscard]] std::uint8_t uses(std::string_view name, std::size_t place);
  /// Whether the record's `place`th shape is one that is known.
  [[nodiscard]] bool has_shape(const hash::Digest& shape, std::size_t place, const Shapes& known);

  /// The use of an event that these seats hear, as a record has them; 0: there is none.
  static std::uint8_t use_of_event(std::uint32_t audience);

 private:
  std::vector<std::pair<std::string, std::uint8_t>> names_;
  std::vector<std::pair<std::string, std::uint8_t>> last_names_;  ///< by place
  std::vector<hash::Digest> last_shapes_;                         ///< likewise
};

/// Most entries of a record: a match that has more never ends, and nobody could open its record.
inline constexpr std::size_t kMostEntries = 200'000;
/// Most bytes of one entry of a record.
inline constexpr std::size_t kLargestEntry = std::size_t{8} << 20;

/// An entry that is too large for a record. Nothing of it is recorded.
struct TooLarge {
  std::string problem;
};

/// How an attempt was given.
enum class Form : std::uint8_t {
  none,     ///< nothing was said
  encoded,  ///< a typed answer, in binary form
  json,     ///< JSON text
};

/// One attempt to answer a question, as it was made.
struct Attempt {
  Fault fault = Fault::ok;
  Form form = Form::none;
  std::string payload;
  std::string complaint;  ///< what the seat was told of it; if it stood: what was repaired in it
};

/// One question with all that was said to it.
struct Asked {
  std::uint32_t number = 0;
  int seat = 0;
  std::string_view stage;
  const Type* answer_type = nullptr;
  bool probe = false;
  bool forced = false;
  bool declined = false;
  bool remembers = false;
  bool by_rules = false;       ///< nothing else was legal, and nobody was asked
  bool by_substitute = false;  ///< by what took the seat over from a person
  std::vector<Attempt> attempts;
  std::string answer;  ///< accepted, encoded
  std::string view;    ///< JSON, only for seats whose agent waits
  std::string thought;
  std::string memo;
};

/// Writes the history of one match into one compact blob: entries in key order, names defined where
/// they first occur, shapes as digests of their notation, and of a view what differs from the last
/// one of that seat at that stage. Two matches with the same history have the same bytes. Throws
/// TooLarge for an entry above kLargestEntry.
class AGON_API Recorder {
 public:
  /// `waiting`: bit s set if seat s is played by an agent that waits. `whole_views`: each view is
  /// written whole, as all were before; a match that goes on from such a record is.
  Recorder(std::uint32_t waiting, Shapes& shapes, bool whole_views = false);

  void event(std::uint32_t audience, std::string_view name, const Type& type, const void* value);
  void question(const Asked& asked);
  /// A question whose first attempt stood, of an agent that answers at once and said no more.
  void plain(std::uint32_t number, int seat, std::string_view stage, const Type& answer_type,
             bool probe, const void* answer);
  /// `given`: not by chance, but as somebody else's log has it.
  void draw(std::string_view name, std::span<const std::int64_t> at, const Type& type,
            const void* value, bool given = false);
  void carry(int seat, const Type& type, const void* value);
  void outcome(const Outcome& outcome);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  /// Entries so far. Names count too, and each attempt at an answer, as all of them are read again.
  [[nodiscard]] std::size_t entries() const { return entries_; }
  /// Bytes of what agents that wait were shown and said.
  [[nodiscard]] std::size_t waited_bytes() const { return waited_bytes_; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::uint64_t name_id(std::string_view name);
  std::uint64_t shape_id(const Type& type);
  /// Puts the value into scratch_, as the payload of a further entry.
  void encode_payload(const Type& type, const void* value);
  /// What is written of a view, and whether that is a delta.
  std::pair<std::string, bool> encode_view(int seat, std::uint64_t stage, const std::string& view);

  std::string bytes_;
  std::string scratch_;
  std::vector<std::string> names_;
  std::vector<const Type*> types_;
  std::size_t entries_ = 0;
  std::size_t waited_bytes_ = 0;
  const std::uint32_t waiting_;
  LastViews views_;
  const bool has_whole_views_;
  Shapes& shapes_;
};

/// One entry of a blob, read back. Views point into the blob.
struct Entry {
  enum class What : std::uint8_t { event = 3, question, draw, carry, outcome };
  What what = What::event;
  std::string_view name;         ///< of the event, the draw or the stage
  hash::Digest shape{};          ///< of the payload's shape
  std::string_view payload;      ///< event, drawn value, carried value, accepted answer
  std::uint32_t audience = 0;    ///< events
  std::vector<std::int64_t> at;  ///< indices of a draw
  bool given = false;            ///< draws: not by chance, but as somebody else's log has it
  int seat = 0;                  ///< questions, carries
  std::uint32_t number = 0;      ///< questions
  bool probe = false, forced = false, declined = false, remembers = false, by_rules = false,
       by_substitute = false;
  std::vector<Attempt> attempts;
  std::string_view view, thought, memo;
  std::shared_ptr<Outcome> outcome;  ///< of the last entry of a finished match, else null
};

/// A whole blob, read back.
struct History {
  std::uint32_t waiting = 0;
  bool has_whole_views = false;  ///< see Recorder
  std::vector<Entry> entries;
  std::shared_ptr<std::deque<std::string>> views{};  ///< that the blob has as deltas
};

/// Reads a blob. Throws Error (invalid) if it is damaged, of an unknown version, or larger than any
/// match's; a blob cut after a whole entry is a valid beginning of a match. `bytes` must outlive
/// the result. Views that are written as deltas are there up to kLargestRecord bytes together, and
/// empty from then on: each_entry() has them all.
AGON_API History read(std::string_view bytes);
/// Reads a blob entry by entry, until `each` returns false: in memory there is one at a time, which
/// is valid during the call, and any number of them is read. Else as read() does.
AGON_API void each_entry(std::string_view bytes, const std::function<bool(const Entry&)>& each);
/// What was wrong with an attempt, in a line: "crashed: it ended with status 1".
AGON_API std::string why_turned_down(const Attempt& attempt);
/// Where and why a fallback answer was played for the seat for the first time, in a line: "stage
/// 'offer': crashed: it ended with status 1"; empty: never.
AGON_API std::string first_fallback(std::string_view bytes, int seat);
/// The outcome of a whole record of so many seats, which it ends with, played by agents that do not
/// wait: those have no views. Its stages and events are those of the card, its shapes among these
/// (null: any); values are not decoded. Throws Error (invalid) if it is none.
AGON_API Outcome check(std::string_view bytes, int seats, CardNames& names, const Shapes* shapes);

}  // namespace agon::record

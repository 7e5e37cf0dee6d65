#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "archive/database/sqlite.hpp"
#include "archive/matches/match_id.hpp"
#include "archive/recently_used.hpp"
#include "text/hash.hpp"

/// The messages of a model call, as `call` has them: their digests. Each call of a long dialogue
/// repeats those before it, so that a list may begin with the name of another one: 16 zero bytes,
/// which no digest begins with, then as 8 bytes each (the lowest first) the number of an earlier
/// call and how many messages both begin with.
namespace agon::archive {

using MessageList = std::vector<hash::Digest>;

/// What a list begins with that names another one.
struct AGON_API SharedStart {
  std::int64_t call = 0;     ///< number of the row
  std::uint64_t length = 0;  ///< messages

  [[nodiscard]] hash::Digest digest() const;
  /// Nothing, where that is a message.
  static std::optional<SharedStart> of(const hash::Digest& first);
};

/// Shortens lists that are written. Memory stays flat: what it forgets is written whole.
class MessageListWriter {
 public:
  /// What is to be stored of a list.
  [[nodiscard]] MessageList shorten(const MatchId& match, int seat, const MessageList& whole);
  /// Notes that the last list was stored, with the call of this number.
  void note(std::int64_t call);

 private:
  struct WrittenList {
    std::int64_t call = 0;
    int depth = 0;  ///< how many lists it begins with, one in the other
    MessageList whole{};
  };
  struct Begun {
    std::pair<MatchId, int> seat;
    WrittenList list;
  };

  std::map<std::pair<MatchId, int>, std::vector<WrittenList>> last_;  ///< of the seats
  std::size_t kept_ = 0;                                              ///< messages of these
  std::optional<Begun> begun_;
};

/// Makes lists whole that are read. One thread at a time.
class AGON_API MessageListReader {
 public:
  explicit MessageListReader(Connection& db);
  /// Puts the whole list in the place of the stored one. False if it names what is not there.
  [[nodiscard]] bool complete(MessageList& list);

 private:
  /// The stored list of a call; nothing if there is no such call.
  std::optional<MessageList> stored(std::int64_t call);
  void keep(std::int64_t call, const MessageList& whole);

  Statement get_;
  RecentlyUsed<std::int64_t, MessageList> known_;  ///< whole lists by call
};

}  // namespace agon::archive

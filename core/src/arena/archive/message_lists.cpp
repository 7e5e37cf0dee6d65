#include "archive/message_lists.hpp"

#include <algorithm>
#include <limits>

#include "archive/tables.hpp"

namespace agon::archive {
namespace {

constexpr std::size_t kZeroBytes = 16;
/// A list that shares fewer messages is written whole.
constexpr std::size_t kFewestShared = 8;
/// Most lists that one begins with, one in the other: to read it, these are read.
constexpr int kMostDepth = 1024;
/// An agent may call models for several purposes in turn: so many last lists of a seat are kept.
constexpr std::size_t kListsOfSeat = 4;
constexpr std::size_t kMostKept = std::size_t{1} << 20;
constexpr std::size_t kPlaceOfList = 8;  // what a list takes beside its messages, in messages
/// What is longer is no list of a run.
constexpr std::size_t kLongestList = std::size_t{1} << 21;

std::uint64_t read_eight(const hash::Digest& bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t i = 8; i-- > 0;) number = number << 8U | bytes[at + i];
  return number;
}

void write_eight(hash::Digest& bytes, std::size_t at, std::uint64_t number) {
  for (std::size_t i = 0; i < 8; ++i)
    bytes[at + i] = static_cast<std::uint8_t>(number >> (8 * i) & 0xFFU);
}

std::size_t common_messages(const MessageList& a, const MessageList& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

}  // namespace

hash::Digest SharedStart::digest() const {
  hash::Digest bytes{};
  write_eight(bytes, kZeroBytes, static_cast<std::uint64_t>(call));
  write_eight(bytes, kZeroBytes + 8, length);
  return bytes;
}

std::optional<SharedStart> SharedStart::of(const hash::Digest& first) {
  if (!std::all_of(first.begin(), first.begin() + kZeroBytes, [](auto b) { return b == 0; }))
    return std::nullopt;
  const std::uint64_t call = read_eight(first, kZeroBytes);
  return SharedStart{static_cast<std::int64_t>(
                         std::min<std::uint64_t>(call, std::numeric_limits<std::int64_t>::max())),
                     read_eight(first, kZeroBytes + 8)};
}

MessageList MessageListWriter::shorten(const MatchId& match, int seat, const MessageList& whole) {
  const std::pair place(match, seat);
  begun_ = Begun{place, {.whole = whole}};
  const auto found = last_.find(place);
  if (found == last_.end()) return whole;
  const WrittenList* best = nullptr;
  std::size_t shared = kFewestShared - 1;
  for (const WrittenList& list : found->second)
    if (const std::size_t n = common_messages(list.whole, whole);
        n > shared && list.depth < kMostDepth) {
      shared = n;
      best = &list;
    }
  if (best == nullptr) return whole;
  begun_->list.depth = best->depth + 1;
  MessageList shorter{SharedStart{best->call, shared}.digest()};
  shorter.insert(shorter.end(), whole.begin() + static_cast<std::ptrdiff_t>(shared), whole.end());
  return shorter;
}

void MessageListWriter::note(std::int64_t call) {
  if (!begun_ || begun_->list.whole.size() < kFewestShared) return;
  if (kept_ > kMostKept) {
    last_.clear();
    kept_ = 0;
  }
  begun_->list.call = call;
  kept_ += begun_->list.whole.size();
  std::vector<WrittenList>& lists = last_[begun_->seat];
  lists.insert(lists.begin(), std::move(begun_->list));
  if (lists.size() > kListsOfSeat) {
    kept_ -= lists.back().whole.size();
    lists.pop_back();
  }
  begun_.reset();
}

MessageListReader::MessageListReader(Connection& db)
    : get_(db, "select messages from call where number = ?"), known_(kMostKept) {}

std::optional<MessageList> MessageListReader::stored(std::int64_t call) {
  std::optional<MessageList> list;
  get_.bind(call);
  if (get_.step()) form::Digests::read(get_, list.emplace(), {});
  get_.reset();
  return list;
}

void MessageListReader::keep(std::int64_t call, const MessageList& whole) {
  known_.keep(call, whole, whole.size() + kPlaceOfList);
}

bool MessageListReader::complete(MessageList& list) {
  // From this list to the one that is whole, each with what it adds.
  struct ListLink {
    std::int64_t call;  ///< 0: the list that is asked for
    std::uint64_t shared;
    MessageList more;
  };
  std::vector<ListLink> chain;
  MessageList whole = std::move(list);
  std::int64_t call = 0;
  std::size_t held = 0;
  while (!whole.empty()) {
    const std::optional<SharedStart> start = SharedStart::of(whole.front());
    if (!start) break;
    // Earlier ones only, so that it ends.
    if (start->call < 1 || (call != 0 && start->call >= call) || chain.size() > kMostDepth)
      return false;
    whole.erase(whole.begin());
    held += whole.size();
    if (held > kLongestList) return false;
    chain.push_back({call, start->length, std::move(whole)});
    call = start->call;
    if (const MessageList* const known = known_.find(call)) {
      whole = *known;
      break;
    }
    std::optional<MessageList> next = stored(call);
    if (!next) return false;
    whole = *std::move(next);
  }
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    if (link->shared > whole.size() || link->shared + link->more.size() > kLongestList)
      return false;
    // The next call mostly names this one, or what this one names.
    if (link == chain.rbegin() || link + 1 == chain.rend()) keep(call, whole);
    whole.resize(static_cast<std::size_t>(link->shared));
    whole.insert(whole.end(), link->more.begin(), link->more.end());
    call = link->call;
  }
  list = std::move(whole);
  return true;
}

}  // namespace agon::archive

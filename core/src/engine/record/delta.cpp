#include "record/delta.hpp"

#include <algorithm>
#include <bit>

#include "record/codec.hpp"

namespace agon::record {
namespace {

/// Bytes by which a place of the base is found, and the fewest that are worth naming one.
constexpr std::size_t kPieceBytes = 16;
/// How many places that begin alike are compared, before and behind the one that is expected.
constexpr std::ptrdiff_t kMostCandidates = 4;

constexpr std::uint64_t kHashFactor = 0x100000001B3U;
/// What the first of kPieceBytes bytes counts in their hash.
constexpr std::uint64_t kHashOfFirst = [] {
  std::uint64_t power = 1;
  for (std::size_t i = 1; i < kPieceBytes; ++i) power *= kHashFactor;
  return power;
}();

/// A hash of kPieceBytes bytes that moves on by one byte in constant time.
class RollingHash {
 public:
  explicit RollingHash(std::string_view bytes) {
    for (const char c : bytes.substr(0, kPieceBytes)) hash_ = hash_ * kHashFactor + byte(c);
  }
  void move(char out, char in) {
    hash_ = (hash_ - byte(out) * kHashOfFirst) * kHashFactor + byte(in);
  }
  [[nodiscard]] std::uint32_t value() const {
    return static_cast<std::uint32_t>(hash_ * 0x9E3779B97F4A7C15U >> 32U);
  }

 private:
  static std::uint64_t byte(char c) { return static_cast<std::uint8_t>(c); }

  std::uint64_t hash_ = 0;
};

std::size_t common_front(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

std::size_t common_back(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first -
                                  a.rbegin());
}

/// Bytes that a text and its base have in common.
struct SharedPiece {
  std::size_t at = 0;    ///< in the text
  std::size_t from = 0;  ///< in the base
  std::size_t length = 0;
};

/// Where each piece of a base is.
class BasePieces {
 public:
  explicit BasePieces(std::string_view base)
      : base_(base), is_met_(std::bit_ceil(base.size() + 1)) {
    pieces_.reserve(base.size() / kPieceBytes);
    for (std::size_t from = 0; from + kPieceBytes <= base.size(); from += kPieceBytes)
      pieces_.emplace_back(RollingHash(base.substr(from)).value(),
                           static_cast<std::uint32_t>(from));
    std::sort(pieces_.begin(), pieces_.end());
    for (const auto& [hash, from] : pieces_) is_met_[hash & (is_met_.size() - 1)] = true;
  }

  /// The longest piece that the text's bytes at `at` are part of, of those next to `expected` in
  /// the base: lists repeat their members' names, and mostly go on where they were. It lies between
  /// `begin` and `end`.
  [[nodiscard]] SharedPiece find(const RollingHash& hash, std::string_view text, std::size_t at,
                                 std::size_t expected, std::size_t begin, std::size_t end) const {
    const std::uint32_t value = hash.value();
    if (!is_met_[value & (is_met_.size() - 1)]) return {};
    const auto middle = std::lower_bound(
        pieces_.begin(), pieces_.end(),
        std::pair(value, static_cast<std::uint32_t>(std::min(expected, base_.size()))));
    const auto first = middle - std::min(kMostCandidates, middle - pieces_.begin());
    const auto last = middle + std::min(kMostCandidates, pieces_.end() - middle);
    SharedPiece best;
    for (auto piece = first; piece != last; ++piece) {
      if (piece->first != value) continue;
      const std::size_t from = piece->second;
      const std::size_t after = common_front(base_.substr(from), text.substr(at, end - at));
      if (after < kPieceBytes) continue;
      const std::size_t before = common_back(base_.substr(0, from), text.substr(begin, at - begin));
      if (before + after > best.length) best = {at - before, from - before, before + after};
    }
    return best;
  }

 private:
  std::string_view base_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces_;  ///< hash and place, in order
  std::vector<bool> is_met_;  ///< by the lower bits of a hash: most texts that are new end there
};

class DeltaWriter {
 public:
  explicit DeltaWriter(std::string_view text) : text_(text) {}

  /// Everything up to the piece is new.
  void copy(const SharedPiece& piece) {
    put_text(bytes_, text_.substr(done_, piece.at - done_));
    put_number(bytes_, piece.length);
    put_signed(bytes_,
               static_cast<std::int64_t>(piece.from) - static_cast<std::int64_t>(expected_));
    done_ = piece.at + piece.length;
    expected_ = piece.from + piece.length;
  }
  /// Where what is not written yet begins in the text.
  [[nodiscard]] std::size_t done() const { return done_; }
  /// Where the text at `at` is in the base, if nothing was added or left out.
  [[nodiscard]] std::size_t expected(std::size_t at) const { return expected_ + (at - done_); }
  std::string take() {
    if (done_ < text_.size()) put_text(bytes_, text_.substr(done_));
    return std::move(bytes_);
  }

 private:
  std::string_view text_;
  std::size_t done_ = 0;
  std::size_t expected_ = 0;  ///< where the base goes on after the last piece
  std::string bytes_;
};

/// Finds pieces of the base in the text from `at` to `end`.
void copy_pieces(DeltaWriter& out, std::string_view base, std::string_view text, std::size_t at,
                 std::size_t end) {
  if (end - at < kPieceBytes || base.size() < kPieceBytes) return;
  const BasePieces pieces(base);
  RollingHash hash(text.substr(at));
  while (at + kPieceBytes <= end) {
    const SharedPiece found = pieces.find(hash, text, at, out.expected(at), out.done(), end);
    if (found.length > 0) {
      out.copy(found);
      at = found.at + found.length;
      hash = RollingHash(text.substr(at));
    } else {
      if (at + kPieceBytes < end) hash.move(text[at], text[at + kPieceBytes]);
      ++at;
    }
  }
}

}  // namespace

std::string delta(std::string_view base, std::string_view text) {
  std::size_t front = common_front(base, text);
  if (front < kPieceBytes) front = 0;
  std::size_t back = common_back(base.substr(front), text.substr(front));
  if (back < kPieceBytes) back = 0;
  DeltaWriter out(text);
  if (front > 0) out.copy({0, 0, front});
  copy_pieces(out, base, text, front, text.size() - back);
  if (back > 0) out.copy({text.size() - back, base.size() - back, back});
  return out.take();
}

bool apply_delta(std::string_view base, std::string_view delta, std::size_t most,
                 std::string& text) {
  text.clear();
  Bytes in(delta);
  std::int64_t expected = 0;
  while (!in.empty()) {
    std::string_view fresh;
    if (!in.text(fresh) || fresh.size() > most - text.size()) return false;
    text += fresh;
    if (in.empty()) return true;
    std::uint64_t length = 0;
    std::int64_t off = 0;
    if (!in.number(length) || !in.signed_number(off)) return false;
    const auto size = static_cast<std::int64_t>(base.size());
    if (off < -size || off > size) return false;
    const std::int64_t from = expected + off;
    if (from < 0 || from > size || length > static_cast<std::uint64_t>(size - from) ||
        length > most - text.size())
      return false;
    text += base.substr(static_cast<std::size_t>(from), length);
    expected = from + static_cast<std::int64_t>(length);
  }
  return true;
}

namespace {

/// Most views that are kept.
constexpr std::size_t kMostViews = 64;
/// Most bytes that the views of a record may stand for that are written as deltas: who plays and
/// who reads a match has them all in memory, or writes them all.
constexpr std::size_t kMostRebuilt = std::size_t{256} << 20;

}  // namespace

const std::string* LastViews::find(const Place& place) const {
  for (const auto& [at, view] : views_)
    if (at == place) return &view;
  return nullptr;
}

std::string_view LastViews::base(int seat, std::uint64_t stage) const {
  const std::string* const view = find({seat, stage});
  return view == nullptr ? std::string_view() : *view;
}

bool LastViews::has_room_for(std::size_t bytes) const {
  return bytes <= kLongestBase && bytes <= kMostRebuilt - rebuilt_;
}

std::string_view LastViews::keep(int seat, std::uint64_t stage, std::string_view view) {
  if (view.size() > kLongestBase) return view;
  const Place place{seat, stage};
  const auto found = std::find_if(views_.begin(), views_.end(),
                                  [&](const auto& kept) { return kept.first == place; });
  if (found != views_.end()) {
    found->second.assign(view);
    return found->second;
  }
  if (views_.size() >= kMostViews) return view;
  if (views_.empty()) views_.reserve(kMostViews);  // they stay where they are
  return views_.emplace_back(place, view).second;
}

}  // namespace agon::record

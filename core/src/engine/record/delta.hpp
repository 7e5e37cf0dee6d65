#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Texts that repeat most of another one, as prompts and views of a long match repeat what came
/// before: stored is what differs.
namespace agon::record {

/// Longer texts are stored whole, and no other is written against them.
inline constexpr std::size_t kLongestBase = std::size_t{1} << 20;

/// What makes `text` of `base`: new bytes and pieces of `base`, in turn. Always the same for the
/// same two texts.
[[nodiscard]] AGON_API std::string delta(std::string_view base, std::string_view text);
/// Makes `text` of `base`, which must not be the same string. False, and `text` is anything, if
/// `delta` is of another base or makes more than `most` bytes.
[[nodiscard]] AGON_API bool apply_delta(std::string_view base, std::string_view delta,
                                        std::size_t most, std::string& text);

/// The views that later ones of a record are written against: the last of each seat at each stage.
/// Who writes and who reads a record keep the same, so that a view says nothing of its base.
class LastViews {
 public:
  /// What a view is written against; empty: nothing, it is written whole.
  [[nodiscard]] AGON_API std::string_view base(int seat, std::uint64_t stage) const;
  /// Whether views that are written as deltas stand for few enough bytes with this one.
  [[nodiscard]] bool has_room_for(std::size_t bytes) const;
  /// Notes that a view was written as a delta.
  void add_rebuilt(std::size_t bytes) { rebuilt_ += bytes; }
  /// Keeps a view. What it returns stays valid until the next one of seat and stage; `view`, if it
  /// is not kept.
  AGON_API std::string_view keep(int seat, std::uint64_t stage, std::string_view view);

 private:
  using Place = std::pair<int, std::uint64_t>;
  [[nodiscard]] const std::string* find(const Place& place) const;

  std::vector<std::pair<Place, std::string>> views_;
  std::size_t rebuilt_ = 0;
};

}  // namespace agon::record

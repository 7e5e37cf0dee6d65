#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace deal_or_no_deal {

/// Most item types an instance can have.
inline constexpr std::size_t kMaxTypes = 8;

/// The largest count of one type that is accepted.
inline constexpr int kMaxCount = 1000;

/// The largest value of one item that is accepted.
inline constexpr int kMaxValue = 1'000'000;

/// The largest number of splits an instance may have, so that listing them all stays cheap.
inline constexpr std::size_t kMaxSplits = 100'000;

/// A whole number for each item type, kept in place: how many there are, what one is worth, or what
/// somebody takes. At most kMaxTypes entries.
class Amounts {
 public:
  constexpr Amounts() = default;

  /// Throws agon::Error when there are more than kMaxTypes entries.
  Amounts(std::initializer_list<int> entries);

  /// `size` times the same number. Throws agon::Error when `size` is above kMaxTypes.
  static Amounts filled(std::size_t size, int value);

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr int operator[](std::size_t type) const { return entries_[type]; }
  [[nodiscard]] constexpr int& operator[](std::size_t type) { return entries_[type]; }
  [[nodiscard]] constexpr const int* begin() const { return entries_.data(); }
  [[nodiscard]] constexpr const int* end() const { return entries_.data() + size_; }

  /// Throws agon::Error when there are kMaxTypes entries already.
  void push_back(int entry);

  /// Unused places are always zero, so comparing everything compares the entries.
  friend constexpr auto operator<=>(const Amounts&, const Amounts&) = default;

 private:
  std::array<int, kMaxTypes> entries_{};
  std::uint8_t size_ = 0;
};

/// Sum of `amounts[i] * values[i]`. Both have the same size.
[[nodiscard]] std::int64_t worth(const Amounts& amounts, const Amounts& values);

/// Sum of the entries.
[[nodiscard]] std::int64_t total(const Amounts& amounts);

/// `a - b`, entry by entry. Both have the same size.
[[nodiscard]] Amounts minus(const Amounts& a, const Amounts& b);

/// The entries with commas between, such as "1,1,3".
[[nodiscard]] std::string text(const Amounts& amounts);

/// What is on the table and what it is worth to each side. Side 0 is the one that speaks first in
/// the protocol of the game (Alice); values are of one item and private to their side.
struct Instance {
  /// A name that is unique within its file.
  std::string id;
  /// Line of the source file it was read from, counted from 1; 0 when it comes from no file.
  int line = 0;
  /// Items of each type, at least 1 each.
  Amounts counts;
  /// Value of one item of each type, to either side.
  std::array<Amounts, 2> values;

  friend bool operator==(const Instance&, const Instance&) = default;
};

/// Everything that makes an instance unplayable, one plain sentence each; empty when it is valid.
/// Valid: 1 to kMaxTypes types, one count and one value a side for each, counts from 1 to
/// kMaxCount, values from 0 to kMaxValue, at most kMaxSplits splits.
[[nodiscard]] std::vector<std::string> problems(const Instance& instance);

/// Throws agon::Error (invalid) with all problems in one message, unless the instance is valid.
void require_valid(const Instance& instance, std::string_view where);

/// What the published data sets have in common (Lewis et al. 2017, section 3). The defaults are
/// theirs; only an instance that passes problems() can be checked.
struct Constraints {
  /// What everything together is worth, to either side.
  int total_value = 10;
  /// Fewest items of all types together.
  int min_items = 5;
  /// Most items of all types together.
  int max_items = 7;
  /// Is each type worth something to at least one side?
  bool each_type_wanted = true;
  /// Is there a type that is worth something to both?
  bool shared_type = true;
};

/// Which constraints the instance breaks, one plain sentence each; empty when it keeps them all.
[[nodiscard]] std::vector<std::string> breaches(const Instance& instance,
                                                const Constraints& constraints = {});

/// Does it keep them all? The same answer as from breaches(), without the words.
[[nodiscard]] bool keeps(const Instance& instance, const Constraints& constraints = {});

}  // namespace deal_or_no_deal

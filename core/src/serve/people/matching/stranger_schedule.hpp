#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace agon::serve {

/// A scenario, and the treatment under which somebody plays it; 0 where it may be any.
using TableKind = std::pair<std::size_t, std::uint64_t>;

/// Somebody who is at a stage and meets nobody twice there.
struct Stranger {
  std::int64_t person = 0;
  std::vector<TableKind> to_play{};  ///< with others, in their order
  std::set<std::int64_t> met{};

  friend bool operator==(const Stranger&, const Stranger&) = default;
};

/// Those of them who can sit at a table of so many, the first of whom is `first`; nobody: none can
/// be found. People are taken in the order of the list.
[[nodiscard]] std::vector<std::int64_t> group_of_strangers(
    const std::vector<std::int64_t>& able, std::size_t needed,
    const std::map<std::int64_t, const std::set<std::int64_t>*>& met,
    std::optional<std::int64_t> first = {});

/// Who meets whom in a stage of perfect strangers, so that as many as can be play all their
/// matches: taking anybody new leaves some alone in the end with those they have met.
class AGON_API StrangerSchedule {
 public:
  /// More people are not scheduled: where there are so many, there is always somebody new.
  static constexpr std::size_t kMostPeople = 64;

  /// Draws a schedule for those who are at the stage, unless the one there still fits. `sizes`:
  /// people at a match, by scenario. `key`: of the draw.
  void update(std::vector<Stranger> people, const std::map<std::size_t, std::size_t>& sizes,
              std::uint64_t key);
  /// No schedule fits what is to come.
  void clear() { *this = {}; }
  /// The group that sits down to such a table first, all of whom are able to; nobody: none can.
  [[nodiscard]] std::vector<std::int64_t> ready(const TableKind& kind,
                                                const std::vector<std::int64_t>& able) const;
  /// Whether a group is to come for them.
  [[nodiscard]] bool has(std::int64_t person) const;
  /// These sit down together.
  void take(std::size_t scenario, const std::vector<std::int64_t>& people);
  /// Those of the people who have met others, and for whom no further group is possible unless
  /// somebody comes.
  [[nodiscard]] std::vector<std::int64_t> left_over(const std::set<std::int64_t>& people) const;
  /// How many it was drawn for, and by which key.
  [[nodiscard]] std::size_t size() const { return people_.size(); }
  [[nodiscard]] std::uint64_t key() const { return key_; }

 private:
  struct ScheduledGroup {
    TableKind kind;
    std::vector<std::int64_t> people;
  };

  std::vector<Stranger> people_;
  std::map<std::size_t, std::size_t> sizes_;
  std::vector<ScheduledGroup> groups_;  ///< in the order in which they can be played
  std::uint64_t key_ = 0;
};

}  // namespace agon::serve

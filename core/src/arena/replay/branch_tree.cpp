#include "replay/branch_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "replay/told_match.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

using ToldSteps = std::vector<ToldStep>;

/// The same kind of thing, said to or asked of the same seats.
bool is_like_step(const ToldStep& a, const ToldStep& b) {
  return std::tie(a.what, a.name, a.seat, a.heard) == std::tie(b.what, b.name, b.seat, b.heard);
}

bool is_same_step(const ToldStep& a, const ToldStep& b) {
  return is_like_step(a, b) && std::tie(a.question, a.words, a.turned_down, a.remark) ==
                                   std::tie(b.question, b.words, b.turned_down, b.remark);
}

/// Pairs the steps of two matches.
class StepPairing {
 public:
  StepPairing(const ToldSteps& left, const ToldSteps& right, SideBySide& out)
      : left_(left), right_(right), out_(out), l_(place(out.same)), r_(place(out.same)) {}

  void go() {
    std::map<std::int64_t, std::size_t> questions;
    for (std::size_t r = r_; r < right_.size(); ++r)
      if (right_[r].question) questions.emplace(*right_[r].question, r);
    for (std::size_t l = l_; l < left_.size(); ++l) {
      if (!left_[l].question) continue;
      const auto same = questions.find(*left_[l].question);
      if (same == questions.end() || same->second < r_) continue;
      between(l, same->second);
      pair(l, same->second);
    }
    between(left_.size(), right_.size());
  }

 private:
  static std::size_t place(std::int64_t number) { return static_cast<std::size_t>(number); }

  void pair(std::size_t l, std::size_t r) {
    out_.steps.push_back({static_cast<std::int64_t>(l), static_cast<std::int64_t>(r),
                          !is_same_step(left_[l], right_[r])});
    l_ = l + 1;
    r_ = r + 1;
  }

  /// Up to these, which are left out.
  void between(std::size_t left_end, std::size_t right_end) {
    for (; l_ < left_end;) {
      std::size_t r = r_;
      while (r < right_end && !is_like_step(left_[l_], right_[r])) ++r;
      if (r == right_end) {
        out_.steps.push_back({.left = static_cast<std::int64_t>(l_++)});
      } else {
        right_alone(r);
        pair(l_, r);
      }
    }
    right_alone(right_end);
  }

  void right_alone(std::size_t end) {
    for (; r_ < end; ++r_) out_.steps.push_back({.right = static_cast<std::int64_t>(r_)});
  }

  const ToldSteps& left_;
  const ToldSteps& right_;
  SideBySide& out_;
  std::size_t l_, r_;
};

}  // namespace

std::string branch_words(const archive::BranchRow& row,
                         const std::vector<archive::SeatRow>& seats) {
  if (!row.question) return text::printable(fmt::format("match {} of {}", row.parent, row.archive));
  const auto seat = static_cast<std::size_t>(row.seat.value_or(0));
  return text::shorten(
      text::printable(fmt::format(
          "at question {} ({}, {}): {} {}{}", *row.question,
          seat < seats.size() ? seats[seat].name : "", row.stage, name_of(row.change), row.text,
          row.repeat > 0 ? fmt::format(", repeat {}", row.repeat) : std::string())),
      200);
}

BranchTree::BranchTree(const archive::Archive& archive)
    : archive_(archive), rows_(archive::branches_of(archive)) {
  for (const auto& [match, row] : rows_) trees_[row.unchanged].push_back(match);
}

const archive::BranchRow* BranchTree::row(const archive::MatchId& match) const {
  const auto found = rows_.find(match);
  return found == rows_.end() ? nullptr : &found->second;
}

std::vector<std::int64_t> BranchTree::of(const archive::MatchId& match) const {
  const archive::BranchRow* own = row(match);
  const std::vector<archive::MatchId> alone{match};
  std::vector<std::pair<std::int64_t, std::int64_t>> places;  // the parent has no cut, and is first
  for (const archive::MatchId& one : own == nullptr ? alone : trees_.at(own->unchanged))
    if (const auto number = archive_.matches().number(one))
      places.emplace_back(own == nullptr ? -1 : rows_.at(one).question.value_or(-1), *number);
  std::ranges::sort(places);
  std::vector<std::int64_t> numbers;
  for (const auto& [cut, number] : places) numbers.push_back(number);
  return numbers;
}

SideBySide side_by_side(const ToldMatch& left, const ToldMatch& right) {
  SideBySide out;
  const auto parted = std::ranges::mismatch(left.steps, right.steps, is_same_step);
  out.same = parted.in1 - left.steps.begin();
  StepPairing(left.steps, right.steps, out).go();
  return out;
}

}  // namespace agon

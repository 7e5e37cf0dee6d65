// What a seat is told grows in bounds: a model's history has to fit where it is read.
#include <fmt/format.h>

#include "conformance/checks.hpp"
#include "conformance/watch.hpp"
#include "text/counted.hpp"

namespace agon::conformance {
namespace {

/// Most bytes that come new with one question: its view, and what was said since the one before.
constexpr std::size_t kMostAtOnce = std::size_t{32} << 10;
/// Most bytes of all that a seat is told in a match.
constexpr std::size_t kMostInAll = std::size_t{1} << 20;

std::size_t size_of(const Delivery& delivery) {
  return std::max(delivery.told.size(), delivery.json.size());
}

}  // namespace

Finding check_history(const Subject& subject) {
  Finding finding{.check = "history", .tried = ""};
  std::size_t questions = 0, at_once = 0, in_all = 0, matches = 0;
  const Played *first = nullptr, *worst = nullptr;
  for (const Played* played : subject.finished(4)) {
    const auto watched =
        watch(subject, played->casting, {.script = script_of(subject.game(), played->history)});
    note_broken(*watched, finding);
    ++matches;
    for (const Shown& shown : watched->shown) {
      const OwnedQuestion& q = shown.question;
      ++questions;
      std::size_t now = q.view_json.size(), all = 0;
      for (std::size_t i = 0; i < q.history.size(); ++i) {
        all += size_of(q.history[i]);
        if (i >= q.unseen_from) now += size_of(q.history[i]);
      }
      if (now > at_once) at_once = now, first = played;
      if (all > in_all) in_all = all, worst = played;
    }
  }
  finding.tried = fmt::format("{}, {}; at most {} bytes at once, {} in a match",
                              text::counted(matches, "match", "matches"),
                              text::counted(questions, "question"), at_once, in_all);
  if (finding.verdict == Verdict::skipped) return finding;
  if (at_once <= kMostAtOnce && in_all <= kMostInAll) return finding;
  finding.verdict = Verdict::fail;
  const bool is_at_once = at_once > kMostAtOnce;
  finding.problem =
      is_at_once
          ? fmt::format("a seat is told {} bytes with one question; {} is much", at_once,
                        kMostAtOnce)
          : fmt::format("a seat is told {} bytes in one match; {} is much", in_all, kMostInAll);
  finding.command = subject.command((is_at_once ? first : worst)->casting);
  finding.mend =
      "say what is new since the last question, in events; a view that repeats the past grows with "
      "the square of the match";
  return finding;
}

}  // namespace agon::conformance

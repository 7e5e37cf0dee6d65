#include "table/learnings.hpp"

#include <agon/conversion.hpp>

#include "describe/value.hpp"
#include "text/language.hpp"

namespace agon {
namespace {

using LearningTable = Table<kTakeAlong, kTakenAlong>;

/// What a seat carries over where its game carries nothing: the arena's own, told apart from what
/// games carry by the name of its only member.
struct LearningsMemo {
  TakenAlong taken_along;
};
AGON_DESCRIBE(LearningsMemo, (taken_along, "what is told before the next match"))

/// Most bytes of what was told last that are told again before the next match.
constexpr std::size_t kMostTold = 2000;

}  // namespace

std::string tell(const MatchOver& over, const Scene&) {
  return over.score;
}

std::string tell(const TakenAlong& taken, const Scene& scene) {
  return scene.say(
      ArenaLine("This is match {n} of the same game with the same players. How the one before "
                "ended for you: {ended}"),
      {{"n", std::to_string(taken.match)}, {"ended", taken.ended}});
}

std::optional<TakenAlong> read_learnings(std::string_view json) {
  if (!json.starts_with("{\"taken_along\":")) return {};
  LearningsMemo memo;
  if (read_json(memo, json, Missing::is_wrong)) return {};
  return std::move(memo.taken_along);
}

void remind(AnyTable& any_table, const MatchState& match) {
  const LearningTable table(any_table);
  for (int seat = 0; seat < table.seats(); ++seat)
    if (const auto taken =
            read_learnings(match.setup.seats[static_cast<std::size_t>(seat)].carried))
      table.tell(seat, kTakenAlong, *taken);
}

std::string score_in_words(const MatchState& match, int seat, double score) {
  const GameCard& card = match.setup.game->card;
  const std::string figure = score_text(score, card.score_decimals);
  const Language& words = match.language(seat);
  if (card.score.empty()) return words.say(ArenaLine("Your score: {score}."), {{"score", figure}});
  return words.say(ArenaLine("Your score: {score} ({what})."),
                   {{"score", figure}, {"what", std::string(words.text(card.score))}});
}

/// What a seat was told since it was asked last.
static std::string last_told(const PlayingSeat& mine) {
  std::string told;
  for (std::size_t i = mine.heard.size(); i > mine.unseen_from; --i) {
    const Delivery& d = mine.heard[i - 1];
    if (d.what != Delivery::What::event || d.told.empty()) continue;
    if (told.size() + d.told.size() > kMostTold) break;
    told.insert(0, d.told + "\n");
  }
  return told;
}

void take_learnings(AnyTable& any_table, const MatchState& match, const Outcome& outcome) {
  const LearningTable table(any_table);
  if (!match.setup.another_follows) return;
  InlineList<int, kMaxSeats> seats;
  for (int seat = 0; seat < table.seats(); ++seat)
    if (match.result.carried[static_cast<std::size_t>(seat)].empty()) seats.push_back(seat);
  if (seats.empty()) return;
  // What was told last is news to who is asked, and taken along by who is not asked again.
  std::vector<std::string> told(static_cast<std::size_t>(table.seats()));
  for (const int seat : seats)
    told[static_cast<std::size_t>(seat)] = last_told(match.seats[static_cast<std::size_t>(seat)]);
  const auto answers = table.probe_all(seats, kTakeAlong, [&](int seat) {
    return asking<Learnings>(view([&match, &outcome, seat] {
      return MatchOver{score_in_words(match, seat, outcome[seat].score)};
    }));
  });
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const auto seat = static_cast<std::size_t>(seats[i]);
    // Who says nothing new keeps what was there.
    const auto before = read_learnings(match.setup.seats[seat].carried);
    if (!answers[i] && !before) continue;
    table.carry(
        seats[i],
        LearningsMemo{{static_cast<std::int64_t>(match.setup.position) + 2,
                       told[seat] + score_in_words(match, seats[i], outcome[seats[i]].score),
                       answers[i] ? answers[i]->learnings : before->learnings}});
  }
}

}  // namespace agon

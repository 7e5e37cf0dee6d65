// What carries over from match to match on behalf of every game.
#include <agon/conversion.hpp>

#include "describe/value.hpp"
#include "table/match_table.hpp"
#include "text/language.hpp"

namespace agon {
namespace {

using LearningTable = Table<kTakeAlong, kTakenAlong>;

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

void MatchTable::remind() {
  const LearningTable table(*this);
  for (int seat = 0; seat < seats_; ++seat)
    if (const auto taken = read_learnings(setup_.seats[static_cast<std::size_t>(seat)].carried))
      table.tell(seat, kTakenAlong, *taken);
}

std::string MatchTable::score_in_words(int seat, double score) const {
  const GameCard& card = setup_.game->card;
  const std::string figure = score_text(score, card.score_decimals);
  const Language& words = language(seat);
  if (card.score.empty()) return words.say(ArenaLine("Your score: {score}."), {{"score", figure}});
  return words.say(ArenaLine("Your score: {score} ({what})."),
                   {{"score", figure}, {"what", std::string(words.text(card.score))}});
}

std::string MatchTable::last_told(int seat) const {
  const Seat& mine = seats_of_[static_cast<std::size_t>(seat)];
  std::string told;
  for (std::size_t i = mine.heard.size(); i > mine.unseen_from; --i) {
    const Delivery& d = mine.heard[i - 1];
    if (d.what != Delivery::What::event || d.told.empty()) continue;
    if (told.size() + d.told.size() > kMostTold) break;
    told.insert(0, d.told + "\n");
  }
  return told;
}

void MatchTable::take_learnings(const Outcome& outcome) {
  if (!setup_.another_follows) return;
  InlineList<int, kMaxSeats> seats;
  for (int seat = 0; seat < seats_; ++seat)
    if (result_.carried[static_cast<std::size_t>(seat)].empty()) seats.push_back(seat);
  if (seats.empty()) return;
  // What was told last is news to who is asked, and taken along by who is not asked again.
  std::vector<std::string> told(static_cast<std::size_t>(seats_));
  for (const int seat : seats) told[static_cast<std::size_t>(seat)] = last_told(seat);
  const LearningTable table(*this);
  const auto answers = table.probe_all(seats, kTakeAlong, [&](int seat) {
    return asking<Learnings>(view(
        [this, &outcome, seat] { return MatchOver{score_in_words(seat, outcome[seat].score)}; }));
  });
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const auto seat = static_cast<std::size_t>(seats[i]);
    // Who says nothing new keeps what was there.
    const auto before = read_learnings(setup_.seats[seat].carried);
    if (!answers[i] && !before) continue;
    table.carry(seats[i],
                LearningsMemo{{static_cast<std::int64_t>(setup_.position) + 2,
                               told[seat] + score_in_words(seats[i], outcome[seats[i]].score),
                               answers[i] ? answers[i]->learnings : before->learnings}});
  }
}

}  // namespace agon

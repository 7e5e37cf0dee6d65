#pragma once

#include <agon/game.hpp>
#include <stdexcept>

/// A small game that uses all of the table: sealed bids of three, ties drawn by chance, guesses
/// that have no effect, a word from the winner. It can be told to break in every way a game can.
namespace parley {

enum class Trouble {
  none,
  throws_exception,
  throws_int,
  throws_stop,
  swallows_stop,
  replaces_stop,
  bad_fallback,
  too_few_seats,
  no_such_seat,
  view_throws,
  check_throws,
};
AGON_DESCRIBE_ENUM(Trouble, (none, "plays on"), (throws_exception, "in the second round"),
                   (throws_int, "in the second round"), (throws_stop, "in the second round"),
                   (swallows_stop, "and goes on"), (replaces_stop, "by an exception of its own"),
                   (bad_fallback, "of the word"), (too_few_seats, "in the outcome"),
                   (no_such_seat, "is asked"), (view_throws, "of the bid"),
                   (check_throws, "of the bid"))

struct Settings {
  int rounds = 2;
  Trouble trouble = Trouble::none;
};
AGON_DESCRIBE(Settings, (rounds, "rounds of bidding"), (trouble, "how the game breaks"))

struct Bid {
  int amount = 0;
};
AGON_DESCRIBE(Bid, (amount, "what you bid"))

struct Guess {
  int most = 0;
};
AGON_DESCRIBE(Guess, (most, "the highest bid of the next round"))

struct Word {
  std::string text = "-";
};
AGON_DESCRIBE(Word, (text, "what you say"))

/// A word that says so breaks the game where it is asked whether it ends the match.
inline constexpr std::string_view kEndless = "no such end";
inline bool ends(const Word& word) {
  if (word.text == kEndless) throw std::out_of_range("no such end");
  return false;
}

struct Sight {
  int round = 0;
  std::int64_t secret = 0;
  std::string_view me;
};
AGON_DESCRIBE(Sight, (round, "from 0"), (secret, "drawn for you alone"), (me, "your name"))

struct Closed {
  int round = 0;
  int winner = 0;
  int amount = 0;
};
AGON_DESCRIBE(Closed, (round, "from 0"), (winner, "seat"), (amount, "the highest bid"))

struct Said {
  int seat = 0;
  std::string text;
};
AGON_DESCRIBE(Said, (seat, "who", agon::seat_number), (text, "what"))

struct Secret {
  std::int64_t value = 0;
};
AGON_DESCRIBE(Secret, (value, "drawn for you alone"))

struct Total {
  int won = 0;
};
AGON_DESCRIBE(Total, (won, "rounds won so far, over all matches"))

inline constexpr agon::Stage<"bid", Bid, Sight> kBid{"Bid for the round."};
inline constexpr agon::Probe<"guess", Guess> kGuess{"Guess the highest bid."};
inline constexpr agon::Stage<"word", Word> kWord{.doc = "Say a word.", .ends = &ends};
inline constexpr agon::PrivateEvent<"secret", Secret> kSecret{"drawn for one seat alone"};
inline constexpr agon::Event<"closed", Closed> kClosed{"a round is over"};
inline constexpr agon::Note<"guessed", Guess> kGuessed{"a guess"};
inline constexpr agon::Event<"said", Said> kSaid{"a word was said"};
using Table = agon::Table<kBid, kGuess, kWord, kSecret, kClosed, kGuessed, kSaid>;

inline constexpr int kMost = 10;

inline agon::Outcome play(Table table, const Settings& s) {
  constexpr std::array<int, 3> everybody{0, 1, 2};
  std::array<std::int64_t, 3> secrets{};
  std::array<int, 3> won{};
  for (const int seat : everybody) {
    const auto i = static_cast<std::size_t>(seat);
    secrets[i] = table.chance("secret", seat).below(100);
    table.tell(seat, kSecret, Secret{secrets[i]});
    if (const auto before = table.carried<Total>(seat)) won[i] = before->won;
  }
  for (int round = 0; round < s.rounds; ++round) {
    if (round == 1) {
      if (s.trouble == Trouble::throws_exception) throw std::out_of_range("no such card");
      if (s.trouble == Trouble::throws_int) throw 7;
      if (s.trouble == Trouble::throws_stop) throw agon::Stop{};
      if (s.trouble == Trouble::no_such_seat) (void)table.ask(3, kBid);
    }
    const auto ask_all = [&] {
      return table.ask_all(everybody, kBid, [&](int seat) {
        return agon::asking<Bid>(
            agon::view([&, seat] {
              if (s.trouble == Trouble::view_throws) throw std::out_of_range("no such view");
              return Sight{round, secrets[static_cast<std::size_t>(seat)], table.name(seat)};
            }),
            agon::limit(&Bid::amount, 0, kMost), agon::check([&s](const Bid& bid) {
              if (s.trouble == Trouble::check_throws) throw std::out_of_range("no such check");
              return std::string(bid.amount == 7 ? "seven is taboo" : "");
            }));
      });
    };
    std::optional<decltype(ask_all())> bids;
    try {
      bids = ask_all();
    } catch (...) {
      if (s.trouble == Trouble::replaces_stop) throw std::runtime_error("something went wrong");
      if (s.trouble != Trouble::swallows_stop) throw;
    }
    if (!bids) {
      try {
        (void)table.ask(0, kWord);
      } catch (...) {
        return {{.score = 1}, {.score = 1}, {.score = 1}};
      }
    }
    int most = -1;
    agon::InlineList<int, 3> tied;
    for (const int seat : everybody) {
      const int amount = (*bids)[static_cast<std::size_t>(seat)].amount;
      if (amount > most) most = amount, tied.clear();
      if (amount == most) tied.push_back(seat);
    }
    std::size_t pick = 0;
    if (tied.size() > 1)
      pick = static_cast<std::size_t>(
          table.chance("tie", round).below(static_cast<std::int64_t>(tied.size())));
    const int winner = tied[pick];
    ++won[static_cast<std::size_t>(winner)];
    table.announce(kClosed, Closed{round, winner, most});
    // A wrong guess is asked for again: how many probes there are depends on the answers.
    for (const int seat : everybody)
      for (int check = 0; check < 3; ++check) {
        const auto guess = table.probe(seat, kGuess, agon::limit(&Guess::most, 0, kMost));
        if (!guess) break;
        table.note(kGuessed, *guess);
        if (guess->most == most) break;
      }
    const int longest = s.trouble == Trouble::bad_fallback ? 0 : 40;
    const auto word = table.ask(winner, kWord, agon::limit_length(&Word::text, 0, longest));
    table.announce(kSaid, Said{winner, word.text});
  }
  for (const int seat : everybody) table.carry(seat, Total{won[static_cast<std::size_t>(seat)]});
  if (s.trouble == Trouble::too_few_seats) return {{.score = 1}, {.score = 2}};
  return {{.score = won[0]}, {.score = won[1]}, {.score = won[2]}};
}

inline std::vector<agon::SeatCard> seating(const Settings&) {
  return {{"Ann", ""}, {"Bo", ""}, {"Cy", "guest"}};
}

inline const agon::Game& game() {
  static const agon::Game held = agon::game<&play>(
      "parley",
      {.title = "Parley", .seats = {3, 3}, .rules = "Bid.", .seating = agon::hook<&seating>});
  return held;
}

}  // namespace parley

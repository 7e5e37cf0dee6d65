#include <pty.h>
#include <unistd.h>

#include <agon/game.hpp>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "catch.hpp"
#include "human/human.hpp"
#include "record/record.hpp"
#include "table/match.hpp"

namespace human_terminal_test {

using namespace agon;
using agents::Desk;
using agents::Human;

struct Settings {
  int rounds = 1;
};
AGON_DESCRIBE(Settings, (rounds, "rounds"))
struct Offer {
  int give = 0;
  std::string words;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over", agon::unit("coins")),
              (words, "what you say", agon::length(0, 40)))
struct Plan {
  int aim = 0;
};
AGON_DESCRIBE(Plan, (aim, "coins you hope for"))
struct View {
  int pie = 10;
  int round = 0;
  int seat = 0;
};
AGON_DESCRIBE(View, (pie, "coins to split", agon::unit("coins")), (round, "from 0"),
              (seat, "your own", agon::seat_number))
struct Turn {
  int seat = 0;
  std::int64_t micros = 0;
};
AGON_DESCRIBE(Turn, (seat, "whose turn it was", agon::seat_number),
              (micros, "for programs", agon::unshown))
struct Secret {
  int code = 0;
};
AGON_DESCRIBE(Secret, (code, "for one seat alone"))

constexpr Stage<"offer", Offer, View> kOffer{"say what you give", "all", nullptr,
                                             [](const Offer& offer) { return offer.give == 10; }};
constexpr Probe<"plan", Plan> kPlan{"what you are up to"};
std::string tell_secret(const Secret& secret, const Scene&) {
  return "Your secret code " + std::to_string(secret.code) + " opens the vault.";
}
constexpr PrivateEvent<"secret", Secret> kSecret{"a number for one seat", &tell_secret};
constexpr Event<"offered", Offer> kOffered{"what was given"};
constexpr Event<"turn", Turn> kTurn{"a turn is over"};

/// Each seat in turn plans and offers; an offer of 5 is against a rule that no limit tells.
Outcome play(Table<kOffer, kPlan, kSecret, kOffered, kTurn> table, const Settings& s) {
  int sum = 0;
  for (int seat = 0; seat < table.seats(); ++seat) table.tell(seat, kSecret, Secret{1000 + seat});
  for (int round = 0; round < s.rounds; ++round) {
    for (int seat = 0; seat < table.seats(); ++seat) {
      const auto plan = table.probe(seat, kPlan);
      const auto offer = table.ask(
          seat, kOffer, agon::limit(&Offer::give, 0, 10), view([&] {
            return View{10, round, seat};
          }),
          agon::check([](const Offer& o) { return std::string(o.give == 5 ? "not five" : ""); }));
      table.announce(kOffered, offer);
      table.announce(kTurn, Turn{seat, 123});
      sum += offer.give + (plan ? 100 : 0);
    }
  }
  Outcome outcome(table.seats());
  outcome[0].score = sum;
  return outcome;
}

/// Who is asked for plans too.
Human::Params with_probes() {
  Human::Params params;
  params.probes = true;
  return params;
}

/// A match in which every seat is played by one human agent.
struct Room {
  Game game = agon::game<&play>("hand-over", {.title = "Hand over", .seats = {1, 2}, .rules = "?"});
  Settings settings;
  std::stop_source cancel;
  MatchSetup setup;

  Room(const Agent& agent, int seats, int rounds) : settings{rounds} {
    setup.game = &game;
    setup.settings = &settings;
    setup.rules = "Hand over what you like.\nNobody minds.";
    setup.label = "match 1";
    setup.cancel = cancel.get_token();
    for (int i = 0; i < seats; ++i) {
      setup.seats.push_back({&agent, static_cast<std::uint64_t>(i), {}});
      setup.cards.push_back({i == 0 ? "Ann" : "Bo", "giver"});
    }
  }
};

/// A pair of pipes in the place of a terminal: what is typed is there from the start.
class Pipes {
 public:
  explicit Pipes(std::string_view typed, bool close_after = true) {
    REQUIRE(pipe(in_) == 0);
    REQUIRE(pipe(out_) == 0);
    REQUIRE(::write(in_[1], typed.data(), typed.size()) == static_cast<ssize_t>(typed.size()));
    if (close_after) close(in_[1]), in_[1] = -1;
    reader_ = std::thread([this] {
      char bytes[4096];
      for (ssize_t n = 0; (n = ::read(out_[0], bytes, sizeof bytes)) > 0;) {
        const std::lock_guard lock(mutex_);
        text_.append(bytes, static_cast<std::size_t>(n));
      }
    });
    desk = std::make_shared<Desk>(in_[0], out_[1]);
  }
  /// Types more, once `after` has been shown.
  void type(std::string_view more, std::string_view after = "") {
    while (!after.empty() && !shows(after))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    REQUIRE(::write(in_[1], more.data(), more.size()) == static_cast<ssize_t>(more.size()));
  }
  ~Pipes() {
    desk.reset();
    finish();
    for (const int fd : {in_[0], in_[1], out_[0]})
      if (fd >= 0) close(fd);
  }
  /// All that was shown. Nothing is shown after this.
  const std::string& finish() {
    if (reader_.joinable()) {
      close(out_[1]);
      reader_.join();
    }
    return text_;
  }
  std::shared_ptr<Desk> desk;

 private:
  bool shows(std::string_view part) {
    const std::lock_guard lock(mutex_);
    return text_.find(part) != std::string::npos;
  }
  int in_[2];
  int out_[2];
  std::mutex mutex_;
  std::string text_;
  std::thread reader_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_CASE("a person plays through a pipe, line by line") {
  Pipes pipes(
      "7\n"                             // plan
      "help\n20\nthink: be kind\n4\n"   // offer: a command, too much, a thought, then 4
      "hello /all\n"                    // the words
      "\n"                              // the second plan is passed over
      "{\"give\":5,\"words\":\"x\"}\n"  // legal but for the game's own rule
      "{\"give\":6,\"words\":\"\"}");   // without a line break at the end
  const Human human(with_probes(), pipes.desk);
  Room room(human, 1, 2);
  std::vector<HumanTiming> timings;
  room.setup.keep_timing = [&](const HumanTiming& t) { timings.push_back(t); };
  const MatchResult r = play_match(room.setup);
  REQUIRE(r.end == End::finished);
  CHECK(r.outcome[0].score == 110);
  CHECK(r.faults[0][static_cast<std::size_t>(Fault::illegal)] == 1);
  const std::string& shown = pipes.finish();
  INFO(shown);
  CHECK(shown.find('\x1b') == std::string::npos);
  CHECK(count(shown, "Hand over what you like.\nNobody minds.") == 1);
  CHECK(has(shown, "You are Ann, the giver."));
  CHECK(has(shown, "Only you are told: Your secret code 1000 opens the vault."));
  CHECK(has(shown, "pie    10 coins"));
  CHECK(has(shown, "seat   Ann\n"));
  CHECK(has(shown, "  turn: seat Ann\n"));
  CHECK(has(shown, "Say what you give"));
  CHECK(has(shown, "coins you hand over"));
  CHECK(has(shown, "20 is more than 10"));
  CHECK(has(shown, R"(offered: give 4 coins, words "hello /all")"));
  CHECK(has(shown, "That was turned down: not five"));
  CHECK(has(shown, "the JSON Schema of the answer"));

  const record::History history = record::read(r.record);
  std::vector<std::string> thoughts;
  int declined = 0;
  for (const record::Entry& e : history.entries) {
    if (e.what != record::Entry::What::question) continue;
    if (!e.thought.empty()) thoughts.emplace_back(e.thought);
    declined += e.declined ? 1 : 0;
  }
  CHECK(thoughts == std::vector<std::string>{"be kind"});
  CHECK(declined == 1);
  REQUIRE(timings.size() == 5);
  for (const HumanTiming& t : timings) {
    CHECK(t.timing.shown > 1'000'000'000'000);
    CHECK(t.timing.first_input >= t.timing.shown);
    CHECK(t.timing.answered >= t.timing.first_input);
  }
}

TEST_CASE("what is typed gives the same record as a script that says it, and replays") {
  Pipes pipes("skip\n3\nyes\n");
  const Human human(with_probes(), pipes.desk);
  Room room(human, 1, 1);
  const MatchResult r = play_match(room.setup);
  REQUIRE(r.end == End::finished);
  Room again(human, 1, 1);
  again.setup.past = r.record;
  again.setup.strict_replay = true;
  CHECK(play_match(again.setup).record == r.record);
}

TEST_CASE("who quits leaves the match to be taken up again where it stood") {
  std::string record;
  {
    Pipes pipes("1\n4\nfirst\n\nquit\n");
    const Human human(with_probes(), pipes.desk);
    Room room(human, 1, 2);
    const MatchResult r = play_match(room.setup);
    CHECK(r.end == End::unfinished);
    CHECK(has(pipes.finish(), "The match stops here; where it is kept"));
    record = r.record;
  }
  Pipes pipes("6\nsecond\n");
  const Human human(with_probes(), pipes.desk);
  Room room(human, 1, 2);
  room.setup.past = record;
  const MatchResult r = play_match(room.setup);
  REQUIRE(r.end == End::finished);
  CHECK(r.outcome[0].score == 110);
  const std::string& shown = pipes.finish();
  // The rules and all that went before are told again.
  CHECK(has(shown, "Hand over what you like."));
  CHECK(has(shown, "you answered offer: give 4 coins, words first"));
  CHECK(has(shown, "offered: give 4 coins"));
}

TEST_CASE("the end of the input is leaving") {
  for (const std::string_view typed : {"", "1\n", "1\n4\n"}) {
    Pipes pipes(typed);
    const Human human(with_probes(), pipes.desk);
    Room room(human, 1, 1);
    CHECK(play_match(room.setup).end == End::unfinished);
  }
}

TEST_CASE("people are not asked for plans and beliefs unless somebody wants that") {
  Pipes pipes("2\n\n");
  const Human human({}, pipes.desk);
  Room room(human, 1, 1);
  const MatchResult r = play_match(room.setup);
  REQUIRE(r.end == End::finished);
  CHECK(r.outcome[0].score == 2);
  CHECK_FALSE(has(pipes.finish(), "hope for"));
}

TEST_CASE("a person is told how it ended, and nothing of the others' scores") {
  Pipes pipes("4\nbye\n");
  const Human human({}, pipes.desk);
  Room room(human, 1, 1);
  REQUIRE(play_match(room.setup).end == End::finished);
  const std::string& shown = pipes.finish();
  INFO(shown);
  const std::size_t over = shown.find("The match is over.");
  REQUIRE(over != std::string::npos);
  CHECK(count(shown, "The match is over.") == 1);
  // What was heard since the last question, and only that.
  CHECK(has(shown.substr(over), "offered: give 4 coins, words bye"));
  CHECK(has(shown.substr(over), "Your score: 4."));
  CHECK_FALSE(has(shown.substr(over), "secret"));

  Pipes two("4\nbye\n3\nbye\n");
  const Human both({}, two.desk);
  Room shared(both, 2, 1);
  REQUIRE(play_match(shared.setup).end == End::finished);
  const std::string& told = two.finish();
  const std::string ending = told.substr(told.find("The match is over."));
  INFO(ending);
  CHECK(has(ending, "Ann: Your score: 7."));
  CHECK(has(ending, "Bo: Your score:"));
  CHECK_FALSE(has(ending, "Only you are told"));
}

TEST_CASE("what ends the match is asked about once more") {
  Pipes pipes("10\nall\nno\n10\nall\nperhaps\nhelp\nyes\n");
  const Human human({}, pipes.desk);
  Room room(human, 1, 1);
  const MatchResult r = play_match(room.setup);
  REQUIRE(r.end == End::finished);
  CHECK(r.outcome[0].score == 10);
  const std::string& shown = pipes.finish();
  INFO(shown);
  CHECK(count(shown, "This ends the match for you. Send it? (yes or no)") == 4);
  CHECK(count(shown, "It was not sent.") == 1);
  CHECK(count(shown, "Please say yes or no.") == 1);
  CHECK(has(shown, "the JSON Schema of the answer"));

  // A line of JSON is meant; other answers do not end anything.
  for (const std::string_view typed : {R"({"give":10,"words":""})", "9\n\n"}) {
    Pipes other(typed);
    const Human person({}, other.desk);
    Room again(person, 1, 1);
    CHECK(play_match(again.setup).end == End::finished);
    CHECK_FALSE(has(other.finish(), "This ends the match"));
  }
}

TEST_CASE("people play one match at a time, and time runs from when they are asked") {
  Pipes pipes("", false);
  const Human human({}, pipes.desk);
  Room first(human, 1, 2), second(human, 1, 2);
  first.setup.label = "the first";
  second.setup.label = "the second";
  second.setup.answer_limit = std::chrono::seconds(5);
  MatchResult one, two;
  std::thread play_one([&] { one = play_match(first.setup); });
  pipes.type("1\na\n", "the first");
  std::thread play_two([&] { two = play_match(second.setup); });
  // The second has waited for longer than it takes to answer when its turn comes.
  std::this_thread::sleep_for(std::chrono::milliseconds(5200));
  pipes.type("2\nb\n3\nc\n4\nd\n");
  play_one.join();
  play_two.join();
  REQUIRE(one.end == End::finished);
  REQUIRE(two.end == End::finished);
  CHECK(one.outcome[0].score == 3);
  CHECK(two.outcome[0].score == 7);
  CHECK(two.faults[0][static_cast<std::size_t>(Fault::timed_out)] == 0);
  const std::string& shown = pipes.finish();
  INFO(shown);
  const std::size_t over = shown.find("The match is over.");
  CHECK(shown.find("Hand over, the second") > over);
  CHECK(shown.find("Hand over, the first") < over);
  CHECK(has(shown, "You have about 5 seconds."));
  CHECK_FALSE(has(shown, "look away"));  // it is the same person
}

TEST_CASE("a match that waits for a desk can be stopped") {
  Pipes pipes("", false);
  const Human human({}, pipes.desk);
  Room first(human, 1, 1), second(human, 1, 1);
  first.setup.label = "the first";
  MatchResult one, two;
  std::thread play_one([&] { one = play_match(first.setup); });
  pipes.type("", "the first");
  std::thread play_two([&] { two = play_match(second.setup); });
  second.cancel.request_stop();
  play_two.join();
  CHECK(two.end == End::stopped);
  pipes.type("1\na\n");
  play_one.join();
  CHECK(one.end == End::finished);
  const std::string& shown = pipes.finish();
  CHECK(count(shown, "Hand over what you like.") == 1);
}

TEST_CASE("what is shown has no line that is wider than eighty columns") {
  Pipes pipes("help\nhistory\n4\n" + std::string(39, 'w') + "\n");
  const Human human({}, pipes.desk);
  Room room(human, 1, 1);
  room.setup.rules = "All about " + std::string(300, '-') + " and what " + std::string(30, 'x') +
                     " means to those who have not met it before, which are most of them.";
  REQUIRE(play_match(room.setup).end == End::finished);
  std::size_t widest = 0;
  const std::string& shown = pipes.finish();
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = shown.find('\n', at);
    widest = std::max(widest, std::min(end, shown.size()) - at);
  }
  INFO(shown);
  CHECK(widest <= 80);
  CHECK(widest > 70);
}

TEST_CASE("lines are broken at blanks and where a script has none") {
  using agents::wrapped;
  CHECK(wrapped("as it is\n", 80) == "as it is\n");
  CHECK(wrapped("one two three", 8) == "one two\nthree");
  CHECK(wrapped("  one two three", 10) == "  one two\n  three");
  CHECK(wrapped("- one two three", 9) == "- one two\n  three");
  CHECK(wrapped("a  one  what that is", 14) == "a  one  what\n   that is");
  CHECK(wrapped("12345678", 3) == "123\n456\n78");
  CHECK(wrapped("\u4eca\u5929\u5982\u679c", 5) == "\u4eca\u5929\n\u5982\u679c");
  CHECK(wrapped("\x1b[1mone two\x1b[0m", 7) == "\x1b[1mone two\x1b[0m");
  CHECK(wrapped("give (0 to 10): ", 80) == "give (0 to 10): ");
}

TEST_CASE("several people at one desk take turns, and do not see each other's facts") {
  Pipes pipes("\n1\na\n\n2\nb\n");
  const Human human(with_probes(), pipes.desk);
  Room room(human, 2, 1);
  const MatchResult r = play_match(room.setup);
  REQUIRE(r.end == End::finished);
  CHECK(r.outcome[0].score == 3);
  const std::string& shown = pipes.finish();
  const std::size_t over = shown.find("=== It is Bo's turn; the others look away. ===");
  REQUIRE(over != std::string::npos);
  CHECK(count(shown, "turn; the others look away") == 1);
  CHECK(shown.find("code 1000") < over);
  CHECK(shown.find("code 1001") > over);
  CHECK(count(shown, "Hand over what you like.") == 2);
}

TEST_CASE("a person who says nothing holds up neither a cancel nor the end") {
  Pipes pipes("", false);
  const Human human(with_probes(), pipes.desk);
  {
    Room room(human, 1, 1);
    std::thread other([&room] { room.cancel.request_stop(); });
    CHECK(play_match(room.setup).end == End::stopped);
    other.join();
  }
  {
    Room room(human, 1, 1);
    room.setup.answer_limit = std::chrono::milliseconds(20);
    const MatchResult r = play_match(room.setup);
    CHECK(r.end == End::finished);
    CHECK(r.faults[0][static_cast<std::size_t>(Fault::timed_out)] == 2);
    CHECK(r.forced[0] == 1);
  }
  pipes.desk.reset();
}

TEST_CASE("a person plays at a terminal") {
  // A pseudo-terminal, with somebody at it who types a line at each prompt.
  const bool plain = GENERATE(false, true);
  if (plain)
    setenv("NO_COLOR", "1", 1);
  else
    unsetenv("NO_COLOR");
  int person = -1, terminal = -1;
  REQUIRE(openpty(&person, &terminal, nullptr, nullptr, nullptr) == 0);
  std::string shown;
  std::thread typing([&] {
    const std::vector<std::pair<std::string, std::string>> script{
        {"aim (a whole number): ", "7\n"},
        {"give (0 to 10 coins): ", "11\n"},
        {"give (0 to 10 coins): ", "\n"},
        {"give (0 to 10 coins): ", "3\n"},
        {"words (a line of text, at most 40 characters, or leave empty): ", "hi\n"},
        {"sits here. ", "\n"},
        {"aim (a whole number): ", "\n"},
        {"give (0 to 10 coins): ", "4\n"},
        {"words (a line of text, at most 40 characters, or leave empty): ", "\x04"},
    };
    std::size_t from = 0;
    for (const auto& [prompt, typed] : script) {
      for (;;) {
        const std::size_t at = shown.find(prompt, from);
        if (at != std::string::npos) {
          from = at + prompt.size();
          break;
        }
        char bytes[1024];
        const ssize_t n = ::read(person, bytes, sizeof bytes);
        if (n <= 0) return;
        shown.append(bytes, static_cast<std::size_t>(n));
      }
      if (::write(person, typed.data(), typed.size()) < 0) return;
    }
    // Until the other end is closed, the last words are read.
    char bytes[1024];
    for (ssize_t n = 0; (n = ::read(person, bytes, sizeof bytes)) > 0;)
      shown.append(bytes, static_cast<std::size_t>(n));
  });
  MatchResult r;
  int answers = 0;
  {
    const Human human(with_probes(), std::make_shared<Desk>(terminal, terminal));
    Room room(human, 2, 1);
    room.setup.answer_limit = std::chrono::seconds(60);  // so that a failure does not hang
    room.setup.keep_timing = [&](const HumanTiming&) { ++answers; };
    r = play_match(room.setup);
  }
  close(terminal);
  typing.join();
  close(person);
  INFO(shown);
  CHECK(r.end == End::unfinished);  // Ctrl-D at the last prompt
  REQUIRE(answers >= 3);
  CHECK(has(shown, "11 is more than 10"));
  CHECK(has(shown, "Bo's turn"));
  // Whether it is kept the seat does not know.
  CHECK(has(shown, "You left. The match stops here; where it is kept in an archive, "));
  CHECK(has(shown, "\x1b[1m") == !plain);
  unsetenv("NO_COLOR");
}

}  // namespace human_terminal_test

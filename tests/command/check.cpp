// `agon check`: bugs that games of others have had are found, each by the check that is for it, and
// the same games without them pass.

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

namespace bj = boost::json;

std::string planted() {
  return std::string(AGON_TEST_PLUGINS) + "/planted/planted.so";
}

/// What the checks of one game came to, by name.
struct Checked {
  int code = 0;
  std::set<std::string> failed;
  std::set<std::string> passed;
  std::map<std::string, bj::object> findings;
};

Checked check(const Words& words) {
  const Ended ended = command_test::agon(joined({"check", "--json", "--sandbox", "never"}, words));
  INFO(ended.err);
  Checked checked;
  checked.code = ended.code;
  const bj::value json = json_of(ended.out);
  REQUIRE(json.at("games").as_array().size() == 1);
  for (const bj::value& finding : json.at("games").as_array().front().at("checks").as_array()) {
    const std::string name(finding.at("check").as_string());
    checked.findings[name] = finding.as_object();
    if (finding.at("verdict").as_string() == "fail") checked.failed.insert(name);
    if (finding.at("verdict").as_string() == "pass") checked.passed.insert(name);
  }
  CHECK(json.at("passed").as_bool() == checked.failed.empty());
  CHECK(checked.code == (checked.failed.empty() ? 0 : 1));
  return checked;
}

Checked check_planted(const std::string& game) {
  return check({game, "--plugin", planted()});
}

std::string said(const Checked& checked, const std::string& name, const char* member) {
  const bj::value& text = checked.findings.at(name).at(member);
  return text.is_string() ? std::string(text.as_string()) : std::string();
}

struct Bug {
  std::string game;
  std::set<std::string> found_by;  ///< all checks that fail
  std::string by;                  ///< the one that is for it
  std::string says;                ///< part of what it says
};

/// A sound game with all that a game of Python may have called.
constexpr const char* kTrust = R"py(from dataclasses import dataclass
import agon
SEEN = []
@dataclass
class Settings:
    pie: int = agon.field(10, "coins to split", min=1, max=20, unit="coins")
@dataclass
class Offer:
    coins: int = agon.field(0, "coins you hand over", min=0, max=20, unit="coins")
@dataclass
class Reply:
    accept: bool = agon.field(False, "true takes the offer, false leaves both with nothing")
OFFER = agon.Stage("offer", Offer, "how many coins you hand over",
                   ends=lambda a: a.coins < 0)
REPLY = agon.Stage("reply", Reply, "whether you take it", view=Offer, telling=lambda v, s: f"{v.coins} coins")
OFFERED = agon.Event("offer", Offer, "what is handed over", telling=lambda e, s: f"{e.coins} coins")
HINT = agon.PrivateEvent("hint", Offer, "a secret", telling=lambda e, s: f"A secret: {e.coins}.")
KEPT = agon.Note("kept", Offer, "what is kept", telling=lambda e, s: "for the record")
def play(table: agon.Table[OFFER, REPLY, OFFERED, HINT, KEPT], s: Settings):
    table.tell(1, HINT, Offer(table.chance("worth").between(1, 3)))
    offer = table.ask(0, OFFER, agon.limit("coins", 0, s.pie), check=None)
    table.announce(OFFERED, Offer(offer.coins))
    table.note(KEPT, Offer(len(SEEN)))
    taken = table.ask(1, REPLY, view=Offer(offer.coins)).accept
    return [agon.SeatScore(offer.coins if taken else 0, disagreement=0, ideal=10), agon.SeatScore(0, disagreement=0, ideal=10)]
agon.game("trust", play, title="Trust", seats=(2, 2), persona=lambda s, seat: "You are " + str(seat),
          rules='Split {{pie}} coins.', score="coins", disagreement="none", ideal="the whole pie")
)py";

}  // namespace

TEST_CASE("check: planted bugs are found and named, and sound twins pass", "[command][check]") {
  // A game that does not come out the same twice fails whatever plays it again.
  const std::set<std::string> again{"order", "replay", "resume", "jobs", "process", "probes"};
  const Bug bug = GENERATE_COPY(values<Bug>({
      {"leak", {"privacy"}, "privacy", "seat 1 can tell what seat 0 alone was told"},
      {"leaking-view", {"privacy"}, "privacy", "seat 1 can tell what seat 0 alone was shown"},
      {"favoured-seat", {"symmetry"}, "symmetry", "if no seat is favoured"},
      {"probe-with-effect",
       {"probes"},
       "probes",
       "and play goes on otherwise: event 'sold' to everybody"},
      {"coerced-answer", {"reading"}, "reading", "is taken as one too"},
      {"wrong-bound", {"limits"}, "limits", "the limits let $.give be 11"},
      {"wrong-sum", {"limits"}, "limits", "the limits let $.troops[] be 21"},
      {"luck-by-position", {"luck"}, "luck", "chance('all') has been read another number of times"},
      {"score-beyond-one", {"scores"}, "scores", "above the 1 of the card's score_range"},
      {"illegal-fallback", {"fallbacks"}, "fallbacks", "the game's own fallback is illegal"},
      {"missing-stage", {"reached"}, "reached", "never reached: stage 'revise'"},
      {"hidden-state", again, "order", "played again, after others"},
      {"own-dice", again, "replay", "played from its record"},
      {"broken-telling", {"plays", "texts"}, "plays", "on its seats, the game broke in"},
      {"forgotten-view", {"reached"}, "reached", "'outbid' declares a view, and none of its"},
      {"broken-books", {"conservation"}, "conservation", "the metric 'lost' of the match is 1"},
  }));
  INFO(bug.game);
  const Checked found = check_planted(bug.game);
  CHECK(found.failed == bug.found_by);
  REQUIRE(found.failed.contains(bug.by));
  INFO(said(found, bug.by, "problem"));
  CHECK(contains(said(found, bug.by, "problem"), bug.says));
  CHECK(!said(found, bug.by, "hint").empty());
  // Others may be skipped for want of what they look at; the one that is for the bug is not.
  const Checked sound = check_planted(bug.game + "-sound");
  CHECK(sound.failed.empty());
  CHECK(sound.passed.contains(bug.by));
}

TEST_CASE("check: what is just wrong is found and what is just not passes", "[command][check]") {
  struct Row {
    std::string game, check, verdict, says;
  };
  const Row row = GENERATE(values<Row>({
      {"leak-together", "privacy", "fail", "seat 1 can tell what seat 0 alone was shown"},
      {"leak-together-sound", "privacy", "pass", ""},
      {"deck-sound", "luck", "pass", ""},
      {"above-ideal", "scores", "warning", "above its ideal of 5"},
      {"above-ideal-sound", "scores", "pass", ""},
      {"seldom-sound", "limits", "pass", ""},
  }));
  INFO(row.game);
  const Checked found = check({row.game, "--plugin", planted(), "--only", row.check});
  const bj::object& finding = found.findings.at(row.check);
  INFO(bj::serialize(finding));
  CHECK(finding.at("verdict").as_string() == row.verdict);
  if (!row.says.empty()) CHECK(contains(said(found, row.check, "problem"), row.says));
}

TEST_CASE("check: what waiting seats alone call is called and what could not be looked at is said",
          "[command][check]") {
  const Checked found = check_planted("broken-telling");
  for (const char* check : {"history", "reading", "privacy"}) {
    CHECK(found.findings.at(check).at("verdict").as_string() == "skipped");
    CHECK(contains(said(found, check, "problem"), "with people or models on its seats"));
  }
  // The same of games in Python, with the line.
  struct Slip {
    std::string from, to;  ///< in kTrust
    std::set<std::string> failed;
    std::string by, says;
  };
  const Slip slip = GENERATE(values<Slip>({
      {"a.coins < 0",
       "a.coin < 0",
       {"plays", "texts"},
       "plays",
       "the game threw: AttributeError: 'Offer' object has no attribute 'coin' (trust.py:14)"},
      {"v.coins}", "v.coin}", {"plays", "texts"}, "texts", "has no attribute 'coin' (trust.py:15)"},
      {"f\"{e.coins} coins\"",
       "e.coins",
       {"plays", "texts"},
       "plays",
       "the game threw: the telling of the event 'offer' returned "},
      // A forgotten return.
      {"f\"{e.coins} coins\"",
       "None",
       {"plays", "texts"},
       "plays",
       "the game threw: the telling of the event 'offer' returned None, not a text (trust.py:16)"},
      {"lambda e, s: f", "lambda e: f", {"plays", "texts"}, "plays", "2 were given (trust.py:16)"},
      {"f\"A secret", "e.nothing + f\"A secret", {"plays", "texts"}, "plays", "(trust.py:17)"},
      {"\"for the record\"", "e.nothing", {"plays"}, "plays", "(trust.py:18)"},
      {"\"You are \" +", "seat +", {"plays", "texts"}, "texts", "(trust.py:26)"},
      {", view=Offer(offer.coins)", "", {"reached"}, "reached", "'reply' declares a view"},
  }));
  INFO(slip.to);
  const Folder folder;
  std::string text = kTrust;
  REQUIRE(contains(text, slip.from));
  folder.write("trust.py", text.replace(text.find(slip.from), slip.from.size(), slip.to));
  const Checked checked = check({folder.at("trust.py").string(), "--matches", "8"});
  CHECK(checked.failed == slip.failed);
  REQUIRE(checked.failed.contains(slip.by));
  INFO(said(checked, slip.by, "problem"));
  CHECK(contains(said(checked, slip.by, "problem"), slip.says));
  CHECK(count(said(checked, slip.by, "problem"), "the game threw") <= 1);
}

TEST_CASE("check: a hint and a command are those of the game's language and presets",
          "[command][check]") {
  const Folder folder;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = kTrust;
    REQUIRE(contains(text, from));
    folder.write("trust.py", text.replace(text.find(from), from.size(), to));
    return check({folder.at("trust.py").string(), "--matches", "8"});
  };
  CHECK(changed("none", "none").failed.empty());
  const Checked above = changed("ideal=10", "ideal=1");
  CHECK(contains(said(above, "scores", "hint"), "say `score_range=(None, 1)`"));
  const Checked fallback =
      changed("check=None", "fallback=Offer(0), check=lambda a: '' if a.coins else 'too few'");
  CHECK(fallback.failed.contains("fallbacks"));
  CHECK(contains(said(fallback, "fallbacks", "hint"), "give the question a fallback=..."));
  for (const auto& [name, finding] : fallback.findings)
    CHECK(!contains(said(fallback, name, "command"), "--preset"));
  const Checked memory = changed("    table.tell", "    SEEN.append(1)\n    table.tell");
  CHECK(memory.failed.contains("order"));
  CHECK(!contains(said(memory, "order", "hint"), "prepare()"));
  // A match alone does not show what is left of others.
  for (const char* by : {"order", "replay", "resume"})
    CHECK(contains(said(memory, by, "command"), " --only " + std::string(by) + " --seed "));
  const Checked check_throws =
      changed("check=None", "check=lambda a: str(1 // (10 - a.coins))[9:]");
  CHECK(contains(said(check_throws, "limits", "hint"), "says a reason and throws nothing"));
  CHECK(contains(said(check_throws, "limits", "problem"), "ZeroDivisionError"));
  const Checked settings = changed("'Split {{pie}} coins.'", "lambda s: str(1 // (s.pie - 1))");
  CHECK(settings.failed.contains("plays"));
  CHECK(contains(said(settings, "plays", "problem"), "before any match"));
  CHECK(contains(said(settings, "plays", "command"), "--set pie=1"));
  CHECK(!contains(said(settings, "plays", "command"), "--preset"));
}

TEST_CASE("check: what a card leaves out and texts that nobody can read are found and named",
          "[command][check]") {
  struct Slip {
    std::string from, to;  ///< in kTrust
    std::string by, says;  ///< empty: nothing is wrong
    std::string verdict = "fail";
  };
  const Slip slip = GENERATE(values<Slip>({
      {"title=\"Trust\"", "title=\" \"", "card", "1 thing says nothing of itself: the title"},
      {"score=\"coins\"", "score=\"\"", "card", "does not say what the score is", "warning"},
      {"disagreement=\"none\"", "disagreement=\"\"", "card", "itself: the disagreement point"},
      {"ideal=\"the whole pie\"", "ideal=\" \"", "card", "itself: the ideal"},
      {"disagreement=\"none\", ideal=\"the whole pie\"", "disagreement=\"\", ideal=\"\"", "card",
       "2 things say nothing of themselves: the disagreement point, the ideal"},
      {"\"coins to split\"", "\" \"", "card", "itself: settings.pie"},
      {"\"true takes the offer", "\" \" or \"", "card", "itself: stage 'reply', answer.accept"},
      {"\"coins you hand over\"", "\" \"", "card", "itself: stage 'offer', answer.coins"},
      {"'Split {{pie}} coins.'", "'Split {{pie}} coins.\\x07'", "texts",
       "the rules holds a control character"},
      {"'Split {{pie}} coins.'", "'Split {{pie}} coins. ' + 'x' * 1990", "texts",
       "the rules holds a line of more than 2000 characters"},
      {"'Split {{pie}} coins.'", "'Split\\t{{pie}} coins.\\n' + ('é' * 1999 + '\\n') * 2", "", ""},
      {"f\"{e.coins} coins\"", "f\"{e.coins}{e.coins / 3 + 1 / 7} coins\"", "texts",
       "the event 'offer' holds the number "},
      {"f\"{e.coins} coins\"", "f\"{e.coins + 0.12345678} coins\"", "", ""},
      {"Split {{pie}} coins.", "Split {{pie}} coins, or read secret-hint.", "", ""},
      {"'Split {{pie}} coins.'", "'Split {{pie}} coins or kept-back.'", "texts",
       "the rules holds the name 'kept-back' of the code"},
      {"f\"A secret:", "\"so \\n\" * 11000 + f\"A secret:", "history",
       "with one question; 32768 is much"},
      {"    table.tell",
       "    for _ in range(40): table.tell(1, HINT, Offer(0)); "
       "table.ask(1, OFFER)\n    table.tell",
       "", ""},
  }));
  INFO(slip.from << " -> " << slip.to);
  const Folder folder;
  std::string text = kTrust;
  const auto change = [&](const std::string& from, const std::string& to) {
    REQUIRE(contains(text, from));
    text.replace(text.find(from), from.size(), to);
  };
  change("\"kept\"", "\"kept-back\"");
  change(slip.from, slip.to);
  folder.write("trust.py", text);
  const Checked checked = check({folder.at("trust.py").string(), "--matches", "8", "--only", "card",
                                 "--only", "texts", "--only", "history"});
  for (const auto& [name, finding] : checked.findings) {
    INFO(name << ": " << said(checked, name, "problem"));
    const std::string verdict(finding.at("verdict").as_string());
    CHECK(verdict == (name == slip.by ? slip.verdict : "pass"));
    if (name != slip.by) continue;
    CHECK(contains(said(checked, name, "problem"), slip.says));
    CHECK_FALSE(said(checked, name, "hint").empty());
    CHECK_FALSE(said(checked, name, "command").empty());
  }
  CHECK(checked.findings.size() == 3);
}

TEST_CASE("check: what breaks at an edge of fractions, and in a locked process alone, is found",
          "[command][check]") {
  const Folder folder;
  const auto changed = [&](const std::vector<std::pair<std::string, std::string>>& changes,
                           const std::string& only) {
    std::string text = kTrust;
    for (const auto& [from, to] : changes) {
      REQUIRE(contains(text, from));
      text.replace(text.find(from), from.size(), to);
    }
    folder.write("trust.py", text);
    return check({folder.at("trust.py").string(), "--matches", "8", "--only", only});
  };
  const std::pair<std::string, std::string> fraction{"    coins: int = agon.field(0,",
                                                     "    coins: float = agon.field(0.0,"};
  const std::pair<std::string, std::string> whole{"min=0, max=20", "min=0.0, max=20.0"};
  const Checked edge = changed(
      {fraction, whole, {"check=None", "check=lambda a: 'all of it' if a.coins == s.pie else ''"}},
      "limits");
  INFO(said(edge, "limits", "problem"));
  CHECK(edge.failed.contains("limits"));
  CHECK(contains(said(edge, "limits", "problem"), "the limits let $.coins be 10"));
  CHECK(changed({fraction, whole}, "limits").passed.contains("limits"));

  const Checked outside = changed(
      {{"Offer(len(SEEN))", "Offer(len(__import__('os').environ.get('PATH', '')))"}}, "process");
  INFO(said(outside, "process", "problem"));
  CHECK(outside.failed.contains("process"));
  CHECK(contains(said(outside, "process", "problem"), "in a worker, a match comes out otherwise"));
  CHECK(contains(said(outside, "process", "hint"), "reach for nothing outside"));
}

TEST_CASE("check: where no match came to its end nothing is ok that looks at such",
          "[command][check]") {
  const Folder folder;
  std::string text = kTrust;
  folder.write("trust.py", text.replace(text.find("    table.tell"), 14, "    table.nothing"));
  const Checked checked = check({folder.at("trust.py").string(), "--matches", "8"});
  CHECK(checked.failed.contains("plays"));
  for (const char* check : {"texts", "history", "replay", "scores", "luck", "limits", "reached"}) {
    INFO(check);
    CHECK(checked.findings.at(check).at("verdict").as_string() == "skipped");
    CHECK(
        contains(said(checked, check, "problem"), "the game breaks in every match (see 'plays')"));
  }
}

TEST_CASE("check: a game without an end is given up at the second match", "[command][check]") {
  const Folder folder;
  std::string text = kTrust;
  folder.write("trust.py", text.replace(text.find("    table.tell"), 0, "    while True: pass\n"));
  const Ended ended =
      folder.agon({"check", "./trust.py", "--json", "--only", "plays", "--only", "texts"});
  INFO(ended.err);
  CHECK(ended.code == 1);
  const bj::value json = json_of(ended.out);
  const bj::array& checks = json.at("games").as_array().front().at("checks").as_array();
  CHECK(checks.at(0).at("verdict").as_string() == "fail");
  CHECK(contains(std::string(checks.at(0).at("problem").as_string()),
                 "the game does not come to an end: the game "));
  CHECK(contains(std::string(checks.at(0).at("command").as_string()), "agon play ./trust.py"));
  CHECK(checks.at(1).at("verdict").as_string() == "skipped");
  CHECK(checks.at(1).at("problem").as_string() == "the game does not come to an end");
}

TEST_CASE("check: seats with one common role are alike", "[command][check]") {
  const Folder folder;
  const auto symmetry = [&](const std::string& first, const std::string& second) {
    folder.write("even.py", R"py(from dataclasses import dataclass
import agon
@dataclass
class Bid:
    coins: int = agon.field(0, "coins you bid", min=0, max=9, unit="coins")
BID = agon.Stage("bid", Bid, "how many coins you bid")
@dataclass
class Settings:
    pass
def play(table: agon.Table[BID], s: Settings):
    bids = table.ask_all([0, 1], BID)
    return [agon.SeatScore(b.coins) for b in bids]
agon.game("even", play, title="Even", seats=(2, 2), rules='Bid.',
          seating=lambda s: [agon.SeatCard("A", ")py" +
                                first + R"py("), agon.SeatCard("B", ")py" + second + R"py(")],
          score="coins", disagreement="none", ideal="none")
)py");
    return check({folder.at("even.py").string(), "--only", "symmetry"});
  };
  CHECK(symmetry("firm", "firm").passed.contains("symmetry"));
  CHECK(contains(said(symmetry("firm", "buyer"), "symmetry", "problem"),
                 "seats have different roles"));
}

TEST_CASE("check: the command that a finding names shows it", "[command][check]") {
  const Folder folder;
  const auto plays = [&](const std::string& game, const std::string& by) {
    const std::string command = said(check_planted(game), by, "command");
    INFO(command);
    REQUIRE(command.starts_with("agon play " + game));
    Words words;
    std::string word;
    for (const char c : command.substr(5) + " ")
      if (c == ' ') {
        words.push_back(word);
        word.clear();
      } else {
        word += c;
      }
    return folder.agon(words);
  };
  const Ended score = plays("score-beyond-one", "scores");
  CHECK(score.code == 0);  // the match counts
  CHECK(contains(score.err, "above the 1 of the card's score_range"));
  const Ended fallback = plays("illegal-fallback", "fallbacks");
  CHECK(fallback.code == 6);
  CHECK(contains(fallback.err, "fallback is illegal"));
}

TEST_CASE("check: two new processes tell dice from memory", "[command][check]") {
  CHECK(contains(said(check_planted("own-dice"), "process", "problem"),
                 "in one new process and in another"));
  CHECK(contains(said(check_planted("hidden-state"), "process", "problem"),
                 "in a process of its own"));
}

TEST_CASE("check: matches that grow too long are passed over", "[command][check]") {
  const auto only = [](const std::string& game, const std::string& name) {
    return check({game, "--plugin", planted(), "--only", name});
  };
  CHECK(only("long-match", "limits").passed.contains("limits"));
  // The one draw there is makes a match long.
  const Checked privacy = only("long-match-sound", "privacy");
  CHECK(contains(said(privacy, "privacy", "tried"), " 0 draws changed"));
}

TEST_CASE("check: the command of a check says how much it tried", "[command][check]") {
  const auto command = [](const Words& more) {
    return said(check(joined({"wrong-bound", "--plugin", planted(), "--only", "limits"}, more)),
                "limits", "command");
  };
  CHECK(contains(command({"--matches", "7"}), " --matches 7"));
  CHECK(!contains(command({}), "--matches"));
}

TEST_CASE("check: of one seat without settings nothing is changed or compared",
          "[command][check]") {
  const Folder folder;
  folder.write("coin.py", R"py(from dataclasses import dataclass
import agon
@dataclass
class Guess:
    heads: bool = agon.field(False, "true for heads")
GUESS = agon.Stage("guess", Guess, "how the coin has fallen")
def play(table: agon.Table[GUESS]):
    heads = table.chance("coin").happens(0.5)
    return [agon.SeatScore(1 if table.ask(0, GUESS).heads == heads else 0)]
agon.game("coin", play, title="A coin", seats=(1, 1), rules="Guess.", score="points")
)py");
  const Checked found = check(
      {folder.at("coin.py").string(), "--only", "plays", "--only", "symmetry", "--matches", "3"});
  INFO(said(found, "plays", "tried"));
  CHECK(contains(said(found, "plays", "tried"), "3 matches of 1 preset, 0 changed settings"));
  CHECK(said(found, "symmetry", "verdict") == "skipped");
}

TEST_CASE("check: one check alone, of one game or all of a plugin", "[command][check]") {
  const Ended one =
      command_test::agon({"check", "guess-average", "--only", "card", "--only", "replay"});
  CHECK(one.code == 0);
  check_has(one.out, {"guess-average:\n", "2 checks, none failed"});
  const Ended all = command_test::agon(
      {"check", "planted", "--only", "fallbacks", "--plugin", planted(), "--sandbox", "never"});
  CHECK(all.code == 1);
  check_has(all.out, {"illegal-fallback:\n", "1 of 40 checks failed; see docs/conformance.md"});
  const Ended by_file = command_test::agon(
      {"check", planted(), "--only", "card", "--plugin", planted(), "--sandbox", "never"});
  INFO(by_file.err);
  CHECK(by_file.code == 0);
  CHECK(contains(by_file.out, "40 checks, none failed"));
}

TEST_CASE("check: what cannot be checked is said", "[command][check]") {
  const Ended no_game = command_test::agon({"check", "ultimatun"});
  CHECK(no_game.code == 3);
  CHECK(contains(no_game.err, "ultimatun"));
  const Ended no_check = command_test::agon({"check", "ebay", "--only", "privcy"});
  CHECK(no_check.code == 2);
  CHECK(contains(no_check.err, "unknown check 'privcy'\nhint: did you mean 'privacy'?"));
  const Ended of_components = command_test::agon({"check", "ebay", "--only", "errors"});
  CHECK(of_components.code == 2);
  CHECK(contains(of_components.err, "no check of --only is for what 'ebay' brings"));
  const Ended in_a_game = command_test::agon({"check", "ebay", "--game", "classic"});
  CHECK(in_a_game.code == 2);
  CHECK(contains(in_a_game.err, "'ebay' has no components of model agents"));
  const Ended no_matches = command_test::agon({"check", "ebay", "--matches", "0"});
  CHECK(no_matches.code == 2);
}

TEST_CASE("check: games in processes of their own", "[command][check]") {
  const auto failed = [](const std::string& game) {
    const Ended ended =
        command_test::agon({"check", game, "--json", "--sandbox", "always", "--plugin", planted(),
                            "--only", "privacy", "--only", "order"});
    INFO(ended.err);
    return json_of(ended.out).at("passed").as_bool() ? 0 : ended.code;
  };
  CHECK(failed("leak") == 1);
  CHECK(failed("leak-sound") == 0);
  CHECK(failed("hidden-state") == 1);
  CHECK(failed("hidden-state-sound") == 0);
}

TEST_CASE("check: shipped games are sound", "[command][check]") {
  const std::string game = GENERATE("bargaining", "classic", "clock-auction", "deal-or-no-deal",
                                    "ebay", "english-auction", "guess-average", "play-rating",
                                    "sealed-bid", "survival-auction", "water-allocation");
  const Checked checked = check({game});
  for (const std::string& name : checked.failed)
    FAIL_CHECK(game << ": " << name << ": " << said(checked, name, "problem"));
  CHECK(checked.findings.size() >= 19);
}

TEST_CASE("check: another seed finds the same", "[command][check]") {
  const auto privacy = [](const std::string& game) {
    return check({game, "--plugin", planted(), "--seed", "77", "--only", "privacy"}).failed;
  };
  CHECK(privacy("leak") == std::set<std::string>{"privacy"});
  CHECK(privacy("leak-sound").empty());
}

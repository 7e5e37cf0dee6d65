// `agon check`: bugs that games of others have had are found, each by the check that is for it, and
// the same games without them pass.

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
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
  Words all{"check", "--json", "--isolate", "never"};
  all.insert(all.end(), words.begin(), words.end());
  const Ended ended = command_test::agon(all);
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

}  // namespace

TEST_CASE("check: planted bugs are found and named, and sound twins pass", "[command][check]") {
  // A game that does not come out the same twice fails whatever plays it again.
  const std::set<std::string> again{"order", "replay", "resume", "jobs", "process"};
  const Bug bug = GENERATE_COPY(values<Bug>({
      {"leak", {"privacy"}, "privacy", "seat 1 can tell what seat 0 alone was told"},
      {"leaking-view", {"privacy"}, "privacy", "seat 1 can tell what seat 0 alone was shown"},
      {"favoured-seat", {"symmetry"}, "symmetry", "if no seat is favoured"},
      {"probe-with-effect", {"probes"}, "probes", "and play goes on otherwise: event 'sold'"},
      {"coerced-answer", {"reading"}, "reading", "is taken as one too"},
      {"wrong-bound", {"limits"}, "limits", "the limits let $.give be 11"},
      {"luck-by-position", {"luck"}, "luck", "chance('all') has been read another number of times"},
      {"score-beyond-one", {"scores"}, "scores", "above the 1 of the card's score_range"},
      {"illegal-fallback", {"fallbacks"}, "fallbacks", "the game's own fallback is illegal"},
      {"missing-stage", {"reached"}, "reached", "never reached: stage 'revise'"},
      {"hidden-state", again, "order", "played again, after others"},
      {"own-dice", again, "replay", "played from its record"},
      {"broken-books", {"conservation"}, "conservation", "the metric 'lost' of the match is 1"},
  }));
  INFO(bug.game);
  const Checked found = check_planted(bug.game);
  CHECK(found.failed == bug.found_by);
  REQUIRE(found.failed.contains(bug.by));
  INFO(said(found, bug.by, "problem"));
  CHECK(contains(said(found, bug.by, "problem"), bug.says));
  CHECK(!said(found, bug.by, "mend").empty());
  // Others may be skipped for want of what they look at; the one that is for the bug is not.
  const Checked sound = check_planted(bug.game + "-sound");
  CHECK(sound.failed.empty());
  CHECK(sound.passed.contains(bug.by));
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
  CHECK(score.code == 6);
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
    Words words{"wrong-bound", "--plugin", planted(), "--only", "limits"};
    words.insert(words.end(), more.begin(), more.end());
    return said(check(words), "limits", "command");
  };
  CHECK(contains(command({"--matches", "7"}), " --matches 7"));
  CHECK(!contains(command({}), "--matches"));
}

TEST_CASE("check: one check alone, of one game or all of a plugin", "[command][check]") {
  const Ended one =
      command_test::agon({"check", "guess-average", "--only", "card", "--only", "replay"});
  CHECK(one.code == 0);
  CHECK(contains(one.out, "guess-average:\n"));
  CHECK(contains(one.out, "2 checks, none failed"));
  const Ended all = command_test::agon(
      {"check", "planted", "--only", "fallbacks", "--plugin", planted(), "--isolate", "never"});
  CHECK(all.code == 1);
  CHECK(contains(all.out, "illegal-fallback:\n"));
  CHECK(contains(all.out, "1 of 28 checks failed; see docs/conformance.md"));
  const Ended by_file = command_test::agon(
      {"check", planted(), "--only", "card", "--plugin", planted(), "--isolate", "never"});
  INFO(by_file.err);
  CHECK(by_file.code == 0);
  CHECK(contains(by_file.out, "28 checks, none failed"));
}

TEST_CASE("check: what cannot be checked is said", "[command][check]") {
  const Ended no_game = command_test::agon({"check", "ultimatun"});
  CHECK(no_game.code == 3);
  CHECK(contains(no_game.err, "ultimatun"));
  const Ended no_check = command_test::agon({"check", "ebay", "--only", "privcy"});
  CHECK(no_check.code == 2);
  CHECK(contains(no_check.err, "there is no check 'privcy' (did you mean 'privacy'?)"));
  const Ended no_matches = command_test::agon({"check", "ebay", "--matches", "0"});
  CHECK(no_matches.code == 2);
}

TEST_CASE("check: games in processes of their own", "[command][check]") {
  const auto failed = [](const std::string& game) {
    const Ended ended =
        command_test::agon({"check", game, "--json", "--isolate", "always", "--plugin", planted(),
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
                                    "ebay", "english-auction", "guess-average", "sealed-bid",
                                    "survival-auction", "water-allocation");
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

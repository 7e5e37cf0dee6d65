#include <algorithm>
#include <boost/json/object.hpp>
#include <csignal>
#include <filesystem>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

// A suite with one match that waits for a person cannot end by itself, however fast the machine:
// so a test stops it while it is surely in progress.
namespace {

const std::string kHeld = R"({
  "suite": "held", "seed": 3,
  "agents": {
    "floor": "random", "survivor": "survivor",
    "ladder": {"rule": "offer-generator"}, "person": {"human": {"pseudonym": "p"}}
  },
  "scenarios": [
    {"game": "water-allocation", "blocks": 30,
     "design": {"focal": ["floor", "survivor"], "background": "survivor"}},
    {"game": "bargaining", "set": {"product": 4}, "design": {"fixed": [["ladder", "person"]]}}
  ]
})";
const std::string kFirstAnswer = R"({"talk": "too little", "action": {"kind": "reject"}})";
const std::string kSecondAnswer = R"({"talk": "bye", "action": {"kind": "quit"}})";
constexpr int kFree = 30 * 6;

struct Held {
  Folder folder;
  Held() { folder.write("held.json", kHeld); }
  [[nodiscard]] Words call(const std::string& archive) const {
    return {"run", "held.json", "--out", archive, "--jobs", "2"};
  }
  /// Plays what is left, the person's answers given; what the archive then holds.
  [[nodiscard]] std::vector<std::string> complete(const std::string& archive,
                                                  const std::string& answers) const {
    folder.succeeds(call(archive), {.in = answers});
    CHECK(partial(folder.at(archive)) == 0);
    CHECK(folder.agon({"doctor", archive}).code == 0);
    CHECK(folder.agon({"replay", archive}).code == 0);
    return content(folder, archive);
  }
  [[nodiscard]] std::vector<std::string> uninterrupted() const {
    return complete("whole.agon", kFirstAnswer + "\n" + kSecondAnswer + "\n");
  }
};

}  // namespace

TEST_CASE("Ctrl-C ends a run, which is then taken up again") {
  // A terminal that goes away, and one who asks politely, count as much.
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const Held held;
  Child run(held.call("a.agon"), held.folder.start({.hold_in = true}));
  REQUIRE(run.until([&] { return finished(held.folder.at("a.agon")) >= 20; }));
  run.send(signal);
  const Ended ended = run.end();
  INFO(ended.err);
  CHECK(ended.code == 130);
  CHECK(ended.out.empty());
  CHECK(contains(ended.err, "take it up again with: agon run held.json --out a.agon"));
  CHECK(finished(held.folder.at("a.agon")) <= kFree);
  CHECK_FALSE(held.folder.has("a.agon.playing"));
  CHECK(held.complete("a.agon", kFirstAnswer + "\n" + kSecondAnswer + "\n") ==
        held.uninterrupted());
}

TEST_CASE("Ctrl-C ends a run of rule agents alone") {
  const Folder folder;
  // Far more matches than anybody waits for.
  folder.write("s.json", suite(R"({"game": "english-auction", "blocks": 1000000})"));
  Child run({"run", "s.json", "--jobs", "2"}, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("s.agon")) > 0; }));
  run.send(SIGINT);
  const Ended ended = run.end();
  CHECK(ended.code == 130);
  CHECK(contains(ended.err, "take it up again with"));
  CHECK(folder.agon({"doctor", "s.agon"}).code == 0);
  // SIGTERM, as batch systems send it, is the same.
  const int before = finished(folder.at("s.agon"));
  Child again({"run", "s.json", "--jobs", "2"}, folder.start());
  REQUIRE(again.until([&] { return finished(folder.at("s.agon")) > before; }));
  again.send(SIGTERM);
  CHECK(again.end().code == 130);
  // What a shorter run shares with the interrupted one is the same in both.
  std::filesystem::copy_file(folder.at("s.agon"), folder.at("t.agon"));
  folder.write("t.json", suite(R"({"game": "english-auction", "blocks": 3})"));
  CHECK(folder.agon({"run", "t.json"}).code == 0);
  CHECK(folder.agon({"run", "t.json", "--out", "new.agon"}).code == 0);
  const auto rows = [&](const char* archive) {
    auto all = lines(folder.agon({"export", archive}).out);
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto wanted = rows("new.agon");
  const auto all = rows("t.agon");
  CHECK(wanted.size() == 1 + 3 * 8 * 3);
  CHECK(std::includes(all.begin(), all.end(), wanted.begin(), wanted.end()));
}

TEST_CASE("a second Ctrl-C leaves the matches in flight") {
  const Folder folder;
  folder.write("s.json", R"({"seed": 4, "agents": {"floor": "random"}, "scenarios": [
    {"game": "english-auction", "blocks": 40},
    {"game": "holds", "design": {"fixed": [["floor"]]}}]})");
  const auto call = [](const std::string& archive) {
    return Words{"run",       "s.json",
                 "--out",     archive,
                 "--jobs",    "2",
                 "--sandbox", "never",
                 "--plugin",  std::string(AGON_TEST_PLUGINS) + "/hangs/holds.so"};
  };
  REQUIRE(folder.agon(call("whole.agon")).code == 0);
  const auto whole = content(folder, "whole.agon");
  REQUIRE(whole.size() == 40 + 1);
  for (const int first : {SIGINT, SIGTERM}) {
    // One match hangs in the game's code, as long as there is this file: it never drains.
    folder.write("hold", "");
    const std::string archive = first == SIGINT ? "int.agon" : "term.agon";
    Child run(call(archive), folder.start());
    REQUIRE(run.until([&] { return folder.has("held") && finished(folder.at(archive)) > 0; }));
    run.send(first);
    REQUIRE(run.until([&] { return contains(run.err(), "Ctrl-C again"); }));
    run.send(SIGINT);
    const Ended ended = run.end();
    INFO(ended.err);
    CHECK(ended.code == 130);
    CHECK(ended.out.empty());
    check_has(ended.err,
              {" of 41 matches", "take it up again with: agon run s.json --out " + archive});
    CHECK(folder.agon({"doctor", archive}).code == 0);
    CHECK(finished(folder.at(archive)) > 0);
    CHECK(finished(folder.at(archive)) < 41);
    std::filesystem::remove(folder.at("hold"));
    std::filesystem::remove(folder.at("held"));
    const Ended again = folder.succeeds(call(archive));
    CHECK_FALSE(contains(again.err, "went down"));
    CHECK(content(folder, archive) == whole);
  }
}

TEST_CASE("Ctrl-C ends a run whose archive cannot be written while a game hangs") {
  const Folder folder;
  folder.write("hold", "");
  folder.write("s.json", R"({"seed": 4, "agents": {"floor": "random"}, "scenarios": [
    {"game": "holds", "blocks": 2, "design": {"fixed": [["floor"]]}},
    {"game": "english-auction", "blocks": 100000}]})");
  Child run({"run", "s.json", "--json", "--jobs", "3", "--sandbox", "never", "--plugin",
             std::string(AGON_TEST_PLUGINS) + "/hangs/holds.so"},
            folder.start({.most_file_bytes = 1 << 30}));
  REQUIRE(run.until([&] { return folder.has("held") && finished(folder.at("s.agon")) > 0; }));
  // Wherever the archive's log is written next: a log that begins again does not grow.
  run.limit_files(0);
  run.send(SIGINT);
  const Ended ended = run.end();
  INFO(ended.err);
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "s.agon: the archive may not grow"));
  CHECK(json_of(ended.out).at("error").at("exit_code") == 1);
}

TEST_CASE("what a stop rule came to is kept where a game hangs, and is not made up after kill -9") {
  const Folder folder;
  folder.write("s.json", R"({"seed": 4, "agents": {"a": "random", "b": "random"},
    "design": {"fixed": [["a"], ["b"]]}, "stop": {"best": 0.95},
    "scenarios": [{"game": "holds", "blocks": 1000000}]})");
  const std::string plugin = std::string(AGON_TEST_PLUGINS) + "/hangs/holds.so";
  const auto stop_of = [&](const std::string& archive) {
    const Ended report = folder.agon({"report", archive, "--json"});
    INFO(report.err);
    return json_of(report.out);
  };
  for (const int signal : {SIGINT, SIGKILL}) {
    const std::string archive = signal == SIGINT ? "int.agon" : "kill.agon";
    std::filesystem::remove(folder.at("hold"));
    std::filesystem::remove(folder.at("held"));
    Child run({"run", "s.json", "--out", archive, "--jobs", "1", "--plugin", plugin, "--sandbox",
               "never", "--json"},
              folder.start());
    REQUIRE(run.until([&] { return finished(folder.at(archive)) >= 20; }));
    folder.write("hold", "");
    REQUIRE(run.until([&] { return folder.has("held"); }));
    run.send(signal);
    const Ended ended = run.end();
    INFO(ended.err);
    const auto report = stop_of(archive);
    const auto looks = agon::test::figures(report, {{"section", "stop"}, {"metric", "looks"}});
    if (signal == SIGKILL) {
      CHECK(looks.empty());
      const auto& told = report.at("sections").at(0);
      CHECK(told.at("id") == "stop");
      CHECK(contains(told.at("explanation").as_string(), "not known how far"));
      continue;
    }
    CHECK(ended.code == 130);
    REQUIRE(looks.size() == 1);
    CHECK(looks[0].at("value").to_number<int>() ==
          json_of(ended.out).at("stop").at("looks").to_number<int>());
    CHECK(looks[0].at("value").to_number<int>() >= 9);
  }
}

TEST_CASE("kill -9 at any point loses nothing that was finished, and doubles nothing") {
  const Held held;
  int kills = 0;
  for (const int enough : {1, 40, 90, 150}) {
    Child run(held.call("k.agon"), held.folder.start({.hold_in = true}));
    REQUIRE(run.until([&] { return finished(held.folder.at("k.agon")) >= enough; }));
    const int before = finished(held.folder.at("k.agon"));
    run.send(SIGKILL);
    CHECK(run.end().code == 128 + SIGKILL);
    ++kills;
    CHECK(finished(held.folder.at("k.agon")) >= before);
    CHECK(held.folder.agon({"doctor", "k.agon"}).code == 0);
  }
  CHECK(kills == 4);
  CHECK(held.complete("k.agon", kFirstAnswer + "\n" + kSecondAnswer + "\n") ==
        held.uninterrupted());
}

TEST_CASE("kill -9 right at the start leaves no archive or one that can be used") {
  const Held held;
  for (const char* file : {"k.agon", "k.agon-wal", "k.agon.playing"}) {
    Child run(held.call("k.agon"), held.folder.start({.hold_in = true}));
    REQUIRE(run.until([&] { return held.folder.has(file); }));
    run.send(SIGKILL);
    CHECK(run.end().code == 128 + SIGKILL);
  }
  CHECK(held.complete("k.agon", kFirstAnswer + "\n" + kSecondAnswer + "\n") ==
        held.uninterrupted());
}

TEST_CASE("a person's answer survives kill -9") {
  const Held held;
  {
    Child run(held.call("p.agon"), held.folder.start({.in = kFirstAnswer + "\n", .hold_in = true}));
    // The second question is put to the person: the first answer was taken, and is safe.
    REQUIRE(run.until([&] { return count(run.err(), "talk (a line of text") >= 2; }));
    run.send(SIGKILL);
    CHECK(run.end().code == 128 + SIGKILL);
  }
  CHECK(partial(held.folder.at("p.agon")) == 1);
  // It is not asked for again: one answer ends the match.
  CHECK(held.complete("p.agon", kSecondAnswer + "\n") == held.uninterrupted());
}

TEST_CASE("two runs on one archive: the second is refused") {
  const Held held;
  Child first(held.call("a.agon"), held.folder.start({.hold_in = true}));
  REQUIRE(first.until([&] { return finished(held.folder.at("a.agon")) >= 1; }));
  held.folder.refuses(held.call("a.agon"), 1,
                      {"another run is writing this archive (process ", "a.agon", "--out"});
  // Reading goes on beside the run.
  CHECK(held.folder.agon({"show", "a.agon", "--limit", "3"}).code == 0);
  CHECK(held.folder.agon({"report", "a.agon"}).code == 0);
  first.type(kFirstAnswer + "\n" + kSecondAnswer + "\n");
  const Ended ended = first.end();
  INFO(ended.err);
  CHECK(ended.code == 0);
  CHECK(content(held.folder, "a.agon") == held.uninterrupted());
}

TEST_CASE("one signal is enough for a game that hangs, and what was finished is kept") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP);
  const Folder folder;
  const std::string plugin = std::string(AGON_TEST_PLUGINS) + "/hangs/holds.so";
  folder.write("s.json", R"({"seed": 2, "agents": {"floor": "random"}, "scenarios": [
    {"game": "holds", "blocks": 30, "design": {"fixed": [["floor"]]}}]})");
  CHECK(folder.agon({"run", "s.json", "--plugin", plugin, "--sandbox", "never", "--blocks", "10"})
            .code == 0);
  folder.write("hold", "");
  for (const std::string how : {"run", "play"}) {
    Words call{"run", "s.json", "--plugin", plugin, "--sandbox", "never"};
    if (how == "play") call = {"play", "holds", "--plugin", plugin, "--sandbox", "never"};
    std::filesystem::remove(folder.at("held"));
    Child run(call, folder.start());
    REQUIRE(run.until([&] { return folder.has("held"); }));
    run.send(signal);
    const Ended ended = run.end();
    INFO(how << "\n" << ended.err);
    CHECK(ended.code == 130);
  }
  CHECK(finished(folder.at("s.agon")) == 10);
  std::filesystem::remove(folder.at("hold"));
  CHECK(folder.agon({"run", "s.json", "--plugin", plugin, "--sandbox", "never"}).code == 0);
  CHECK(finished(folder.at("s.agon")) == 30);
}

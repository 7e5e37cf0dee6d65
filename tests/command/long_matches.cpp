// Long matches of models as a person meets them: what they take on disk, what is read back, and
// matches that are longer than a record may be.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/database/sqlite.hpp"
#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kLongTalk = std::string(AGON_TEST_PLUGINS) + "/good/long_talk.so";

std::string talk_suite(int rounds, int fresh = 0, int blocks = 1) {
  return R"({"seed": 4, "models": {"m": "mock"}, "agents": {"talker": {"llm": "m"}},
  "scenarios": [{"game": "long-talk", "blocks": )" +
         std::to_string(blocks) + R"(, "set": {"rounds": )" + std::to_string(rounds) +
         R"(, "fresh": )" + std::to_string(fresh) + R"(}, "design": {"fixed": [["talker"]]}}]})";
}

Words with_game(Words words) {
  for (const std::string& word :
       {std::string("--plugin"), kLongTalk, std::string("--sandbox"), std::string("never")})
    words.push_back(word);
  return words;
}

void run_talk(const Folder& folder, const std::string& name, int rounds) {
  folder.write(name + ".json", talk_suite(rounds));
  const Ended run = folder.agon(with_game({"run", name + ".json", "--quiet"}));
  INFO(run.err);
  REQUIRE(run.code == 0);
}

/// What the messages of an archive's calls take, and how long its only record is.
struct StoredSizes {
  std::int64_t messages = 0;
  std::size_t record = 0;
};
StoredSizes sizes_of(const Folder& folder, const std::string& archive) {
  agon::archive::Connection db(folder.at(archive), agon::archive::OpenMode::read);
  const auto opened = agon::archive::Archive::open(folder.at(archive));
  return {db.integer("select sum(length(bytes)) from content where kind = 'message'") +
              db.integer("select sum(length(messages)) from call"),
          opened.matches().at(1).record.size()};
}

std::vector<std::string> rows_of(const Folder& folder, const std::string& archive,
                                 const std::string& kind) {
  const Ended exported = folder.agon({"export", archive, "--rows", kind, "--format", "jsonl"});
  INFO(exported.err);
  REQUIRE(exported.code == 0);
  return lines(exported.out);
}

/// Rows without times, which differ between any two runs.
std::vector<std::string> calls_of(const Folder& folder, const std::string& archive) {
  std::vector<std::string> rows;
  for (const std::string& line : rows_of(folder, archive, "calls")) {
    boost::json::object row = json_of(line).as_object();
    for (const char* time : {"started", "latency_ms", "waited_ms", "run", "request_id"})
      row.erase(time);
    rows.push_back(boost::json::serialize(row));
  }
  return rows;
}

}  // namespace

TEST_CASE("a model's match of twice the rounds takes twice the bytes on disk") {
  const Folder folder;
  run_talk(folder, "once", 150);
  run_talk(folder, "twice", 300);
  const StoredSizes once = sizes_of(folder, "once.agon"), twice = sizes_of(folder, "twice.agon");
  CHECK(twice.record < once.record * 23 / 10);
  CHECK(twice.record > once.record * 17 / 10);
  CHECK(twice.messages < once.messages * 23 / 10);
  CHECK(twice.messages > once.messages * 14 / 10);

  // What is exported has all of it, each time again: more than twice as much.
  const auto exported = [&](const std::string& archive, const std::string& kind) {
    std::size_t bytes = 0;
    for (const std::string& row : rows_of(folder, archive, kind)) bytes += row.size();
    return bytes;
  };
  CHECK(exported("twice.agon", "calls") > exported("once.agon", "calls") * 26 / 10);
  CHECK(exported("twice.agon", "records") > exported("once.agon", "records") * 26 / 10);
}

TEST_CASE("what a long match of a model showed is read back as it was") {
  const Folder folder;
  run_talk(folder, "s", 80);
  // The view of each question has all that was picked before.
  int round = 0;
  boost::json::array past;
  for (const std::string& line : rows_of(folder, "s.agon", "records")) {
    const boost::json::value row = json_of(line);
    for (const auto& entry : row.at("record").as_array()) {
      if (entry.at("entry").as_string() != "question") continue;
      const auto& view = entry.at("view").as_object();
      CHECK(view.at("round").to_number<int>() == round);
      CHECK(view.at("past") == past);
      past.push_back(entry.at("value").as_object().at("number"));
      ++round;
    }
  }
  CHECK(round == 80);
  // The messages begin alike, and the last one is that of the question.
  const auto calls = rows_of(folder, "s.agon", "calls");
  REQUIRE(calls.size() >= 80);
  const auto messages_of = [&](std::size_t call) -> boost::json::array {
    const boost::json::value row = json_of(calls[call]);
    return row.at("messages").as_array();
  };
  const boost::json::array early = messages_of(20), late = messages_of(calls.size() - 1);
  REQUIRE(late.size() > early.size());
  for (std::size_t i = 0; i + 1 < early.size(); ++i) CHECK(late[i] == early[i]);
  // And the match is played again from them, to the byte.
  const Ended replayed = folder.agon(with_game({"replay", "s.agon"}));
  INFO(replayed.err);
  CHECK(replayed.code == 0);
}

TEST_CASE("shards of long matches are merged to what one run has") {
  const Folder folder;
  folder.write("s.json", talk_suite(40, 0, 4));
  for (const Words& words :
       {Words{"run", "s.json", "--out", "whole.agon", "--quiet"},
        Words{"run", "s.json", "--shard", "1/2", "--out", "1.agon", "--quiet"},
        Words{"run", "s.json", "--shard", "2/2", "--out", "2.agon", "--quiet"}}) {
    const Ended run = folder.agon(with_game(words));
    INFO(run.err);
    REQUIRE(run.code == 0);
  }
  const Ended merged = folder.agon({"merge", "merged.agon", "2.agon", "1.agon"});
  INFO(merged.err);
  REQUIRE(merged.code == 0);
  CHECK(calls_of(folder, "merged.agon") == calls_of(folder, "whole.agon"));
  CHECK(rows_of(folder, "merged.agon", "answers") == rows_of(folder, "whole.agon", "answers"));
  // They are not stored whole there. What one of the two has before its dictionary differs.
  const auto bytes = [&](const std::string& archive) { return sizes_of(folder, archive).messages; };
  CHECK(bytes("merged.agon") < bytes("whole.agon") * 14 / 10);
}

TEST_CASE("a scenario whose matches no record has room for is refused before its run") {
  const Folder folder;
  folder.write("s.json", talk_suite(12, 7'000'000));
  const std::string problem =
      "scenario 'long-talk': a match with agent 'talker' needs a record of more than 64 MiB";
  const Ended planned = folder.agon(with_game({"plan", "s.json"}));
  INFO(planned.err);
  CHECK(planned.code == 5);
  CHECK(contains(planned.err, problem));
  CHECK(contains(planned.err, "play fewer rounds"));
  const Ended looked = folder.agon(with_game({"doctor", "s.json"}));
  INFO(looked.out);
  CHECK(looked.code == 5);
  CHECK(contains(looked.out, problem));
  const Ended run = folder.agon(with_game({"run", "s.json"}));
  INFO(run.err);
  CHECK(run.code == 5);
  CHECK(contains(run.err, problem));
  CHECK_FALSE(folder.has("s.agon"));

  // A shorter one has room.
  folder.write("t.json", talk_suite(5, 7'000'000));
  const Ended fits = folder.agon(with_game({"plan", "t.json"}));
  INFO(fits.err);
  CHECK(fits.code == 0);
  CHECK_FALSE(contains(fits.out + fits.err, "MiB"));
}

TEST_CASE("a match that is too long all the same is left unfinished, and charged to nobody") {
  const Folder folder;
  folder.write("s.json", talk_suite(12, 7'000'000));
  const Words words = with_game({"run", "s.json", "--no-preflight"});
  const Ended run = folder.agon(words);
  INFO(run.err);
  CHECK(run.code == 6);
  CHECK(contains(run.err, "the match is too long: its record would grow beyond 64 MiB"));
  CHECK_FALSE(contains(run.err, "the game broke"));
  CHECK(finished(folder.at("s.agon")) == 0);
  const auto calls = [&] {
    return agon::archive::Archive::open(folder.at("s.agon")).calls().totals().calls;
  };
  const std::int64_t paid = calls();
  CHECK(paid >= 9);
  CHECK(paid < 12);
  // The same command asks no model again.
  CHECK(folder.agon(words).code == 6);
  CHECK(calls() == paid);
}

// Messages to models in archives: what the calls of a long match repeat is stored once.

#include <agon/error.hpp>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/message_lists.hpp"
#include "archive/recently_used.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"
#include "costs/costs.hpp"

using agon::ChatMessage;
using agon::ModelCall;
using agon::archive::Archive;
using agon::archive::CallRow;
using agon::archive::Connection;
using agon::archive::MatchId;
using agon::archive::OpenMode;
using agon::archive::SharedStart;
using archive_samples::Folder;

namespace {

std::string line_of(int round) {
  return "- In round " + std::to_string(round) + " the others bid " +
         std::to_string(round * 7919 % 1000) + " and " + std::to_string(round * 104729 % 997) +
         ".\n";
}

/// The calls of a seat in a match of so many rounds: an answer, whose dialogue goes back to the
/// beginning and whose question shows all that happened, and a note about it.
std::vector<ModelCall> calls_of(int rounds) {
  std::vector<ModelCall> calls;
  std::vector<ChatMessage> dialogue{{"system", "You are a player. " + std::string(600, 'r')}};
  std::string all;
  for (int round = 0; round < rounds; ++round) {
    all += line_of(round);
    ModelCall answer;
    answer.provider = "p";
    answer.model = "m";
    answer.purpose = "answer";
    answer.messages = dialogue;
    answer.messages.push_back({"user", "What has happened so far:\n" + all + "Answer now."});
    answer.parameters = "{}";
    answer.text = std::to_string(round);
    ModelCall note = answer;
    note.purpose = "notebook";
    note.messages = {{"system", "You keep notes."}, {"user", "Until now:\n" + all + "Write."}};
    calls.push_back(std::move(note));
    calls.push_back(std::move(answer));
    dialogue.push_back({"user", line_of(round)});
    dialogue.push_back({"assistant", R"({"number": )" + std::to_string(round) + "}"});
  }
  return calls;
}

/// Keeps the calls in an archive, as one seat's of a match.
MatchId keep_calls(const std::filesystem::path& file, const std::vector<ModelCall>& calls) {
  agon::archive::Writer writer(file);
  const auto numbers = archive_samples::add_rows(writer);
  const MatchId id = archive_samples::sample_match(numbers, 3).key.id;
  const std::int64_t run = writer.begin_run({});
  const auto ledger = std::make_shared<agon::RunLedger>(
      &writer, run, agon::Caps{}, agon::PriceList(), agon::archive::CallTotals{});
  const auto match = std::make_shared<agon::MatchLedger>(ledger, id, 2);
  for (std::size_t i = 0; i < calls.size(); ++i)
    match->attempt(1, static_cast<std::uint32_t>(i), 0)->keep(0, calls[i]);
  ledger->close();
  return id;
}

std::int64_t stored_bytes(const std::filesystem::path& file) {
  Connection db(file, OpenMode::read);
  return db.integer("select sum(length(bytes)) from content where kind = 'message'") +
         db.integer("select sum(length(messages)) from call");
}

/// As each message was stored by itself, and its digest with each call.
std::int64_t bytes_of_whole(const std::vector<ModelCall>& calls) {
  std::set<std::string> known;
  std::size_t bytes = 0;
  for (const ModelCall& call : calls)
    for (const ChatMessage& message : call.messages) {
      bytes += sizeof(agon::hash::Digest);
      if (known.insert(message.role + message.text).second) bytes += message.text.size();
    }
  return static_cast<std::int64_t>(bytes);
}

std::vector<CallRow> read_calls(const Archive& archive, const MatchId* id) {
  std::vector<CallRow> rows;
  archive.calls().each(id, [&](const CallRow& row) { rows.push_back(row); });
  return rows;
}

std::string problem_of(const std::filesystem::path& file) {
  try {
    (void)read_calls(Archive::open(file), nullptr);
    return "";
  } catch (const agon::Error& error) {
    return error.problem();
  }
}

void change_by_sql(const std::filesystem::path& file, const std::string& sql) {
  Connection db(file, OpenMode::write);
  db.run(sql.c_str());
}

std::string in_sql(const SharedStart& start) {
  return "x'" + agon::hash::hex(start.digest()) + "'";
}

}  // namespace

TEST_CASE("archive: twice the rounds of a model take twice the bytes, not four times") {
  const Folder folder;
  const std::vector<ModelCall> once = calls_of(150), twice = calls_of(300);
  (void)keep_calls(folder / "once.agon", once);
  (void)keep_calls(folder / "twice.agon", twice);
  const std::int64_t bytes = stored_bytes(folder / "once.agon");
  CHECK(stored_bytes(folder / "twice.agon") < bytes * 23 / 10);
  CHECK(stored_bytes(folder / "twice.agon") > bytes * 15 / 10);
  CHECK(bytes_of_whole(twice) > bytes_of_whole(once) * 35 / 10);
  CHECK(bytes_of_whole(once) > bytes * 10);
}

TEST_CASE("archive: the messages of calls are read back as they were sent, in any order") {
  const Folder folder;
  const std::vector<ModelCall> calls = calls_of(60);
  const MatchId id = keep_calls(folder / "a.agon", calls);
  const Archive archive = Archive::open(folder / "a.agon");
  const auto is_as_sent = [&](const std::vector<CallRow>& rows) {
    REQUIRE(rows.size() == calls.size());
    for (const CallRow& row : rows) {
      const ModelCall& sent = calls.at(static_cast<std::size_t>(row.question));
      REQUIRE(row.call.messages.size() == sent.messages.size());
      REQUIRE(row.messages.size() == sent.messages.size());
      for (std::size_t i = 0; i < sent.messages.size(); ++i) {
        CHECK(row.call.messages[i].role == sent.messages[i].role);
        CHECK(row.call.messages[i].text == sent.messages[i].text);
      }
    }
  };
  is_as_sent(read_calls(archive, &id));
  is_as_sent(read_calls(archive, nullptr));
  // The last ones first: nothing that came before them is remembered.
  const std::vector<CallRow> rows = read_calls(archive, &id);
  const Archive other = Archive::open(folder / "a.agon");
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    for (const agon::hash::Digest& digest : row->messages)
      CHECK(agon::hash::sha256(other.content(digest).value()) == digest);
  // Tokens that nobody counted are estimated by the whole messages.
  std::int64_t expected = 0;
  for (const ModelCall& call : calls)
    for (const ChatMessage& message : call.messages)
      expected += agon::archive::tokens_in(agon::archive::message_bytes(message).size()) + 4;
  std::int64_t estimated = 0;
  archive.calls().uncounted(
      [&](const agon::archive::UncountedCall& call) { estimated += call.input - 1; });
  CHECK(estimated == expected);
  // Most lists name another one, and most long messages differ from another one.
  Connection db(folder / "a.agon", OpenMode::read);
  CHECK(db.integer("select count(*) from call where substr(messages, 1, 16) = zeroblob(16)") > 50);
  CHECK(db.integer("select count(*) from content where kind = 'message' and "
                   "substr(bytes, 1, 1) = x'01'") > 80);
}

TEST_CASE("archive: messages of a match that goes on are stored against what it says then") {
  const Folder folder;
  const std::vector<ModelCall> calls = calls_of(40);
  const std::vector<ModelCall> first(calls.begin(), calls.begin() + 50);
  const MatchId id = keep_calls(folder / "a.agon", first);
  // Its second run asks for the rest, with a ledger of its own.
  {
    agon::archive::Writer writer(folder / "a.agon");
    const auto ledger =
        std::make_shared<agon::RunLedger>(&writer, writer.begin_run({}), agon::Caps{},
                                          agon::PriceList(), agon::archive::CallTotals{});
    const auto match = std::make_shared<agon::MatchLedger>(ledger, id, 2);
    for (std::size_t i = 50; i < calls.size(); ++i)
      match->attempt(1, static_cast<std::uint32_t>(i), 0)->keep(0, calls[i]);
    ledger->close();
  }
  const std::vector<CallRow> rows = read_calls(Archive::open(folder / "a.agon"), &id);
  REQUIRE(rows.size() == calls.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    CHECK(rows[i].call.messages.back().text == calls[i].messages.back().text);
}

TEST_CASE("archive: lists and messages that name what is not there are damage, and reading ends") {
  const std::vector<ModelCall> calls = calls_of(30);
  const std::string no_list = "the messages of a model call are not there";
  const std::string no_message = "a message to a model cannot be read";
  struct Change {
    std::string sql;
    std::string problem;
  };
  for (const auto& [sql, problem] : std::vector<Change>{
           {"update call set messages = " + in_sql({100'000, 3}) + " where number = 60", no_list},
           {"update call set messages = " + in_sql({60, 3}) + " where number = 60", no_list},
           {"update call set messages = " + in_sql({58, 4'000'000'000}) + " where number = 60",
            no_list},
           {"update call set messages = " + in_sql({0, 1}) + " where number = 60", no_list},
           // Two that name each other.
           {"update call set messages = " + in_sql({60, 3}) +
                " where number = 58; "
                "update call set messages = " +
                in_sql({58, 3}) + " where number = 60",
            no_list},
           // A message that differs from itself, and one from what is gone.
           {"update content set bytes = cast(x'018001' || hash || x'0178' as blob) where number = "
            "(select max(number) from content where kind = 'message')",
            no_message},
           {"update content set bytes = substr(bytes, 1, 20) where substr(bytes, 1, 1) = x'01'",
            no_message},
       }) {
    INFO(sql);
    const Folder folder;
    (void)keep_calls(folder / "a.agon", calls);
    REQUIRE(problem_of(folder / "a.agon").empty());
    change_by_sql(folder / "a.agon", sql);
    CHECK(problem_of(folder / "a.agon").find(problem) != std::string::npos);
  }
}

TEST_CASE(
    "archive: of long messages one is whole every so many bytes, and no more are read for one") {
  const Folder folder;
  // Of about 1 MB each, and alike: 64 MiB of them are read one for the other.
  const std::string all(1'000'000, 'a');
  std::vector<ModelCall> calls;
  for (int i = 0; i < 70; ++i) {
    ModelCall& call = calls.emplace_back();
    call.provider = "p";
    call.model = "m";
    call.purpose = "answer";
    call.messages = {{"user", all + std::to_string(i)}};
    call.parameters = "{}";
    call.text = "1";
  }
  const MatchId id = keep_calls(folder / "a.agon", calls);
  const std::string whole =
      "select count(*) from content where kind = 'message' and "
      "substr(bytes, 1, 1) <> x'01'";
  CHECK(Connection(folder / "a.agon", OpenMode::read).integer(whole.c_str()) == 2);
  const std::vector<CallRow> rows = read_calls(Archive::open(folder / "a.agon"), &id);
  REQUIRE(rows.size() == calls.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    CHECK((rows[i].call.messages.at(0).text == calls[i].messages.at(0).text));

  // Each of these is all of the one before, of 1 MiB. A few of them can be read.
  change_by_sql(folder / "a.agon", R"(
    insert into content (hash, kind, bytes) values
      (cast(printf('%032d', 0) as blob), 'message', cast(printf('%.*c', 1048576, 'x') as blob));
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into content (hash, kind, bytes) select cast(printf('%032d', i) as blob), 'message',
        cast(x'01808040' || cast(printf('%032d', i - 1) as blob) || x'0178FFFF3F00' as blob) from n)");
  const auto name_message = [&](int i, int times = 1) {
    change_by_sql(folder / "a.agon", "update call set messages = cast(replace(printf('%.*c', " +
                                         std::to_string(times) + ", 'x'), 'x', printf('%032d', " +
                                         std::to_string(i) + ")) as blob) where number = 1");
    return problem_of(folder / "a.agon");
  };
  CHECK(name_message(100) == "");
  CHECK(name_message(5000).find("a message to a model cannot be read") != std::string::npos);
  // Nor is a call whose list names one of them again and again.
  CHECK(name_message(0, 10).empty());
  CHECK(name_message(0, 300).find("the messages of a model call are longer than any") !=
        std::string::npos);
}

TEST_CASE("archive: short lists are stored as they are") {
  const Folder folder;
  const std::vector<ModelCall> calls = calls_of(3);
  const MatchId id = keep_calls(folder / "a.agon", calls);
  Connection db(folder / "a.agon", OpenMode::read);
  CHECK(db.integer("select count(*) from call where substr(messages, 1, 16) = zeroblob(16)") == 0);
  CHECK(read_calls(Archive::open(folder / "a.agon"), &id).size() == calls.size());
}

TEST_CASE("archive: what was used last is remembered, up to its size") {
  agon::archive::RecentlyUsed<int, std::string> values(10);
  const auto has = [&](int key) {
    const std::string* const value = values.find(key);
    return value != nullptr && *value == std::to_string(key);
  };
  for (int key = 1; key <= 3; ++key) values.keep(key, std::to_string(key), 3);
  CHECK(has(1));
  values.keep(4, "4", 3);  // in the place of 2, as 1 was asked for since
  CHECK(has(1));
  CHECK_FALSE(has(2));
  CHECK(has(3));
  CHECK(has(4));
  values.keep(4, "another", 100);  // it has that one
  CHECK(has(4));
  CHECK(has(1));
  values.keep(5, "5", 100);
  CHECK(has(5));
  CHECK_FALSE(has(4));
  values.keep(6, "6", 1);
  CHECK_FALSE(has(5));
  CHECK(has(6));
}

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/compression.hpp"
#include "archive/database/sqlite.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"

using namespace archive_samples;

namespace {

/// Records that are alike, as those of a game are.
std::string record_of(std::uint64_t block) {
  std::string record("AGR\x01");
  for (std::uint64_t i = 0; i < 12; ++i)
    record += "round " + std::to_string(i) + ": the first seat bids " +
              std::to_string((block * 7919 + i * 104729) % 1000) + ", the second stays out; ";
  return record;
}

void write_alike(Writer& writer, const Numbers& numbers, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = first; i < first + count; ++i) {
    MatchRow match = sample_match(numbers, static_cast<int>(i));
    match.record = record_of(i);
    writer.write_finished(match);
  }
}

}  // namespace

TEST_CASE("archive: records are compressed with one dictionary for a game") {
  const Folder folder;
  {
    Writer writer(folder / "a.agon");
    write_alike(writer, add_rows(writer), 0, 300);
  }
  const Archive archive = Archive::open(folder / "a.agon");
  for (std::int64_t number = 1; number <= 300; ++number) {
    const MatchRow match = archive.matches().at(number);
    CHECK(match.record == record_of(static_cast<std::uint64_t>(match.key.block)));
  }
  Connection db(folder / "a.agon", OpenMode::read);
  CHECK(db.integer("select count(*) from content where kind = 'dictionary'") == 1);
  const std::int64_t whole = 300 * static_cast<std::int64_t>(record_of(7).size());
  CHECK(db.integer("select sum(length(bytes)) from record where match > 64") <
        whole * 236 / 300 / 4);
  CHECK(db.integer("select sum(length(bytes)) from record") < whole / 2);
  // Those that the dictionary was made from have none.
  CHECK(db.integer("select count(*) from record where substr(bytes, 1, 2) = x'0000'") == 63);
}

TEST_CASE("archive: what was not compressed is read as it is, and what is added is") {
  const Folder folder;
  {
    Writer writer(folder / "a.agon");
    write_alike(writer, add_rows(writer), 0, 1);
  }
  {
    Connection db(folder / "a.agon", OpenMode::write);
    Statement plain(db, "update record set bytes = ?");
    const std::string record = record_of(0);
    plain.bind_bytes(record).run();
    db.run("pragma user_version = 6");
  }
  CHECK(Archive::open(folder / "a.agon").matches().at(1).record == record_of(0));
  {
    Connection db(folder / "a.agon", OpenMode::read);
    CHECK(db.integer("pragma user_version") == 6);
  }
  {
    Writer writer(folder / "a.agon");
    write_alike(writer, add_rows(writer), 1, 1);
  }
  Connection db(folder / "a.agon", OpenMode::read);
  CHECK(db.integer("pragma user_version") == 7);
  CHECK(Archive::open(folder / "a.agon").matches().at(1).record == record_of(0));
  CHECK(Archive::open(folder / "a.agon").matches().at(2).record == record_of(1));
}

TEST_CASE("archive: messages to models are compressed, and found by the digest of the whole") {
  const Folder folder;
  std::vector<agon::hash::Digest> digests;
  const auto message_of = [](std::uint64_t i) { return "user\n" + record_of(i); };
  {
    Writer writer(folder / "a.agon");
    for (std::uint64_t i = 0; i < 500; ++i)
      digests.push_back(writer.store("message", message_of(i)));
    digests.push_back(writer.store("settings", message_of(0) + "!"));
  }
  const Archive archive = Archive::open(folder / "a.agon");
  for (std::uint64_t i = 0; i < 500; ++i) CHECK(archive.content(digests[i]) == message_of(i));
  CHECK(archive.content(digests[500]) == message_of(0) + "!");
  Connection db(folder / "a.agon", OpenMode::read);
  CHECK(db.integer("select sum(length(bytes)) from content where kind = 'message'") <
        250 * static_cast<std::int64_t>(message_of(7).size()));
  CHECK(db.integer("select length(bytes) from content where kind = 'settings'") ==
        static_cast<std::int64_t>(message_of(0).size() + 1));
}

TEST_CASE("archive: compressed bytes that are damaged are handed on as they are") {
  const Folder folder;
  Connection db(folder / "a.agon", OpenMode::write);
  db.run("create table content (number integer primary key, hash blob, kind text, bytes blob)");
  Compressor compressor([](const std::string&) { return std::int64_t{0}; });
  const std::string whole = record_of(3) + record_of(4);
  const std::string bytes = compressor.compress_record(1, whole);
  REQUIRE(bytes.size() < whole.size());
  Decompressor decompressor(db);
  const auto read = [&](const std::string& from, std::string& into) {
    return decompressor.decompress(
        {reinterpret_cast<const unsigned char*>(from.data()), from.size()}, into);
  };
  std::string got;
  CHECK(read(bytes, got));
  CHECK(got == whole);
  std::string no_dictionary = bytes;
  no_dictionary[1] = '\x05';
  for (const std::string& damaged :
       {bytes.substr(0, bytes.size() - 1), bytes.substr(0, 1), bytes.substr(0, 2), no_dictionary,
        std::string(1, '\0') + std::string(20, '\xff'), std::string(4, '\0')}) {
    CHECK_FALSE(read(damaged, got));
    CHECK(got == damaged);
  }
  // A bit that changed anywhere is noticed.
  for (std::size_t at = 2; at < bytes.size(); at += 3) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    CHECK_FALSE((read(changed, got) && got != whole));
  }
  CHECK(read("AGR", got));
  CHECK(got == "AGR");
  CHECK(read("", got));
  CHECK(got.empty());
  // Where it would be no shorter, it stays.
  CHECK(compressor.compress_record(1, "AGR") == "AGR");
}

TEST_CASE("archive: long records make no dictionary, and do not keep one from being made") {
  const Folder folder;
  {
    Writer writer(folder / "a.agon");
    const Numbers numbers = add_rows(writer);
    for (int i = 0; i < 200; ++i) {
      MatchRow match = sample_match(numbers, i);
      const auto block = static_cast<std::uint64_t>(i);
      match.record = record_of(block);
      // Of the first eighty, every second is too long to be a sample.
      while (i % 2 == 0 && i < 80 && match.record.size() < 200'000)
        match.record += record_of(block + match.record.size());
      writer.write_finished(match);
    }
  }
  Connection db(folder / "a.agon", OpenMode::read);
  CHECK(db.integer("select count(*) from content where kind = 'dictionary'") == 1);
  // 40 samples among the first eighty matches, and 23 more before the one that makes it.
  CHECK(db.integer("select max(match) from record where substr(bytes, 1, 2) = x'0000'") == 103);
}

TEST_CASE("archive: compressed records move to where their dictionary has another number") {
  const Folder folder;
  {
    Writer writer(folder / "a.agon");
    write_alike(writer, add_rows(writer), 0, 100);
    Writer other(folder / "b.agon");
    add_rows(other);
  }
  const Archive archive = Archive::open(folder / "a.agon");
  Connection from(folder / "a.agon", OpenMode::read);
  Connection to(folder / "b.agon", OpenMode::write);
  constexpr std::int64_t kThere = 1000;  // two bytes, where the first archive's takes one
  Statement dictionary(from, "select number, hash, bytes from content where kind = 'dictionary'");
  REQUIRE(dictionary.step());
  const std::int64_t here = dictionary.integer();
  const auto hash = dictionary.bytes();
  Statement(to, "insert into content (number, hash, kind, bytes) values (?, ?, 'dictionary', ?)")
      .bind(kThere)
      .bind(hash)
      .bind(dictionary.bytes())
      .run();
  const auto bytes_of = [](std::string_view text) {
    return std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size());
  };
  Decompressor reader(to);
  std::string whole;
  int with_dictionary = 0;
  const auto number_of = [&](std::int64_t dictionary_here) {
    CHECK(dictionary_here == here);
    ++with_dictionary;
    return kThere;
  };
  Statement records(from, "select match, bytes from record order by match");
  while (records.step()) {
    const std::int64_t match = records.integer();
    const auto moved = Decompressor::renumbered(records.bytes(), number_of);
    REQUIRE(moved);
    REQUIRE(reader.decompress(bytes_of(*moved), whole));
    CHECK(whole == archive.matches().at(match).record);
  }
  CHECK(with_dictionary == 37);  // the others are those that it was made from
  CHECK(Decompressor::renumbered(bytes_of(record_of(7)), number_of) == record_of(7));
  CHECK_FALSE(
      Decompressor::renumbered(bytes_of(std::string_view("\0\x01no frame", 10)), number_of));
  CHECK(with_dictionary == 37);
}

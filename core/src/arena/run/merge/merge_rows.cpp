#include "run/merge/merge_rows.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <utility>

#include "archive/database/schema.hpp"
#include "archive/matches/result_columns.hpp"
#include "archive/open_archive.hpp"
#include "archive/tables.hpp"
#include "run/merge/merge_copy.hpp"

namespace agon {
namespace {

using archive::Archive;
using archive::Statement;

/// A database that nobody else opens before it is whole, and that is made again if it breaks: it
/// needs no log, no shared memory, which a network file system has not, and no sync.
archive::Connection new_database(const std::filesystem::path& file) {
  archive::Connection db(file, archive::OpenMode::write);
  db.run("pragma main.locking_mode = exclusive");
  archive::create_schema(db);
  db.run("pragma main.synchronous = off; pragma main.cache_size = -32768");
  db.drop_log();
  return db;
}

void renew(const Archive& from, const MergeSource& source, archive::MatchKey& key,
           std::optional<std::int64_t>& focal) {
  key.scenario = from.row(source.scenarios, key.scenario);
  if (focal) focal = from.row(source.agents, *focal);
}

}  // namespace

void refuse_if_stopped(const std::atomic<bool>* stop) {
  if (stop != nullptr && *stop) throw Error(ErrorKind::failure, "stopped while it was merged");
}

MergedRows::MergedRows(const std::filesystem::path& file, MergeSummary& summary,
                       const std::atomic<bool>* stop)
    : db_(new_database(file)),
      inserter_(db_),
      compressor_(
          [this](const std::string& dictionary) { return inserter_.dictionary(dictionary); }),
      has_match_(db_, "select 1 from match where id = ?"),
      has_session_(db_, "select 1 from person where session = ?"),
      summary_(summary),
      stop_(stop) {}

void MergedRows::in_transaction(const std::function<void()>& work) {
  db_.run("begin");  // which locks nothing that is only read
  work();
  inserter_.note_asked();
  db_.run("commit");
}

void MergedRows::take_matches(MergeSource& source) {
  const Archive archive = Archive::open(source.file);
  std::map<std::int64_t, std::int64_t> dictionaries;
  MatchCopy rows(db_, inserter_, archive, source, dictionaries);
  in_transaction([&] {
    archive.together([&] {
      enter_tables(archive, source);
      dictionaries = take_dictionaries(archive);
      take_content(archive);
      source.last = archive.matches().last_number();
      for (const archive::RunRow& run : source.runs) take_run(archive, source, run, rows);
    });
  });
}

void MergedRows::enter_tables(const Archive& archive, MergeSource& source) {
  std::map<std::int64_t, std::int64_t> games;
  for (const auto& [number, game] : archive.games()) games[number] = inserter_.game(game);
  for (auto [number, scenario] : archive.scenarios()) {
    scenario.game = archive.row(games, scenario.game);
    source.scenarios[number] = inserter_.scenario(scenario);
    compressor_.add_scenario(source.scenarios[number], scenario.game);
  }
  for (const auto& [number, agent] : archive.agents())
    source.agents[number] = inserter_.agent(agent);
}

std::map<std::int64_t, std::int64_t> MergedRows::take_dictionaries(const Archive& archive) {
  std::map<std::int64_t, std::int64_t> numbers;
  Statement rows(archive.opened().db,
                 "select number, bytes from content where kind = 'dictionary' order by number");
  while (rows.step()) {
    const std::int64_t number = rows.integer();
    const auto bytes = rows.bytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    numbers[number] = inserter_.dictionary(text);
  }
  return numbers;
}

void MergedRows::take_content(const Archive& archive) {
  // Messages of several archives are the same, and get one dictionary: they are compressed again.
  Statement rows(
      archive.opened().db,
      "select hash, kind, bytes from content where kind <> 'dictionary' order by number");
  std::string text;
  while (rows.step()) {
    hash::Digest digest{};
    archive::Plain::read(rows, digest, {});
    const std::string kind(rows.text());
    if (inserter_.content_number(digest) > 0) continue;
    const auto bytes = rows.bytes();
    text.assign(bytes.begin(), bytes.end());
    if (kind == "message" && !archive.opened().decompressor.message(digest, bytes, text))
      archive.damaged("a message to a model cannot be read");
    if (hash::sha256(text) != digest) archive.damaged("a stored text is not what its digest says");
    inserter_.content(digest, kind,
                      kind == "message"
                          ? compressed_message(archive, archive::Decompressor::base_of(bytes), text)
                          : text);
    refuse_if_stopped(stop_);
  }
}

std::string MergedRows::compressed_message(const Archive& archive,
                                           const std::optional<hash::Digest>& base,
                                           const std::string& message) {
  // It stands before, so that it is there by now.
  if (!base || inserter_.content_number(*base) == 0) return compressor_.compress_message(message);
  const std::optional<std::string> text = archive.content(*base);
  if (!text) archive.damaged("a message to a model cannot be read");
  const archive::MessageBase known{*base, *text};
  return compressor_.compress_message(message, &known);
}

std::string MergedRows::compressed(const Archive& archive, std::int64_t scenario,
                                   const std::string& record) {
  // Its reader leaves what it cannot read as it is: with the zero of what is compressed.
  if (!record.empty() && record.front() == '\0') archive.damaged("a record cannot be read");
  return compressor_.compress_record(scenario, record);
}

void MergedRows::take_run(const Archive& archive, MergeSource& source, const archive::RunRow& run,
                          MatchCopy& rows) {
  archive::RunRow row = run;
  row.suite_number = inserter_.suite(source.suite);
  inserter_.note_asked();
  source.run_numbers[run.number] = inserter_.run(row);
  Statement ranges(archive.opened().db,
                   "select first, last from requested where run = ? order by first");
  ranges.bind(run.number);
  while (ranges.step()) {
    const std::int64_t first = ranges.integer();
    const archive::NumberRange range{first, std::min(ranges.integer(), source.last)};
    rows.copy(range, [&](std::int64_t matches) {
      summary_.matches += static_cast<std::uint64_t>(matches);
      refuse_if_stopped(stop_);
    });
    take_columns(archive, source, range);
  }
}

void MergedRows::take_columns(const Archive& archive, MergeSource& source,
                              const archive::NumberRange& range) {
  using Position = archive::ResultReader::PiecePosition;
  archive.opened().results.columns(
      range.first, 0, [&](const Position& at, const archive::ResultColumns& all) {
        if (at.first > range.last) return false;
        std::vector<std::size_t> wanted;
        for (std::size_t i = 0; i < all.matches; ++i)
          if (const auto number = at.first + static_cast<std::int64_t>(i);
              number >= range.first && number <= range.last && !source.left_out.contains(number))
            wanted.push_back(i);
        if (wanted.empty()) return true;
        archive::ResultColumns columns = all.some(wanted);
        columns.scenario = archive.row(source.scenarios, columns.scenario);
        for (auto& seated : columns.seated) {
          if (seated.focal) seated.focal = archive.row(source.agents, *seated.focal);
          for (std::int64_t& agent : seated.agents) agent = archive.row(source.agents, agent);
        }
        const auto& blocks = columns.integers[archive::ResultColumns::block];
        const auto count = static_cast<std::int64_t>(columns.matches);
        inserter_.columns(columns.scenario, count, *std::max_element(blocks.begin(), blocks.end()),
                          columns.encode());
        summary_.matches += columns.matches;
        refuse_if_stopped(stop_);
        return true;
      });
}

void MergedRows::claim_open(const MergeSource& source) {
  for (const auto& [match, sequence] : source.open) {
    const auto [at, is_new] = owners_.try_emplace(match, Owner{source.place, sequence});
    if (!is_new && sequence > at->second.sequence) at->second = {source.place, sequence};
  }
}

bool MergedRows::has(const archive::MatchId& match) {
  has_match_.bind(std::span(match.bytes));
  const bool found = has_match_.step();
  has_match_.reset();
  return found;
}

bool MergedRows::takes(const Archive& archive, const MergeSource& source,
                       const archive::MatchId& match) {
  if (match == archive::MatchId{}) return !source.is_contained();  // of a drift check
  if (const auto number = archive.matches().row_number(match))
    return *number <= source.last && !source.left_out.contains(*number);
  if (has(match)) return false;
  return owners_.try_emplace(match, Owner{source.place, -1}).first->second.place == source.place;
}

void MergedRows::take_rest(MergeSource& source) {
  const Archive archive = Archive::open(source.file);
  in_transaction([&] {
    archive.together([&] {
      if (!source.is_contained()) {
        take_open(archive, source);
        take_people(archive, source);
      }
      take_calls(archive, source);
      for (const auto& [match, row] : archive::branches_of(archive))
        if (takes(archive, source, match)) inserter_.branch(row);
    });
  });
}

void MergedRows::take_open(const Archive& archive, const MergeSource& source) {
  archive.matches().partials([&](archive::PartialMatch partial) {
    if (!source.open.contains(partial.key.id) || !takes(archive, source, partial.key.id)) return;
    renew(archive, source, partial.key, partial.focal);
    for (std::int64_t& agent : partial.agents) agent = archive.row(source.agents, agent);
    partial.record = compressed(archive, partial.key.scenario, partial.record);
    inserter_.partial(partial);
    ++summary_.partials;
    refuse_if_stopped(stop_);
  });
}

void MergedRows::take_calls(const Archive& archive, const MergeSource& source) {
  Statement rows(archive.opened().db,
                 "select " + archive::names_of<archive::CallRows>() + " from call order by number");
  archive::CallRow call;
  while (rows.step()) {
    archive::read_row<archive::CallRows>(rows, call);
    if (!archive.opened().lists.complete(call.messages))
      archive.damaged("the messages of a model call are not there");
    const auto run = source.run_numbers.find(call.run);
    if (run == source.run_numbers.end() || !takes(archive, source, call.match)) {
      if (call.answered && !call.is_from_cache()) {
        ++summary_.calls_left_out;
        summary_.cost_left_out = archive::add_capped(summary_.cost_left_out, call.cost.value_or(0));
      }
      continue;
    }
    call.run = run->second;
    inserter_.call(call);
    ++summary_.calls;
    refuse_if_stopped(stop_);
  }
}

std::string MergedRows::new_session(const archive::PersonRow& person) {
  const auto is_there = [&](const std::string& session) {
    has_session_.bind(session);
    const bool found = has_session_.step();
    has_session_.reset();
    return found;
  };
  std::string session = person.session;
  for (int n = 2; is_there(session); ++n) session = person.session + "-" + std::to_string(n);
  return session;
}

void MergedRows::take_people(const Archive& archive, const MergeSource& source) {
  archive::Connection& db = archive.opened().db;
  // Sessions are numbered in each archive: the same name is another person's.
  std::map<std::string, std::string> sessions;
  Statement people(db, "select " + archive::names_of<archive::PersonRows>() + " from person");
  archive::PersonRow person;
  while (people.step()) {
    archive::read_row<archive::PersonRows>(people, person);
    const std::string session = new_session(person);
    sessions[person.session] = session;
    person.session = session;
    inserter_.person(person);
    refuse_if_stopped(stop_);
  }
  Statement answers(db, "select " + archive::names_of<archive::PersonAnswerRows>() +
                            " from person_answer order by number");
  archive::PersonAnswer answer;
  while (answers.step()) {
    archive::read_row<archive::PersonAnswerRows>(answers, answer);
    if (!takes(archive, source, answer.match)) continue;
    const auto session = sessions.find(answer.session);
    if (session == sessions.end()) archive.damaged("an answer refers to a missing session");
    answer.session = session->second;
    inserter_.person_answer(answer);
    refuse_if_stopped(stop_);
  }
}

void MergedRows::enter(archive::RunRow run, const archive::SuiteRow& suite) {
  in_transaction([&] {
    run.suite_number = inserter_.suite(suite);
    inserter_.run(run);
  });
}

void MergedRows::close() {
  db_.keep_log();
  // Indices, which SQLite has made here, are not compared with their tables.
  Statement rows(db_, "pragma main.quick_check(1)");
  while (rows.step())
    if (rows.text() != "ok") db_.fail(SQLITE_CORRUPT);
}

}  // namespace agon

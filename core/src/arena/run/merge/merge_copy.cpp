#include "run/merge/merge_copy.hpp"

#include <agon/error.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "archive/matches/match_reader.hpp"
#include "archive/open_archive.hpp"
#include "archive/tables.hpp"

namespace agon {
namespace {

using archive::NumberRange;
using archive::Statement;

constexpr const char* kSource = "source";
constexpr const char* kScenario = "scenario_here";
constexpr const char* kAgent = "agent_here";
constexpr const char* kRecord = "record_here";
/// So many matches are copied by one statement.
constexpr std::int64_t kMatches = 1000;

/// The statement that copies rows whose match has a number from ?2 to ?3, which rises by ?1.
/// `key`: columns before those of the table, of which the first has the number.
template <class Table>
std::string copying(const std::string& key, const std::string& others = "") {
  std::string values = key + " + ?1" + others;
  archive::each_column<Table>([&](const auto& at) {
    const std::string name(at.name);
    values += ", ";
    if (name == "scenario")
      values.append(kScenario).append("(scenario)");
    else if (name == "agent" || name == "focal")
      values.append(kAgent).append("(").append(name).append(")");
    else
      values += name;
  });
  return "insert into main." + std::string(Table::name) + " (" + key + others + ", " +
         archive::names_of<Table>() + ") select " + values + " from " + kSource + "." +
         std::string(Table::name) + " where " + key + " between ?2 and ?3 order by " + key + others;
}

}  // namespace

struct MatchCopy::Statements {
  explicit Statements(archive::Connection& db)
      : numbers(db, std::string("select number from ") + kSource +
                        ".match where number between ? and ? order by number"),
        match(db, copying<archive::MatchRows>("number") + " on conflict (id) do nothing"),
        seat(db, copying<archive::SeatRows>("match", ", seat")),
        record(db, std::string("insert into main.record (match, bytes) select match + ?1, ") +
                       kRecord + "(bytes) from " + kSource +
                       ".record where match between ?2 and ?3 order by match") {}

  Statement numbers, match, seat, record;
};

MatchCopy::MatchCopy(archive::Connection& to, archive::Inserter& inserter,
                     const archive::Archive& from, const MergeSource& source,
                     const std::map<std::int64_t, std::int64_t>& dictionaries)
    : to_(to), inserter_(inserter), from_(from), source_(source), dictionaries_(dictionaries) {
  to_.attach(from.opened().db, kSource);
  add_function(kScenario, &MatchCopy::scenario);
  add_function(kAgent, &MatchCopy::agent);
  add_function(kRecord, &MatchCopy::record);
  statements_ = std::make_unique<Statements>(to_);
}

MatchCopy::~MatchCopy() {
  statements_.reset();
  try {
    to_.detach(kSource);
  } catch (const Error&) {
    // Copying failed inside a transaction: it ends with the connection.
  }
}

void MatchCopy::add_function(const char* name, Function function) {
  if (const int code =
          sqlite3_create_function_v2(to_.get(), name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, this,
                                     function, nullptr, nullptr, nullptr);
      code != SQLITE_OK)
    to_.fail(code);
}

template <class Work>
void MatchCopy::answer(sqlite3_context* context, const Work& work) {
  auto& copy = *static_cast<MatchCopy*>(sqlite3_user_data(context));
  try {
    work(copy);
  } catch (...) {
    copy.failure_ = std::current_exception();
    sqlite3_result_error_code(context, SQLITE_ABORT);
  }
}

void MatchCopy::scenario(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  answer(context, [&](const MatchCopy& copy) {
    sqlite3_result_int64(context,
                         copy.from_.row(copy.source_.scenarios, sqlite3_value_int64(values[0])));
  });
}

void MatchCopy::agent(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  answer(context, [&](const MatchCopy& copy) {
    if (sqlite3_value_type(values[0]) == SQLITE_NULL)
      sqlite3_result_null(context);
    else
      sqlite3_result_int64(context,
                           copy.from_.row(copy.source_.agents, sqlite3_value_int64(values[0])));
  });
}

void MatchCopy::record(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  answer(context, [&](MatchCopy& copy) {
    const auto* data = static_cast<const unsigned char*>(sqlite3_value_blob(values[0]));
    const std::span bytes(data, static_cast<std::size_t>(sqlite3_value_bytes(values[0])));
    std::optional<std::string> here;
    if (copy.from_.opened().decompressor.decompress(bytes, copy.record_))
      here = archive::Decompressor::renumbered(bytes, [&](std::int64_t dictionary) {
        return copy.from_.row(copy.dictionaries_, dictionary);
      });
    if (!here) copy.from_.damaged("a record cannot be read");
    sqlite3_result_blob64(context, here->data(), here->size(), SQLITE_TRANSIENT);
  });
}

void MatchCopy::copy(const NumberRange& range, const std::function<void(std::int64_t)>& each) {
  NumberRange next;  // of matches that follow one another
  const auto take = [&] {
    if (next.first == 0) return;
    copy_run(next);
    each(next.last - next.first + 1);
  };
  Statement& numbers = statements_->numbers;
  numbers.bind(range.first).bind(range.last);
  while (numbers.step()) {
    const std::int64_t number = numbers.integer();
    if (source_.left_out.contains(number)) continue;
    if (next.first == 0 || number != next.last + 1 || number >= next.first + kMatches) {
      take();
      next.first = number;
    }
    next.last = number;
  }
  take();
}

void MatchCopy::copy_run(const NumberRange& range) {
  const std::int64_t count = range.last - range.first + 1;
  const std::int64_t first = inserter_.number_next(count);
  const std::int64_t shift = first - range.first;
  if (run(statements_->match, shift, range) != count) refuse_repeated(range, first);
  run(statements_->seat, shift, range);
  run(statements_->record, shift, range);
}

std::int64_t MatchCopy::run(Statement& statement, std::int64_t shift, const NumberRange& range) {
  try {
    return statement.bind(shift).bind(range.first).bind(range.last).changes();
  } catch (const Error&) {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    throw;
  }
}

void MatchCopy::refuse_repeated(const NumberRange& range, std::int64_t first) {
  Statement repeated(to_, std::string("select s.id from ") + kSource +
                              ".match s join main.match m on m.id = s.id where s.number between ? "
                              "and ? and m.number < ? limit 1");
  repeated.bind(range.first).bind(range.last).bind(first);
  if (!repeated.step()) from_.damaged("a match cannot be copied");
  throw Error(
      ErrorKind::invalid,
      "match " + archive::read_id(repeated).hex() + " is in an archive of another shard too",
      source_.file, "leave out the archive that holds matches of two shards");
}

}  // namespace agon

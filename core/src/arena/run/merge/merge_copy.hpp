#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "archive/archive.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/insert.hpp"
#include "archive/rows.hpp"
#include "run/merge/merge_rows.hpp"

namespace agon {

/// Copies finished matches with their seats and records from one archive into another as they are
/// stored: SQLite moves the rows, and records stay compressed. Only numbers of other rows change.
/// What the rows say is checked by who reads them.
class MatchCopy {
 public:
  /// Until its end `to`, which is in no transaction, has `from` attached. All must outlive it;
  /// `dictionaries`: numbers there to numbers here.
  MatchCopy(archive::Connection& to, archive::Inserter& inserter, const archive::Archive& from,
            const MergeSource& source, const std::map<std::int64_t, std::int64_t>& dictionaries);
  ~MatchCopy();
  MatchCopy(const MatchCopy&) = delete;
  MatchCopy& operator=(const MatchCopy&) = delete;

  /// Copies the matches of these numbers that are not left out, in their order, and calls `each`
  /// with how many, some at a time. Throws Error where the archive is damaged, and where a match is
  /// there already.
  void copy(const archive::NumberRange& range, const std::function<void(std::int64_t)>& each);

 private:
  using Function = void (*)(sqlite3_context*, int, sqlite3_value**);

  void add_function(const char* name, Function function);
  // What statements call. Errors of `work` end the statement, and are thrown by run().
  template <class Work>
  static void answer(sqlite3_context* context, const Work& work);
  static void scenario(sqlite3_context* context, int count, sqlite3_value** values);
  static void agent(sqlite3_context* context, int count, sqlite3_value** values);
  static void record(sqlite3_context* context, int count, sqlite3_value** values);

  /// Without gaps.
  void copy_run(const archive::NumberRange& run);
  std::int64_t run(archive::Statement& statement, std::int64_t shift,
                   const archive::NumberRange& run);
  [[noreturn]] void refuse_repeated(const archive::NumberRange& run, std::int64_t first);

  archive::Connection& to_;
  archive::Inserter& inserter_;
  const archive::Archive& from_;
  const MergeSource& source_;
  const std::map<std::int64_t, std::int64_t>& dictionaries_;
  /// The statements are closed before their database is detached.
  struct Statements;
  std::unique_ptr<Statements> statements_;
  std::string record_;          // decompressed, to see that it can be
  std::exception_ptr failure_;  // of a function that a statement called
};

}  // namespace agon

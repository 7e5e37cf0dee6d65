#pragma once

#include <sqlite3.h>

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "archive/database/file.hpp"

namespace agon::archive {

class Connection;

/// A prepared statement. Parameters and columns are taken in order: `bind` goes on to the next
/// parameter, `read` to the next column. Failures are thrown as Error, see Connection::fail.
class AGON_API Statement {
 public:
  Statement(Connection& db, std::string_view sql);

  /// Binds the next parameter. NaN is stored as NULL. Texts and bytes must live until the statement
  /// has run.
  template <std::integral Integer>
  Statement& bind(Integer value) {
    return bind_integer(static_cast<std::int64_t>(value));
  }
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind(const char* text) { return bind(std::string_view(text)); }
  Statement& bind(std::span<const std::uint8_t> bytes);
  /// Binds `value`, or NULL when there is none.
  template <class T>
  Statement& bind(const std::optional<T>& value) {
    return value ? bind(*value) : bind_null();
  }
  /// Binds a text as bytes.
  Statement& bind_bytes(std::string_view bytes);
  /// Binds a text that need not live on.
  Statement& bind_copy(std::string_view text);
  Statement& bind_null();

  /// Goes to the next row; false when there is none, and the statement can then be bound again.
  bool step();
  /// Runs a statement that gives no rows.
  void run();
  /// Runs it and says how many rows it changed.
  std::int64_t changes();
  /// Forgets rows not yet read, so that it can be bound again.
  void reset();

  /// The next column of the row. Views are valid until the next step or reset. NULL reads as 0, as
  /// NaN and as empty.
  std::int64_t integer();
  /// The same, for a number that must be within lowest..highest: throws Error for a damaged
  /// archive.
  std::int64_t integer(std::int64_t lowest, std::int64_t highest);
  /// Refuses infinities, which nothing writes, like a number out of range.
  double number();
  std::string_view text();
  std::span<const std::uint8_t> bytes();
  /// The same, of exactly this size: throws Error for a damaged archive.
  std::span<const std::uint8_t> bytes(std::size_t size);
  /// True if the next column is NULL; stays at that column.
  [[nodiscard]] bool null() const;
  void skip() { ++column_; }
  /// Throws Error: the column that was read last is `what`.
  [[noreturn]] void refuse(std::string_view what) { refuse(column_ - 1, what); }

 private:
  Statement& bind_integer(std::int64_t value);
  void check(int code);
  void take(std::size_t bytes);
  [[noreturn]] void refuse(int column, std::string_view what);

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  Connection* db_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int parameter_ = 0;
  int column_ = 0;
  // Bytes of texts and blobs and one a row, since the reset, and how many there may be.
  static constexpr std::uint64_t unsuspicious = 1U << 20U;
  std::uint64_t taken_ = 0;
  std::uint64_t most_ = unsuspicious;
};

/// How a database file is opened.
enum class OpenMode : std::uint8_t {
  read,       ///< it must exist, and statements that change it are refused
  write,      ///< it is made when it does not exist
  memory,     ///< a new database without a file; the path is not looked at
  immutable,  ///< as `read`, for a file that nobody changes, in a folder without write permission
};

/// A connection to one SQLite database; used by one thread at a time.
///
/// The file may come from a stranger: what it says is data, and nothing in it may act. Triggers and
/// views are off, extensions too; a statement that takes more steps or gives more bytes than a file
/// of this size can ask for ends with an Error, and so does one that asks for more memory than any
/// archive needs.
class Connection {
 public:
  /// Opens the file; nothing is read from it yet. Throws Error.
  AGON_API Connection(const std::filesystem::path& path, OpenMode access);

  [[nodiscard]] sqlite3* get() const { return db_.get(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Runs statements without parameters and drops their rows.
  AGON_API void run(const char* sql);
  /// The one integer that `sql` asks for.
  AGON_API std::int64_t integer(std::string_view sql);
  /// Statements may read the database of another connection too, as `name`, until `detach`. Both
  /// outside a transaction.
  void attach(const Connection& other, std::string_view name);
  void detach(std::string_view name);
  /// For a file that is made again if this process ends early: what is written goes to it at once,
  /// without a log, and cannot be taken back. `keep_log` ends that.
  void drop_log();
  void keep_log();
  /// True inside a transaction.
  [[nodiscard]] bool in_transaction() const { return sqlite3_get_autocommit(get()) == 0; }
  /// Leaves a transaction, if one is open, without its changes. Never throws.
  AGON_API void roll_back() noexcept;
  /// Brings the write-ahead log, and so every commit so far, to the disk.
  void sync_log();
  /// True while a log beside the main file holds something.
  [[nodiscard]] bool has_log() const;
  /// How many bytes the database has, its log included: more than any statement can give.
  [[nodiscard]] std::uint64_t size() const noexcept;
  /// Bytes in the main file; `head` is filled with its beginning (zeros past its end).
  std::uint64_t file_size(std::span<char> head);

  /// What SQLite's result `code` means for this file, in plain words: disk full, damaged,
  /// read-only, in use and so on.
  Error error(int code);
  [[noreturn]] void fail(int code) { throw error(code); }

 private:
  friend class Statement;
  int system_error(int code);
  void harden();
  // A statement is about to take a step.
  void start_step() { step_->periods = 0; }

  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  // What SQLite calls back with: it stays where it is when the connection moves.
  struct StepContext {
    sqlite3* db;
    std::filesystem::path log;
    std::uint64_t periods;  // of the step that is being taken
  };
  static std::uint64_t size_of(const StepContext& step) noexcept;
  static int end_of_period(void* step) noexcept;

  std::filesystem::path path_;
  std::unique_ptr<StepContext> step_;
  std::unique_ptr<OpenedFile> opened_;
  std::unique_ptr<sqlite3, Close> db_;  // goes first
};

/// What is wrong with an archive that holds what none of ours holds.
Error damaged(const std::filesystem::path& path, std::string_view what);

/// The Error for a SQLite result code; `detail` is SQLite's own message, `system_error` an errno or
/// 0.
AGON_API Error database_error(int code, const std::filesystem::path& path, std::string_view detail,
                              int system_error);

}  // namespace agon::archive

#include "archive/database/sqlite.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <utility>

namespace agon::archive {
namespace {

/// After so many operations of its machine SQLite asks whether to go on.
constexpr int kOperationsAPeriod = 10'000;

}  // namespace

Statement::Statement(Connection& db, std::string_view sql) : db_(&db) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  check(code);
}

void Statement::check(int code) {
  if (code != SQLITE_OK) db_->fail(code);
}

Statement& Statement::bind_integer(std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), ++parameter_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  if (std::isnan(value)) return bind_null();
  check(sqlite3_bind_double(statement_.get(), ++parameter_, value));
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  // A null pointer would be bound as NULL.
  const char* data = text.data() == nullptr ? "" : text.data();
  check(sqlite3_bind_text64(statement_.get(), ++parameter_, data, text.size(), SQLITE_STATIC,
                            SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(std::span<const std::uint8_t> bytes) {
  const void* data = bytes.data() == nullptr ? "" : static_cast<const void*>(bytes.data());
  check(
      sqlite3_bind_blob64(statement_.get(), ++parameter_, data, bytes.size_bytes(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  const char* data = bytes.data() == nullptr ? "" : bytes.data();
  check(sqlite3_bind_blob64(statement_.get(), ++parameter_, data, bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_copy(std::string_view text) {
  check(sqlite3_bind_text64(statement_.get(), ++parameter_, text.data(), text.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_null() {
  check(sqlite3_bind_null(statement_.get(), ++parameter_));
  return *this;
}

bool Statement::step() {
  column_ = 0;
  db_->start_step();
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) {
    take(1);
    return true;
  }
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  const Error error = db_->error(code);  // before the reset, which may replace the message
  reset();
  throw error;
}

void Statement::run() {
  while (step()) {
  }
}

std::int64_t Statement::changes() {
  run();
  return sqlite3_changes64(db_->get());
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  parameter_ = 0;
  column_ = 0;
  taken_ = 0;
}

// Pages that point at one another give rows without end, out of a small file.
void Statement::take(std::size_t bytes) {
  taken_ += bytes;
  if (taken_ <= most_) return;
  most_ = unsuspicious + db_->size();  // which may have grown
  if (taken_ > most_) throw damaged(db_->path(), "it gives more than it holds");
}

void Statement::refuse(int column, std::string_view what) {
  const char* name = sqlite3_column_name(statement_.get(), column);
  throw damaged(db_->path(), "'" + std::string(name == nullptr ? "?" : name) + "' of a row is " +
                                 std::string(what));
}

std::int64_t Statement::integer() {
  return sqlite3_column_int64(statement_.get(), column_++);
}

std::int64_t Statement::integer(std::int64_t lowest, std::int64_t highest) {
  const int column = column_;
  const std::int64_t value = integer();
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER)
    refuse(column, "no whole number");
  if (value < lowest || value > highest) refuse(column, std::to_string(value));
  return value;
}

double Statement::number() {
  const int column = column_++;
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nan("");
  const double value = sqlite3_column_double(statement_.get(), column);
  if (std::isinf(value)) refuse(column, "infinite");
  return value;
}

std::string_view Statement::text() {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column_));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column_++));
  take(size);
  return data == nullptr ? std::string_view() : std::string_view(data, size);
}

std::span<const std::uint8_t> Statement::bytes() {
  const auto* data =
      static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column_));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column_++));
  take(size);
  if (data == nullptr) return {};
  return {data, size};
}

std::span<const std::uint8_t> Statement::bytes(std::size_t size) {
  const int column = column_;
  const auto found = bytes();
  if (found.size() != size) refuse(column, std::to_string(found.size()) + " bytes long");
  return found;
}

bool Statement::null() const {
  return sqlite3_column_type(statement_.get(), column_) == SQLITE_NULL;
}

namespace {

// A path as a URI; only URIs can say that a file is immutable.
std::string immutable_uri(const std::filesystem::path& path) {
  std::string uri = "file:";
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += digits[byte >> 4U];
      uri += digits[byte & 0xFU];
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

Connection::Connection(const std::filesystem::path& path, OpenMode access) : path_(path) {
  // Readers too may write where they can: the last one to close removes the log, and a log that a
  // killed run left behind is taken in. SQLite falls back to reading alone without permission.
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (access == OpenMode::immutable)
    flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  else if (access == OpenMode::memory)
    flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
  else
    flags |=
        SQLITE_OPEN_READWRITE |
        (access == OpenMode::write ? SQLITE_OPEN_CREATE | SQLITE_OPEN_URI : 0);  // for attach()
  std::string name = path.string();
  if (access == OpenMode::immutable) {
    name = immutable_uri(path);
  } else if (!path.is_absolute()) {
    name = "./" + name;  // so that no name means anything special to SQLite
  }
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &db, flags, nullptr);
  db_.reset(db);
  if (code != SQLITE_OK) fail(code);
  // It has no lock until it reads.
  if (access != OpenMode::memory) opened_ = std::make_unique<OpenedFile>(path_);
  harden();
  sqlite3_busy_timeout(db, 10'000);
  if (access == OpenMode::write && sqlite3_db_readonly(db, "main") == 1) fail(SQLITE_READONLY);
  if (access == OpenMode::read) run("pragma query_only = on");
}

void Connection::harden() {
  // For the whole process: what an archive makes SQLite hold, above all in its schema. A reader of
  // a million matches takes less than 10 MB, a run with its cache of 64 MB less than 100 MB.
  constexpr sqlite3_int64 most_memory = sqlite3_int64{320} << 20U;
  sqlite3_hard_heap_limit64(most_memory);
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0}})
    sqlite3_db_config(get(), option, value, nullptr);
  for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, 1 << 28},
                                     {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                     {SQLITE_LIMIT_COLUMN, 100},
                                     {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                     {SQLITE_LIMIT_COMPOUND_SELECT, 10},
                                     {SQLITE_LIMIT_VDBE_OP, 100'000},
                                     {SQLITE_LIMIT_FUNCTION_ARG, 20},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
                                     {SQLITE_LIMIT_VARIABLE_NUMBER, 100},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}})
    sqlite3_limit(get(), limit, value);
  std::filesystem::path log = path_;
  log += "-wal";
  step_ = std::make_unique<StepContext>(StepContext{get(), std::move(log), 0});
  sqlite3_progress_handler(get(), kOperationsAPeriod, &end_of_period, step_.get());
  run("pragma cell_size_check = on");
}

std::uint64_t Connection::size() const noexcept {
  return size_of(*step_);
}

std::uint64_t Connection::size_of(const StepContext& step) noexcept {
  sqlite3_file* file = nullptr;
  sqlite3_int64 size = 0;
  if (sqlite3_file_control(step.db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr ||
      file->pMethods->xFileSize(file, &size) != SQLITE_OK)
    return 0;
  std::error_code code;
  const auto log = std::filesystem::file_size(step.log, code);
  return static_cast<std::uint64_t>(size) + (code ? 0 : log);
}

// One step may have to look at every byte of the file, as one that sorts does, a few times over.
int Connection::end_of_period(void* of) noexcept {
  constexpr std::uint64_t unsuspicious = 2000;  // 20 million operations: half a second
  constexpr std::uint64_t operations_a_byte = 8;
  StepContext& step = *static_cast<StepContext*>(of);
  if (++step.periods <= unsuspicious) return 0;
  const std::uint64_t most = size_of(step) * operations_a_byte / kOperationsAPeriod;
  return step.periods > unsuspicious + most ? 1 : 0;
}

void Connection::run(const char* sql) {
  start_step();
  const int code = sqlite3_exec(get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Connection::integer(std::string_view sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer() : 0;
}

void Connection::attach(const Connection& other, std::string_view name) {
  sqlite3_limit(get(), SQLITE_LIMIT_ATTACHED, 1);
  const char* file = sqlite3_db_filename(other.get(), "main");
  const bool is_immutable = sqlite3_uri_boolean(file, "immutable", 0) != 0;
  const std::string whole = is_immutable ? immutable_uri(other.path()) : std::string(file);
  Statement(*this, "attach ? as ?").bind(whole).bind(name).run();
}

void Connection::detach(std::string_view name) {
  Statement(*this, "detach ?").bind(name).run();
}

void Connection::drop_log() {
  // Which defence forbids, as a foreign statement may not do so.
  sqlite3_db_config(get(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
  run("pragma main.journal_mode = off");
  sqlite3_db_config(get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

void Connection::keep_log() {
  run("pragma main.journal_mode = wal");
}

void Connection::roll_back() noexcept {
  if (in_transaction()) sqlite3_exec(get(), "rollback", nullptr, nullptr, nullptr);
}

void Connection::sync_log() {
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(get(), "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (code == SQLITE_OK && file != nullptr && file->pMethods != nullptr)
    code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  if (code != SQLITE_OK)
    throw database_error(code, path_, sqlite3_errstr(code), system_error(code));
}

bool Connection::has_log() const {
  std::filesystem::path log = path_;
  log += "-wal";
  std::error_code code;
  const auto size = std::filesystem::file_size(log, code);
  return !code && size > 0;
}

std::uint64_t Connection::file_size(std::span<char> head) {
  // Through SQLite's own handle: closing a second one would drop the locks of this process.
  std::fill(head.begin(), head.end(), '\0');
  sqlite3_file* file = nullptr;
  sqlite3_int64 size = 0;
  if (sqlite3_file_control(get(), "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr ||
      file->pMethods->xFileSize(file, &size) != SQLITE_OK)
    return 0;
  file->pMethods->xRead(file, head.data(), static_cast<int>(head.size()), 0);
  return static_cast<std::uint64_t>(size);
}

Error Connection::error(int code) {
  if (get() == nullptr) return database_error(code, path_, sqlite3_errstr(code), 0);
  return database_error(code, path_, sqlite3_errmsg(get()), system_error(code));
}

// SQLite's own answer is often 0, although the file that failed remembers.
int Connection::system_error(int code) {
  if ((code & 0xFF) != SQLITE_IOERR) return sqlite3_system_errno(get());
  for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
    sqlite3_file* file = nullptr;
    int number = 0;
    if (sqlite3_file_control(get(), "main", which, &file) == SQLITE_OK && file != nullptr &&
        file->pMethods != nullptr &&
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK &&
        number != 0)
      return number;
  }
  return sqlite3_system_errno(get());
}

Error database_error(int code, const std::filesystem::path& path, std::string_view detail,
                     int system_error) {
  const std::string cause =
      system_error == 0 ? std::string(detail) : std::generic_category().message(system_error);
  const auto failure = [&](std::string problem, std::string hint) {
    return Error(ErrorKind::failure, std::move(problem), path.string(), std::move(hint));
  };
  if (code == SQLITE_READONLY_DIRECTORY) code = SQLITE_CANTOPEN;
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return failure("the disk is full; finished matches are kept",
                     "free some space and run the command again to resume");
    case SQLITE_NOTADB:
      return failure("this is not an Agon archive",
                     "give the file that 'agon run --out' wrote, or another name for a new one");
    case SQLITE_CORRUPT:
      return failure("the archive is damaged or cut short",
                     "take a copy from before the damage, or rescue what is left with "
                     "`sqlite3 FILE .recover`");
    case SQLITE_READONLY:
      return failure("the archive cannot be written: no permission",
                     "change the permissions of the file and its folder, or choose another place");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return failure("another program holds the archive",
                     "close what is open on it, such as a database browser, and try again");
    case SQLITE_CANTOPEN:
      return failure("the archive cannot be opened: " + cause,
                     system_error == EMFILE
                         ? "too many files may be open; see 'ulimit -n', or play with fewer --jobs"
                         : "check that the file and its folder exist and may be read and written");
    case SQLITE_IOERR:
      if (system_error == EFBIG)
        return failure("the archive may not grow: the limit on file sizes is reached",
                       "raise the limit (`ulimit -f`) and run the same command again");
      if (system_error == ENOSPC || system_error == EDQUOT)
        return database_error(SQLITE_FULL, path, detail, 0);
      return failure("reading or writing the archive failed: " + cause,
                     "check the disk; finished matches are kept");
    case SQLITE_NOMEM:
      return failure("out of memory for the archive", "close other programs or run fewer jobs");
    case SQLITE_INTERRUPT:
      return damaged(path, "reading it does not come to an end");
    case SQLITE_TOOBIG:
      return failure("a text or a list of bytes is too long for an archive", "split it");
    default:
      return failure("the archive refused an operation: " + std::string(detail), "");
  }
}

Error damaged(const std::filesystem::path& path, std::string_view what) {
  return {ErrorKind::failure, "the archive is damaged: " + std::string(what), path.string(),
          "take a copy from before the damage"};
}

}  // namespace agon::archive

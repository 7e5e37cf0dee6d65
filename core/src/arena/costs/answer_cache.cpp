#include "costs/answer_cache.hpp"

#include <agon/error.hpp>
#include <agon/secrets.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "archive/database/table.hpp"
#include "archive/rows.hpp"
#include "archive/tables.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

using archive::column;
using archive::Connection;
using archive::Statement;

constexpr std::int64_t kCacheApplication = 0x41674361;  // "AgCa"
constexpr std::int64_t kCacheVersion = 1;

/// An answer, under the digest of its request.
struct AnswerRow {
  hash::Digest request{};
  bool is_sampled = false;
  ModelCall call{};
  std::optional<std::int64_t> cost{};  ///< billionths of a US dollar; none: not known
};

template <class Member>
constexpr auto of_answer(std::string_view name, Member ModelCall::*member) {
  return column(name, &AnswerRow::call, member);
}
constexpr auto tokens_of_answer(std::string_view name, std::int64_t TokenUsage::*member) {
  return column(name, &AnswerRow::call, &ModelCall::usage, member)
      .by(archive::form::CountOrNull{})
      .between(0, archive::kMostTokens);
}

struct AnswerRows {
  using Row = AnswerRow;
  static constexpr std::string_view name = "answer";
  static constexpr std::tuple columns{
      column("request", &Row::request).as("blob primary key"),
      column("sampled", &Row::is_sampled),
      of_answer("provider", &ModelCall::provider),
      of_answer("model", &ModelCall::model),
      of_answer("text", &ModelCall::text),
      of_answer("reasoning", &ModelCall::reasoning),
      of_answer("finish", &ModelCall::finish),
      of_answer("served_model", &ModelCall::served_model),
      of_answer("fingerprint", &ModelCall::fingerprint),
      of_answer("request_id", &ModelCall::request_id),
      tokens_of_answer("input_tokens", &TokenUsage::input),
      tokens_of_answer("output_tokens", &TokenUsage::output),
      tokens_of_answer("cached_tokens", &TokenUsage::cached),
      tokens_of_answer("reasoning_tokens", &TokenUsage::thought),
      column("cost", &Row::cost).between(0, std::numeric_limits<std::int64_t>::max()),
      of_answer("fault", &ModelCall::fault).by(archive::form::EnumName{}),
      of_answer("problem", &ModelCall::problem),
      of_answer("answered", &ModelCall::started).between(0, archive::kLastTime)};
};

bool is_empty(Connection& db) {
  return db.integer("select count(*) from sqlite_schema") == 0 &&
         db.integer("pragma application_id") == 0;
}

/// Makes the table where there is nothing yet. Two runs may do so at once: the second finds it.
void make_table(Connection& db) {
  if (!is_empty(db)) return;
  try {
    db.run("begin immediate");
    if (is_empty(db)) {
      db.run(archive::create_table<AnswerRows>({}, "", " strict, without rowid").c_str());
      db.run(("pragma application_id = " + std::to_string(kCacheApplication) +
              "; pragma user_version = " + std::to_string(kCacheVersion))
                 .c_str());
    }
    db.run("commit");
  } catch (...) {
    db.roll_back();
    throw;
  }
}

/// What an error of the database says, which speaks of archives, for a cache of answers.
std::string cache_problem(const Error& error) {
  constexpr std::string_view kArchive = "the archive";
  std::string words = error.problem();
  for (std::size_t at = words.find(kArchive); at != std::string::npos;
       at = words.find(kArchive, at))
    words.replace(at, kArchive.size(), "it");
  return words;
}

/// Calls `work`, and says in an error what is wrong with the cache; `db`: null while it is opened.
template <class Work>
auto with_cache_errors(const std::filesystem::path& path, sqlite3* db, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    constexpr const char* kHint = "give another file with --cache, or leave it out";
    if (db != nullptr && (sqlite3_errcode(db) & 0xFF) == SQLITE_NOTADB)
      throw Error(ErrorKind::failure, "this is no file of cached answers", path.string(), kHint);
    throw Error(error.kind(), "the file of cached answers cannot be used: " + cache_problem(error),
                path.string(), kHint);
  }
}

Connection open_cache(const std::filesystem::path& file, archive::OpenMode mode) {
  return with_cache_errors(file, nullptr, [&] { return Connection(file, mode); });
}

void check_cache(Connection& db) {
  if (db.integer("pragma application_id") != kCacheApplication)
    throw Error(ErrorKind::failure, "it is of another kind");
  if (const std::int64_t found = db.integer("pragma user_version"); found != kCacheVersion)
    throw Error(ErrorKind::failure, "it has version " + std::to_string(found) +
                                        ", and this Agon uses version " +
                                        std::to_string(kCacheVersion));
}

}  // namespace

AnswerCache::AnswerCache(const std::filesystem::path& file, bool for_sampling)
    : for_sampling_(for_sampling), db_(open_cache(file, archive::OpenMode::write)) {
  with_cache_errors(file, db_.get(), [&] {
    make_table(db_);
    check_cache(db_);
    // Another run that is doing the same keeps this from being done, which is as good.
    sqlite3_exec(db_.get(), "pragma journal_mode = wal", nullptr, nullptr, nullptr);
    db_.run("pragma synchronous = normal");
    find_.emplace(db_,
                  "select " + archive::names_of<AnswerRows>() + " from answer where request = ?");
    insert_.emplace(db_, archive::insert_into<AnswerRows>({}, "insert or ignore"));
  });
}

AnswerCache::~AnswerCache() = default;

hash::Digest AnswerCache::digest_of(const ModelCall& request, std::string_view place) {
  hash::Sha256 sha;
  const auto add = [&](std::string_view part) {
    sha.update(std::to_string(part.size()) + ":");
    sha.update(part);
  };
  for (const std::string* part :
       {&request.provider, &request.endpoint, &request.model, &request.parameters})
    add(*part);
  add(place);
  for (const ChatMessage& message : request.messages) {
    add(message.role);
    add(message.text);
  }
  return sha.digest();
}

void AnswerCache::give_up(const std::string& why) {
  is_usable_ = false;
  text::say("warning: {}: cached answers are not used any more: {}\n",
            text::printable(db_.path().string()), text::printable(why));
}

std::optional<ModelCall> AnswerCache::find(const hash::Digest& request) {
  const std::lock_guard lock(mutex_);
  if (!is_usable_) return std::nullopt;
  try {
    find_->reset();
    find_->bind(std::span(request));
    if (!find_->step()) return std::nullopt;
    AnswerRow row;
    archive::read_row<AnswerRows>(*find_, row);
    find_->reset();
    row.call.provider_cost = row.cost.value_or(-1);
    return std::move(row.call);
  } catch (const Error& error) {
    give_up(cache_problem(error));
    return std::nullopt;
  }
}

void AnswerCache::add(const hash::Digest& request, const ModelCall& answer,
                      const std::optional<std::int64_t>& cost, bool is_sampled) {
  if (answer.text.empty() && answer.reasoning.empty()) return;
  AnswerRow row{.request = request, .is_sampled = is_sampled, .call = answer, .cost = cost};
  for (std::string* text : {&row.call.text, &row.call.reasoning, &row.call.problem})
    *text = secrets::cut(std::move(*text));
  const std::lock_guard lock(mutex_);
  if (!is_usable_) return;
  try {
    insert_->reset();
    archive::bind_row<AnswerRows>(*insert_, row).run();
  } catch (const Error& error) {
    give_up(cache_problem(error));
  }
}

std::map<std::string, AnswerCache::ModelAnswers> AnswerCache::contents(
    const std::filesystem::path& file) {
  if (std::error_code none; !std::filesystem::exists(file, none))
    throw Error(ErrorKind::failure, "file of cached answers not found", file.string(),
                "'agon run SUITE --cache FILE' makes it");
  Connection db = open_cache(file, archive::OpenMode::read);
  return with_cache_errors(file, db.get(), [&] {
    check_cache(db);
    std::map<std::string, ModelAnswers> all;
    Statement rows(
        db, "select provider || '/' || model, count(*), sum(sampled) from answer group by 1");
    while (rows.step()) {
      ModelAnswers& answers = all[std::string(rows.text())];
      answers.answers = rows.integer(0, archive::kMostCount);
      answers.sampled = rows.integer(0, archive::kMostCount);
    }
    return all;
  });
}

}  // namespace agon

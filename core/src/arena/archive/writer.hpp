#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "archive/calls.hpp"
#include "archive/compression.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

struct ResultColumns;

/// How a Writer groups its commits.
struct WriterOptions {
  /// The longest that a finished match waits for its group to be committed. The first groups wait
  /// for less, so that a process that soon goes down has kept something.
  std::chrono::milliseconds group_time{200};
  /// About how many bytes may wait in the queue; a thread that adds more waits.
  std::size_t queue_bytes = std::size_t{16} << 20U;
  /// True from the moment on at which the archive is another run's: nothing more is written, and
  /// its log stays as it is. Null: never.
  const std::atomic<bool>* lost = nullptr;
};

/// What a writer was given and what it has committed since it began.
struct WriterProgress {
  std::atomic<std::uint64_t> queued{0};
  std::atomic<std::uint64_t> committed{0};
};

/// Writes an archive. It holds the lock that makes it the only writer, and one thread that owns the
/// database; its functions may be called from any number of threads at once.
///
/// Finished matches are queued and committed in groups: they survive the end of the process from
/// then on, and loss of power from the next flush or save_partial on. What a caller must not lose
/// (save_partial, person, person_answer, flush) is on the disk before the call returns.
///
/// A full disk or a broken one stops the writer: what was committed stays, and this and every
/// later call throws the same Error. Where the file is moved, removed, replaced, truncated or
/// overwritten meanwhile, or its log is, the next commit saves everything that it had beside its
/// old place as `NAME.rescued.agon`, and that is written from then on.
class AGON_API Writer {
 public:
  /// Opens the archive, or makes a new one where there is no file or an empty one; an archive of an
  /// older version is brought up to date. Throws Error when the path is a folder, cannot be
  /// written, is no archive, is damaged, comes from a newer version, or has another writer.
  explicit Writer(const std::filesystem::path& path, WriterOptions options = {});
  /// As close(), but silent.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// The number of the row, which is made when it is not there.
  std::int64_t game(const GameRow& row);
  std::int64_t scenario(const ScenarioRow& row);
  std::int64_t agent(const AgentRow& row);

  std::int64_t suite(const SuiteRow& row);

  /// Records one start of the command; end_run says how it went. What is written from then on is
  /// what its suite asked for; `found`: what others had finished or begun of it, all at once.
  std::int64_t begin_run(const RunRow& row, const Selection& found = {});
  void end_run(std::int64_t number, std::string_view outcome, std::string_view manifest = {});

  /// Stores bytes under their SHA-256, once, and returns that. `kind` says what they are, such as
  /// "settings", "data", "prompt", "suite". Queued before anything that is written later.
  hash::Digest store(std::string_view kind, std::string_view bytes);

  /// The same under a digest that the caller has worked out. `base`: null, or a message that was
  /// stored before and that this one may repeat.
  void store_as(const hash::Digest& hash, std::string_view kind, std::string_view bytes,
                const MessageBase* base = nullptr);

  /// Saves a call of a model whose messages and parameters are stored: answered, on the disk when
  /// it returns (many such calls share a commit); failed, queued.
  void save_call(CallRow row);

  /// Queues a finished match; one that the archive already has is left out. Returns at once unless
  /// the queue is full.
  void write_finished(MatchRow match);

  /// Queues finished matches as columns. None of them may be there yet.
  void write_columns(const ResultColumns& columns);

  /// Drops the matches that were set aside, so that they are to be played again. On the disk when
  /// it returns.
  void forget_set_aside();

  /// Saves a match in progress, and everything queued before it; on the disk when it returns.
  void save_partial(PartialMatch match);

  /// Saves a person's session, or when a question was shown and answered (again with the same
  /// question and attempt to complete it); on the disk when it returns.
  void person(const PersonRow& row);
  void person_answer(const PersonAnswer& row);

  /// Returns when everything queued so far is on the disk.
  void flush();

  /// Flushes, closes the file and gives up the lock. Later calls throw.
  void close();

  /// What somebody else did to the archive since it was opened.
  enum class Fate : std::uint8_t {
    whole,
    gone,         ///< it was moved, removed or replaced
    overwritten,  ///< or truncated, or its log was
  };
  /// As far as a commit has met it.
  [[nodiscard]] Fate fate() const;
  /// Whether the archive is still written where it was opened.
  [[nodiscard]] bool is_in_place() const;
  /// False if somebody may have changed the file: flush() finds out.
  [[nodiscard]] bool looks_whole() const;
  /// After close(): where everything was saved because the archive was not in its place any more,
  /// or not whole; empty if it was.
  [[nodiscard]] std::filesystem::path rescued() const;
  /// How much was queued and how much of it is committed, counted in items: what a signal handler
  /// may look at.
  [[nodiscard]] const WriterProgress& progress() const;

 private:
  class Queue;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace agon::archive

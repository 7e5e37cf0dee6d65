#include "viewer/archive_watch.hpp"

#include <sys/stat.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "archive/database/file.hpp"
#include "describe/read.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"
#include "viewer/run_state.hpp"

namespace agon::serve {
namespace {

std::string suite_name(const ArchiveRows& rows, std::int64_t number) {
  const auto at = rows.suites.find(number);
  if (at == rows.suites.end()) return {};
  return at->second.digest == archive::digest_of_plays() ? "played by hand"
                                                         : text::printable(at->second.name);
}

}  // namespace

ArchiveHead archive_head(const archive::Archive& archive, const ArchiveRows& rows,
                         const MatchIndex& index, const std::string& suite) {
  const SuiteView view = view_of(archive, rows, index, suite);
  ArchiveHead head;
  head.suite = view.suite;
  for (const auto& [number, row] : rows.suites) {
    const archive::MatchNumbers asked = archive.asked_by(number).matches;
    MatchFilter filter;
    filter.among = &asked;
    head.suites.push_back({number, suite_name(rows, number), std::to_string(row.seed),
                           index.find(filter, 0, 0).total});
  }
  for (auto run = rows.runs.rbegin(); run != rows.runs.rend() && head.runs.size() < 100; ++run) {
    const auto words = read_recorded<std::vector<std::string>>(run->command);
    head.runs.push_back({run->number, run->started, run->ended,
                         text::printable(run->status.value_or("")),
                         run->suite_number ? suite_name(rows, *run->suite_number) : std::string(),
                         words ? text::printable(text::shell_line(*words)) : std::string()});
  }
  for (const auto& [row, of] : index.scenario_counts(view.numbers())) {
    head.treatments.push_back(
        {view.games.at(row), view.treatments.at(row), of.finished + of.broken, of.broken});
    head.matches += of.finished + of.broken;
  }
  std::sort(head.treatments.begin(), head.treatments.end(), [](const auto& a, const auto& b) {
    return std::tie(a.game, a.treatment) < std::tie(b.game, b.treatment);
  });
  std::map<std::string, AgentSums> agents;
  std::set<std::int64_t> met;
  for (const auto& [game, names] : view.agents)
    for (const auto& [row, name] : names) {
      AgentSums& sum = agents[name];
      const auto at = index.agent_sums().find(row);
      if (at == index.agent_sums().end() || !met.insert(row).second) continue;
      sum.seats += at->second.seats;
      sum.faults += at->second.faults;
      sum.fallbacks += at->second.fallbacks;
      sum.calls += at->second.calls;
      sum.tokens = archive::add_capped(sum.tokens, at->second.tokens);
      sum.cost = archive::add_capped(sum.cost, at->second.cost);
      sum.unpriced += at->second.unpriced;
    }
  for (const auto& [name, sum] : agents)
    head.agents.push_back({name, sum.seats, sum.faults, sum.fallbacks, sum.calls, sum.tokens,
                           cost_words(sum.calls, sum.cost, sum.unpriced)});
  return head;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Matches that are read at a time, while nobody can look for any.
constexpr std::int64_t kBatch = 5'000;
/// Between two batches, so that those who look come in.
constexpr std::chrono::milliseconds kBreath{2};
/// Between two states.
constexpr std::chrono::milliseconds kPace{1'000};
/// The first visitor waits so long for the first look, and is then told that there was none.
constexpr std::chrono::seconds kFirstLook{10};

}  // namespace

ArchiveWatch::ArchiveWatch(std::string path, const OwnRun* own, Changed changed)
    : path_(std::move(path)), own_(own), changed_(std::move(changed)) {
  RunState first;
  first.file = text::printable(path_);
  first.problem = problem_;
  state_ = write_json(first);
  thread_ = std::thread([this] { work(); });
}

ArchiveWatch::~ArchiveWatch() {
  {
    const std::lock_guard lock(state_mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::string ArchiveWatch::state() const {
  const std::lock_guard lock(state_mutex_);
  return state_;
}

bool ArchiveWatch::has_looked() const {
  const std::lock_guard lock(state_mutex_);
  return has_looked_;
}

bool ArchiveWatch::is_playing() const {
  // Of a run of its own it is known before the first look, and before it begins.
  if (own_ != nullptr && own_->now().state != OwnRun::RunPhase::ended) return true;
  const std::lock_guard lock(state_mutex_);
  return is_playing_;
}

ArchiveWatch::Known ArchiveWatch::known() const {
  const std::lock_guard lock(state_mutex_);
  return known_;
}

void ArchiveWatch::look(
    const std::function<void(const ArchiveRows&, const MatchIndex&)>& look) const {
  std::string problem;
  {
    std::unique_lock lock(state_mutex_);
    first_look_.wait_for(lock, kFirstLook, [this] { return has_looked_; });
    problem = problem_;
  }
  const std::lock_guard lock(mutex_);
  if (!problem.empty() && index_.size() == 0)
    throw Error(ErrorKind::not_found, "the archive cannot be read: " + problem, path_);
  look(rows_, index_);
}

void ArchiveWatch::hurry() {
  {
    const std::lock_guard lock(state_mutex_);
    hurried_ = true;
  }
  wake_.notify_all();
}

void ArchiveWatch::work() {
  for (;;) {
    const auto begin = Clock::now();
    bool more = false, failed = false;
    try {
      more = refresh();
    } catch (const std::exception& error) {
      growing_.reset();
      archive_.reset();
      file_.reset();
      RunState state;
      state.file = text::printable(path_);
      state.problem = text::printable(error.what());
      if (own_ != nullptr && own_->now().state == OwnRun::RunPhase::playing)
        state.state = "playing";
      publish(std::move(state));
      failed = true;
    }
    // Looking takes a fifth of the time at most, however large the archive is.
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    std::unique_lock lock(state_mutex_);
    const auto pause = more ? kBreath : std::max(failed ? 2 * kPace : kPace, 4 * took);
    wake_.wait_for(lock, pause, [this] { return ending_ || hurried_; });
    hurried_ = false;
    if (ending_) return;
  }
}

void ArchiveWatch::find_file() {
  struct stat found {};
  std::optional<std::pair<dev_t, ino_t>> file;
  if (stat(path_.c_str(), &found) == 0) file.emplace(found.st_dev, found.st_ino);
  if (archive_ && file == file_) return;
  growing_.reset();
  archive_.reset();
  {
    const std::lock_guard lock(mutex_);
    index_ = {};
    rows_ = {};
  }
  archive_.emplace(archive::Archive::open(path_));
  growing_.emplace(archive_->again());
  file_ = file;
  const std::lock_guard lock(state_mutex_);
  known_ = {known_.file + 1, 0};
}

bool ArchiveWatch::refresh() {
  find_file();
  bool more = false;
  {
    const std::lock_guard lock(mutex_);
    // Where the last one was dropped, as below.
    if (archive_->matches().last_number() < index_.last()) index_ = {};
    more = index_.read(*growing_, kBatch);
    if (more && Clock::now() - rows_read_ < kPace) return true;
    // After the matches, so that it has all that they refer to, and before anybody looks at them.
    rows_ = read_rows(*archive_);
  }
  if (!more && runs_counted_ != rows_.runs.size()) more = has_dropped_matches();
  rows_read_ = Clock::now();
  // Only this thread changes what is known.
  RunState state = run_state(*archive_, rows_, index_, own_, archive::is_written(path_));
  state.matches = more ? archive_->matches().count() : state.read;
  publish(std::move(state));
  return more;
}

bool ArchiveWatch::has_dropped_matches() {
  std::int64_t finished = 0, last = 0;
  archive_->together([&] {
    finished = archive_->matches().count();
    last = archive_->matches().last_number();
  });
  const std::lock_guard lock(mutex_);
  if (last != index_.last()) return false;  // some came meanwhile: next time
  runs_counted_ = rows_.runs.size();
  if (finished == static_cast<std::int64_t>(index_.size())) return false;
  index_ = {};
  return true;
}

void ArchiveWatch::publish(RunState state) {
  std::string json = write_json(state);
  {
    const std::lock_guard lock(state_mutex_);
    problem_ = state.problem;
    if (problem_.empty()) known_.last = index_.last();
    is_playing_ = state.state == "playing" || state.state == "stopping";
    const bool is_first = !std::exchange(has_looked_, true);
    if (json == state_ && !is_first) return;
    state_ = json;
  }
  first_look_.notify_all();
  changed_(json);
}

}  // namespace agon::serve

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "archive/rows.hpp"
#include "people/forms/table_chat.hpp"
#include "people/pages/page_times.hpp"
#include "people/pages/researcher_record.hpp"
#include "people/roster.hpp"
#include "people/store.hpp"
#include "people/study.hpp"

namespace agon::serve {

/// Milliseconds that a session has gone on: it stands still in a pause. No clock of a browser has a
/// say in it.
class SessionClock {
 public:
  [[nodiscard]] std::int64_t now() const { return stopped_ ? *stopped_ : since(start_); }
  [[nodiscard]] bool is_paused() const { return stopped_.has_value(); }
  void pause() {
    if (!stopped_) stopped_ = now();
  }
  void go_on() {
    if (!stopped_) return;
    start_ = Steady::now() - std::chrono::milliseconds(*stopped_);
    stopped_.reset();
  }

 private:
  using Steady = std::chrono::steady_clock;
  static std::int64_t since(Steady::time_point start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - start).count();
  }
  Steady::time_point start_ = Steady::now();
  std::optional<std::int64_t> stopped_;
};

/// What the parts of a session share. Except for the study, it is used with the mutex held.
struct SessionContext {
  SessionContext(const Suite& suite, const std::filesystem::path& file)
      : study(suite),
        store(std::make_unique<PeopleStore>(file)),
        roster(study, *store),
        record(*store),
        chat(study.people.said.chat ? &*study.people.said.chat : nullptr) {}

  const Study study;
  std::mutex mutex;
  SessionClock clock;
  bool ended = false;
  bool run_is_over = false;  ///< no match will be played any more; stages after them go on
  std::unique_ptr<PeopleStore> store;  ///< calls back from its own thread until it is reset
  Roster roster;
  ResearcherRecord record;
  TableChat chat;
  PageTimes times;
  std::deque<std::pair<std::int64_t, std::string>> log;  ///< what happened last, and when
  bool researchers_outdated = true;                      ///< their pages show what was
  bool waiting_room_changed = false;  ///< who waits is to be told how many are here
  /// Sends what their page is to show now, if one is open.
  std::function<void(Participant&)> show;

  /// Who has not begun comes too late.
  [[nodiscard]] bool takes_nobody() const { return ended || (run_is_over && study.plays()); }
  /// Tells the researcher that something happened.
  void note(std::string text) {
    constexpr std::size_t kLongestLog = 300;
    log.emplace_back(archive::now(), std::move(text));
    if (log.size() > kLongestLog) log.pop_front();
    researchers_outdated = true;
  }
  void move(Participant& who, Step step) {
    who.step = step;
    who.step_since = archive::now();
    researchers_outdated = true;
  }
};

}  // namespace agon::serve

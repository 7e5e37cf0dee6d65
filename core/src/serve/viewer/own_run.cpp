#include "viewer/own_run.hpp"

#include <agon/error.hpp>
#include <utility>

namespace agon::serve {

OwnRun::~OwnRun() {
  end();
}

void OwnRun::end() {
  stop();
  if (!is_over_within(std::chrono::seconds(2))) flags_.insisted = true;
  if (thread_.joinable()) thread_.join();
}

void OwnRun::begin(Play play) {
  const std::lock_guard lock(mutex_);
  play_ = std::move(play);
  start();
}

void OwnRun::start() {
  if (thread_.joinable()) thread_.join();  // it has ended
  flags_.asked = false;
  flags_.insisted = false;
  now_ = {State::playing, {}, {}};
  thread_ = std::thread([this] {
    Now then{State::ended, {}, {}};
    try {
      then.summary = play_(flags_);
    } catch (const std::exception& error) {
      then.failure = error.what();
    }
    const std::lock_guard lock(mutex_);
    now_ = std::move(then);
    over_.notify_all();
  });
}

void OwnRun::stop() {
  const std::lock_guard lock(mutex_);
  if (now_.state != State::playing) return;
  flags_.asked = true;
  now_.state = State::stopping;
}

void OwnRun::go_on() {
  const std::lock_guard lock(mutex_);
  if (now_.state == State::playing) return;
  if (now_.state == State::stopping)
    throw Error(ErrorKind::usage, "the run is still stopping", {}, "try again in a moment");
  if (!play_) throw Error(ErrorKind::usage, "there is no run to take up");
  start();
}

OwnRun::Now OwnRun::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

bool OwnRun::is_over_within(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return over_.wait_for(lock, time,
                        [this] { return now_.state == State::idle || now_.state == State::ended; });
}

}  // namespace agon::serve

#include "remote/pool.hpp"

#include "table/pending.hpp"

namespace agon::remote {

Pool::Lease Pool::take() {
  for (;;) {
    std::unique_ptr<Channel> channel;
    {
      const std::lock_guard lock(mutex_);
      if (!broken_.empty()) throw RemoteFault(broken_);
      if (idle_.empty()) break;
      channel = std::move(idle_.back());
      idle_.pop_back();
    }
    try {
      // Somebody may have ended it meanwhile: that is no fault of the game.
      if (channel->is_idle()) return {*this, std::move(channel)};
    } catch (const RemoteFault& fault) {
      const std::lock_guard lock(mutex_);
      broken_ = fault.what();
    }
  }
  auto channel = std::make_unique<Channel>(launch_, start());
  const std::lock_guard lock(mutex_);
  if (hello_.empty()) hello_ = channel->hello();
  if (hello_ != channel->hello())
    throw RemoteFault(
        "the game's card has changed since it was loaded: another process of it says another "
        "hello; was the file edited meanwhile?");
  return {*this, std::move(channel)};
}

std::unique_ptr<WatchedProcess> Pool::start(const std::vector<std::string>& more) {
  std::vector<std::string> words = launch_.words;
  words.insert(words.end(), more.begin(), more.end());
  std::unique_ptr<WatchedProcess> process;
  try {
    starting_.run([&] {
      process = std::make_unique<WatchedProcess>(words, launch_.folder, launch_.environment,
                                                 launch_.memory);
    });
  } catch (const Error& error) {
    throw MachineFault(error);
  }
  return process;
}

void Pool::give_back(std::unique_ptr<Channel> channel) noexcept {
  if (!channel->is_done()) return;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(channel));
}

}  // namespace agon::remote

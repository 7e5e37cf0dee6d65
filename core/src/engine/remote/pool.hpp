#pragma once

#include <agon/error.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "process/starting_thread.hpp"
#include "remote/channel.hpp"
#include "remote/failed_request.hpp"

namespace agon::remote {

/// What is asked of a process that plays no match.
struct Request {
  std::string_view what;                ///< of docs/game-protocol.md: "rules"
  std::string members;                  ///< the others of the message, see member()
  std::string where{};                  ///< of the Error if it comes to nothing
  ErrorKind kind = ErrorKind::failure;  ///< likewise
  Channel::Stop stop{};                 ///< true once nobody waits for the reply any more
  /// What is said in another language than English, and in the words of which game.
  const Language* language = nullptr;
  std::string_view game{};
};

/// `,"name":json`: one more member of a request.
inline std::string member(std::string_view name, std::string_view json) {
  return ",\"" + std::string(name) + "\":" + std::string(json);
}

/// The processes of one plugin: started when they are wanted, used again and again, each by one
/// thread at a time.
class Pool {
 public:
  explicit Pool(Launch launch) : launch_(std::move(launch)) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// A process for one thing to do. It goes back where it can do more, else it is ended.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Channel> channel)
        : pool_(pool), channel_(std::move(channel)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { pool_.give_back(std::move(channel_)); }
    Channel* operator->() const { return channel_.get(); }
    Channel& operator*() const { return *channel_; }

   private:
    Pool& pool_;
    std::unique_ptr<Channel> channel_;
  };

  /// Throws RemoteFault where a process says no hello or another one than the first did, or has
  /// spoken when it had nothing to do: that is known after the match that it belongs to, and so no
  /// further one is played. Throws MachineFault where no process can be started.
  [[nodiscard]] Lease take();
  /// Has a process do it; another one where somebody ended the first before it began. Throws as
  /// take() does, and RemoteFault where the process breaks.
  template <class Do>
  auto in_process(const Do& what) -> decltype(what(std::declval<Channel&>())) {
    // Processes that were ended while they waited are few, and new ones are not among them.
    for (;;) {
      try {
        const Lease channel = take();
        return what(*channel);
      } catch (const EndedBefore&) {
      }
    }
  }
  /// Asks a process; `read` makes of its reply what this returns. Throws FailedRequest where it
  /// breaks.
  template <class Read>
  auto ask(const Request& request, const Read& read)
      -> decltype(read(std::declval<const Message&>())) {
    try {
      return in_process([&](Channel& channel) {
        channel.begin("reply to '" + std::string(request.what) + "'");
        if (request.language != nullptr) channel.teach(request.game, *request.language);
        channel.send(R"({"type":"request","what":")" + std::string(request.what) + '"' +
                     request.members + "}");
        try {
          auto value = read(channel.expect("reply", request.stop));
          channel.finish();
          return value;
        } catch (const BadMessage& bad) {
          channel.refuse(bad.what());
        }
      });
    } catch (const RemoteFault& fault) {
      throw FailedRequest({request.kind, fault.what(), request.where, fault.mend()},
                          fault.process_end());
    }
  }
  /// A process that is nobody's but the caller's; `more`: words after those of the launch.
  /// Throws MachineFault.
  [[nodiscard]] std::unique_ptr<WatchedProcess> start(const std::vector<std::string>& more = {});
  /// The hello of the first process. take() before this.
  [[nodiscard]] const std::string& hello() const { return hello_; }
  [[nodiscard]] const Launch& launch() const { return launch_; }

 private:
  void give_back(std::unique_ptr<Channel> channel) noexcept;

  Launch launch_;
  StartingThread starting_;
  std::mutex mutex_;
  std::string hello_;
  std::string broken_;  ///< why nothing more is played; empty: it is
  std::vector<std::unique_ptr<Channel>> idle_;
};

}  // namespace agon::remote

#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "costs/costs.hpp"
#include "http/exchange.hpp"
#include "learner/learner_matches.hpp"
#include "learner/learner_prompts.hpp"
#include "learner/learner_seat.hpp"

namespace agon::serve {

/// Bounds on what clients have at once.
struct OpenEnvOptions {
  std::size_t environments = 64;    ///< each has a stack while matches are played in it
  std::chrono::seconds idle{1800};  ///< an environment that is not used for so long is given up
};

/// A suite's matches as an environment of OpenEnv: an episode is a match, of which one seat is
/// played by the client. A client has an environment of its own for each WebSocket (`/ws`), and
/// over HTTP (`/reset`, `/step`, `/state`) for each episode.
class AGON_API OpenEnv {
 public:
  /// What is referred to must outlive it. `ledger`: of the model calls of the other seats.
  OpenEnv(const LearnerSeat& seat, const LearnerPrompts& prompts, std::shared_ptr<RunLedger> ledger,
          const OpenEnvOptions& options);
  /// Waits until all threads of matches have ended.
  ~OpenEnv();
  OpenEnv(const OpenEnv&) = delete;
  OpenEnv& operator=(const OpenEnv&) = delete;

  /// The server that has the routes must end before this does.
  void add_routes(Router& router);
  /// Gives up what was not used for long. Called now and then.
  void tick();
  /// Begins no more matches, and stops those that are played.
  void close();
  /// True if no match is played any more.
  [[nodiscard]] bool has_ended();

 private:
  struct Facts;
  struct Episode;
  struct Client;
  using Clock = std::chrono::steady_clock;

  // With the mutex held:
  [[nodiscard]] std::size_t in_use();
  /// Takes a place for another environment; throws Error (budget) where there is none.
  std::shared_ptr<Episode> make_episode();
  void give_up(std::shared_ptr<Episode> episode);
  [[nodiscard]] std::shared_ptr<Episode> find_episode(const std::string& id);

  void reset_over_http(const Exchange& exchange);
  void step_over_http(const Exchange& exchange);
  void state_over_http(const Exchange& exchange);
  void open_socket(const Exchange& exchange);
  void heard(const std::shared_ptr<Client>& client, std::string text);
  void gone(const std::shared_ptr<Client>& client);
  /// Handles the messages that wait, up to the first one that takes time.
  void handle_waiting(const std::shared_ptr<Client>& client);
  [[nodiscard]] std::string handle(const std::shared_ptr<Client>& client, const std::string& text);

  using Answered = std::function<void(boost::json::object)>;
  void reset(const std::shared_ptr<Episode>& episode, const boost::json::object& asked,
             const Answered& answered);
  void step(const std::shared_ptr<Episode>& episode, const boost::json::object& action,
            const Answered& answered);
  [[nodiscard]] LearnerMatches::Told teller(const std::shared_ptr<Episode>& episode,
                                            const Answered& answered) const;
  [[nodiscard]] boost::json::object observation(const Facts& facts, const LearnerTurn& turn) const;
  [[nodiscard]] static boost::json::object state_of(const Episode& episode);

  const LearnerSeat& seat_;
  const LearnerPrompts& prompts_;
  const std::shared_ptr<RunLedger> ledger_;
  const OpenEnvOptions options_;
  std::mutex mutex_;
  bool closes_ = false;
  std::map<std::string, std::shared_ptr<Episode>> over_http_;  ///< by id
  std::string unnamed_;  ///< id of the one that was begun without one
  std::vector<std::shared_ptr<Client>> clients_;
  std::vector<std::shared_ptr<Episode>> given_up_;  ///< until their threads have ended
};

}  // namespace agon::serve

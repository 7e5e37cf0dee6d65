#pragma once

#include <agon/agent.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "external/worker.hpp"

namespace agon::external {

/// The processes of one agent. Each seat of each match that is played has one to itself, so no
/// match ever waits for another, and nothing passes from seat to seat; processes that are free go
/// to the next match.
class Pool {
 public:
  /// Starts a first process to learn which options there are. Throws Error.
  Pool(Program program, const std::map<std::string, std::string>& options);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  void ask(OwnedQuestion question, Completion done);
  void match_ended(MatchEnding ending);
  void match_over(const void* table) noexcept;

 private:
  using Place = std::pair<const void*, int>;  ///< table and seat

  std::shared_ptr<Program> program_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::map<Place, Worker*> seated_;
  std::vector<Worker*> free_;
};

}  // namespace agon::external

#pragma once

#include <agon/agent.hpp>
#include <agon/error.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/provider.hpp>
#include <agon/process.hpp>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/importer.hpp"
#include "process/children.hpp"
#include "process/isolation.hpp"
#include "table/match.hpp"

namespace agon::remote {

/// What a request came to that a game's process did not answer, as people are told it.
class AGON_API FailedRequest : public Error {
 public:
  FailedRequest(const Error& error, ProcessEnd process_end)
      : Error(error), process_end_(process_end) {}
  [[nodiscard]] ProcessEnd process_end() const { return process_end_; }

 private:
  ProcessEnd process_end_;
};

/// A provider whose calls a process answers.
struct ServedProvider {
  ProviderCard card;  ///< without a wire format
  std::string wire;   ///< whose wire format it speaks: the id of another provider
};

/// What a plugin brings.
struct PluginCards {
  std::string name, version;
  std::string language;  ///< "python 3.11", "c++"
  std::vector<Game> games;
  std::vector<AgentCard> agents;
  std::vector<Importer> importers;
  std::vector<PartCard> parts;  ///< of model agents
  std::vector<ServedProvider> providers;
  std::vector<std::string> left_out;  ///< of a library that is kept apart: "2 parts"
};

/// How a plugin's process is started.
struct Launch {
  std::string file;                      ///< the plugin's, for messages
  std::vector<std::string> words;        ///< program and arguments
  std::string folder;                    ///< to start it in
  std::vector<std::string> environment;  ///< NAME=VALUE, and nothing else
  ProcessLimits limits;
  /// Of all processes of plugins together; null: nobody looks.
  std::shared_ptr<MemoryWatch> memory{};
  bool is_worker = false;  ///< Agon's own, which draws by itself, has agents and plays batches
  int filters = 0;  ///< of system calls that hold for it, beside those of the arena, once it speaks
  /// Once true, settings are not waited for any more; null: nobody stops that.
  const std::atomic<bool>* stop = nullptr;
  /// Told what a process has written to standard error, often nothing, whenever it has done a
  /// thing; in the thread that had it done. Empty: nobody wants to know.
  std::function<void(std::string_view)> overhear{};
};

/// Games and agents that are played in processes of their own, parts and importers that work there,
/// by
/// the protocol of docs/game-protocol.md, as cards like all others. What the cards point to lives
/// as long as this.
class RemotePlugin {
 public:
  /// Starts the first process and hears what it brings. Throws Error (not_found) with the reason
  /// where it does not come to that.
  AGON_API explicit RemotePlugin(Launch launch);
  AGON_API ~RemotePlugin();
  RemotePlugin(const RemotePlugin&) = delete;
  RemotePlugin& operator=(const RemotePlugin&) = delete;

  [[nodiscard]] AGON_API const PluginCards& cards() const;
  [[nodiscard]] AGON_API const Launch& launch() const;
  /// What each of its processes says first.
  [[nodiscard]] const std::string& hello() const;
  /// One more process of a worker, beside those that the cards use; `files`: further plugins, whose
  /// agents it can make.
  [[nodiscard]] std::unique_ptr<WatchedProcess> start(const std::vector<std::string>& files) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace agon::remote

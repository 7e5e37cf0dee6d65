#pragma once

#include <agon/export.hpp>
#include <agon/process.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "describe/owned_type.hpp"
#include "remote/batch.hpp"
#include "remote/remote_plugin.hpp"
#include "table/match.hpp"

namespace agon::remote {

/// A match that can be played where its game and all its agents live.
struct WholeMatch {
  const MatchSetup* setup = nullptr;
  const std::string* settings = nullptr;   ///< JSON, with all data
  std::vector<const std::string*> agents;  ///< by seat: JSON of agent and parameters
};

/// A process of Agon's own worker that plays whole matches of one plugin. One thread uses it. What
/// it was given for shapes lives as long as it does.
class AGON_API BatchPlayer {
 public:
  /// Both must outlive it. `files`: plugins beside it whose agents play.
  BatchPlayer(const RemotePlugin& plugin, const std::vector<std::string>& files);
  ~BatchPlayer();
  BatchPlayer(const BatchPlayer&) = delete;
  BatchPlayer& operator=(const BatchPlayer&) = delete;

  /// Plays them in order and hands on what came of each. Returns how many came: fewer than all if
  /// `stop` came true, or if the process broke, took too much or said what it should not; the next
  /// call starts another one. Throws Error where none can be started.
  std::size_t play(std::span<const WholeMatch> matches,
                   const std::function<void(std::size_t, BatchResult)>& played,
                   const std::function<bool()>& stop);

 private:
  /// Why no more comes.
  struct Broken {};

  void start();
  void send(std::span<const WholeMatch> matches);
  std::uint64_t number_of_table(const WholeMatch& match, std::string& message);
  std::uint64_t number_of_agent(const WholeMatch& match, std::size_t seat, std::string& message);
  /// Hands on the next results; false when the batch is over. Throws Broken.
  bool receive(const std::function<void(BatchResult)>& each, const std::function<bool()>& stop);
  /// Throws Broken for a result that no match of this setup comes to, or took more than it may;
  /// else declares its metrics and learns its shapes.
  void check(const MatchSetup& setup, BatchResult& played);
  void learn_shape(const MatchSetup& setup, const std::string& notation);
  std::string read_line(const std::function<bool()>& stop);

  const RemotePlugin& plugin_;
  const std::vector<std::string>& files_;
  std::unique_ptr<Process> process_;
  std::map<std::pair<const void*, int>, std::uint64_t> tables_;  ///< that the process knows
  std::map<const Agent*, std::uint64_t> agents_;                 ///< likewise
  std::map<std::string, OwnedType> types_;  ///< of shapes that no card has, by notation
};

}  // namespace agon::remote

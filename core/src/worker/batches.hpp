#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "prepared_game.hpp"
#include "record/shape.hpp"
#include "remote/batch.hpp"
#include "table/match.hpp"
#include "wire.hpp"

namespace agon::worker {

/// Plays whole matches whose agents all live here, at tables of this process: the same code as
/// the arena's own, so that their records are the same.
class Batches {
 public:
  Batches(Wire& wire, Loaded& loaded) : wire_(wire), loaded_(loaded) {}

  /// A game with settings, and an agent, that matches will name by their numbers.
  void know_table(const boost::json::object& message);
  void know_agent(const boost::json::object& message);
  /// Nothing of them will be named again.
  void forget();
  /// Plays the matches of a message, and says results as they come.
  void play(const boost::json::object& message);

 private:
  struct Table {
    std::shared_ptr<PreparedGame> game;
    std::vector<SeatCard> seats;
    int reasks = 0;
    bool record = true;
  };

  remote::BatchResult play(const remote::BatchMatch& match);
  void say_results();

  Wire& wire_;
  Loaded& loaded_;
  std::map<std::uint64_t, Table> tables_;
  std::map<std::uint64_t, std::shared_ptr<const Agent>> agents_;
  std::shared_ptr<record::Shapes> shapes_ = std::make_shared<record::Shapes>();
  std::string results_;  ///< that were not said yet
};

}  // namespace agon::worker

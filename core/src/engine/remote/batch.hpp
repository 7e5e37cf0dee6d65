#pragma once

#include <agon/export.hpp>
#include <agon/outcome.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "describe/description.hpp"
#include "process/children.hpp"
#include "record/record.hpp"
#include "remote/remote_plugin.hpp"
#include "table/match.hpp"

/// How whole matches go to Agon's own worker and come back: compact, because there are many.
namespace agon::remote {

/// One match whose agents all live where its game does.
struct BatchMatch {
  /// Who plays a seat.
  struct BatchSeat {
    std::uint64_t agent = 0;  ///< number that the worker knows it by
    std::uint64_t dice_key = 0;
  };
  std::uint64_t table = 0;  ///< number that the worker knows game and settings by
  std::uint64_t stream_key = 0;
  std::uint64_t turn = 0;
  std::vector<BatchSeat> seats;
};

/// What came of it, and how long it took.
struct BatchResult {
  /// Without its shapes; without its outcome where there is a record, which has it.
  MatchResult result;
  std::vector<std::string> shapes;  ///< notations that this record is the first to refer to
  double wall_ms = 0;
};

[[nodiscard]] AGON_API std::string write_matches(const std::vector<BatchMatch>& matches);
/// Nothing if the bytes are no such list.
[[nodiscard]] AGON_API std::optional<std::vector<BatchMatch>> read_matches(std::string_view bytes);

/// Appends one.
AGON_API void write_result(std::string& out, const BatchResult& result);
/// Hands on all that were appended, in order, one at a time, as each is large. False if the bytes
/// are no such list.
[[nodiscard]] AGON_API bool read_results(std::string_view bytes,
                                         const std::function<void(BatchResult&&)>& each);

/// A match that can be played where its game and all its agents live.
struct WholeMatch {
  const MatchSetup* setup = nullptr;
  const std::string* settings = nullptr;   ///< JSON, with all data
  std::vector<const std::string*> agents;  ///< by seat: JSON of agent and parameters
};

/// A process of Agon's own worker that plays whole matches of one plugin. One thread uses it. What
/// it was given for shapes lives as long as it does.
class BatchPlayer {
 public:
  /// Both must outlive it. `files`: plugins beside it whose agents play.
  AGON_API BatchPlayer(const RemotePlugin& plugin, const std::vector<std::string>& files);
  AGON_API ~BatchPlayer();
  BatchPlayer(const BatchPlayer&) = delete;
  BatchPlayer& operator=(const BatchPlayer&) = delete;

  /// Plays them in order and hands on what came of each. Returns the places of those that are to be
  /// played question by question: where the game broke or may have taken too much, as only then it
  /// is known by what, and all that came after the process broke or said what it should not, or
  /// `stop` came true. The next call starts another process, unless the first brought nothing,
  /// took too much or too long, or was of another plugin.
  AGON_API std::vector<std::size_t> play(
      std::span<const WholeMatch> matches,
      const std::function<void(std::size_t, BatchResult&&)>& played,
      const std::function<bool()>& stop);

 private:
  /// Why no more comes.
  struct BatchFailure {};

  void start();
  void send(std::span<const WholeMatch> matches);
  std::uint64_t number_of_table(const WholeMatch& match, std::string& message);
  std::uint64_t number_of_agent(const WholeMatch& match, std::size_t seat, std::string& message);
  /// Hands on the next results; false when the batch is over. Throws BatchFailure.
  bool receive(const std::function<void(BatchResult&&)>& each, const std::function<bool()>& stop);
  /// Declares the metrics of a result and learns its shapes. False if the match is to be played
  /// again; throws BatchFailure for a result that no match of this setup comes to.
  bool check(const MatchSetup& setup, BatchResult& played);
  /// That the record ends with. Throws BatchFailure if it is no whole record of such a match.
  Outcome outcome_of(const MatchSetup& setup, const std::string& record);
  /// True if so many attempts and answers are as many as the questions can have come to.
  static bool are_possible(const MatchSetup& setup, const MatchResult& result);
  /// True if what seats take along is JSON that the next match can be given.
  static bool can_be_carried(const MatchResult& result);
  [[nodiscard]] bool may_be_too_much(const BatchResult& played) const;
  void learn_shape(const MatchSetup& setup, const std::string& notation);

  const RemotePlugin& plugin_;
  const std::vector<std::string>& files_;
  std::unique_ptr<WatchedProcess> process_;
  std::map<std::pair<const void*, int>, std::uint64_t> tables_;  ///< that the process knows
  std::map<const Agent*, std::uint64_t> agents_;                 ///< likewise
  bool came_ = false;                                            ///< a result, at any time
  bool given_up_ = false;                                        ///< no further process is started
  std::map<std::string, OwnedType> types_;  ///< of shapes that no card has, by notation
  std::map<const Game*, record::CardNames> names_;
};

}  // namespace agon::remote

#pragma once

#include <agon/agent.hpp>
#include <agon/game.hpp>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace agon::test {

/// One thing that was said, as the record has it.
struct Said {
  std::string name;
  std::string json;
  std::uint32_t audience;  ///< bit s: seat s heard it; all bits: everybody; 0: record only
};

/// One question that was asked and answered.
struct Asked {
  int seat;
  std::string stage;
  bool probe;
  std::string view_json;
  std::string answer_json;  ///< as accepted
  int rejected;
  bool forced;
};

/// All of a played match that a test may look at.
struct Played {
  Outcome outcome;
  std::vector<Said> said;
  std::vector<Asked> asked;
  std::vector<std::string> carried;  ///< JSON a seat hands to the next match; empty: nothing
  std::string record;                ///< the bytes that a replay must reproduce

  /// The n-th event of this name; fails the test if there is none.
  [[nodiscard]] const Said& event(std::string_view name, std::size_t n = 0) const;
  [[nodiscard]] std::size_t count(std::string_view event_name) const;

  Game game;
  /// A metric by name: of a seat, or of the match for seat -1. NaN if not defined.
  [[nodiscard]] double metric(std::string_view name, int seat = -1) const;
};

/// For metrics that are not defined in a match.
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// Checks every metric of a seat, or of the match for seat -1, against its value by name: what is
/// not listed has to be 0. Amounts of money are in cents.
void check_all_metrics(const Played& played, int seat,
                       const std::map<std::string_view, double>& expected);

/// Checks that every metric of seats and match is within the bounds that its card gives.
void check_metric_bounds(const Played& played);

/// The accepted answers of a seat, in order.
[[nodiscard]] std::vector<std::string> answers_of(const Played& played, int seat);

/// An agent that draws from all that is legal.
class DrawingAgent final : public Agent {
 public:
  void answer(Question& question) const override { question.draw(); }
};

/// Plays one match of a game with scripted seats: the way golden cases are written.
///
///     auto played = ScriptedMatch(water_allocation::game(), R"({"days": 1, "supply": [19]})")
///                       .seat(0, {R"({"bid": 150})"}).play();
class ScriptedMatch {
 public:
  /// Settings as in a scenario: {"preset": "paper", ...overrides}; anything wrong fails the test.
  explicit ScriptedMatch(const Game& game, std::string_view settings_json = "{}");
  ~ScriptedMatch();

  /// JSON answers of a seat to its questions (not probes), in order. When they run out, or for an
  /// entry "decline", the game's fallback is played. An illegal entry is followed by the next one.
  ScriptedMatch& seat(int seat, std::vector<std::string> answers);
  /// JSON answers of a seat to the probes of one stage, in order.
  ScriptedMatch& probes(int seat, const std::string& stage, std::vector<std::string> answers);
  /// A strategy plays this seat. It must outlive play().
  ScriptedMatch& agent(int seat, const Agent& agent);
  /// The key of chance; default 1.
  ScriptedMatch& luck(std::uint64_t key);
  /// Which is next of what is dealt in turn, from 0; default 0.
  ScriptedMatch& turn(std::uint64_t turn);
  ScriptedMatch& reasks(int reasks);
  /// What the seat brings along from the match before, as JSON.
  ScriptedMatch& carried(int seat, std::string json);

  Played play();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A match of these agents, one a seat. They must outlive what is played.
[[nodiscard]] Played play_agents(const Game& game, std::string_view settings_json,
                                 const std::vector<const Agent*>& agents, std::uint64_t luck = 1);

}  // namespace agon::test

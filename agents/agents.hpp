#pragma once

#include <agon/agent.hpp>
#include <agon/plugin.hpp>
#include <map>
#include <string>
#include <vector>

namespace agon::agents {

/// `default` has no parameters.
struct DefaultParams {};
AGON_DESCRIBE(DefaultParams)

/// Leaves the game's fallback standing.
class Default final : public Agent {
 public:
  using Params = DefaultParams;
  explicit Default(const Params&) {}
  void answer(Question& question) const override;
};

/// Parameters of `random`.
struct RandomParams {
  bool probes = false;
};
AGON_DESCRIBE(RandomParams, (probes, "also answers probes with random draws; else declines them"))

/// Answers every question with a draw from its own dice.
class Random final : public Agent {
 public:
  using Params = RandomParams;
  explicit Random(const Params& params) : params_(params) {}
  void answer(Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return params_.probes; }

 private:
  Params params_;
};

/// Parameters of `edge`.
struct EdgeParams {
  bool probes = false;
};
AGON_DESCRIBE(EdgeParams, (probes, "also answers probes, at the edges too; else declines them"))

/// Answers at the edges of what the limits allow.
class Edge final : public Agent {
 public:
  using Params = EdgeParams;
  explicit Edge(const Params& params) : params_(params) {}
  void answer(Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return params_.probes; }

 private:
  Params params_;
};

/// What a script does once its answers are used up.
enum class Then : std::uint8_t { fallback, random, fail };
AGON_DESCRIBE_ENUM(Then, (fallback, "the game's fallback is played"), (random, "random answers"),
                   (fail, "the match is left unfinished, and the run fails"))

/// What a script says in one block of a scenario.
struct BlockScript {
  std::vector<std::string> answers;
  std::map<std::string, std::vector<std::string>> stages;
};
AGON_DESCRIBE(BlockScript, (answers, "as those of the whole script", agon::data_file("json")),
              (stages, "likewise", agon::data_file("json")))

/// Parameters of `script`. Every answer is a JSON text; where a suite gives an object instead, it
/// stands for its own text.
struct ScriptParams {
  std::vector<std::string> answers;
  std::map<std::string, std::vector<std::string>> stages;
  Then then = Then::fallback;
  std::map<std::string, std::vector<BlockScript>> scenarios{};
};
AGON_DESCRIBE(ScriptParams,
              (answers, "answers to the questions of all other stages, in order; probes take none",
               agon::data_file("json")),
              (stages, "answers to the questions and probes of one stage, in order, by its name",
               agon::data_file("json")),
              (then,
               "what it does when the answers of a stage run out; probes are then declined, "
               "or drawn with random"),
              (scenarios,
               "in the place of these: what it says in each block, from the first, of each "
               "scenario by its name",
               agon::data_file("json")))

/// Plays given answers. Which one is next is remembered in the memo, as agents have no state.
class Script final : public Agent {
 public:
  using Params = ScriptParams;
  explicit Script(const Params& params);
  void answer(Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return !params_.stages.empty(); }
  [[nodiscard]] std::shared_ptr<const Agent> in_block(std::string_view scenario,
                                                      std::uint64_t block) const override;

 private:
  Params params_;
};

/// Adds the agents that play any game, people among them.
void enter(Registry& registry);

}  // namespace agon::agents

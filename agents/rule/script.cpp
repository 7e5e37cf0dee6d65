#include "rule/script.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>

namespace agon::agents {
namespace {

/// How many answers were used: of the common list, and by stage.
struct Used {
  std::uint32_t answers = 0;
  std::map<std::string, std::uint32_t> stages;
};
AGON_DESCRIBE(Used, (answers, "used of the common list"), (stages, "used by stage"))

}  // namespace

Script::Script(const Params& params) : params_(params) {
  if (!params.scenarios.empty() && !(params.answers.empty() && params.stages.empty()))
    throw Error(ErrorKind::invalid, "a script says the same everywhere, or goes by scenario", "",
                "write \"answers\" and \"stages\" into the blocks of \"scenarios\"");
}

std::shared_ptr<const Agent> Script::in_block(std::string_view scenario,
                                              std::uint64_t block) const {
  if (params_.scenarios.empty()) return nullptr;
  const std::string name(scenario);
  const auto found = params_.scenarios.find(name);
  if (found == params_.scenarios.end())
    throw Error(ErrorKind::not_found, "its script says nothing for the scenario '" + name + "'", "",
                "write its blocks at $.scenarios." + name + " of the script");
  const std::vector<BlockScript>& blocks = found->second;
  if (block >= blocks.size())
    throw Error(ErrorKind::not_found,
                "its script has " + std::to_string(blocks.size()) +
                    (blocks.size() == 1 ? " block" : " blocks") + " for the scenario '" + name +
                    "', and the scenario more",
                "",
                "write the next at $.scenarios." + name + "[" + std::to_string(blocks.size()) +
                    "] of the script, or lower \"blocks\"");
  return std::make_shared<Script>(
      ScriptParams{blocks[block].answers, blocks[block].stages, params_.then, {}});
}

void Script::answer(Question& question) const {
  const std::string stage(question.stage());
  const auto own = params_.stages.find(stage);
  const bool by_stage = own != params_.stages.end();
  if (!by_stage && question.is_probe()) return question.decline();

  Used used;
  if (!question.memo().empty())
    if (const auto problem = read_json(used, question.memo(), Missing::is_wrong))
      throw Error(ErrorKind::failure, "the script's memo cannot be read: " + problem->text());
  const std::vector<std::string>& answers = by_stage ? own->second : params_.answers;
  std::uint32_t& next = by_stage ? used.stages[stage] : used.answers;
  if (next < answers.size()) {
    question.answer_json(answers[next++]);
    return question.remember(write_json(used));
  }
  if (params_.then == Then::random) return question.draw();
  if (params_.then == Then::fallback || question.is_probe()) return question.decline();
  std::string named;
  for (const auto& [name, list] : params_.stages)
    named += (named.empty() ? "'" : ", '") + name + "'";
  throw Error(ErrorKind::unfinished,
              "the script has " +
                  (answers.empty() ? std::string("no answer")
                                   : "no more than " + std::to_string(answers.size()) +
                                         (answers.size() == 1 ? " answer" : " answers")) +
                  " for stage '" + stage + "'" +
                  (by_stage || named.empty() ? "" : "; it names the stages " + named) +
                  R"(, and its "then" is "fail")");
}

}  // namespace agon::agents

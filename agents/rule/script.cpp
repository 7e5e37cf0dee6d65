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

Script::Script(const Params& params) : params_(params) {}

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
  throw Error(ErrorKind::failure, "the script has only " + std::to_string(answers.size()) +
                                      " answers for stage '" + stage + "'");
}

}  // namespace agon::agents

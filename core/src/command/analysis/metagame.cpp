#include <agon/error.hpp>
#include <cmath>
#include <string>

#include "command/analysis/analysis.hpp"
#include "judge/forms.hpp"
#include "meta/meta.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

/// What --metagame and the options beside it ask.
report::MetaQuestion asked_game(const Invocation& call) {
  report::MetaQuestion question;
  question.label = call.text("metagame");
  question.agents = call.text("metagame-agents");
  question.seats_apart = call.has("asymmetric");
  if (!call.has("alpha")) return question;
  const std::string asked = call.text("alpha");
  question.alpha = text::number_in<double>(asked);
  if (!question.alpha || !(*question.alpha > 0) || !std::isfinite(*question.alpha))
    throw Error(ErrorKind::usage,
                "invalid value '" + asked + "' for --alpha; expected a number above 0", "",
                "try 10");
  return question;
}

}  // namespace

std::vector<Command> analysis_commands() {
  return {judge_command()};
}

void refuse_left_out(const std::string&) {}

report::Document metagame(const Invocation& call, const report::ReportRequest& choice) {
  return report::document(report::meta_of(call.argument("ARCHIVE"), asked_game(call), choice));
}

const std::vector<std::string>& metagame_sections() {
  return report::meta_section_names();
}

std::vector<FileCard> judging_files() {
  return {{"judging-form",
           "A row of a judge's form, in CSV; see 'agon judge'",
           &type_of<judge::FormRow>(),
           "",
           {}},
          {"judging-key",
           "A row of the key of judged records, in CSV",
           &type_of<judge::KeyRow>(),
           "",
           {}}};
}

}  // namespace agon::command

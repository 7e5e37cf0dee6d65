// In the place of the other sources of this folder where there is no libagon_analysis.
#include <agon/error.hpp>

#include "command/analysis/analysis.hpp"

namespace agon::command {
namespace {

[[noreturn]] void refuse(const std::string& lacks, const std::string& where) {
  throw Error(ErrorKind::not_found, "this build has no " + lacks, where,
              "configure it with -DAGON_ANALYSIS=ON and build it again");
}

}  // namespace

std::vector<Command> analysis_commands() {
  return {};
}

void refuse_left_out(const std::string& name) {
  if (name == "judge") refuse("judging", "agon judge");
  if (name == "solve") refuse("game theory", "agon solve");
  if (name == "judging-form" || name == "judging-key") refuse("judging", "agon describe " + name);
}

report::Document metagame(const Invocation&, const report::ReportRequest&) {
  refuse("game theory", "--metagame");
}

const std::vector<std::string>& metagame_sections() {
  refuse("game theory", "--metagame");
}

std::vector<FileCard> judging_files() {
  return {};
}

}  // namespace agon::command

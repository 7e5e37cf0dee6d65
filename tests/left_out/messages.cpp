// What a build without libagon_analysis says in the place of what it lacks.
#include <agon/error.hpp>
#include <string>

#include "catch.hpp"
#include "command/analysis/analysis.hpp"

namespace {

using agon::Error;
using agon::ErrorKind;

template <class Call>
void check_refused(const std::string& message, Call call) {
  try {
    call();
    FAIL("nothing is said of what is missing");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::not_found);
    CHECK(Error(error.kind(), error.problem(), error.where()).what() == message);
    CHECK(error.hint() == "configure it with -DAGON_ANALYSIS=ON and build it again");
  }
}

}  // namespace

TEST_CASE("commands and options that a build lacks say what is missing") {
  namespace command = agon::command;
  check_refused("agon solve: this build has no game theory",
                [] { command::refuse_left_out("solve"); });
  check_refused("agon judge: this build has no judging", [] { command::refuse_left_out("judge"); });
  check_refused("agon describe judging-form: this build has no judging",
                [] { command::refuse_left_out("judging-form"); });
  check_refused("agon describe judging-key: this build has no judging",
                [] { command::refuse_left_out("judging-key"); });
  check_refused("--metagame: this build has no game theory",
                [] { (void)command::metagame_sections(); });
  command::refuse_left_out("plam");  // no command at all: that is told elsewhere
  CHECK(command::analysis_commands().empty());
  CHECK(command::judging_files().empty());
}

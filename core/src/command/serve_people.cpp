#include <cstdlib>
#include <exception>

#include "command/failure.hpp"
#include "command/run_outcome.hpp"
#include "command/served.hpp"
#include "command/suite_run.hpp"
#include "people/session.hpp"
#include "run/runner.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "viewer/viewer.hpp"

namespace agon::command {
namespace {

/// A suite that people take part in: it is run while they are served, and its matches are looked
/// at.
class ServedPeople final : public Served {
 public:
  ServedPeople(Invocation& call, const Interrupt& interrupt)
      : call_(call),
        prepared_(prepare_run(call, call.argument("WHAT"), interrupt.asked())),
        session_(prepared_.suite, prepared_.options.archive,
                 static_cast<std::uint64_t>(call.number("participants", 0, 1, 10'000))),
        viewer_(prepared_.options.archive, call.catalogue()) {}

  void add_routes(serve::Router& router, serve::Door& door) override {
    session_.add_routes(router, door);
    viewer_.add_routes(router, door);
  }

  int attend(const Interrupt& interrupt, const std::string& url) override {
    session_.found_at(url);
    const bool talks = !call_.quiet() && !call_.json();
    RunOptions& options = prepared_.options;
    if (talks)
      text::say("{} is the archive, {} knows who took part\n", options.archive,
                session_.path().string());
    if (const Suite& suite = prepared_.suite; talks && suite.people->said.language != "en")
      for (const Scenario& s : suite.scenarios)
        if (s.people_prompts == nullptr)
          text::say("{} is told in English: what it says is not there in '{}'\n",
                    text::printable(s.name), text::printable(suite.people->said.language));
    options.quiet = true;  // the page shows it
    options.stop = &interrupt.flags();
    options.people = &session_;
    options.abandon = [&](const RunSummary& summary, const std::exception_ptr& failure) {
      const int code = failure ? tell_failure(failure, call_.json()) : tell(summary);
      flush();
      std::_Exit(code);
    };
    const RunSummary summary = run_suite(prepared_.suite, call_.catalogue(), options);
    if (interrupt.asked()) return tell(summary);
    session_.run_over();
    if (talks)
      text::say("{}the session has ended; the pages stay until Ctrl-C\n",
                describe_run(summary, options.archive));
    // Codes and payments are still looked at.
    wait_for(interrupt);
    return 0;
  }

 private:
  int tell(const RunSummary& summary) {
    const std::string& archive = prepared_.options.archive;
    if (!call_.json()) text::say("{}", describe_run(summary, archive));
    return exit_code(summary, call_.to_resume(archive), "");
  }

  Invocation& call_;
  SuiteRun prepared_;
  serve::Session session_;
  serve::Viewer viewer_;
};

}  // namespace

std::unique_ptr<Served> serve_people(Invocation& call, const Interrupt& interrupt) {
  return std::make_unique<ServedPeople>(call, interrupt);
}

}  // namespace agon::command

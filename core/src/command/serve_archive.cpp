#include <agon/error.hpp>

#include "command/served.hpp"
#include "command/suite_run.hpp"
#include "viewer/viewer.hpp"

namespace agon::command {
namespace {

class ServedArchive final : public Served {
 public:
  explicit ServedArchive(Invocation& call) : viewer_(call.argument("WHAT"), call.catalogue()) {}

  void add_routes(serve::Router& router, serve::Door& door) override {
    viewer_.add_routes(router, door);
  }

  int attend(const Interrupt& interrupt, const std::string& url) override {
    (void)url;
    wait_for(interrupt);
    return 0;
  }

 private:
  serve::Viewer viewer_;
};

}  // namespace

std::unique_ptr<Served> serve_archive(Invocation& call) {
  boost::program_options::options_description of_runs;
  add_run_options(of_runs);
  for (const auto& option : of_runs.options())
    if (call.has(option->long_name()))
      throw Error(ErrorKind::usage,
                  "--" + option->long_name() + " is for a suite that is played, not for an archive",
                  call.argument("WHAT"), "give the suite's file, or leave it out");
  return std::make_unique<ServedArchive>(call);
}

}  // namespace agon::command

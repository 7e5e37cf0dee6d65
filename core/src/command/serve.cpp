#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "command/command.hpp"
#include "command/output.hpp"
#include "command/run/run.hpp"
#include "command/run/suite.hpp"
#include "costs/costs.hpp"
#include "http/assets.hpp"
#include "http/door.hpp"
#include "http/exchange.hpp"
#include "http/server.hpp"
#include "learner/learner_prompts.hpp"
#include "learner/learner_seat.hpp"
#include "learner/open_env.hpp"
#include "people/session.hpp"
#include "run/play/jobs.hpp"
#include "run/runner.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"
#include "viewer/run_state.hpp"
#include "viewer/viewer.hpp"

namespace agon::command {
namespace {

/// What `agon serve` serves.
class Served {
 public:
  Served() = default;
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  virtual ~Served() = default;

  /// Adds its pages. Handlers are called until the server has ended, which is before this object.
  virtual void add_routes(serve::Router& router, serve::Door& door) = 0;
  /// What it does while it is served, until it is asked to stop; returns the exit code. `url` is
  /// where others find it, without a slash at the end.
  virtual int attend(const Interrupt& interrupt, const std::string& url) = 0;
  /// False: it is for programs, which open no pages and have no key.
  [[nodiscard]] virtual bool is_for_browsers() const { return true; }
};

/// Looks every 50 ms whether it is time to go on: a signal sets a flag and no more.
void wait_until(const std::function<bool()>& is_time) {
  while (!is_time()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

/// Returns when somebody wants to stop: what is served stays until then.
void wait_for(const Interrupt& interrupt) {
  wait_until([&] { return interrupt.asked().load(); });
}

/// An archive that is looked at.
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

std::unique_ptr<Served> serve_archive(Invocation& call) {
  boost::program_options::options_description of_runs;
  add_run_options(of_runs);
  for (const auto& option : of_runs.options())
    if (call.has(option->long_name()))
      throw Error(ErrorKind::usage,
                  "--" + option->long_name() + " requires a suite, not an archive",
                  call.argument("WHAT"), "pass the suite file, or leave the option out");
  return std::make_unique<ServedArchive>(call);
}

/// A suite that is played while it is looked at.
class ServedSuite final : public Served {
 public:
  ServedSuite(Invocation& call, const Interrupt& interrupt) : call_(call) {
    // Agents hear of it where the page stops the run.
    call.stop_at(run_.flags().asked);
    prepared_ =
        std::make_unique<SuiteRun>(prepare_run(call, call.argument("WHAT"), interrupt.asked()));
    prepared_->options.quiet = true;  // the page shows it
    viewer_ = std::make_unique<serve::Viewer>(prepared_->options.archive, call.catalogue(), &run_);
  }
  ~ServedSuite() override {
    viewer_.reset();
    run_.end();  // before the suite goes
  }

  void add_routes(serve::Router& router, serve::Door& door) override {
    viewer_->add_routes(router, door);
  }

  int attend(const Interrupt& interrupt, const std::string&) override {
    // Not before it is served: nothing is played for somebody who cannot look.
    run_.begin([this](const StopFlags& stop) {
      RunOptions options = prepared_->options;
      options.stop = &stop;
      return run_suite(prepared_->suite, call_.catalogue(), options);
    });
    wait_for(interrupt);
    run_.stop();
    // What hangs does not keep the server: all that was finished is in the archive.
    const std::string& archive = prepared_->options.archive;
    for (int waited = 0; !run_.is_over_within(std::chrono::milliseconds(100)); ++waited)
      if (waited == 30 || interrupt.flags().insisted) {
        text::say("matches that do not end are left; take it up again with: {}\n",
                  call_.to_resume(archive));
        std::_Exit(kInterrupted);
      }
    const serve::OwnRun::RunStatus now = run_.now();
    if (!now.summary) {
      text::say("the run failed: {}\n", text::printable(now.failure));
      return static_cast<int>(ErrorKind::failure);
    }
    text::say("{}", describe_run(*now.summary, archive));
    return exit_code(*now.summary, call_.to_resume(archive),
                     "agon report " + text::shell_word(archive));
  }

 private:
  Invocation& call_;
  serve::OwnRun run_;  // outlives the suite: agents look whether they are to stop
  std::unique_ptr<SuiteRun> prepared_;
  std::unique_ptr<serve::Viewer> viewer_;
};

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
    if (talks && prepared_.suite.scenarios.empty())
      text::say("people answer until Ctrl-C\n");
    else if (talks)
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

/// A suite that a learner plays over the protocol of OpenEnv.
class ServedLearner final : public Served {
 public:
  ServedLearner(Invocation& call, const Interrupt& interrupt)
      : suite_(read(call, interrupt)),
        seat_(suite_, call.text("learner")),
        prompts_(suite_, call.catalogue(), suite_options(call).prompt_folders),
        environments_(
            seat_, prompts_,
            std::make_shared<RunLedger>(nullptr, 0, suite_.caps, PriceList::read(suite_.prices),
                                        archive::CallTotals{}, nullptr,
                                        taken_before(nullptr, PriceList(), suite_.part_caps)),
            bounds(call)) {}

  void add_routes(serve::Router& router, serve::Door&) override {
    environments_.add_routes(router);
  }

  int attend(const Interrupt& interrupt, const std::string&) override {
    int looked = 0;
    wait_until([&] {
      if (interrupt.asked()) return true;
      if (looked++ % 20 == 0) environments_.tick();
      return false;
    });
    environments_.close();
    looked = 0;
    wait_until([&] {
      if (environments_.has_ended()) return true;
      if (looked++ < 60 && !interrupt.flags().insisted) return false;
      text::say("matches that do not end are left\n");
      std::_Exit(0);
    });
    return 0;
  }

  [[nodiscard]] bool is_for_browsers() const override { return false; }

 private:
  static Suite read(Invocation& call, const Interrupt& interrupt) {
    AskedSuite asked(call, call.argument("WHAT"), changed_suite_options(call));
    Suite suite = asked.read();
    if (!call.has("no-preflight"))
      check_before_run(suite, interrupt.asked(), look_ahead(asked.dry(), call.catalogue()));
    return suite;
  }

  static serve::OpenEnvOptions bounds(const Invocation& call) {
    serve::OpenEnvOptions options;
    options.environments = static_cast<std::size_t>(
        call.number("environments", static_cast<std::int64_t>(options.environments), 1, 1024));
    options.idle = std::chrono::seconds(call.number("idle", options.idle.count(), 1, 1'000'000));
    return options;
  }

  Suite suite_;
  serve::LearnerSeat seat_;
  serve::LearnerPrompts prompts_;
  serve::OpenEnv environments_;
};

namespace po = boost::program_options;

constexpr std::int64_t kUsualPort = 8123;

std::unique_ptr<Served> asked_to_serve(Invocation& call, const Interrupt& interrupt) {
  const std::string what = call.argument("WHAT");
  std::error_code none;
  if (!std::filesystem::exists(what, none))
    throw Error(ErrorKind::not_found, "file not found", what, "pass an archive or a suite");
  if (call.has("openenv")) {
    if (is_archive(what))
      throw Error(ErrorKind::usage, "--openenv requires a suite, not an archive", what,
                  "pass the suite file");
    return std::make_unique<ServedLearner>(call, interrupt);
  }
  if (call.has("people")) {
    if (is_archive(what))
      throw Error(ErrorKind::usage, "--people requires a suite, not an archive", what,
                  "pass the suite file, and the archive with --out");
    return std::make_unique<ServedPeople>(call, interrupt);
  }
  if (is_archive(what)) return serve_archive(call);
  return std::make_unique<ServedSuite>(call, interrupt);
}

serve::ServerOptions server_options(const Invocation& call) {
  serve::ServerOptions options;
  if (call.has("address")) options.address = call.text("address");
  options.port = static_cast<std::uint16_t>(call.number("port", kUsualPort, 0, 65535));
  options.hosts = call.texts("public-host");
  return options;
}

/// That others on the way can read and change everything is said to who starts it.
void warn_of_plain_text(const std::string& address, bool has_door) {
  if (address.starts_with("127.") || address == "::1") return;
  if (!has_door)
    text::say(
        "warning: everyone who reaches {} can play, and have the suite's models called; name a cap "
        "with --max-calls or --max-cost, and let a firewall decide who reaches it\n",
        address);
  text::say(
      "warning: what comes in at {} is not encrypted, keys and answers included; on a network that "
      "you do not trust, put a reverse proxy with TLS before it (docs/serve.md)\n",
      address);
}

int serve(Invocation& call) {
  return interruptible(call, [&](const Interrupt& interrupt) {
    const std::unique_ptr<Served> served = asked_to_serve(call, interrupt);
    serve::Door door;
    serve::Router router;
    const bool has_door = served->is_for_browsers();
    if (has_door) {
      door.add_routes(router);
      serve::add_assets(router);
    }
    served->add_routes(router, door);
    serve::ServerOptions options = server_options(call);
    options.for_programs = !has_door;
    const serve::Server server(
        options, [&](serve::Exchange exchange) { router.handle(std::move(exchange)); });
    interrupt.begin();
    const std::string url = server.public_url();
    warn_of_plain_text(options.address, has_door);
    boost::json::object told{{"url", url}};
    if (has_door) told["login"] = url + door.new_link();
    if (call.json())
      print_json(told);
    else if (has_door)
      print_line("Open this link, which lets one browser in: " +
                 std::string(told["login"].as_string()));
    else
      print_line("An environment for clients of OpenEnv: " + url);
    flush();
    if (!call.quiet() && !call.json()) text::say("Ctrl-C ends it.\n");
    return served->attend(interrupt, url);
  });
}

}  // namespace

Command serve_command() {
  Command c{{"serve",
             "show archives and runs in the browser, or host human players",
             "",
             {{"WHAT", "archive of 'agon run' or 'agon play --out', or suite file", true, "FILE"}}},
            &serve};
  // clang-format off
  c.synopsis.options.add_options()
      ("port", po::value<std::string>()->value_name("N"), "port; 0 picks a free one (default: 8123)")
      ("address", po::value<std::string>()->value_name("ADDR"), "address to listen on; 0.0.0.0 accepts other machines (default: 127.0.0.1, this machine only)")
      ("public-host", po::value<std::vector<std::string>>()->value_name("NAME")->composing(), "public host name, for example behind a reverse proxy: lab.example.org or https://lab.example.org (repeatable)")
      ("people", "let people play the suite's matches in their browsers; see docs/people.md")
      ("openenv", "serve the suite's matches to OpenEnv clients as a training environment; see docs/training.md")
      ("learner", po::value<std::string>()->value_name("SEAT"), "with --openenv: seat that the client plays, by number, name or role")
      ("environments", po::value<std::string>()->value_name("N"), "with --openenv: most environments at once (default: 64)")
      ("idle", po::value<std::string>()->value_name("SECONDS"), "with --openenv: an environment unused for so long is closed (default: 1800)")
      ("participants", po::value<std::string>()->value_name("N"), "with --people: number of links (default: the suite's)");
  // clang-format on
  add_run_options(c.synopsis.options);
  c.synopsis.rules = {
      {"openenv",
       {"learner"},
       {"people", "out", "jobs", "no-records", "keep", "drift-check", "until", "retry-quarantined",
        "cache"}},
      {"learner", {"openenv"}},
      {"environments", {"openenv"}},
      {"idle", {"openenv"}},
      {"cache-sampled", {"cache"}},
  };
  c.synopsis.details =
      "Runs a suite into its archive like 'agon run'; the page can stop and resume the\n"
      "run. Another 'agon run' may write an archive meanwhile. With --people, matches\n"
      "wait for people, and FILE.people next to the archive records who took part.\n"
      "Prints a login link that admits one browser; everyone else is refused. Stop with\n"
      "Ctrl-C.\n";
  return c;
}

}  // namespace agon::command

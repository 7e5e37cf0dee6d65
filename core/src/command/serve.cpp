#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "command/command.hpp"
#include "command/interruptible.hpp"
#include "command/out_file.hpp"
#include "command/served.hpp"
#include "command/suite_run.hpp"
#include "http/assets.hpp"
#include "http/server.hpp"
#include "json/write.hpp"
#include "text/say.hpp"

namespace agon::command {
namespace {

namespace po = boost::program_options;

constexpr std::int64_t kUsualPort = 8123;

std::unique_ptr<Served> asked_to_serve(Invocation& call, const Interrupt& interrupt) {
  const std::string what = call.argument("WHAT");
  std::error_code none;
  if (!std::filesystem::exists(what, none))
    throw Error(ErrorKind::not_found, "there is no such file", what, "name an archive or a suite");
  if (call.has("people")) {
    if (is_archive(what))
      throw Error(ErrorKind::usage, "--people goes with a suite, and this is an archive", what,
                  "name the suite, and the archive with --out");
    return serve_people(call, interrupt);
  }
  if (is_archive(what)) return serve_archive(call);
  return serve_suite(call, interrupt);
}

serve::ServerOptions server_options(const Invocation& call) {
  serve::ServerOptions options;
  if (call.has("address")) options.address = call.text("address");
  options.port = static_cast<std::uint16_t>(call.number("port", kUsualPort, 0, 65535));
  options.hosts = call.texts("host");
  return options;
}

/// That others on the way can read and change everything is said to who starts it.
void warn_of_plain_text(const std::string& address) {
  if (address.starts_with("127.") || address == "::1") return;
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
    door.add_routes(router);
    serve::add_assets(router);
    served->add_routes(router, door);
    const serve::ServerOptions options = server_options(call);
    const serve::Server server(
        options, [&](serve::Exchange exchange) { router.handle(std::move(exchange)); });
    interrupt.begin();
    const std::string url = server.public_url();
    const std::string login = url + door.new_link();
    warn_of_plain_text(options.address);
    if (call.json())
      print_line(json::write_pretty(
          boost::json::value(boost::json::object{{"url", url}, {"login", login}})));
    else
      print_line("Open this link, which lets one browser in: " + login);
    flush();
    if (!call.quiet() && !call.json()) text::say("Ctrl-C ends it.\n");
    return served->attend(interrupt, url);
  });
}

}  // namespace

void wait_for(const Interrupt& interrupt) {
  // A signal sets a flag and no more.
  while (!interrupt.asked()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

Command serve_command() {
  Command c{{"serve",
             "an archive, a suite that is played, or people who take part, in the browser",
             "",
             {{"WHAT", "an archive, made by 'agon run' or 'agon play --out', or a suite file", true,
               "FILE"}}},
            &serve};
  // clang-format off
  c.synopsis.options.add_options()
      ("port", po::value<std::string>()->value_name("N"), "where browsers find it; default 8123, 0: any that is free")
      ("address", po::value<std::string>()->value_name("ADDR"), "of this machine, for browsers on others: 0.0.0.0 for all its networks; default 127.0.0.1, for this machine alone")
      ("host", po::value<std::vector<std::string>>()->value_name("NAME")->composing(), "a name by which browsers ask for it, as behind a reverse proxy: lab.example.org or https://lab.example.org (may be given again)")
      ("people", "people take part in the suite's matches, each in a browser of their own; see docs/people.md")
      ("participants", po::value<std::string>()->value_name("N"), "with --people: how many links; default: as the suite says");
  // clang-format on
  add_run_options(c.synopsis.options);
  c.synopsis.details =
      "A suite is played into its archive as by 'agon run', and can be stopped and taken up from "
      "the page;\nan archive may be written meanwhile by another 'agon run'. With --people its "
      "matches wait "
      "for\npeople, and FILE.people beside the archive knows who took part.\n"
      "Prints a link that lets one browser in. Nobody else sees anything. Ctrl-C ends it.\n";
  return c;
}

}  // namespace agon::command

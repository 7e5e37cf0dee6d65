#include "llm/mock/command.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <agon/plugin_command.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "llm/mock/server.hpp"
#include "llm/tell.hpp"

namespace agon::llm::mock {
namespace {

std::uint16_t port_of(const std::string& text) {
  std::uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || stop != end)
    throw Error(ErrorKind::usage, fmt::format("'{}' is no port", text), "--port",
                "give a number from 0 to 65535; 0 takes one that is free");
  return port;
}

std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) names.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

/// The members of MockSpec are options of the same names.
const Field* member_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  for (const Field& f : type_of<MockSpec>().fields)
    if (f.name == name && f.name != "script" && f.name != "in_real_time") return &f;
  return nullptr;
}

ServerOptions options_of(std::span<const std::string> arguments) {
  ServerOptions options;
  JsonWriter mock;
  mock.open_object();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string name = arguments[i];
    std::optional<std::string> value;
    if (const std::size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    if (!name.starts_with("--"))
      throw Error(ErrorKind::usage, fmt::format("'{}' is no option", name), {},
                  "`agon mock-server --help` lists them");
    if (!value) {
      if (i + 1 == arguments.size())
        throw Error(ErrorKind::usage, fmt::format("{} needs a value", name), {},
                    "`agon mock-server --help` lists the options");
      value = arguments[++i];
    }
    if (name == "--port") {
      options.port = port_of(*value);
    } else if (name == "--log") {
      options.log = *value;
    } else if (name == "--models") {
      options.models = names_of(*value);
    } else if (name == "--key-env") {
      const char* key = std::getenv(value->c_str());
      if (key == nullptr || *key == '\0')
        throw Error(ErrorKind::usage, fmt::format("{} is not set", *value), "--key-env",
                    "export it, or name another variable");
      options.key = key;
    } else if (const Field* member = member_of(name.substr(2))) {
      mock.name(member->name);
      if (member->type->kind == Kind::enumeration)
        mock.text(*value);
      else
        mock.json(*value);
    } else {
      throw Error(ErrorKind::usage, fmt::format("mock-server has no option '{}'", name), {},
                  "`agon mock-server --help` lists them");
    }
  }
  if (const auto problem = read_json(options.mock, mock.close_object().take(), Missing::keeps))
    throw Error(ErrorKind::usage, problem->text(), "mock-server");
  check_mock(options.mock);
  return options;
}

int run(std::span<const std::string> arguments) {
  ServerOptions options = options_of(arguments);
  // Blocked before the server's thread begins, so that only this thread hears them.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  MockServer server(std::move(options));
  tell(stdout, server.url() + "\n");
  if (std::fflush(stdout) != 0)
    throw Error(ErrorKind::failure, "the URL cannot be written", "standard output");
  tell(stderr, fmt::format("OPENAI_BASE_URL={}/v1 or ANTHROPIC_BASE_URL={}; Ctrl-C ends it\n",
                           server.url(), server.url()));
  server.wait_for_signal();
  return 0;
}

}  // namespace

PluginCommand server_command() {
  return {.id = "mock-server",
          .doc = "serve the mock model on loopback, in all wire formats, with faults on demand",
          .usage =
              "[OPTION...]\n"
              "\n"
              "Options\n"
              "  --port P            on 127.0.0.1; default 0: one that is free, told on standard "
              "output\n"
              "  --log FILE          a line of JSON for each call\n"
              "  --models A,B        models that are there; default: whatever is asked for\n"
              "  --key-env NAME      ask for the key that this environment variable holds\n"
              "  --answers HOW       random (default), or first: the first that the schema allows\n"
              "  --seed N            of answers and faults; default 0\n"
              "  --latency-ms MS     median time for a reply; default 0\n"
              "  --latency-spread X  standard deviation of its logarithm; default 0\n"
              "  --help              show this help\n"
              "\n"
              "Shares of the calls that go wrong, from 0 (default) to 1\n"
              "  --rate-limited X        429 with a Retry-After of one second\n"
              "  --rate-limited-plain X  429 without one\n"
              "  --server-error X        500\n"
              "  --hang X                no reply ever\n"
              "  --cut X                 a reply that breaks off in its middle\n"
              "  --truncated X           an answer cut at the limit of tokens\n"
              "  --refused X             a refusal\n"
              "  --malformed X           an answer that is not JSON\n"
              "  --illegal X             JSON against the schema's bounds\n"
              "  --empty X               no text at all\n"
              "  --slow X                a first byte after ten times the latency\n"
              "\n"
              "Example\n"
              "  agon mock-server --port 8089 --latency-ms 200 --rate-limited 0.05",
          .run = &run};
}

}  // namespace agon::llm::mock

// What the server of pages takes for a large session: 500 people with a stream of events each, 50
// who watch, and answers. The server is a process of its own; its time and memory are read from
// /proc. First as a session goes (an answer of each every five seconds), then as fast as it can.
// `ninja bench_serve_load && build/bin/bench_serve_load`

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/server.hpp"
#include "support/web_client.hpp"

using namespace agon::serve;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kPeople = 500;
constexpr std::size_t kWatchers = 50;
constexpr std::size_t kSenders = 25;
const std::string kState(1500, 'x');

/// Serves until it is killed; writes its port to the pipe.
[[noreturn]] void serve(int pipe) {
  std::vector<std::shared_ptr<EventStream>> streams(kPeople + kWatchers);
  std::size_t answers = 0;
  const Server server({.posts_per_second = 1e6, .posts_at_once = 1e6},
                      [&](const Exchange& exchange) {
                        const std::size_t who = std::stoul(exchange.request.query.at("who"));
                        if (exchange.request.method == "GET") {
                          streams.at(who) = exchange.stream();
                          return;
                        }
                        exchange.respond({.body = R"({"accepted":true})"});
                        streams.at(who)->send("state", kState);
                        if (++answers % 50 == 0)
                          for (std::size_t i = kPeople; i < streams.size(); ++i)
                            streams[i]->send("session", kState);
                      });
  const std::uint16_t port = server.port();
  if (write(pipe, &port, sizeof port) != sizeof port) _exit(1);
  while (true) pause();
}

/// Seconds of processor time that it has used.
double seconds_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  std::size_t at = stat.rfind(')');
  for (int field = 2; field < 14; ++field) at = stat.find(' ', at + 1);
  std::size_t used = 0;
  const double user = std::stod(stat.substr(at + 1), &used);
  const double system = std::stod(stat.substr(at + 1 + used));
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Megabytes that it holds.
double megabytes_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("RssAnon:")) return std::stod(line.substr(8)) / 1024;
  return 0;
}

/// Answers of all for so long; `pause`: between two of one person. Says what it took.
void answer_for(std::chrono::seconds time, std::chrono::milliseconds pause, std::uint16_t port,
                pid_t server) {
  const auto begin = Clock::now();
  const double used = seconds_of(server);
  std::atomic<std::int64_t> answers{0}, waited{0};
  std::vector<std::thread> senders;
  for (std::size_t s = 0; s < kSenders; ++s)
    senders.emplace_back([&, s] {
      WebClient browser(port);
      for (std::size_t who = s; Clock::now() - begin < time; who += kSenders) {
        const auto sent = Clock::now();
        if (browser.ask(browser.post(fmt::format("/answer?who={}", who % kPeople), kState))
                .status != 200)
          std::abort();
        waited += (Clock::now() - sent).count();
        ++answers;
        std::this_thread::sleep_for(pause * kSenders / kPeople);
      }
    });
  for (std::thread& sender : senders) sender.join();
  const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
  fmt::print("{:6.0f} answers a second, {:5.2f} ms each, {:5.1f} % of a processor, {:5.1f} MB\n",
             static_cast<double>(answers) / passed,
             static_cast<double>(waited) / 1e6 / static_cast<double>(answers),
             100 * (seconds_of(server) - used) / passed, megabytes_of(server));
}

}  // namespace

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  const pid_t server = fork();
  if (server == 0) serve(ends[1]);
  std::uint16_t port = 0;
  if (read(ends[0], &port, sizeof port) != sizeof port) return 1;
  fmt::print("nobody: {:.1f} MB\n", megabytes_of(server));

  std::vector<std::unique_ptr<WebClient>> streams;
  for (std::size_t i = 0; i < kPeople + kWatchers; ++i) {
    streams.push_back(std::make_unique<WebClient>(port));
    streams.back()->send(streams.back()->get(fmt::format("/events?who={}", i)));
    if (streams.back()->read_head().status != 200) return 1;
  }
  fmt::print("{} streams: {:.1f} MB\n", streams.size(), megabytes_of(server));
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      std::vector<pollfd> all;
      for (const auto& stream : streams)
        all.push_back({.fd = stream->socket(), .events = POLLIN, .revents = 0});
      if (poll(all.data(), all.size(), 100) <= 0) continue;
      std::array<char, 65536> scratch{};
      for (const pollfd& one : all)
        if (one.revents != 0) (void)!::read(one.fd, scratch.data(), scratch.size());
    }
  });
  answer_for(std::chrono::seconds(10), std::chrono::seconds(5), port, server);
  answer_for(std::chrono::seconds(5), std::chrono::seconds(0), port, server);
  done = true;
  reader.join();
  kill(server, SIGKILL);
  waitpid(server, nullptr, 0);
}

// Many model calls at once against the mock server in a process of its own:
//   ninja -C build bench_model_calls && build/bin/bench_model_calls [IN_FLIGHT [LATENCY_MS
//   [SECONDS]]]
// Prints throughput against the ideal (in flight / latency), processor time a call, and memory.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <agon/waiting.hpp>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>

#include "llm/llm_agent.hpp"
#include "llm/mock/server.hpp"
#include "llm/provider/provider.hpp"
#include "plugin/catalogue.hpp"

namespace {

using namespace agon;
using namespace agon::llm;
using SteadyClock = std::chrono::steady_clock;

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  long pages = 0;
  statm >> pages >> pages;
  return pages * sysconf(_SC_PAGESIZE) / (1024 * 1024);
}

/// Serves in a child process until the pipe to the parent closes.
int serve(int to_parent, int from_parent, double latency_ms) {
  mock::ServerOptions options;
  options.mock.latency_ms = latency_ms;
  mock::MockServer server(std::move(options));
  const std::uint16_t port = server.port();
  char end = 0;
  if (write(to_parent, &port, sizeof port) != sizeof port) return 1;
  while (read(from_parent, &end, 1) > 0) {
  }
  fmt::print("server: {:.0f} us of processor time a call\n",
             processor_seconds() * 1e6 / static_cast<double>(server.counts()["answered"]));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int in_flight = argc > 1 ? std::atoi(argv[1]) : 1000;
  const double latency_ms = argc > 2 ? std::atof(argv[2]) : 200;
  const double seconds = argc > 3 ? std::atof(argv[3]) : 10;
  int up[2];
  int down[2];
  if (pipe(up) != 0 || pipe(down) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) {
    close(down[1]);
    return serve(up[1], down[0], latency_ms);
  }
  close(down[0]);
  std::uint16_t port = 0;
  if (read(up[0], &port, sizeof port) != sizeof port) return 1;

  ModelSpec spec;
  spec.provider = "vllm";
  spec.model = "bench";
  spec.base_url = fmt::format("http://127.0.0.1:{}/v1", port);
  spec.concurrency = in_flight;
  Catalogue catalogue;
  enter(catalogue);
  const auto provider = make_provider(spec, {.parts = &catalogue});

  // Until the limiter has grown to its bound and all connections are there: not measured.
  const auto begin = SteadyClock::now() + std::chrono::seconds(3) +
                     std::chrono::milliseconds(static_cast<int>(8 * latency_ms));
  const auto end = begin + std::chrono::duration_cast<SteadyClock::duration>(
                               std::chrono::duration<double>(seconds));
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> failed{0};
  auto work = std::make_unique<BackgroundWork>();  // as agents have it
  for (int t = 0; t < in_flight; ++t)
    work->run([&, t] {
      ModelRequest request;
      request.purpose = "answer";
      request.messages = {{"system", "You play."}, {"user", std::string(2000, 'x')}};
      for (std::uint32_t i = 0; SteadyClock::now() < end; ++i) {
        const ModelResult r = provider->call(request, SteadyClock::time_point::max(),
                                             Dice(1, static_cast<std::uint32_t>(t), i));
        const auto now = SteadyClock::now();
        if (now >= begin && now < end) ++calls;
        if (r.call.fault != agon::Fault::ok) ++failed;
      }
    });
  std::this_thread::sleep_until(begin);
  const double processor_before = processor_seconds();
  std::this_thread::sleep_until(end);
  const double processor = processor_seconds() - processor_before;
  const long memory = resident_megabytes();
  const auto done = static_cast<double>(calls.load());
  work.reset();
  const double ideal = in_flight / latency_ms * 1000;
  fmt::print("{} in flight at {} ms for {} s: {:.0f} calls/s, {:.1f}% of {:.0f}\n", in_flight,
             latency_ms, seconds, done / seconds, 100 * done / seconds / ideal, ideal);
  fmt::print("client: {:.2f} cores, {:.0f} us of processor time a call, {} MB, {} failed\n",
             processor / seconds, processor * 1e6 / done, memory, failed.load());
  std::fflush(stdout);
  close(down[1]);
  waitpid(child, nullptr, 0);
  return failed == 0 ? 0 : 1;
}

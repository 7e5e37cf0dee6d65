#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace command_test {

/// What an endpoint does with a request: it sends these bytes and closes.
struct Served {
  std::string bytes{};
  bool hangs = false;     ///< after the bytes: nothing more, and it stays open
  bool trickles = false;  ///< after the bytes: a space every 20 ms, for ever
};

/// A model endpoint on loopback that does as a test says.
class Endpoint {
 public:
  struct Request {
    std::string method;
    std::string path;
    std::string head;  ///< all of it
    std::string body;
  };
  /// `serve` is called from several threads.
  explicit Endpoint(std::function<Served(const Request&)> serve);
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  /// "http://127.0.0.1:PORT/v1"
  [[nodiscard]] std::string url() const;
  /// Calls so far, lists of models not counted.
  [[nodiscard]] int calls() const { return calls_; }

  /// A reply over HTTP.
  static std::string reply(int status, std::string_view body, std::string_view headers = {});
  /// A good reply: what the model says, which is put into JSON.
  static std::string answer(std::string_view content);

 private:
  void listen();
  void serve(int connection);

  std::function<Served(const Request&)> serve_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<bool> closing_{false};
  std::atomic<int> calls_{0};
  std::mutex mutex_;
  std::vector<std::thread> threads_;
  std::thread listener_;
};

}  // namespace command_test

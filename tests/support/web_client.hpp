#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// A browser's end of HTTP, as raw as a test wants it.
class WebClient {
 public:
  struct Answer {
    int status = 0;                                ///< 0: the connection ended before there was one
    std::map<std::string, std::string> headers{};  ///< names in lower case
    std::string body{};
    [[nodiscard]] std::string header(const std::string& name) const {
      const auto found = headers.find(name);
      return found == headers.end() ? std::string() : found->second;
    }
  };

  /// Connects to an address of this machine; every wait for the server ends after a minute.
  explicit WebClient(std::uint16_t port, const std::string& address = "127.0.0.1");
  ~WebClient();
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  /// Sends bytes; false if the connection is closed.
  bool send(std::string_view bytes);
  /// Reads one answer whole. `head`: one without a body, whatever its length says.
  Answer read(bool head = false);
  /// Reads an answer's header alone, as of a stream.
  Answer read_head();
  /// Reads until `text` was seen, and returns all up to its end; nothing if it does not come.
  std::optional<std::string> read_until(std::string_view text);
  /// Reads until the connection ends.
  std::string read_all();
  /// Says that nothing more will be sent.
  void finish();
  /// Its file.
  [[nodiscard]] int socket() const { return socket_; }
  /// Ends the connection with a reset in the place of a farewell.
  void reset();

  /// The request as browsers send it to this port; `headers`: more of them, each with its line end.
  [[nodiscard]] std::string get(std::string_view target, std::string_view headers = {}) const;
  [[nodiscard]] std::string post(std::string_view target, std::string_view body,
                                 std::string_view headers = {}) const;
  /// Sends one of these and reads the answer.
  Answer ask(const std::string& request) { return send(request) ? read() : Answer{}; }

 private:
  bool more();
  int socket_ = -1;
  std::uint16_t port_;
  std::string in_;
};

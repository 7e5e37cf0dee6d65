#include "command/endpoint.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>

namespace command_test {
namespace {

bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::size_t length_in(const std::string& head) {
  const std::size_t at = head.find("ontent-Length: ");
  return at == std::string::npos ? 0 : std::stoul(head.substr(at + 15));
}

/// False if the other side has closed.
bool is_open(int connection) {
  char c = 0;
  const ssize_t n = recv(connection, &c, 1, MSG_PEEK | MSG_DONTWAIT);
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

}  // namespace

Endpoint::Endpoint(std::function<Served(const Request&)> serve) : serve_(std::move(serve)) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(socket_, 128) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no port for the test's endpoint");
  port_ = ntohs(address.sin_port);
  listener_ = std::thread([this] { listen(); });
}

Endpoint::~Endpoint() {
  closing_ = true;
  listener_.join();
  for (std::thread& t : threads_) t.join();
  close(socket_);
}

std::string Endpoint::url() const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/v1";
}

void Endpoint::listen() {
  while (!closing_) {
    pollfd wait{socket_, POLLIN, 0};
    if (poll(&wait, 1, 20) <= 0) continue;
    const int connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([this, connection] {
      serve(connection);
      close(connection);
    });
  }
}

void Endpoint::serve(int connection) {
  std::string text;
  Request request;
  for (;;) {
    pollfd wait{connection, POLLIN, 0};
    if (closing_) return;
    if (poll(&wait, 1, 20) <= 0) continue;
    std::array<char, 65536> bytes;
    const ssize_t n = recv(connection, bytes.data(), bytes.size(), 0);
    if (n <= 0) return;
    text.append(bytes.data(), static_cast<std::size_t>(n));
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    request.head = text.substr(0, end);
    if (text.size() < end + 4 + length_in(request.head)) continue;
    request.body = text.substr(end + 4);
    break;
  }
  request.method = request.head.substr(0, request.head.find(' '));
  request.path = request.head.substr(request.method.size() + 1);
  request.path.resize(request.path.find(' '));
  if (request.method == "POST") ++calls_;
  const Served served = serve_(request);
  if (!send_all(connection, served.bytes)) return;
  while ((served.hangs || served.trickles) && !closing_ && is_open(connection)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (served.trickles && !send_all(connection, " ")) return;
  }
}

std::string Endpoint::reply(int status, std::string_view body, std::string_view headers) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: application/json\r\n" +
         std::string(headers) + "Content-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + std::string(body);
}

std::string Endpoint::answer(std::string_view content) {
  std::string text;
  for (const char c : content) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return reply(
      200, R"({"id":"1","model":"served","choices":[{"message":{"content":")" + text +
               R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}})");
}

}  // namespace command_test

#include "support/web_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

WebClient::WebClient(std::uint16_t port, const std::string& address) : port_(port) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval minute{.tv_sec = 60, .tv_usec = 0};
  (void)setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
  (void)setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &minute, sizeof minute);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  (void)inet_pton(AF_INET, address.c_str(), &to.sin_addr);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    throw std::runtime_error("nobody listens");
}

WebClient::~WebClient() {
  ::close(socket_);
}

bool WebClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool WebClient::more() {
  std::array<char, 65536> buffer{};
  const ssize_t n = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (n <= 0) return false;
  in_.append(buffer.data(), static_cast<std::size_t>(n));
  return true;
}

std::optional<std::string> WebClient::read_until(std::string_view text) {
  std::size_t at = in_.find(text);
  while (at == std::string::npos) {
    if (!more()) return std::nullopt;
    at = in_.find(text);
  }
  std::string read = in_.substr(0, at + text.size());
  in_.erase(0, read.size());
  return read;
}

WebClient::Answer WebClient::read_head() {
  const std::optional<std::string> head = read_until("\r\n\r\n");
  Answer answer;
  if (!head || !head->starts_with("HTTP/1.1 ")) return answer;
  answer.status = std::atoi(head->c_str() + 9);
  for (std::size_t at = head->find("\r\n") + 2; at < head->size();) {
    const std::size_t end = head->find("\r\n", at);
    const std::string line = head->substr(at, end - at);
    at = end + 2;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string name = line.substr(0, colon);
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    answer.headers[name] += line.substr(colon + 2);
  }
  return answer;
}

WebClient::Answer WebClient::read(bool head) {
  Answer answer = read_head();
  if (head) return answer;
  const std::size_t length = std::strtoull(answer.header("content-length").c_str(), nullptr, 10);
  while (in_.size() < length)
    if (!more()) return {};
  answer.body = in_.substr(0, length);
  in_.erase(0, length);
  return answer;
}

std::string WebClient::read_all() {
  while (more()) {
  }
  return std::move(in_);
}

void WebClient::finish() {
  ::shutdown(socket_, SHUT_WR);
}

void WebClient::reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  (void)setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(socket_);
  socket_ = -1;
}

std::string WebClient::get(std::string_view target, std::string_view headers) const {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
         "\r\n" + std::string(headers) + "\r\n";
}

std::string WebClient::post(std::string_view target, std::string_view body,
                            std::string_view headers) const {
  const std::string here = "127.0.0.1:" + std::to_string(port_);
  return "POST " + std::string(target) + " HTTP/1.1\r\nHost: " + here + "\r\nOrigin: http://" +
         here +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

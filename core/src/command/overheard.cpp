#include "command/overheard.hpp"

namespace agon::command {
namespace {

constexpr std::size_t kMostBytes = 600;
constexpr int kMostLines = 8;

/// Where the last lines begin.
std::size_t last_lines(std::string_view text) {
  std::size_t at = text.size();
  for (int line = 0; line < kMostLines; ++line) {
    at = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    if (at == std::string_view::npos) return 0;
  }
  return at + 1;
}

}  // namespace

void Overheard::hear(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (!end_.empty()) end_ += '\n';
  end_ += text;
  end_.erase(0, last_lines(end_));
  if (end_.size() > kMostBytes) end_.erase(0, end_.size() - kMostBytes);
}

std::string Overheard::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

}  // namespace agon::command

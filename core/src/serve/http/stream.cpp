#include "http/stream.hpp"

#include <exception>

#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon::serve {
namespace {

// Lines of an event end where a browser sees an end of line.
void append_lines(std::string& out, std::string_view data) {
  while (true) {
    const std::size_t end = data.find_first_of("\r\n");
    out.append("data: ").append(data.substr(0, end)) += '\n';
    if (end == std::string_view::npos) return;
    data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
  }
}

}  // namespace

void Stream::send(std::string_view event, std::string_view data, std::string_view id) {
  std::string text;
  const auto field = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    text.append(name).append(": ");
    for (const char c : value)
      if (c != '\r' && c != '\n' && c != '\0') text += c;
    text += '\n';
  };
  field("event", event);
  field("id", id);
  append_lines(text, data);
  text += '\n';
  {
    const std::lock_guard lock(mutex_);
    if (!open_) return;
    if (on_its_way_ + waiting_.size() + text.size() > most_) {
      cut_ = true;
      open_ = false;
      waiting_.clear();
    } else {
      waiting_ += text;
      if (std::exchange(woken_, true)) return;
    }
  }
  wake();
}

void Stream::close() {
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(open_, false)) return;
  }
  wake();
}

void Stream::wake() {
  if (!wake_()) end();
}

std::string Stream::take() {
  const std::lock_guard lock(mutex_);
  on_its_way_ = waiting_.size();
  woken_ = !waiting_.empty();
  return std::exchange(waiting_, {});
}

void Stream::end() {
  std::vector<std::function<void()>> told;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(ended_, true)) return;
    open_ = false;
    std::string().swap(waiting_);
    told.swap(gone_);
  }
  for (const std::function<void()>& gone : told) try {
      gone();
    } catch (const std::exception& error) {
      text::say("agon: something broke that should not: {}\n", text::printable(error.what()));
    }
}

void Stream::on_gone(std::function<void()> gone) {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
      gone_.push_back(std::move(gone));
      return;
    }
  }
  gone();
}

}  // namespace agon::serve

#pragma once

#include <agon/error.hpp>
#include <ostream>
#include <string>
#include <string_view>

namespace agon::archive {

/// Hands text to a stream in large pieces, and notices when the stream fails.
class Output {
 public:
  explicit Output(std::ostream& stream) : stream_(stream) {}

  std::string& line() { return buffer_; }
  void line_done() {
    if (buffer_.size() >= piece) flush();
  }
  void flush() {
    stream_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    stream_.flush();
    buffer_.clear();
    if (!stream_) {
      throw Error(ErrorKind::failure, "the export could not be written", {},
                  "check the free space on the disk");
    }
  }

 private:
  static constexpr std::size_t piece = 1U << 16U;
  std::ostream& stream_;
  std::string buffer_;
};

}  // namespace agon::archive

#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace agon::agents {

/// Lines in, text out: a terminal or a pair of pipes. Not for more than one thread.
class Console {
 public:
  /// Reads from `in` and writes to `out`; both stay the caller's.
  Console(int in, int out);

  /// True if somebody sits there: both ends are terminals.
  [[nodiscard]] bool is_terminal() const { return terminal_; }

  void write(std::string_view text);
  /// The same, broken into lines that are no wider than the terminal or, elsewhere, 80 columns.
  void show(std::string_view text);
  /// Emphasised on a terminal, unless NO_COLOR is set.
  [[nodiscard]] std::string bold(std::string_view text) const;
  [[nodiscard]] std::string dim(std::string_view text) const;

  /// How reading a line ended.
  enum class Got : unsigned char {
    line,
    end,      ///< there is nothing more to read, now and ever
    stopped,  ///< `stop` said so
  };
  /// Waits for a line and stores it without its line break. `stop` is looked at every 50 ms, so
  /// that waiting for a person never holds up anything else. What follows the last line break
  /// before the end counts as a line. Lines above 1 MiB end the input: no person types them.
  Got read_line(std::string& line, const std::function<bool()>& stop);

  /// Forgets what was typed but not yet read, on a terminal: it was meant for a question that is
  /// gone.
  void drop_typed();

 private:
  int in_, out_;
  bool terminal_ = false;
  bool colour_ = false;
  bool ended_ = false;
  std::string buffer_;
};

}  // namespace agon::agents

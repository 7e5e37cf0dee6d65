#pragma once

#include <agon/export.hpp>
#include <boost/json/fwd.hpp>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace agon::command {

class Invocation;

/// Prints to standard output, or to who listens; a write that fails is an error, not silence.
void print(std::string_view text);
/// Sends what was printed on its way.
AGON_API void flush();
/// `print` and a line break.
void print_line(std::string_view text);
/// As JSON over several lines.
void print_json(const boost::json::value& value);
/// The text with every line but the first moved right by so many columns.
[[nodiscard]] std::string hanging(std::string_view text, std::size_t columns);
/// What may hold words of a game, fit for a terminal: its further lines are indented, so that they
/// do not pass for messages of ours.
[[nodiscard]] std::string as_one_message(std::string_view text);
/// A heading on a terminal that takes it, plain elsewhere (NO_COLOR is respected).
[[nodiscard]] std::string heading(std::string_view text);
/// True if standard output is a terminal that takes colours.
[[nodiscard]] bool colours();

/// The end of what games print in the course of a command, to be told once.
class Overheard {
 public:
  /// Hears it from here on; before the plugins are loaded.
  explicit Overheard(Invocation& call);
  /// Tells the last 8 lines, at most 600 bytes, and where all of it is told; nothing if nothing was
  /// printed, or with --quiet.
  void tell() const;

 private:
  class Tail;
  const Invocation& call_;
  std::shared_ptr<Tail> tail_;
};

/// A file that `--out` names. It is written beside its place, where the system can without a name,
/// and moved there in the end: so a full disk or an interruption leaves what was there before, and
/// an end by force (`kill -9`) nothing else either. What is no ordinary file, such as a
/// pipe or /dev/null, is written to as it stands.
class OutFile {
 public:
  /// Throws Error: (usage) if an archive has that name, for archives hold what cannot be made
  /// again; (failure) if it cannot be written.
  explicit OutFile(std::string path);
  /// Removes what was written, unless it was kept.
  ~OutFile();
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return file_; }
  /// Moves it into place; throws Error (failure) if not all could be written.
  void keep();

 private:
  std::string path_;    ///< as it was given
  std::string target_;  ///< where it ends up: behind links
  std::string part_;    ///< where it is written, or has its first name
  int nameless_ = -1;   ///< the file without a name that it is until it is whole; below 0: none
  std::ofstream file_;
  bool kept_ = false;
};

/// Throws Error (failure): `path` cannot be written because of `reason` (an errno), and how to fix
/// that.
[[noreturn]] void refuse_to_write(const std::string& path, int reason);

/// True if the file is a database, as archives are.
[[nodiscard]] bool is_archive(const std::string& path);

}  // namespace agon::command

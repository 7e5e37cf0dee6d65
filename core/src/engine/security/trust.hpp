#pragma once

#include <agon/access.hpp>
#include <agon/export.hpp>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "text/hash.hpp"

namespace agon {

/// Something that a suite asks for, and who needs it.
struct AskedFor {
  Access access;
  std::string where;                ///< the first place that asks: "suite.json:4:12 ($.agents.a)"
  std::vector<std::string> agents;  ///< without repetition; empty: none
};

/// "starts 'python3 bot.py' in /home/me/suite", for people; nothing in it acts on a terminal.
[[nodiscard]] AGON_API std::string text_of(const Access& access);
/// The same with who needs it and the place: one line.
[[nodiscard]] AGON_API std::string text_of(const AskedFor& asked);

/// All that is asked for while a suite is read, and what of it is trusted. A suite is read dry
/// first, which fills it; then it is trusted as a whole or not at all; and when the suite is read
/// to be played, what was not met before is refused, so that a file which is exchanged in between
/// gets nothing.
class AGON_API Accesses {
 public:
  /// `folder`: of the suite, empty for the current one. Files below it and below `shipped`, whose
  /// own entries may be links, need no trust.
  explicit Accesses(const std::filesystem::path& folder,
                    const std::vector<std::string>& shipped = {});

  /// Notes an access of an agent. True if it is trusted. Paths are made canonical.
  bool add(Access access, const std::string& where, const std::string& agent);
  /// True if this file or folder, which is named at `where`, may be read: it needs no trust, or has
  /// it. Else it is noted. Links are followed.
  bool may_read(const std::filesystem::path& path, const std::string& where);
  /// True if `file`, found in `folder`, may be read because that may. Else as may_read().
  bool may_read_in(const std::filesystem::path& folder, const std::filesystem::path& file,
                   const std::string& where);

  /// True if this program, which is named at `where` and without which no more can be read, may be
  /// started. Else it is noted.
  bool may_start(const std::filesystem::path& program, const std::string& where);

  /// Files are read without trust: for what leaves nothing of them anywhere.
  void read_all_files() { reads_all_ = true; }
  /// Trusts all that is noted.
  void trust();
  /// From here on add() and may_read() throw Error (preflight) for what is not trusted.
  void refuse_others() { refuses_ = true; }

  [[nodiscard]] const std::vector<AskedFor>& all() const { return all_; }
  [[nodiscard]] bool all_trusted() const;
  /// True if a file or a program was left out because it is not trusted: what was read then is not
  /// the suite.
  [[nodiscard]] bool left_files_out() const { return left_out_; }
  /// The folder of the suite, links followed.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Of each access together with the folder, in order of `all`.
  [[nodiscard]] const std::vector<hash::Digest>& digests() const { return digests_; }

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> free_;  ///< files below need no trust
  std::vector<AskedFor> all_;
  std::vector<hash::Digest> digests_;
  std::set<hash::Digest> trusted_;
  bool reads_all_ = false;
  bool refuses_ = false;
  bool left_out_ = false;
};

/// What a user has trusted before: `agon/trusted` in $XDG_STATE_HOME, by default in
/// ~/.local/state. A line for each time that somebody trusted: the digests of all that was asked
/// for then, and behind a '#' the folder of the suite. To forget, remove the line, or the file.
class AGON_API Remembered {
 public:
  /// Of the user who runs this. Without a home there is no file.
  static Remembered of_user();
  explicit Remembered(std::filesystem::path file);

  /// True if all of this was trusted at one time, with the same or with more beside it: trusted
  /// with another thing, a file may come to a host that nobody thought of.
  [[nodiscard]] bool has(std::span<const hash::Digest> asked) const;
  /// Adds a line. Returns why it could not; empty if it could.
  [[nodiscard]] std::string add(std::span<const hash::Digest> asked, const std::string& folder);

  /// Why the file that is there is not used; empty if it is, or there is none.
  [[nodiscard]] const std::string& ignored_because() const { return ignored_; }

 private:
  std::filesystem::path file_;  ///< empty: nothing is remembered
  std::string ignored_;
  std::vector<std::set<hash::Digest>> lines_;
};

}  // namespace agon

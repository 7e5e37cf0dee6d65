#pragma once

#include <agon/export.hpp>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "hash/sha256.hpp"

namespace agon {

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

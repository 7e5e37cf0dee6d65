#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace agon::fuzz {

/// The cases of one process.
struct Share {
  std::uint64_t key = 1;    ///< what all cases follow from
  std::uint64_t place = 0;  ///< of the process
  std::uint64_t first = 0;
  std::uint64_t last = 0;  ///< one past it
  std::uint64_t step = 1;
};

/// What was asked for on the command line.
struct Drive {
  std::uint64_t count = 100;
  std::uint64_t key = 1;
  std::uint64_t first = 0;
  std::uint64_t jobs = 1;
  std::filesystem::path keep;    ///< where cases are kept; empty: nowhere
  std::filesystem::path folder;  ///< for a while

  /// Does the cases in as many processes; returns how many findings they made.
  [[nodiscard]] std::uint64_t share_out(
      const std::function<std::uint64_t(const Share&)>& work) const;
};

/// Reads --count N --seed S --first K --jobs J --keep FOLDER, and calls `run`, which says whether
/// all is well. Returns the exit code.
int drive(int argc, char** argv, const char* name, const std::function<bool(const Drive&)>& run);

}  // namespace agon::fuzz

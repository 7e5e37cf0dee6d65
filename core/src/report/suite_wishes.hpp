#pragma once

#include <string>

#include "archive/archive.hpp"

namespace agon::report {

/// What the last suite that wrote an archive says about reports.
struct SuiteWishes {
  std::string against{};
  std::string policy{};
  double level = 0.95;
};
[[nodiscard]] SuiteWishes suite_wishes(const archive::Archive& archive);

}  // namespace agon::report

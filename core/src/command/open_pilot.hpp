#pragma once

#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "suite/suite.hpp"

namespace agon::command {

/// A pilot of a suite, and what there is to say of how it fits.
struct Pilot {
  archive::Archive archive;
  std::vector<std::string> notes;
};

/// Opens an archive as the pilot of a suite, narrowed to what was run last of what has the suite's
/// own agents, settings and versions under its names; if nothing has, to what was run last. The
/// notes name what differs.
[[nodiscard]] Pilot open_pilot(const std::string& path, const Suite& suite);

}  // namespace agon::command

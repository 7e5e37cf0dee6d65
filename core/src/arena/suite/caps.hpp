#pragma once

#include <vector>

#include "suite/agents/models.hpp"
#include "suite/suite_file.hpp"

namespace agon {

class FileText;

/// The caps on all calls that a suite's limits say. Throws Error.
[[nodiscard]] Caps read_caps(const suite_file::Limits& limits, const FileText& text);

/// Its caps on parts of the calls. `suite`: with its agents and scenarios. Throws Error, also for a
/// model or a purpose that no agent has calls of: the cap would hold for nothing.
[[nodiscard]] std::vector<PartCaps> read_part_caps(const suite_file::Limits& limits,
                                                   const FileText& text, const Models& models,
                                                   const Suite& suite);

}  // namespace agon

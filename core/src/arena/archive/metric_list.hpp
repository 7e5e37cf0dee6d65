#pragma once

#include <agon/export.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon::archive {

/// Metrics as the archive keeps them: a JSON array such as `[1.0,null,0.25]`, in the order of the
/// names in the game's row. Numbers read back exactly; NaN and infinities become null.
AGON_API std::string write_metrics(std::span<const double> metrics);

/// Reads what `write_metrics` wrote into `out`; null becomes NaN. False for anything else.
AGON_API bool read_metrics(std::string_view text, std::vector<double>& out);

}  // namespace agon::archive

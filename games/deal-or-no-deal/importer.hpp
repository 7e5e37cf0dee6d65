#pragma once

#include <agon/importer.hpp>
#include <agon/plugin.hpp>

namespace deal_or_no_deal {

/// Reads the published text files (any of SourceFormat) and writes one file of instances.
[[nodiscard]] agon::Importer importer();

}  // namespace deal_or_no_deal

#pragma once

#include <agon/importer.hpp>
#include <agon/plugin.hpp>

namespace deal_or_no_deal {

/// Reads the published text files (any of SourceFormat) and writes one file of instances.
[[nodiscard]] agon::Importer importer();

/// Reads the published dialogues of people (the tagged and the flat format) as matches.
[[nodiscard]] agon::Importer dialogue_importer();

}  // namespace deal_or_no_deal

#pragma once

#include <agon/importer.hpp>

namespace sealed_bid {

/// The result files of Learning from Synthetic Labs, sealed bids and rising clocks, as matches.
[[nodiscard]] agon::Importer llm_auctions_importer();

}  // namespace sealed_bid

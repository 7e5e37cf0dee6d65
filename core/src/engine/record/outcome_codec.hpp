#pragma once

#include <agon/export.hpp>
#include <agon/outcome.hpp>
#include <string>

#include "record/codec.hpp"

namespace agon::record {

/// Appends how a match came out: as records end with it, and as batches without records have it.
AGON_API void encode(std::string& out, const Outcome& outcome);
/// Reads it back, without what its metrics are. False if the bytes are none.
AGON_API bool decode(Bytes& in, Outcome& outcome);

}  // namespace agon::record

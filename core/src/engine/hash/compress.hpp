#pragma once

#include <agon/export.hpp>
#include <array>
#include <cstdint>

namespace agon::hash {

using State = std::array<std::uint32_t, 8>;

/// The rounds of SHA-256 over one block of 64 bytes, with the processor's own instructions where it
/// has them.
AGON_API void compress(State& state, const std::uint8_t* block);
/// The same on any processor.
AGON_API void compress_portably(State& state, const std::uint8_t* block);

}  // namespace agon::hash

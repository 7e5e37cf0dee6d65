#pragma once

#include <agon/random.hpp>
#include <string>
#include <string_view>

namespace agon::fuzz {

/// A record with entries left out, doubled, moved, or said by somebody else, and with other values
/// in them: well formed, and wrong.
[[nodiscard]] std::string change_record(std::string_view record, Dice& dice);

}  // namespace agon::fuzz

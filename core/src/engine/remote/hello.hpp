#pragma once

#include <agon/sdk_version.hpp>
#include <string_view>

namespace agon::remote {

/// The arena's first message to a game's process, without its line break.
inline constexpr std::string_view kHello =
    R"({"type":"hello","protocol":1,"arena":"agon","version":")" AGON_SDK_VERSION_TEXT R"("})";

}  // namespace agon::remote

#pragma once

#include <agon/export.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon::plugin {

/// The start of the symbol whose name is a library's ABI tag.
inline constexpr std::string_view kTagPrefix = "agon_abi__";

/// The tag that this library was built with (AGON_ABI_TAG as text).
AGON_API std::string_view own_tag();

/// The start of symbols whose names are the kits that a library uses: "agon_kit__model__h1".
inline constexpr std::string_view kKitPrefix = "agon_kit__";

/// The kits that this library was built with, as they stand in such symbols: "model__h1".
AGON_API std::span<const std::string_view> own_kits();

/// "model" of "model__h1".
std::string_view kit_name(std::string_view kit);

/// Why a library that uses this kit does not fit, empty if it does.
AGON_API std::string problem_of_kit(std::string_view kit, std::span<const std::string_view> own);

/// One thing in which a plugin was built differently from this agon.
struct TagDifference {
  std::string what;  ///< "SDK headers: the plugin has h1, this agon has h2"
  std::string mend;  ///< what to change in the plugin's build
};

/// Everything in which two ABI tags differ, component by component, in the order of `own`; what
/// only the plugin's tag names comes last. Empty if they are equal.
AGON_API std::vector<TagDifference> differences(std::string_view plugin, std::string_view own);

}  // namespace agon::plugin

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon::plugin {

/// The start of the symbol whose name is a library's ABI tag.
inline constexpr std::string_view kTagPrefix = "agon_abi__";

/// The tag that this library was built with (AGON_ABI_TAG as text).
std::string_view own_tag();

/// One thing in which a plugin was built differently from this agon.
struct TagDifference {
  std::string what;  ///< "SDK headers: the plugin has h1, this agon has h2"
  std::string mend;  ///< what to change in the plugin's build
};

/// Everything in which two ABI tags differ, component by component, in the order of `own`; what
/// only the plugin's tag names comes last. Empty if they are equal.
std::vector<TagDifference> differences(std::string_view plugin, std::string_view own);

}  // namespace agon::plugin

#include "plugin/abi_tag.hpp"

#include <agon/analysis/kit.hpp>
#include <agon/model/kit.hpp>
#include <agon/plugin.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "text/utf8.hpp"

namespace agon::plugin {
namespace {

using Component = std::pair<std::string_view, std::string_view>;

/// "agon_abi__sdk_h1__debug_0" as {sdk, h1}, {debug, 0}.
std::vector<Component> components(std::string_view tag) {
  std::vector<Component> out;
  if (!tag.starts_with(kTagPrefix)) return out;
  tag.remove_prefix(kTagPrefix.size());
  while (!tag.empty()) {
    const std::size_t end = tag.find("__");
    const std::string_view part = tag.substr(0, end);
    const std::size_t split = part.find('_');
    out.emplace_back(part.substr(0, split),
                     split == std::string_view::npos ? "" : part.substr(split + 1));
    tag.remove_prefix(end == std::string_view::npos ? tag.size() : end + 2);
  }
  return out;
}

const Component* find(const std::vector<Component>& in, std::string_view name) {
  for (const Component& c : in)
    if (c.first == name) return &c;
  return nullptr;
}

std::string title(std::string_view name) {
  if (name == "sdk") return "SDK headers";
  if (name == "cxx11") return "C++11 strings (_GLIBCXX_USE_CXX11_ABI)";
  if (name == "debug") return "libstdc++ debug mode (_GLIBCXX_DEBUG)";
  if (name == "boost") return "Boost";
  if (name == "sanitizer") return "sanitizer";
  return text::printable(name);
}

/// 108100 as 1.81.0.
std::string boost_version(std::string_view digits) {
  int n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc{} || end != digits.data() + digits.size()) return text::printable(digits);
  return std::to_string(n / 100000) + "." + std::to_string(n / 100 % 1000) + "." +
         std::to_string(n % 100);
}

std::string shown(std::string_view name, const Component* component) {
  if (component == nullptr) return "nothing";
  if (name == "boost") return boost_version(component->second);
  if (name == "cxx11" || name == "debug") {
    if (component->second == "1") return "on";
    if (component->second == "0") return "off";
  }
  return text::printable(component->second);
}

std::string mend(std::string_view name, const Component* ours) {
  if (name == "sdk" || ours == nullptr) return "against the headers of this agon";
  const std::string wanted(ours->second);
  if (name == "cxx11") return "with -D_GLIBCXX_USE_CXX11_ABI=" + wanted;
  if (name == "debug") return wanted == "0" ? "without -D_GLIBCXX_DEBUG" : "with -D_GLIBCXX_DEBUG";
  if (name == "boost") return "with Boost " + shown(name, ours);
  if (name == "sanitizer")
    return wanted == "none" ? "without a sanitizer" : "with -fsanitize=" + wanted;
  return "with " + title(name) + " = " + wanted;
}

}  // namespace

std::string_view own_tag() {
  return BOOST_PP_STRINGIZE(AGON_ABI_TAG);
}

std::span<const std::string_view> own_kits() {
  static constexpr std::array<std::string_view, 2> kits{AGON_KIT_model, AGON_KIT_analysis};
  return kits;
}

std::string_view kit_name(std::string_view kit) {
  return kit.substr(0, kit.find("__"));
}

std::string problem_of_kit(std::string_view kit, std::span<const std::string_view> own) {
  if (std::find(own.begin(), own.end(), kit) != own.end()) return {};
  const std::string_view name = kit_name(kit);
  const auto digest = [&](std::string_view of) {
    return text::printable(of.substr(std::min(of.size(), name.size() + 2)));
  };
  for (const std::string_view mine : own)
    if (kit_name(mine) == name)
      return "headers of the kit '" + text::printable(name) + "': the plugin has " + digest(kit) +
             ", this agon has " + digest(mine);
  return "the plugin uses the kit '" + text::printable(name) + "', which this agon does not have";
}

std::vector<TagDifference> differences(std::string_view plugin, std::string_view own) {
  const std::vector<Component> theirs = components(plugin);
  const std::vector<Component> ours = components(own);
  std::vector<TagDifference> out;
  const auto compare = [&](std::string_view name) {
    const Component* a = find(theirs, name);
    const Component* b = find(ours, name);
    if (a != nullptr && b != nullptr && a->second == b->second) return;
    out.push_back(
        {title(name) + ": the plugin has " + shown(name, a) + ", this agon has " + shown(name, b),
         mend(name, b)});
  };
  for (const Component& c : ours) compare(c.first);
  for (const Component& c : theirs)
    if (find(ours, c.first) == nullptr) compare(c.first);
  return out;
}

}  // namespace agon::plugin

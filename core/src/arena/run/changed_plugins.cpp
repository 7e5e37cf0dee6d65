#include "run/changed_plugins.hpp"

#include <fmt/format.h>

#include "text/utf8.hpp"

namespace agon {

std::string describe_changed_plugins(const RunArchive& archive) {
  std::string text;
  for (const ChangedPlugin& changed : archive.changed_plugins())
    text += fmt::format(
        "warning: {} was changed since matches of '{}' in this archive were played, and its "
        "version was not: they are taken as they are. Raise the game's version, or write to "
        "another archive with --out, to play them anew\n",
        text::printable(changed.path), text::printable(changed.game));
  return text;
}

}  // namespace agon

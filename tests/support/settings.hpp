#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "catch.hpp"
#include "json/parse.hpp"
#include "settings/settings.hpp"

namespace agon::test {

/// The settings that `{"preset": "paper", ...overrides}` says.
inline Settings read_settings(const Game& game, std::string_view json, std::string_view where = "",
                              const DataFolders& folders = {}) {
  boost::json::object members = json::parse(json, where).as_object();
  std::string preset;
  if (const auto* named = members.if_contains("preset")) preset = named->as_string();
  members.erase("preset");
  return Settings::read(game, preset, members, where, folders);
}

}  // namespace agon::test

#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <agon/game.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/provider.hpp>
#include <agon/plugin_command.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "plugin/importer.hpp"

namespace agon::plugin {

/// What `name:key=value,key=value` says.
struct ShortForm {
  std::string id;
  boost::json::object params;
};

/// Reads the short form of an agent or a part: values are JSON where they are JSON, else texts.
/// Throws Error (usage), led by `where`.
[[nodiscard]] AGON_API ShortForm parse_short(std::string_view text, const std::string& where);

/// Refuses a card that would fail later, in the middle of a run: throws Error (invalid). Presets
/// are read over the defaults; those that name data files are read as far as that goes, because
/// data are not loaded here.
void check_card(const Game& game);
void check_card(const AgentCard& agent);
void check_card(const Importer& importer);
void check_card(const PartCard& part);
void check_card(const ProviderCard& provider);
void check_card(const PluginCommand& command);
void check_card(const TableCard& table);

}  // namespace agon::plugin

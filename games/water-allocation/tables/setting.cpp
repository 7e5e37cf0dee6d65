#include "water-allocation/tables/setting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "shared/tables.hpp"
#include "water-allocation/settings.hpp"

namespace water_allocation {

const std::array<PaperSetting, kPaperSettings> kPaperSettingList{{
    {"low supply, no persona", {10, 20}, false, 0.30},
    {"medium supply, no persona", {15, 25}, false, 0.40},
    {"high supply, no persona", {20, 30}, false, 0.50},
    {"low supply, persona", {10, 20}, true, 0.30},
    {"medium supply, persona", {15, 25}, true, 0.40},
    {"high supply, persona", {20, 30}, true, 0.50},
}};

std::optional<int> paper_setting(const agon::PlayedMatch& match) {
  const auto played = shared::settings_of<Settings>(match);
  const Settings paper;
  if (!played || played->days != paper.days || played->first_day != paper.first_day ||
      played->start_hp != paper.start_hp || played->max_hp != paper.max_hp ||
      played->drink_hp != paper.drink_hp || !played->supply_list.empty())
    return std::nullopt;
  const bool same_town =
      std::equal(played->residents.begin(), played->residents.end(), paper.residents.begin(),
                 paper.residents.end(), [](const Resident& a, const Resident& b) {
                   return a.name == b.name && a.need == b.need && a.salary == b.salary &&
                          a.balance == b.balance && a.hp == b.hp && a.no_drink == b.no_drink;
                 });
  if (!same_town) return std::nullopt;
  for (int s = 0; s < kPaperSettings; ++s) {
    const PaperSetting& setting = kPaperSettingList[static_cast<std::size_t>(s)];
    if (setting.supply == played->supply && setting.persona == played->persona) return s;
  }
  return std::nullopt;
}

std::string setting_label(int setting, const std::string& team) {
  std::string label = fmt::format("setting {} ({})", setting + 1,
                                  kPaperSettingList[static_cast<std::size_t>(setting)].words);
  if (team != kPaperModel) label += ", " + team;
  return label;
}

}  // namespace water_allocation

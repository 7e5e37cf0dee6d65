#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/conversion.hpp>
#include <optional>
#include <string>

/// What tables of papers have in common.
namespace shared {

/// What matches share their random numbers by.
[[nodiscard]] std::string block_of(const agon::PlayedMatch& match);

/// The agents of a match, each once, by name: "gpt-4-32k", "a + b".
[[nodiscard]] std::string agents_of(const agon::PlayedMatch& match);

/// The settings of a match; nothing where they cannot be read.
template <class Settings>
[[nodiscard]] std::optional<Settings> settings_of(const agon::PlayedMatch& match) {
  std::optional<Settings> settings(std::in_place);
  if (agon::read_json(*settings, match.settings(), agon::Missing::keeps)) settings.reset();
  return settings;
}

/// The settings of matches that come one after the other, read once for those that share them.
template <class Settings>
class KnownSettings {
 public:
  /// Null where they cannot be read.
  const Settings* of(const agon::PlayedMatch& match) {
    if (!any_ || known_ != match.settings()) {
      any_ = true;
      known_ = match.settings();
      settings_ = settings_of<Settings>(match);
    }
    return settings_ ? &*settings_ : nullptr;
  }

 private:
  bool any_ = false;
  std::string known_;
  std::optional<Settings> settings_;
};

/// The card of a table that is no paper's: how its game was played.
[[nodiscard]] agon::TableCard own_table(std::string_view id, std::string_view title,
                                        std::string_view game,
                                        agon::PaperTable (*make)(const agon::PlayedMatches&),
                                        bool reads_records = true);

/// A cell with a figure of ours and, where there is one, the published number beside it.
[[nodiscard]] agon::TableCell cell(const agon::Figure& ours, int decimals,
                                   double published = agon::kNothing);
/// The same in percent of a share; `published` is in percent already.
[[nodiscard]] agon::TableCell percent(agon::Figure share, int decimals,
                                      double published = agon::kNothing);
/// A bare number.
[[nodiscard]] agon::TableCell number(double value, int decimals, double published = agon::kNothing);

/// The name of a described enumeration's value.
template <class E>
[[nodiscard]] std::string_view name_of(E value) {
  for (const agon::Enumerator& e : agon::type_of<E>().enumerators)
    if (e.value == static_cast<std::int64_t>(value)) return e.name;
  return {};
}

}  // namespace shared

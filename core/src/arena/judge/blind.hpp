#pragma once

#include <agon/export.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"

namespace agon::judge {

/// Takes out of a record what could tell who played: names of models, their makers and agents.
class AGON_API Blindfold {
 public:
  /// Knows the names of the archive's agents and models, and of widespread models and makers.
  explicit Blindfold(const archive::Archive& archive);
  explicit Blindfold(std::vector<std::string> names);

  /// The text with "[name]" in the place of every such name that stands by itself, in whatever
  /// case.
  [[nodiscard]] std::string over(std::string_view text) const;

  /// Names of agents that are ordinary words, which over() leaves alone, and that the text has.
  [[nodiscard]] std::vector<std::string> left_in(std::string_view text) const;

 private:
  std::set<std::string> words_;     // ordinary words that agents are called by
  std::vector<std::string> names_;  // lower case, longest first
};

}  // namespace agon::judge

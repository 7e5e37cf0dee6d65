#pragma once

#include <agon/plugin.hpp>
#include <agon/plugin_command.hpp>

#include "suite/suite.hpp"

namespace agon::command {

/// What commands of plugins may ask for, from the plugins and files at hand.
class Services final : public CommandServices {
 public:
  /// The catalogue must outlive it.
  Services(const Catalogue& catalogue, SuiteOptions options)
      : catalogue_(catalogue), options_(std::move(options)) {}

  [[nodiscard]] std::vector<GameSettings> settings_of(std::string_view game,
                                                      const std::string& what) const override;

 private:
  const Catalogue& catalogue_;
  SuiteOptions options_;
};

}  // namespace agon::command

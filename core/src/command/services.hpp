#pragma once

#include <agon/plugin.hpp>
#include <agon/plugin_command.hpp>

#include "suite/suite.hpp"

namespace agon::command {

/// What commands of plugins may ask for, from the plugins and files at hand.
class Services final : public CommandServices {
 public:
  /// The catalogue must outlive it. `command`: the one that asks.
  Services(const Catalogue& catalogue, SuiteOptions options, std::string command)
      : catalogue_(catalogue), options_(std::move(options)), command_(std::move(command)) {}

  [[nodiscard]] std::vector<GameSettings> settings_of(std::string_view game,
                                                      const std::string& what) const override;
  [[nodiscard]] AgentTrial try_agent(std::span<const std::string> game,
                                     const WaitingAgent& agent) const override;

 private:
  const Catalogue& catalogue_;
  SuiteOptions options_;
  std::string command_;
};

}  // namespace agon::command

#pragma once

#include <agon/export.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks.hpp"
#include "suite/suite.hpp"

namespace agon::conformance {

/// A component of model agents, or a provider, under check.
struct CheckedComponent {
  std::string kind;    ///< as an agent's parameter is called: "memory"; or "provider"
  std::string id;      ///< its name
  std::string game{};  ///< the one game that it is for; empty: any
  [[nodiscard]] bool is_provider() const { return kind == "provider"; }
};

/// How much is tried.
struct ComponentEffort {
  std::uint64_t seed = 1;            ///< of chance
  std::uint64_t matches = 2;         ///< of each game
  std::vector<std::string> games{};  ///< that are played; empty: all
};

/// The questions of some matches in which a model agent with the component, and else with default
/// ones and a mock for a model, is on all seats; and what came of each.
class AGON_API ComponentTrial {
 public:
  /// Plays them. `options`: where data and prompts are.
  ComponentTrial(const Catalogue& catalogue, const CheckedComponent& component,
                 const SuiteOptions& options, const ComponentEffort& effort);
  ~ComponentTrial();
  ComponentTrial(const ComponentTrial&) = delete;
  ComponentTrial& operator=(const ComponentTrial&) = delete;

  [[nodiscard]] const CheckedComponent& component() const { return component_; }

  struct CheckedQuestion;
  struct TrialGame;
  [[nodiscard]] const std::vector<std::unique_ptr<CheckedQuestion>>& asked() const {
    return asked_;
  }
  /// Why it could not be played in one of the games; empty: it could.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// "24 questions of 10 games"
  [[nodiscard]] std::string extent() const;

 private:
  void play(const Catalogue& catalogue, const std::string& game, const SuiteOptions& options,
            const ComponentEffort& effort);

  const CheckedComponent component_;
  std::vector<std::unique_ptr<TrialGame>> games_;
  std::vector<std::unique_ptr<CheckedQuestion>> asked_;  ///< in the order in which they were put
  std::string problem_;
};

/// A check of a component: something that every sound one keeps to.
struct ComponentCheck {
  std::string_view name;  ///< "order"
  std::string_view doc;   ///< what a sound component keeps to, in a sentence
  CheckResult (*run)(const ComponentTrial& trial);
};

/// All of them, in the order in which they are made.
[[nodiscard]] AGON_API std::span<const ComponentCheck> component_checks();

}  // namespace agon::conformance

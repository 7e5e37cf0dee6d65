#pragma once

#include <agon/export.hpp>
#include <agon/money.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "people/forms/readings.hpp"
#include "people/payment/panel.hpp"
#include "suite/suite.hpp"

namespace agon::serve {

/// The sentences of the pages in one language: those that ship, and over them what a suite says.
class AGON_API PageTexts {
 public:
  /// `own`: a JSON object of sentences by key, empty: none. Where a language does not ship, English
  /// stands for what `own` lacks. Throws Error at `where` for what is no such object, for a key
  /// that is not known, and for a hole that the sentence does not have.
  PageTexts(const std::string& language, const std::string& own, const std::string& where);

  /// The languages that ship.
  [[nodiscard]] static std::vector<std::string> shipped();

  /// The sentence with its {holes} filled.
  [[nodiscard]] std::string say(
      std::string_view key,
      std::initializer_list<std::pair<std::string_view, std::string_view>> holes = {}) const;
  /// All of them, as a JSON object.
  [[nodiscard]] const std::string& json() const { return json_; }

 private:
  std::map<std::string, std::string, std::less<>> sentences_;
  std::string json_;
};

/// Names rules and the instructions above them; empty: there is nothing to read.
[[nodiscard]] std::string announced(const std::string& rules,
                                    const std::optional<std::size_t>& reading);

/// The matches of a suite that have seats for people, of each scenario the first hundred thousand
/// looked at: the scenario's place, the match in its plan, and how many people it has.
AGON_API void each_people_match(
    const Suite& suite,
    const std::function<void(std::size_t scenario, std::uint64_t number,
                             const design::PlannedMatch& planned, std::size_t people)>& each);

/// What a suite says to and of the people who take part, looked through once. It does not change.
struct AGON_API Study {
  /// Throws Error for a suite without a section on people, or without a seat for them.
  explicit Study(const Suite& of);

  const Suite& suite;
  const Participation& people;
  const PageTexts texts;
  const Readings readings;
  std::string told;                    ///< about the opponents
  std::string instructions;            ///< rules, if all matches have the same
  std::optional<Panel> panel;          ///< none: people have links of their own
  std::string consent_digest;          ///< of the text to agree to; empty: nobody is asked
  std::optional<std::size_t> reading;  ///< above these, if they are those of all matches
  std::size_t matches = 0;             ///< that have seats for people
  std::size_t scenarios = 0;           ///< that have such matches
  std::size_t trial_scenario = 0;      ///< the first of them, whose first match is the trial's
  std::uint64_t trial_match = 0;       ///< in the scenario's plan

  [[nodiscard]] const std::string& title() const {
    return people.said.title.empty() ? suite.name : people.said.title;
  }
  /// What was read where the rules of all matches were: see Sitting::announced.
  [[nodiscard]] std::string announced() const { return serve::announced(instructions, reading); }
  /// Stages after the consent, in order; numbers of stages are from 1.
  [[nodiscard]] const std::vector<PeopleStage>& stages() const { return people.stages; }
  /// The stage of that number; null: there is none.
  [[nodiscard]] const PeopleStage* stage(std::int64_t number) const {
    return number < 1 || number > std::ssize(people.stages)
               ? nullptr
               : &people.stages[static_cast<std::size_t>(number - 1)];
  }
  /// The number of the first stage of a kind; 0: there is none.
  [[nodiscard]] std::int64_t first_stage(StageKind kind) const;
  /// False: a survey.
  [[nodiscard]] bool plays() const { return first_stage(StageKind::play) != 0; }
  /// Matches that a person plays, over all stages.
  [[nodiscard]] std::size_t matches_each() const;
  /// A score in a scenario as it is told: "12.50".
  [[nodiscard]] std::string score_told(const std::string& scenario, double score) const;
};

}  // namespace agon::serve

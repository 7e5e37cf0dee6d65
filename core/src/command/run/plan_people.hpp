#pragma once

#include <boost/json/object.hpp>
#include <boost/program_options/options_description.hpp>
#include <optional>
#include <string>
#include <vector>

#include "command/command.hpp"
#include "people/matching/rehearsal.hpp"
#include "suite/suite.hpp"

namespace agon::command {

/// What a suite asks of the people who take part, and what comes of it.
struct PeoplePlan {
  std::size_t people = 0;
  std::size_t needed = 0;  ///< the least with whom all of it can be played; 0: not found
  std::vector<serve::PlayDesign> designs{};
  std::vector<serve::PeopleMatch> matches{};
  serve::Rehearsal at_once{};           ///< of one session, to which all come at the start
  std::string arrivals{};               ///< as --arrivals has it; empty: it was not asked for
  serve::RehearsalOptions simulated{};  ///< with --arrivals
  std::optional<serve::Rehearsal> rehearsal{};  ///< likewise
  std::vector<std::string> notes{};             ///< what cannot come about
};

/// Of a suite that was read with dry_run; nothing where it says nothing of people. Throws Error for
/// a design that cannot come about, and (usage) for arrivals that nobody can read.
[[nodiscard]] std::optional<PeoplePlan> plan_people(Invocation& call, const Suite& suite);
void print_people(const Suite& suite, const PeoplePlan& plan);
[[nodiscard]] boost::json::object people_json(const Suite& suite, const PeoplePlan& plan);
/// --arrivals and what goes with it, --participants.
void add_arrival_options(Command& command);

}  // namespace agon::command

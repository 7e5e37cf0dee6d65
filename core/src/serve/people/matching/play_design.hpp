#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "people/matching/assignment.hpp"
#include "people/matching/rehearsal.hpp"
#include "suite/suite.hpp"

namespace agon::serve {

/// Who may take part, as a list of groups calls them.
struct ListedPerson {
  std::string label;
  std::int64_t place = 0;  ///< in the roster, from 1
};

/// Those who take part: so many by links, then those of the suite's rooms.
[[nodiscard]] AGON_API std::vector<ListedPerson> people_of_suite(const Suite& suite,
                                                                 std::uint64_t links,
                                                                 bool with_rooms);

/// The matches with seats for people, in the order of the plan; of each scenario the first hundred
/// thousand.
[[nodiscard]] AGON_API std::vector<PeopleMatch> people_matches(const Suite& suite);

/// The stages of play that the suite declares, for these people. Throws Error for what cannot come
/// about: a list of groups that leaves somebody out or has them twice, fewer people than treatments
/// need, strangers who would meet again, and stages that nobody can finish.
[[nodiscard]] AGON_API std::vector<PlayDesign> play_designs(
    const Suite& suite, const std::vector<PeopleMatch>& matches,
    const std::vector<ListedPerson>& people);

/// What people have before them after their last match: stages, and the page with their payment.
[[nodiscard]] AGON_API std::size_t pages_after_play(const Suite& suite);

/// The scenarios that a person plays in a stage, in the listed order; a sequence of matches is one.
[[nodiscard]] AGON_API std::vector<std::size_t> sittings_of(const Suite& suite,
                                                            const PlayDesign& design);

}  // namespace agon::serve

#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <agon/limits.hpp>
#include <boost/json/fwd.hpp>
#include <span>
#include <string>

namespace agon::remote {

/// Limits of the moment on an answer of this type, as the list of docs/game-protocol.md: places by
/// the names of members instead of slots. A limit at a place where it says nothing is left out.
[[nodiscard]] AGON_API std::string write_limits(const Type& type,
                                                std::span<const LimitData> limits);

/// The limits that such a list says. Throws Error (invalid) that says which of them is wrong.
[[nodiscard]] AGON_API OwnedLimits read_limits(const Type& type, const boost::json::value& list);

/// What is wrong with the limits of a question, with the place and how to put it right: two of
/// which one would be ignored, or bounds between which nothing lies. Within optionals, lists, maps
/// and variants such bounds say that nothing is there. Empty: nothing is wrong.
[[nodiscard]] AGON_API std::string problem_of_limits(const Type& type, std::string_view stage,
                                                     std::span<const LimitData> limits);

}  // namespace agon::remote

#pragma once

#include <agon/export.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <vector>

namespace agon::report {

/// What tells JSON objects apart, in words, one for each: "rounds 5", "share 0.2, patient true";
/// as few members as tell all of them apart, in the order of their names. Members of members are
/// told by their own name where no other that is told has it. Empty for objects that are the same
/// as others.
[[nodiscard]] AGON_API std::vector<std::string> differences(
    const std::vector<boost::json::value>& objects);

}  // namespace agon::report

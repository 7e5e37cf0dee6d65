#pragma once

#include <agon/type.hpp>
#include <string>

namespace agon {

/// An integer as its JSON form shows it: Money 1250 as 12.50, 1200 as 12.
std::string integer_text(const Type& type, std::int64_t value);
/// A double in its shortest exact form; whole numbers without a fraction.
std::string number_text(double value);
/// A score or metric for people: with 2 decimals, cents as 12.50; with 0, whole numbers as they are
/// and others to four places; "-" if it is not finite.
std::string score_text(double value, int decimals);

}  // namespace agon

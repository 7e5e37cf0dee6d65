#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <string>

namespace agon {

/// An integer as its JSON form shows it: Money 1250 as 12.50, 1200 as 12.
AGON_API std::string integer_text(const Type& type, std::int64_t value);
/// A double in its shortest exact form; whole numbers without a fraction.
AGON_API std::string number_text(double value);
/// A double for people and models: to four places, or three digits if it is small; binary noise
/// says nothing.
AGON_API std::string figure_text(double value);
/// A score or metric for people: with 2 decimals, cents as 12.50; with 0, whole numbers as they are
/// and others to four places; "-" if it is not finite.
AGON_API std::string score_text(double value, int decimals);

}  // namespace agon

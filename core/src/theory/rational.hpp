#pragma once

#include <agon/game_theory.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <string_view>

namespace agon::theory {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

/// The shortest decimal number that reads back as `value`, which is finite.
Rational exactly(double value);

/// The number that "1/3", "-2" or "14/5" is. Throws Error for other texts.
Rational from_text(std::string_view text);

Exact to_exact(const Rational& value);

}  // namespace agon::theory

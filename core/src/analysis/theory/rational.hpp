#pragma once

#include <agon/analysis/game_theory.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <string_view>

namespace agon::theory {

/// Without expression templates: results are plain values, which `auto` and references may hold.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                              boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend,
                                               boost::multiprecision::et_off>;

/// The shortest decimal number that reads back as `value`, which is finite.
Rational exactly(double value);

/// The number that "1/3", "-2" or "14/5" is. Throws Error for other texts.
Rational from_text(std::string_view text);

Exact to_exact(const Rational& value);

}  // namespace agon::theory

#pragma once

#include <agon/detail/typed_answer.hpp>

namespace agon {

using detail::count_values;
using detail::draw_value;

}  // namespace agon

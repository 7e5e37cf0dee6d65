#pragma once

#include <agon/random.hpp>
#include <agon/type.hpp>
#include <boost/json/value.hpp>

namespace agon::test {

/// The value as a person would type it into a form: a tree as read_typed() takes it. The dice say
/// how numbers are written: `$1,250.50`, `1250.5`, `+7`, `7 coins`.
[[nodiscard]] boost::json::value typed_tree(const Type& type, const void* object, Dice& dice);

}  // namespace agon::test

#pragma once

#include <agon/export.hpp>
#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <boost/json/fwd.hpp>

namespace agon {

/// The form of an answer for a page: what can be entered, place by place, under the limits of the
/// moment, with names, meanings and units in the language. What is typed into it is read by
/// read_typed(). A node is an object whose "kind" says what else is in it:
///
///     struct    "fields": [{"name", "label", "doc", "node"}]
///     integer, money, number
///               "unit", "min", "max" (null: none), "step" (null: any)
///     text      "min", "max" (characters; null: any number), "lines": may have several
///     boolean   "choices": of "yes" and "no", what is possible now
///     choice    "choices": [{"name", "label", "doc"}]
///     variant   "choices": [{"name", "label", "doc", "node"}]
///     optional  "may_be_absent", "may_be_present", "node"
///     list      "min", "max" (elements; null: any number), "node",
///               "each": [highest of each] or null
///     map       "min", "max", "node",
///               "keys": [names] or null where they are the person's
[[nodiscard]] AGON_API boost::json::object form_description(
    const Type& type, std::span<const LimitData> limits,
    const Language& language = Language::english());

}  // namespace agon

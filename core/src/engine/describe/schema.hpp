#pragma once

#include <agon/conversion.hpp>
#include <agon/export.hpp>
#include <agon/type.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace agon {

/// The JSON Schema (draft 2020-12) of a file that is read into the type: what has a default may be
/// left out, other names than the described ones may not be there.
[[nodiscard]] AGON_API boost::json::object file_schema(const Type& type);

/// The same where anything may be left out, because it is over something: settings over a preset.
[[nodiscard]] AGON_API boost::json::object overrides_schema(const Type& type);

/// What schema_json() writes: the strict form, in which only what may be left out is not required.
[[nodiscard]] AGON_API boost::json::object answer_schema(
    const Type& type, std::span<const LimitData> limits = {},
    const Language& language = Language::english());

/// That the members "format" and "version" of a file are these.
AGON_API void require_format(boost::json::object& schema, std::string_view format, int version);

/// The text of a schema that stands by itself. A file may name it in a member "$schema".
[[nodiscard]] AGON_API std::string schema_document(std::string_view id, std::string_view title,
                                                   boost::json::object schema);

}  // namespace agon

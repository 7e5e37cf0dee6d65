#pragma once

#include <agon/export.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "suite/people/people_file.hpp"

namespace agon {

class FileText;
namespace json {
class Path;
}

/// What the suite's panel adds to the study's address; none: people have links of their own.
/// Empty `id`: no such panel is known.
[[nodiscard]] AGON_API std::optional<suite_file::PanelParameters> panel_of(
    const suite_file::People& people);

/// Throws Error with its place for payments, codes, addresses and panels that make no sense.
void check_terms(const suite_file::People& people, const FileText& text, const json::Path& path);

}  // namespace agon

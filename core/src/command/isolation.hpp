#pragma once

#include <string>

#include "isolation/isolation.hpp"
#include "plugin/catalogue.hpp"

namespace agon::command {

/// What a value of --isolate says. Throws Error (usage) if it is none.
[[nodiscard]] Isolate read_isolate(const std::string& option);

/// Throws Error (preflight) if plugins are always to be kept apart and this machine cannot do it.
void require_possible(const Isolation& isolation);

/// Says once what stays open on this machine to the plugins that are kept apart.
void tell_what_stays_open(const Catalogue& catalogue);

}  // namespace agon::command

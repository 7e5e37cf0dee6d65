#pragma once

#include "llm/model_spec.hpp"

namespace agon::llm {

/// Throws Error (invalid) if a member of the spec carries a key, by its name or by what is in it:
/// specs are written into archives. The message does not quote it.
void refuse_keys_in(const ModelSpec& spec, const Endpoint& endpoint);

}  // namespace agon::llm

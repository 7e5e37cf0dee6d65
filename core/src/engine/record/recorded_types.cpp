#include "record/recorded_types.hpp"

#include <agon/conversion.hpp>

#include "describe/value.hpp"
#include "record/codec.hpp"
#include "record/shape.hpp"

namespace agon::record {

const Type* RecordedTypes::find(const hash::Digest& shape) const {
  const auto [at, added] = types_.try_emplace(shape);
  if (added)
    if (const auto notation = find_(shape); notation && hash::sha256(*notation) == shape)
      at->second = read_shape(*notation);
  return at->second ? &at->second->get() : nullptr;
}

std::optional<std::string> RecordedTypes::json(const hash::Digest& shape,
                                               std::string_view bytes) const {
  const Type* type = find(shape);
  if (type == nullptr) return std::nullopt;
  Value value(*type);
  Bytes in(bytes);
  if (!decode(in, *type, value.get()) || !in.empty()) return std::nullopt;
  return write_json(*type, value.get());
}

}  // namespace agon::record

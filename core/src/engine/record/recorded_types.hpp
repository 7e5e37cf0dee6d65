#pragma once

#include <agon/export.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "describe/owned_type.hpp"
#include "hash/sha256.hpp"

namespace agon::record {

/// The types of recorded values, made of the shapes that were kept with them: no plugin is needed.
/// Each is made once. Not to be shared between threads.
class AGON_API RecordedTypes {
 public:
  /// Finds the notation of a shape by its digest.
  using FindShape = std::function<std::optional<std::string>(const hash::Digest&)>;
  explicit RecordedTypes(FindShape find) : find_(std::move(find)) {}

  /// The type of that shape; null if the shape is not there, is none, or is not what its digest
  /// says.
  [[nodiscard]] const Type* find(const hash::Digest& shape) const;
  /// A recorded value as JSON; nothing if it does not fit its shape.
  [[nodiscard]] std::optional<std::string> json(const hash::Digest& shape,
                                                std::string_view bytes) const;

 private:
  FindShape find_;
  mutable std::map<hash::Digest, std::optional<OwnedType>> types_;
};

}  // namespace agon::record

#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "describe/description.hpp"
#include "text/hash.hpp"

namespace agon::record {

/// The form of a type in a compact notation, so that a record can be read without the plugin that
/// made it, and so that two libraries can compare what they mean:
///
///     b  i  m  n  t  j      bool, integer, money, number, text, any JSON
///     e(a|b)                enumeration
///     ?X  [X]  <X>          optional, list, map from text
///     {name:X,...}          struct
///     (offer{...}|agree{})  variant
///     (:X|:Y)               variant whose alternatives differ in their JSON form
[[nodiscard]] AGON_API std::string shape_of(const Type& type);

/// The type of that form: it reads, writes, checks, draws and shows values as the one that was
/// written down, without what a form leaves out: meanings, units and bounds. Nothing if the text is
/// not of the notation.
[[nodiscard]] AGON_API std::optional<OwnedType> read_shape(std::string_view shape);

/// The shapes that records refer to, each worked out once. Safe to share between threads.
class AGON_API Shapes {
 public:
  /// The SHA-256 of the type's notation.
  const hash::Digest& digest(const Type& type);
  /// The notation with this digest, if it has been seen.
  [[nodiscard]] std::optional<std::string> notation(const hash::Digest& digest) const;
  /// The types seen whose notation has this digest, in no fixed order.
  [[nodiscard]] std::vector<const Type*> types(const hash::Digest& digest) const;
  /// The notations first seen since the last call: what an archive still has to store.
  std::vector<std::string> take_new();

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const Type*, hash::Digest> digests_;
  std::map<hash::Digest, std::string> notations_;
  std::vector<std::string> new_;
};

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

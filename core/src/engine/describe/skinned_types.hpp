#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <agon/skin.hpp>
#include <agon/type.hpp>
#include <boost/json/fwd.hpp>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "describe/description.hpp"

namespace agon {

/// What people read and fill in under a skin: descriptions with its names, meanings and units, and
/// values and limits with its words and amounts. Models read texts instead (Skin::shown).
class AGON_API SkinnedTypes {
 public:
  explicit SkinnedTypes(std::shared_ptr<const Skin> skin);
  SkinnedTypes(const SkinnedTypes&) = delete;
  SkinnedTypes& operator=(const SkinnedTypes&) = delete;
  ~SkinnedTypes();

  /// Those of a skin, one for all who ask as long as the skin is there.
  [[nodiscard]] static std::shared_ptr<SkinnedTypes> of(const std::shared_ptr<const Skin>& skin);

  [[nodiscard]] const Skin& skin() const { return *skin_; }
  /// The same type under the skin, for JSON: its values lie in memory in another way. It is there
  /// as long as this is, and needs `type`.
  [[nodiscard]] const Type& shown(const Type& type);
  /// A value of `type`, JSON, as one of shown(type); and back.
  [[nodiscard]] std::string shown(const Type& type, std::string_view json);
  [[nodiscard]] std::string original(const Type& type, std::string_view json);
  /// Limits on an answer of `type`, on one of shown(type).
  [[nodiscard]] OwnedLimits shown(const Type& type, std::span<const LimitData> limits);
  /// What `ends` says of an answer of `type`, for one of shown(type); it is there as long as this
  /// is.
  [[nodiscard]] Callback<bool(const void* answer)> shown(const Type& type,
                                                         Callback<bool(const void* answer)> ends);

 private:
  /// A stage's end, asked of answers under the skin.
  struct EndsInSkin {
    SkinnedTypes* types;
    const Type* type;
    Callback<bool(const void* answer)> ends;
  };

  const Type& copied(const Type& type, bool amount);
  const Type& made(const Type& type, bool amount);
  const Type& made_structure(const Type& type);
  [[nodiscard]] std::string name(std::string_view original) const;
  [[nodiscard]] bool is_amount(const Field& field) const;
  [[nodiscard]] bool is_reversed() const;
  [[nodiscard]] boost::json::value mapped(const Type& type, const boost::json::value& value,
                                          bool amount, bool back) const;
  void scale(const Type& type, const Field* field, std::uint16_t slot, LimitData& limit,
             std::vector<int>& each) const;

  std::shared_ptr<const Skin> skin_;
  std::mutex mutex_;  // of all below
  std::map<std::pair<const Type*, bool>, const Type*> copies_;
  TypeBuilder builder_;
  std::deque<EndsInSkin> ends_;
};

}  // namespace agon

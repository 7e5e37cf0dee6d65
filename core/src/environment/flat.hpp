#pragma once

#include <agon/limits.hpp>
#include <agon/type.hpp>
#include <bit>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

/// A described type as a row of numbers of fixed width: what arrays of views and answers are made
/// by. Integers, Money in cents and numbers are themselves, a boolean is 0 or 1, an enumeration or
/// variant the number of its value. A variant has the columns of all its alternatives, an optional
/// one for whether it is there, a list one for its length and those of its last `entries` elements
/// (all, if it holds at most 16). Zeros stand for what is not there. Other texts than names of
/// seats, and maps, have no numbers.
class FlatType {
 public:
  FlatType(const Type& type, std::size_t entries);

  [[nodiscard]] std::size_t width() const { return root_.width; }
  /// The columns as agon.h has them.
  [[nodiscard]] boost::json::array columns() const;

  /// Writes width() numbers. `seats`: the names that texts are looked up in.
  void write(const void* object, std::span<const std::string_view> seats, double* out) const;

  /// Bounds of each column of an answer under the limits, and what may be chosen at it.
  void bounds(std::span<const LimitData> limits, double* low, double* high,
              std::uint64_t* mask) const;
  /// Reads an answer from width() numbers. False if one of them stands for nothing there, such as
  /// half of an integer; the object is between two values then.
  bool read(const double* in, void* object, std::span<const LimitData> limits) const;
  /// The same numbers as JSON, for a complaint about what read() turned down.
  [[nodiscard]] std::string json(const double* in) const;

  /// How many values there are, whatever the moment allows; nothing for more than kMostActions, or
  /// if some part has no end or no numbers.
  [[nodiscard]] std::optional<std::int64_t> actions() const;
  /// Writes value `action` of these.
  void act(std::int64_t action, void* object) const;

  static constexpr std::int64_t kMostActions = 4096;

 private:
  /// A place of the type, with all that is below it.
  struct FlatNode {
    const Type* type = nullptr;
    const Field* field = nullptr;  ///< whose bounds hold; null: none
    std::string path;
    std::uint16_t slot = 0;
    std::size_t width = 1;
    std::size_t most = 0;           ///< lists: elements that have columns
    std::int64_t actions = 0;       ///< 0: not finite, or too many
    std::int64_t first_action = 0;  ///< integers: the lowest
    std::vector<FlatNode> below{};  ///< members, alternatives, or elements one by one
  };
  static FlatNode node(const Type& type, const Field* field, std::string path, std::uint16_t slot,
                       std::size_t entries);
  static void count_actions(FlatNode& node);
  static void add_columns(const FlatNode& node, boost::json::array& out);
  static double* write(const FlatNode& node, const void* object,
                       std::span<const std::string_view> seats, double* out);
  struct Bounds {
    std::span<const LimitData> limits;
    double* low;
    double* high;
    std::uint64_t* mask;
    void put(double lo, double hi, std::uint64_t allowed) {
      *low++ = lo;
      *high++ = hi;
      *mask++ = allowed;
    }
    /// From the first to the last that may be chosen.
    void put_choice(std::uint64_t allowed) {
      if (allowed == 0) return put(0, 0, 0);
      put(std::countr_zero(allowed), 63 - std::countl_zero(allowed), allowed);
    }
  };
  static void bounds(const FlatNode& node, Bounds& out);
  static bool read(const FlatNode& node, const double*& in, void* object,
                   std::span<const LimitData> limits);
  static bool read_list(const FlatNode& node, const double*& in, void* object,
                        std::span<const LimitData> limits);
  static bool read_variant(const FlatNode& node, const double*& in, void* object,
                           std::span<const LimitData> limits);
  static boost::json::value json(const FlatNode& node, const double*& in);
  static void act(const FlatNode& node, std::int64_t action, void* object);

  FlatNode root_;
};

}  // namespace agon

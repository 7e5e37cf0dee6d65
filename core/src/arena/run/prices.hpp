#pragma once

#include <agon/export.hpp>
#include <agon/model/model_agent.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace agon {

/// The most that one call is taken to cost: a million US dollars, in billionths of a dollar. What
/// an endpoint makes up about its tokens then cannot push the sums of a run beyond 64 bits.
inline constexpr std::int64_t kMostCost = 1'000'000'000'000'000;

/// What a model's tokens cost, in millionths of a US dollar per million tokens.
struct Price {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cached = 0;   ///< of the input, where it came from a cache
  std::int64_t written = 0;  ///< of the input, where it was put into one
};

/// The prices that the user keeps in a file of their own:
///
///     { "format": "agon.prices", "version": 1, "date": "2026-11-01", "currency": "USD",
///       "models": { "openai/some-model": { "input": 0.4, "output": 1.6, "cached": 0.1,
///                                             "written": 0.5 } } }
///
/// in dollars per million tokens; a name may end with `*`. What the file does not name has no
/// price: its cost is unknown, never zero. Only a mock, which runs in process, is known to be free,
/// and says so itself.
class AGON_API Prices {
 public:
  static Prices read(const std::filesystem::path& file);
  static Prices parse(std::string_view text, const std::string& file);

  /// The price of the longest name that fits.
  [[nodiscard]] std::optional<Price> of(std::string_view provider, std::string_view model) const;
  [[nodiscard]] std::optional<Price> of(const ModelName& model) const;
  /// Billionths of a US dollar: by the provider's own account, else by price and tokens; nothing if
  /// one of them is not known.
  [[nodiscard]] std::optional<std::int64_t> cost(const ModelCall& call) const;
  /// As the file has it; empty without a file.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::map<std::string, Price, std::less<>> prices_;
  std::string text_;
};

/// The JSON Schema of files of prices.
[[nodiscard]] AGON_API std::string prices_schema();

/// Billionths of a US dollar, rounded up, so that a sum is never too low; at most kMostCost. What
/// of `usage` is not known counts as nothing.
[[nodiscard]] AGON_API std::int64_t cost_of(const Price& price, const TokenUsage& usage);

}  // namespace agon

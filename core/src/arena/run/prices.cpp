#include "run/prices.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>

#include "describe/file_text.hpp"
#include "describe/schema.hpp"
#include "json/parse.hpp"
#include "run/prices_file.hpp"

namespace agon {
namespace {

__extension__ using Wide = __int128;

std::int64_t millionths(double dollars) {
  return std::llround(dollars * 1e6);
}

}  // namespace

std::int64_t cost_of(const Price& price, const TokenUsage& usage) {
  const std::int64_t input = std::max<std::int64_t>(0, usage.input);
  const std::int64_t cached = std::clamp<std::int64_t>(usage.cached, 0, input);
  const std::int64_t written = std::clamp<std::int64_t>(usage.written, 0, input - cached);
  // Millionths of a dollar per million tokens are billionths of a dollar per thousand tokens.
  const Wide sum = static_cast<Wide>(input - cached - written) * price.input +
                   static_cast<Wide>(cached) * price.cached +
                   static_cast<Wide>(written) * price.written +
                   static_cast<Wide>(std::max<std::int64_t>(0, usage.output)) * price.output;
  return static_cast<std::int64_t>(std::min<Wide>((sum + 999) / 1000, kMostCost));
}

Prices Prices::parse(std::string_view text, const std::string& file) {
  Prices prices;
  prices.text_ = text;
  const FileText source(prices.text_, file, "see 'agon describe prices'");
  source.require_format(prices_file::kFormat, prices_file::kVersion, "a file of prices");
  const auto said = source.read<prices_file::Prices>();
  source.check(said);
  for (const auto& [name, price] : said.models)
    prices.prices_.emplace(name, Price{millionths(price.input), millionths(price.output),
                                       millionths(price.cached.value_or(price.input)),
                                       millionths(price.written.value_or(price.input))});
  return prices;
}

std::string prices_schema() {
  boost::json::object schema = file_schema(type_of<prices_file::Prices>());
  require_format(schema, prices_file::kFormat, prices_file::kVersion);
  return schema_document("prices", "Prices of models", std::move(schema));
}

Prices Prices::read(const std::filesystem::path& file) {
  return parse(json::read_file(file), file.string());
}

std::optional<Price> Prices::of(std::string_view provider, std::string_view model) const {
  const std::string name = std::string(provider) + "/" + std::string(model);
  std::optional<Price> best;
  std::size_t length = 0;
  for (const auto& [pattern, price] : prices_) {
    const bool open = !pattern.empty() && pattern.back() == '*';
    const std::string_view fixed(pattern.data(), pattern.size() - (open ? 1 : 0));
    if (open ? !name.starts_with(fixed) : name != fixed) continue;
    if (!open) return price;
    if (!best || fixed.size() > length) {
      best = price;
      length = fixed.size();
    }
  }
  return best;
}

std::optional<Price> Prices::of(const ModelName& model) const {
  const std::optional<Price> price = of(model.provider, model.model);
  return !price && model.is_mock ? Price{} : price;
}

std::optional<std::int64_t> Prices::cost(const ModelCall& call) const {
  if (call.provider_cost >= 0) return std::min(call.provider_cost, kMostCost);
  const std::optional<Price> price = of(call.provider, call.model);
  if (!price) return std::nullopt;
  if (price->input == 0 && price->output == 0 && price->cached == 0 && price->written == 0)
    return 0;
  if (call.usage.input < 0 || call.usage.output < 0) return std::nullopt;
  return cost_of(*price, call.usage);
}

}  // namespace agon

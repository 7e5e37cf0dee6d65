#include "run/prices.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <cmath>

#include "json/parse.hpp"
#include "json/path.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

__extension__ using Wide = __int128;

std::int64_t dollars(const bj::value& v, const std::string& where) {
  const double value = v.is_double()  ? v.get_double()
                       : v.is_int64() ? static_cast<double>(v.get_int64())
                                      : -1;
  if (!(value >= 0 && value <= 1e6))
    throw Error(ErrorKind::invalid, "a price is a number of dollars per million tokens", where);
  return std::llround(value * 1e6);
}

}  // namespace

std::int64_t cost_of(const Price& price, std::int64_t input, std::int64_t output,
                     std::int64_t cached) {
  cached = std::clamp<std::int64_t>(cached, 0, input);
  // Millionths of a dollar per million tokens are billionths of a dollar per thousand tokens.
  const Wide sum = static_cast<Wide>(input - cached) * price.input +
                   static_cast<Wide>(cached) * price.cached +
                   static_cast<Wide>(output) * price.output;
  return static_cast<std::int64_t>(std::min<Wide>((sum + 999) / 1000, kMostCost));
}

Prices Prices::parse(std::string_view text, const std::string& file) {
  Prices prices;
  prices.text_ = text;
  const bj::value document = json::parse(text, file);
  const auto place = [&](const json::Path& path) { return json::place(file, text, path); };
  const bj::object* top = document.if_object();
  const bj::value* format = top == nullptr ? nullptr : top->if_contains("format");
  if (format == nullptr || !format->is_string() || format->get_string() != "agon.prices")
    throw Error(ErrorKind::invalid, "this is no file of prices", file,
                "write \"format\": \"agon.prices\", see docs/suite.md");
  for (const auto& entry : *top)
    if (std::string_view known = entry.key(); known != "format" && known != "version" &&
                                              known != "date" && known != "currency" &&
                                              known != "source" && known != "models")
      throw Error(ErrorKind::invalid, "'" + std::string(known) + "' is not known here",
                  place(json::Path() / known));
  if (const bj::value* currency = top->if_contains("currency");
      currency != nullptr && (!currency->is_string() || currency->get_string() != "USD"))
    throw Error(ErrorKind::invalid, "prices are in USD", place(json::Path() / "currency"));
  const bj::value* models = top->if_contains("models");
  if (models == nullptr || !models->is_object())
    throw Error(ErrorKind::invalid, "prices need an object of models", file);
  for (const auto& entry : models->get_object()) {
    const json::Path path = json::Path() / "models" / entry.key();
    const bj::object* o = entry.value().if_object();
    if (o == nullptr || !o->contains("input") || !o->contains("output"))
      throw Error(ErrorKind::invalid, "a model needs the prices of input and output", place(path));
    for (const auto& member : *o)
      if (member.key() != "input" && member.key() != "output" && member.key() != "cached")
        throw Error(ErrorKind::invalid, "'" + std::string(member.key()) + "' is not known here",
                    place(path / member.key()));
    Price price;
    price.input = dollars(o->at("input"), place(path / "input"));
    price.output = dollars(o->at("output"), place(path / "output"));
    price.cached =
        o->contains("cached") ? dollars(o->at("cached"), place(path / "cached")) : price.input;
    prices.prices_.emplace(entry.key(), price);
  }
  return prices;
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
  if (price->input == 0 && price->output == 0 && price->cached == 0) return 0;
  if (call.usage.input < 0 || call.usage.output < 0) return std::nullopt;
  return cost_of(*price, call.usage.input, call.usage.output, call.usage.cached);
}

}  // namespace agon

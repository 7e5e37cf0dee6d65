#pragma once

#include <agon/describe.hpp>
#include <map>
#include <optional>
#include <string>

/// A file of prices as it is written.
namespace agon::prices_file {

inline constexpr std::string_view kFormat = "agon.prices";
inline constexpr int kVersion = 1;

struct Model {
  double input = -1;
  double output = -1;
  std::optional<double> cached;
  std::optional<double> written;
};
AGON_DESCRIBE(Model, (input, "tokens in", unit("dollars per million tokens"), range(0, 1e6)),
              (output, "tokens out", unit("dollars per million tokens"), range(0, 1e6)),
              (cached, "tokens in that came from a cache (default: as input)",
               unit("dollars per million tokens"), range(0, 1e6), left_out),
              (written, "tokens in that were put into a cache (default: as input)",
               unit("dollars per million tokens"), range(0, 1e6), left_out))

enum class Currency : std::uint8_t { USD };
AGON_DESCRIBE_ENUM(Currency, (USD, "US dollars"))

struct Prices {
  std::string format;
  int version = kVersion;
  std::optional<std::string> date;
  Currency currency = Currency::USD;
  std::optional<std::string> source;
  std::map<std::string, Model> models;
};
AGON_DESCRIBE(Prices, (format, "agon.prices", length(1, 100)), (version, "of the format"),
              (date, "when they held, for people", left_out), (currency, "of all prices"),
              (source, "where they are from, for people", left_out),
              (models, "provider/model to its prices; a name may end with *", length(1, 1'000'000)))

}  // namespace agon::prices_file

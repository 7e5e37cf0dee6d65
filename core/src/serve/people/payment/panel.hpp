#pragma once

#include <agon/export.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "http/exchange.hpp"
#include "suite/people/people_file.hpp"

namespace agon::serve {

/// Somebody whom a panel sends, by the parameters of their address.
struct PanelVisit {
  std::string id;
  std::string session;             ///< what only their link has; empty: the panel gives none
  boost::json::object parameters;  ///< all, the id included
};

/// Why a visit is not let in; the page says it.
enum class PanelProblem : std::uint8_t { no_id, preview, too_long };

/// Reads what a page sends of its own address.
class AGON_API Panel {
 public:
  explicit Panel(suite_file::PanelParameters parameters) : parameters_(std::move(parameters)) {}

  /// A problem, or the visit in `visit`.
  [[nodiscard]] std::optional<PanelProblem> read(const JsonBody& body, PanelVisit& visit) const;
  /// What the panel is given: a path with its parameters, as it names them where that is known.
  [[nodiscard]] std::string path() const;
  /// The parameter that names people.
  [[nodiscard]] const std::string& id() const { return parameters_.id; }
  /// True if both came by the same link of the panel, which nobody else has.
  [[nodiscard]] bool is_same_link(const PanelVisit& visit, const std::string& kept) const;

 private:
  suite_file::PanelParameters parameters_;
};

}  // namespace agon::serve

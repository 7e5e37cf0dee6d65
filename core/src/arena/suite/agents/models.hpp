#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/model/model_agent.hpp>
#include <agon/model/preflight.hpp>
#include <atomic>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "suite/suite_file.hpp"

namespace agon {

class Agent;

/// Whether calls of one of an agent's models go out in batches.
[[nodiscard]] AGON_API bool calls_in_batches(const Agent& agent);

/// What the parameter `model` of an agent may name: the suite's "models", and what --model says of
/// them. What a model's members mean is the agent's business.
class Models {
 public:
  /// A model ready to be read as a parameter.
  struct ResolvedModel {
    boost::json::value value;  ///< an object
    std::string where;         ///< where it is written; empty: with the agent
  };

  /// An entry of "models".
  void add(const std::string& name, const suite_file::Entry& entry, const std::string& where);
  /// A --model: `NAME=provider/model[:key=value,...]` for an entry, or without NAME for all models
  /// of all agents. In the place of provider/model the name of another entry may stand. Throws
  /// Error (usage).
  AGON_API void choose(std::string_view option);

  /// Throws Error (usage) if a --model is for an entry that neither "models" nor an agent names: a
  /// run with another model than was asked for may cost money. To be called when all agents are
  /// read.
  AGON_API void check_choices() const;

  /// The entries' names, for messages.
  [[nodiscard]] std::vector<std::string> names() const;
  /// The entry of that name stood for a model.
  [[nodiscard]] bool is_used(const std::string& name) const { return used_.contains(name); }

  /// True if --model names one model for all.
  [[nodiscard]] bool has_one_for_all() const { return !for_all_.empty(); }
  /// What `value`, given as a model, stands for. Throws Error for a name that is not there.
  [[nodiscard]] ResolvedModel resolve(const boost::json::value& value,
                                      const std::string& where) const;

 private:
  [[nodiscard]] ResolvedModel named(std::string_view text, const std::string& where) const;

  struct ModelEntry {
    boost::json::object model;
    std::string where;
  };
  std::map<std::string, ModelEntry, std::less<>> entries_;
  std::map<std::string, std::string, std::less<>> chosen_;  // by entry: the option's text
  mutable std::set<std::string, std::less<>> met_;          // of chosen_: named by an agent
  mutable std::set<std::string, std::less<>> used_;         // of entries_
  std::string for_all_;
};

/// The model that an entry says.
[[nodiscard]] boost::json::object model_of(const suite_file::Entry& entry,
                                           const std::string& where);

/// Reads `provider/model`, `provider`, or either with `:key=value,key=value` behind it. The name of
/// a model may hold slashes and colons.
[[nodiscard]] boost::json::object short_model(std::string_view text, const std::string& where);

/// What the model calls of a whole run may take, runs that it takes up again included.
struct Caps {
  std::optional<std::int64_t> cost{};    ///< billionths of a US dollar
  std::optional<std::int64_t> tokens{};  ///< in and out
  std::optional<std::int64_t> calls{};

  [[nodiscard]] bool any() const { return cost || tokens || calls; }
};
AGON_DESCRIBE(Caps, (cost, "billionths of a US dollar", left_out), (tokens, "in and out", left_out),
              (calls, "of models", left_out))

/// "5.00 USD, 100 model calls"; "nothing" without a cap.
[[nodiscard]] AGON_API std::string describe(const Caps& caps);

/// Caps on the calls to one model, or for one purpose. They hold beside those on all calls.
struct PartCaps {
  std::string name;       ///< as the suite's limits have it: of its "models", or a purpose
  std::string model{};    ///< ModelName::text(); empty: any
  std::string purpose{};  ///< ModelCall::purpose; empty: any
  Caps caps{};

  /// Whether they are on a call: of ModelName::text(), in which a mock without a name is called as
  /// its provider, as calls have it.
  [[nodiscard]] AGON_API bool are_on(std::string_view called, std::string_view for_what) const;
  /// "the model 'small' (openai/x)", "the purpose 'extract'".
  [[nodiscard]] AGON_API std::string words() const;
  /// Where they are in the suite: "limits.models.small".
  [[nodiscard]] AGON_API std::string place() const;
};
AGON_DESCRIBE(PartCaps, (name, "in the suite's limits"), (model, "that is called; empty: any"),
              (purpose, "of the calls; empty: any"), (caps, "on these calls"))

/// All models that an agent calls, its own first; none if it calls no model.
[[nodiscard]] AGON_API std::vector<ModelName> models_called_by(const Agent& agent);

/// Reads "25", "25 USD" or "0.5 USD" as billionths of a dollar. Throws Error (usage).
[[nodiscard]] AGON_API std::int64_t read_cost(std::string_view text, const std::string& where);

struct Suite;

/// What the agents of a suite found when they looked at what they need.
struct AGON_API Preflight {
  /// A finding, and which agents met it.
  struct FindingRow {
    Finding finding;
    std::vector<std::string> agents;
  };
  std::vector<FindingRow> rows;  ///< in order of the suite, each finding once

  [[nodiscard]] bool fine() const;
};

/// Estimated tokens of the longest prompt to each model, by ModelName::text(); others: unknown.
using LongestPrompts = std::map<std::string, std::int64_t>;

/// Asks every agent that takes part, once a game and spec. Ends early once `stop` is true.
[[nodiscard]] AGON_API Preflight preflight(const Suite& suite, const LongestPrompts& longest = {},
                                           const std::atomic<bool>* stop = nullptr);

}  // namespace agon

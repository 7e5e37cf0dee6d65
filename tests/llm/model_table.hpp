#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "llm/llm_agent.hpp"
#include "plugin/catalogue.hpp"
#include "settings/settings.hpp"
#include "support/text_checks.hpp"
#include "table/match.hpp"

namespace agon::test {

/// A model that says what a function says, and keeps what it was asked.
class ScriptedModel final : public llm::Provider {
 public:
  using Say = std::function<ModelCall(const ModelRequest&)>;
  /// Without a function it answers like the mock: random within the schema.
  explicit ScriptedModel(Say say = {});

  llm::ModelResult call(const ModelRequest& request, Time deadline, Dice dice) override;
  [[nodiscard]] CallEstimate estimate(const ModelRequest& request) const override;
  [[nodiscard]] std::vector<Finding> preflight(const Expected&) override { return {}; }

  struct Asked {
    std::string purpose;
    std::vector<ChatMessage> messages;
    std::string schema;
    std::string said;
    std::size_t stable = 0;  ///< so many messages are worth keeping in a cache
    bool says_form = false;  ///< the form of the answer is told in words in any case
    /// All of the prompt in one text.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] const std::string& last() const { return messages.back().text; }
  };
  /// In the order of the calls.
  [[nodiscard]] std::vector<Asked> asked() const;
  [[nodiscard]] std::size_t count(std::string_view purpose) const;

 private:
  Say say_;
  std::shared_ptr<llm::Provider> mock_;
  mutable std::mutex mutex_;
  std::vector<Asked> asked_;
};

/// A call that came through.
[[nodiscard]] ModelCall said(std::string text, Fault fault = Fault::ok);

/// Calls by seat, question, attempt and number, in memory.
class Ledgers {
 public:
  using Key = std::tuple<int, std::uint32_t, int, int>;
  [[nodiscard]] std::function<std::shared_ptr<CallLedger>(int, std::uint32_t, int)> maker();
  void close() { closed_ = true; }

  std::map<Key, ModelCall> calls;
  std::vector<ModelCall> given_back;
  std::size_t admitted = 0;
  Halt halt = Halt::no;

 private:
  friend class TestLedger;
  std::mutex mutex_;
  bool closed_ = false;
};

/// A model that says this whatever it is asked.
[[nodiscard]] std::shared_ptr<ScriptedModel> saying(std::string text);

[[nodiscard]] bool has(std::string_view text, std::string_view words);

/// The parts and games of this build.
[[nodiscard]] const Catalogue& catalogue();

/// The ids of its games for more than one seat.
[[nodiscard]] std::vector<std::string_view> game_ids();

/// The shipped prompts of a game, over the generic ones; `own` over both, by name.
[[nodiscard]] std::shared_ptr<const PromptSet> prompts_of(
    std::string_view game, const std::map<std::string, std::string>& own = {});

/// Those in another language, of which "published" has those that papers published.
[[nodiscard]] std::shared_ptr<const PromptSet> prompts_in(std::string_view game,
                                                          const std::string& language);

/// A match of a game of which some seats are model agents.
class ModelTable {
 public:
  explicit ModelTable(std::string_view game, std::string_view settings = "{}");
  explicit ModelTable(const Game& game, std::string_view settings = "{}");

  /// The seat plays by these parts ("memory=window:n=4 planning=static") and this model.
  ModelTable& model(int seat, const std::string& parts, std::shared_ptr<ScriptedModel> model);
  /// All seats that are not set do.
  ModelTable& everybody(const std::string& parts, std::shared_ptr<ScriptedModel> model);
  ModelTable& agent(int seat, std::shared_ptr<const Agent> agent);
  ModelTable& prompts(std::shared_ptr<const PromptSet> prompts);
  ModelTable& ledgers(Ledgers& ledgers);
  ModelTable& past(std::string record);
  ModelTable& carried(int seat, std::string json);
  /// Other dice of the agents, as another block has them.
  ModelTable& dice(std::uint64_t other);
  ModelTable& in_sequence(std::uint64_t position, bool another_follows);

  [[nodiscard]] MatchResult play();
  /// The same; the match has to finish.
  MatchResult play_to_end();
  [[nodiscard]] const Game& game() const { return game_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  Game game_;
  Settings settings_;
  std::shared_ptr<const PromptSet> prompts_;
  std::vector<std::shared_ptr<const Agent>> agents_;
  std::vector<std::string> carried_;
  Ledgers* ledgers_ = nullptr;
  std::uint64_t dice_ = 0;
  std::uint64_t position_ = 0;
  bool another_follows_ = false;
  std::string past_;
};

/// An agent of these parts, for one game.
[[nodiscard]] std::shared_ptr<const llm::LlmAgent> make_agent(const std::string& parts,
                                                              std::string_view game,
                                                              std::shared_ptr<llm::Provider> model);

}  // namespace agon::test

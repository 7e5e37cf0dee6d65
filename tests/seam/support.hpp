#pragma once

#include <agon/random.hpp>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "settings/settings.hpp"
#include "table/match.hpp"

namespace seam {

/// The four games, all agents and the shipped data, linked in.
const agon::Catalogue& catalogue();
/// Roots under which the shipped data lie, for Suite::parse and Settings::read.
const std::vector<std::string>& data_folders();
/// An agent as it is written on the command line: "random:probes=true".
std::shared_ptr<const agon::Agent> agent(const std::string& text, const std::string& game);

/// A game with settings.
struct Scene {
  explicit Scene(const std::string& game, const std::string& settings = "{}");
  explicit Scene(const agon::Game& game, const std::string& settings = "{}");

  const agon::Game* game;
  agon::Settings settings;

  /// A setup with these agents (as many as seats; fewer: they take turns).
  [[nodiscard]] agon::MatchSetup setup(const std::vector<const agon::Agent*>& agents,
                                       std::uint64_t luck = 1) const;
  /// A setup in which the record answers everything.
  [[nodiscard]] agon::MatchSetup replay(std::string_view record, std::uint64_t luck = 1) const;
  [[nodiscard]] std::size_t seats() const { return settings.seating().size(); }
};

/// A game and the agents that a test runs it with.
struct Case {
  std::string game;
  std::string settings;
  std::vector<std::string> agents;
};
/// All games, both protocols, several rule agents and random each.
std::vector<Case> all_cases();

// ---- agents made of one function
// ------------------------------------------------------------------

/// A question, from whichever side it came.
struct Ask {
  int seat = 0;
  std::string stage;
  std::uint32_t number = 0;
  int attempt = 0;
  bool probe = false;
  std::string complaint;
  std::string memo;
  const agon::Type* type = nullptr;
  std::span<const agon::LimitData> limits;
  agon::Dice dice{0};
};
using Brain = std::function<agon::Reply(const Ask&)>;

/// Answers at once, in JSON.
class Inline : public agon::Agent {
 public:
  explicit Inline(Brain brain, bool probes = true) : brain_(std::move(brain)), probes_(probes) {}
  void answer(agon::Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return probes_; }

 private:
  Brain brain_;
  bool probes_;
};

/// When the replies of waiting agents are brought.
class Post {
 public:
  enum class Order {
    at_once,  ///< before ask() returns
    first,    ///< from another thread, oldest first
    last,     ///< from another thread, newest first, after a moment
  };
  explicit Post(Order order);
  ~Post();
  void bring(agon::Completion done, agon::Reply reply);

 private:
  void work();
  Order order_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<agon::Completion, agon::Reply>> bag_;
  bool over_ = false;
  std::thread thread_;
};

/// Answers through the post.
class Waiting : public agon::WaitingAgent {
 public:
  Waiting(Brain brain, Post& post, bool costly = false)
      : brain_(std::move(brain)), post_(post), costly_(costly) {}
  void ask(agon::OwnedQuestion question, agon::Completion done) const override;
  [[nodiscard]] bool is_costly() const override { return costly_; }

 private:
  Brain brain_;
  Post& post_;
  bool costly_;
};

/// Does with question and completion what the function does.
class Asked : public agon::WaitingAgent {
 public:
  using Function = std::function<void(agon::OwnedQuestion, agon::Completion)>;
  explicit Asked(Function function) : function_(std::move(function)) {}
  void ask(agon::OwnedQuestion question, agon::Completion done) const override {
    function_(std::move(question), std::move(done));
  }
  [[nodiscard]] bool is_costly() const override { return true; }

 private:
  Function function_;
};

Ask ask_of(const agon::OwnedQuestion& question);

/// How often this happened to the answers of a seat.
std::uint32_t faults(const agon::MatchResult& result, int seat, agon::Fault fault);

/// A uniform draw as JSON.
std::string drawn(const Ask& ask);
/// Draws every answer, declines no probe.
agon::Reply draws(const Ask& ask);
/// Draws too, but now and then says what is no JSON, not legal or nothing at all, breaks, thinks
/// aloud, keeps a diary in its memo and declines probes.
agon::Reply wild(const Ask& ask);

// ---- records
// ---------------------------------------------------------------------------------------

/// Everything of an entry but the view that waiting seats are sent, as text.
std::string text_of(const agon::record::Entry& entry);
/// All entries. Probes that left no trace but that they were declined are left out: only waiting
/// agents leave that one.
std::vector<std::string> texts_of(const std::string& record);
/// Where two lists of texts first part, in printable form; empty if they are the same.
std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace seam

#include "support.hpp"

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <chrono>

#include "agents.hpp"
#include "archive/database/file.hpp"
#include "bargaining/game.hpp"
#include "classic/game.hpp"
#include "clock-auction/game.hpp"
#include "deal-or-no-deal/game.hpp"
#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "ebay/game.hpp"
#include "english-auction/game.hpp"
#include "guess-average/game.hpp"
#include "sealed-bid/game.hpp"
#include "suite/agents/agent_spec.hpp"
#include "support/folders.hpp"
#include "support/settings.hpp"
#include "survival-auction/game.hpp"
#include "water-allocation/game.hpp"

namespace seam {

namespace fs = std::filesystem;

const agon::Catalogue& catalogue() {
  static const std::unique_ptr<const agon::Catalogue> held = [] {
    auto c = std::make_unique<agon::Catalogue>();
    agon::agents::enter(*c);
    bargaining::enter(*c);
    classic::enter(*c);
    deal_or_no_deal::enter(*c);
    clock_auction::enter(*c);
    ebay::enter(*c);
    sealed_bid::enter(*c);
    english_auction::enter(*c);
    guess_average::enter(*c);
    survival_auction::enter(*c);
    water_allocation::enter(*c);
    return c;
  }();
  return *held;
}

std::uint32_t faults(const agon::MatchResult& result, int seat, agon::Fault fault) {
  return result.faults[static_cast<std::size_t>(seat)][static_cast<std::size_t>(fault)];
}

namespace {

/// A folder that holds a folder of data for each game, as an installation has it.
struct DataRoot {
  agon::archive::ScratchFolder folder{"agon-seam"};
  DataRoot() {
    for (const fs::directory_entry& game :
         fs::directory_iterator(agon::test::source_folder() / "games"))
      if (fs::is_directory(game.path() / "data"))
        fs::create_directory_symlink(game.path() / "data", folder.path() / game.path().filename());
  }
};

}  // namespace

const std::vector<std::string>& data_folders() {
  static const DataRoot root;
  static const std::vector<std::string> folders{root.folder.path().string()};
  return folders;
}

std::shared_ptr<const agon::Agent> agent(const std::string& text, const std::string& game) {
  return agon::AgentSpec::parse({.catalogue = catalogue()}, text, game, "a test").in(game)->agent;
}

Scene::Scene(const std::string& name, const std::string& json)
    : game(&catalogue().game(name)),
      settings(agon::test::read_settings(*game, json, "a test", {"", data_folders()})) {}
Scene::Scene(const agon::Game& the_game, const std::string& json)
    : game(&the_game), settings(agon::test::read_settings(the_game, json, "a test")) {}

agon::MatchSetup Scene::setup(const std::vector<const agon::Agent*>& agents,
                              std::uint64_t luck) const {
  agon::MatchSetup s = agon::set_up_match(*game, settings, agon::mix(luck));
  for (std::size_t i = 0; i < s.cards.size(); ++i)
    s.seats.push_back({agents[i % agents.size()], agon::combine(luck, i + 1), ""});
  return s;
}

agon::MatchSetup Scene::replay(std::string_view record, std::uint64_t luck) const {
  agon::MatchSetup s = setup({nullptr}, luck);
  s.past = record;
  s.strict_replay = true;
  return s;
}

std::vector<Case> all_cases() {
  return {
      {"english-auction", "{}", {"rule", "value-cap", "random"}},
      {"english-auction", R"({"preset": "published-code"})", {"value-cap", "random:probes=true"}},
      {"water-allocation", "{}", {"survivor", "fraction", "random", "fixed", "default"}},
      {"bargaining", "{}", {"time-dependent", "tit-for-tat"}},
      {"bargaining", R"({"preset": "published-code"})", {"random", "random"}},
      {"classic", R"({"rounds": 2})", {"nash:talk=announce", "random"}},
      {"classic", R"({"game": "rock-paper-scissors"})", {"nash", "k-level"}},
      {"classic",
       R"({"preset": "published-code", "game": "draco", "rounds": 1})",
       {"random", "backward-induction"}},
      {"deal-or-no-deal", "{}", {"envy-free-bayes", "concede"}},
      {"deal-or-no-deal", R"({"max_rounds": 3})", {"random:probes=true", "envy-free-bayes"}},
      {"deal-or-no-deal", R"({"preset": "openspiel"})", {"random", "concede"}},
      {"clock-auction", R"({"rounds": 2})", {"truthful", "shade", "random:probes=true"}},
      {"clock-auction",
       R"({"preset": "published-code", "clock": "ascending_blind", "rounds": 2})",
       {"random", "equilibrium-bid", "shade"}},
      {"clock-auction",
       R"({"preset": "dutch", "rounds": 2})",
       {"random", "shade:share=90", "equilibrium-bid"}},
      {"sealed-bid", R"({"rounds": 3})", {"truthful", "shade", "random:probes=true"}},
      {"sealed-bid",
       R"({"payment": "all_pay", "bidders": 4, "rounds": 3})",
       {"equilibrium-bid", "random", "shade", "truthful"}},
      {"sealed-bid",
       R"({"values": "common", "bidders": 2, "rounds": 3})",
       {"equilibrium-bid", "random"}},
      {"english-auction",
       R"({"preset": "laboratory", "arena": "demo", "reserve": "open", "desires": ["profit", "spite", "shill"]})",
       {"ring", "random", "value-cap", "reserve-share"}},
      {"english-auction",
       R"({"preset": "laboratory", "arena": "demo", "seller_acts": true, "sum_up": true, "check_prices": true, "aim": "relative", "everyone": {"planning": "adaptive", "beliefs": true}})",
       {"value-cap", "random", "value-cap", "brisk"}},
      {"ebay", "{}", {"truthful", "incremental", "random"}},
      {"ebay", R"({"preset": "published-code", "soft_close": true})", {"sniper", "random"}},
      {"guess-average", "{}", {"k-level", "monorand", "last:deviation=5", "random", "fix"}},
      {"survival-auction", "{}", {"adaptive", "fraction", "random", "last", "default"}},
      {"survival-auction", R"({"preset": "paper"})", {"adaptive", "random"}},
  };
}

void Inline::answer(agon::Question& question) const {
  const Ask ask{question.seat(),
                std::string(question.stage()),
                question.number(),
                question.attempt(),
                question.is_probe(),
                std::string(question.complaint()),
                std::string(question.memo()),
                &question.answer_type(),
                question.limits(),
                question.dice()};
  agon::Reply reply = brain_(ask);
  if (!reply.thought.empty()) question.think(std::move(reply.thought));
  if (reply.remembers) question.remember(std::move(reply.memo));
  if (reply.status == agon::Fault::crashed) throw std::runtime_error(reply.problem);
  if (reply.declined) return question.decline();
  question.answer_json(std::move(reply.json));
}

Ask ask_of(const agon::OwnedQuestion& q) {
  return {
      q.seat,         q.stage,
      q.number,       q.attempt,
      q.probe,        q.complaint,
      q.memo,         q.answer_type,
      q.limits.get(), agon::Dice(q.dice_key, q.dice_place, static_cast<std::uint32_t>(q.attempt))};
}

void Waiting::ask(agon::OwnedQuestion question, agon::Completion done) const {
  post_.bring(std::move(done), brain_(ask_of(question)));
}

Post::Post(Order order) : order_(order) {
  if (order_ != Order::at_once) thread_ = std::thread([this] { work(); });
}
Post::~Post() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}
void Post::bring(agon::Completion done, agon::Reply reply) {
  if (order_ == Order::at_once) return done(std::move(reply));
  {
    const std::lock_guard lock(mutex_);
    bag_.emplace_back(std::move(done), std::move(reply));
  }
  changed_.notify_all();
}
void Post::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || !bag_.empty(); });
    if (over_) return;
    if (order_ == Order::last) {
      // Gives the others of the same round a chance to come first; nothing hangs on it.
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      lock.lock();
    }
    const auto at = order_ == Order::last ? bag_.end() - 1 : bag_.begin();
    auto [done, reply] = std::move(*at);
    bag_.erase(at);
    lock.unlock();
    done(std::move(reply));
    lock.lock();
  }
}

std::string drawn(const Ask& ask) {
  agon::Value value(*ask.type);
  agon::Dice dice = ask.dice;
  agon::draw_value(*ask.type, nullptr, value.get(), 0, ask.limits, dice);
  return agon::write_json(*ask.type, value.get());
}

agon::Reply draws(const Ask& ask) {
  return {.json = drawn(ask)};
}

agon::Reply wild(const Ask& ask) {
  agon::Dice dice = ask.dice;
  for (int i = 0; i < 64; ++i) dice.bits();  // other dice than those of the draw
  agon::Reply reply;
  reply.json = drawn(ask);
  if (dice.below(3) == 0) reply.thought = "hm, " + ask.stage + ask.complaint;
  if (dice.below(3) == 0) {
    reply.remembers = true;
    reply.memo = ask.memo.substr(0, 100) + "|" + std::to_string(ask.number);
  }
  switch (dice.below(16)) {
    case 0:
      reply.json = "I would rather not say";
      break;
    case 1:
      reply.json = R"({"amount": 99999999, "bid": -1})";
      break;
    case 2:
      reply.json.clear();
      break;
    case 3:
      reply = {.status = agon::Fault::crashed, .problem = "it broke"};
      break;
    case 4:
    case 5:
      if (ask.probe) reply.declined = true;
      break;
    default:
      break;
  }
  return reply;
}

std::string text_of(const agon::record::Entry& e) {
  std::string out = std::to_string(static_cast<int>(e.what)) + " " + std::string(e.name) + " ";
  for (const std::uint8_t b : e.shape) out += static_cast<char>(b);
  out += "\n payload " + std::string(e.payload) + "\n to " + std::to_string(e.audience) + " at";
  for (const std::int64_t i : e.at) out += " " + std::to_string(i);
  out += "\n seat " + std::to_string(e.seat) + " number " + std::to_string(e.number) + " flags " +
         std::to_string(e.probe) + std::to_string(e.forced) + std::to_string(e.declined) +
         std::to_string(e.remembers);
  for (const agon::record::Attempt& a : e.attempts)
    out += "\n attempt " + std::to_string(static_cast<int>(a.fault)) + " " +
           std::to_string(static_cast<int>(a.form)) + " " + a.payload + " / " + a.complaint;
  out += "\n thought " + std::string(e.thought) + "\n memo " + std::string(e.memo);
  const auto exact = [](double x) { return std::to_string(std::bit_cast<std::uint64_t>(x)); };
  if (e.outcome == nullptr) return out;
  for (int i = 0; i < e.outcome->seats(); ++i) {
    const agon::SeatOutcome& s = (*e.outcome)[i];
    out += "\n outcome " + exact(s.score) + " " + exact(s.disagreement) + " " + exact(s.ideal) +
           " " + std::to_string(s.rank);
    for (const double m : s.metrics) out += " " + exact(m);
  }
  for (const double m : e.outcome->match_metrics()) out += " " + exact(m);
  return out;
}

std::vector<std::string> texts_of(const std::string& record) {
  std::vector<std::string> texts;
  const agon::record::History history = agon::record::read(record);
  for (const agon::record::Entry& e : history.entries)
    if (!e.declined || e.remembers || !e.attempts.empty() || !e.thought.empty())
      texts.push_back(text_of(e));
  return texts;
}

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string x = i < a.size() ? a[i] : "nothing", y = i < b.size() ? b[i] : "nothing";
    if (x != y)
      return "entry " + std::to_string(i) + ":\n" + agon::printable(x, true) + "\n---\n" +
             agon::printable(y, true);
  }
  return "";
}

}  // namespace seam

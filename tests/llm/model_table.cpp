#include "model_table.hpp"

#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "agents.hpp"
#include "bargaining/game.hpp"
#include "classic/game.hpp"
#include "clock-auction/game.hpp"
#include "deal-or-no-deal/game.hpp"
#include "ebay/game.hpp"
#include "english-auction/game.hpp"
#include "guess-average/game.hpp"
#include "json/parse.hpp"
#include "llm/llm_agent.hpp"
#include "llm/provider/provider.hpp"
#include "play-rating/game.hpp"
#include "sealed-bid/game.hpp"
#include "suite/agents/prompts.hpp"
#include "support/settings.hpp"
#include "survival-auction/game.hpp"
#include "water-allocation/game.hpp"

namespace agon::test {

ModelCall said(std::string text, Fault fault) {
  ModelCall call;
  call.provider = "test";
  call.model = "scripted";
  call.text = std::move(text);
  call.fault = fault;
  return call;
}

ScriptedModel::ScriptedModel(Say say) : say_(std::move(say)) {
  llm::ModelSpec spec;
  spec.model = "mock";
  mock_ = llm::make_mock_provider(spec);
}

llm::ModelResult ScriptedModel::call(const ModelRequest& request, Time deadline, Dice dice) {
  llm::ModelResult result;
  result.call = say_ ? say_(request) : mock_->call(request, deadline, dice).call;
  result.call.messages = request.messages;
  const std::lock_guard lock(mutex_);
  asked_.push_back({std::string(request.purpose), request.messages, request.schema,
                    result.call.text, request.stable, request.says_form});
  return result;
}

CallEstimate ScriptedModel::estimate(const ModelRequest&) const {
  return {"test", "scripted", 1, 1};
}

std::string ScriptedModel::Asked::text() const {
  std::string all;
  for (const ChatMessage& m : messages) all += m.role + ":\n" + m.text + "\n\n";
  return all;
}

std::vector<ScriptedModel::Asked> ScriptedModel::asked() const {
  const std::lock_guard lock(mutex_);
  return asked_;
}

std::size_t ScriptedModel::count(std::string_view purpose) const {
  std::size_t n = 0;
  for (const Asked& a : asked()) n += a.purpose == purpose ? 1 : 0;
  return n;
}

class TestLedger final : public CallLedger {
 public:
  TestLedger(Ledgers& all, int seat, std::uint32_t number, int attempt)
      : all_(all), seat_(seat), number_(number), attempt_(attempt) {}
  std::optional<ModelCall> find(int index) override {
    const std::lock_guard lock(all_.mutex_);
    const auto found = all_.calls.find({seat_, number_, attempt_, index});
    return found == all_.calls.end() ? std::nullopt : std::optional(found->second);
  }
  bool is_closed() const override { return all_.closed_; }
  Halt admit(const CallEstimate&) override {
    const std::lock_guard lock(all_.mutex_);
    ++all_.admitted;
    return all_.halt;
  }
  void keep(int index, const ModelCall& call) override {
    const std::lock_guard lock(all_.mutex_);
    all_.calls[{seat_, number_, attempt_, index}] = call;
  }
  void give_back(int, const ModelCall& failed) override {
    const std::lock_guard lock(all_.mutex_);
    all_.given_back.push_back(failed);
  }

 private:
  Ledgers& all_;
  int seat_;
  std::uint32_t number_;
  int attempt_;
};

std::function<std::shared_ptr<CallLedger>(int, std::uint32_t, int)> Ledgers::maker() {
  return [this](int seat, std::uint32_t number, int attempt) {
    return std::make_shared<TestLedger>(*this, seat, number, attempt);
  };
}

std::shared_ptr<ScriptedModel> saying(std::string text) {
  return std::make_shared<ScriptedModel>(
      [text = std::move(text)](const ModelRequest&) { return said(text); });
}

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

const Catalogue& catalogue() {
  static const auto made = [] {
    auto c = std::make_unique<Catalogue>();
    clock_auction::enter(*c);
    ebay::enter(*c);
    sealed_bid::enter(*c);
    english_auction::enter(*c);
    guess_average::enter(*c);
    survival_auction::enter(*c);
    water_allocation::enter(*c);
    bargaining::enter(*c);
    classic::enter(*c);
    deal_or_no_deal::enter(*c);
    play_rating::enter(*c);
    agents::enter(*c);
    llm::enter(*c);
    return c;
  }();
  return *made;
}

std::vector<std::string_view> game_ids() {
  std::vector<std::string_view> ids;
  for (const Game* game : catalogue().all<Game>())
    if (game->card.seats.max > 1) ids.push_back(game->id);
  return ids;
}

std::shared_ptr<const PromptSet> prompts_of(std::string_view game,
                                            const std::map<std::string, std::string>& own) {
  namespace fs = std::filesystem;
  auto set = std::make_shared<PromptSet>();
  for (const std::string_view owner : {std::string_view("any-game"), game}) {
    const fs::path folder = fs::path(AGON_TEST_SHARE) / "prompts" / owner;
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".txt")  // folders are other languages, skins no prompts
        set->texts[entry.path().stem().string()] = {json::read_file(entry.path()),
                                                    entry.path().string()};
  }
  for (const auto& [name, text] : own) set->texts[name] = {text, "own/" + name + ".txt"};
  return set;
}

std::shared_ptr<const PromptSet> prompts_in(std::string_view game, const std::string& language) {
  return load_prompts(catalogue(), catalogue().game(game),
                      {std::string(AGON_TEST_SHARE) + "/prompts"}, std::nullopt, "", "test",
                      language);
}

std::shared_ptr<const llm::LlmAgent> make_agent(const std::string& parts, std::string_view game,
                                                std::shared_ptr<llm::Provider> model) {
  llm::LlmParams params;
  std::istringstream words(parts);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    if (name == "persona") params.persona = value;
    if (name == "memory") params.memory = value;
    if (name == "learning") params.learning = value;
    if (name == "planning") params.planning = value;
    if (name == "beliefs") params.beliefs = value;
    if (name == "reasoning") params.reasoning = value;
    if (name == "form") params.form = value;
    if (name == "own_thoughts")
      params.own_thoughts = value == "shown"    ? llm::OwnThoughts::shown
                            : value == "hidden" ? llm::OwnThoughts::hidden
                                                : llm::OwnThoughts::as_said;
    if (name == "tools") params.tools = value;
    if (name == "sample") params.model.sample = llm::Sample::distribution;
    if (name.starts_with("models.")) {
      llm::ModelSpec& other = params.models[name.substr(7)];
      other.provider = "mock";
      other.model = value;
    }
    if (name == "language") params.language = value;
    if (name == "prompts")
      params.prompts = value == "published" ? llm::PromptWords::published : llm::PromptWords::own;
    if (name == "show_thoughts") params.show_thoughts = value == "true";
    if (name == "ask_always") params.ask_always = value == "true";
    if (name == "longest_text") params.longest_text = std::stoi(value);
  }
  AgentServices services;
  services.parts = &catalogue();
  services.game = game;
  return std::make_shared<llm::LlmAgent>(params, services, std::move(model));
}

ModelTable::ModelTable(std::string_view game, std::string_view settings)
    : ModelTable(catalogue().game(game), settings) {}

ModelTable::ModelTable(const Game& game, std::string_view settings)
    : game_(game),
      settings_(agon::test::read_settings(game, settings, "test settings",
                                          {"", {std::string(AGON_TEST_SHARE) + "/data"}})),
      prompts_(prompts_of(game.id)),
      agents_(settings_.seating().size()),
      carried_(agents_.size()) {}

ModelTable& ModelTable::model(int seat, const std::string& parts,
                              std::shared_ptr<ScriptedModel> model) {
  return agent(seat, make_agent(parts, game_.id, std::move(model)));
}

ModelTable& ModelTable::everybody(const std::string& parts, std::shared_ptr<ScriptedModel> model) {
  const auto made = make_agent(parts, game_.id, std::move(model));
  for (auto& agent : agents_)
    if (agent == nullptr) agent = made;
  return *this;
}

ModelTable& ModelTable::agent(int seat, std::shared_ptr<const Agent> agent) {
  agents_.at(static_cast<std::size_t>(seat)) = std::move(agent);
  return *this;
}

ModelTable& ModelTable::prompts(std::shared_ptr<const PromptSet> prompts) {
  prompts_ = std::move(prompts);
  return *this;
}

ModelTable& ModelTable::ledgers(Ledgers& ledgers) {
  ledgers_ = &ledgers;
  return *this;
}

ModelTable& ModelTable::past(std::string record) {
  past_ = std::move(record);
  return *this;
}

ModelTable& ModelTable::carried(int seat, std::string json) {
  carried_.at(static_cast<std::size_t>(seat)) = std::move(json);
  return *this;
}

ModelTable& ModelTable::in_sequence(std::uint64_t position, bool another_follows) {
  position_ = position;
  another_follows_ = another_follows;
  return *this;
}

ModelTable& ModelTable::dice(std::uint64_t other) {
  dice_ = other;
  return *this;
}

MatchResult ModelTable::play() {
  MatchSetup setup = set_up_match(game_, settings_, 7);
  setup.position = position_;
  setup.another_follows = another_follows_;
  setup.prompts = prompts_;
  setup.past = past_;
  if (ledgers_ != nullptr) setup.ledger = ledgers_->maker();
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    if (agents_[i] == nullptr) throw std::logic_error("a seat has no agent");
    setup.seats.push_back({agents_[i].get(), combine(99 + dice_, i), carried_[i]});
    const ModelAgent* model = agents_[i]->model_agent();
    if (model != nullptr && model->language() != "en")
      setup.seats.back().prompts = prompts_in(game_.id, model->language());
  }
  return play_match(setup);
}

MatchResult ModelTable::play_to_end() {
  MatchResult result = play();
  // A measurement plays at this table too, without Catch2.
  if (result.end != End::finished)
    throw std::runtime_error(std::string(game_.id) + " was not finished: " + result.problem);
  return result;
}

}  // namespace agon::test

// What a model is shown with a paper's own prompts, beside the logs that the paper's program left.
// The logs are not ours to ship; without them the case that reads them says so and passes.

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <filesystem>
#include <regex>
#include <sstream>

#include "catch.hpp"
#include "json/parse.hpp"
#include "llm/model_table.hpp"
#include "suite/agents/prompts.hpp"
#include "support/folders.hpp"

namespace llm_published_prompts_test {
namespace {

using namespace agon;
using namespace agon::test;
namespace bj = boost::json;
namespace fs = std::filesystem;

/// Lines without blanks at their ends, without empty lines between them, and without deaths: the
/// logs have most of these one day early, before the answer to the question of the day.
std::string plain(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of(" \r") + 1);
    if (!line.empty() && line.find("has been eliminated from the challenge!") == std::string::npos)
      out += line + "\n";
  }
  return out;
}

/// The same with what differs for known reasons made equal: the bounds of the supply (those of a
/// match are those of its list of supplies), a phrase of which some logs have another version, and
/// amounts with cents, which the logs have with the noise of binary floats.
std::string comparable(const std::string& text) {
  const std::string same = std::regex_replace(
      std::regex_replace(text, std::regex(R"(vary between \d+ and \d+ units)"), "vary"),
      std::regex("After getting today's salary, your status is:"), "Your status:");
  const std::regex amount(R"(\d+\.\d+)");
  std::string out;
  auto from = same.cbegin();
  for (std::sregex_iterator at(same.begin(), same.end(), amount), end; at != end; ++at) {
    out.append(from, (*at)[0].first);
    const std::string cents = fmt::format("{:.2f}", std::stod((*at)[0]));
    out += cents.ends_with(".00") ? cents.substr(0, cents.size() - 3) : cents;
    from = (*at)[0].second;
  }
  return out.append(from, same.cend());
}

using Dialogue = std::vector<std::pair<std::string, std::string>>;

/// What stands in it after the model's last words.
Dialogue since_answer(const Dialogue& messages) {
  const auto last = std::find_if(messages.rbegin(), messages.rend(),
                                 [](const auto& m) { return m.first == "assistant"; });
  return {last.base(), messages.end()};
}

/// A dialogue with neighbouring messages of others than the model in one, since some endpoints take
/// the system's only at the beginning.
std::vector<std::string> joined(const Dialogue& messages, bool is_whole) {
  std::vector<std::string> all;
  std::string last;
  for (const auto& [role, text] : messages) {
    const std::string who = is_whole && all.empty() ? "system"
                            : role == "assistant"   ? role
                                                    : "user";
    if (who == last)
      all.back() += comparable(plain(text));
    else
      all.push_back(comparable(plain(text)));
    last = who;
  }
  return all;
}

/// A game as the paper's program logged it: by resident what it was sent and said.
struct Log {
  std::vector<std::vector<std::pair<std::string, std::string>>> messages;
  std::vector<int> supply;                               ///< by day
  std::vector<std::map<std::string, std::string>> bids;  ///< by day and name

  explicit Log(const fs::path& path) {
    const bj::value file = json::parse(json::read_file(path), path.string());
    const std::regex day(R"(Total water resource supply is (\d+)\.)");
    const std::regex bid(R"((\w+) bid (\d+(?:\.\d+)?|None))");
    std::size_t longest = 0;
    for (const char* resident : {"A", "B", "C", "D", "E"}) {
      auto& own = messages.emplace_back();
      std::vector<int> water;
      std::vector<std::map<std::string, std::string>> said;
      for (const bj::value& m : file.at(resident).as_array()) {
        own.emplace_back(m.at("role").as_string().c_str(), m.at("content").as_string().c_str());
        const std::string& text = own.back().second;
        std::smatch found;
        if (own.back().first == "assistant" || !std::regex_search(text, found, day)) continue;
        water.push_back(std::stoi(found[1]));
        auto& bids_of_day = said.emplace_back();
        const std::string begin = text.substr(0, text.find('\n'));
        for (std::sregex_iterator at(begin.begin(), begin.end(), bid), end; at != end; ++at)
          bids_of_day[(*at)[1]] = (*at)[2] == "None" ? "null" : (*at)[2].str();
      }
      if (water.size() <= longest) continue;
      longest = water.size();
      supply = std::move(water);
      bids = std::move(said);
    }
  }
};

/// A model that says what the log's resident said, and whose words are read as the log's bid.
std::shared_ptr<ScriptedModel> resident(const Log& log, std::size_t seat, const std::string& name) {
  auto next = std::make_shared<std::size_t>(0);
  auto days = std::make_shared<std::size_t>(0);
  return std::make_shared<ScriptedModel>([&log, seat, name, next, days](const ModelRequest& r) {
    if (r.purpose == "extract") {
      const auto& bids = log.bids.at((*days)++);
      const auto bid = bids.find(name);
      return said(R"({"bid":)" + (bid == bids.end() ? "null" : bid->second) + "}");
    }
    const auto& all = log.messages.at(seat);
    while (*next < all.size() && all[*next].first != "assistant") ++*next;
    return said(*next < all.size() ? all[(*next)++].second : "I bid nothing.");
  });
}

}  // namespace

TEST_CASE("published prompts: the water game's, for a first day") {
  const auto model = std::make_shared<ScriptedModel>();
  ModelTable("water-allocation", R"({"preset": "paper", "persona": true, "days": 2})")
      .prompts(prompts_in("water-allocation", "published"))
      .everybody("reasoning=free-text:view=false", model)
      .play_to_end();
  const auto asked = model->asked();
  const auto found = std::find_if(asked.begin(), asked.end(), [](const auto& question) {
    return question.last().find("Hello, Alex!") != std::string::npos;
  });
  REQUIRE(found != asked.end());
  const auto& first = *found;
  REQUIRE(first.messages.size() == 2);
  CHECK(first.messages[0].text.starts_with("You are Alex and a resident living in W-Town."));
  CHECK(first.messages[0].text.find("Your Profession: Unemployed") != std::string::npos);
  CHECK(first.messages[0].text.find("will vary between 10 and 20 units.") != std::string::npos);
  CHECK(first.messages[0].text.find("Your life so far") == std::string::npos);
  CHECK(first.messages[1].text.starts_with("Hello, Alex! Today is the Day 1 of the"));
  CHECK(first.messages[1].text.find("NAME:Alex\tBALANCE:70\tHEALTH POINT:8\tNO_DRINK:1\n") !=
        std::string::npos);
}

TEST_CASE("published prompts: a game without them, and an agent of another language") {
  const auto made = [](const std::string& parts) {
    return make_agent(parts, "water-allocation", std::make_shared<ScriptedModel>());
  };
  CHECK(made("prompts=published")->language() == "published");
  CHECK(made("prompts=own")->language() == "en");
  CHECK(made("prompts=own language=de")->language() == "de");
  CHECK_THROWS_WITH(made("prompts=published language=de"),
                    Catch::Contains("published prompts are in English, and the agent reads 'de'"));
  CHECK_THROWS_WITH(prompts_in("guess-average", "published"),
                    Catch::Contains("no published prompts ship with 'guess-average'"));
}

TEST_CASE("published prompts: what a folder says of itself is kept with a match") {
  const auto set = prompts_in("water-allocation", "published");
  CHECK(set->folder.keep_questions);
  CHECK(set->folder.licence.starts_with("MIT"));
  const auto again = read_prompts_document(prompts_document(*set), "archive");
  CHECK(again->digest == set->digest);
  CHECK(again->folder.left_out == set->folder.left_out);
  CHECK(again->texts.size() == set->texts.size());
  // Prompts that say nothing of themselves are kept as they were before there was a place for it.
  CHECK(prompts_document(*prompts_in("water-allocation", "en")).find("\"folder\"") ==
        std::string::npos);
}

namespace {

/// What is wrong with the water game's prompts where these files lie over them.
std::string problems(const std::map<std::string, std::string>& own,
                     std::vector<std::string> left_out = {}) {
  const auto set = std::make_shared<PromptSet>(*prompts_of("water-allocation", own));
  set->folder.left_out = std::move(left_out);
  std::string all;
  for (const Finding& f : llm::check_prompts(catalogue().game("water-allocation"), *set, {}))
    if (f.level != Finding::Level::ok) all += f.what + "\n";
  return all;
}

}  // namespace

TEST_CASE("published prompts: mistakes in a folder are found before a run") {
  using Catch::Contains;
  CHECK(problems({{"event-day",
                   "{{event.day}}: {{#event.residents}}{{name}} {{hp}}{{/event.residents}}"}})
            .empty());
  CHECK_THAT(problems({{"event-day", "{{event.dey}}"}}),
             Contains("nothing is called 'event.dey' here (did you mean 'event.day'"));
  CHECK_THAT(problems({{"event-day", "{{#event.residents}}{{nam}}{{/event.residents}}"}}),
             Contains("nothing is called 'nam' here (did you mean 'name'"));
  CHECK_THAT(problems({{"event-day", "{{hp}}"}}), Contains("nothing is called 'hp' here"));
  // What a seat is not told cannot be shown to it.
  CHECK_THAT(problems({{"event-day", "{{view.balance}}"}}), Contains("'view.balance'"));
  CHECK_THAT(problems({{"event-dey", "x"}}), Contains("event-dey"));
  CHECK_THAT(problems({{"persona-Alex", "{{rulez}}"}}), Contains("nothing is called 'rulez' here"));
  // A section over a text that a component writes would hide whether it is shown.
  CHECK_THAT(problems({{"bid", "{{#plan}}{{plan}}{{/plan}} {{news}} {{beliefs}} {{notes}}"}}),
             Contains("'plan' has no section"));
  // Required names.
  CHECK_THAT(problems({{"bid", "{{view}}"}}), Contains("it leaves out {{plan}}"));
  CHECK(problems({{"bid", "{{view}}"}}, {"news", "plan", "beliefs", "notes"}).empty());
  CHECK_THAT(problems({}, {"rulez"}), Contains("no prompt requires 'rulez' (did you mean 'rules'"));
}

TEST_CASE("published prompts: a component whose text they leave out is named") {
  const auto warnings = [](const std::string& parts) {
    std::string all;
    const auto agent = make_agent(parts, "water-allocation", std::make_shared<ScriptedModel>());
    for (const Finding& f : agent->preflight(catalogue().game("water-allocation"),
                                             prompts_in("water-allocation", "published").get(), {}))
      if (f.level == Finding::Level::warning) all += f.what + "\n";
    return all;
  };
  CHECK_THAT(warnings("prompts=published planning=static"),
             Catch::Contains("leave out {{plan}}: what 'static' writes is not shown"));
  CHECK_THAT(warnings("prompts=published memory=notebook"), Catch::Contains("{{notes}}"));
  CHECK(warnings("prompts=published").find("not shown") == std::string::npos);
}

TEST_CASE("published prompts: a model is shown what the published water games logged") {
  const fs::path folder = published_data_folder() / "published-runs/alympics-water";
  if (!fs::is_directory(folder))
    SKIP("there is no " << folder << " (set AGON_DATA to the folder with the data)");
  const std::vector<std::string> names{"Alex", "Bob", "Cindy", "David", "Eric"};
  std::size_t games = 0, equal = 0, all = 0;
  std::string differences;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    std::smatch parts;
    if (!std::regex_match(file, parts, std::regex(R"(WAC_(no)?persona_(\d+)_(\d+)_\d+\.json)")))
      continue;
    ++games;
    const Log log(entry.path());
    std::string supply;
    for (std::size_t day = 0; day < 20; ++day)
      supply += (day == 0 ? "" : ",") +
                std::to_string(day < log.supply.size() ? log.supply[day] : log.supply.back());
    ModelTable table("water-allocation", R"({"preset": "paper", "persona": )" +
                                             std::string(parts[1].matched ? "false" : "true") +
                                             R"(, "supply": [)" + parts[2].str() + "," +
                                             parts[3].str() + R"(], "supply_list": [)" + supply +
                                             "]}");
    table.prompts(prompts_in("water-allocation", "published"));
    std::vector<std::shared_ptr<ScriptedModel>> models;
    for (std::size_t seat = 0; seat < names.size(); ++seat) {
      models.push_back(resident(log, seat, names[seat]));
      table.model(static_cast<int>(seat), "reasoning=free-text:view=false", models.back());
    }
    INFO(file);
    table.play_to_end();
    for (std::size_t seat = 0; seat < names.size(); ++seat) {
      const auto& log_of_seat = log.messages[seat];
      std::size_t at = 0;
      std::vector<ScriptedModel::Asked> said;
      for (auto& asked : models[seat]->asked())
        if (asked.purpose == "say") said.push_back(std::move(asked));
      for (std::size_t q = 0; q < said.size(); ++q) {
        while (at < log_of_seat.size() && log_of_seat[at].first != "assistant") ++at;
        if (at == log_of_seat.size()) break;
        Dialogue theirs(log_of_seat.begin(), log_of_seat.begin() + static_cast<long>(at));
        Dialogue shown;
        for (const ChatMessage& m : said[q].messages) shown.emplace_back(m.role, m.text);
        ++at;
        // The last question has all before it; of the others what is new in them is enough.
        const bool is_last = q + 1 == said.size();
        if (!is_last) {
          theirs = since_answer(theirs);
          shown = since_answer(shown);
        }
        const std::vector<std::string> their_texts = joined(theirs, is_last),
                                       our_texts = joined(shown, is_last);
        ++all;
        if (our_texts == their_texts) {
          ++equal;
          continue;
        }
        const auto [ours, other] = std::mismatch(our_texts.begin(), our_texts.end(),
                                                 their_texts.begin(), their_texts.end());
        differences += file + " " + names[seat] + ", question " + std::to_string(q) +
                       "\nours: " + (ours == our_texts.end() ? "" : *ours) +
                       "log:  " + (other == their_texts.end() ? "" : *other) + "\n";
        break;
      }
    }
  }
  INFO("games " << games << ", questions " << all << "\n" << differences);
  REQUIRE(games > 0);
  CHECK(equal == all);
}

}  // namespace llm_published_prompts_test

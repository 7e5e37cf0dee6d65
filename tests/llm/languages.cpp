#include <unistd.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>

#include "catch.hpp"
#include "llm/lines.hpp"
#include "llm/prompt/prompts.hpp"
#include "llm/wire/bounds.hpp"
#include "model_table.hpp"
#include "suite/agents/prompts.hpp"

// What models read in German and Chinese: all of it, and nothing else.
namespace llm_languages_test {

using namespace agon;
using namespace agon::test;

constexpr std::string_view kGames[] = {"guess-average", "water-allocation"};
const std::string kLanguages[] = {"de", "zh"};

/// Words of English that are none of German.
const std::set<std::string> kEnglish{
    "the",   "and",    "you",   "your",   "of",     "is",    "are",    "with",      "what",
    "has",   "have",   "had",   "than",   "this",   "that",  "they",   "who",       "which",
    "from",  "to",     "for",   "by",     "it",     "be",    "if",     "no",        "nobody",
    "does",  "before", "after", "until",  "others", "other", "each",   "everybody", "written",
    "were",  "cannot", "must",  "should", "said",   "read",  "there",  "only",      "since",
    "them",  "then",   "once",  "word",   "words",  "tries", "day",    "days",      "health",
    "round", "rounds", "units", "bytes",  "notes",  "plan:", "lowest", "nothing"};

/// What stands in Chinese texts in our letters: JSON and its schema, members, players.
const std::set<std::string> kLatin{"JSON",
                                   "Schema",
                                   "type",
                                   "object",
                                   "properties",
                                   "number",
                                   "integer",
                                   "string",
                                   "null",
                                   "true",
                                   "false",
                                   "description",
                                   "minimum",
                                   "maximum",
                                   "required",
                                   "anyOf",
                                   "bid",
                                   "thought",
                                   "additionalProperties",
                                   "answer",
                                   "multipleOf",
                                   "https",
                                   "json",
                                   "schema",
                                   "org",
                                   "draft",
                                   "learnings",
                                   "minLength",
                                   "maxLength",
                                   "UTF",
                                   "enum",
                                   "const",
                                   "kind",
                                   "Alex",
                                   "Bob",
                                   "Cindy",
                                   "David",
                                   "Eric"};

/// The words in our letters of a text, without what stands in a JSON string's escapes.
std::vector<std::string> latin_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    // Letters of German are several bytes, and part of their words.
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 ||
        static_cast<unsigned char>(c) >= 0x80U) {
      word += c;
    } else {
      if (!word.empty()) words.push_back(word);
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

/// The runs of ASCII letters.
std::vector<std::string> ascii_words(std::string_view text) {
  std::string spaced;
  for (const char c : text) spaced += static_cast<unsigned char>(c) < 0x80U ? c : ' ';
  return latin_words(spaced);
}

void check_words(const std::string& text, const std::string& language) {
  if (language == "zh") {
    for (const std::string& word : ascii_words(text))
      if (!kLatin.contains(word)) FAIL_CHECK("'" << word << "' stands in:\n" << text);
  } else {
    for (std::string word : latin_words(text)) {
      std::transform(word.begin(), word.end(), word.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
      if (kEnglish.contains(word)) FAIL_CHECK("'" << word << "' stands in:\n" << text);
    }
  }
}

/// Says nothing in words, and now and then what cannot be taken: a few of each sort.
class Clumsy {
 public:
  ModelCall operator()(const ModelRequest& request) {
    const bool bids = request.schema.empty()
                          ? request.form.find("\"bid\"") != std::string::npos ||
                                request.messages.back().text.find("\"bid\"") != std::string::npos
                          : request.schema.find("\"bid\"") != std::string::npos;
    const bool is_form = !request.schema.empty() ||
                         request.messages.back().text.find("</answer>") != std::string::npos;
    if (request.schema.find("\"learnings\"") != std::string::npos)
      return said(R"({"learnings": "1, 2, 3."})");
    if (!is_form) return said("1, 2, 3.");
    const std::string name = bids ? "bid" : "number";
    const std::vector<std::string> wrong{
        "1, 2, 3.",
        "{\"" + name + "\": -5}",
        "{\"" + name + "\": \"1.000\"}",
        "{\"" + name + "\": 1} {\"" + name + "\": 2}",
        "{\"" + name + "\": [1]}",
        "{\"7\": 1}",
        "{\"" + name + "\": ",
        "{\"" + name + "\": 1000000}",
        "<think>1, 2",
        "I'm sorry, but I can't help with that.",
        "{'" + name + "': '7', '8': 1}",
        "",
    };
    const std::size_t turn = turn_++;
    if (turn % 3 != 2) return said(wrong[turn / 3 * 2 % wrong.size() + turn % 3]);
    return said("<answer>{\"" + name + "\": 1}</answer>");
  }

 private:
  std::size_t turn_ = 0;
};

std::string without_refusals(std::string text) {
  for (const std::string_view own : {"I'm sorry, but I can't help with that."})
    for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own))
      text.erase(at, own.size());
  for (const std::string_view tag : {"<think>", "<answer>", "</answer>"})
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag))
      text.erase(at, tag.size());
  return text;
}

TEST_CASE("Nothing that a model reads in another language is left in English") {
  const std::vector<std::string> architectures{
      "",
      "form=tags reasoning=chain-of-thought memory=window:phases=1",
      "memory=notebook planning=adaptive beliefs=on learning=on show_thoughts=true",
      "reasoning=plan-bid-reflect memory=window:n=4 planning=static form=tags",
      "reasoning=k-level:k=2 memory=none beliefs=corrected",
      "reasoning=refine:times=2 persona=personality:is=witty",
      "reasoning=reflect persona=stance:is=wary",
      "reasoning=free-text longest_text=20",
      "reasoning=solo-performance form=tags planning=adaptive",
      "reasoning=predict-then-act",
  };
  const std::map<std::string_view, std::vector<std::string>> settings{
      {"guess-average", {R"({"rounds": 4, "start_hp": 2})", R"({"rounds": 3, "start_hp": 10})"}},
      {"water-allocation",
       {R"({"days": 4, "persona": true, "start_hp": 2})",
        R"({"days": 6, "first_day": 3, "over_balance": "ignored", "supply": [1, 40]})"}}};
  for (const std::string_view game : kGames)
    for (const std::string& language : kLanguages)
      for (const std::string& setting : settings.at(game))
        for (const std::string& parts : architectures) {
          const auto model = std::make_shared<ScriptedModel>(Clumsy());
          INFO(game << " " << setting << " " << parts << " " << language);
          ModelTable(game, setting)
              .in_sequence(1, true)
              .carried(0, R"({"taken_along":{"match":2,"ended":"1:2.","learnings":"1, 2."}})")
              .everybody(parts + " language=" + language, model)
              .play_to_end();
          REQUIRE(model->asked().size() > 10);
          for (const ScriptedModel::Asked& asked : model->asked()) {
            for (const ChatMessage& m : asked.messages)
              if (m.role != "assistant") check_words(without_refusals(m.text), language);
            check_words(asked.schema, language == "zh" ? "zh" : "");
            if (language == "de" && !asked.schema.empty())
              CHECK(asked.schema.find("whole number") == std::string::npos);
          }
        }
}

TEST_CASE("The words of English catch what is left in it") {
  // What the test above looks for, in a text that has it.
  for (const std::string_view word : {"you", "the"}) CHECK(kEnglish.contains(std::string(word)));
  CHECK(ascii_words("你是Bob，round 3") == std::vector<std::string>{"Bob", "round"});
  CHECK(latin_words("für über") == std::vector<std::string>{"für", "über"});
}

std::vector<Finding> check(std::string_view game, const PromptSet& set) {
  std::vector<PromptUse> uses;
  for (const char* parts :
       {"memory=notebook planning=adaptive beliefs=on", "reasoning=plan-bid-reflect",
        "reasoning=k-level", "reasoning=refine", "reasoning=reflect", "reasoning=free-text",
        "reasoning=solo-performance", "reasoning=predict-then-act", "reasoning=chain-of-thought"})
    for (const Finding& f : make_agent(parts, game, std::make_shared<ScriptedModel>())
                                ->preflight(catalogue().game(game), &set, {}))
      if (f.level != Finding::Level::ok && f.what.find("OVERLAP") == std::string::npos) return {f};
  return {};
}

TEST_CASE("The shipped languages have all that is said and nothing else") {
  for (const std::string_view game : kGames)
    for (const std::string& language : kLanguages) {
      const auto set = prompts_in(game, language);
      INFO(game << " " << language);
      for (const Finding& f : check(game, *set)) FAIL_CHECK(f.what);
      CHECK(set->language->id() == language);
      CHECK(set->digest != prompts_in(game, "en")->digest);
    }
  // English is what it was without any of this.
  CHECK(prompts_in("guess-average", "en")->language == nullptr);
}

bool finds(const std::vector<Finding>& findings, std::string_view what) {
  for (const Finding& f : findings) {
    if (f.what.find(what) != std::string::npos) return true;
    UNSCOPED_INFO(f.what);
  }
  return false;
}

TEST_CASE("What a language lacks is said before anything is played") {
  const Game& game = catalogue().game("guess-average");
  PromptSet set = *prompts_in("guess-average", "de");
  Language::Sentences sentences = set.language->sentences();
  sentences.erase("Each round:");
  sentences.emplace("Every round:", "Jede Runde:");
  set.language = std::make_shared<const Language>("de", sentences);
  const auto found = llm::check_prompts(game, set, {});
  CHECK(finds(found, "de/sentences.json lacks, for 'guess-average': \"Each round:\""));
  CHECK(finds(found, "nothing in 'guess-average' says \"Every round:\""));

  set = *prompts_in("guess-average", "de");
  set.texts.erase("system");
  CHECK(finds(llm::check_prompts(game, set, {}),
              "there is no prompt file 'system.txt' in the language 'de'"));
  CHECK(finds(llm::check_prompts(game, *prompts_in("guess-average", "fr"), {}),
              "there is no 'guess-average' in 'fr': no folder 'fr' beside the English prompts"));
  CHECK(finds(llm::check_prompts(catalogue().game("ebay"), *prompts_in("ebay", "de"), {}),
              "there is no 'ebay' in 'de': all that the game says is in English"));
  CHECK_THROWS_WITH(make_agent("language=../de", "ebay", std::make_shared<ScriptedModel>()),
                    Catch::Contains("'../de' is no short name of a language"));
}

TEST_CASE("A person brings a language in a folder") {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("agon-language-" + std::to_string(::getpid())) / "fr";
  fs::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  const auto load = [&] {
    return load_prompts(catalogue(), catalogue().game("guess-average"), {},
                        folder.parent_path().string(), "", "suite.json: $.prompts", "fr");
  };
  write("pick.txt", "Choisissez un nombre.");
  write("sentences.json", R"({"Each round:": "À chaque tour :"})");
  const auto set = load();
  CHECK(set->texts.at("pick").text == "Choisissez un nombre.");
  CHECK(set->language->say("Each round:") == "À chaque tour :");
  // What an archive keeps of it is the same language again.
  const auto again = read_prompts_document(prompts_document(*set), "archive");
  CHECK(again->digest == set->digest);
  CHECK(again->language->id() == "fr");
  CHECK(again->language->sentences() == set->language->sentences());

  write("sentences.json", R"({"Day {day}.": "Jour {jour}."})");
  CHECK_THROWS_WITH(load(), Catch::Contains("sentences.json: $[\"Day {day}.\"]") &&
                                Catch::Contains("other {names} than the sentence"));
  write("sentences.json", R"({"Each round:": ""})");
  CHECK_THROWS_WITH(load(), Catch::Contains("a translation is a text, and not empty"));
  write("sentences.json", "[]");
  CHECK_THROWS_WITH(load(), Catch::Contains("an object from English texts to their translations"));
  fs::remove_all(folder.parent_path());
}

TEST_CASE("A sentence is said in a language or refused") {
  const Language de("de", {{"Day {day}.", "Tag {day}."},
                           {"{some} and {last}", "{some} und {last}"},
                           {"{first}, {second}", "{first}, {second}"}});
  CHECK(Language::english().say("Day {day}.", {{"day", "3"}}) == "Day 3.");
  CHECK(de.say("Day {day}.", {{"day", "{x}"}}) == "Tag {x}.");
  CHECK(de.listed(std::vector<std::string>{"A", "B", "C"}) == "A, B und C");
  CHECK(Language::english().listed(std::vector<std::string>{"A", "B", "C"}) == "A, B and C");
  CHECK(de.own_text("my own") == "my own");
  CHECK_THROWS_WITH((void)de.text("Night."), Catch::Contains("the language 'de' lacks \"Night.\""));
  CHECK_THROWS_WITH((void)de.say("Day {day}."), Catch::Contains("nothing stands for {day}"));
}

TEST_CASE("Bounds in words are in the language of the request") {
  const std::string schema = R"({"properties":{"bid":{"type":"number","minimum":1,"maximum":20}}})";
  CHECK(llm::bounds_after(schema) == "\n\nBounds: bid: 1 to 20.");
  CHECK(llm::bounds_after(schema, *prompts_in("guess-average", "de")->language) ==
        "\n\nGrenzen: bid: 1 bis 20.");
  CHECK(llm::bounds_after(schema, *prompts_in("guess-average", "zh")->language) ==
        "\n\n取值范围：bid：1 到 20。");
  const std::string price =
      R"({"properties":{"price":{"type":"number","multipleOf":0.01,"enum":[2,3.5]}}})";
  CHECK(llm::bounds_after(price, *prompts_in("guess-average", "de")->language)
            .starts_with("\n\nGrenzen: price: eines von 2.00 und 3.50 "));
}

TEST_CASE("Seats of one match read different languages") {
  const auto german = std::make_shared<ScriptedModel>();
  const auto english = std::make_shared<ScriptedModel>();
  ModelTable("guess-average", R"({"rounds": 2})")
      .model(0, "language=de", german)
      .everybody("", english)
      .play_to_end();
  CHECK(german->asked().back().text().find("Das ist Runde 2 von 2.") != std::string::npos);
  CHECK(english->asked().back().text().find("This is round 2 of 2.") != std::string::npos);
}

}  // namespace llm_languages_test

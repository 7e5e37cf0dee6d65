#include "results/played_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <boost/json/value.hpp>
#include <vector>

#include "describe/read.hpp"
#include "results/participant.hpp"
#include "suite/models.hpp"

namespace agon::report {
namespace {

// What is wanted of a run's manifest, and of its suite.
struct CalledModel {
  std::string provider;
  std::string model;
  std::vector<std::string> served_as;
};
AGON_DESCRIBE(CalledModel, (provider, "that was asked"), (model, "as asked for"),
              (served_as, "names that the provider gave"))
struct CallsOfRun {
  std::optional<std::vector<CalledModel>> models;
};
AGON_DESCRIBE(CallsOfRun, (models, "those that were called"))
struct ModelsOfSuite {
  std::map<std::string, suite_file::Entry> models;
};
AGON_DESCRIBE(ModelsOfSuite, (models, "by the names that agents use"))

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Whether `name` has `word` in it and goes on with another word: "gpt-4 bold", not "gpt-4-mini".
bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos;
       at = name.find(word, at + 1)) {
    const std::string_view after = name.substr(at + word.size());
    const bool begins = at == 0 || (!is_alphanumeric(name[at - 1]) && name[at - 1] != '-');
    const bool ends =
        after.empty() ||
        (!is_alphanumeric(after[0]) &&
         (after.size() == 1 || (after[0] != '-' && after[0] != '.') || !is_alphanumeric(after[1])));
    if (begins && ends) return true;
  }
  return false;
}

std::string words_of(const boost::json::object& model, const char* member) {
  const boost::json::value* text = model.if_contains(member);
  return text != nullptr && text->is_string() ? std::string(text->get_string()) : std::string();
}

}  // namespace

PlayedModels::PlayedModels(const archive::Archive& archive) {
  std::set<hash::Digest> suites;
  for (const archive::RunRow& run : archive.runs()) {
    if (run.suite) suites.insert(*run.suite);
    const auto calls = read_recorded<CallsOfRun>(run.manifest);
    if (!calls || !calls->models) continue;
    for (const CalledModel& called : *calls->models)
      for (const std::string& as : called.served_as)
        if (as != called.model && !as.empty())
          served_[called.provider + (called.model.empty() ? "" : "/") + called.model].insert(as);
  }
  for (const hash::Digest& digest : suites) {
    const auto text = archive.content(digest);
    const auto suite = text ? read_recorded<ModelsOfSuite>(*text) : std::nullopt;
    if (!suite) continue;
    for (const auto& [name, entry] : suite->models) {
      try {
        const boost::json::object said = model_of(entry, "");
        const std::string provider = words_of(said, "provider");
        const std::string model = words_of(said, "model");
        const std::string whole = provider + (model.empty() ? "" : "/") + model;
        named_[lower_case(name)].insert(whole);
        if (!model.empty()) named_[lower_case(model.substr(model.rfind('/') + 1))].insert(whole);
      } catch (const Error&) {  // of another version: it says nothing here
      }
    }
  }
}

std::optional<std::string> PlayedModels::behind(const archive::AgentRow& agent) const {
  const Participant who = participant(agent);
  if (!who.is_model) return std::nullopt;
  const auto served = served_.find(who.plays);
  return served == served_.end()
             ? who.plays
             : fmt::format("{} (served as {})", who.plays, fmt::join(served->second, ", "));
}

std::optional<std::string> PlayedModels::misnamed(const archive::AgentRow& agent) const {
  const std::string name = lower_case(agent.name);
  const std::set<std::string>* said = nullptr;
  std::size_t longest = 0;
  for (const auto& [word, models] : named_)
    if (word.size() > longest && has_word(name, word)) said = &models, longest = word.size();
  const std::string plays = participant(agent).plays;
  if (said == nullptr || said->contains(plays)) return std::nullopt;
  return fmt::format("{}, not {}", plays, fmt::join(*said, " or "));
}

}  // namespace agon::report

#include "drift/questions.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "describe/file_text.hpp"
#include "describe/schema.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::drift {
namespace {

namespace bj = boost::json;

constexpr std::size_t kMostBytes = 4000;

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// A right answer may be written as the JSON that it is.
std::string answer_text(const JsonText& json) {
  const bj::value value = json::parse(json.text, "answer");
  return value.is_string() ? std::string(value.get_string()) : json.text;
}

}  // namespace

DriftQuestions DriftQuestions::read(const std::string& file) {
  return parse(json::read_file(file), file);
}

DriftQuestions DriftQuestions::parse(std::string text, const std::string& file) {
  const FileText source(std::move(text), file, "see 'agon describe drift'");
  source.require_format(questions_file::kFormat, questions_file::kVersion,
                        "a file of questions of a drift check");
  const auto said = source.read<questions_file::Questions>();
  source.check(said);
  DriftQuestions questions;
  for (const questions_file::QuestionEntry& q : said.questions)
    questions.all.push_back({q.name,
                             {.text = q.ask, .schema = q.schema ? write_json(*q.schema) : ""},
                             q.answer ? answer_text(*q.answer) : ""});
  questions.text = source.text();
  questions.digest = hash::sha256(questions.text);
  return questions;
}

std::string questions_schema() {
  bj::object schema = file_schema(type_of<questions_file::Questions>());
  require_format(schema, questions_file::kFormat, questions_file::kVersion);
  return schema_document("drift", "Questions of a drift check", std::move(schema));
}

std::string evened(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c))
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out;
}

bool is_right(std::string_view said, std::string_view answer) {
  if (evened(said) == evened(answer)) return true;
  boost::system::error_code no_answer;
  const bj::value right = bj::parse(answer, no_answer);
  boost::system::error_code no_json;
  const bj::value value = bj::parse(said, no_json);
  return !no_answer && !no_json && right == value;
}

double distance(std::string_view a, std::string_view b) {
  const std::string x = evened(a.substr(0, kMostBytes));
  const std::string y = evened(b.substr(0, kMostBytes));
  if (x == y) return 0;
  std::vector<std::size_t> row(y.size() + 1);
  for (std::size_t j = 0; j <= y.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::size_t change = diagonal + (x[i - 1] == y[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return static_cast<double>(row.back()) / static_cast<double>(std::max(x.size(), y.size()));
}

namespace {

/// How one of an agent's models is set: its parameter `model`, or the member of `models` for a
/// purpose; else all of its spec.
std::string digest_of_model(const AgentInGame& agent, const std::string& purpose) {
  const bj::value spec = json::parse(agent.spec, "agent");
  boost::system::error_code none;
  const bj::value* model =
      spec.find_pointer("/params/" + (purpose.empty() ? "model" : "models/" + purpose), none);
  return hash::hex(hash::sha256(model == nullptr ? agent.spec : json::write(*model)));
}

/// Adds one of an agent's models, or the agent to those that have it.
void add_model(std::vector<SuiteModel>& models, const std::string& agent, const AgentInGame& in,
               const std::string& purpose) {
  const std::string spec = digest_of_model(in, purpose);
  const auto known = std::find_if(models.begin(), models.end(),
                                  [&](const SuiteModel& m) { return m.spec == spec; });
  if (known == models.end())
    models.push_back({spec, {agent}, in.agent, purpose});
  else if (std::find(known->agents.begin(), known->agents.end(), agent) == known->agents.end())
    known->agents.push_back(agent);
}

}  // namespace

std::vector<SuiteModel> models_of(const Suite& suite) {
  std::vector<SuiteModel> models;
  for (const Scenario& s : suite.scenarios) {
    std::set<int> part;
    for (const design::Seating& seating : s.plan->line_ups())
      for (const int a : seating.assignment(0)) part.insert(a);
    for (const int a : part) {
      const AgentSpec& agent = suite.agents[static_cast<std::size_t>(a)];
      const AgentInGame* in = agent.in(s.game->id);
      const ModelAgent* model = in->agent->model_agent();
      if (model == nullptr) continue;
      add_model(models, agent.name(), *in, {});
      for (const PurposeModel& other : model->other_models())
        add_model(models, agent.name(), *in, other.purpose);
    }
  }
  return models;
}

DriftManifest manifest_of(const DriftQuestions& questions, const std::vector<SuiteModel>& models) {
  DriftManifest manifest;
  manifest.questions = hash::hex(questions.digest);
  for (const SuiteModel& model : models) manifest.models.push_back({model.spec, model.agents});
  return manifest;
}

DriftCheck::DriftCheck(const std::string& file, const Suite& suite)
    : questions_(DriftQuestions::read(file)), models_(models_of(suite)) {}

std::optional<Reply> DriftCheck::ask(std::size_t model, Phase phase, const Ledgers& ledgers,
                                     const std::function<bool()>& stop) const {
  int failed = 0;
  for (std::size_t q = 0; q < questions_.all.size() && !stop(); ++q) {
    const auto ledger =
        ledgers(static_cast<int>(model), static_cast<std::uint32_t>(q), static_cast<int>(phase));
    ModelProbe probe = questions_.all[q].probe;
    probe.purpose = models_[model].purpose;
    std::optional<Reply> reply = models_[model].agent->model_agent()->probe_model(probe, *ledger);
    if (!reply) break;  // the agent's models cannot be asked
    if (reply->halt != Halt::no) return reply;
    failed = reply->status == Fault::ok ? 0 : failed + 1;
    if (failed == 2) break;  // each has taken all its tries: the next would too
  }
  return std::nullopt;
}

}  // namespace agon::drift

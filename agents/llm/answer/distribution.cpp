#include "llm/answer/distribution.hpp"

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cctype>
#include <cmath>

#include "llm/answer/read_answer.hpp"
#include "llm/answer/schema.hpp"
#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/lines.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;

/// As many as endpoints name likely tokens.
constexpr std::size_t kMostOptions = 20;

/// The values that a schema of one member allows, if they are few.
std::vector<bj::value> few_values(const bj::object& schema) {
  if (const bj::value* names = schema.if_contains("enum"); names != nullptr && names->is_array())
    return {names->get_array().begin(), names->get_array().end()};
  const bj::value* type = schema.if_contains("type");
  if (type == nullptr) return {};
  if (*type == "boolean") return {bj::value(true), bj::value(false)};
  const bj::value* low = schema.if_contains("minimum");
  const bj::value* high = schema.if_contains("maximum");
  if (*type != "integer" || low == nullptr || high == nullptr || !low->is_int64() ||
      !high->is_int64() || high->get_int64() < low->get_int64())
    return {};
  const std::uint64_t more =
      static_cast<std::uint64_t>(high->get_int64()) - static_cast<std::uint64_t>(low->get_int64());
  if (more >= kMostOptions) return {};
  std::vector<bj::value> all;
  for (std::uint64_t i = 0; i <= more; ++i)
    all.emplace_back(low->get_int64() + static_cast<std::int64_t>(i));
  return all;
}

/// A value as people write it.
std::string value_text(const bj::value& value) {
  return value.is_string() ? printable(std::string(value.get_string())) : bj::serialize(value);
}

/// The value of the one member of an answer, likewise.
std::string value_in(const JsonText& answer) {
  const std::optional<bj::object> object = wire::object_in(answer.text);
  return !object || object->empty() ? std::string() : value_text(object->begin()->value());
}

/// Whether the first character of each text is a letter or a digit, and no two have the same.
bool begin_differently(const std::vector<std::string>& texts) {
  std::string first;
  for (const std::string& text : texts) {
    const auto c = static_cast<unsigned char>(text.empty() ? ' ' : text[0]);
    const auto small = static_cast<char>(std::tolower(c));
    if (std::isalnum(c) == 0 || first.find(small) != std::string::npos) return false;
    first += small;
  }
  return true;
}

}  // namespace

void ask_for_option(ModelRequest& request, const OwnedQuestion& question) {
  const bj::value schema = bj::parse(answer_schema(question, Thinking::none));
  const bj::object* root = schema.if_object();
  const bj::object* members = root == nullptr ? nullptr : wire::object_at(*root, "properties");
  if (members == nullptr || members->size() != 1) return;
  const auto& member = *members->begin();
  if (!member.value().is_object()) return;
  std::vector<AnswerOption> options;
  std::vector<std::string> texts;
  for (const bj::value& value : few_values(member.value().get_object())) {
    std::string json = bj::serialize(bj::object{{member.key(), value}});
    const auto legal = read_value(*question.answer_type, question.limits.get(), json);
    if (legal.fault != Fault::ok) continue;
    options.push_back({.label = {}, .answer = {std::move(json)}});
    texts.push_back(value_text(value));
  }
  if (options.size() < 2 || options.size() > kMostOptions) return;
  const bool are_labels = begin_differently(texts);
  std::string list;
  for (std::size_t i = 0; i < options.size(); ++i) {
    options[i].label = are_labels ? texts[i] : std::string(1, static_cast<char>('A' + i));
    list += "\n- " + options[i].label + (are_labels ? "" : ": " + texts[i]);
  }
  std::string name = "\"" + std::string(member.key()) + "\"";
  if (const std::string doc = wire::text_at(member.value().get_object(), "description");
      !doc.empty())
    name += " (" + doc + ")";
  request.options = std::move(options);
  request.options_form =
      question.language->say(
          are_labels ? ModelLine("Answer with one of these values of {name} and with nothing else:")
                     : ModelLine("Answer with the letter of one of these values of {name} and with "
                                 "nothing else:"),
          {{"name", name}}) +
      list;
}

namespace {

/// What decides in the words of an answer: without blanks, quotes and brackets before it, and of a
/// JSON object what stands behind its first colon.
std::string_view deciding_part(std::string_view text) {
  constexpr std::string_view kBefore = " \t\r\n\"'`*([{<";
  std::size_t begin = std::min(text.find_first_not_of(kBefore), text.size());
  if (text.substr(0, begin).find('{') != std::string_view::npos) {
    text.remove_prefix(std::min(text.find(':', begin), text.size() - 1) + 1);
    begin = std::min(text.find_first_not_of(kBefore), text.size());
  }
  return text.substr(begin);
}

/// Whether a text that begins with a label of `length` goes on within the same word or number.
bool continues(std::string_view text, std::size_t length) {
  const auto is_part = [&](std::size_t at) {
    const auto c = static_cast<unsigned char>(at < text.size() ? text[at] : ' ');
    return std::isalnum(c) != 0 || c == '_' || c >= 0x80;
  };
  const char next = length < text.size() ? text[length] : ' ';
  const bool joins = next == '.' || next == ',' || next == '-';
  return is_part(length) || (joins && is_part(length + 1));
}

/// The options that an answer which begins with these words may still mean. Of a `whole` answer
/// nothing more comes.
std::vector<std::size_t> options_meant(std::string_view words,
                                       std::span<const AnswerOption> options, bool whole = false) {
  std::vector<std::size_t> meant;
  const std::string text = lower_case(deciding_part(words));
  if (text.empty()) return meant;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string label = lower_case(options[i].label);
    const bool is_beginning = !whole && label.starts_with(text);
    if (is_beginning || (text.starts_with(label) && !continues(text, label.size())))
      meant.push_back(i);
  }
  return meant;
}

/// Shares of the options that add up to 1; what they lack of `all` lies outside.
void normalise(AnswerDistribution& distribution, double all) {
  const auto rounded = [](double p) { return std::round(std::clamp(p, 0.0, 1.0) * 1e6) / 1e6; };
  double sum = 0;
  for (const AnswerOption& option : distribution.options) sum += option.probability;
  distribution.outside = rounded(1 - sum / all);
  if (sum <= 0) return;
  for (AnswerOption& option : distribution.options)
    option.probability = rounded(option.probability / sum);
}

AnswerDistribution without_shares(std::span<const AnswerOption> options) {
  AnswerDistribution distribution;
  distribution.options.assign(options.begin(), options.end());
  for (AnswerOption& option : distribution.options) option.probability = 0;
  return distribution;
}

}  // namespace

AnswerDistribution distribution_by_tokens(const WireChoice& choice,
                                          std::span<const AnswerOption> options) {
  AnswerDistribution distribution = without_shares(options);
  distribution.said = excerpt(choice.text);
  std::string path;  // what was said and has decided nothing yet
  double reached = 1;
  const auto count = [&](const std::string& text, double probability) {
    const std::vector<std::size_t> meant = options_meant(path + text, options);
    if (meant.size() == 1) distribution.options[meant[0]].probability += reached * probability;
    return meant.size() > 1 || deciding_part(path + text).empty();
  };
  bool is_open = true;
  for (const WireToken& token : choice.tokens) {
    bool is_listed = false;
    for (const auto& [text, probability] : token.likely) {
      is_listed = is_listed || text == token.text;
      count(text, probability);
    }
    is_open = count(token.text, is_listed ? 0 : token.probability);
    path += token.text;
    if (!is_open) break;
    reached *= token.probability;
  }
  // It ended with the label of one that others begin with too.
  if (is_open)
    if (const auto meant = options_meant(path, options, true); meant.size() == 1)
      distribution.options[meant[0]].probability += reached;
  normalise(distribution, 1);
  return distribution;
}

AnswerDistribution distribution_by_count(std::span<const WireChoice> choices,
                                         std::span<const AnswerOption> options) {
  AnswerDistribution distribution = without_shares(options);
  distribution.samples = static_cast<int>(choices.size());
  for (const WireChoice& choice : choices) {
    std::string text = choice.text;
    std::string thought;
    split_thought(text, thought);
    if (distribution.said.empty()) distribution.said = excerpt(text);
    const std::vector<std::size_t> meant = options_meant(text, options, true);
    if (meant.size() == 1) distribution.options[meant[0]].probability += 1;
  }
  normalise(distribution, std::max<double>(1, static_cast<double>(choices.size())));
  return distribution;
}

void set_distribution(ModelCall& call, AnswerDistribution distribution) {
  call.text = write_json(distribution);
  call.finish = kDistribution;
  call.fault = Fault::ok;
  call.problem.clear();
}

void draw_option(ModelCall& call, double unit) {
  AnswerDistribution distribution;
  if (read_json(distribution, call.text, Missing::keeps)) return;
  double sum = 0;
  for (const AnswerOption& option : distribution.options) sum += option.probability;
  double left = unit * sum;
  for (const AnswerOption& option : distribution.options) {
    if (option.probability <= 0) continue;
    distribution.drawn = option.label;
    if (left < option.probability) break;
    left -= option.probability;
  }
  call.text = write_json(distribution);
}

ModelAnswer drawn_answer(const ModelCall& call, const Language& language) {
  AnswerDistribution distribution;
  const bool is_read = !read_json(distribution, call.text, Missing::keeps);
  for (const AnswerOption& option : distribution.options) {
    if (!is_read || option.label != distribution.drawn) continue;
    const std::string value = value_in(option.answer);
    return {.json = option.answer.text,
            .said = value == option.label ? value : option.label + ": " + value};
  }
  return {.fault = Fault::unparsable,
          .problem = language.say(ModelLine("your words do not say clearly what you decide")),
          .said = distribution.said};
}

}  // namespace agon::llm

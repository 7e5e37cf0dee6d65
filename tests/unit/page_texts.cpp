// The sentences of the pages for people: the same in each language, with the same holes, all of
// them said, and none that stands in a page instead.

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"

namespace page_texts {

namespace fs = std::filesystem;

const fs::path kPage = fs::path(AGON_TEST_SOURCE) / "core/src/serve/page";

std::string content(const fs::path& path) {
  std::ifstream in(path);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::map<std::string, std::string> texts(const fs::path& path) {
  std::map<std::string, std::string> found;
  const boost::json::value all = boost::json::parse(content(path));
  for (const auto& [key, sentence] : all.as_object())
    found[key] = std::string(sentence.as_string());
  return found;
}

std::multiset<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::multiset<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
    found.insert((*i)[i->size() - 1]);
  return found;
}

/// What stands in a module in quotes, and in its templates of markup; what is computed in them is
/// the mark kHole.
constexpr char kHole = '\x01';

struct Module {
  std::vector<std::string> strings;
  std::vector<std::string> markup;
};

/// Reads on from `at` to the end, or behind the brace that closes what was begun.
void scan(const std::string& code, std::size_t& at, Module& found) {
  int depth = 0;
  std::string before;  // the code so far without blanks
  while (at < code.size()) {
    const char c = code[at];
    if (code.compare(at, 2, "//") == 0) {
      at = std::min(code.find('\n', at), code.size());
    } else if (code.compare(at, 2, "/*") == 0) {
      at = code.find("*/", at) + 2;
    } else if (c == '\'' || c == '"') {
      std::string text;
      for (++at; code[at] != c; ++at) {
        if (code[at] == '\\') ++at;
        text += code[at];
      }
      ++at;
      found.strings.push_back(text);
      before += "''";
    } else if (c == '`') {
      const bool markup = before.ends_with("html");
      std::string text;
      for (++at; code[at] != '`';) {
        if (code.compare(at, 2, "${") == 0) {
          at += 2;
          scan(code, at, found);
          text += kHole;
        } else {
          if (code[at] == '\\') ++at;
          text += code[at++];
        }
      }
      ++at;
      (markup ? found.markup : found.strings).push_back(text);
      before += "''";
    } else if (c == '/' &&
               (before.empty() ||
                std::string_view("(,=:[!&|?{};>").find(before.back()) != std::string_view::npos)) {
      bool among = false;
      for (++at; code[at] != '/' || among; ++at) {
        if (code[at] == '\\')
          ++at;
        else if (code[at] == '[')
          among = true;
        else if (code[at] == ']')
          among = false;
      }
      ++at;
      before += "''";
    } else {
      if (c == '{') ++depth;
      if (c == '}' && depth-- == 0) {
        ++at;
        return;
      }
      if (std::isspace(static_cast<unsigned char>(c)) == 0) before += c;
      ++at;
    }
  }
}

Module scanned(const std::string& code) {
  Module found;
  std::size_t at = 0;
  scan(code, at, found);
  return found;
}

/// What of a template is shown or said: text between tags, and the attributes that are read out.
std::string shown(const std::string& markup) {
  static const std::regex tag("<[^>]*>");
  static const std::regex said("(title|alt|label|aria-label|placeholder|value)=\"([^\"]*)\"");
  std::string text = std::regex_replace(markup, tag, " ");
  for (const std::string& attribute : matches(markup, said)) text += attribute;
  return text;
}

bool has_letters(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalpha(c) != 0 || c >= 0x80; });
}

/// Several words that begin or end as a sentence does, or more of them than names of a style have.
bool reads_like_a_sentence(const std::string& text) {
  static const std::regex sentence(
      "[A-Z]\\S* +\\S.*|.*[A-Za-z]{2}.* .*[.?!:]|"
      "[A-Za-z]+ [A-Za-z]+ [A-Za-z]+.*");
  return std::regex_match(text, sentence);
}

/// The modules that people's pages load, theirs and others'.
std::map<std::string, Module> modules() {
  static const std::regex imported("from '(\\.\\.?/[\\w.-]+)'");
  std::map<std::string, Module> found;
  std::vector<std::string> next{"participant/participant.js", "researcher/session.js",
                                "participant/door.js"};
  while (!next.empty()) {
    const std::string name = next.back();
    next.pop_back();
    if (found.contains(name)) continue;
    const std::string code = content(kPage / name);
    found[name] = scanned(code);
    for (const std::string& other : matches(code, imported))
      next.push_back((fs::path(name).parent_path() / other).lexically_normal().string());
  }
  return found;
}

TEST_CASE("Each language of the pages says the same with the same holes") {
  static const std::regex hole("\\{(\\w+)\\}");
  const auto english = texts(kPage / "texts/en.json");
  REQUIRE(english.size() > 100);
  std::size_t languages = 0;
  for (const auto& entry : fs::directory_iterator(kPage / "texts")) {
    const std::string written = content(entry.path());
    const auto other = texts(entry.path());
    // One line each: a key that stands there twice would go unnoticed.
    CHECK(std::count(written.begin(), written.end(), '\n') ==
          static_cast<std::ptrdiff_t>(other.size()) + 2);
    ++languages;
    for (const auto& [key, sentence] : english) {
      INFO(entry.path().filename() << ": " << key);
      REQUIRE(other.contains(key));
      CHECK_FALSE(other.at(key).empty());
      CHECK(matches(other.at(key), hole) == matches(sentence, hole));
    }
    CHECK(other.size() == english.size());
  }
  CHECK(languages >= 3);
}

TEST_CASE("A page finds every sentence that it says and no sentence is left over") {
  static const std::regex dotted("[a-z][a-z-]*(\\.[a-z][a-z-]*)+");
  static const std::regex servers("\"(server\\.[a-z_]+)\"");
  const auto english = texts(kPage / "texts/en.json");
  std::set<std::string> said;
  std::vector<std::regex> computed;
  for (const auto& [name, module] : modules()) {
    for (const std::string& text : module.strings) {
      said.insert(text);
      if (std::regex_match(text, dotted)) {
        INFO(name << ": " << text);
        CHECK(english.contains(text));
      }
      // "page.<hole>", "<hole>.title" and the like, and "form." + name
      if (text.find('.') != std::string::npos && text.find_first_of(" /(") == std::string::npos &&
          (text.find(kHole) != std::string::npos || text.ends_with('.'))) {
        std::string pattern;
        for (const char c : text)
          pattern += c == kHole ? "[a-z._-]+" : c == '.' ? "\\." : std::string(1, c);
        computed.emplace_back(pattern + (text.ends_with('.') ? "[a-z_-]+" : ""));
      }
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(kPage.parent_path()))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      for (const std::string& text : matches(content(entry.path()), servers)) {
        INFO(entry.path().filename() << ": " << text);
        // "server.end_" + why
        if (text.ends_with('_'))
          computed.emplace_back("server\\." + text.substr(7) + "[a-z]+");
        else
          CHECK(english.contains(text));
        said.insert(text);
      }
  for (const auto& [key, sentence] : english) {
    INFO(key);
    CHECK((said.contains(key) ||
           std::any_of(computed.begin(), computed.end(),
                       [&](const std::regex& form) { return std::regex_match(key, form); })));
  }
}

TEST_CASE("No module of a page for people holds a sentence") {
  // What the scanner is to find.
  const Module sample = scanned(
      "const a = html`<p title=\"Hm\">${x ? `of ${y}` : 'It is late.'}</p>"
      "Hello`; // no\nconst b = /'[/]/.test('two words');");
  CHECK(sample.strings == std::vector<std::string>{"of \x01", "It is late.", "two words"});
  REQUIRE(sample.markup.size() == 1);
  CHECK(shown(sample.markup[0]).find("Hello") != std::string::npos);
  CHECK(shown(sample.markup[0]).find("Hm") != std::string::npos);
  CHECK(reads_like_a_sentence("It is late."));
  CHECK(reads_like_a_sentence("so it is then"));
  CHECK_FALSE(reads_like_a_sentence("two words"));

  const auto all = modules();
  CHECK(all.size() > 10);
  for (const auto& [name, module] : all) {
    INFO(name);
    for (const std::string& text : module.strings) {
      INFO(text);
      CHECK_FALSE(reads_like_a_sentence(text));
    }
    for (const std::string& markup : module.markup) {
      INFO(markup);
      CHECK_FALSE(has_letters(shown(markup)));
    }
  }
}

}  // namespace page_texts

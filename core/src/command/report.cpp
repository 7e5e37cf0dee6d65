#include "report/report.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "command/command.hpp"
#include "json/write.hpp"
#include "plugin/search_path.hpp"
#include "report/made_table.hpp"
#include "report/meta.hpp"
#include "text/nearest.hpp"
#include "text/table.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

std::string_view paper_of(const TableCard& card) {
  return card.id.substr(0, card.id.find('/'));
}

/// True if `a` comes before `b`, numbers within them by their value: figure-2 before figure-10.
bool by_number(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto number = [&](std::string_view& text) {
        std::size_t end = 0;
        while (end < text.size() && is_digit(text[end])) ++end;
        std::string_view digits = text.substr(0, end);
        digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
        text.remove_prefix(end);
        return digits;
      };
      const std::string_view left = number(a), right = number(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

/// The tables at hand; `paper`: of this paper only.
int list_tables(Invocation& call, const std::string& paper) {
  std::vector<const TableCard*> cards;
  std::vector<std::string> papers;
  for (const TableCard* card : call.catalogue().tables()) {
    if (papers.empty() || papers.back() != paper_of(*card)) papers.emplace_back(paper_of(*card));
    if (paper.empty() || paper == paper_of(*card)) cards.push_back(card);
  }
  std::stable_sort(cards.begin(), cards.end(),
                   [](const TableCard* a, const TableCard* b) { return by_number(a->id, b->id); });
  if (cards.empty() && !paper.empty())
    throw Error(
        ErrorKind::not_found,
        "there are no tables of a paper '" + paper + "'" + text::did_you_mean(paper, papers), "",
        "'agon report --list-tables' lists those of all papers");
  if (call.json()) {
    bj::array list;
    for (const TableCard* card : cards)
      list.push_back(bj::object{{"id", bj::string(card->id)},
                                {"title", bj::string(card->title)},
                                {"source", bj::string(card->source)},
                                {"game", bj::string(card->game)},
                                {"scenario", "scenarios/" + std::string(card->scenario)}});
    print_line(json::write_pretty(bj::value(std::move(list))));
    return 0;
  }
  text::Table table({{"table"}, {"what it shows", text::Align::left, 60}, {"played by"}});
  for (const TableCard* card : cards)
    table.add({std::string(card->id), std::string(card->title),
               "scenarios/" + std::string(card->scenario)});
  print(table.str());
  return 0;
}

int make_table(Invocation& call, const std::string& id) {
  const TableCard& card = call.catalogue().table(id);
  const std::string folder =
      (plugin::program_folder() / ".." / "share" / "agon" / "scenarios").string();
  const report::MadeTable made = report::make_table(card, call.argument("ARCHIVE"), folder);
  if (call.has("csv"))
    print(report::csv(made));
  else if (call.json())
    print_line(report::json(made));
  else
    print(report::text(made, colours()));
  return 0;
}

int make_meta(Invocation& call, const std::string& label, const report::Choice& choice) {
  const report::MetaReport made = report::meta_of(call.argument("ARCHIVE"), label, choice);
  if (call.json())
    print_line(report::json(made));
  else
    print(report::text(made, colours()));
  return 0;
}

void refuse_together(const Invocation& call, const std::string& option,
                     const std::vector<std::string>& others) {
  for (const std::string& other : others)
    if (call.has(other))
      throw Error(ErrorKind::usage, "--" + option + " does not go with --" + other, "",
                  "see 'agon report --help'");
}

int report(Invocation& call) {
  if (call.has("list-tables")) {
    refuse_together(call, "list-tables", {"table", "meta", "csv", "full", "against", "policy"});
    return list_tables(call, call.argument("ARCHIVE"));
  }
  if (call.argument("ARCHIVE").empty())
    throw Error(ErrorKind::usage, "ARCHIVE is missing", "", "see 'agon report --help'");
  if (call.has("table")) {
    refuse_together(call, "table", {"meta", "full", "against", "policy"});
    if (call.has("csv") && call.json())
      throw Error(ErrorKind::usage, "--csv does not go with --json", "",
                  "see 'agon report --help'");
    return make_table(call, call.text("table"));
  }
  if (call.has("csv"))
    throw Error(ErrorKind::usage, "--csv goes with --table only", "",
                "for all matches as CSV: agon export ARCHIVE");
  report::Choice choice;
  choice.rates = report::rates_of(call.catalogue());
  choice.against = call.text("against");
  choice.policy = call.text("policy");
  if (call.has("policy")) {
    try {
      (void)fault_policy(choice.policy, "--policy");
    } catch (const Error& error) {
      throw Error(ErrorKind::usage, error.problem(), error.where(), "see 'agon report --help'");
    }
  }
  if (call.has("meta")) {
    refuse_together(call, "meta", {"full", "against"});
    return make_meta(call, call.text("meta"), choice);
  }
  if (call.has("full")) choice.detail = report::Detail::full;
  if (call.json())
    print_line(report::json_of(call.argument("ARCHIVE"), choice));
  else
    print(report::text_of(call.argument("ARCHIVE"), choice, colours()));
  return 0;
}

}  // namespace

Command report_command() {
  Command c{{"report",
             "leaderboard, intervals and metrics of an archive, or a paper's table from it",
             "",
             {{"ARCHIVE", "made by 'agon run'; with --list-tables: of this paper only", false}}},
            &report};
  // clang-format off
  c.synopsis.options.add_options()
      ("full", "every metric of every game too, strengths, TrueSkill and pairs")
      ("meta", po::value<std::string>()->value_name("LABEL"), "the game of choosing a label or factor for an agent: payoffs and equilibria")
      ("against", po::value<std::string>()->value_name("AGENT"), "the reference agent; default: the suite's")
      ("policy", po::value<std::string>()->value_name("NAME"), "forced answers: as-played, forfeit or exclude; default: the suite's")
      ("table", po::value<std::string>()->value_name("PAPER/ID"), "this table or figure of a paper, with what the paper prints beside it")
      ("csv", "with --table: a line for each cell")
      ("list-tables", "the tables and figures that can be made, and which scenario plays for each");
  // clang-format on
  return c;
}

}  // namespace agon::command

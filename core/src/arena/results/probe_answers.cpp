#include "results/probe_answers.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "archive/export/output.hpp"
#include "json/parse.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "replay/replay.hpp"
#include "results/probe_truth.hpp"
#include "stats/scoring_rules.hpp"
#include "text/utf8.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

constexpr std::array<std::string_view, 5> kRules{"Brier", "log", "absolute error", "interval score",
                                                 "right"};

/// An answer, and what of it and of the truth is compared.
struct Compared {
  ProbeAnswer answer;
  const ProbeForm* form = nullptr;
  std::vector<double> shares{};  ///< probabilities by option; statements: yes, no
  std::size_t options = 0;       ///< how many there are
  std::size_t chosen = 0;
  double low = 0, high = 0;  ///< of an interval; the number in both
  std::optional<ProbeOutcome> outcome{};
};

/// One question of one scenario: its answers share their base rates.
using QuestionKey = std::pair<std::string, std::string>;

/// What is independent of other answers.
using Unit = std::pair<std::string, std::int64_t>;
Unit unit_of(const ProbeAnswer& answer) {
  return {answer.draws, answer.block};
}

/// The share of the numbers, which are in order, that is not above it.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Scores the answers to one question.
class QuestionScores {
 public:
  explicit QuestionScores(const std::vector<Compared*>& answers) {
    for (const Compared* each : answers) {
      if (!each->outcome) continue;
      outcomes_[unit_of(each->answer)].push_back(&*each->outcome);
      options_ = std::max(options_, each->options);
    }
    for (const auto& [unit, outcomes] : outcomes_) add(all_, outcomes);
  }

  void score(Compared& each) {
    if (each.answer.declined || !each.outcome) return;
    const Others& others = others_of(unit_of(each.answer));
    if (each.outcome->number)
      score_number(each, others);
    else
      score_option(each, others);
  }

 private:
  /// What came true in the other blocks.
  struct Others {
    std::vector<double> counts{};   ///< by option
    std::vector<double> numbers{};  ///< in order
    double total = 0;
  };

  void add(Others& to, const std::vector<const ProbeOutcome*>& outcomes) const {
    to.counts.resize(options_);
    for (const ProbeOutcome* outcome : outcomes) {
      if (outcome->number) to.numbers.push_back(*outcome->number);
      if (outcome->option) ++to.counts[*outcome->option], ++to.total;
    }
  }

  const Others& others_of(const Unit& unit) {
    const auto [at, is_new] = others_.try_emplace(unit);
    if (!is_new) return at->second;
    Others& others = at->second;
    others.counts = all_.counts;
    others.total = all_.total;
    for (const auto& [other, outcomes] : outcomes_)
      for (const ProbeOutcome* outcome : outcomes) {
        if (other == unit && outcome->option) --others.counts[*outcome->option], --others.total;
        if (other != unit && outcome->number) others.numbers.push_back(*outcome->number);
      }
    std::sort(others.numbers.begin(), others.numbers.end());
    return others;
  }

  static void score_number(Compared& each, const Others& others) {
    const double truth = *each.outcome->number;
    const bool known = !others.numbers.empty();
    std::optional<double> base;
    if (each.form->interval) {
      const double level = each.form->interval->level, tail = (1 - level) / 2;
      if (known)
        base = stats::interval_score(quantile(others.numbers, tail),
                                     quantile(others.numbers, 1 - tail), level, truth);
      each.answer.scores = {
          {kRules[3], stats::interval_score(each.low, each.high, level, truth), base}};
      return;
    }
    if (known) base = std::abs(quantile(others.numbers, 0.5) - truth);
    each.answer.scores = {{kRules[2], std::abs(each.low - truth), base}};
  }

  void score_option(Compared& each, const Others& others) const {
    const std::size_t truth = *each.outcome->option;
    ProbeAnswer& answer = each.answer;
    const bool known = others.total > 0;
    if (each.form->choice) {
      const auto most = std::max_element(others.counts.begin(), others.counts.end());
      std::optional<double> base;
      if (known) base = static_cast<std::size_t>(most - others.counts.begin()) == truth ? 1 : 0;
      answer.scores = {{kRules[4], each.chosen == truth ? 1.0 : 0.0, base}};
      return;
    }
    // One more of each than there were: what never came true is not impossible.
    std::vector<double> shares(each.options);
    for (std::size_t i = 0; i < shares.size(); ++i)
      shares[i] = (others.counts[i] + 1) / (others.total + static_cast<double>(each.options));
    const bool is_statement = each.form->probability.has_value();
    const auto brier = [&](const std::vector<double>& said) {
      return is_statement ? stats::brier_score(said[0], truth == 0)
                          : stats::brier_score(said, truth);
    };
    std::optional<double> brier_base, log_base;
    if (known) brier_base = brier(shares), log_base = stats::log_score(shares[truth]);
    answer.scores = {{kRules[0], brier(each.shares), brier_base},
                     {kRules[1], stats::log_score(each.shares[truth]), log_base}};
    const std::size_t statements = is_statement ? 1 : each.options;
    for (std::size_t i = 0; i < statements; ++i)
      answer.forecasts.emplace_back(each.shares[i], i == truth);
  }

  std::size_t options_ = 0;
  std::map<Unit, std::vector<const ProbeOutcome*>> outcomes_;
  Others all_;
  std::map<Unit, Others> others_;
};

/// Reads what was answered.
void read_answer(Compared& each, const std::string& json, const std::vector<SeatCard>& seats) {
  const bj::value said = json::parse(json, "");
  const ProbeForm& form = *each.form;
  const std::vector<std::string> options = options_of(form, seats);
  each.options = form.probability ? 2 : options.size();
  const auto number = [&](const char* name) { return said.at(name).to_number<double>(); };
  if (form.probability) {
    each.shares = {number("probability"), 1 - number("probability")};
  } else if (form.choice) {
    const auto words = std::string_view(said.at("choice").as_string());
    const auto found = std::find(options.begin(), options.end(), words);
    each.chosen = static_cast<std::size_t>(found - options.begin());
  } else if (form.distribution) {
    for (const std::string& option : options)
      each.shares.push_back(said.at("probabilities").at(option).to_number<double>());
    const double sum = std::accumulate(each.shares.begin(), each.shares.end(), 0.0);
    for (double& share : each.shares) share /= sum;
  } else if (form.number) {
    each.low = each.high = number("number");
  } else if (form.interval) {
    each.low = number("low");
    each.high = number("high");
  }
}

/// What matches of one scenario row share.
struct ProbedScenario {
  archive::ScenarioRow row;
  std::string game;
  double unit = 1;  ///< of a score: 100 where it is in cents
  std::vector<ProbeEntry> probes;
};

/// Reads answers out of an archive.
class ProbeReader {
 public:
  ProbeReader(const archive::Archive& archive, const AgentsApart& apart)
      : archive_(archive), apart_(apart), agents_(archive.agents()) {
    const auto games = archive.games();
    for (const auto& [number, row] : archive.scenarios()) {
      std::vector<ProbeEntry> probes = archive::stored_probes(archive, row.settings);
      const auto game = games.find(row.game);
      if (probes.empty() || game == games.end()) continue;
      scenarios_[number] = {row, game->second.name, std::pow(10.0, game->second.score_decimals),
                            std::move(probes)};
    }
  }

  std::vector<ProbeAnswer> read() {
    archive::ReadOptions wanted;
    wanted.record = true;
    for (const auto& [number, scenario] : scenarios_) wanted.scenarios.push_back(number);
    if (scenarios_.empty()) return {};
    archive_.matches().each(wanted, [&](std::int64_t, const archive::MatchRow& match) {
      if (match.status == archive::MatchStatus::finished && !match.record.empty())
        read_match(match, scenarios_.at(match.key.scenario));
      return true;
    });
    std::map<QuestionKey, std::vector<Compared*>> questions;
    for (Compared& each : all_)
      if (each.answer.is_asked_for)
        questions[{each.answer.scenario, each.answer.probe}].push_back(&each);
    for (auto& [key, answers] : questions) {
      QuestionScores scores(answers);
      for (Compared* each : answers) scores.score(*each);
    }
    std::vector<ProbeAnswer> answers;
    for (Compared& each : all_) answers.push_back(std::move(each.answer));
    return answers;
  }

 private:
  void read_match(const archive::MatchRow& match, const ProbedScenario& scenario) {
    const record::History history = record::read(archive_.matches().record_of(match));
    std::vector<SeatCard> seats;
    std::vector<double> scores;
    for (const archive::SeatRow& seat : match.seats) {
      seats.push_back({seat.name, seat.role});
      scores.push_back(seat.payoff / scenario.unit);
    }
    const ProbedMatch probed{history, seats, scores, [this](const record::Entry& entry) {
                               auto json = recorded_.json(entry.shape, entry.payload);
                               if (!json)
                                 archive_.damaged("an entry of a match's record cannot be decoded");
                               return *std::move(json);
                             }};
    for (std::size_t i = 0; i < history.entries.size(); ++i) {
      const record::Entry& entry = history.entries[i];
      if (entry.what != record::Entry::What::question || !entry.probe) continue;
      for (const ProbeEntry& probe : scenario.probes)
        if (probe.name == entry.name) add(match, scenario, probe, probed, i);
    }
  }

  void add(const archive::MatchRow& match, const ProbedScenario& scenario, const ProbeEntry& probe,
           const ProbedMatch& probed, std::size_t at) {
    const record::Entry& entry = probed.history.entries[at];
    const archive::SeatRow& seat = match.seats.at(static_cast<std::size_t>(entry.seat));
    Compared& each = all_.emplace_back();
    ProbeAnswer& answer = each.answer;
    answer.match = match.key.id.hex();
    answer.game = scenario.game;
    answer.scenario = scenario.row.name;
    answer.treatment = scenario.row.treatment;
    answer.draws = scenario.row.draws();
    answer.block = match.key.block;
    answer.repeat = match.key.repeat;
    answer.position = match.key.position;
    answer.seat = entry.seat;
    answer.seat_name = seat.name;
    answer.role = seat.role;
    answer.agent = archive_.row(agents_, seat.agent).name;
    if (const auto end = apart_.find({scenario.game, seat.agent}); end != apart_.end())
      answer.agent += end->second;
    answer.probe = probe.name;
    answer.question = entry.number;
    answer.is_asked_for = probe.truth.has_value();
    answer.declined = entry.declined || entry.forced;
    each.form = &probe.answer;
    each.outcome = outcome_of(probe, probed, at);
    each.options = probe.answer.probability ? 2 : options_of(probe.answer, probed.seats).size();
    if (each.outcome) answer.truth = each.outcome->words;
    if (answer.declined) return;
    answer.answer = probed.json(entry);
    read_answer(each, answer.answer, probed.seats);
  }

  const archive::Archive& archive_;
  const AgentsApart& apart_;
  std::map<std::int64_t, archive::AgentRow> agents_;
  std::map<std::int64_t, ProbedScenario> scenarios_;
  std::vector<Compared> all_;
  record::RecordedTypes recorded_{
      [this](const hash::Digest& digest) { return archive_.content(digest); }};
};

archive::NamedCells cells_of(const ProbeAnswer& answer) {
  using archive::Absent;
  using archive::ExportCell;
  using archive::ExportJson;
  const auto words = [](const std::string& text) {
    return text.empty() ? ExportCell(Absent{}) : ExportCell(text);
  };
  archive::NamedCells cells{
      {"match", answer.match},
      {"game", answer.game},
      {"scenario", answer.scenario},
      {"treatment", ExportJson{answer.treatment}},
      {"block", answer.block},
      {"repeat", answer.repeat},
      {"position", answer.position},
      {"seat", answer.seat},
      {"seat_name", answer.seat_name},
      {"role", answer.role},
      {"agent", answer.agent},
      {"probe", answer.probe},
      {"question", answer.question},
      {"declined", std::int64_t{answer.declined}},
      {"answer", answer.answer.empty() ? ExportCell(Absent{}) : ExportJson{answer.answer}},
      {"truth", words(answer.truth)}};
  constexpr std::array<std::array<std::string_view, 2>, kRules.size()> kColumns{
      {{"brier", "brier_base"},
       {"log", "log_base"},
       {"absolute_error", "absolute_error_base"},
       {"interval_score", "interval_score_base"},
       {"right", "right_base"}}};
  for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
    ExportCell own = Absent{}, base = Absent{};
    for (const ProbeScore& score : answer.scores)
      if (score.rule == kRules[rule]) {
        own = score.own;
        if (score.base) base = *score.base;
      }
    cells.emplace_back(kColumns[rule][0], own);
    cells.emplace_back(kColumns[rule][1], base);
  }
  return cells;
}

}  // namespace

std::vector<ProbeAnswer> probe_answers(const archive::Archive& archive, const AgentsApart& apart) {
  return ProbeReader(archive, apart).read();
}

void export_probes(const std::vector<ProbeAnswer>& answers, std::ostream& stream,
                   std::optional<archive::CsvAudience> csv) {
  archive::Output out(stream);
  if (csv) {
    for (const auto& [name, cell] : cells_of({}))
      out.line() += (out.line().empty() ? "" : ",") + std::string(name);
    out.line() += "\r\n";
  }
  for (const ProbeAnswer& answer : answers) {
    std::string line;
    for (const auto& [name, cell] : cells_of(answer)) {
      line += line.empty() ? "" : ",";
      if (csv) {
        archive::append_csv(line, cell, *csv);
      } else {
        line += "\"" + std::string(name) + "\":";
        archive::append_json(line, cell);
      }
    }
    out.line() += csv ? line + "\r\n" : text::printable_json("{" + line) + "}\n";
    out.line_done();
  }
  out.flush();
}

}  // namespace agon::report

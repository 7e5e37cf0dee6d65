#include "run/merge/merge.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <agon/error.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "archive/archive.hpp"
#include "archive/database/file.hpp"
#include "archive/database/owner.hpp"
#include "archive/database/rescue.hpp"
#include "describe/read.hpp"
#include "json/write.hpp"
#include "run/manifest.hpp"
#include "run/merge/merge_rows.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace fs = std::filesystem;

/// What is wanted of a run's manifest.
struct PartOfPlan {
  std::uint64_t matches = 0;
  std::optional<design::Shard> shard;
  std::optional<MergeRecord> merged;
};
AGON_DESCRIBE(PartOfPlan, (matches, "to be played"), (shard, "that was to be played"),
              (merged, "the run merged, and played nothing"))

PartOfPlan part_of_plan(const archive::RunRow& run) {
  // Of another version there may be none that this one reads.
  return read_recorded<PartOfPlan>(run.manifest).value_or(PartOfPlan{});
}

std::string list_of(const std::vector<std::uint64_t>& numbers) {
  constexpr std::size_t kMostNamed = 10;
  return text::joined_first(numbers, kMostNamed);
}

MergeSource survey(const std::string& file) {
  MergeSource source;
  source.file = file;
  const archive::Archive archive = archive::Archive::open(file);
  archive.together([&] {
    const auto suites = archive.suites();
    if (suites.empty())
      throw Error(ErrorKind::not_found, "no run has begun in this archive", file,
                  "wait until one has, or leave it out");
    if (suites.size() != 1)
      throw Error(
          ErrorKind::invalid,
          fmt::format("the archive holds {}, and one can be merged",
                      text::counted(suites.size(), "version of a suite", "versions of suites")),
          file, "run each shard into a file of its own");
    source.suite = suites.begin()->second;
    if (!source.suite.digest || source.suite.digest == archive::digest_of_plays())
      throw Error(ErrorKind::invalid, "matches that were played by hand have no plan to merge by",
                  file, "merge archives of 'agon run'");
    source.finished = archive.matches().count();
    const auto runs = archive.runs();
    source.shards = shards_of(runs, file);
    for (const archive::RunRow& run : runs) {
      const PartOfPlan part = part_of_plan(run);
      if (part.merged) continue;
      const bool is_whole = !part.shard;
      // Killed or stopped after its last match: nothing is missing.
      const bool is_done = run.status == "done" ||
                           ((is_whole || source.shards.numbers.size() == 1) && part.matches > 0 &&
                            source.finished >= static_cast<std::int64_t>(part.matches));
      if (is_done && is_whole)
        source.done = source.shards.numbers;
      else if (is_done)
        source.done.insert(part.shard->number);
      else if (part.shard)
        source.done.erase(part.shard->number);
      source.runs.push_back(run);
    }
    archive.matches().partials([&](const archive::PartialMatch& partial) {
      source.open[partial.key.id] = partial.sequence;
    });
  });
  return source;
}

bool are_equal(const std::vector<double>& a, const std::vector<double>& b) {
  return archive::write_metrics(a) == archive::write_metrics(b);
}

/// But for times, and for the agents' numbers, which the id stands for.
bool are_equal(const archive::SeatRow& a, const archive::SeatRow& b) {
  const auto counts = [](const archive::SeatRow& s) {
    return std::tie(s.name, s.role, s.rank, s.fallbacks, s.attempts, s.input_tokens,
                    s.output_tokens, s.cached_tokens, s.reasoning_tokens, s.cost, s.calls,
                    s.unpriced);
  };
  return counts(a) == counts(b) && are_equal(a.metrics, b.metrics) &&
         are_equal({a.payoff, a.disagreement, a.ideal}, {b.payoff, b.disagreement, b.ideal});
}

bool are_equal(const archive::MatchRow& a, const archive::MatchRow& b) {
  const auto facts = [](const archive::MatchRow& m) {
    return std::tie(m.key.block, m.key.repeat, m.key.position, m.key.line_up, m.key.assignment,
                    m.cluster, m.rng_key, m.status, m.fault, m.questions);
  };
  if (facts(a) != facts(b) || !are_equal(a.metrics, b.metrics) ||
      a.focal.has_value() != b.focal.has_value())
    return false;
  // One of them may have been played without keeping it.
  if (!a.record.empty() && !b.record.empty() && a.record != b.record) return false;
  return std::equal(a.seats.begin(), a.seats.end(), b.seats.begin(), b.seats.end(),
                    [](const auto& x, const auto& y) { return are_equal(x, y); });
}

/// Finds what two archives of a shard both have, and leaves it out of one of them.
class RepeatedMatches {
 public:
  /// `stop`: may be null.
  RepeatedMatches(MergeSource& first, MergeSource& second, const std::atomic<bool>* stop)
      : first_(first), second_(second), stop_(stop), there_(archive::Archive::open(first.file)) {}

  void find() {
    const archive::Archive archive = archive::Archive::open(second_.file);
    archive::ReadOptions wanted;
    wanted.record = true;
    wanted.in_order = false;
    archive.together([&] {
      there_.together([&] {
        archive.matches().each(wanted, [&](std::int64_t number, const archive::MatchRow& match) {
          refuse_if_stopped(stop_);
          first_.open.erase(match.key.id);
          if (const auto known = there_.matches().number(match.key.id))
            compare(*known, number, match);
          return true;
        });
        std::erase_if(second_.open, [&](const auto& partial) {
          return there_.matches().number(partial.first).has_value();
        });
      });
    });
  }

 private:
  void compare(std::int64_t known, std::int64_t number, const archive::MatchRow& match) {
    // A third one has it, with which each of them is compared.
    if (first_.left_out.contains(known) || second_.left_out.contains(number)) return;
    const archive::MatchRow other = there_.matches().at(known);
    const auto is_set_aside = [](const archive::MatchRow& m) {
      return m.status == archive::MatchStatus::quarantined;
    };
    if (is_set_aside(other) != is_set_aside(match)) {
      is_set_aside(other) ? first_.left_out.insert(known) : second_.left_out.insert(number);
    } else if (are_equal(other, match)) {
      other.record.empty() && !match.record.empty() ? first_.left_out.insert(known)
                                                    : second_.left_out.insert(number);
    } else {
      throw Error(ErrorKind::invalid,
                  fmt::format("match {} (block {}, {}) is in {} with another result or record",
                              match.key.id.hex(), match.key.block,
                              text::printable(match.key.line_up), first_.file),
                  second_.file,
                  "answers of models differ from call to call: leave out one of the two archives");
    }
  }

  MergeSource& first_;
  MergeSource& second_;
  const std::atomic<bool>* stop_;
  archive::Archive there_;
};

void refuse_same_file(const std::vector<std::string>& files, const fs::path& to) {
  std::map<std::pair<dev_t, ino_t>, std::string> known;
  for (const std::string& file : files) {
    struct stat found {};
    if (stat(file.c_str(), &found) != 0) continue;  // who opens it says why
    const auto [at, is_new] = known.try_emplace({found.st_dev, found.st_ino}, file);
    if (!is_new)
      throw Error(ErrorKind::usage, "the same archive is named twice",
                  at->second == file ? file : at->second + " and " + file, "name each once");
  }
  struct stat there {};
  if (stat(to.c_str(), &there) != 0) return;
  if (const auto at = known.find({there.st_dev, there.st_ino}); at != known.end())
    throw Error(ErrorKind::usage, "an archive cannot be merged into itself", at->second,
                "choose another name for the merged archive");
}

void refuse_existing(const fs::path& to, bool replace) {
  std::error_code none;
  if (!fs::exists(fs::symlink_status(to, none))) return;
  if (!replace)
    throw Error(ErrorKind::usage, "there is a file where the merged archive is to be", to.string(),
                "remove it, or choose another name");
  const auto runs = archive::Archive::open(to).runs();
  if (runs.empty() || !part_of_plan(runs.back()).merged)
    throw Error(ErrorKind::usage, "this archive is none that was merged, and is not replaced",
                to.string(), "choose another name");
}

/// Of what is there, a merge of fewer or the same shards of this suite alone is replaced.
void refuse_loss(const fs::path& to, const MergeSource& first, const MergeSummary& summary) {
  std::error_code none;
  if (!fs::exists(to, none)) return;
  const archive::Archive there = archive::Archive::open(to);
  const auto suites = there.suites();
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, why + ", and is not replaced", to.string(),
                "choose another name");
  };
  if (suites.size() != 1 || suites.begin()->second.digest != first.suite.digest)
    refuse("this archive was merged from another suite, or another version of it");
  const auto runs = there.runs();
  const auto merged = runs.empty() ? std::nullopt : part_of_plan(runs.back()).merged;
  if (!merged || merged->count != summary.shards)
    refuse("this archive was merged from another number of shards");
  for (const std::uint64_t shard : merged->shards)
    if (std::find(summary.missing.begin(), summary.missing.end(), shard) != summary.missing.end())
      refuse(
          fmt::format("this archive has shard {}, which is not among those to be merged", shard));
}

/// Whether another machine writes it, where its log is out of reach: opening it may do harm.
bool is_elsewhere(const std::string& file, bool partial) {
  const auto owner = archive::owner_elsewhere(file);
  if (!owner) return false;
  const std::string what =
      "another machine is writing this archive (" + archive::words_of(*owner) + ")";
  if (!partial)
    throw Error(ErrorKind::unfinished, what, file,
                "wait for it to end; if it was killed, run the same command again");
  text::say("left out: {}: {}\n", text::printable(file), what);
  return true;
}

/// The archives in the order in which they are merged, whatever the order in which they are named.
std::vector<MergeSource> survey_all(const std::vector<std::string>& files,
                                    const MergeOptions& options) {
  std::vector<MergeSource> sources;
  for (const std::string& file : files) {
    try {
      if (!is_elsewhere(file, options.partial)) sources.push_back(survey(file));
    } catch (const Error& error) {
      if (!options.skip_absent || error.kind() != ErrorKind::not_found) throw;
    }
  }
  const auto order = [](const MergeSource& s) {
    return std::tuple(s.shards.numbers, -s.finished, s.runs.empty() ? 0 : s.runs.front().started,
                      s.file);
  };
  std::sort(sources.begin(), sources.end(),
            [&](const auto& a, const auto& b) { return order(a) < order(b); });
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i].place = i;
  return sources;
}

void refuse_others(const std::vector<MergeSource>& sources) {
  const MergeSource& first = sources.front();
  for (const MergeSource& source : sources) {
    if (source.suite.digest != first.suite.digest) {
      const bool is_version = source.suite.name == first.suite.name;
      throw Error(ErrorKind::invalid,
                  is_version
                      ? fmt::format("this archive is of another version of the suite '{}' than {}",
                                    text::printable(source.suite.name), first.file)
                      : fmt::format("this archive is of the suite '{}', and {} of '{}'",
                                    text::printable(source.suite.name), first.file,
                                    text::printable(first.suite.name)),
                  source.file, "shards need the same suite file, seed, options, games and plugins");
    }
    if (source.shards.count != first.shards.count)
      throw Error(ErrorKind::invalid,
                  fmt::format("this archive is {}, and {} is {}", source.shards.text(), first.file,
                              first.shards.text()),
                  source.file, "run all shards with the same N of --shard I/N");
  }
}

/// Throws Error (unfinished) if something is missing and that was not asked for.
void find_missing(const std::vector<MergeSource>& sources, MergeSummary& summary, bool partial) {
  std::set<std::uint64_t> there, done;
  for (const MergeSource& source : sources) {
    there.insert(source.shards.numbers.begin(), source.shards.numbers.end());
    done.insert(source.done.begin(), source.done.end());
  }
  for (std::uint64_t n = 1; n <= summary.shards; ++n)
    if (!there.contains(n))
      summary.missing.push_back(n);
    else if (!done.contains(n))
      summary.unfinished.push_back(n);
  if (partial || summary.is_complete()) return;
  const bool is_missing = !summary.missing.empty();
  const auto& which = is_missing ? summary.missing : summary.unfinished;
  throw Error(ErrorKind::unfinished,
              fmt::format("{} of {} {} {}: {}", text::counted(which.size(), "shard"),
                          summary.shards, which.size() == 1 ? "is" : "are",
                          is_missing ? "missing" : "unfinished", list_of(which)),
              "", "run them to their end, or add --partial to merge what is there");
}

/// The command that plays the rest of the plan: as the first shard's, without what was its own.
std::string whole_command(const archive::RunRow& run) {
  const auto words =
      read_recorded<std::vector<std::string>>(run.command).value_or(std::vector<std::string>{});
  return write_json(text::without_options(words, {"--shard", "--cap-share", "--work", "--out"}));
}

/// What the shards together may take under each cap on some of the calls.
std::vector<PartCaps> caps_of_all(const std::vector<MergeSource>& sources) {
  std::vector<PartCaps> all;
  const auto add = [](std::optional<std::int64_t>& to, const std::optional<std::int64_t>& more) {
    if (more) to = to.value_or(0) + *more;
  };
  for (const MergeSource& source : sources) {
    if (source.runs.empty() || source.is_contained()) continue;
    const auto manifest = read_recorded<Manifest>(source.runs.back().manifest);
    if (!manifest || !manifest->part_caps) continue;
    for (const PartCaps& part : *manifest->part_caps) {
      const auto found = std::find_if(
          all.begin(), all.end(), [&](const PartCaps& one) { return one.place() == part.place(); });
      if (found == all.end()) {
        all.push_back(part);
        continue;
      }
      add(found->caps.cost, part.caps.cost);
      add(found->caps.tokens, part.caps.tokens);
      add(found->caps.calls, part.caps.calls);
    }
  }
  return all;
}

archive::RunRow merge_run(const std::vector<MergeSource>& sources, MergeSummary& summary) {
  archive::RunRow run;
  run.started = archive::now();
  run.seed = sources.front().suite.seed;
  run.versions = versions_at_hand();
  Manifest manifest;
  manifest.suite = sources.front().suite.name;
  for (const MergeSource& source : sources) {
    if (source.runs.empty()) continue;
    const archive::RunRow& last = source.runs.back();
    run.suite_file = last.suite_file;
    run.command = whole_command(last);
    const auto planned = read_recorded<Manifest>(last.manifest);
    if (!planned) continue;
    manifest.plan = planned->plan;
    if (planned->part_caps) manifest.prices = planned->prices;
    break;
  }
  for (const Manifest::ScenarioRecord& s : manifest.plan) manifest.matches += s.matches;
  summary.total = manifest.matches;
  if (auto caps = caps_of_all(sources); !caps.empty()) manifest.part_caps = std::move(caps);
  auto& merged = manifest.merged.emplace();
  merged.count = summary.shards;
  for (std::uint64_t n = 1; n <= summary.shards; ++n)
    if (std::find(summary.missing.begin(), summary.missing.end(), n) == summary.missing.end())
      merged.shards.push_back(n);
  run.manifest = write_json(manifest);
  run.status = summary.is_complete() ? "done" : "unfinished";
  run.ended = archive::now();
  return run;
}

void write_merged(std::vector<MergeSource>& sources, const fs::path& part, MergeSummary& summary,
                  const std::atomic<bool>* stop) {
  MergedRows rows(part, summary, stop);
  for (MergeSource& source : sources)
    if (!source.is_contained()) rows.take_matches(source);
  for (const MergeSource& source : sources) rows.claim_open(source);
  for (MergeSource& source : sources) rows.take_rest(source);
  rows.enter(merge_run(sources, summary), sources.front().suite);
  rows.close();
}

/// A match too many is there twice. Too few are there if a run ended that left some out.
void check_count(const MergeSummary& summary, bool partial) {
  const bool is_short =
      summary.shards > 1 && summary.is_complete() && !partial && summary.matches < summary.total;
  if (summary.matches <= summary.total && !is_short) return;
  throw Error(ErrorKind::invalid,
              fmt::format("the archives have {} of the {} of the plan together",
                          text::counted(summary.matches, "match", "matches"), summary.total),
              "", "leave out an archive that holds matches of another shard, or add --partial");
}

}  // namespace

std::string ShardSet::text() const {
  if (count == 1) return "a whole run";
  const std::vector<std::uint64_t> all(numbers.begin(), numbers.end());
  if (all.size() == 1) return fmt::format("shard {}/{}", all[0], count);
  return fmt::format("shards {} of {}", list_of(all), count);
}

ShardSet shards_of(const std::vector<archive::RunRow>& runs, const std::string& file) {
  ShardSet set;
  bool is_whole = false;
  for (const archive::RunRow& run : runs) {
    const PartOfPlan part = part_of_plan(run);
    if (part.merged) continue;
    if (!part.shard) {
      is_whole = true;
      continue;
    }
    const design::Shard& shard = *part.shard;
    if (!set.numbers.empty() && set.count != shard.count)
      throw Error(ErrorKind::invalid,
                  fmt::format("runs of this archive split the suite into {} and into {} shards",
                              set.count, shard.count),
                  file, "run each shard into a file of its own, with the same N of --shard I/N");
    set.count = shard.count;
    set.numbers.insert(shard.number);
  }
  // One that plays what shards lack is of all of them.
  for (std::uint64_t n = 1; is_whole && n <= set.count; ++n) set.numbers.insert(n);
  return set;
}

MergeSummary merge(const std::vector<std::string>& files, const fs::path& to,
                   const MergeOptions& options) {
  if (files.empty()) throw Error(ErrorKind::usage, "nothing to merge");
  refuse_same_file(files, to);
  refuse_existing(to, options.replace);
  static_cast<void>(archive::resolve(to, false));  // throws for a log of another archive beside it
  std::vector<MergeSource> sources = survey_all(files, options);
  MergeSummary summary;
  if (sources.empty() && options.skip_absent) return summary;
  if (sources.empty())
    throw Error(ErrorKind::unfinished, "other machines are writing all of these archives", "",
                "wait for one to end");
  refuse_others(sources);
  summary.suite = sources.front().suite.name;
  summary.archives = sources.size();
  summary.shards = sources.front().shards.count;
  find_missing(sources, summary, options.partial);
  refuse_loss(to, sources.front(), summary);
  for (MergeSource& second : sources)
    for (std::size_t i = 0; i < second.place; ++i) {
      MergeSource& first = sources[i];
      if (std::any_of(first.shards.numbers.begin(), first.shards.numbers.end(),
                      [&](std::uint64_t n) { return second.shards.numbers.contains(n); }))
        RepeatedMatches(first, second, options.stop).find();
    }
  for (const MergeSource& source : sources) summary.repeated += source.left_out.size();
  const archive::PartFile part(to);
  try {
    write_merged(sources, part.path(), summary, options.stop);
    check_count(summary, options.partial);
    refuse_if_stopped(options.stop);
    // Minutes may have gone by.
    refuse_existing(to, options.replace);
    refuse_loss(to, sources.front(), summary);
    part.move_into_place(options.replace);
  } catch (const Error& error) {
    if (fs::path(error.where()).filename() != part.path().filename()) throw;
    throw Error(error.kind(), "the merged archive cannot be written: " + error.problem(),
                to.string(), error.hint());
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorKind::failure,
                "the merged archive cannot be written: " + error.code().message(), to.string(),
                "choose a place with room where you may write");
  }
  return summary;
}

}  // namespace agon

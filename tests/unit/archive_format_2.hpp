#pragma once

#include <filesystem>

#include "archive/database/schema.hpp"

namespace archive_samples {

// The tables of format 2, as Agon 0.1 made them.
inline constexpr const char* kFormat2Tables = R"sql(
create table content (
  number  integer primary key,
  hash    blob not null unique,
  kind    text not null,
  bytes   blob not null
) strict;

create table run (
  number   integer primary key,
  started  integer not null,
  ended    integer,
  outcome  text,
  suite    blob,
  seed     integer not null,
  command  text not null,
  versions text not null,
  plugins  text not null,
  manifest text not null default '{}'
) strict;

create table game (
  number         integer primary key,
  name           text not null,
  version        integer not null,
  plugin         text not null,
  plugin_version text not null,
  score_decimals integer not null,
  seat_metrics   text not null,
  match_metrics  text not null,
  unique (name, version, plugin, plugin_version, score_decimals, seat_metrics, match_metrics)
) strict;

create table scenario (
  number    integer primary key,
  place     integer not null,
  name      text not null,
  game      integer not null references game,
  preset    text not null,
  treatment text not null,
  settings  blob not null,
  unique (name, treatment, settings, game, place, preset)
) strict;

create table agent (
  number  integer primary key,
  hash    blob not null,
  name    text not null,
  spec    text not null,
  base    text not null default '',
  factors text not null default '{}',
  prompts blob,
  unique (hash, name)
) strict;

create table match (
  number     integer primary key,
  id         blob not null unique,
  scenario   integer not null references scenario,
  block      integer not null,
  repeat     integer not null,
  position   integer not null,
  line_up    text not null,
  assignment integer not null,
  focal      integer references agent,
  cluster    text not null,
  luck       integer not null,
  ended      text not null,
  fault      text,
  metrics    text not null,
  questions  integer not null,
  wall_ms    real not null,
  waiting_ms real not null,
  created    integer not null
) strict;

create table seat (
  match           integer not null references match,
  seat            integer not null,
  name            text not null,
  role            text not null,
  agent           integer not null references agent,
  score           real,
  zero            real,
  one             real,
  rank            integer not null,
  metrics         text not null,
  forced          integer not null,
  ok              integer not null,
  repaired        integer not null,
  illegal         integer not null,
  unparsable      integer not null,
  empty           integer not null,
  truncated       integer not null,
  refused         integer not null,
  timed_out       integer not null,
  crashed         integer not null,
  provider_failed integer not null,
  tokens_in       integer not null,
  tokens_out      integer not null,
  tokens_cached   integer not null,
  tokens_thought  integer not null,
  cost            integer not null,
  waiting_ms      real not null,
  calls           integer not null default 0,
  unpriced        integer not null default 0,
  primary key (match, seat)
) strict, without rowid;

create table record (
  match integer primary key references match,
  bytes blob not null
) strict;

create table partial (
  id         blob primary key,
  scenario   integer not null references scenario,
  block      integer not null,
  repeat     integer not null,
  position   integer not null,
  line_up    text not null,
  assignment integer not null,
  agents     text not null,
  sequence   integer not null,
  reason     text not null,
  saved      integer not null,
  record     blob not null
) strict;

create table person (
  session      text primary key,
  pseudonym    text not null,
  consent      blob,
  consented    integer,
  told         text not null,
  started      integer not null
) strict;

create table person_answer (
  number      integer primary key,
  session     text not null references person,
  match       blob not null,
  seat        integer not null,
  question    integer not null,
  attempt     integer not null,
  shown       integer not null,
  first_input integer,
  answered    integer,
  disconnects integer not null,
  unique (match, question, attempt)
) strict;

create view result as
  select lower(hex(m.id)) as match, s.name as scenario, g.name as game, s.treatment, m.block,
         m.repeat, m.position, m.line_up, m.assignment, m.ended, t.seat, t.name as seat_name,
         t.role, a.name as agent, t.score, t.zero, t.one, t.rank, t.forced
  from match m join scenario s on s.number = m.scenario join game g on g.number = s.game
    join seat t on t.match = m.number join agent a on a.number = t.agent;

create view seat_metric as
  select t.match, t.seat, n.value ->> 'name' as name, v.value as value
  from seat t join match m on m.number = t.match join scenario s on s.number = m.scenario
    join game g on g.number = s.game, json_each(g.seat_metrics) n, json_each(t.metrics) v
  where n.key = v.key;

create view match_metric as
  select m.number as match, n.value ->> 'name' as name, v.value as value
  from match m join scenario s on s.number = m.scenario join game g on g.number = s.game,
    json_each(g.match_metrics) n, json_each(m.metrics) v
  where n.key = v.key;
)sql";
inline constexpr const char* kFormat2Calls = R"sql(
create table call (
  number         integer primary key,
  match          blob not null,
  seat           integer not null,
  question       integer not null,
  attempt        integer not null,
  place          integer not null,
  answered       integer not null,
  run            integer not null,
  provider       text not null,
  endpoint       text not null,
  model          text not null,
  purpose        text not null,
  parameters     blob not null,
  messages       blob not null,
  text           text not null,
  reasoning      text not null,
  finish         text not null,
  served_model   text not null,
  fingerprint    text not null,
  request_id     text not null,
  tokens_in      integer,
  tokens_out     integer,
  tokens_cached  integer,
  tokens_thought integer,
  cost           integer,
  provider_cost  integer,
  fault          text not null,
  problem        text not null,
  started        integer not null,
  latency_ms     real not null,
  waited_ms      real not null,
  tries          integer not null
) strict;

create index call_of_match on call (match, question, attempt, place);
)sql";

/// Makes an archive of format 2, and runs `rows` in it.
inline void make_format_2(const std::filesystem::path& path, const char* rows) {
  agon::archive::Connection db(path, agon::archive::Access::write);
  db.run("pragma journal_mode = wal");
  db.run(kFormat2Tables);
  db.run(kFormat2Calls);
  db.run(rows);
  db.run(("pragma application_id = " + std::to_string(agon::archive::application_id) +
          "; pragma user_version = 2")
             .c_str());
}

}  // namespace archive_samples

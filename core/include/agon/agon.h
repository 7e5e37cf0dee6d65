/*
 * Agon as a C library: games as environments, one table at a time or many, and its commands.
 *
 * Conventions
 *   - Handles are opaque. A catalogue must be closed after its games, a game after its
 *     environments.
 *   - A call returns 0, or the kind of error that happened (enum agon_error); agon_last_error()
 *     then has the words, as JSON. No exception crosses this interface.
 *   - A handle serves one thread at a time, different handles any number of threads. A handle does
 *     not survive fork(): the child makes its own.
 *   - Text is UTF-8 and ends with a zero. Text that is returned belongs to the handle (that of
 *     agon_last_error() to the thread), and is valid until the next call with it.
 *   - Numbers are doubles. Integers are exact in them, money is in cents, a boolean is 0 or 1, an
 *     enumeration or a variant is the number of its value, from 0.
 *   - Functions are only ever added, and structs only at their end.
 */
#ifndef AGON_H
#define AGON_H

#include <stdint.h>

#if defined(_WIN32)
#define AGON_C
#else
#define AGON_C __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define AGON_C_VERSION 1 /* of this interface */

enum agon_error {
  AGON_OK = 0,
  AGON_USAGE = 1,   /* the call makes no sense here: a step after the end, a wrong thread */
  AGON_INVALID = 2, /* something that was given is not valid: settings, an agent, an answer */
  AGON_FAILED = 3,  /* the machine could not do it, or a game broke */
};

/* The version of the interface that the library has: at least AGON_C_VERSION of its header. */
AGON_C int agon_version(void);

/* The last error of this thread: {"kind": "invalid", "problem": "...", "where": "settings/days",
 * "hint": "..."}; "where" and "hint" may be empty. */
AGON_C const char* agon_last_error(void);

/* ---- games ---------------------------------------------------------------------------------- */

typedef struct agon_catalogue agon_catalogue;
typedef struct agon_game agon_game;

/* Loads the plugins that the command would load. `options`: null, or JSON:
 *   {"plugins": ["./mygame.so", "./mygame.py"],   plugins of others beside the shipped ones
 *    "trust": false}                              true: these may do what they ask for */
AGON_C int agon_open(const char* options, agon_catalogue** catalogue);
AGON_C void agon_close(agon_catalogue* catalogue);

/* What there is: {"games": [...], "agents": [...]}, each with id and documentation. */
AGON_C int agon_list(agon_catalogue* catalogue, const char** json);

/* A game under settings. `id`: its name, or that of its file among "plugins" of the catalogue.
 * `preset`: null or empty for the default one; `settings`: null, or a JSON
 * object of what differs from the preset. */
AGON_C int agon_game_open(agon_catalogue* catalogue, const char* id, const char* preset,
                          const char* settings, agon_game** game);
AGON_C void agon_game_close(agon_game* game);

/* What it is, as JSON; `entries` as agon_env_make() has it, 0: its default:
 *   {"id", "title", "rules", "preset", "settings",
 *    "seats": [{"name", "role"}],
 *    "score": {"doc", "decimals", "min", "max"},      bounds of the normalized score, or null
 *    "stages": [{"name", "doc", "probe",
 *                "answer": JSON Schema,
 *                "view": [column], "places": [column],  flat layouts, in order
 *                "actions": N}]}                        null where answers are not finite
 * A column: {"path": "/offers/0/price", "kind": "integer", "doc", "unit", "decimals", "low",
 * "high", "names": [...]}; kind is boolean, integer, number, enumeration, variant (which
 * alternative), present (of an optional; its path ends in '?'), length (of a list or map), seat (a
 * text in a view: the number of the seat of that name, -1 for any other text; in an answer: which
 * of the names that may be given now, or 0 for the fallback's where any text may). Bounds are null
 * where there are none. */
AGON_C int agon_game_describe(agon_game* game, int entries, const char** json);

/* ---- one table ------------------------------------------------------------------------------ */

typedef struct agon_env agon_env;

/* An open question: what a seat is asked now. */
typedef struct agon_question {
  int32_t seat;     /* who is asked, from 0 */
  int32_t stage;    /* index in "stages" of agon_game_describe() */
  int32_t attempt;  /* 0; 1 and more when an answer was not legal and is asked again */
  int32_t together; /* how many seats are asked now and do not see what the others answer */
} agon_question;

/* How a match ended, by seat. NaN: there is none. */
typedef struct agon_seat_outcome {
  double payoff;     /* in the unit of the game, money in cents */
  double normalized; /* (payoff - disagreement) / (ideal - disagreement) */
  int32_t rank;      /* 1 is best; equal payoffs share the better rank */
  int32_t fallbacks; /* answers that the game gave in place of this seat's, which were not legal */
} agon_seat_outcome;

/* Makes an environment. `options`: null, or JSON:
 *   {"agents": {"1": "value-cap", "buyer": "time-dependent"},
 *                             who plays a seat, by number, name or role; all others are outside
 *    "entries": 0,            how many of the last entries of a list a flat view shows, the oldest
 *                             first; 0: as many as seats, and at least 3; lists that hold at most
 *                             16 are shown whole
 *    "reasks": 0,             how often an answer that is not legal is asked again; then the game's
 *                             fallback is played
 *    "events": true,          keep what seats are told, for agon_env_told()
 *    "record": false,         keep the record of each match, for agon_env_record()
 *    "probes": false,         ask questions that have no effect on play, too
 *    "scenario": "..."}       name of the scenario whose chance is drawn; default: the game's id */
AGON_C int agon_env_make(agon_game* game, const char* options, agon_env** env);
AGON_C void agon_env_free(agon_env* env);

/* Begins a match, in the middle of another too, and plays to its first open question. The same
 * seed and block give the same chance as `agon run` has in block `block` of a suite with that seed
 * and scenario. */
AGON_C int agon_env_reset(agon_env* env, uint64_t seed, uint64_t block);

/* Writes at most `most` open questions, in the order of seats asked, and returns how many there
 * are; 0: the match is over. Less than 0: an error of that kind, AGON_USAGE as -1. */
AGON_C int agon_env_open(agon_env* env, agon_question* questions, int most);

/* What the seat of open question `question` (its index) sees: flat, in the order of "view" of its
 * stage, into `columns`; zeros behind the entries that a list has. */
AGON_C int agon_env_view(agon_env* env, int question, double* columns);
/* Bounds of each place of the answer, and for booleans, enumerations, variants, optionals and
 * texts that are one of several names a mask of what may be chosen (bit i: value i); 0: not such a
 * place. Each as long as "places". What belongs to an alternative that is not chosen is not read.
 */
AGON_C int agon_env_bounds(agon_env* env, int question, double* low, double* high, uint64_t* mask);
/* Where the stage's "actions" is N: writes N bytes, 1 for an action that is legal now. */
AGON_C int agon_env_actions(agon_env* env, int question, uint8_t* legal);
/* The question as JSON: {"seat", "stage", "attempt", "complaint", "view", "schema", "text"};
 * "schema" is the JSON Schema of what is legal now, "text" what a person would be told: what
 * happened since the seat was asked last, what it sees, and what it is asked. */
AGON_C int agon_env_question(agon_env* env, int question, const char** json);

/* Answers an open question; it is read and checked by agon_env_step(). `places`: null for a uniform
 * draw over the legal answers, with the seat's own keyed dice. */
AGON_C int agon_env_answer(agon_env* env, int question, const double* places);
/* `json`: null for no answer; what the game falls back to is then the answer. */
AGON_C int agon_env_answer_json(agon_env* env, int question, const char* json);
AGON_C int agon_env_answer_action(agon_env* env, int question, int64_t action);

/* Plays on to the next open question, once every open one is answered. */
AGON_C int agon_env_step(agon_env* env);

/* How the match ended, one entry a seat. An error while it is not over. `metrics`: may be null;
 * else JSON {"match": {...}, "seats": [{...}]}. */
AGON_C int agon_env_outcome(agon_env* env, agon_seat_outcome* seats, const char** metrics);
/* How often in this match the game's fallback was played for each seat, S numbers. */
AGON_C int agon_env_fallbacks(agon_env* env, int32_t* by_seat);
/* What the seat was told since it last answered, as JSON: [{"event", "data", "text"}]. */
AGON_C int agon_env_told(agon_env* env, int seat, const char** json);
/* The record of the match that is over, as JSON: its entries as `agon export --rows records` has
 * them. */
AGON_C int agon_env_record(agon_env* env, const char** json);

/* ---- many tables of one game ---------------------------------------------------------------- */

typedef struct agon_vec agon_vec;

/* What a vector of n tables writes, a row a table. Each buffer is the caller's and lives as long
 * as the vector; null: not wanted. W and P: the widest "view" and "places" of any stage; S: seats.
 */
typedef struct agon_vec_buffers {
  double* view;       /* n x W */
  double* low;        /* n x P */
  double* high;       /* n x P: all three of these, or none */
  uint64_t* mask;     /* n x P */
  int32_t* seat;      /* n: who is asked */
  int32_t* stage;     /* n */
  uint8_t* over;      /* n: 1 if a match ended in this step; the row shows the next one already */
  double* payoff;     /* n x S, where over: how it ended */
  double* normalized; /* n x S, likewise */
  uint8_t* fallback;  /* n: 1 if the last answer was not legal, and the fallback was played */
} agon_vec_buffers;

/* Makes n tables; options as agon_env_make() has them, of which "record" and "events" are false,
 * and
 *   {"float32": false}        true: view, low, high, payoff and normalized are buffers of floats;
 *                             numbers beyond 2^24 are rounded */
AGON_C int agon_vec_make(agon_game* game, const char* options, int n,
                         const agon_vec_buffers* buffers, agon_vec** vec);
AGON_C void agon_vec_free(agon_vec* vec);
/* Begins all matches: table i plays blocks i, i + n, i + 2n, ... of the seed. */
AGON_C int agon_vec_reset(agon_vec* vec, uint64_t seed);
/* Answers all open questions, one a table: n x P; null: drawn. Ended matches are followed by the
 * next at once. */
AGON_C int agon_vec_step(agon_vec* vec, const double* places);

/* ---- commands ------------------------------------------------------------------------------- */

/* A question that an agent of the caller has not answered yet. */
typedef struct agon_reply agon_reply;

/* The program that runs a command. Its functions are called from threads of the library, `tell` and
 * `say` from several at once, until agon_command() returns; each may be null. */
typedef struct agon_host {
  void* user; /* handed to the functions */
  /* What the command writes to standard output, piece by piece: `size` bytes, which are UTF-8 but
   * for binary exports. Returns 0; anything else: nobody reads on, and the command ends with an
   * error. And what it writes to standard error. */
  int32_t (*print)(void* user, const char* bytes, uint64_t size);
  void (*say)(void* user, const char* text);
  /* How many matches of a run are done; of these, `before` by earlier runs. */
  void (*show)(void* user, uint64_t done, uint64_t before, uint64_t total);
  /* Tells an agent of the caller, which a suite has as {"function": {"name": agent}} (and in there
   * "rendered": true, if it wants to; "later": true, if it only notes what it is told and answers
   * later, so that matches that wait for it need no thread each), what docs/external-agents.md has for programs: lines of
   * JSON, of which the first is a match when `seat`, a number that stands for a seat of a match, is
   * new. The last line is a question, to be answered by agon_answer(reply, ...), now or later; or
   * how the match ended, and `reply` is null: the seat is not spoken of again. */
  void (*tell)(void* user, const char* agent, uint64_t seat, const char* lines, agon_reply* reply);
  /* A number that the caller may set at any time, from 0; 1: begin no more matches; 2: end those in
   * flight. */
  const volatile int32_t* stop;
  const char* suite; /* text of the suite, in the place of what is in the file of that name */
} agon_host;

/* Runs a command of the program agon. `words`: its command line, a JSON list: ["report",
 * "run.agon", "--json"]; the command is run, plan, report, replay, export, check, show, list or
 * describe. `exit_code`: as that of the program. What ends the program with an error of its own is
 * an error here. One run plays at a time in a process, other commands beside it. */
AGON_C int agon_command(const char* words, const agon_host* host, int* exit_code);

/* Answers a question once, from any thread, while the command runs or after it, with a message of
 * docs/external-agents.md: {"type": "answer", "id": "3.0", "answer": ...}. "failed", whose "id" may
 * be any text, stops the run. */
AGON_C int agon_answer(agon_reply* reply, const char* message);

#ifdef __cplusplus
}
#endif

#endif

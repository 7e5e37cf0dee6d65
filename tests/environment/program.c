/* Plays a game through agon.h alone, as a C program does. */
#include <agon/agon.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code) {
  if (code == AGON_OK) return;
  fprintf(stderr, "%s\n", agon_last_error());
  exit(1);
}

int main(void) {
  agon_catalogue* catalogue;
  agon_game* game;
  agon_env* env;
  agon_question question;
  agon_seat_outcome seats[2];
  int steps = 0;

  check(agon_open(NULL, &catalogue));
  check(agon_game_open(catalogue, "deal-or-no-deal", "openspiel", NULL, &game));
  check(agon_env_make(game, NULL, &env));
  check(agon_env_reset(env, 1, 0));
  while (agon_env_open(env, &question, 1) > 0) {
    check(agon_env_answer(env, 0, NULL));
    check(agon_env_step(env));
    ++steps;
  }
  check(agon_env_outcome(env, seats, NULL));
  printf("%d steps, %g and %g\n", steps, seats[0].payoff, seats[1].payoff);
  agon_env_free(env);
  agon_game_close(game);
  agon_close(catalogue);
  return steps > 0 ? 0 : 1;
}

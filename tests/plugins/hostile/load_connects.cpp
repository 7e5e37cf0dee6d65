#include <sys/socket.h>

#include "load.hpp"

AGON_TEST_LOAD("load-connects", [] { return socket(AF_INET, SOCK_STREAM, 0); })

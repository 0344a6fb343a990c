// The engine's indices as functions, for kernels compiled in checked mode.
#define ENGINE_HOST 1
#include "../shim/engine.h"

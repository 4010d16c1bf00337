#include "app/command_line.h"

namespace attnlab::app {

int run(int, char**) { return 0; }

} // namespace attnlab::app

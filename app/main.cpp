// The program: everything is in command_line.h.
#include "app/command_line.h"

int main(int argc, char** argv) { return attnlab::app::run(argc, argv); }

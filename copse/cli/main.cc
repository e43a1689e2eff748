#include "copse/cli/program.h"

int main(int argc, char** argv) {
  return copse::run_program(argc, argv);
}

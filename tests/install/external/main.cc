// What a user of the installed library writes.
#include <copse/copse.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const auto rules = copse::HeadRules::builtin("collins");
    std::size_t words = 0;
    for (const copse::Entry& entry : copse::read_treebank(argv[1])) {
      words += static_cast<std::size_t>(copse::dependencies_from_tree(entry.tree, rules).words());
    }
    std::cout << "copse " << copse::version() << ": " << words << " words\n";
  } catch (const copse::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}

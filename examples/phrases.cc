// Trains a phrase-structure parser, parses a sentence: the n best trees with their
// log-probabilities, and the probabilities of single brackets.
//
//   phrases TREES.mrg FOLDER WORD ...
#include <copse/copse.h>

#include <iostream>
#include <string>

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: phrases TREES.mrg FOLDER WORD ...\n";
    return 2;
  }
  try {
    const auto data = copse::read_training_treebank({argv[1]}, copse::accept_phrase_trees());
    const auto trained = copse::train_phrase_parser({data.entries, data.source}, nullptr, {});
    const std::string path = std::string(argv[2]) + "/phrases.copse";
    trained.file().save(path);

    const copse::Model model = copse::Model::load(path);
    const auto answer = model.phrase_parser().parse(
        {std::vector<std::string>(argv + 3, argv + argc)}, {.k = 3, .brackets = true});
    for (const copse::ScoredTree& tree : answer.trees) {
      std::cout << tree.log_probability << " " << tree.tree.str() << "\n";
    }
    for (const copse::Bracket& bracket : answer.brackets) {
      if (bracket.probability < 0.01) continue;
      std::cout << bracket.label << " " << bracket.begin << "-" << bracket.end << " "
                << bracket.probability << "\n";
    }
  } catch (const copse::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}

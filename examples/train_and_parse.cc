// Trains a tagger and a dependency parser, saves both, loads them again and parses a text: the best
// tree of each sentence, the next best ones, how sure the parser is, and why.
//
//   train_and_parse TRAIN.conllu DEV.conllu FOLDER "Some text."
#include <copse/copse.h>

#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>

namespace {

// The defaults are those of `copse train tagger` and `copse train dependency`; what is set here has
// the same name there, and the models are the same bytes.
void train(const std::string& train, const std::string& dev, const std::string& folder) {
  copse::TaggerRecipe tagger;
  tagger.files.train = train;
  tagger.files.dev = dev;
  tagger.training.sequence.epochs = 3;
  copse::train_tagger_model(tagger, folder + "/tagger.copse");

  copse::DependencyRecipe parser;
  parser.files.train = train;
  parser.files.dev = dev;
  parser.training.kind.order = copse::Factorisation::sibling;
  parser.training.learner.passes = 2;
  parser.training.selection.min_count = 1;
  copse::train_dependency_model(parser, folder + "/parser.copse");
}

void show(const copse::Sentence& sentence, const copse::SentenceParser& parser) {
  const copse::Parse parse = parser.parse(sentence, {.k = 3, .marginals = true});
  for (const copse::ParsedTree& tree : parse.trees) {
    std::cout << "tree of probability " << tree.probability << "\n";
    const copse::DependencyTree arcs = parser.tree_of(tree);
    for (int word = 1; word <= arcs.words(); ++word) {
      const int head = arcs.head(word);
      std::cout << "  " << sentence.form(word) << " <- "
                << (head == 0 ? "root" : sentence.form(head)) << " " << arcs.label(word) << " "
                << tree.arc_probability[static_cast<std::size_t>(word)] << "\n";
    }
  }
  // What a person already knows is kept: the first word is the root.
  copse::Sentence known = sentence;
  for (int word = 1; word <= known.words(); ++word) {
    known.set_head(word, copse::DependencyTree::kNoHead);
    known.set(word, copse::Column::deprel, "_");
  }
  known.set_head(1, 0);
  const copse::Parse constrained = parser.parse(known, {.constraints = true});
  std::cout << "with the first word as the root: score " << constrained.trees.front().score
            << " instead of " << parse.trees.front().score << "\nwhy:\n"
            << parser.lines(sentence, parser.explain(sentence));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: train_and_parse TRAIN.conllu DEV.conllu FOLDER TEXT\n";
    return 2;
  }
  try {
    const std::string folder = argv[3];
    train(argv[1], argv[2], folder);
    const copse::Model tagger = copse::Model::load(folder + "/tagger.copse");
    const copse::Model parser = copse::Model::load(folder + "/parser.copse");
    copse::Pipeline nlp;
    nlp.add(tagger).add(parser);
    std::cout << std::fixed << std::setprecision(4);
    for (const copse::ParsedSentence& sentence : nlp(argv[4])) {
      std::cout << copse::to_string(sentence.entry(), copse::Format::conllu);
      show(sentence.columns, parser.dependency_parser());
    }
  } catch (const copse::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}

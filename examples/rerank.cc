// From trees to a reranked parser: n-best lists of the training trees by parsers that have not seen
// them, a reranker that learns from the lists, and its choice for a sentence with the reasons.
//
//   rerank TREES.mrg FOLDER WORD ...
#include <copse/copse.h>

#include <fstream>
#include <iostream>
#include <string>

namespace {

// Lists and gold trees go into files: there are more of them than memory wants to hold.
copse::RerankerPaths write_lists(const copse::TrainingTreebank& data, const std::string& trees,
                                 const std::string& folder) {
  copse::RerankerPaths paths;
  paths.lists = folder + "/lists.txt";
  paths.gold = trees;
  std::ofstream lists(paths.lists, std::ios::binary);
  copse::UnseenLists recipe;
  recipe.folds = 4;
  recipe.question.k = 10;
  copse::unseen_lists(data.entries, recipe,
                      [&](copse::NBestList&& list, bool, const copse::Entry&) {
                        std::string text;
                        copse::append_n_best(list, copse::NBestForm::text, text);
                        lists << text;
                      });
  return paths;
}

void show(const copse::Reranker& reranker, const copse::Candidates& list) {
  const auto order = copse::ranking(list, reranker.scores(list));
  std::cout << "winner: candidate " << order.front() + 1 << " of " << order.size() << "\n"
            << copse::text_of(list.items[order.front()]) << "\n";
  for (const copse::Reason& reason : reranker.reasons(list, order.front())) {
    std::cout << reason.share << " " << reason.name << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: rerank TREES.mrg FOLDER WORD ...\n";
    return 2;
  }
  try {
    const std::string folder = argv[2];
    const auto data = copse::read_training_treebank({argv[1]}, copse::accept_phrase_trees());
    const auto parser = copse::train_phrase_parser({data.entries, data.source}, nullptr, {}).parser;

    copse::LinearTrainingOptions options;
    options.method = "loglinear";
    options.variances = {0.01};
    const std::string path = folder + "/reranker.copse";
    copse::train_linear_reranker(write_lists(data, argv[1], folder), options, {}).save(path);

    const copse::Model model = copse::Model::load(path);
    const auto answer = parser->parse({std::vector<std::string>(argv + 3, argv + argc)}, {.k = 10});
    copse::Candidates list;
    for (const copse::ScoredTree& parse : answer.trees) {
      copse::Candidate& candidate = list.items.emplace_back();
      candidate.log_probability = parse.log_probability;
      candidate.tree = parse.tree;
    }
    show(model.reranker(), list);
  } catch (const copse::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}

// Treebanks from files, streams and memory: read, converted, written, scored.
//
//   treebanks TREES.mrg
#include <copse/copse.h>

#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: treebanks TREES.mrg\n";
    return 2;
  }
  try {
    // A file as a whole, and the same one from a stream.
    const std::vector<copse::Entry> trees = copse::read_treebank(argv[1]);
    std::ifstream file(argv[1]);
    const std::vector<copse::Entry> again = copse::read_treebank(file, copse::Format::ptb, argv[1]);
    std::cout << trees.size() << " trees, " << again.size() << " from the stream\n";

    // Dependencies by two head tables, as sentences with columns.
    std::vector<copse::Sentence> collins, yamada;
    std::vector<copse::Entry> entries;
    for (const copse::Entry& entry : trees) {
      collins.push_back(
          copse::dependency_sentence_from_tree(entry.tree, copse::HeadRules::builtin("collins")));
      yamada.push_back(copse::dependency_sentence_from_tree(
          entry.tree, copse::HeadRules::builtin("yamada-matsumoto")));
      entries.push_back({yamada.back(), entry.tree});
    }

    // Out to memory and in again.
    std::ostringstream out;
    copse::write_treebank(out, entries, copse::Format::conllu);
    const auto back = copse::parse_treebank(out.str(), copse::Format::conllu);
    std::cout << back.size() << " sentences came back; the first begins with "
              << back.front().sentence.form(1) << "\n";

    // How often the two head tables agree, and whether the difference could be chance.
    const auto report = copse::evaluate_attachment({collins, "collins"}, {yamada, "yamada"});
    std::cout << "UAS " << report.total.uas() << "\n";
    const auto same = copse::evaluate_attachment({collins, "collins"}, {collins, "collins"});
    std::cout << "p of the sign test " << copse::compare_attachment(report, same, false).sentences.p
              << "\n";
  } catch (const copse::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}

// Sentences per second of the incremental parser on one core:
//   bench_incremental MODEL TREES [BEAM[,CHAIN_BEAM[,merge]] ...]
// Then, if no beams are given, words per second for sentences of one length, to see that time is linear in it. Times are of
// the processor, without loading the model; tags are chosen by the model's tagger, whose share is
// told. Trees are not looked at, except that a sum over them shows whether two programs agree.
#include <fmt/core.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "copse/base/data_source.h"
#include "copse/constituency/incremental/parser_file.h"
#include "copse/treebank/clean.h"
#include "copse/treebank/treebank.h"

namespace {

using namespace copse;
using incremental::IncrementalParser;
using Sentences = std::vector<WordsToParse>;

double seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Sentences read_words(const char* path) {
  Sentences out;
  for (const Entry& entry : read_treebank(path)) {
    const PhraseTree tree = clean(entry.tree).tree;
    WordsToParse& sentence = out.emplace_back();
    for (int i = 0; i < tree.words(); ++i) sentence.words.emplace_back(tree.word_at(i));
  }
  return out;
}

// All words, cut into sentences of one length.
Sentences of_length(const Sentences& sentences, std::size_t length, std::size_t most) {
  Sentences out;
  std::size_t words = 0;
  for (const WordsToParse& sentence : sentences) {
    for (const std::string& word : sentence.words) {
      if (words % length == 0) out.emplace_back();
      out.back().words.push_back(word);
      if (++words == most) return out;
    }
  }
  return out;
}

struct Run {
  double seconds = 0;
  std::string trees;
};
// BEAM[,CHAIN_BEAM[,merge]]
incremental::SearchOptions search_of(const std::string& text) {
  incremental::SearchOptions search;
  search.beam = std::atoi(text.c_str());
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos) search.chain_beam = std::atoi(text.c_str() + comma + 1);
  search.merge = text.ends_with(",merge");
  return search;
}
Run parse_all(const IncrementalParser& parser, const Sentences& sentences,
              const incremental::SearchOptions& search) {
  incremental::Workspace workspace;
  Run run;
  const double start = seconds();
  for (const WordsToParse& sentence : sentences) {
    const PhraseAnswer answer = parser.parse(sentence, {}, search, workspace);
    for (const auto& each : answer.trees) run.trees += each.tree.str() + '\n';
  }
  run.seconds = seconds() - start;
  return run;
}

double tagging_time(const IncrementalParser& parser, const Sentences& sentences) {
  TagScratch scratch;
  const double start = seconds();
  for (const WordsToParse& sentence : sentences) parser.tags_of(sentence, scratch);
  return seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_incremental MODEL TREES [BEAM[,CHAIN_BEAM[,merge]] ...]\n");
    return 2;
  }
  const IncrementalParser parser = incremental::read_parser(ModelFile::open(argv[1]));
  const Sentences sentences = read_words(argv[2]);
  std::vector<std::string> beams(argv + 3, argv + argc);
  const bool given = !beams.empty();
  if (!given) beams = {"8", "64"};
  const auto count = static_cast<double>(sentences.size());
  fmt::print("tagging: {:.0f} sentences/s\n", count / tagging_time(parser, sentences));
  for (const std::string& beam : beams) {
    const Run run = parse_all(parser, sentences, search_of(beam));
    fmt::print("beam {}: {:.1f} sentences/s, trees {}\n", beam, count / run.seconds,
               checksum_text(run.trees));
  }
  if (given) return 0;
  constexpr std::size_t kWords = 6000;  // at most
  for (const std::size_t length : {10, 20, 40, 80, 150, 300}) {
    const Sentences cut = of_length(sentences, length, kWords);
    std::size_t words = 0;
    for (const WordsToParse& sentence : cut) words += sentence.words.size();
    fmt::print("sentences of {} words, beam 8: {:.3f} ms a word\n", length,
               1000 * parse_all(parser, cut, search_of("8")).seconds / static_cast<double>(words));
  }
  return 0;
}

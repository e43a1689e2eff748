// copse parse with a dependency model: heads, labels, probabilities.
#include <fmt/format.h>

#include "copse/base/pool.h"
#include "copse/cli/parse_tasks.h"
#include "copse/dependency/parser.h"
#include "copse/tag/tagger.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

class DependencyParseTask : public ParseTask {
 public:
  std::string_view kind() const override { return kDependencyKind; }

  void declare_options(CLI::App& app) override {
    const std::string group = "Dependency parser";
    app.add_option("--tagger", tagger_path_, "Tag the sentences with this model first")
        ->type_name("MODEL")
        ->group(group);
    app.add_flag("--constraints", options_.constraints,
                 "Keep the heads and labels that the input has; '_' is filled in")
        ->group(group);
    app.add_flag("--confidence", confidence_,
                 "The probability of the whole tree in a comment \"# confidence\"")
        ->group(group);
    app.add_flag("--certificate", certificate_,
                 "Non-projective models of higher order: a comment \"# certificate\" that says "
                 "whether the tree is proved to be the best, or how far from it it can be")
        ->group(group);
    app.add_option("--dd-iterations", options_.dual.iterations,
                   "Non-projective models of higher order: steps of dual decomposition, at most")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000'000))
        ->group(group);
    app.add_option("--dd-gap", options_.dual.gap,
                   "The same: a tree that near to the best possible score is good enough")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e15))
        ->group(group);
    app.add_option("--longest", options_.most_words, "Refuse to parse longer sentences, in words")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000))
        ->group(group);
    app.add_option("--max-memory", max_memory_mb_,
                   "Megabytes for the search of a sentence; beyond that a lower order is used")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000))
        ->group(group);
    app.add_option("--prune", prune_, "Another threshold of the pruner than in training")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
  }

  ExitCode run(const ModelFile& model, const ParseRequest& request,
               const CommonOptions& common) override {
    DependencyParser parser = DependencyParser::load(model);
    if (prune_ >= 0) parser.set_prune_threshold(prune_);
    std::optional<Tagger> tagger;
    if (!tagger_path_.empty()) tagger = Tagger::load(ModelFile::open(tagger_path_));
    options_.k = std::max(1, request.k);
    options_.marginals = request.marginals || confidence_;
    options_.mbr = request.mbr;
    if (request.k > 1 && request.mbr) throw usage_error("--nbest cannot be joined with --mbr");
    options_.limits.most_bytes = static_cast<std::size_t>(max_memory_mb_) << 20;
    TreebankOutput output(request.output, {});
    const bool same_format = request.input.all_are(request.output.format());
    ProblemLog log(common);
    Pool<Scratch> scratches;
    std::size_t degraded = 0;
    Proofs proofs;
    if (certificate_ && !parser.parts().kind.is_dual()) {
      throw usage_error("only non-projective models of higher order have certificates",
                        "train one with --tree nonprojective --order sibling or grandsibling");
    }
    if (certificate_ && options_.mbr) {
      throw usage_error("--certificate is about the best tree and cannot be joined with --mbr");
    }
    stream_treebank<Result>(
        request.input, common, "parse", log,
        [&](Entry&& entry, Result& result) {
          const auto scratch = scratches.take();
          if (entry.sentence.words() == 0 && !entry.tree.empty()) {
            entry.sentence = sentence_from_tree(entry.tree);
          }
          entry.tree = PhraseTree();
          if (tagger) tagger->tag(entry.sentence, scratch->tagger);
          const Parse parse = [&] {
            try {
              return parser.parse(entry.sentence, options_, scratch->parser);
            } catch (const Error&) {
              if (same_format) output.writer().write(entry, result.text);
              throw;
            }
          }();
          result.degraded += parse.degraded.empty() ? 0 : 1;
          result.proofs.add(parse);
          write(parser, request, parse, entry, output.writer(), result.text);
        },
        [&](const std::string& raw, Result& result) {
          if (same_format) result.text += raw;
        },
        [&](Result&& result) {
          output.take(std::move(result.text));
          degraded += result.degraded;
          proofs.add(result.proofs);
        },
        kBlockBytes);
    output.finish();
    if (degraded > 0 && !common.quiet) {
      fmt::print(stderr,
                 "{} long sentences were parsed with a lower order or fewer heads per word\n",
                 degraded);
    }
    if (certificate_ && !common.quiet) proofs.print();
    return log.finish(same_format ? "passed through unchanged" : "left out");
  }

 private:
  struct Scratch {
    TagScratch tagger;
    DependencyParser::Scratch parser;
  };
  // What the certificates of all sentences add up to.
  struct Proofs {
    std::size_t sentences = 0, optimal = 0;
    double iterations = 0, automata = 0, recomputed = 0, seconds = 0;

    void add(const Parse& parse) {
      if (!parse.certificate) return;
      ++sentences;
      optimal += parse.certificate->optimal ? 1 : 0;
      iterations += parse.certificate->iterations;
      automata += static_cast<double>(parse.certificate->automata);
      recomputed += static_cast<double>(parse.certificate->recomputed);
      seconds += parse.search_seconds;
    }
    void add(const Proofs& other) {
      sentences += other.sentences;
      optimal += other.optimal;
      iterations += other.iterations;
      automata += other.automata;
      recomputed += other.recomputed;
      seconds += other.seconds;
    }
    void print() const {
      const double all = std::max<double>(1, static_cast<double>(sentences));
      fmt::print(stderr,
                 "{} of {} trees ({:.2f}%) proved to be the best; a sentence: {:.1f} iterations, "
                 "{:.3f} ms of search; {:.1f}% of automata solved anew\n",
                 optimal, sentences, 100 * static_cast<double>(optimal) / all, iterations / all,
                 1000 * seconds / all, automata > 0 ? 100 * recomputed / automata : 0.0);
    }
  };
  struct Result {
    std::string text;
    std::size_t degraded = 0;
    Proofs proofs;
  };

  void write(const DependencyParser& parser, const ParseRequest& request, const Parse& parse,
             Entry& entry, const Writer& writer, std::string& out) const {
    if (certificate_ && parse.certificate) {
      const DualCertificate& proof = *parse.certificate;
      entry.sentence.set_comment("certificate",
                                 proof.optimal ? "optimal" : fmt::format("gap {:.6f}", proof.gap));
    }
    if (request.k == 0) {
      fill(parser, request, parse.trees.front(), entry.sentence);
      writer.write(entry, out);
      return;
    }
    for (std::size_t k = 0; k < parse.trees.size(); ++k) {
      Entry copy = entry;
      fill(parser, request, parse.trees[k], copy.sentence);
      copy.sentence.set_comment("rank", std::to_string(k + 1));
      copy.sentence.set_comment("score", fmt::format("{:.4f}", parse.trees[k].score));
      writer.write(copy, out);
    }
  }

  void fill(const DependencyParser& parser, const ParseRequest& request, const ParsedTree& tree,
            Sentence& sentence) const {
    const DependencyTree found = parser.tree_of(tree);
    if (parser.labels().empty()) {
      for (int m = 1; m <= sentence.words(); ++m) sentence.set_head(m, found.head(m));
    } else {
      sentence.set_tree(found);
    }
    if (request.marginals) {
      for (int m = 1; m <= sentence.words(); ++m) {
        const double probability = tree.arc_probability[static_cast<std::size_t>(m)];
        sentence.set_misc(m, "Prob", fmt::format("{:.4f}", probability));
      }
    }
    if (confidence_) sentence.set_comment("confidence", fmt::format("{:.4f}", tree.probability));
  }

  DependencyParseOptions options_;
  std::string tagger_path_;
  bool confidence_ = false, certificate_ = false;
  double prune_ = -1;
  int max_memory_mb_ = 512;
};

}  // namespace

std::unique_ptr<ParseTask> make_dependency_parse_task() {
  return std::make_unique<DependencyParseTask>();
}

}  // namespace copse

// copse parse with a dependency model: heads, labels, probabilities.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "copse/base/pool.h"
#include "copse/cli/input_doubts.h"
#include "copse/cli/parse_tasks.h"
#include "copse/pipeline/annotator.h"
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
    app.add_flag("--confidence", options_.columns.confidence,
                 "The probability of the whole tree in a comment \"# confidence\"")
        ->group(group);
    app.add_flag("--certificate", options_.columns.certificate,
                 "Non-projective models of higher order: a comment \"# certificate\" that says "
                 "whether the tree is proved to be the best, or how far from it it can be")
        ->group(group);
    app.add_option("--dd-iterations", options_.parse.dual.iterations,
                   "Non-projective models of higher order: steps of dual decomposition, at most")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000'000))
        ->group(group);
    app.add_option("--dd-gap", options_.parse.dual.gap,
                   "The same: a tree that near to the best possible score is good enough")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e15))
        ->group(group);
    app.add_option("--max-memory", max_memory_mb_,
                   "Megabytes for the search of a sentence; beyond that a lower order is used")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000))
        ->group(group);
    app.add_option("--tree", tree_,
                   "projective or nonprojective: search such trees, whichever the model was "
                   "trained for")
        ->check(CLI::IsMember({"projective", "nonprojective"}))
        ->type_name("KIND")
        ->group(group);
    app.add_option("--prune", prune_, "Another threshold of the pruner than in training")
        ->check(CLI::Range(0.0, 1.0))
        ->group(group);
  }

  ExitCode run(const ModelFile& model, const ParseRequest& request,
               const CommonOptions& common) override {
    std::optional<Tagger> tagger;
    if (!tagger_path_.empty()) tagger = Tagger::load_for_parser(ModelFile::open(tagger_path_));
    Annotator annotator(DependencyParser::load(model), std::move(tagger));
    if (!tree_.empty()) annotator.parser().search_projective(tree_ == "projective");
    if (prune_ >= 0) annotator.parser().set_prune_threshold(prune_);
    options_.n_best = request.k;
    options_.parse.constraints = request.constraints;
    options_.parse.most_words = common.limits.max_words;
    TreebankInput input = request.input;
    input.heads_count = options_.parse.constraints;
    InputDoubts doubts(common, input);
    const std::string remedy = tagger_remedy(model.config(), tagger_path_);
    options_.columns.probabilities = request.marginals;
    options_.parse.mbr = request.mbr;
    if (request.k > 1 && request.mbr) throw usage_error("--nbest cannot be joined with --mbr");
    if (request.output.format() == Format::ptb) {
      throw usage_error("a dependency parser makes no phrase-structure trees",
                        "expected --to conllu, json, a drawing or another format");
    }
    options_.parse.limits.most_bytes = static_cast<std::size_t>(max_memory_mb_) << 20;
    TreebankOutput output(request.output, {});
    const bool same_format = input.all_are(request.output.format());
    ProblemLog log(common);
    Pool<Annotator::Scratch> scratches;
    std::size_t degraded = 0;
    Proofs proofs;
    if (options_.columns.certificate && !annotator.parser().parts().kind.is_dual()) {
      throw usage_error("only non-projective models of higher order have certificates",
                        "train one with --tree nonprojective --order sibling or grandsibling");
    }
    if (options_.columns.certificate && options_.parse.mbr) {
      throw usage_error("--certificate is about the best tree and cannot be joined with --mbr");
    }
    stream_treebank<Result>(
        input, common, "parse", log,
        [&](Entry&& entry, Result& result) {
          const auto scratch = scratches.take();
          const bool only_tree = entry.sentence.words() == 0 && !entry.tree.empty();
          if (only_tree) entry.sentence = sentence_from_tree(entry.tree);
          doubts.look_at_words(entry.sentence);
          const Annotated found = annotator.annotate(entry.sentence, options_, *scratch);
          // As the parser saw it: a tagger need not fill in all that it looks at.
          const TagScheme& scheme = annotator.parser().parts().scheme;
          doubts.look_at_tags(missing_tags(found.sentences.front(), scheme), remedy);
          result.degraded += found.degraded.empty() ? 0 : 1;
          result.proofs.add(found);
          for (const Sentence& sentence : found.sentences) {
            output.writer().write({sentence, {}}, result.text);
          }
        },
        [&](const std::string& raw, Result& result) {
          if (same_format) result.text += raw;
        },
        [&](Result&& result) {
          doubts.tell();
          output.take(std::move(result.text));
          degraded += result.degraded;
          proofs.add(result.proofs);
        },
        kBlockBytes);
    output.finish();
    if (degraded > 0 && !common.quiet) {
      fmt::print(stderr,
                 "{} long sentences were parsed with a lower order, fewer heads or in pieces\n",
                 degraded);
    }
    if (options_.columns.certificate && !common.quiet) proofs.print();
    return log.finish(same_format ? "passed through unchanged" : "left out");
  }

 private:
  // What the certificates of all sentences add up to.
  struct Proofs {
    std::size_t sentences = 0, optimal = 0;
    double iterations = 0, automata = 0, recomputed = 0, seconds = 0;

    void add(const Annotated& parse) {
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

  AnnotationOptions options_;
  std::string tagger_path_, tree_;
  double prune_ = -1;
  int max_memory_mb_ = 512;
};

}  // namespace

std::unique_ptr<ParseTask> make_dependency_parse_task() {
  return std::make_unique<DependencyParseTask>();
}

}  // namespace copse

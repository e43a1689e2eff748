// copse nbest: the k best parses of each sentence with their log probabilities.
#include <fmt/core.h>

#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/n_best_run.h"
#include "copse/rerank/merged_lists.h"

namespace copse {
namespace {

class NBestCommand : public Command {
 public:
  std::string_view name() const override { return "nbest"; }
  std::string_view summary() const override {
    return "Write the k best phrase-structure parses of each sentence";
  }
  std::vector<Example> examples() const override {
    return {
        {"nbest -m wsj.copse -k 50 --from text sentences.txt -o lists.txt", "50 parses each"},
        {"nbest -m wsj.copse -k 50 dev.mrg -o dev.nbl", "words of trees in, binary lists out"},
        {"nbest -m wsj.copse -k 1000 --within 1000 --from text < sentences.txt",
         "all parses at most a thousand times less probable than the best"},
        {"nbest --lists dev.nbl -o dev.txt", "from one form of lists to the other"},
        {"nbest --lists dev.nbl --merge-lists other.nbl --score history.copse -o merged.txt",
         "lists of two parsers as one, the second's probabilities of all trees"},
        {"nbest -m wsj.copse -k 5 --to json --from text < sentences.txt", "lists for a program"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("-m,--model", model_, "A constituency model")->type_name("MODEL");
    app.add_option("-k,--nbest", options_.question.k, "Parses per sentence, all different")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    app.add_option("--within", options_.question.within,
                   "Only parses at most this many times less probable than the best")
        ->check(CLI::Range(1.0, 1e300))
        ->type_name("RATIO");
    app.add_flag("--sum-duplicates", options_.question.sum_duplicates,
                 "Add up the probabilities of derivations that give the same tree");
    input_.declare_options(app);
    app.add_option("--lists", lists_, "Convert these lists instead of parsing")->type_name("LISTS");
    app.add_option("--merge-lists", merged_,
                   "Add the trees of these lists to those of --lists and write candidates with "
                   "features, to learn a reranker from")
        ->type_name("LISTS");
    app.add_option("--score", model_of_merged_,
                   "A history parser that tells the probabilities of all trees; with or without "
                   "its lists in --merge-lists")
        ->type_name("MODEL");
    app.add_option("--merge-weight", merge_weight_,
                   "What its logarithms weigh in those of the merged lists")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1000.0));
    app.add_option(
           "--to", output_.form_name,
           "Form of the lists: text, binary or json (a line per sentence); by the ending of "
           "OUT, .nbl or .json, if not given, else text")
        ->check(CLI::IsMember({"text", "binary", "json"}))
        ->type_name("FORM");
    app.add_option("-o,--output", output_.path, "File to write; standard output if not given")
        ->type_name("OUT");
    options_.declare_options(app);
  }

  ExitCode run(const CommonOptions& given) override {
    const CommonOptions common = options_.take_limits(given);
    if (!lists_.empty()) {
      if (!model_.empty()) throw usage_error("--lists converts; it takes no model");
      return merges() ? merge(common) : convert();
    }
    if (merges()) throw usage_error("--merge-lists and --score need --lists");
    if (model_.empty()) throw usage_error("a model is missing", "give it with -m");
    const std::unique_ptr<PhraseParser> parser =
        load_phrase_parser(ModelFile::open(model_), options_.search);
    return write_n_best(*parser, input_, options_, output_, common);
  }

 private:
  bool merges() const { return !merged_.empty() || !model_of_merged_.empty(); }

  ExitCode merge(const CommonOptions& common) const {
    MergedSource second{merged_, {}, merge_weight_};
    if (!model_of_merged_.empty()) second.scores = tree_scores(ModelFile::open(model_of_merged_));
    Output output = Output::open(output_.path);
    merge_files(std::vector{MergedSource{lists_}, second}, common.threads,
                [&](const std::string& text) { output.write(text); });
    output.commit();
    return ExitCode::fine;
  }

  ExitCode convert() const {
    NBestReader reader(Input::open(lists_));
    Output output = Output::open(output_.path);
    output.write(output_.begin());
    while (const std::optional<NBestList> list = reader.next())
      output.write(output_.text_of(*list));
    output.write(output_.end());
    output.commit();
    return ExitCode::fine;
  }

  std::string model_, lists_, merged_, model_of_merged_;
  double merge_weight_ = kSecondWeight;
  TreebankInput input_;
  NBestOutput output_;
  PhraseRunOptions options_{.question = {.k = 50}};
};

}  // namespace

std::unique_ptr<Command> make_nbest_command() {
  return std::make_unique<NBestCommand>();
}

}  // namespace copse

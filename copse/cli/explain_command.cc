// copse explain: why the parser chose an arc, in features and weights.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/explain_reranker.h"
#include "copse/cli/input_doubts.h"
#include "copse/cli/treebank_stream.h"
#include "copse/constituency/phrase_parser.h"
#include "copse/dependency/explanation_views.h"
#include "copse/pipeline/annotator.h"
#include "copse/rerank/reranker.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

class ExplainCommand : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override {
    return "Why a parser attached a word, or a reranker chose a candidate: features and weights "
           "for "
           "it and another";
  }
  std::vector<Example> examples() const override {
    return {
        {"explain -m parser.copse dev.conllu", "every word of the first sentence, a line each"},
        {"explain -m parser.copse dev.conllu --sentence 7 --word 4",
         "what spoke for the head of one word"},
        {"explain -m parser.copse dev.conllu --word 4 --head 2", "against a head of your choice"},
        {"explain -m spinal.copse dev.mrg --word 4",
         "the same for a spinal phrase-structure parser"},
        {"explain -m reranker.copse dev.nbl --sentence 7",
         "which features moved the winner of a list above the base parser's choice"},
        {"explain -m hidden.copse dev.nbl --values --top 5",
         "what each hidden value stands for: words, heads, parents and rules"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("-m,--model", model_, "A dependency parser, a spinal parser or a reranker")
        ->required()
        ->type_name("MODEL");
    input_.declare_options(app);
    app.add_option("--sentence", sentence_, "Which sentence, from 1")
        ->capture_default_str()
        ->check(CLI::Range(1, 2'000'000'000))
        ->type_name("K");
    auto* word = app.add_option("--word", word_, "Which word, from 1; all, in short, if not given")
                     ->check(CLI::Range(1, 1'000'000))
                     ->type_name("N");
    app.add_option("--head", head_, "Compare with this head, 0 the root, not with the runner-up")
        ->check(CLI::Range(0, 1'000'000))
        ->needs(word)
        ->type_name("H");
    app.add_option("--against", against_,
                   "Reranker: compare with this candidate, not with the most probable one")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N");
    app.add_option("--top", top_, "How many templates or features to show")
        ->capture_default_str()
        ->check(CLI::Range(1, 100'000));
    app.add_option("--tagger", tagger_, "Tag the sentence with this model first")
        ->type_name("MODEL");
    app.add_flag("--heaviest", heaviest_,
                 "Reranker by the tree kernel: the heaviest fragments of the model, no input");
    app.add_flag("--values", values_,
                 "Reranker with hidden values: how often each is chosen in all lists, and beside "
                 "what");
    app.add_flag("--json", json_, "Print one JSON object, with every feature");
  }

  ExitCode run(const CommonOptions& common) override {
    const ModelFile model = ModelFile::open(model_);
    if (model.kind() == kRerankerKind) return explain_choice_of(model, common);
    const auto word = word_ > 0 ? std::optional<int>(word_) : std::nullopt;
    const auto head = head_ < 0 ? std::nullopt : std::optional<int>(head_);
    if (model.kind() == kConstituencyKind) {
      const auto parser = load_phrase_parser(model);
      const Entry entry = read(common);
      const auto found = parser->explain(words_to_parse(entry, false, *parser), word, head);
      const Sentence sentence = sentence_of(entry);
      return show(found.words, found.note, ExplanationViews(found.labels, sentence), common);
    }
    const Annotator annotator = Annotator::load(model_, tagger_);
    Annotator::Scratch scratch;
    const Sentence sentence = annotator.tagged(sentence_of(read(common)), scratch);
    InputDoubts doubts(common, input_);
    doubts.look_at_words(sentence);
    doubts.look_at_tags(missing_tags(sentence, annotator.parser().parts().scheme),
                        tagger_remedy(model.config(), tagger_));
    doubts.tell();
    std::string degraded;
    const auto explained = annotator.explain(sentence, word, head, degraded);
    return show(explained, degraded, ExplanationViews(annotator.parser().labels(), sentence),
                common);
  }

 private:
  static Sentence sentence_of(const Entry& entry) {
    const bool has_columns = entry.sentence.words() > 0 || entry.tree.empty();
    return has_columns ? entry.sentence : sentence_from_tree(entry.tree);
  }

  ExitCode show(const std::vector<ArcExplanation>& explained, const std::string& given_up,
                const ExplanationViews& views, const CommonOptions& common) const {
    if (!given_up.empty() && !common.quiet) fmt::print(stderr, "copse: {}\n", given_up);
    Output output = Output::open("-");
    output.write(json_       ? as_json(views, explained)
                 : word_ > 0 ? views.page(explained.front(), top_)
                             : views.lines(explained));
    output.commit();
    return ExitCode::fine;
  }
  ExitCode explain_choice_of(const ModelFile& model, const CommonOptions& common) const {
    ExplainRerankerOptions options;
    if (!input_.paths.empty()) options.lists = input_.paths.front();
    options.list = sentence_;
    options.other = against_;
    options.top = top_;
    options.json = json_;
    options.heaviest = heaviest_;
    options.values = values_;
    options.threads = common.threads;
    Output output = Output::open("-");
    output.write(explain_reranker(model, options));
    output.commit();
    return ExitCode::fine;
  }

  std::string as_json(const ExplanationViews& views,
                      const std::vector<ArcExplanation>& explained) const {
    nlohmann::json words = nlohmann::json::array();
    for (const ArcExplanation& each : explained) words.push_back(views.json(each));
    const nlohmann::json all = {{"sentence", sentence_}, {"words", std::move(words)}};
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  // The sentence asked for.
  Entry read(const CommonOptions& common) const {
    std::size_t seen = 0;
    for (const std::string& path : input_.sources()) {
      const auto reader = make_reader(input_.format_of(path), common.limits);
      Input file = input_.open(path);
      BlockReader blocks(file, *reader, common.limits);
      while (const auto block = blocks.next()) {
        Parsed parsed = reader->parse(*block);
        for (ReadItem& item : parsed.items) {
          if (++seen != sentence_) continue;
          if (item.error) throw Error(*item.error);
          return std::move(item.entry);
        }
      }
    }
    throw data_error(fmt::format("there is no sentence {}; the input has {}", sentence_, seen));
  }

  TreebankInput input_;
  std::string model_, tagger_;
  std::size_t sentence_ = 1, top_ = 12, against_ = 0;
  int word_ = 0, head_ = -1;
  bool json_ = false, heaviest_ = false, values_ = false;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace copse

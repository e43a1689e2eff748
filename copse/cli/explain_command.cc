// copse explain: why the parser chose an arc, in features and weights.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/base/utf8.h"
#include "copse/cli/commands.h"
#include "copse/cli/explain_reranker.h"
#include "copse/cli/treebank_stream.h"
#include "copse/dependency/explain.h"
#include "copse/rerank/reranker.h"
#include "copse/tag/tagger.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

constexpr int kFeaturesPerTemplate = 6;

// Without what could steer a terminal.
std::string plain(std::string_view text) {
  std::string out = replace_invalid_utf8(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = '?';
  }
  return out;
}

std::string padded(std::string text, int width) {
  const int missing = width - terminal_width(text);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  return text;
}

// How the explanations of one sentence are shown.
class ExplanationText {
 public:
  ExplanationText(const DependencyParser& parser, const Sentence& sentence, std::size_t top)
      : parser_(parser), sentence_(sentence), top_(top) {}

  // One line for each word.
  std::string lines(const std::vector<ArcExplanation>& words) const {
    int arcs = 0, rivals = 0;
    for (const ArcExplanation& each : words) {
      arcs = std::max(arcs, terminal_width(arc(each.word, each.best)));
      rivals = std::max(rivals, terminal_width(rival(each)));
    }
    std::string out;
    for (const ArcExplanation& each : words) {
      const std::string start = padded(arc(each.word, each.best), arcs);
      if (each.where == OtherTree::nowhere) {
        out += fmt::format("{}  {}\n", start, rival(each));
        continue;
      }
      const auto shares = shares_by_template(each);
      out += fmt::format("{}  {}  {:>9.4f}{}{}\n", start, padded(rival(each), rivals),
                         each.difference(), shares.empty() ? "" : "  ",
                         shares.empty() ? "" : shares.front().name);
    }
    return out;
  }

  std::string page(const ArcExplanation& explained) const {
    std::string out = arc(explained.word, explained.best) + '\n';
    if (explained.where == OtherTree::nowhere) return out + "There is no other tree.\n";
    out += fmt::format("rather than {}{}\n", arc(explained.word, explained.other),
                       remark(explained.where));
    out += fmt::format("score {:.4f} against {:.4f}: better by {:.4f}\n", explained.best.score,
                       explained.other.score, explained.difference());
    add_moved_words(explained, out);
    add_parts(explained, out);
    add_templates(explained, out);
    return out;
  }

  nlohmann::json json(const ArcExplanation& explained) const {
    nlohmann::json out = {{"word", explained.word},
                          {"form", sentence_.form(explained.word)},
                          {"best", tree_json(explained.word, explained.best)}};
    if (explained.where == OtherTree::nowhere) return out;
    out["other"] = tree_json(explained.word, explained.other);
    out["found_among"] = name_of(explained.where);
    out["difference"] = explained.difference();
    nlohmann::json parts = nlohmann::json::array();
    for (const ExplainedPart& part : explained.parts) parts.push_back(part_json(part));
    nlohmann::json templates = nlohmann::json::array();
    for (const TemplateShare& share : shares_by_template(explained)) {
      templates.push_back({{"template", share.name},
                           {"best", share.chosen},
                           {"other", share.other},
                           {"difference", share.difference()}});
    }
    out["parts"] = std::move(parts);
    out["templates"] = std::move(templates);
    return out;
  }

 private:
  static std::string_view name_of(OtherTree where) {
    switch (where) {
      case OtherTree::survived:
        return "survivors";
      case OtherTree::filtered:
        return "filter";
      default:
        return "all";
    }
  }

  static std::string_view remark(OtherTree where) {
    switch (where) {
      case OtherTree::survived:
        return "";
      case OtherTree::filtered:
        return ", which the pruner had left out";
      default:
        return ", which pruner and filter had left out";
    }
  }

  std::string word(int position) const {
    if (position == kNobody) return "-";
    if (position == 0) return "root";
    return plain(sentence_.form(position));
  }

  std::string label(const ExplainedTree& tree, int m) const {
    if (tree.labels.empty()) return "";
    const int number = tree.labels[static_cast<std::size_t>(m)];
    return plain(parser_.labels()[static_cast<std::size_t>(number)]);
  }

  // "4 dog <- 2 saw (obj)"
  std::string arc(int m, const ExplainedTree& tree) const {
    const int h = tree.heads[static_cast<std::size_t>(m)];
    std::string out = fmt::format("{} {} <- {} {}", m, word(m), h, word(h));
    if (!tree.labels.empty()) out += fmt::format(" ({})", label(tree, m));
    return out;
  }

  std::string rival(const ArcExplanation& explained) const {
    if (explained.where == OtherTree::nowhere) return "no other head";
    const int h = explained.other_head();
    return fmt::format("not {} {}{}", h, word(h),
                       explained.where == OtherTree::survived ? "" : " (pruned)");
  }

  // "sib(saw,dog,-)"
  std::string name(const ExplainedPart& each) const {
    const Part& part = each.part;
    if (each.label != ExplainedPart::kNoLabel) {
      return fmt::format("label({},{}) {}", word(part.h), word(part.m),
                         plain(parser_.labels()[static_cast<std::size_t>(each.label)]));
    }
    std::string family = name_of_section(static_cast<int>(part.family));
    switch (part.family) {
      case PartFamily::dep:
        return fmt::format("{}({},{})", family, word(part.h), word(part.m));
      case PartFamily::stop:
        return fmt::format("{}({},{},{})", family, word(part.h),
                           part.side == Side::left ? "left" : "right", word(part.m));
      case PartFamily::sib:
        return fmt::format("{}({},{},{})", family, word(part.h), word(part.m), word(part.s));
      case PartFamily::grand:
        return fmt::format("{}({},{},{})", family, word(part.g), word(part.h), word(part.m));
      case PartFamily::gsib:
        return fmt::format("{}({},{},{},{})", family, word(part.g), word(part.h), word(part.m),
                           word(part.s));
      case PartFamily::tsib:
        return fmt::format("{}({},{},{},{})", family, word(part.h), word(part.m), word(part.s),
                           word(part.t));
    }
    return family;
  }

  void add_moved_words(const ArcExplanation& explained, std::string& out) const {
    for (int m = 1; m < static_cast<int>(explained.best.heads.size()); ++m) {
      const auto at = static_cast<std::size_t>(m);
      if (m == explained.word || explained.best.heads[at] == explained.other.heads[at]) continue;
      out += fmt::format("  with it {}\n", arc(m, explained.other));
    }
  }

  void add_parts(const ArcExplanation& explained, std::string& out) const {
    out += "\nparts that only one of the trees has\n";
    std::size_t silent = 0;
    for (const ExplainedPart& part : explained.parts) {
      if (part.features.empty()) {
        ++silent;
        continue;
      }
      out += fmt::format("  {} {:>9.4f}  {}\n", part.chosen ? '+' : '-', part.score, name(part));
    }
    if (silent > 0) out += fmt::format("    {:>9}  {} without a weight\n", "", silent);
    out += fmt::format("    {:>9.4f}  sum\n", explained.difference());
  }

  void add_templates(const ArcExplanation& explained, std::string& out) const {
    const auto shares = shares_by_template(explained);
    out += "\n     best     other  difference  template\n";
    double rest = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const TemplateShare& share = shares[k];
      if (k >= top_) {
        rest += share.difference();
        continue;
      }
      out += fmt::format("{:>9.4f} {:>9.4f}   {:>9.4f}  {}\n", share.chosen, share.other,
                         share.difference(), share.name);
      add_features(share, out);
    }
    if (shares.size() > top_) {
      out += fmt::format("{:>31.4f}  {} more\n", rest, shares.size() - top_);
    }
    out += fmt::format("{:>31.4f}  sum\n", explained.difference());
  }

  static void add_features(const TemplateShare& share, std::string& out) {
    for (std::size_t k = 0; k < share.features.size(); ++k) {
      if (k == kFeaturesPerTemplate) {
        out += fmt::format("{:35}... {} more\n", "", share.features.size() - k);
        return;
      }
      out += fmt::format("{:35}{:+.4f}  {}\n", "", share.features[k].difference(),
                         plain(share.features[k].values));
    }
  }

  nlohmann::json tree_json(int m, const ExplainedTree& tree) const {
    nlohmann::json out = {{"head", tree.heads[static_cast<std::size_t>(m)]}, {"score", tree.score}};
    if (!tree.labels.empty()) out["label"] = label(tree, m);
    out["heads"] = std::vector<int>(tree.heads.begin() + 1, tree.heads.end());
    return out;
  }

  nlohmann::json part_json(const ExplainedPart& part) const {
    nlohmann::json features = nlohmann::json::array();
    for (const ExplainedFeature& feature : part.features) {
      features.push_back(
          {{"template", feature.name}, {"values", feature.values}, {"weight", feature.weight}});
    }
    return {{"part", name(part)},
            {"in", part.chosen ? "best" : "other"},
            {"score", part.score},
            {"features", std::move(features)}};
  }

  const DependencyParser& parser_;
  const Sentence& sentence_;
  std::size_t top_;
};

class ExplainCommand : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override {
    return "Why a parser chose an arc, or a reranker a candidate: features and weights for it and "
           "another";
  }
  std::vector<Example> examples() const override {
    return {
        {"explain -m parser.copse dev.conllu", "every word of the first sentence, a line each"},
        {"explain -m parser.copse dev.conllu --sentence 7 --word 4",
         "what spoke for the head of one word"},
        {"explain -m parser.copse dev.conllu --word 4 --head 2", "against a head of your choice"},
        {"explain -m reranker.copse dev.nbl --sentence 7",
         "which features moved the winner of a list above the base parser's choice"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("-m,--model", model_, "A dependency parser or a reranker")
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
    app.add_flag("--json", json_, "Print one JSON object, with every feature");
  }

  ExitCode run(const CommonOptions& common) override {
    const ModelFile model = ModelFile::open(model_);
    if (model.kind() == kRerankerKind) return explain_choice_of(model);
    const DependencyParser parser = DependencyParser::load(model);
    const Sentence sentence = read(common);
    ArcExplainer explainer(parser, sentence, {});
    if (!explainer.degraded().empty() && !common.quiet) {
      fmt::print(stderr, "copse: {}\n", explainer.degraded());
    }
    const ExplanationText text(parser, sentence, top_);
    std::vector<ArcExplanation> explained;
    if (word_ > 0) {
      const auto head = head_ < 0 ? std::nullopt : std::optional<int>(head_);
      explained.push_back(explainer.explain(word_, head));
    } else {
      for (int m = 1; m <= sentence.words(); ++m) explained.push_back(explainer.explain(m));
    }
    Output output = Output::open("-");
    output.write(json_       ? as_json(text, explained)
                 : word_ > 0 ? text.page(explained.front())
                             : text.lines(explained));
    output.commit();
    return ExitCode::fine;
  }

 private:
  ExitCode explain_choice_of(const ModelFile& model) const {
    ExplainRerankerOptions options;
    if (!input_.paths.empty()) options.lists = input_.paths.front();
    options.list = sentence_;
    options.other = against_;
    options.top = top_;
    options.json = json_;
    options.heaviest = heaviest_;
    Output output = Output::open("-");
    output.write(explain_reranker(model, options));
    output.commit();
    return ExitCode::fine;
  }

  std::string as_json(const ExplanationText& text,
                      const std::vector<ArcExplanation>& explained) const {
    nlohmann::json words = nlohmann::json::array();
    for (const ArcExplanation& each : explained) words.push_back(text.json(each));
    const nlohmann::json all = {{"sentence", sentence_}, {"words", std::move(words)}};
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  // The sentence asked for, tagged if that was asked for too.
  Sentence read(const CommonOptions& common) const {
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
          return prepared(std::move(item.entry));
        }
      }
    }
    throw data_error(fmt::format("there is no sentence {}; the input has {}", sentence_, seen));
  }

  Sentence prepared(Entry&& entry) const {
    if (entry.sentence.words() == 0 && !entry.tree.empty()) {
      entry.sentence = sentence_from_tree(entry.tree);
    }
    if (!tagger_.empty()) {
      TagScratch scratch;
      Tagger::load(ModelFile::open(tagger_)).tag(entry.sentence, scratch);
    }
    return std::move(entry.sentence);
  }

  TreebankInput input_;
  std::string model_, tagger_;
  std::size_t sentence_ = 1, top_ = 12, against_ = 0;
  int word_ = 0, head_ = -1;
  bool json_ = false, heaviest_ = false;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace copse

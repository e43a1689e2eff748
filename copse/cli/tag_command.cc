// copse tag: fills in tags, features, lemmas or entity labels.
#include <fmt/core.h>

#include <optional>

#include "copse/base/pool.h"
#include "copse/cli/commands.h"
#include "copse/cli/input_doubts.h"
#include "copse/cli/treebank_output.h"
#include "copse/cli/treebank_stream.h"
#include "copse/model/model_file.h"
#include "copse/tag/tag_lists.h"
#include "copse/tag/tagger.h"
#include "copse/treebank/json.h"
#include "copse/treebank/tree_to_sentence.h"

namespace copse {
namespace {

class TagCommand : public Command {
 public:
  std::string_view name() const override { return "tag"; }
  std::string_view summary() const override {
    return "Fill in parts of speech, features, lemmas or entity labels";
  }
  std::vector<Example> examples() const override {
    return {
        {"tag -m tagger.copse dev.conllu -o tagged.conllu", "new tags for a treebank"},
        {"tag -m tagger.copse --from text sentences.txt", "tags for tokenised text"},
        {"tag -m tagger.copse --marginals dev.conllu", "with the probability of each tag in MISC"},
        {"tag -m tagger.copse --nbest 20 --column xpos dev.conllu",
         "the 20 best tag sequences with their log-probabilities"},
        {"tag -m entities.copse dev.bio -o out.bio", "entity labels in the last column"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option("-m,--model", model_, "A model of 'copse train tagger' or 'train entities'")
        ->required()
        ->type_name("MODEL");
    input_.declare_options(app);
    output_.declare_options(app);
    app.add_flag("--keep", options_.keep, "Keep the tags that are there; '_' is filled in");
    app.add_flag("--marginals", marginals_, "Write the probability of each tag to MISC");
    app.add_option("--nbest", nbest_, "Write this many tag sequences per sentence, best first")
        ->type_name("K")
        ->check(CLI::Range(1, 100000));
    app.add_flag("--candidates", candidates_,
                 "With --nbest: as candidates with the words, as 'copse rerank' reads them");
    app.add_flag("--graded", graded_,
                 "With --candidates: scored against the tags or labels that the input has");
    app.add_option("--column", column_, "With --nbest: which column, if the model has several")
        ->type_name("COLUMN");
    app.add_option(
           "--beam", beam_,
           "Search with so many hypotheses, 1 is greedy, 0 is exact; as trained if not given")
        ->type_name("N")
        ->check(CLI::Range(0, 1000));
  }

  ExitCode run(const CommonOptions& common) override {
    Tagger tagger = Tagger::load(ModelFile::open(model_));
    if (beam_ >= 0) {
      for (TaggerPart& part : tagger.parts()) part.tagger.set_search({beam_});
    }
    if ((candidates_ && nbest_ == 0) || (graded_ && !candidates_)) {
      throw usage_error("--candidates needs --nbest, --graded needs --candidates");
    }
    if (nbest_ > 0) {
      lists_as_json_ = names_json();
      return write_lists(tagger, common);
    }
    const bool columns =
        output_.path == "-" && output_.format_name.empty() && input_.all_are(Format::columns);
    if (columns) output_.format_name = "columns";
    options_.plain_labels = output_.format() == Format::columns;
    return write_tags(tagger, common);
  }

 private:
  // Lists have a form of their own, unless JSON is asked for; what else is asked for is refused.
  bool names_json() const {
    const auto format = output_.format_name.empty() ? format_of_file(output_.path)
                                                    : format_named(output_.format_name);
    if (format == Format::json && !candidates_) return true;
    if (!output_.format_name.empty() && format != Format::text) {
      throw usage_error(
          fmt::format("{} has no room for lists of tag sequences", output_.format_name),
          candidates_ ? "leave out --to" : "expected --to json, or no --to");
    }
    return false;
  }

  static Sentence words_of(const Entry& entry) {
    const bool only_tree = entry.sentence.words() == 0 && !entry.tree.empty();
    return only_tree ? sentence_from_tree(entry.tree) : entry.sentence;
  }

  ExitCode write_tags(const Tagger& tagger, const CommonOptions& common) {
    ProblemLog log(common);
    TreebankOutput output(output_, {});
    const bool same_format = input_.all_are(output_.format());
    InputDoubts doubts(common, input_);
    stream_treebank<std::string>(
        input_, common, "tag", log,
        [&](Entry&& entry, std::string& out) {
          const auto scratch = scratches_.take();
          Entry tagged{words_of(entry), entry.sentence.words() > 0 ? entry.tree : PhraseTree()};
          doubts.look_at_words(tagged.sentence);
          fill(tagger, tagged.sentence, *scratch);
          output.writer().write(tagged, out);
        },
        [&](const std::string& raw, std::string& out) {
          if (same_format) out += raw;
        },
        [&](std::string&& text) {
          doubts.tell();
          output.take(std::move(text));
        });
    output.finish();
    return log.finish(same_format ? "passed through unchanged" : "left out");
  }

  void fill(const Tagger& tagger, Sentence& sentence, TagScratch& scratch) const {
    if (marginals_) {
      tagger.tag_with_marginals(sentence, scratch, options_);
    } else {
      tagger.tag(sentence, scratch, options_);
    }
  }

  ExitCode write_lists(const Tagger& tagger, const CommonOptions& common) {
    const TaggerPart& part = chosen_part(tagger);
    ProblemLog log(common);
    Output output = Output::open(output_.path);
    // Sentences without an id are named by their number, so lists are numbered as they leave.
    struct List {
      std::string id, text;
    };
    std::size_t number = 0;
    stream_treebank<std::vector<List>>(
        input_, common, "tag", log,
        [&](Entry&& entry, std::vector<List>& lists) {
          const auto scratch = scratches_.take();
          const Sentence sentence = words_of(entry);
          if (candidates_) {
            lists.push_back({std::string(), candidates_of(tagger, part, sentence, *scratch)});
            return;
          }
          const auto id = sentence.comment("sent_id");
          const auto make = lists_as_json_ ? tag_list_json : tag_list;
          lists.push_back({std::string(id.value_or("")),
                           make(part.tagger, sentence, tagger.entities(), nbest_, *scratch)});
        },
        [](const std::string&, std::vector<List>&) {},
        [&](std::vector<List>&& lists) {
          for (const List& list : lists) {
            ++number;
            if (candidates_) {
              output.write(list.text);
              continue;
            }
            const std::string id = list.id.empty() ? std::to_string(number) : list.id;
            output.write(lists_as_json_ ? fmt::format("{{\"id\": {}, \"sequences\": {}}}\n",
                                                      json_string(id), list.text)
                                        : with_id(list.text, id));
          }
        });
    output.commit();
    return log.finish("left out");
  }

  std::string candidates_of(const Tagger& tagger, const TaggerPart& part, const Sentence& sentence,
                            TagScratch& scratch) const {
    Candidates list = tag_candidates(part, sentence, tagger.entities(), nbest_, scratch);
    if (graded_) grade_tags(list, part, sentence, tagger.entities());
    std::string text;
    append_candidates(list, text);
    return text;
  }

  const TaggerPart& chosen_part(const Tagger& tagger) const {
    const auto& parts = tagger.parts();
    if (column_.empty() && parts.size() == 1) return parts.front();
    std::string names;
    for (const TaggerPart& part : parts) {
      for (const Column column : part.columns) {
        if (name_of_tag_column(column) == column_) return part;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of_tag_column(column));
      }
    }
    throw usage_error(fmt::format("--nbest needs --column, one of {}", names));
  }

  std::string model_, column_;
  TreebankInput input_;
  TreebankOutputOptions output_;
  TagOptions options_;
  bool marginals_ = false, candidates_ = false, graded_ = false, lists_as_json_ = false;
  int nbest_ = 0;
  int beam_ = -1;
  Pool<TagScratch> scratches_;
};

}  // namespace

std::unique_ptr<Command> make_tag_command() {
  return std::make_unique<TagCommand>();
}

}  // namespace copse

// copse tokenize: raw text in, sentences, tokens and words out.
#include <fmt/core.h>

#include <cstdio>
#include <map>
#include <memory>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/base/progress.h"
#include "copse/base/stream.h"
#include "copse/cli/commands.h"
#include "copse/model/provenance.h"
#include "copse/tokenize/rule_tokenizer.h"
#include "copse/tokenize/text_blocks.h"
#include "copse/tokenize/tokenized_text.h"
#include "copse/tokenize/trained_tokenizer.h"
#include "copse/treebank/formats.h"

namespace copse {
namespace {

const std::map<std::string, LineEnds> kLineEnds = {{"space", LineEnds::blanks},
                                                   {"paragraph", LineEnds::paragraphs},
                                                   {"sentence", LineEnds::sentences}};

class TokenizeCommand : public Command {
 public:
  std::string_view name() const override { return "tokenize"; }
  std::string_view summary() const override {
    return "Cut raw text into sentences, tokens and words";
  }
  std::vector<Example> examples() const override {
    return {
        {"tokenize -m english.copse letter.txt -o letter.conllu", "with a trained model"},
        {"tokenize -m english.copse --to text < letter.txt", "one sentence per line"},
        {"tokenize --rules english-ptb letter.txt", "English by rule, Penn Treebank conventions"},
        {"tokenize --rules english-ptb --to json letter.txt", "a line of JSON per sentence"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_option(
        "IN", paths_,
        "Text files, UTF-8; standard input when there are none. .gz and .zst are unpacked");
    app.add_option("-m,--model", model_, "A model made by 'copse train tokenizer'")
        ->type_name("MODEL");
    app.add_option("--rules", rules_, "Rules instead of a model: english-ptb")
        ->check(CLI::IsMember({"english-ptb"}));
    app.add_option("-o,--output", output_, "Where to write; standard output if not given")
        ->type_name("FILE");
    app.add_option("--to", format_,
                   "conllu; text: one sentence per line, words parted by blanks; json: one object "
                   "per sentence")
        ->capture_default_str()
        ->check(CLI::IsMember({"conllu", "text", "json"}));
    app.add_option(
           "--newline", line_ends_,
           "What a single line end is: space (the model decides), paragraph (a paragraph "
           "ends), sentence (each line is one sentence). Blank lines always end a paragraph")
        ->capture_default_str()
        ->check(CLI::IsMember({"space", "paragraph", "sentence"}));
    app.add_flag("--one-per-line", one_per_line_, "Each line is one sentence: --newline sentence");
    app.add_flag("--ranges,!--no-ranges", options_.ranges,
                 "TokenRange=begin:end in MISC: where the token is in its file, in characters; on "
                 "unless --no-ranges");
    const std::string rules = "With --rules";
    app.add_flag("--ptb-brackets", rule_options_.ptb_brackets, "Write ( as -LRB-, and so on")
        ->group(rules);
    app.add_flag("--keep-quotes", rule_options_.keep_quotes, "Leave \" as it is; else `` and ''")
        ->group(rules);
    app.add_flag("--split-hyphens", rule_options_.split_hyphens,
                 "Make hyphens inside of words tokens of their own")
        ->group(rules);
    app.add_flag("--split-urls", rule_options_.split_addresses,
                 "Cut URLs, e-mail addresses, @names and #tags like other text")
        ->group(rules);
    app.add_option("--max-paragraph-bytes", blocks_.max_paragraph_bytes,
                   "A longer paragraph is cut, at the end of a sentence if possible")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1024}, std::size_t{64} << 20))
        ->group("Limits");
  }

  ExitCode run(const CommonOptions& common) override {
    if (one_per_line_) line_ends_ = "sentence";
    options_.line_ends = blocks_.line_ends = kLineEnds.at(line_ends_);
    options_.plain_text = format_ == "text";
    options_.max_words = common.limits.max_words;
    const auto tokenizer = make_tokenizer();
    Output output = Output::open(output_);
    if (paths_.empty()) paths_.push_back("-");
    for (const std::string& path : paths_) stream(*tokenizer, path, common, output);
    output.commit();
    return ExitCode::fine;
  }

 private:
  std::unique_ptr<Tokenizer> make_tokenizer() const {
    if (model_.empty() == rules_.empty()) {
      throw usage_error("expected either -m MODEL or --rules english-ptb",
                        "a model is made by 'copse train tokenizer'");
    }
    if (!rules_.empty()) return std::make_unique<RuleTokenizer>(rule_options_);
    if (rule_options_.ptb_brackets || rule_options_.keep_quotes || rule_options_.split_hyphens ||
        rule_options_.split_addresses) {
      throw usage_error(
          "--ptb-brackets, --keep-quotes, --split-hyphens and --split-urls belong to --rules");
    }
    return std::make_unique<TrainedTokenizer>(TrainedTokenizer::load(model_));
  }

  // The columns made here as JSON: they are read again, which costs little beside making them.
  static std::string as_json(const std::string& columns) {
    const auto writer = make_writer(Format::json);
    std::string out;
    for (const ReadItem& item : make_reader(Format::conllu)->parse({columns, "", 1}).items) {
      if (item.error) throw Error(*item.error);
      writer->write(item.entry, out);
    }
    return out;
  }

  void stream(const Tokenizer& tokenizer, const std::string& path, const CommonOptions& common,
              Output& output) {
    Input input = Input::open(path);
    const std::string document = path == "-" ? "" : file_name(path);
    TextBlockReader reader(input, blocks_);
    Progress progress(std::string(name()), "tokens", !common.quiet);
    std::size_t tokens = 0;
    std::size_t cut_paragraphs = 0;
    std::size_t cut_sentences = 0;
    struct Done {
      TokenizedBlock block;
      bool cut_short = false;
    };
    stream_in_order<TextBlock, Done>(
        common.threads, [&] { return reader.next(); },
        [&](const TextBlock& block) {
          return Done{tokenize_block(tokenizer, block, document, options_), block.cut_short};
        },
        [&](Done&& done) {
          const std::string sentences = done.block.numbered(next_id_);
          output.write(format_ == "json" ? as_json(sentences) : sentences);
          next_id_ += done.block.id_places.size();
          tokens += done.block.tokens;
          cut_paragraphs += done.cut_short ? 1 : 0;
          cut_sentences += done.block.cut_sentences;
          std::optional<double> share;
          if (const auto size = input.file_size(); size && *size > 0) {
            share = static_cast<double>(input.bytes_consumed()) / static_cast<double>(*size);
          }
          progress.update(tokens, share);
        });
    if (common.quiet) return;
    if (cut_paragraphs > 0) {
      fmt::print(stderr, "copse: warning: {}: paragraphs longer than {} bytes were cut, {} times\n",
                 input.name(), blocks_.max_paragraph_bytes, cut_paragraphs);
    }
    if (cut_sentences > 0) {
      fmt::print(stderr, "copse: warning: {}: sentences longer than {} words were cut, {} times\n",
                 input.name(), options_.max_words, cut_sentences);
    }
  }

  std::vector<std::string> paths_;
  std::string model_;
  std::string rules_;
  RuleTokenizerOptions rule_options_;
  std::string output_ = "-";
  std::string format_ = "conllu";
  std::string line_ends_ = "space";
  bool one_per_line_ = false;
  TokenizedTextOptions options_;
  TextBlockOptions blocks_;
  std::uint64_t next_id_ = 1;  // of sentences, over all files
};

}  // namespace

std::unique_ptr<Command> make_tokenize_command() {
  return std::make_unique<TokenizeCommand>();
}

}  // namespace copse

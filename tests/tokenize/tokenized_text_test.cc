#include "copse/tokenize/tokenized_text.h"

#include <gtest/gtest.h>

#include <array>
#include <stop_token>

#include "copse/tokenize/rule_tokenizer.h"
#include "copse/tokenize/space_escapes.h"
#include "copse/treebank/treebank.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

using testing::awkward_text;
using testing::fixture_tokenizer;
using testing::parse_conllu;

bool has_tokens(const std::string& text) {
  Characters characters;
  characters.read(std::string_view(text).substr(text.starts_with("\uFEFF") ? 3 : 0));
  return !characters.chunks().empty();
}

// Reads "begin:end" and cuts that out of the code points of the text.
std::string range_of(const std::u32string& points, std::string_view range) {
  const std::size_t colon = range.find(':');
  const std::size_t begin = std::stoul(std::string(range.substr(0, colon)));
  const std::size_t end = std::stoul(std::string(range.substr(colon + 1)));
  std::string out;
  for (std::size_t i = begin; i < end; ++i) append_utf8(points.at(i), out);
  return out;
}

void ExpectFaithful(const Tokenizer& tokenizer, const std::string& text,
                    const TokenizedTextOptions& options) {
  const auto entries = parse_conllu(tokenize_text(tokenizer, text, options));
  if (has_tokens(text)) {
    EXPECT_EQ(restore_text(entries), text);
  } else {
    EXPECT_TRUE(entries.empty());
  }
  std::u32string points;
  for_each_code_point(text, [&](char32_t point) { points += point; });
  for (const Entry& entry : entries) {
    for (const SurfaceToken& token : surface_tokens(entry.sentence)) {
      const auto range = misc_value(token.misc, "TokenRange");
      EXPECT_EQ(range.has_value(), options.ranges);
      if (!range) continue;
      EXPECT_EQ(range_of(points, *range), replace_invalid_utf8(token.form));
    }
  }
}

TEST(TokenizedText, InputComesBackByteForByte) {
  Random random(5);
  const RuleTokenizer rules;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const std::string text = awkward_text(random, random.between(0, 60));
    TokenizedTextOptions options;
    options.line_ends = static_cast<LineEnds>(random.below(3));
    options.ranges = random.chance(0.8);
    ExpectFaithful(rules, text, options);
    ExpectFaithful(fixture_tokenizer(), text, options);
  }
}

// The sentences, written, are the bytes that the writer of lines gives.
TEST(TokenizedText, SentencesAreWhatTheLinesSay) {
  Random random(6);
  const RuleTokenizer rules;
  const std::array<const Tokenizer*, 2> tokenizers{&rules, &fixture_tokenizer()};
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const std::string text = awkward_text(random, random.between(0, 60));
    TokenizedTextOptions options;
    options.line_ends = static_cast<LineEnds>(random.below(3));
    options.ranges = random.chance(0.8);
    options.max_words = random.chance(0.5) ? 3 : 50'000;
    for (const Tokenizer* tokenizer : tokenizers) {
      std::string written;
      for (Sentence& sentence : tokenize_sentences(*tokenizer, text, options)) {
        written += to_string({std::move(sentence), {}}, Format::conllu);
      }
      EXPECT_EQ(written, tokenize_text(*tokenizer, text, options));
    }
  }
}

TEST(TokenizedText, SaysWhereDocumentsParagraphsAndSentencesBegin) {
  EXPECT_EQ(tokenize_text(fixture_tokenizer(), "  The shop opened.\n\nBen left.\n", {}),
            "# newdoc\n# newpar\n# sent_id = 1\n# text = The shop opened.\n"
            "1\tThe\t_\t_\t_\t_\t_\t_\t_\tSpacesBefore=\\s\\s|TokenRange=2:5\n"
            "2\tshop\t_\t_\t_\t_\t_\t_\t_\tTokenRange=6:10\n"
            "3\topened\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|TokenRange=11:17\n"
            "4\t.\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\n\\n|TokenRange=17:18\n\n"
            "# newpar\n# sent_id = 2\n# text = Ben left.\n"
            "1\tBen\t_\t_\t_\t_\t_\t_\t_\tTokenRange=20:23\n"
            "2\tleft\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|TokenRange=24:28\n"
            "3\t.\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\n|TokenRange=28:29\n\n");
}

TEST(TokenizedText, InvalidBytesAreReplacedInFormAndKeptInMisc) {
  const std::string out = tokenize_text(RuleTokenizer(), "caf\xE9 x", {.ranges = false});
  EXPECT_NE(out.find("# text = caf\uFFFD x\n"), std::string::npos);
  EXPECT_NE(out.find("1\tcaf\uFFFD\t_\t_\t_\t_\t_\t_\t_\tRawForm=caf\\xE9\n"), std::string::npos);
}

TEST(TokenizedText, AByteOrderMarkIsNoPartOfTheFirstToken) {
  const std::string text = "\uFEFF Ben left.";
  const std::string out = tokenize_text(RuleTokenizer(), text, {});
  EXPECT_NE(out.find("1\tBen\t_\t_\t_\t_\t_\t_\t_\tSpacesBefore=\\uFEFF\\s|TokenRange=2:5\n"),
            std::string::npos);
  EXPECT_EQ(restore_text(parse_conllu(out)), text);
}

TEST(TokenizedText, ALineIsASentenceOnRequest) {
  TokenizedTextOptions options;
  options.plain_text = true;
  options.line_ends = LineEnds::sentences;
  EXPECT_EQ(tokenize_text(RuleTokenizer(), "One. Two.\nthree\n\nfour", options),
            "One . Two .\nthree\nfour\n");
  options.line_ends = LineEnds::blanks;
  EXPECT_EQ(tokenize_text(RuleTokenizer(), "One. Two.\nthree\n\nfour", options),
            "One .\nTwo . three\nfour\n");
}

TEST(TokenizedText, LongSentencesAreCut) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "word ";
  TokenizedTextOptions options;
  options.max_words = 30;
  const auto entries = parse_conllu(tokenize_text(RuleTokenizer(), text, options));
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].sentence.words(), 30);
  EXPECT_EQ(entries[3].sentence.words(), 10);
  EXPECT_EQ(restore_text(entries), text);
}

TEST(TokenizedText, BlocksGiveTheSameAsTheWhole) {
  std::string text;
  Random random(9);
  for (int i = 0; i < 50; ++i) text += "Ben sold 3 boats. It rained!\n\n";
  const std::string whole = tokenize_text(fixture_tokenizer(), text, {});
  Input input = Input::from_memory(text, "test");
  TextBlockReader blocks(input, {.block_bytes = 64});
  std::string parts;
  std::uint64_t id = 1;
  int count = 0;
  while (const auto block = blocks.next()) {
    const auto done = tokenize_block(fixture_tokenizer(), *block, "", {});
    parts += done.numbered(id);
    id += done.id_places.size();
    ++count;
  }
  EXPECT_GT(count, 10);
  EXPECT_EQ(parts, whole);
}

// Says stop while it works on the paragraph of that number.
class StoppingTokenizer : public Tokenizer {
 public:
  explicit StoppingTokenizer(int at) : at_(at) {}
  void segment(std::string_view paragraph, Scratch& scratch, Segmentation& out) const override {
    if (++segmented == at_) source.request_stop();
    words_.segment(paragraph, scratch, out);
  }

  mutable std::stop_source source;
  mutable int segmented = 0;

 private:
  RuleTokenizer words_;
  int at_;
};

TEST(TokenizedText, StopsWhenItIsToldTo) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "A paragraph.\n\n";
  const StoppingTokenizer tokenizer(3);
  TokenizedTextOptions options;
  options.stop = Stop(tokenizer.source.get_token());
  EXPECT_THROW(tokenize_sentences(tokenizer, text, options), Stopped);
  EXPECT_EQ(tokenizer.segmented, 3);
}

TEST(TokenizedText, StopsInsideOfAParagraph) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += "word, ";
  std::stop_source source;
  source.request_stop();
  const RuleTokenizer rules;
  for (const Tokenizer* tokenizer : std::array<const Tokenizer*, 2>{&fixture_tokenizer(), &rules}) {
    Tokenizer::Scratch scratch;
    Segmentation found;
    tokenizer->segment(text, scratch, found);
    EXPECT_EQ(found.tokens.size(), 20'000U);
    scratch.stop = Stop(source.get_token());
    EXPECT_THROW(tokenizer->segment(text, scratch, found), Stopped);
  }
}

}  // namespace
}  // namespace copse

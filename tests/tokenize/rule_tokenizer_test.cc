#include "copse/tokenize/rule_tokenizer.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/base/input.h"
#include "copse/tokenize/tokenized_text.h"
#include "tests/tokenize/tokenize_testing.h"

namespace copse {
namespace {

using testing::show;

struct Case {
  const char* text;
  const char* tokens;
};

void ExpectAll(const Tokenizer& tokenizer, std::initializer_list<Case> cases) {
  for (const auto& [text, tokens] : cases) EXPECT_EQ(show(tokenizer, text), tokens) << text;
}

TEST(RuleTokenizer, Quotes) {
  ExpectAll(RuleTokenizer(), {
                                 {"\"Hi,\" he said.", "`` Hi , '' he said ."},
                                 {"(\"Hi\")", "( `` Hi '' )"},
                                 {"He said \" no \" twice", "He said `` no '' twice"},
                                 {"the 'old' mill", "the ' old ' mill"},
                                 {"\u201CHi\u201D", "\u201C Hi \u201D"},
                             });
  ExpectAll(RuleTokenizer({.keep_quotes = true}), {{"\"Hi\"", "\" Hi \""}});
}

TEST(RuleTokenizer, Marks) {
  ExpectAll(RuleTokenizer(), {
                                 {"Wait... what?!", "Wait ... what ?!"},
                                 {"wait...what", "wait ... what"},
                                 {"one,two;three", "one , two ; three"},
                                 {"no--yes", "no -- yes"},
                                 {"a\u2014b", "a \u2014 b"},
                                 {"friend(s)", "friend ( s )"},
                                 {"Q&A, AT&T, salt & oil", "Q&A , AT&T , salt & oil"},
                             });
  ExpectAll(RuleTokenizer({.ptb_brackets = true}),
            {{"(a [b] {c})", "-LRB- a -LSB- b -RSB- -LCB- c -RCB- -RRB-"}});
}

TEST(RuleTokenizer, FullStops) {
  ExpectAll(RuleTokenizer(),
            {
                {"He left.", "He left ."},
                {"He left.\")", "He left . '' )"},
                {"Mr. Pell met Dr. Quill.", "Mr. Pell met Dr. Quill ."},
                {"He is in the U.S.", "He is in the U.S."},
                {"at 5 p.m. sharp", "at 5 p.m. sharp"},
                {"J. R. Holm", "J. R. Holm"},
                {"It was I.", "It was I ."},
                {"No. 5", "No. 5"},
                {"He said no.", "He said no ."},
                {"Mon.-Fri.", "Mon.-Fri."},
                {"Open Fri. (9:00\u201317:30) only.", "Open Fri. ( 9:00\u201317:30 ) only ."},
                {"Open Sat. (9:00\u201317:30) only.", "Open Sat. ( 9:00\u201317:30 ) only ."},
                {"She sat. (He stood.)", "She sat . / ( He stood . )"},
                {"see file.txt.", "see file.txt ."},
            });
}

TEST(RuleTokenizer, Contractions) {
  ExpectAll(RuleTokenizer(),
            {
                {"don't Can't WON'T", "do n't Ca n't WO N'T"},
                {"I'll we're they've he's I'm she'd", "I 'll we 're they 've he 's I 'm she 'd"},
                {"I'd've", "I 'd 've"},
                {"it\u2019s don\u2019t", "it \u2019s do n\u2019t"},
                {"the boys' toys", "the boys ' toys"},
                {"cannot Gimme gonna gotta lemme wanna gotcha",
                 "can not Gim me gon na got ta lem me wan na got cha"},
                {"d'ye more'n 'tis 'Twas whaddya", "d' ye more 'n 't is 'T was wha dd ya"},
                {"'tis, they say", "'t is , they say"},
                {"6 o'clock, the '90s, get 'em", "6 o'clock , the '90s , get 'em"},
            });
}

TEST(RuleTokenizer, Numbers) {
  ExpectAll(RuleTokenizer(), {
                                 {"1,234.5 3/4 12/31 9:30", "1,234.5 3/4 12/31 9:30"},
                                 {"10% of $5, US$5", "10 % of $ 5 , US$ 5"},
                                 {"#1 and \u20AC3.50", "# 1 and \u20AC 3.50"},
                             });
}

TEST(RuleTokenizer, Addresses) {
  const char* text = "See http://a.org/b?c=1,d. Mail a.b@c.org, @joe #fun :-)";
  EXPECT_EQ(show(RuleTokenizer(), text),
            "See http://a.org/b?c=1,d . / Mail a.b@c.org , @joe #fun :-)");
  EXPECT_EQ(show(RuleTokenizer({.split_addresses = true}), "a@b"), "a @ b");
}

TEST(RuleTokenizer, Hyphens) {
  EXPECT_EQ(show(RuleTokenizer(), "a well-known X-ray, -5"), "a well-known X-ray , -5");
  EXPECT_EQ(show(RuleTokenizer({.split_hyphens = true}), "a well-known one, -5"),
            "a well - known one , -5");
}

TEST(RuleTokenizer, Sentences) {
  ExpectAll(RuleTokenizer(),
            {
                {"He ran. She sat! Why? ok", "He ran . / She sat ! / Why ? ok"},
                {"\"Go!\" he said. \"No.\" They left.",
                 "`` Go ! '' he said . / `` No . '' / They left ."},
                {"Mr. Pell came. Dr. Quill left.", "Mr. Pell came . / Dr. Quill left ."},
                {"He works at Brindle Inc. The pay is good.",
                 "He works at Brindle Inc. / The pay is good ."},
                {"The U.S. Army left.", "The U.S. Army left ."},
                {"1. Mix it. 2. Bake it.", "1 . Mix it . / 2 . Bake it ."},
                {"(He ran.) She sat.", "( He ran . ) / She sat ."},
                {"wait... what", "wait ... what"},
            });
}

TEST(RuleTokenizer, NothingInNothingOut) {
  EXPECT_EQ(show(RuleTokenizer(), ""), "");
  EXPECT_EQ(show(RuleTokenizer(), " \n\t"), "");
}

// Joining tokens with the gaps between them gives the text; whatever the text is.
TEST(RuleTokenizer, CoversAnyText) {
  Random random(17);
  Tokenizer::Scratch scratch;
  Segmentation found;
  for (int round = 0; round < 1000; ++round) {
    SCOPED_TRACE(round);
    const RuleTokenizer tokenizer(
        {random.chance(0.5), random.chance(0.5), random.chance(0.5), random.chance(0.2)});
    const std::string text = testing::awkward_text(random, random.between(0, 40));
    tokenizer.segment(text, scratch, found);
    testing::ExpectSoundSegmentation(text, found);
  }
}

TEST(RuleTokenizer, LongRunsOfMarksTakeNoTimeToSpeakOf) {
  Tokenizer::Scratch scratch;
  Segmentation found;
  for (const char* piece : {"'", "\"'", "')", "-.'", "a.", "n't", "U.", "$", "(", "@a"}) {
    std::string text;
    while (text.size() < 300'000) text += piece;
    RuleTokenizer().segment(text, scratch, found);
    testing::ExpectSoundSegmentation(text, found);
  }
}

std::vector<std::string> lines_of(std::string text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.erase(0, end + 1);
  }
  return lines;
}

TEST(RuleTokenizer, LeavesTokenisedTextAsItIs) {
  const std::string text =
      Input::open(testing::fixture("raw.txt")).read_all(std::size_t{1} << 20) +
      "Gimme 'tis d'ye more'n whaddya cannot; \"I'd've (gone)\", the boys' $5 US$5 10%!? 'Yes.' "
      "wait--what... ''quoted'' No. 5 no. AT&T #1 #fun @joe a@b.c 'em '90s I. It's U.S.";
  for (const bool keep : {false, true}) {
    const RuleTokenizer tokenizer({.ptb_brackets = !keep, .keep_quotes = keep});
    TokenizedTextOptions options;
    options.plain_text = true;
    const std::string once = tokenize_text(tokenizer, text, options);
    options.line_ends = LineEnds::sentences;
    const std::string twice = tokenize_text(tokenizer, once, options);
    EXPECT_EQ(lines_of(twice), lines_of(once));
  }
}

TEST(RuleTokenizer, RefusesRulesWithoutASection) {
  EXPECT_THROW(RuleTokenizer({}, "word\n"), Error);
}

}  // namespace
}  // namespace copse

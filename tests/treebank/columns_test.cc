#include "copse/treebank/columns.h"

#include <gtest/gtest.h>

#include "copse/base/input.h"
#include "copse/treebank/block_reader.h"

namespace copse {
namespace {

std::vector<Entry> read(const std::string& text) {
  Input input = Input::from_memory(text, "test");
  return read_all(input, *make_columns_reader(), {});
}

TEST(Columns, WordTagAndTheRestComeBack) {
  const std::string text = "The\tDT\tB-NP\ndog\tNN\tI-NP\n\nRun\tVB\n\n";
  std::string out;
  const auto entries = read(text);
  ASSERT_EQ(entries.size(), 2U);
  for (const Entry& entry : entries) make_columns_writer()->write(entry, out);
  EXPECT_EQ(out, text);
}

TEST(Columns, BlanksSeparateWhereThereIsNoTab) {
  const auto entries = read("a  X Y Z\r\n\r\n\r\nb c\tT");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].sentence.misc(1), "Y Z");
  EXPECT_EQ(entries[1].sentence.form(1), "b c");
  EXPECT_EQ(entries[1].sentence.xpos(1), "T");
}

TEST(Columns, BadLinesAreRefusedWithTheirPlace) {
  for (const std::string bad : {"ok T\n\xFF T\n", "ok T\n\tT\n"}) {
    try {
      read(bad);
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      EXPECT_EQ(error.place().line, 2U);
    }
  }
}

TEST(Columns, AreToldFromTextAndTrees) {
  EXPECT_TRUE(looks_like_columns("( Fpa O\nx NP O\n\n"));
  EXPECT_TRUE(looks_like_columns("x\tNP\n\n"));
  EXPECT_FALSE(looks_like_columns("Dogs bark loudly\nCats sleep well\n")) << "three words, twice";
  EXPECT_FALSE(looks_like_columns("A dog barks .\nIt is late now .\n"));
  EXPECT_FALSE(looks_like_columns("( (S (NP a) (VP b)) )\n( (S c) )\n"));
  EXPECT_FALSE(looks_like_columns("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"));
  EXPECT_FALSE(looks_like_columns(""));
}

TEST(Columns, LimitsAreNamed) {
  const auto error_of = [](const std::string& bytes, const Limits& limits) -> std::string {
    const Parsed parsed = make_columns_reader(limits)->parse({bytes, "t", 1});
    return parsed.items.at(0).error ? parsed.items[0].error->what() : "no error";
  };
  const std::string bytes = "Bob\tNNP\nsleeps\tVBZ\n\n";
  EXPECT_EQ(error_of(bytes, {}), "no error");
  Limits limits;
  limits.max_words = 1;
  EXPECT_NE(error_of(bytes, limits).find("more than 1 words, the limit"), std::string::npos);
  limits = {};
  limits.max_line_bytes = 8;
  EXPECT_NE(error_of(bytes, limits).find("the line has 10 bytes; the limit is 8"),
            std::string::npos);
  EXPECT_NE(error_of("B\xFF\tNNP\n\n", {}).find("byte 0xFF is not valid UTF-8"), std::string::npos);
}

}  // namespace
}  // namespace copse

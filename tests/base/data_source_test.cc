#include "copse/base/data_source.h"

#include <gtest/gtest.h>

#include "copse/base/random.h"

namespace copse {
namespace {

TEST(Checksum, IsSixteenDigitsOfXxh3) {
  EXPECT_EQ(checksum_text(""), "2d06800538d394c2");  // XXH3 of nothing, from its specification
  EXPECT_NE(checksum_text("a"), checksum_text("b"));
  EXPECT_EQ(checksum_text("a").size(), 16U);
}

TEST(Checksum, OfPiecesIsThatOfTheWhole) {
  Random random(3);
  for (const std::size_t size : {0U, 1U, 17U, 240U, 241U, 5000U, 100000U}) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    Checksum sum;
    EXPECT_EQ(sum.text(), checksum_text(""));
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::size_t piece = std::min<std::size_t>(rest.size(), random.below(3000));
      sum.add(rest.substr(0, piece));
      rest.remove_prefix(piece);
    }
    EXPECT_EQ(sum.text(), checksum_text(bytes)) << size;
    EXPECT_EQ(sum.text(), checksum_text(bytes)) << "asked twice";
  }
}

TEST(DataSource, FoldersAreLeftOutOfNames) {
  EXPECT_EQ(file_name("a/b/train.conllu"), "train.conllu");
  EXPECT_EQ(file_name("/train.conllu"), "train.conllu");
  EXPECT_EQ(file_name("train.conllu"), "train.conllu");
}

}  // namespace
}  // namespace copse

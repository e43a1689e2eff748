// Telling formats apart, and cutting streams that somebody waits at.
#include "copse/treebank/formats.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "copse/treebank/block_reader.h"
#include "copse/treebank/treebank.h"
#include "tests/source_dir.h"

namespace copse {
namespace {

TEST(Formats, OnlyWhatIsSureIsTold) {
  EXPECT_EQ(format_of_bytes(""), Format::conllu);
  EXPECT_EQ(format_of_bytes("\n \n"), Format::conllu);
  EXPECT_EQ(format_of_bytes("# sent_id = 1\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"), Format::conllu);
  EXPECT_EQ(format_of_bytes("1-2\tam\t_\t_\t_\t_\t_\t_\t_\t_\n"), Format::conllu);
  EXPECT_EQ(format_of_bytes("\xEF\xBB\xBF"
                            "1\ta\t_\tX\t_\n"),
            Format::conllu)
      << "to be refused";
  EXPECT_EQ(format_of_bytes("1 a _ X _ _ 0 root _ _\n"), Format::conllu) << "to be refused";
  EXPECT_EQ(format_of_bytes("(S (NP (NN a)))\n"), Format::ptb);
  EXPECT_EQ(format_of_bytes("\n( (S (NP (NN a)) \n"), Format::ptb) << "goes on";
  EXPECT_EQ(format_of_bytes("(NN a)\n(NN b)\n"), Format::ptb);
  EXPECT_EQ(format_of_bytes("(NN a)\n"), Format::ptb);
  EXPECT_EQ(format_of_bytes("*x*x header\n(S (NN a))"), Format::ptb);
  EXPECT_EQ(format_of_bytes("{\"tokens\": []}\n"), Format::json);
  EXPECT_EQ(format_of_bytes("The\tDT\ncat\tNN\n\n"), Format::columns);
  EXPECT_EQ(format_of_bytes("EU B-ORG\nrejects O\n"), Format::columns);

  EXPECT_EQ(format_of_bytes("The cat sat .\n"), std::nullopt);
  EXPECT_EQ(format_of_bytes("Dogs bark loudly\nCats sleep well\n"), std::nullopt);
  EXPECT_EQ(format_of_bytes("(in 1999) he left\n"), std::nullopt);
  EXPECT_EQ(format_of_bytes("(Reuters) - He left .\n"), std::nullopt);
  EXPECT_EQ(format_of_bytes("{a} is a set\n"), std::nullopt);
  EXPECT_EQ(format_of_bytes("1999 was a good year for all of us , too .\n"), Format::conllu);
  EXPECT_EQ(format_of_bytes("12 men sat there\n"), std::nullopt);
}

TEST(Formats, EndingsOfNames) {
  EXPECT_EQ(format_of_file("a.bio"), Format::columns);
  EXPECT_EQ(format_of_file("a.tsv.gz"), Format::columns);
  EXPECT_EQ(format_of_file("a.conllu.zst"), Format::conllu);
  EXPECT_EQ(format_of_file("a.png"), std::nullopt);
}

// A pipe has only one reading in it: what was looked at to tell the format is not lost.
TEST(Formats, APipeIsReadFromItsFirstByte) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("copse-pipe-" + std::to_string(::getpid())))
          .string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string sentence = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n";
  std::thread writer([&] {
    std::ofstream out(path);
    for (int i = 0; i < 20'000; ++i) out << sentence;
  });
  const auto entries = read_treebank(path);
  writer.join();
  std::filesystem::remove(path);
  EXPECT_EQ(entries.size(), 20'000U);
}

// Each sentence is handed out when its end has come, before anything follows it.
TEST(Formats, InteractiveBlocksEndWithTheSentence) {
  const std::pair<Format, std::string> cases[] = {
      {Format::conllu, "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"},
      {Format::columns, "a\tX\n\n"},
      {Format::ptb, "(S (NN a))\n"},
      {Format::text, "a b\n"},
      {Format::json, "{\"tokens\": [{\"id\": 1, \"form\": \"a\"}]}\n"}};
  for (const auto& [format, sentence] : cases) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    Input input = Input::open("/dev/fd/" + std::to_string(ends[0]));
    const auto reader = make_reader(format);
    BlockReader blocks(input, *reader, {}, 1 << 16, true);
    for (int i = 0; i < 3; ++i) {
      ASSERT_GT(::write(ends[1], sentence.data(), sentence.size()), 0);
      const auto block = blocks.next();  // waits for ever if it waits for more
      ASSERT_TRUE(block) << name_of(format);
      EXPECT_EQ(block->bytes, sentence) << name_of(format);
      EXPECT_EQ(reader->parse(*block).items.size(), 1U) << name_of(format);
    }
    ::close(ends[1]);
    EXPECT_FALSE(blocks.next());
    ::close(ends[0]);
  }
}

// The bytes of every sentence are known, used or not: whoever cannot use it passes them on.
TEST(Formats, EveryItemKnowsItsBytes) {
  const std::pair<Format, const char*> files[] = {{Format::conllu, "english.conllu"},
                                                  {Format::conllu, "german.conllu"},
                                                  {Format::ptb, "english.mrg"},
                                                  {Format::columns, "entities.iob"},
                                                  {Format::text, "raw.txt"}};
  for (const auto& [format, name] : files) {
    Input input = Input::open(source_dir() + "/fixtures/" + name);
    const auto reader = make_reader(format);
    const Block block{input.read_all(1 << 24), name, 1};
    std::string all;
    for (const ReadItem& item : reader->parse(block).items) {
      Block alone{raw_bytes(block, item), name, item.first_line};
      EXPECT_EQ(reader->parse(alone).items.size(), 1U) << name << ':' << item.first_line;
      all += alone.bytes;
    }
    const auto squeezed = [](std::string text) {
      std::erase_if(text, [](char c) { return c == '\n' || c == ' '; });
      return text;
    };
    EXPECT_EQ(squeezed(all), squeezed(block.bytes)) << name;
  }
}

}  // namespace
}  // namespace copse

#include "copse/treebank/evaluation/tagging.h"

#include <gtest/gtest.h>

#include "copse/base/error.h"
#include "copse/treebank/evaluation/entities.h"
#include "copse/treebank/evaluation/report.h"

namespace copse {
namespace {

Sentence tagged(const std::vector<std::pair<std::string, std::string>>& words) {
  Sentence sentence;
  for (const auto& [form, tag] : words) {
    sentence.add_word(form);
    sentence.set(sentence.words(), Column::upos, tag);
  }
  return sentence;
}

TEST(Tagging, CountsColumnsAndUnknownWordsApart) {
  const std::vector<Sentence> gold = {tagged({{"the", "DET"}, {"cat", "NOUN"}, {"sat", "VERB"}})};
  const std::vector<Sentence> system = {tagged({{"the", "DET"}, {"cat", "VERB"}, {"sat", "NOUN"}})};
  const Vocabulary vocabulary =
      vocabulary_of(std::vector<Sentence>{tagged({{"the", "X"}, {"sat", "X"}})});
  const TagReport report = evaluate_tags({gold, "g"}, {system, "s"}, &vocabulary);
  EXPECT_EQ(report.upos.all.correct, 1);
  EXPECT_EQ(report.upos.all.words, 3);
  EXPECT_EQ(report.upos.unknown.words, 1);
  EXPECT_EQ(report.upos.unknown.correct, 0);
  EXPECT_EQ(report.xpos.all.correct, 3) << "_ on both sides";
  EXPECT_EQ(report.all_tags.all.correct, 1);
}

TEST(Tagging, ConfusionsAreMostFrequentFirst) {
  const std::vector<Sentence> gold = {tagged({{"a", "A"}, {"b", "B"}, {"c", "B"}, {"d", "D"}})};
  const std::vector<Sentence> system = {tagged({{"a", "X"}, {"b", "Y"}, {"c", "Y"}, {"d", "D"}})};
  const TagReport report = evaluate_tags({gold, "g"}, {system, "s"});
  ASSERT_EQ(report.upos.confusions.size(), 2U);
  EXPECT_EQ(report.upos.confusions[0].gold, "B");
  EXPECT_EQ(report.upos.confusions[0].system, "Y");
  EXPECT_EQ(report.upos.confusions[0].words, 2);
  EXPECT_NE(tags_text(report, 1).find("      2  B -> Y\n"), std::string::npos);
}

TEST(Tagging, ReadsFilesOfWordsAndTags) {
  const std::string text = "the DT B-NP\ncat\tNN\n\nsat VBD\n";
  EXPECT_TRUE(is_column_file(text));
  EXPECT_FALSE(is_column_file("# c\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"));
  const auto sentences = read_column_file(text, "f");
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0].form(2), "cat");
  EXPECT_EQ(sentences[0].xpos(2), "NN");
  EXPECT_THROW(read_column_file("word\n", "f"), Error);
}

EntityReport entities(const std::string& gold, const std::string& system) {
  return evaluate_entities(gold, system, "g", "s");
}

// "B-X I-X O" -> one word per line.
std::string labelled(const std::string& labels) {
  std::string text;
  std::string label;
  int word = 0;
  for (const char c : labels + " ") {
    if (c != ' ') {
      label += c;
    } else if (label == "|") {
      text += "\n";
      label.clear();
    } else if (!label.empty()) {
      text += "w" + std::to_string(word++) + " " + label + "\n";
      label.clear();
    }
  }
  return text;
}

TEST(Entities, CountExactSpansAndTypes) {
  const EntityReport report =
      entities(labelled("B-PER I-PER O B-LOC O B-ORG"), labelled("B-PER I-PER O B-PER O O"));
  EXPECT_EQ(report.total.gold, 3);
  EXPECT_EQ(report.total.system, 2);
  EXPECT_EQ(report.total.correct, 1);
  EXPECT_EQ(report.types.at("PER").system, 2);
  EXPECT_EQ(report.types.at("PER").correct, 1);
  EXPECT_EQ(report.correct_labels, 4);
  EXPECT_DOUBLE_EQ(report.total.f1(), 40);
}

TEST(Entities, TheSameEntitiesInEveryEncoding) {
  const std::string bio = labelled("B-X I-X I-X B-X O B-Y | B-X I-X");
  for (const char* other : {
           "I-X I-X I-X B-X O I-Y | I-X I-X",  // IOB1
           "B-X I-X E-X S-X O S-Y | B-X E-X",  // BIOES
           "B-X M-X L-X U-X O W-Y | B-X L-X",  // mixed spellings of the same
           "S-X C-X C-X S-X O S-Y | S-X C-X",  // SCO
       }) {
    const EntityReport report = entities(bio, labelled(other));
    EXPECT_EQ(report.total.gold, 4) << other;
    EXPECT_EQ(report.total.system, 4) << other;
    EXPECT_EQ(report.total.correct, 4) << other;
  }
}

TEST(Entities, TypesMayBeMissing) {
  EXPECT_EQ(entities(labelled("S C O S"), labelled("B I O B")).total.correct, 2);
}

TEST(Entities, AContinuationWithoutABeginningBeginsAnEntity) {
  const EntityReport report = entities(labelled("B-X I-X O"), labelled("I-X I-X O"));
  EXPECT_EQ(report.total.correct, 1);
  EXPECT_EQ(report.system_unmarked, 1);
  EXPECT_EQ(entities(labelled("B-X I-Y"), labelled("B-X B-Y")).total.correct, 2)
      << "another type begins another entity";
}

TEST(Entities, EntitiesEndWithTheSentence) {
  const EntityReport report = entities(labelled("B-X | I-X"), labelled("B-X | B-X"));
  EXPECT_EQ(report.total.gold, 2);
  EXPECT_EQ(report.total.correct, 2);
}

TEST(Entities, DifferentWordsSentencesOrLabelsAreErrorsWithTheirPlace) {
  const auto message = [](const std::string& gold, const std::string& system) -> std::string {
    try {
      entities(gold, system);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("a O\nb O\n", "a O\nc O\n"), "s:2: word is 'c' but 'b' in g:2");
  EXPECT_EQ(message("a O\nb O\n", "a O\n\nb O\n"),
            "s:3: 'b' begins a sentence here but not in g:2");
  EXPECT_EQ(message("a O\nb O\n", "a O\n"), "s: 1 words but 2 in g");
  EXPECT_EQ(message("a\n", "a O\n"), "g:1: 'a' has no label; expected a word and a label");
  EXPECT_EQ(message("a Q-X\n", "a O\n"),
            "g:1: label 'Q-X'; expected O or B-, I-, E-, S-, C- and a type");
}

}  // namespace
}  // namespace copse

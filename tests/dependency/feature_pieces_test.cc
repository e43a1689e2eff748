// Features put together from the pieces of positions are those of the templates, one by one.
#include "copse/dependency/feature_pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "copse/base/random.h"
#include "copse/inference/part_index.h"
#include "tests/dependency/dependency_testing.h"
#include "tests/inference/chart_oracle.h"

namespace copse {
namespace {

using dependency_testing::fixture;
using Keys = std::vector<FeatureKey>;

constexpr std::array<bool, kTemplateSections> kAll{true, true, true, true, true, true, true};

// Everything that a template can say.
constexpr std::string_view kOdd =
    "[dep]\ncopies = alone dir dist\nown = dir verbs commas\nagain = m.w m.w h.w\n"
    "set = h.c m.attr\nhead = h.attr m.c dist\nagree = agree\nafter = b.t b+1.t\n"
    "when = h.w b.c when m.cc\nguarded = m.t when h.p5 b.cc\nbetween = h.T b.T m.T\n"
    "[stop]\nempty = h.w m.w\n[sib]\ncopies = dist\na = m.t s.t s+1.w\nb = s.w when m.p5\n"
    "c = h.t verbs\n[grand]\ncopies = dir dist\na = g.t h.w m.t\nb = g.w h.attr\n"
    "[gsib]\ncopies = alone dir dist\na = g.t h.w m.t s.w\nb = s.w g.t\nc = g.w s.T m.w\n"
    "d = g.t m.t\ne = g.w m.w when s.cc\nf = h.w s.p5 when m.cc\ng = s+1.t s-1.w h.attr\n"
    "[tsib]\na = h.t t.w s.t m.w\n[label]\ncopies = dir\na = m.w b.c dir\nb = h.f m.f\n";

std::vector<PartFeatures> tables() {
  std::string many = "[dep]\ncopies = dir\n";  // more than one word of bits
  for (int k = 0; k < 150; ++k) many += "t" + std::to_string(k) + " = h.w m.s3\n";
  std::vector<PartFeatures> out;
  for (PartTemplates& each :
       std::vector{parse_part_templates(kOdd, "odd"), parse_part_templates(many, "many"),
                   dependency_testing::built_in_templates("default"),
                   dependency_testing::built_in_templates("pruner")}) {
    out.emplace_back(std::move(each), KeyScheme::summed);
  }
  return out;
}

Keys sorted(Keys keys) {
  std::sort(keys.begin(), keys.end());
  return keys;
}

Keys one_by_one(const PartFeatures& features, int section, const PositionAtoms& atoms,
                const Part& part) {
  Keys keys;
  features.for_each_member(section, atoms, part,
                           [&](FeatureKey key, int, FeatureCopy, int) { keys.push_back(key); });
  return sorted(keys);
}

Keys of_pieces(FeaturePieces& pieces, int section, const Part& part) {
  Keys keys(pieces.most(section, part));
  keys.resize(static_cast<std::size_t>(pieces.append(section, part, keys.data()) - keys.data()));
  return sorted(keys);
}

struct Read {
  explicit Read(const Sentence& sentence) {
    words.fill(sentence, {}, {});
    atoms.fill(words.words(), nullptr);
  }
  ParserWords words;
  PositionAtoms atoms;
};

TEST(FeaturePieces, PartsHaveTheFeaturesOfTheirTemplates) {
  Random random(3);
  FeaturePieces pieces;
  for (const PartFeatures& features : tables()) {
    for (const Sentence& sentence : fixture("english.conllu", 3)) {
      const Read read(sentence);
      pieces.fill(features, read.atoms, kAll);
      const ArcMask mask = reference::random_mask(sentence.words(), 0.4, random);
      for (const Factorisation order : reference::kFactorisations) {
        const PartIndex index(mask, order, RootRule::multi);
        for (int f = 0; f < kPartFamilies; ++f) {
          index.for_each(static_cast<PartFamily>(f), [&](PartIndex::Id, const Part& part) {
            EXPECT_EQ(of_pieces(pieces, f, part), one_by_one(features, f, read.atoms, part))
                << str(part);
          });
        }
      }
    }
  }
}

// What stands between is collected as arcs grow; that must not depend on who is asked before.
TEST(FeaturePieces, ArcsMayBeAskedInAnyOrder) {
  Random random(5);
  FeaturePieces pieces;
  for (const PartFeatures& features : tables()) {
    const Read read(fixture("english.conllu", 1).front());
    const int n = read.atoms.words();
    pieces.fill(features, read.atoms, kAll);
    for (int times = 0; times < 500; ++times) {
      const int h = static_cast<int>(random.below(static_cast<std::uint64_t>(n) + 1));
      const int m = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
      if (h == m) continue;
      const int section = times % 2 == 0 ? static_cast<int>(PartFamily::dep) : kLabelSection;
      const Part part{.h = h, .m = m};
      EXPECT_EQ(of_pieces(pieces, section, part), one_by_one(features, section, read.atoms, part))
          << str(part);
    }
  }
}

TEST(FeaturePieces, SiblingsTogetherHaveTheFeaturesOfEach) {
  FeaturePieces pieces;
  const std::vector<int> siblings{kNobody, 3, 4, 5, 6};
  for (const PartFeatures& features : tables()) {
    const auto sentences = fixture("english.conllu");
    const Read read(*std::ranges::find_if(sentences, [](const auto& s) { return s.words() >= 9; }));
    pieces.fill(features, read.atoms, kAll);
    for (const int g : {0, 1, 9}) {
      Part part{.family = PartFamily::gsib, .g = g, .h = 2, .m = 7};
      pieces.begin_siblings(part);
      KeyBuffer keys;
      std::size_t first = 0;
      for (const int sibling : siblings) {
        part.s = sibling;
        pieces.append_sibling(sibling, keys);
        const auto own = keys.all().subspan(std::exchange(first, keys.size()));
        const int section = static_cast<int>(PartFamily::gsib);
        EXPECT_EQ(sorted(Keys(own.begin(), own.end())),
                  one_by_one(features, section, read.atoms, part));
      }
    }
  }
}

}  // namespace
}  // namespace copse

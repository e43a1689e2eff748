// What a dependency parser reads besides sentences and weights.
#include <string>

#include "copse/base/error.h"
#include "copse/dependency/part_features.h"
#include "fuzz/promise.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

// Every feature of every part that three words can have.
void make_features(const PartFeatures& features, const PositionAtoms& atoms) {
  std::size_t made = 0;
  const auto visit = [&](FeatureKey key, int number, FeatureCopy) {
    promise(number >= 0, "a feature knows its template");
    made += key == kAbsent ? 0 : 1;
  };
  for (int h = 0; h <= 3; ++h) {
    for (int m = 1; m <= 3; ++m) {
      if (h == m) continue;
      features.for_each_of_label(atoms, h, m, visit);
      for (int f = 0; f < kPartFamilies; ++f) {
        features.for_each(atoms, Part{.family = static_cast<PartFamily>(f), .h = h, .m = m}, visit);
      }
    }
  }
  for (const PartFamily family : {PartFamily::stop, PartFamily::grand}) {
    features.for_each(atoms, Part{.family = family, .g = 1, .h = 2}, visit);
  }
}

}  // namespace

void part_templates(std::string_view bytes) {
  if (bytes.size() > (1U << 14U)) return;
  PositionAtoms atoms;
  const std::string form(bytes.substr(0, 40));
  const std::vector<ParserWord> words{{form, "_", "NOUN", "NN", form, true},
                                      {"and", "and", "CCONJ", "CC", "_", true},
                                      {"be", "be", "AUX", "VB", "VerbForm=Inf|Number=Sing", false}};
  atoms.fill(words, nullptr);
  try {
    make_features(PartFeatures(parse_part_templates(bytes, "fuzz")), atoms);
  } catch (const Error& error) {
    promise(error.kind() == ErrorKind::data, "bad templates are a data error");
    promise(error.place().line > 0, "the line is told");
  }
}

}  // namespace copse::fuzz

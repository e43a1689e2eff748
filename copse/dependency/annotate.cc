#include "copse/dependency/annotate.h"

#include <fmt/format.h>

namespace copse {

void write_tree(const DependencyParser& parser, const ParsedTree& tree, const TreeColumns& columns,
                Sentence& sentence) {
  const DependencyTree found = parser.tree_of(tree);
  if (parser.labels().empty()) {
    for (int m = 1; m <= sentence.words(); ++m) sentence.set_head(m, found.head(m));
  } else {
    sentence.set_tree(found);
  }
  const auto write = [&](int m, std::string_view key, const std::vector<double>& probability) {
    sentence.set_misc(m, key, fmt::format("{:.4f}", probability[static_cast<std::size_t>(m)]));
  };
  for (int m = 1; columns.probabilities && m <= sentence.words(); ++m) {
    write(m, "Prob", tree.arc_probability);
    if (!parser.labels().empty()) write(m, "LabelProb", tree.label_probability);
  }
  if (columns.confidence) {
    sentence.set_comment("confidence", fmt::format("{:.4f}", tree.probability));
  }
}

void write_certificate(const DualCertificate& certificate, Sentence& sentence) {
  sentence.set_comment(
      "certificate", certificate.optimal ? "optimal" : fmt::format("gap {:.6f}", certificate.gap));
}

}  // namespace copse

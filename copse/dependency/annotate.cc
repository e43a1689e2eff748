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
  for (int m = 1; columns.probabilities && m <= sentence.words(); ++m) {
    const double probability = tree.arc_probability[static_cast<std::size_t>(m)];
    sentence.set_misc(m, "Prob", fmt::format("{:.4f}", probability));
  }
  if (columns.confidence) {
    sentence.set_comment("confidence", fmt::format("{:.4f}", tree.probability));
  }
}

}  // namespace copse

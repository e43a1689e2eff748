// Features of whole trees for reranking (Collins & Koo 2005, section 5.2), by a table of templates
// (data/tree.features says what the atoms are).
//
// The candidates of a list are nearly the same trees. What a rule gives depends on the rule, the
// heads of its children and the rule above it; each such place is worked out once per list, and the
// rest of its occurrences are a look-up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "copse/rerank/list_features.h"
#include "copse/treebank/head_rules.h"

namespace copse {

struct TreeFeatureOptions {
  std::string templates;               // a table; empty: the built-in one
  std::string head_table = "collins";  // the name of a built-in table or a path
  // Lines of the table whose name is one of these or goes on with '-' or '/' behind it are left
  // out: "rule" leaves out "rule-two-level/closed" as well.
  std::vector<std::string> without;
  // Tags of words that are joined with labels, beside punctuation.
  std::vector<std::string> closed_tags = {"IN",   "TO", "DT",  "PDT", "WDT", "CC", "MD", "PRP",
                                          "PRP$", "WP", "WP$", "WRB", "EX",  "RP", "POS"};
};

// Throws data_error for a table or a head table that is wrong, usage_error when a name in `without`
// leaves nothing out.
std::unique_ptr<FeatureSource> make_tree_features(const TreeFeatureOptions& options);
// What its save() kept.
std::unique_ptr<FeatureSource> load_tree_features(const ModelFile& file);

inline constexpr std::string_view kTreeFeatures = "trees";
// The built-in table.
std::string_view tree_feature_table();

}  // namespace copse

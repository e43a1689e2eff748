// A bundle: all components that take a text to its trees, in one *.copse file. Each component is the
// model file that its own training wrote, kept whole as a section under the name of its kind and
// mapped where it lies.
//
//   config          {"kind": "bundle", "name", "language", "components": [...], "provenance", ...}
//   tokenizer       text to sentences and words       } any of them may be missing
//   tagger          tags, features, lemmas            }
//   dependency      heads and relations               }
//   constituency    phrase-structure trees            }
//   reranker        chooses among the best of those   }
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "copse/model/model_file.h"
#include "copse/pipeline/model.h"

namespace copse {

inline constexpr std::string_view kBundleKind = "bundle";

// In the order in which they work: the kinds of the models, and the names of the sections.
inline constexpr std::array<std::string_view, 5> kBundleParts = {
    "tokenizer", "tagger", "dependency", "constituency", "reranker"};

// The bytes of model files as one bundle, whatever their order. `about` has the name, the language
// and whatever else shall be told of it. Throws data_error for what is no model or of a kind that has
// no place here, and where two are of one kind; usage_error without any.
ModelWriter make_bundle(const std::vector<ModelFile>& components, const nlohmann::json& about);

// What its maker called it, "" if nothing. Throws data_error where that is no text.
std::string bundle_name(const ModelFile& bundle);

// The components of a bundle that are wanted, in the order in which they work; all of them if nothing
// is said. Throws data_error for files of another kind, for sections that hold no such component,
// and for damaged ones; the message names the section.
std::vector<ModelFile> bundle_files(const ModelFile& bundle,
                                    const std::vector<std::string_view>& wanted = {});

}  // namespace copse

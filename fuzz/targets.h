// What the fuzzers do with bytes: one function per kind of input. Each must return normally for
// any bytes; a broken promise ends the process with a message. The same functions replay the
// corpus in the tests.
#pragma once

#include <string_view>

namespace copse::fuzz {

void conllu(std::string_view bytes);
void conllx(std::string_view bytes);
void ptb(std::string_view bytes);
void json(std::string_view bytes);
void text(std::string_view bytes);
void compressed(std::string_view bytes);  // gzip and zstd
void grammar(std::string_view bytes);
void head_rules(std::string_view bytes);
void drawing(std::string_view bytes);     // every drawing of what CoNLL-U or brackets hold
void tokenize(std::string_view bytes);    // rules and a small model
void transforms(std::string_view bytes);  // trees through every transform and back
void evaluation(std::string_view bytes);  // all scorers, the bytes against themselves cut in two
void model_file(std::string_view bytes);  // as they are, and with their checksums made right
void frozen_weights(std::string_view bytes);
void scalar_table(std::string_view bytes);
void part_templates(std::string_view bytes);  // features of a parser, from text to keys
void candidates(std::string_view bytes);      // lists to choose from
void clusters(std::string_view bytes);        // word clusters, text and binary form
void columns(std::string_view bytes);         // simple columns
void n_best(std::string_view bytes);          // lists of parses, text and binary form
void tag_templates(std::string_view bytes);
void boundary_templates(std::string_view bytes);  // of the tokeniser
void evalb_parameters(std::string_view bytes);
void constraints(std::string_view bytes);  // trees in part, completed by a parser
void commands(std::string_view bytes);     // the program over a file
void requests(std::string_view bytes);     // what comes over a connection, to a server
// Models and checkpoints with changes (damage.h) and right checksums, loaded and used.
void model_tokenizer(std::string_view changes);
void model_tagger(std::string_view changes);
void model_maxent_tagger(std::string_view changes);
void model_entities(std::string_view changes);
void model_dependency(std::string_view changes);
void model_crossing(std::string_view changes);
void model_constituency(std::string_view changes);
void model_reranker(std::string_view changes);
void model_tree_kernel(std::string_view changes);
void model_tag_kernel(std::string_view changes);
void model_bundle(std::string_view changes);
void model_linear_kernel(std::string_view changes);
void model_hidden(std::string_view changes);
void model_mixture(std::string_view changes);
void model_history(std::string_view changes);
void model_top_kernel(std::string_view changes);
void model_spinal(std::string_view changes);
void model_incremental(std::string_view changes);
void checkpoint(std::string_view changes);

struct Target {
  std::string_view name;
  void (*run)(std::string_view) = nullptr;
};
// By name; ends the process when there is none.
Target target_named(std::string_view name);

}  // namespace copse::fuzz

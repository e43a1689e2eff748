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

struct Target {
  std::string_view name;
  void (*run)(std::string_view);
};
// By name; ends the process when there is none.
Target target_named(std::string_view name);

}  // namespace copse::fuzz

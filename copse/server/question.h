// What a request asks of a model, whichever way it was sent: a JSON body, a form, the query of the
// address, or a body of plain text. One table of fields (question.cc) reads them all, so that every
// field may be sent every way.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/server/http.h"
#include "copse/server/limits.h"
#include "copse/treebank/formats.h"

namespace copse::server {

// What the tree of a sentence must or must not have.
struct Demand {
  int sentence = 1;
  // An arc: the word, and its head (0: the root), with or without a label.
  int word = 0;
  std::optional<int> head, not_head;
  std::string deprel;
  // Or a span of words, both inside.
  int first = 0, last = 0;
  std::string label;
  bool forbidden = false;
};

enum class AnswerForm { json, conllu, brackets, svg, latex };

struct TreeKinds {
  bool dependency = false, phrase = false;
};

struct Question {
  std::string text;
  Format input = Format::text;
  bool tokenized = false;  // text: a sentence per line, words parted by blanks
  std::string model;       // empty: the default
  AnswerForm output = AnswerForm::json;
  int nbest = 10;                  // of /v1/nbest and /v1/rerank
  bool probabilities = false;      // of arcs, trees, brackets
  bool constraints = false;        // heads and labels of the input stay
  std::optional<TreeKinds> trees;  // nothing: those of wanted_trees (analysis.h)
  std::vector<Demand> demands;
  int sentence = 1;  // of /v1/explain
  int word = 0;      // 0: all, in short
  std::optional<int> head;
  std::string lists;  // of /v1/rerank: candidates instead of text
};

struct FieldInfo {
  std::string_view name;
  std::string_view description;
};
// Every field there is, for the page of documentation, the OpenAPI file and messages.
std::span<const FieldInfo> question_fields();

// Throws Refusal: 400 for what is malformed, 415 for a body of another type.
Question question_of(const Request& request, const ServerLimits& limits);

// Throws Refusal 400 naming the offset of the first wrong byte.
void require_utf8(std::string_view text, std::string_view what);

// All fields of a form and of the query. Throws Refusal 400 and 415.
Fields form_fields(const Request& request);

}  // namespace copse::server

// Small languages: tables of feature templates, parameters of EVALB, lists of parses, columns.
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "copse/base/error.h"
#include "copse/tag/tag_features.h"
#include "copse/tokenize/boundary_features.h"
#include "copse/treebank/evaluation/evalb.h"
#include "copse/treebank/evaluation/evalb_parameters.h"
#include "copse/treebank/n_best_list.h"
#include "fuzz/promise.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

// Runs `call`; only a data error may come out of it, and it tells where.
template <class Call>
void only_data_errors(Call call, bool with_line) {
  try {
    call();
  } catch (const Error& error) {
    promise(error.kind() == ErrorKind::data, "bad data is a data error");
    promise(!with_line || error.place().line > 0, "the line is told");
    promise(error.place().file.empty() || error.place().file == "fuzz", "the file is told");
  }
}

std::vector<NBestList> lists_of(std::string bytes) {
  NBestReader reader(Input::from_memory(std::move(bytes), "fuzz"));
  std::vector<NBestList> lists;
  while (auto list = reader.next()) lists.push_back(std::move(*list));
  return lists;
}

std::string written(const std::vector<NBestList>& lists, NBestForm form) {
  std::string out(n_best_begin(form));
  for (const NBestList& list : lists) append_n_best(list, form, out);
  return out.append(n_best_end(form));
}

// Binary lists made of the bytes: records of up to 300 bytes, each with its size before and its
// checksum behind it (n_best_binary.cc), which a fuzzer would hardly guess.
std::string sealed_lists(std::string_view bytes) {
  constexpr std::size_t kRecord = 300;
  std::string out(n_best_begin(NBestForm::binary));
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kRecord))) {
    const std::string_view record = bytes.substr(0, kRecord);
    for (std::size_t size = record.size();; size >>= 7) {
      out += static_cast<char>(size >= 128 ? size | 128 : size);
      if (size < 128) break;
    }
    out += record;
    const std::uint64_t checksum = XXH3_64bits(record.data(), record.size());
    out.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  }
  return out.append(n_best_end(NBestForm::binary));
}

void check_lists(const std::string& bytes) {
  only_data_errors(
      [&] {
        const std::vector<NBestList> lists = lists_of(bytes);
        for (const NBestList& list : lists) {
          promise(list.id.find_first_of(" \n") == std::string::npos, "an id has no blank");
          for (const ScoredTree& parse : list.parses) {
            promise(std::isfinite(parse.log_probability), "probabilities are numbers");
          }
        }
        std::string text, binary;
        try {
          text = written(lists, NBestForm::text);
          binary = written(lists, NBestForm::binary);
        } catch (const Error& error) {  // parses of one list that differ in their words
          promise(error.kind() == ErrorKind::data, "what cannot be written is a data error");
          return;
        }
        promise(written(lists_of(text), NBestForm::text) == text, "text is read back the same");
        promise(written(lists_of(binary), NBestForm::text) == text,
                "the binary form holds the same");
      },
      false);
}

}  // namespace

void tag_templates(std::string_view bytes) {
  only_data_errors([&] { parse_tag_features(bytes, "fuzz"); }, true);
}

void boundary_templates(std::string_view bytes) {
  only_data_errors([&] { BoundaryFeatures(bytes, "fuzz"); }, true);
}

void evalb_parameters(std::string_view bytes) {
  std::vector<std::string> warnings;
  only_data_errors(
      [&] {
        const EvalbParameters parameters = parse_evalb_parameters(bytes, "fuzz", &warnings);
        parameters.is_deleted("NP");
        parameters.is_quote("''", "''");
        parameters.same_label("ADVP", "PRT");
        parameters.same_word("a", "b");
      },
      true);
}

void n_best(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd")) return;  // compressed
  check_lists(std::string(bytes));
  check_lists(sealed_lists(bytes));
}

}  // namespace copse::fuzz

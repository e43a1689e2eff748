// Lists of candidates: any bytes are lists or a data error, and lists survive writing.
#include <string>

#include "copse/base/error.h"
#include "copse/treebank/candidates.h"
#include "fuzz/promise.h"
#include "fuzz/targets.h"

namespace copse::fuzz {
namespace {

std::string rewritten(std::string_view bytes) {
  CandidateReader reader(Input::from_memory(std::string(bytes), "fuzz"));
  std::string out;
  while (const auto list = reader.next()) {
    // A list without a line would be nothing, and a tree is written as a text.
    if (!reader.parses() && !(list->items.empty() && list->id.empty() && list->words.empty())) {
      append_candidates(*list, out);
    }
  }
  return out;
}

}  // namespace

void candidates(std::string_view bytes) {
  try {
    const std::string once = rewritten(bytes);
    promise(rewritten(once) == once, "lists are read back the same");
  } catch (const Error& error) {
    promise(error.kind() == ErrorKind::data, "bad data is a data error");
  }
}

}  // namespace copse::fuzz

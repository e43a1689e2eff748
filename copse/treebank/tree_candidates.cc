#include "copse/treebank/tree_candidates.h"

#include <utility>

#include "copse/base/error.h"
#include "copse/treebank/ptb.h"

namespace copse {

PhraseTree tree_of_line(std::string_view text, const std::string& file, std::size_t line) {
  Block block;
  block.bytes = text;
  block.file = file;
  block.first_line = line;
  Parsed parsed = make_ptb_reader({})->parse(block);
  if (parsed.items.size() != 1) {
    throw data_error("expected one tree on the line", {file, line, 0});
  }
  if (parsed.items[0].error) throw Error(*parsed.items[0].error);
  return std::move(parsed.items[0].entry.tree);
}

}  // namespace copse

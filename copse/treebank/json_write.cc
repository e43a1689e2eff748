#include <fmt/core.h>

#include <vector>

#include "copse/base/utf8.h"
#include "copse/treebank/json.h"
#include "copse/treebank/json_columns.h"

namespace copse {
namespace {

// Control characters, quotes and backslashes escaped; invalid UTF-8 replaced.
void write_string(std::string_view text, std::string& out) {
  std::string mended;
  if (find_invalid_utf8(text) != std::string_view::npos) {
    mended = replace_invalid_utf8(text);
    text = mended;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void write_comments(const Sentence& sentence, std::string& out) {
  bool first = true;
  for (const Row& row : sentence.rows()) {
    if (row.kind != RowKind::comment) continue;
    out += first ? "\"comments\": [" : ", ";
    write_string(sentence.comment_text(row), out);
    first = false;
  }
  if (!first) out += "], ";
}

void write_row(const Sentence& sentence, const Row& row, std::string& out) {
  out += "{\"id\": ";
  write_string(sentence.get(row, Column::id), out);
  for (int i = 1; i < kColumns; ++i) {
    const auto column = static_cast<Column>(i);
    const std::string_view value = sentence.get(row, column);
    if (column != Column::form && (value.empty() || value == "_")) continue;
    out += fmt::format(", \"{}\": ", json_key(sentence.dialect(), column));
    // "02" is a head but no JSON number: such oddities stay strings.
    const bool number = value.size() == 1 || value.front() != '0';
    if (column == Column::head && row.kind == RowKind::word && number) {
      out += value;
    } else {
      write_string(value, out);
    }
  }
  out += '}';
}

void write_tokens(const Sentence& sentence, std::string& out) {
  out += "\"tokens\": [";
  bool first = true;
  for (const Row& row : sentence.rows()) {
    if (row.kind == RowKind::comment || row.kind == RowKind::blank) continue;
    if (!first) out += ", ";
    write_row(sentence, row, out);
    first = false;
  }
  out += ']';
}

void write_tree(const PhraseTree& tree, std::string& out) {
  std::vector<int> ends;  // next() of the open phrases: trees may be too deep to recurse
  for (int node = 0; node < tree.size(); ++node) {
    for (; !ends.empty() && ends.back() == node; ends.pop_back()) out += "]}";
    if (node > 0 && tree.first_child(tree.parent(node)) != node) out += ", ";
    out += "{\"label\": ";
    write_string(tree.label(node), out);
    if (tree.is_leaf(node)) {
      out += ", \"word\": ";
      write_string(tree.word(node), out);
      out += '}';
    } else {
      out += ", \"children\": [";
      ends.push_back(tree.next(node));
    }
  }
  for (; !ends.empty(); ends.pop_back()) out += "]}";
}

class JsonWriter : public Writer {
 public:
  void write(const Entry& entry, std::string& out) const override {
    out += '{';
    if (entry.sentence.dialect() == Dialect::conllx) out += "\"format\": \"conllx\", ";
    write_comments(entry.sentence, out);
    if (entry.tree.empty() || entry.sentence.words() > 0) write_tokens(entry.sentence, out);
    if (!entry.tree.empty()) {
      if (entry.sentence.words() > 0) out += ", ";
      out += "\"tree\": ";
      write_tree(entry.tree, out);
    }
    out += "}\n";
  }
};

}  // namespace

std::string json_string(std::string_view text) {
  std::string out;
  write_string(text, out);
  return out;
}

std::string json_tree(const PhraseTree& tree) {
  std::string out;
  write_tree(tree, out);
  return out;
}

void add_json_member(std::string_view name, std::string_view value, std::string& line) {
  const std::size_t end = line.rfind('}');
  line.insert(end, fmt::format(", {}: {}", json_string(name), value));
}

std::unique_ptr<Writer> make_json_writer() {
  return std::make_unique<JsonWriter>();
}

}  // namespace copse

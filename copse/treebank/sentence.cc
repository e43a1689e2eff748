#include "copse/treebank/sentence.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>

namespace copse {
namespace {

// Values are one cell of a tab-separated line, whatever a caller passes.
std::string cell(std::string_view value) {
  std::string clean(value.empty() ? std::string_view("_") : value);
  std::replace_if(
      clean.begin(), clean.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return clean;
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// "# key = value" -> {key, value}; "# key" -> {key, ""}.
std::pair<std::string_view, std::string_view> split_comment(std::string_view line) {
  line.remove_prefix(1);
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return {trim(line), {}};
  return {trim(line.substr(0, equals)), trim(line.substr(equals + 1))};
}

bool has_misc(std::string_view misc, std::string_view item) {
  while (!misc.empty()) {
    const auto bar = std::min(misc.find('|'), misc.size());
    if (misc.substr(0, bar) == item) return true;
    misc.remove_prefix(std::min(bar + 1, misc.size()));
  }
  return false;
}

}  // namespace

void Sentence::set_column(std::size_t row, Column column, std::string_view value) {
  // `value` may be a view of text_, which is about to grow: cell() has copied it by then.
  rows_[row].columns[static_cast<std::size_t>(column)] = append_slice(text_, cell(value));
  rows_[row].column_count =
      std::max(rows_[row].column_count, static_cast<std::uint8_t>(static_cast<int>(column) + 1));
  rows_[row].edited = true;
}

void Sentence::set(int word, Column column, std::string_view value) {
  assert(column != Column::id && column != Column::head);
  set_column(word_rows_[static_cast<std::size_t>(word) - 1], column, value);
}

void Sentence::set_head(int word, int head) {
  const std::size_t row = word_rows_[static_cast<std::size_t>(word) - 1];
  if (rows_[row].head == head) return;
  set_column(row, Column::head, head < 0 ? std::string("_") : std::to_string(head));
  rows_[row].head = head;
}

DependencyTree Sentence::tree() const {
  DependencyTree tree(words());
  for (int word = 1; word <= words(); ++word) {
    tree.set_head(word, head(word));
    const auto label = deprel(word);
    if (!label.empty()) tree.set_label(word, std::string(label));
  }
  return tree;
}

void Sentence::set_tree(const DependencyTree& tree) {
  assert(tree.words() == words());
  for (int word = 1; word <= words(); ++word) {
    set_head(word, tree.head(word));
    if (deprel(word) != tree.label(word)) set(word, Column::deprel, tree.label(word));
  }
}

std::string_view Sentence::comment_text(const Row& row) const {
  std::string_view text = line(row);
  text.remove_prefix(std::min(text.find('#'), text.size()));
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::optional<std::string_view> Sentence::comment(std::string_view key) const {
  for (const Row& row : rows_) {
    if (row.kind != RowKind::comment) continue;
    const auto [found, value] = split_comment(comment_text(row));
    if (found == key) return value;
  }
  return std::nullopt;
}

void Sentence::set_misc(int word, std::string_view key, std::string_view value) {
  std::string items;
  std::string_view rest = misc(word) == "_" ? std::string_view() : misc(word);
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(item.size() + 1, rest.size()));
    const bool replaced = item.starts_with(key) && item.substr(key.size()).starts_with('=');
    if (!item.empty() && !replaced) (items += item) += '|';
  }
  ((items += key) += '=') += value;
  set(word, Column::misc, items);
}

void Sentence::set_comment(std::string_view key, std::string_view value) {
  const std::string text = fmt::format("# {} = {}{}", key, cell(value), line_end());
  std::size_t after = 0;
  for (std::size_t i = 0; i < rows_.size() && rows_[i].kind != RowKind::word; ++i) {
    if (rows_[i].kind != RowKind::comment) continue;
    after = i + 1;
    if (split_comment(comment_text(rows_[i])).first == key) {
      rows_[i].line = append_slice(text_, text);
      return;
    }
  }
  Row row;
  row.line = append_slice(text_, text);
  rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(after), row);
  for (auto& index : word_rows_)
    if (index >= after) ++index;
}

void Sentence::add_comment(std::string_view line_without_hash_or_end) {
  Row row;
  row.line = append_slice(text_, fmt::format("# {}{}", line_without_hash_or_end, line_end()));
  rows_.push_back(row);
}

Row& Sentence::add_row(RowKind kind, std::string_view id, std::string_view form) {
  Row row;
  row.kind = kind;
  row.edited = true;
  row.column_count = kColumns;
  row.columns.fill(append_slice(text_, "_"));
  row.columns[static_cast<std::size_t>(Column::id)] = append_slice(text_, id);
  row.columns[static_cast<std::size_t>(Column::form)] = append_slice(text_, cell(form));
  rows_.push_back(row);
  return rows_.back();
}

void Sentence::add_word(std::string_view form) {
  const int id = words() + 1;
  word_rows_.push_back(static_cast<std::uint32_t>(rows_.size()));
  Row& row = add_row(RowKind::word, std::to_string(id), form);
  row.id = row.last = id;
}

void Sentence::add_multiword(int first, int last, std::string_view form) {
  Row& row = add_row(RowKind::multiword, fmt::format("{}-{}", first, last), form);
  row.id = first;
  row.last = last;
}

void Sentence::add_empty_node(int after, int k, std::string_view form) {
  Row& row = add_row(RowKind::empty, fmt::format("{}.{}", after, k), form);
  row.id = after;
  row.last = k;
}

std::string Sentence::surface_text() const {
  std::string text;
  int covered = 0;  // words up to here are inside a multiword token already written
  bool space = false;
  for (const Row& row : rows_) {
    const bool token =
        row.kind == RowKind::multiword || (row.kind == RowKind::word && row.id > covered);
    if (!token) continue;
    if (row.kind == RowKind::multiword) covered = row.last;
    if (space) text += ' ';
    text += get(row, Column::form);
    space = !has_misc(get(row, Column::misc), "SpaceAfter=No");
  }
  return text;
}

}  // namespace copse

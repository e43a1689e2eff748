#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "copse/treebank/conll_parser.h"
#include "copse/treebank/json.h"
#include "copse/treebank/json_columns.h"
#include "copse/treebank/lines.h"

namespace copse {
namespace {

using Json = nlohmann::json;

// The string under `key`, or `fallback` when there is none.
std::string string_at(const Json& object, std::string_view key, std::string_view fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return std::string(fallback);
  if (found->is_number_integer()) return std::to_string(found->get<long long>());
  if (!found->is_string()) {
    throw data_error(fmt::format("\"{}\" is not a string or a whole number", key));
  }
  return found->get<std::string>();
}

void append_cell(std::string_view value, std::string_view name, std::string& line) {
  if (value.find_first_of("\t\r\n") != std::string_view::npos) {
    throw data_error(fmt::format("\"{}\" holds a tab or a line end", name));
  }
  line += value;
}

constexpr std::pair<std::string_view, std::string_view> kDemands[] = {{"not_head", "NotHead"},
                                                                      {"not_deprel", "NotDeprel"},
                                                                      {"span_to", "SpanTo"},
                                                                      {"not_span_to", "NotSpanTo"}};

// "2" and [2, 5] as "2" and "2,5".
std::string joined_values(const Json& token, std::string_view key) {
  const Json& value = *token.find(key);
  if (!value.is_array()) return string_at(token, key, "");
  std::string out;
  for (const Json& each : value) {
    const Json named = {{std::string(key), each}};
    out += (out.empty() ? "" : ",") + string_at(named, key, "");
  }
  return out;
}

// MISC with what the fields of demands add to it.
std::string misc_of(const Json& token) {
  std::string misc = string_at(token, "misc", "_");
  for (const auto& [key, item] : kDemands) {
    if (token.find(key) == token.end()) continue;
    const std::string values = joined_values(token, key);
    if (values.find('|') != std::string::npos) {
      throw data_error(fmt::format("\"{}\" holds a '|'", key));
    }
    if (misc == "_") misc.clear();
    misc += fmt::format("{}{}={}", misc.empty() ? "" : "|", item, values);
  }
  return misc;
}

// The token as a line of columns: the CoNLL parser then makes all its checks.
void append_token(const Json& token, Dialect dialect, std::string& lines) {
  if (!token.is_object()) throw data_error("a token is not an object");
  for (int i = 0; i < kColumns; ++i) {
    const std::string_view key = json_key(dialect, static_cast<Column>(i));
    if (i > 0) lines += '\t';
    append_cell(key == "misc" ? misc_of(token) : string_at(token, key, "_"), key, lines);
  }
  lines += '\n';
}

std::string conll_lines(const Json& object, Dialect dialect) {
  std::string lines;
  if (const auto comments = object.find("comments"); comments != object.end()) {
    if (!comments->is_array()) throw data_error("\"comments\" is not an array");
    for (const Json& comment : *comments) {
      if (!comment.is_string()) throw data_error("a comment is not a string");
      const auto& text = comment.get_ref<const std::string&>();
      if (!text.starts_with('#')) throw data_error("a comment does not start with #");
      if (text.find_first_of("\r\n") != std::string::npos) {
        throw data_error("a comment holds a line end");
      }
      lines += text;
      lines += '\n';
    }
  }
  if (const auto tokens = object.find("tokens"); tokens != object.end()) {
    if (!tokens->is_array()) throw data_error("\"tokens\" is not an array");
    for (const Json& token : *tokens) append_token(token, dialect, lines);
  }
  if (!lines.empty()) lines += '\n';
  return lines;
}

// A label or a word: no blank or bracket, so that it can be written as a bracketed tree.
std::string tree_text(const Json& node, std::string_view key) {
  std::string text = string_at(node, key, "");
  if (text.find_first_of(" \t\r\n()") != std::string::npos) {
    throw data_error(fmt::format("\"{}\" in the tree holds a blank or a bracket", key));
  }
  return text;
}

PhraseTree read_tree(const Json& root, const Limits& limits) {
  PhraseTreeBuilder builder;
  // Work list instead of recursion; a null pointer closes a phrase.
  std::vector<const Json*> todo{&root};
  int words = 0;
  while (!todo.empty()) {
    const Json* node = todo.back();
    todo.pop_back();
    if (node == nullptr) {
      builder.close();
      continue;
    }
    if (!node->is_object()) throw data_error("a node of the tree is not an object");
    const auto children = node->find("children");
    if (children == node->end()) {
      const std::string word = tree_text(*node, "word");
      if (word.empty()) throw data_error("a node of the tree has neither word nor children");
      if (++words > limits.max_words) {
        throw data_error(
            fmt::format("the tree has more than {} words, the limit", limits.max_words), {},
            "raise max_words");
      }
      builder.leaf(tree_text(*node, "label"), word);
      continue;
    }
    if (!children->is_array() || children->empty()) {
      throw data_error("\"children\" is not an array with something in it");
    }
    if (builder.depth() == limits.max_depth) {
      throw data_error(fmt::format("the tree is deeper than {}, the limit", limits.max_depth), {},
                       "raise max_depth");
    }
    builder.open(tree_text(*node, "label"));
    todo.push_back(nullptr);
    for (auto child = children->rbegin(); child != children->rend(); ++child) {
      todo.push_back(&*child);
    }
  }
  return std::move(builder).finish();
}

// Before a parser makes something of it: a byte of "[[[[" becomes 70 in memory, and so does one of
// "[],[],". Counts what opens and what follows a comma outside strings.
void check_size(std::string_view line, const Limits& limits) {
  const auto most_deep = 2 * static_cast<std::size_t>(limits.max_depth) + 8;
  const auto most_values = 64 * static_cast<std::size_t>(limits.max_words) + 1000;
  std::size_t depth = 0;
  std::size_t values = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if (c == '[' || c == '{') {
      ++values;
      if (++depth > most_deep) {
        throw data_error(fmt::format("the brackets are nested more than {} deep", most_deep), {},
                         "raise max_depth");
      }
    }
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == ',' && ++values > most_values) {
      throw data_error(fmt::format("the line holds more than {} values", most_values), {},
                       "raise max_words");
    }
  }
}

class JsonReader : public Reader {
 public:
  JsonReader(const Limits& limits, HeadColumn heads) : limits_(limits), heads_(heads) {
    limits_.max_line_bytes = limits_.max_sentence_bytes;  // a line holds a whole sentence here
  }

  std::size_t cut(std::string_view buffer, std::size_t searched) const override {
    return whole_lines(buffer, searched);
  }

  Parsed parse(const Block& block) const override {
    Parsed parsed;
    for_each_line(block.bytes, block.first_line, [&](std::string_view line, std::size_t number) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) return;
      ReadItem& item = parsed.items.emplace_back();
      item.first_line = number;
      item.begin = static_cast<std::size_t>(line.data() - block.bytes.data());
      item.end = after_line(block.bytes, line);
      const Place place{block.file, number};
      try {
        item.entry = parse_line(line);
      } catch (const Error& error) {
        item.error = data_error(error.message(), place, error.hint());
      } catch (const Json::exception& error) {
        item.error = data_error(fmt::format("not a JSON object: {}", error.what()), place);
      }
    });
    return parsed;
  }

 private:
  Entry parse_line(std::string_view line) const {
    if (line.size() > limits_.max_line_bytes) {
      throw data_error(fmt::format("the line has {} bytes; the limit is {}", line.size(),
                                   limits_.max_line_bytes),
                       {}, "raise max_sentence_bytes");
    }
    check_size(line, limits_);
    const Json object = Json::parse(line);
    if (!object.is_object()) throw data_error("the line is not a JSON object");
    if (!object.contains("tokens") && !object.contains("tree") && !object.contains("comments")) {
      throw data_error("the object has neither \"tokens\" nor \"tree\"");
    }
    const bool conllx = string_at(object, "format", "conllu") == "conllx";
    const Dialect dialect = conllx ? Dialect::conllx : Dialect::conllu;
    Entry entry;
    std::vector<Warning> warnings;
    const std::string lines = conll_lines(object, dialect);
    // Line numbers of the inner text mean nothing to the user; the caller puts the JSON line.
    if (!lines.empty()) {
      entry.sentence = ConllParser(dialect, limits_, heads_).parse(lines, 2, warnings);
    }
    if (const auto tree = object.find("tree"); tree != object.end()) {
      entry.tree = read_tree(*tree, limits_);
    }
    return entry;
  }

  Limits limits_;
  HeadColumn heads_;
};

}  // namespace

std::unique_ptr<Reader> make_json_reader(const Limits& limits, HeadColumn heads) {
  return std::make_unique<JsonReader>(limits, heads);
}

}  // namespace copse

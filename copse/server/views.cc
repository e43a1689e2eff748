#include "copse/server/views.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <sstream>

#include "copse/constituency/phrase_views.h"
#include "copse/treebank/json.h"

namespace copse::server {
namespace {

void append(std::string& list, std::string_view item) {
  if (!list.empty()) list += ", ";
  list += item;
}

std::string array(const std::string& items) {
  return "[" + items + "]";
}

std::string label_json(const DependencyTree& tree, int word) {
  return json_string(tree.label(word));
}

std::string sentence_json(const ParsedSentence& sentence) {
  std::string line = to_string(sentence.entry(), Format::json);
  add_json_member("text", json_string(sentence.text()), line);
  return line;
}

std::string certificate_json(const DualCertificate& certificate) {
  return fmt::format("{{\"optimal\": {}, \"gap\": {}, \"iterations\": {}}}", certificate.optimal,
                     json_number(certificate.gap), certificate.iterations);
}

std::string tree_json(const ScoredDependencies& parsed) {
  const DependencyTree& tree = parsed.tree;
  std::string heads, labels;
  for (int m = 1; m <= tree.words(); ++m) {
    append(heads, std::to_string(tree.head(m)));
    append(labels, label_json(tree, m));
  }
  std::string out = fmt::format("{{\"score\": {}, \"heads\": [{}], \"deprels\": [{}]",
                                json_number(parsed.score), heads, labels);
  if (!parsed.arc_probability.empty()) {
    std::string each;
    for (int m = 1; m <= tree.words(); ++m) {
      append(each, json_number(parsed.arc_probability[static_cast<std::size_t>(m)]));
    }
    out += fmt::format(", \"probability\": {}, \"arc_probabilities\": [{}]",
                       json_number(parsed.probability), each);
  }
  return out + "}";
}

// The heads that a word may have, most probable first.
constexpr std::size_t kRunnersUp = 5;
constexpr double kLeastProbability = 0.0005;

std::string heads_json(const ParsedSentence& sentence) {
  std::vector<std::string> of_word(static_cast<std::size_t>(sentence.size()) + 1);
  std::vector<std::size_t> count(of_word.size());
  for (const ArcProbability& arc : sentence.arcs) {
    const auto m = static_cast<std::size_t>(arc.word);
    if (arc.probability < kLeastProbability || count[m]++ >= kRunnersUp) continue;
    append(of_word[m], fmt::format("{{\"head\": {}, \"probability\": {}}}", arc.head,
                                   json_number(arc.probability)));
  }
  std::string out;
  for (std::size_t m = 1; m < of_word.size(); ++m) append(out, array(of_word[m]));
  return array(out);
}

std::string dependency_json(const ParsedSentence& sentence) {
  std::string out = tree_json(sentence.dependencies.front());
  if (!sentence.arcs.empty()) add_json_member("candidates", heads_json(sentence), out);
  if (sentence.certificate) {
    add_json_member("certificate", certificate_json(*sentence.certificate), out);
  }
  if (!sentence.degraded.empty()) add_json_member("degraded", json_string(sentence.degraded), out);
  return out;
}

std::string scored_json(const ScoredTree& tree) {
  return fmt::format("{{\"log_probability\": {}, \"tree\": {}, \"brackets\": {}}}",
                     json_number(tree.log_probability), json_tree(tree.tree),
                     json_string(tree.tree.str()));
}

std::string phrase_json(const PhraseAnswer& answer, const PhraseParser& parser) {
  std::string out = fmt::format("{{\"model\": {}, \"fallback\": {}", json_string(parser.model()),
                                answer.fallback);
  if (!answer.trees.empty()) {
    out += fmt::format(", \"log_probability\": {}, \"brackets\": {}",
                       json_number(answer.trees.front().log_probability),
                       json_string(answer.trees.front().tree.str()));
  }
  if (!answer.brackets.empty()) {
    out += ", \"probabilities\": " + brackets_json(answer.brackets, kLeastProbability);
    out += ", \"tags\": " + brackets_json(answer.tags, kLeastProbability);
  }
  if (!answer.note.empty()) out += ", \"note\": " + json_string(answer.note);
  return out + "}";
}

}  // namespace

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "null";
}

std::string analysis_json(const ParsedSentence& sentence, const Work& work) {
  std::string out = sentence_json(sentence);
  if (!sentence.dependencies.empty()) {
    add_json_member("dependency", dependency_json(sentence), out);
  }
  if (!sentence.phrases.trees.empty()) {
    add_json_member("phrase", phrase_json(sentence.phrases, *work.model.phrases()), out);
  }
  return out;
}

std::string n_best_json(const ParsedSentence& sentence, const Work&) {
  std::string out = sentence_json(sentence);
  if (!sentence.dependencies.empty()) {
    std::string trees;
    for (const ScoredDependencies& tree : sentence.dependencies) append(trees, tree_json(tree));
    add_json_member("dependency", array(trees), out);
  }
  if (!sentence.phrases.trees.empty()) {
    std::string trees;
    for (const ScoredTree& tree : sentence.phrases.trees) append(trees, scored_json(tree));
    add_json_member("phrase", array(trees), out);
  }
  return out;
}

std::string document_json(const ServedModel& model, const std::vector<std::string>& sentences) {
  std::string out = fmt::format("{{\"model\": {}, \"sentences\": [", json_string(model.name()));
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::string_view sentence = sentences[i];
    while (sentence.ends_with('\n')) sentence.remove_suffix(1);
    out += i == 0 ? "\n" : ",\n";
    out += sentence;
  }
  return out + "]}\n";
}

std::vector<Entry> entries_of(std::vector<ParsedSentence> sentences) {
  std::vector<Entry> out;
  out.reserve(sentences.size());
  for (ParsedSentence& each : sentences) {
    out.push_back({std::move(each.columns), std::move(each.tree)});
  }
  return out;
}

std::string document_in(Format format, const std::vector<Entry>& entries) {
  std::ostringstream out;
  try {
    write_treebank(out, entries, format);
  } catch (const Error& error) {
    throw Refusal(422, "no_such_view", error.message());
  }
  return std::move(out).str();
}

std::string_view media_type_of(AnswerForm form) {
  switch (form) {
    case AnswerForm::json:
      return "application/json";
    case AnswerForm::conllu:
      return "text/x-conllu; charset=utf-8";
    case AnswerForm::svg:
      return "image/svg+xml";
    case AnswerForm::brackets:
    case AnswerForm::latex:
      break;
  }
  return "text/plain; charset=utf-8";
}

}  // namespace copse::server

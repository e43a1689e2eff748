#include "copse/server/handlers.h"

#include <fmt/format.h>

#include <sstream>

#include "copse/server/views.h"
#include "copse/treebank/json.h"

namespace copse::server {
namespace {

using Sentences = std::vector<ParsedSentence>;

Response with_counts(const Sentences& sentences, const Work& work) {
  Response out;
  out.model = work.model.name();
  out.sentences = static_cast<int>(sentences.size());
  for (const ParsedSentence& sentence : sentences) out.words += sentence.size();
  return out;
}

void refuse_drawing(const Question& question, std::string_view path) {
  if (question.output == AnswerForm::json || question.output == AnswerForm::conllu) return;
  throw Refusal(400, "bad_field",
                fmt::format("output: {} answers with json or conllu, not with trees", path));
}

Format format_of(AnswerForm form) {
  switch (form) {
    case AnswerForm::brackets:
      return Format::ptb;
    case AnswerForm::svg:
      return Format::svg;
    case AnswerForm::latex:
      return Format::latex;
    default:
      return Format::conllu;
  }
}

// A drawing or brackets of what is there: both trees, or the one that was asked for.
Response as_document(const Question& question, Sentences sentences, const Work& work) {
  Response out = with_counts(sentences, work);
  out.type = media_type_of(question.output);
  if (question.output == AnswerForm::brackets) {
    require_component(wanted_trees(question, work.model).phrase, work,
                      "phrase-structure trees to write as brackets");
    for (ParsedSentence& sentence : sentences) sentence.columns = Sentence();
  }
  out.body = document_in(format_of(question.output), entries_of(std::move(sentences)));
  return out;
}

template <class View>
Response as_json(const Sentences& sentences, const Work& work, View view) {
  std::vector<std::string> items;
  items.reserve(sentences.size());
  for (const ParsedSentence& each : sentences) items.push_back(view(each, work));
  Response out = with_counts(sentences, work);
  out.body = document_json(work.model, items);
  return out;
}

// As JSON or CoNLL-U, without trees to draw.
Response as_words(const Question& question, Sentences sentences, const Work& work) {
  return question.output == AnswerForm::json ? as_json(sentences, work, analysis_json)
                                             : as_document(question, std::move(sentences), work);
}

Sentences analysed(const Question& question, const Work& work, const PipelineOptions& options) {
  Sentences out = sentences_of(question, work);
  int number = 0;
  for (ParsedSentence& sentence : out) analyse(question, work, options, ++number, sentence);
  return out;
}

bool can_parse(const Question& question, const Work& work) {
  const TreeKinds trees = wanted_trees(question, work.model);
  return trees.dependency || trees.phrase;
}

// The lists to choose from: those that came, or those of the model's own parser.
std::vector<Candidates> lists_of(const Question& question, const Work& work) {
  std::vector<Candidates> lists;
  if (!question.lists.empty()) {
    CandidateReader reader(Input::from_memory(question.lists, "request"));
    while (auto list = reader.next()) lists.push_back(std::move(*list));
    return lists;
  }
  require_component(work.model.phrases() != nullptr, work, "phrase-structure parser");
  PipelineOptions options = options_of(question, work, question.nbest);
  options.dependencies = options.rerank = false;
  options.phrases = true;
  for (ParsedSentence& each : analysed(question, work, options)) {
    NBestList list;
    list.id = std::to_string(lists.size() + 1);
    list.parses = std::move(each.phrases.trees);
    lists.push_back(candidates_from(std::move(list)));
  }
  return lists;
}

std::string ranking_json(const Candidates& list, const Reranker& reranker) {
  const std::vector<double> scores = reranker.scores(list);
  std::string items;
  for (const std::size_t c : ranking(list, scores)) {
    items += fmt::format("{}{{\"score\": {}, \"log_probability\": {}, \"was\": {}, \"text\": {}}}",
                         items.empty() ? "" : ", ", json_number(scores[c]),
                         json_number(list.items[c].log_probability), c + 1,
                         json_string(text_of(list.items[c])));
  }
  return fmt::format("{{\"id\": {}, \"candidates\": [{}]}}", json_string(list.id), items);
}

// Data that the library refuses is the client's; its messages name no file but "request".
template <class Call>
auto refusing(Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::machine) throw;
    throw Refusal(422, "no_answer", error.message());
  }
}

}  // namespace

Response answer_parse(const Question& question, const Work& work) {
  require_component(can_parse(question, work), work, "parser for these trees");
  Sentences sentences = analysed(question, work, options_of(question, work, 1));
  if (question.output == AnswerForm::json) return as_json(sentences, work, analysis_json);
  return as_document(question, std::move(sentences), work);
}

Response answer_nbest(const Question& question, const Work& work) {
  refuse_drawing(question, "nbest");
  require_component(can_parse(question, work), work, "parser for these trees");
  const PipelineOptions options = options_of(question, work, question.nbest);
  return as_json(analysed(question, work, options), work, n_best_json);
}

Response answer_tag(const Question& question, const Work& work) {
  refuse_drawing(question, "tag");
  require_component(work.model.tagger() != nullptr, work, "tagger");
  return as_words(question, analysed(question, work, tags_alone(question, work)), work);
}

Response answer_tokenize(const Question& question, const Work& work) {
  refuse_drawing(question, "tokenize");
  return as_words(question, sentences_of(question, work), work);
}

Response answer_rerank(const Question& question, const Work& work) {
  require_component(work.model.reranker() != nullptr, work, "reranker");
  return refusing([&] {
    Response out;
    out.model = work.model.name();
    std::string lists;
    for (const Candidates& list : lists_of(question, work)) {
      work.deadline.check();
      lists += (lists.empty() ? "\n" : ",\n") + ranking_json(list, *work.model.reranker());
      ++out.sentences;
    }
    out.body = fmt::format("{{\"model\": {}, \"method\": {}, \"lists\": [{}]}}\n",
                           json_string(work.model.name()),
                           json_string(work.model.reranker()->method()), lists);
    return out;
  });
}

Response answer_explain(const Question& question, const Work& work) {
  require_component(work.model.dependencies() != nullptr, work, "dependency parser");
  Sentences sentences = sentences_of(question, work);
  if (static_cast<std::size_t>(question.sentence) > sentences.size()) {
    throw Refusal(422, "no_such_sentence",
                  fmt::format("there is no sentence {}; the text has {}", question.sentence,
                              sentences.size()));
  }
  if (question.head && question.word == 0) {
    throw Refusal(400, "bad_field", "head: needs a word");
  }
  ParsedSentence& sentence = sentences[static_cast<std::size_t>(question.sentence) - 1];
  analyse(question, work, tags_alone(question, work), question.sentence, sentence);
  const SentenceParser& parser = *work.model.dependencies();
  return refusing([&] {
    const auto word = question.word > 0 ? std::optional<int>(question.word) : std::nullopt;
    const auto why = parser.explain(sentence.columns, word, question.head);
    Response out = with_counts({sentence}, work);
    out.body = fmt::format("{{\"model\": {}, \"sentence\": {}, \"words\": {}}}\n",
                           json_string(work.model.name()), question.sentence,
                           parser.json(sentence.columns, why));
    return out;
  });
}

Response answer_models(const ServedModels& models) {
  Response out;
  std::string items;
  for (const auto& model : models) {
    std::string components;
    for (const std::string& name : model->components()) {
      components += (components.empty() ? "" : ", ") + json_string(name);
    }
    items += fmt::format("{}{{\"name\": {}, \"components\": [{}], \"default\": {}}}",
                         items.empty() ? "" : ", ", json_string(model->name()), components,
                         items.empty());
  }
  out.body = fmt::format("{{\"models\": [{}]}}\n", items);
  return out;
}

}  // namespace copse::server

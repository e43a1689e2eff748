#include "copse/server/handlers.h"

#include <fmt/format.h>

#include <sstream>

#include "copse/server/views.h"
#include "copse/treebank/json.h"

namespace copse::server {
namespace {

Response with_counts(const std::vector<Entry>& entries, const Work& work) {
  Response out;
  out.model = work.model.name();
  out.sentences = static_cast<int>(entries.size());
  for (const Entry& entry : entries) out.words += entry.sentence.words();
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
Response as_document(const Question& question, std::vector<Entry> entries, const Work& work) {
  Response out = with_counts(entries, work);
  out.type = media_type_of(question.output);
  if (question.output == AnswerForm::brackets) {
    require_component(work.model.phrases() != nullptr && question.phrase, work,
                      "phrase-structure trees to write as brackets");
    for (Entry& entry : entries) entry.sentence = Sentence();
  }
  out.body = document_in(format_of(question.output), entries);
  return out;
}

// Entries as the treebank's JSON.
Response as_json(const std::vector<Entry>& entries, const Work& work) {
  std::vector<std::string> sentences;
  sentences.reserve(entries.size());
  for (const Entry& entry : entries) sentences.push_back(analysis_json({entry, {}, {}}, work));
  Response out = with_counts(entries, work);
  out.body = document_json(work.model, sentences);
  return out;
}

std::vector<Analysis> analyses_of(const Question& question, const Work& work, int k) {
  std::vector<Analysis> out;
  for (Entry& entry : sentences_of(question, work)) {
    const int number = static_cast<int>(out.size()) + 1;
    out.push_back(analyse(question, work, std::move(entry), number, k));
  }
  return out;
}

std::vector<Entry> entries_of(std::vector<Analysis> analyses) {
  std::vector<Entry> out;
  out.reserve(analyses.size());
  for (Analysis& each : analyses) out.push_back(std::move(each.entry));
  return out;
}

template <class View>
Response documented(std::vector<Analysis> analyses, const Work& work, View view) {
  std::vector<std::string> sentences;
  sentences.reserve(analyses.size());
  for (const Analysis& each : analyses) sentences.push_back(view(each, work));
  Response out = with_counts(entries_of(std::move(analyses)), work);
  out.body = document_json(work.model, sentences);
  return out;
}

bool can_parse(const Question& question, const Work& work) {
  return (question.dependency && work.model.dependencies() != nullptr) ||
         (question.phrase && work.model.phrases() != nullptr);
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
  Question asked = question;
  asked.dependency = false;
  for (Analysis& each : analyses_of(asked, work, question.nbest)) {
    NBestList list;
    list.id = std::to_string(lists.size() + 1);
    list.parses = std::move(each.phrases->trees);
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
  auto analyses = analyses_of(question, work, 1);
  if (question.output == AnswerForm::json) return documented(analyses, work, analysis_json);
  return as_document(question, entries_of(std::move(analyses)), work);
}

Response answer_nbest(const Question& question, const Work& work) {
  refuse_drawing(question, "nbest");
  require_component(can_parse(question, work), work, "parser for these trees");
  return documented(analyses_of(question, work, question.nbest), work, n_best_json);
}

Response answer_tag(const Question& question, const Work& work) {
  refuse_drawing(question, "tag");
  require_component(work.model.tagger() != nullptr, work, "tagger");
  auto entries = sentences_of(question, work);
  for (Entry& entry : entries) {
    work.deadline.check();
    refusing([&] { tag(question, work, entry); });
  }
  return question.output == AnswerForm::json ? as_json(entries, work)
                                             : as_document(question, std::move(entries), work);
}

Response answer_tokenize(const Question& question, const Work& work) {
  refuse_drawing(question, "tokenize");
  auto entries = sentences_of(question, work);
  return question.output == AnswerForm::json ? as_json(entries, work)
                                             : as_document(question, std::move(entries), work);
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
  std::vector<Entry> entries = sentences_of(question, work);
  if (static_cast<std::size_t>(question.sentence) > entries.size()) {
    throw Refusal(
        422, "no_such_sentence",
        fmt::format("there is no sentence {}; the text has {}", question.sentence, entries.size()));
  }
  if (question.head && question.word == 0) {
    throw Refusal(400, "bad_field", "head: needs a word");
  }
  Entry& entry = entries[static_cast<std::size_t>(question.sentence) - 1];
  const SentenceParser& parser = *work.model.dependencies();
  return refusing([&] {
    tag(question, work, entry);
    const auto word = question.word > 0 ? std::optional<int>(question.word) : std::nullopt;
    const auto why = parser.explain(entry.sentence, word, question.head);
    Response out = with_counts({entry}, work);
    out.body = fmt::format("{{\"model\": {}, \"sentence\": {}, \"words\": {}}}\n",
                           json_string(work.model.name()), question.sentence,
                           parser.json(entry.sentence, why));
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

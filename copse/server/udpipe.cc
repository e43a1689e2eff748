// UDPipe's REST API as its clients and the curl calls of its manual use it: /models and /process, by
// GET or POST, with forms of either kind.
//
//   data        the text, or sentences
//   model       by its name or the beginning of it ("english" for "english-ewt"); else the default
//   tokenizer, tagger, parser   present: this step is wanted; options in their values are not read
//   input       of data that is not to be tokenised: conllu (default), horizontal, vertical
//   output      conllu (default), horizontal, vertical, plaintext
//
// Errors are a line of plain text, as there.
#include <fmt/format.h>

#include <optional>

#include "copse/server/forms.h"
#include "copse/server/handlers.h"
#include "copse/server/views.h"
#include "copse/treebank/json.h"

namespace copse::server {
namespace {

struct Process {
  std::optional<std::string> data;
  std::string model, input, output = "conllu";
  bool tokenizer = false, tagger = false, parser = false;
};

Process process_of(const Request& request) {
  Process out;
  for (auto& [name, value] : form_fields(request)) {
    require_utf8(value, "a field");
    if (name == "data") {
      out.data = value;
    } else if (name == "model") {
      out.model = value;
    } else if (name == "input") {
      out.input = value;
    } else if (name == "output") {
      out.output = value.substr(0, value.find(';'));
    } else if (name == "tokenizer") {
      out.tokenizer = true;
    } else if (name == "tagger") {
      out.tagger = true;
    } else if (name == "parser") {
      out.parser = true;
    }  // clients send more (outfile, ...); UDPipe passes over what it does not know
  }
  if (!out.data) throw Refusal(400, "bad_form", "required argument data is missing");
  // "generic_tokenizer" and options behind ';'
  out.input = out.input.substr(0, out.input.find(';'));
  if (out.input == "generic_tokenizer") out.tokenizer = true;
  return out;
}

// A name, or the beginning of one up to a '-'.
std::shared_ptr<const ServedModel> model_for(const ServedModels& models, const std::string& name) {
  const std::string wanted = lower_ascii(name);
  for (const auto& model : models) {
    const std::string known = lower_ascii(model->name());
    if (!wanted.empty() && (known == wanted || known.starts_with(wanted + "-"))) return model;
  }
  try {
    return model_named(models, name);
  } catch (const Refusal& refusal) {
    throw Refusal(400, "no_such_model", refusal.what());
  }
}

// "vertical": a word a line, an empty line after a sentence; as CoNLL-U with nothing but forms.
std::string conllu_of_vertical(std::string_view text) {
  std::string out;
  int word = 0;
  const auto end_sentence = [&] {
    if (word > 0) out += "\n";
    word = 0;
  };
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find_first_of("\t\r"));
    if (line.empty()) {
      end_sentence();
    } else {
      out += fmt::format("{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n", ++word, line);
    }
  }
  end_sentence();
  return out;
}

Question question_for(const Process& process) {
  Question question;
  question.trees = TreeKinds{.dependency = process.parser};
  question.text = *process.data;
  if (process.tokenizer) return question;
  if (process.input.empty() || process.input == "conllu") {
    question.input = Format::conllu;
  } else if (process.input == "horizontal") {
    question.tokenized = true;
  } else if (process.input == "vertical") {
    question.input = Format::conllu;
    question.text = conllu_of_vertical(question.text);
  } else {
    throw Refusal(400, "bad_form", "unknown input format; expected conllu, horizontal or vertical");
  }
  return question;
}

std::string words_of(const Sentence& sentence, std::string_view between, std::string_view end) {
  std::string out;
  for (int m = 1; m <= sentence.words(); ++m) {
    if (m > 1) out += between;
    out += sentence.form(m);
  }
  return out.append(end);
}

std::string result_in(const std::string& output, const std::vector<Entry>& entries) {
  if (output == "conllu") return document_in(Format::conllu, entries);
  std::string out;
  for (const Entry& entry : entries) {
    const auto text = entry.sentence.comment("text");
    if (output == "horizontal") {
      out += words_of(entry.sentence, " ", "\n");
    } else if (output == "vertical") {
      out += words_of(entry.sentence, "\n", "\n\n");
    } else if (output == "plaintext") {
      out += (text ? std::string(*text) : entry.sentence.surface_text()) + "\n";
    } else {
      throw Refusal(400, "bad_form",
                    "unknown output format; expected conllu, horizontal, vertical or plaintext");
    }
  }
  return out;
}

Response processed(const Request& request, const ServedModels& models, const ServerLimits& limits,
                   const Deadline& deadline) {
  const Process process = process_of(request);
  const auto model = model_for(models, process.model);
  const Work work{*model, limits, deadline};
  const Question question = question_for(process);
  if (process.tagger) require_component(model->tagger() != nullptr, work, "tagger");
  if (process.parser) require_component(model->dependencies() != nullptr, work, "parser");
  Response out;
  out.model = model->name();
  std::vector<ParsedSentence> sentences = sentences_of(question, work);
  const PipelineOptions options =
      process.parser ? options_of(question, work, 1) : tags_alone(question, work);
  for (ParsedSentence& sentence : sentences) {
    ++out.sentences;
    out.words += sentence.size();
    deadline.check();
    if (process.parser || process.tagger) {
      analyse(question, work, options, out.sentences, sentence);
    }
  }
  const std::vector<Entry> entries = entries_of(std::move(sentences));
  out.body =
      fmt::format("{{\"model\": {}, \"acknowledgements\": [], \"result\": {}}}\n",
                  json_string(model->name()), json_string(result_in(process.output, entries)));
  return out;
}

}  // namespace

Response answer_udpipe_models(const ServedModels& models) {
  Response out;
  std::string items;
  for (const auto& model : models) {
    std::string steps = "\"tokenizer\"";
    if (model->tagger() != nullptr) steps += ", \"tagger\"";
    if (model->dependencies() != nullptr) steps += ", \"parser\"";
    items +=
        fmt::format("{}{}: [{}]", items.empty() ? "" : ", ", json_string(model->name()), steps);
  }
  out.body = fmt::format("{{\"models\": {{{}}}, \"default_model\": {}}}\n", items,
                         json_string(models.empty() ? "" : models.front()->name()));
  return out;
}

Response answer_udpipe_process(const Request& request, const ServedModels& models,
                               const ServerLimits& limits, const Deadline& deadline) {
  try {
    return processed(request, models, limits, deadline);
  } catch (const Refusal& refusal) {
    Response out = refusal.response();
    out.type = "text/plain; charset=utf-8";
    out.body = fmt::format("{}\n", refusal.what());
    return out;
  }
}

}  // namespace copse::server

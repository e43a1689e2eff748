#include "copse/server/question.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "copse/base/utf8.h"
#include "copse/server/forms.h"

namespace copse::server {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 16;  // nesting of a JSON body: nothing that is asked goes beyond 3
constexpr std::size_t kMostDemands = 1000;

[[noreturn]] void bad_field(std::string_view name, const std::string& message) {
  throw Refusal(400, "bad_field", fmt::format("{}: {}", name, message));
}

// A value that came as JSON or as text.
std::string text_value(std::string_view name, const Json& value) {
  if (!value.is_string()) bad_field(name, "expected a string");
  return value.get<std::string>();
}

int number_value(std::string_view name, const Json& value, int least, int most) {
  long long number = 0;
  if (value.is_number_integer()) {
    number = value.is_number_unsigned() && value.get<std::uint64_t>() > INT32_MAX
                 ? INT32_MAX
                 : value.get<long long>();
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
      bad_field(name, "expected a whole number");
    }
  } else {
    bad_field(name, "expected a whole number");
  }
  if (number < least || number > most) {
    bad_field(name, fmt::format("expected {} to {}", least, most));
  }
  return static_cast<int>(number);
}

bool truth_value(std::string_view name, const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  const std::string text = value.is_string() ? value.get<std::string>() : "?";
  if (text == "true" || text == "1" || text.empty()) return true;
  if (text == "false" || text == "0") return false;
  bad_field(name, "expected true or false");
}

AnswerForm form_named(const std::string& name) {
  if (name == "json") return AnswerForm::json;
  if (name == "conllu") return AnswerForm::conllu;
  if (name == "brackets" || name == "ptb") return AnswerForm::brackets;
  if (name == "svg") return AnswerForm::svg;
  if (name == "latex") return AnswerForm::latex;
  bad_field("output", "expected json, conllu, brackets, svg or latex");
}

void set_input(const std::string& name, Question& question) {
  question.tokenized = name == "words";
  if (name == "text" || name == "words") return;
  if (name == "conllu") {
    question.input = Format::conllu;
  } else if (name == "brackets" || name == "ptb") {
    question.input = Format::ptb;
  } else if (name == "json") {
    question.input = Format::json;
  } else {
    bad_field("input", "expected text, words, conllu, brackets or json");
  }
}

void set_trees(const Json& value, Question& question) {
  TreeKinds& trees = question.trees.emplace();
  const auto add = [&](const std::string& name) {
    if (name == "dependency") {
      trees.dependency = true;
    } else if (name == "phrase") {
      trees.phrase = true;
    } else {
      bad_field("trees", "expected dependency or phrase");
    }
  };
  if (value.is_array()) {
    for (const Json& each : value) add(text_value("trees", each));
    return;
  }
  if (!value.is_string()) bad_field("trees", "expected dependency or phrase");
  std::string_view rest = value.get_ref<const std::string&>();
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = rest.find(',');
    add(std::string(rest.substr(0, comma)));
    if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
  }
}

constexpr int kMostNumber = 1'000'000;

Demand demand_of(const Json& value) {
  if (!value.is_object()) bad_field("demands", "expected objects");
  Demand out;
  for (const auto& [key, each] : value.items()) {
    const std::string name = "demands." + key;
    if (key == "sentence") {
      out.sentence = number_value(name, each, 1, kMostNumber);
    } else if (key == "word") {
      out.word = number_value(name, each, 1, kMostNumber);
    } else if (key == "head") {
      out.head = number_value(name, each, 0, kMostNumber);
    } else if (key == "not_head") {
      out.not_head = number_value(name, each, 0, kMostNumber);
    } else if (key == "deprel") {
      out.deprel = text_value(name, each);
    } else if (key == "first") {
      out.first = number_value(name, each, 1, kMostNumber);
    } else if (key == "last") {
      out.last = number_value(name, each, 1, kMostNumber);
    } else if (key == "label") {
      out.label = text_value(name, each);
    } else if (key == "forbidden") {
      out.forbidden = truth_value(name, each);
    } else {
      bad_field(name, "there is no such field");
    }
  }
  const bool arc = out.word > 0, span = out.first > 0 && out.last > 0;
  if (arc == span) bad_field("demands", "expected a word with a head, or first and last");
  if (arc && !out.head && !out.not_head && out.deprel.empty()) {
    bad_field("demands", "a word needs head, not_head or deprel");
  }
  if (span && out.last < out.first) bad_field("demands", "last is before first");
  return out;
}

Json parsed_json(std::string_view text);

void set_demands(const Json& value, Question& question) {
  const Json list = value.is_string() ? parsed_json(value.get_ref<const std::string&>()) : value;
  if (!list.is_array()) bad_field("demands", "expected an array");
  if (list.size() > kMostDemands) {
    bad_field("demands", fmt::format("more than {}", kMostDemands));
  }
  for (const Json& each : list) question.demands.push_back(demand_of(each));
}

// The one table of fields.
struct Field : FieldInfo {
  void (*set)(const Json& value, const ServerLimits& limits, Question& question);
};
constexpr Field kFields[] = {
    {{"text", "what to work on"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.text = text_value("text", value);
     }},
    {{"input", "what it is: text, words (a sentence per line), conllu, brackets or json"},
     [](const Json& value, const ServerLimits&, Question& q) {
       set_input(text_value("input", value), q);
     }},
    {{"model", "which model; the first if not given"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.model = text_value("model", value);
     }},
    {{"output", "json, conllu, brackets, svg or latex"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.output = form_named(text_value("output", value));
     }},
    {{"trees",
      "which trees: dependency, phrase; if not given, dependency, and phrase where it must be"},
     [](const Json& value, const ServerLimits&, Question& q) { set_trees(value, q); }},
    {{"probabilities", "also of arcs, brackets and trees, and the runner-up heads"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.probabilities = truth_value("probabilities", value);
     }},
    {{"constraints", "heads, labels and demands that the input has are kept"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.constraints = truth_value("constraints", value);
     }},
    {{"demands", "arcs and spans that the trees must or must not have"},
     [](const Json& value, const ServerLimits&, Question& q) { set_demands(value, q); }},
    {{"nbest", "how many trees of each sentence"},
     [](const Json& value, const ServerLimits& limits, Question& q) {
       q.nbest = number_value("nbest", value, 1, limits.max_nbest);
     }},
    {{"sentence", "explain: which sentence, from 1"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.sentence = number_value("sentence", value, 1, kMostNumber);
     }},
    {{"word", "explain: which word, from 1; all in short if not given"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.word = number_value("word", value, 1, kMostNumber);
     }},
    {{"head", "explain: against this head, 0 the root, not the runner-up"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.head = number_value("head", value, 0, kMostNumber);
     }},
    {{"lists", "rerank: candidates, as copse nbest writes them, instead of text"},
     [](const Json& value, const ServerLimits&, Question& q) {
       q.lists = text_value("lists", value);
     }},
};

void set_field(const std::string& name, const Json& value, const ServerLimits& limits,
               Question& question) {
  std::string names;
  for (const Field& field : kFields) {
    if (field.name == name) return field.set(value, limits, question);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
  }
  bad_field(name.substr(0, 40), "there is no such field; there are: " + names);
}

// Nesting is counted before anything is built: a parser that builds what it reads would take the
// memory first.
void require_shallow(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) {
        throw Refusal(400, "bad_json", fmt::format("JSON nested deeper than {}", kDeepest));
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

Json parsed_json(std::string_view text) {
  require_shallow(text);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Refusal(400, "bad_json",
                  fmt::format("the body is no JSON: something is wrong at byte {}", error.byte));
  }
}

void take_json(const Request& request, const ServerLimits& limits, Question& question) {
  const Json body = parsed_json(request.body);
  if (!body.is_object()) throw Refusal(400, "bad_json", "the body is no JSON object");
  for (const auto& [name, value] : body.items()) set_field(name, value, limits, question);
}

bool is_form(const std::string& type) {
  return type == "application/x-www-form-urlencoded" || type == "multipart/form-data";
}

void take_fields(const Fields& fields, const ServerLimits& limits, Question& question) {
  for (const auto& [name, value] : fields) {
    require_utf8(value, "a field");
    set_field(name, value, limits, question);
  }
}

// "Accept: image/svg+xml" asks for a drawing where nothing else does.
void take_accept(const Request& request, Question& question) {
  const std::string accept = media_type(request.header("accept"));
  if (accept == "image/svg+xml") question.output = AnswerForm::svg;
  if (accept == "text/x-conllu") question.output = AnswerForm::conllu;
}

}  // namespace

std::span<const FieldInfo> question_fields() {
  static const std::vector<FieldInfo> kInfos(std::begin(kFields), std::end(kFields));
  return kInfos;
}

void require_utf8(std::string_view text, std::string_view what) {
  const std::size_t wrong = find_invalid_utf8(text);
  if (wrong == std::string_view::npos) return;
  throw Refusal(400, "bad_utf8", fmt::format("{} is no UTF-8: byte {} is wrong", what, wrong + 1));
}

Fields form_fields(const Request& request) {
  Fields fields = urlencoded_fields(request.query);
  if (request.body.empty()) return fields;
  const std::string_view header = request.header("content-type");
  const std::string type = media_type(header);
  Fields more;
  if (type == "application/x-www-form-urlencoded") {
    more = urlencoded_fields(request.body);
  } else if (type == "multipart/form-data") {
    more = multipart_fields(request.body, header);
  } else {
    throw Refusal(415, "bad_type",
                  "expected application/x-www-form-urlencoded or multipart/form-data");
  }
  for (auto& each : more) fields.push_back(std::move(each));
  return fields;
}

Question question_of(const Request& request, const ServerLimits& limits) {
  Question question;
  take_accept(request, question);
  const std::string type = media_type(request.header("content-type"));
  if (!request.body.empty() && is_form(type)) {
    take_fields(form_fields(request), limits, question);
    return question;
  }
  take_fields(urlencoded_fields(request.query), limits, question);
  if (request.body.empty()) return question;
  require_utf8(request.body, "the body");
  if (type == "application/json") {
    take_json(request, limits, question);
  } else if (type == "text/plain" || type.empty()) {
    question.text = request.body;
  } else if (type == "text/x-conllu") {
    question.text = request.body;
    question.input = Format::conllu;
  } else {
    throw Refusal(415, "bad_type",
                  "expected application/json, text/plain, text/x-conllu or a form");
  }
  return question;
}

}  // namespace copse::server

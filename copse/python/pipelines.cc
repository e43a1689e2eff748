// Loading, and from text to documents.
#include <chrono>
#include <optional>

#include "copse/base/input.h"
#include "copse/pipeline/document_pipe.h"
#include "copse/pipeline/model_path.h"
#include "copse/pipeline/text_stream.h"
#include "copse/python/bind.h"
#include "copse/python/errors.h"
#include "copse/python/pipeline_object.h"
#include "copse/python/values.h"

namespace copse::python {
namespace {

Stop stop_after(double seconds) {
  return Stop::after(
      std::chrono::duration_cast<Stop::Clock::duration>(std::chrono::duration<double>(seconds)));
}

LineEnds line_ends_named(const std::string& name) {
  if (name == "blanks") return LineEnds::blanks;
  if (name == "paragraphs") return LineEnds::paragraphs;
  if (name == "sentences") return LineEnds::sentences;
  throw usage_error("unknown line_ends '" + name + "'", "expected blanks, paragraphs or sentences");
}

PipelineOptions options_of(const py::kwargs& given, const char* function) {
  PipelineOptions options;
  pipeline_keywords().fill(options, given, function);
  return options;
}

DocumentPipe::Question question_of(const py::handle& value) {
  if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value)) return text_of(value);
  return entries_of(value);
}

DocumentPtr call(const PipelineObject& nlp, const py::object& asked, const py::kwargs& given) {
  const PipelineOptions options = options_of(given, "nlp()");
  DocumentPipe::Question question = question_of(asked);
  const py::gil_scoped_release unlocked;
  return std::visit(
      [&](auto& each) {
        return std::make_shared<Document>(nlp.pipeline(std::move(each), options));
      },
      question);
}

// The generator of nlp.pipe(): takes from the source what there is room for, gives the oldest answer.
class Pipe {
 public:
  Pipe(const PipelineObject& nlp, const py::object& source, const PipelineOptions& options)
      : pipe_(nlp.pipeline, options), source_(py::iter(source)) {}

  DocumentPtr next() {
    while (pipe_.has_room() && take_question()) {
    }
    if (pipe_.empty()) {
      if (raised_) throw *std::exchange(raised_, std::nullopt);
      throw py::stop_iteration();
    }
    while (true) {
      if (auto document = answer()) return std::make_shared<Document>(std::move(*document));
      check_signals();
    }
  }

 private:
  // What the source raises comes after the answers to what it gave before.
  bool take_question() {
    if (ended_) return false;
    try {
      const auto item = py::reinterpret_steal<py::object>(PyIter_Next(source_.ptr()));
      if (PyErr_Occurred() != nullptr) throw py::error_already_set();
      ended_ = !item;
      if (item) pipe_.put(question_of(item));
    } catch (const py::error_already_set& raised) {
      raised_ = raised;
      ended_ = true;
    }
    return !ended_;
  }
  std::optional<Document> answer() {
    constexpr auto kPatience = std::chrono::milliseconds(100);
    const py::gil_scoped_release unlocked;
    return pipe_.take_within(kPatience);
  }

  DocumentPipe pipe_;
  py::iterator source_;
  std::optional<py::error_already_set> raised_;
  bool ended_ = false;
};

std::unique_ptr<Pipe> pipe(const PipelineObject& nlp, const py::object& texts,
                           const py::kwargs& given) {
  return std::make_unique<Pipe>(nlp, texts, options_of(given, "nlp.pipe()"));
}

std::uint64_t stream_file(const PipelineObject& nlp, const py::object& path,
                          const py::function& give, const py::kwargs& given) {
  TextStreamOptions options;
  options.pipeline = options_of(given, "nlp.stream()");
  Input input = Input::open(text_or_path(path));
  Callbacks callbacks;
  return callbacks.watch([&] {
    return stream_text(input, nlp.pipeline, options, [&](ParsedSentence&& sentence) {
      callbacks.run([&] { give(std::make_shared<ParsedSentence>(std::move(sentence))); });
    });
  });
}

// One sentence again, under demands that are not written into its columns.
SentencePtr annotate(const PipelineObject& nlp, const py::object& sentence,
                     std::vector<SentenceDemands::Arc> arcs, std::vector<SpanDemand> phrases,
                     const py::kwargs& given) {
  const PipelineOptions options = options_of(given, "nlp.annotate()");
  const SentencePtr out = sentence_of(entry_of(sentence));
  const SentenceDemands demands{std::move(arcs), std::move(phrases)};
  const py::gil_scoped_release unlocked;
  out->tree = {};
  nlp.pipeline.annotate(*out, options, demands);
  return out;
}

void bind_demands(py::module_& module) {
  using Arc = SentenceDemands::Arc;
  py::class_<Arc>(module, "Arc", "What the arc to a word must be, or must not be; from 1, 0: root.")
      .def(py::init([](int word, std::optional<int> head, std::optional<int> not_head,
                       const std::string& relation) {
             return Arc{word, head, not_head, relation};
           }),
           py::arg("word"), py::arg("head") = py::none(), py::arg("not_head") = py::none(),
           py::arg("relation") = "")
      .def_readwrite("word", &Arc::word)
      .def_readwrite("head", &Arc::head)
      .def_readwrite("not_head", &Arc::not_head)
      .def_readwrite("relation", &Arc::relation);
  py::class_<SpanDemand>(module, "Span", "Words that must, or must not, be a phrase; both inside.")
      .def(py::init([](int first, int last, const std::string& label, bool forbidden) {
             return SpanDemand{first, last, label, forbidden};
           }),
           py::arg("first"), py::arg("last"), py::arg("label") = "", py::arg("forbidden") = false)
      .def_readwrite("first", &SpanDemand::first)
      .def_readwrite("last", &SpanDemand::last)
      .def_readwrite("label", &SpanDemand::label)
      .def_readwrite("forbidden", &SpanDemand::forbidden);
}

// A tuple that loads the same again; models are shared by name, never copied into a pickle.
py::tuple reduced(const PipelineObject& nlp) {
  if (nlp.sources.empty()) throw py::type_error("this pipeline was not loaded from files");
  return py::make_tuple(py::type::of<PipelineObject>(), py::make_tuple(nlp.sources, nlp.parts));
}

PipelineObject load_pipeline(const py::object& names, const std::vector<std::string>& parts) {
  std::vector<std::string> sources;
  if (is_path(names)) {
    sources.push_back(text_or_path(names));
  } else {
    for (const py::handle name : py::iter(names)) sources.push_back(text_or_path(name));
  }
  const py::gil_scoped_release unlocked;
  return PipelineObject::load(sources, parts);
}

}  // namespace

PipelineObject PipelineObject::load(const std::vector<std::string>& sources,
                                    const std::vector<std::string>& parts) {
  if (sources.size() == 1) {
    const std::vector<std::string_view> wanted(parts.begin(), parts.end());
    const ModelFile file = ModelFile::open(ModelPath::standard().find(sources[0]));
    return {Pipeline::from(file, wanted), sources, parts};
  }
  if (!parts.empty()) throw usage_error("parts are those of one bundle");
  std::vector<std::string> paths;
  for (const std::string& source : sources) paths.push_back(ModelPath::standard().find(source));
  return {Pipeline::load(paths), sources, parts};
}

const Keywords<PipelineOptions>& pipeline_keywords() {
  using O = PipelineOptions;
  static const Keywords<O> table = {
      {"tags", field([](O& o) -> bool& { return o.tags; })},
      {"dependencies", field([](O& o) -> bool& { return o.dependencies; })},
      {"phrases", field([](O& o) -> bool& { return o.phrases; })},
      {"rerank", field([](O& o) -> bool& { return o.rerank; })},
      {"keep_tags", field([](O& o) -> bool& { return o.keep_tags; })},
      {"constraints", field([](O& o) -> bool& { return o.constraints; })},
      {"n_best", field([](O& o) -> int& { return o.n_best; })},
      {"marginals", field([](O& o) -> bool& { return o.marginals; })},
      {"mbr", field([](O& o) -> bool& { return o.mbr; })},
      {"most_words", field([](O& o) -> int& { return o.most_words; })},
      {"longest_phrases", field([](O& o) -> int& { return o.longest_phrases; })},
      {"threads", field([](O& o) -> int& { return o.threads; })},
      {"line_ends", named([](O& o) -> LineEnds& { return o.text.line_ends; }, line_ends_named)},
      {"seconds",
       [](O& o, const py::handle& value) { o.stop = stop_after(value_of<double>(value)); }},
  };
  return table;
}

void bind_pipelines(py::module_& module) {
  bind_demands(module);
  py::class_<Pipe>(module, "Pipe", "The documents of nlp.pipe(), in the order of the texts.")
      .def("__iter__", [](const py::object& self) { return self; })
      .def("__next__", &Pipe::next);
  py::class_<PipelineObject> type(
      module, "Pipeline", R"doc(From text to trees. Any number of threads may use one at once.

>>> nlp = copse.load("en")
>>> doc = nlp("She saw the man with the telescope.")
>>> doc[0].relations
['nsubj', 'root', 'det', 'obj', 'case', 'det', 'nmod', 'punct']

Keyword arguments say what is asked: ``tags``, ``dependencies``, ``phrases``, ``rerank`` (False: not
that), ``n_best``, ``marginals``, ``mbr``, ``keep_tags``, ``constraints``, ``most_words``,
``longest_phrases``, ``line_ends`` ("blanks", "paragraphs", "sentences"), ``threads`` (0: all
cores), ``seconds`` (raises Stopped after so many).)doc");
  type.def(py::init(&load_pipeline), py::arg("model"), py::arg("parts") = py::list(),
           "See load().");
  type.def("__call__", &call, py::arg("text"),
           R"doc(The Document of a text, or of sentences that are there already.

>>> [word.upos for word in nlp([["Dogs", "sleep"]])[0]]
['NOUN', 'VERB'])doc");
  type.def("pipe", &pipe, py::arg("texts"),
           R"doc(The Documents of many texts, in their order, by ``threads`` at once.

A few texts per thread are taken from the iterable at a time, so memory does not grow with it.

>>> [len(doc[0]) for doc in nlp.pipe(["Dogs sleep.", "She saw him."], threads=2)]
[3, 4])doc");
  type.def(
      "stream", &stream_file, py::arg("path"), py::arg("give"),
      "Takes a text of any length through the pipeline: ``give`` is called with each Sentence, "
      "in order. Returns how many there were.");
  type.def("annotate", &annotate, py::arg("sentence"), py::arg("arcs") = py::list(),
           py::arg("phrases") = py::list(),
           R"doc(A sentence parsed anew, so that its trees meet demands.

>>> sentence = nlp("She saw the man with the telescope.")[0]
>>> other = nlp.annotate(sentence, arcs=[copse.Arc(7, head=2)], phrases=[copse.Span(3, 7, "NP")])
>>> sentence.relations[6], other.relations[6]
('nmod', 'obl')
>>> [str(node) for node in other.tree.subtrees() if node.label == "PP"]
['(PP (IN with) (NP (DT the) (NN telescope)))'])doc");
  type.def_property_readonly(
      "name", [](const PipelineObject& nlp) { return nlp.pipeline.name(); }, "Of its file.");
  type.def_property_readonly(
      "record", [](const PipelineObject& nlp) { return from_json(nlp.pipeline.record()); },
      "What the model says of itself: options, data, figures.");
  type.def("__reduce__", &reduced);
  type.def("__repr__", [](const PipelineObject& nlp) {
    return py::str("copse.load({})").format(py::repr(py::cast(nlp.sources)).attr("strip")("[]"));
  });
  module.def(
      "load", &load_pipeline, py::arg("model") = std::string(kDefaultModel),
      py::arg("parts") = py::list(),
      R"doc(Loads a bundle by its name or path, or several models that are to work one after the other.

``parts`` names those of a bundle that are wanted: tokenizer, tagger, dependency, constituency,
reranker.

>>> copse.load("en", parts=["tokenizer", "tagger"])("Dogs sleep.")[0][0].upos
'NOUN')doc");
}

}  // namespace copse::python

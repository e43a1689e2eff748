"""Types of the module copse. A test sees to it that nothing is missing."""
from os import PathLike
from typing import IO, Any, Callable, Iterable, Iterator, Literal, Sequence, Union

import numpy
import numpy.typing

__version__: str

Path = Union[str, bytes, PathLike[str]]
Text = Union[str, bytes]
Words = Sequence[str]
Floats = numpy.typing.NDArray[numpy.float64]
FormatName = Literal["conllu", "conllx", "ptb", "json", "text", "columns", "svg", "html", "latex", "dot", "ascii"]
PartName = Literal["tokenizer", "tagger", "dependency", "constituency", "reranker"]

class Error(Exception):
    message: str
    kind: Literal["data", "usage", "machine"]
    file: str | None
    line: int | None
    column: int | None
    hint: str | None

class Stopped(Error): ...

class Tree:
    def __init__(self, text: str) -> None: ...
    label: str
    word: str | None
    begin: int
    end: int
    children: list[Tree]
    parent: Tree | None
    leaves: list[Tree]
    words: list[str]
    def subtrees(self) -> list[Tree]: ...
    def to_string(self, format: FormatName) -> str: ...
    def to_nltk(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Tree: ...
    def __iter__(self) -> Iterator[Tree]: ...
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...

class Word:
    number: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    relation: str
    misc: str
    head_word: Word | None
    sentence: Sentence
    begin: int
    end: int
    byte_begin: int
    byte_end: int

class Token:
    form: str
    words: list[Word]
    begin: int
    end: int
    byte_begin: int
    byte_end: int

class Dependencies:
    heads: list[int]
    relations: list[str]
    score: float
    probability: float
    arc_probability: Floats
    relation_probability: Floats

class Certificate:
    optimal: bool
    bound: float
    gap: float
    iterations: int
    relaxations: int

class Bracket:
    label: str
    begin: int
    end: int
    probability: float

class Sentence:
    def __init__(self, words: Words) -> None: ...
    words: list[Word]
    tokens: list[Token]
    heads: list[int]
    relations: list[str]
    text: str
    begin: int
    end: int
    tree: Tree | None
    dependencies: list[Dependencies]
    phrases: list[Tree]
    scores: Floats
    phrase_scores: Floats
    reranker_scores: Floats
    arcs: numpy.typing.NDArray[Any]
    brackets: list[Bracket]
    certificate: Certificate | None
    degraded: str
    problem: Error | None
    def arc_matrix(self) -> Floats: ...
    def comment(self, key: str) -> str | None: ...
    def set_comment(self, key: str, value: str) -> None: ...
    def to_conllu(self) -> str: ...
    def to_string(self, format: FormatName) -> str: ...
    def to_nltk(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Word: ...
    def __iter__(self) -> Iterator[Word]: ...
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...

class Document:
    text: str
    sentences: list[Sentence]
    def to_conllu(self) -> str: ...
    def to_string(self, format: FormatName) -> str: ...
    def to_pandas(self) -> Any: ...
    def require_no_problem(self) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Sentence: ...
    def __iter__(self) -> Iterator[Sentence]: ...
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...

class Treebank(Iterator[Sentence]):
    format: str
    name: str
    def __iter__(self) -> Treebank: ...
    def __next__(self) -> Sentence: ...

Sentences = Union[Document, Iterable[Union[Sentence, Words]]]
Source = Union[Path, Sentences]

class Arc:
    def __init__(
        self, word: int, head: int | None = None, not_head: int | None = None, relation: str = ""
    ) -> None: ...
    word: int
    head: int | None
    not_head: int | None
    relation: str

class Span:
    def __init__(self, first: int, last: int, label: str = "", forbidden: bool = False) -> None: ...
    first: int
    last: int
    label: str
    forbidden: bool

class Feature:
    name: str
    values: str
    weight: float

class Part:
    name: str
    chosen: bool
    score: float
    features: list[Feature]

class ArcExplanation:
    word: int
    head: int
    other_head: int | None
    difference: float
    parts: list[Part]

class Explanations:
    def lines(self) -> str: ...
    def page(self, number: int = 0, top: int | None = None) -> str: ...
    def json(self) -> str: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> ArcExplanation: ...
    def __iter__(self) -> Iterator[ArcExplanation]: ...

class Pipe(Iterator[Document]):
    def __iter__(self) -> Pipe: ...
    def __next__(self) -> Document: ...

LineEnds = Literal["blanks", "paragraphs", "sentences"]

class Pipeline:
    def __init__(self, model: Path | Sequence[Path], parts: Sequence[PartName] = ()) -> None: ...
    name: str
    record: dict[str, Any]
    def __call__(
        self,
        text: Text | Sentences,
        *,
        tags: bool = ...,
        dependencies: bool = ...,
        phrases: bool = ...,
        rerank: bool = ...,
        keep_tags: bool = ...,
        constraints: bool = ...,
        n_best: int = ...,
        marginals: bool = ...,
        mbr: bool = ...,
        most_words: int = ...,
        longest_phrases: int = ...,
        line_ends: LineEnds = ...,
        threads: int = ...,
        seconds: float = ...,
    ) -> Document: ...
    def pipe(
        self,
        texts: Iterable[Text | Sentences],
        *,
        tags: bool = ...,
        dependencies: bool = ...,
        phrases: bool = ...,
        rerank: bool = ...,
        keep_tags: bool = ...,
        constraints: bool = ...,
        n_best: int = ...,
        marginals: bool = ...,
        mbr: bool = ...,
        most_words: int = ...,
        longest_phrases: int = ...,
        line_ends: LineEnds = ...,
        threads: int = ...,
        seconds: float = ...,
    ) -> Pipe: ...
    def stream(self, path: Path, give: Callable[[Sentence], Any], **options: Any) -> int: ...
    def annotate(
        self,
        sentence: Sentence | Words,
        arcs: Sequence[Arc] = (),
        phrases: Sequence[Span] = (),
        **options: Any,
    ) -> Sentence: ...
    def explain(
        self, sentence: Sentence | Words, word: int | None = None, head: int | None = None
    ) -> Explanations: ...

class Model:
    def __init__(self, path: Path) -> None: ...
    kind: str
    name: str
    record: dict[str, Any]
    def tag(self, sentence: Sentence | Words, probabilities: bool = False) -> Sentence: ...
    def k_best_tags(
        self, sentence: Sentence | Words, k: int, column: str = ""
    ) -> list[tuple[list[str], float]]: ...

class Report:
    text: str
    json: str
    figures: dict[str, Any]
    problems: list[str]
    def __getitem__(self, key: str) -> Any: ...

class Clusters:
    bits: dict[str, str]
    information: float
    def paths(self) -> str: ...
    def save(self, path: Path) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, word: str) -> str: ...

class Finding:
    kind: str
    file: str
    line: int
    sentence: int
    sentence_id: str
    word: int
    message: str
    weight: float

class CheckReport:
    sentences: int
    words: int
    errors: list[Finding]
    suspicions: list[Finding]
    def text(self, most: int | None = None) -> str: ...
    def json(self, most: int | None = None) -> str: ...
    def page(self, most: int | None = None) -> str: ...

def load(model: Path | Sequence[Path] = "en", parts: Sequence[PartName] = ()) -> Pipeline: ...
def models() -> list[tuple[str, str]]: ...
def install_model(file: Path, name: str = "") -> str: ...
def remove_model(name: str) -> str: ...
def read(
    source: Path | IO[str] | IO[bytes],
    format: FormatName | None = None,
    *,
    problems: Callable[[Error], Any] | None = None,
) -> Treebank: ...
def read_string(
    text: Text, format: FormatName, *, problems: Callable[[Error], Any] | None = None, name: str = "text"
) -> Treebank: ...
def write(path: Path, sentences: Sentences, format: FormatName) -> None: ...
def evaluate(
    what: Literal["dependency", "constituency", "conll18", "tags", "ner"],
    gold: Source,
    system: Source,
    **options: Any,
) -> Report: ...
def compare(gold: Source, a: Source, b: Source, metric: Literal["uas", "las", "f1"], **options: Any) -> Report: ...
def cluster(files: Path | Sequence[Path], **options: Any) -> Clusters: ...
def check(path: Path, model: Pipeline | None = None, **options: Any) -> CheckReport: ...
def train(
    what: Literal["tokenizer", "tagger", "entities", "dependency", "constituency", "reranker", "pipeline"],
    output: Path,
    *,
    progress: Callable[[str], Any] | None = None,
    problems: Callable[[Error], Any] | None = None,
    **options: Any,
) -> dict[str, Any] | None: ...

"""Statistical parsing: text in, trees out.

>>> import copse
>>> nlp = copse.load("en")
>>> doc = nlp("She saw the man with the telescope.")
>>> for word in doc[0]:
...     print(word.form, word.head, word.relation)
She 2 nsubj
saw 0 root
the 4 det
man 2 obj
with 7 case
the 7 det
telescope 4 nmod
. 2 punct

A thin mirror of the C++ library: docs/python.md shows the way around, and every class says what it
has. Errors are copse.Error: which file and line, what was wrong.
"""
from copse import _views
from copse._copse import (
    Arc,
    ArcExplanation,
    Bracket,
    Certificate,
    CheckReport,
    Clusters,
    Dependencies,
    Document,
    Error,
    Explanations,
    Feature,
    Finding,
    Model,
    Part,
    Pipe,
    Pipeline,
    Report,
    Sentence,
    Span,
    Stopped,
    Token,
    Tree,
    Treebank,
    Word,
    __version__,
    check,
    cluster,
    compare,
    evaluate,
    install_model,
    load,
    models,
    read,
    read_string,
    remove_model,
    train,
    write,
)

__all__ = [
    "Arc",
    "ArcExplanation",
    "Bracket",
    "Certificate",
    "CheckReport",
    "Clusters",
    "Dependencies",
    "Document",
    "Error",
    "Explanations",
    "Feature",
    "Finding",
    "Model",
    "Part",
    "Pipe",
    "Pipeline",
    "Report",
    "Sentence",
    "Span",
    "Stopped",
    "Token",
    "Tree",
    "Treebank",
    "Word",
    "__version__",
    "check",
    "cluster",
    "compare",
    "evaluate",
    "install_model",
    "load",
    "models",
    "read",
    "read_string",
    "remove_model",
    "train",
    "write",
]

# What people see of a class is where they import it from.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "copse"

_views.add()

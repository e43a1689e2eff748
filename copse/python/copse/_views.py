"""What other packages have of trees and sentences: nltk, pandas, a notebook's page.

Those packages are imported when they are asked for, never before."""
from copse._copse import Document, Sentence, Tree


def tree_to_nltk(self):
    """The same as an nltk.Tree."""
    from nltk import Tree as NltkTree

    # From the leaves up, without recursion: trees may be deeper than the interpreter's stack.
    made = {}
    nodes = self.subtrees()
    for number in range(len(nodes) - 1, -1, -1):
        node = nodes[number]
        if node.word is not None:
            made[number] = NltkTree(node.label, [node.word])
            continue
        children, at = [], number + 1
        for child in node.children:
            children.append(made.pop(at))
            at += len(child.subtrees())
        made[number] = NltkTree(node.label, children)
    return made[0]


def sentence_to_nltk(self):
    """Its phrase-structure tree as an nltk.Tree; None if it has none."""
    return None if self.tree is None else self.tree.to_nltk()


def rows_of(number, sentence):
    for word in sentence:
        yield (
            number,
            word.number,
            word.form,
            word.lemma,
            word.upos,
            word.xpos,
            word.feats,
            word.head,
            word.relation,
            word.begin,
            word.end,
        )


COLUMNS = ["sentence", "word", "form", "lemma", "upos", "xpos", "feats", "head", "relation", "begin", "end"]


def to_pandas(self):
    """A pandas.DataFrame with a row for each word; sentences are numbered from 0."""
    import pandas

    sentences = [self] if isinstance(self, Sentence) else self
    rows = [row for number, sentence in enumerate(sentences) for row in rows_of(number, sentence)]
    return pandas.DataFrame(rows, columns=COLUMNS)


def sentence_html(self):
    """Both of its trees, drawn."""
    drawings = [self._repr_svg_()]
    if self.tree is not None:
        drawings.append(self.tree._repr_svg_())
    return "\n".join(f"<div>{drawing}</div>" for drawing in drawings)


def document_html(self):
    """Its sentences, drawn."""
    return "\n".join(f"<div>{sentence._repr_svg_()}</div>" for sentence in self)


def add():
    """Gives the classes of the compiled part these methods."""
    Tree.to_nltk = tree_to_nltk
    Sentence.to_nltk = sentence_to_nltk
    Sentence.to_pandas = to_pandas
    Document.to_pandas = to_pandas
    Sentence._repr_html_ = sentence_html
    Document._repr_html_ = document_html

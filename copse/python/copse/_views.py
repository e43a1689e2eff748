"""What other packages have of trees and sentences: nltk, pandas, a notebook's page.

Those packages are imported when they are asked for, never before."""
from copse._copse import Document, Sentence, Tree


def tree_to_nltk(self):
    """The same as an nltk.Tree."""
    from nltk import Tree as NltkTree

    # From the last node back to the first, without recursion: trees may be deeper than the stack of the
    # interpreter. The children of a node are the last that were made.
    made = []
    for node in reversed(self.subtrees()):
        children = [node.word] if node.word is not None else [made.pop() for _ in range(len(node))]
        made.append(NltkTree(node.label, children))
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


# As HTML, too: who writes a notebook as a page (nbconvert) takes the lines and letters out of SVG.
def drawn_html(self):
    """Its trees, drawn."""
    return f"<div>{self._repr_svg_()}</div>"


def document_html(self):
    """Its sentences, drawn."""
    return "\n".join(drawn_html(sentence) for sentence in self)


def add():
    """Gives the classes of the compiled part these methods."""
    Tree.to_nltk = tree_to_nltk
    Sentence.to_nltk = sentence_to_nltk
    Sentence.to_pandas = to_pandas
    Document.to_pandas = to_pandas
    Tree._repr_html_ = drawn_html
    Sentence._repr_html_ = drawn_html
    Document._repr_html_ = document_html

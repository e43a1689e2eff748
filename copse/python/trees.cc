// Phrase-structure trees.
#include "copse/python/trees.h"

#include "copse/base/error.h"
#include "copse/python/values.h"
#include "copse/treebank/treebank.h"

namespace copse::python {
namespace {

std::vector<TreeNode> children(const TreeNode& at) {
  std::vector<TreeNode> out;
  for (const int child : at.tree->children(at.node)) out.push_back({at.tree, child});
  return out;
}

std::vector<TreeNode> leaves(const TreeNode& at) {
  std::vector<TreeNode> out;
  for (int node = at.node; node < at.tree->next(at.node); ++node) {
    if (at.tree->is_leaf(node)) out.push_back({at.tree, node});
  }
  return out;
}

std::vector<TreeNode> subtrees(const TreeNode& at) {
  std::vector<TreeNode> out;
  for (int node = at.node; node < at.tree->next(at.node); ++node) out.push_back({at.tree, node});
  return out;
}

Entry entry_of_node(const TreeNode& at) {
  if (at.node == 0) return {{}, *at.tree};
  PhraseTreeBuilder builder;
  builder.copy(*at.tree, at.node);
  return {{}, std::move(builder).finish()};
}

TreeNode parsed(const std::string& text) {
  std::vector<Entry> entries = parse_treebank(text, Format::ptb, "tree");
  if (entries.size() != 1) throw data_error("expected one bracketed tree", {"tree", 0, 0});
  return {std::make_shared<const PhraseTree>(std::move(entries[0].tree)), 0};
}

py::object child_at(const TreeNode& at, py::ssize_t index) {
  const std::vector<TreeNode> all = children(at);
  const auto size = static_cast<py::ssize_t>(all.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) throw py::index_error("there is no such child");
  return py::cast(all[static_cast<std::size_t>(index)]);
}

py::object parent(const TreeNode& at) {
  const int above = at.tree->parent(at.node);
  return above < 0 ? py::object(py::none()) : py::cast(TreeNode{at.tree, above});
}

constexpr const char* kTreeText =
    R"doc(A node of a phrase-structure tree: a phrase, or a tag over a word.

>>> tree = copse.Tree("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")
>>> tree.label, [child.label for child in tree], tree[0].words
('S', ['NP', 'VP'], ['the', 'cat'])
>>> [str(node) for node in tree.subtrees() if node.label == "VP"]
['(VP (VBD sat))'])doc";

}  // namespace

void bind_trees(py::module_& module) {
  py::class_<TreeNode> tree(module, "Tree", kTreeText);
  tree.def(py::init(&parsed), py::arg("text"), "One tree in brackets.");
  tree.def_property_readonly(
      "label", [](const TreeNode& at) { return str_of(at.tree->label(at.node)); },
      "The label of a phrase, the tag of a word.");
  tree.def_property_readonly(
      "word",
      [](const TreeNode& at) -> py::object {
        if (!at.tree->is_leaf(at.node)) return py::none();
        return str_of(at.tree->word(at.node));
      },
      "The word under a tag; None for a phrase.");
  tree.def_property_readonly(
      "begin", [](const TreeNode& at) { return at.tree->begin(at.node); },
      "Its first word, from 0.");
  tree.def_property_readonly(
      "end", [](const TreeNode& at) { return at.tree->end(at.node); }, "One past its last word.");
  tree.def_property_readonly("children", &children, "The nodes below it.");
  tree.def_property_readonly("parent", &parent, "The node above it; None for the root.");
  tree.def_property_readonly("leaves", &leaves, "The tags with their words.");
  tree.def_property_readonly(
      "words",
      [](const TreeNode& at) {
        py::list words;
        for (const TreeNode& leaf : leaves(at)) words.append(str_of(leaf.tree->word(leaf.node)));
        return words;
      },
      "Its words.");
  tree.def("subtrees", &subtrees, "Itself and all nodes below it, in preorder.");
  tree.def("__len__", [](const TreeNode& at) { return at.tree->child_count(at.node); });
  tree.def("__bool__", [](const TreeNode&) { return true; });
  tree.def("__getitem__", &child_at);
  tree.def("__iter__", [](const TreeNode& at) { return py::iter(py::cast(children(at))); });
  tree.def("__str__", [](const TreeNode& at) { return str_of(at.tree->str(at.node)); });
  tree.def("__repr__", [](const TreeNode& at) {
    return py::str("Tree({!r})").format(str_of(at.tree->str(at.node)));
  });
  tree.def("__eq__", [](const TreeNode& a, const TreeNode& b) {
    return a.tree->str(a.node) == b.tree->str(b.node);
  });
  tree.def("__eq__", [](const TreeNode&, const py::object&) { return false; });
  tree.def("__hash__", [](const TreeNode& at) { return py::hash(str_of(at.tree->str(at.node))); });
  tree.def("_repr_svg_",
           [](const TreeNode& at) { return str_of(written({entry_of_node(at)}, Format::svg)); });
  tree.def(
      "to_string",
      [](const TreeNode& at, const std::string& format) {
        return str_of(written({entry_of_node(at)}, format_named(format)));
      },
      py::arg("format"), "As a file in that format has it: \"ptb\", \"svg\", \"ascii\", ...");
  tree.def(py::pickle([](const TreeNode& at) { return py::make_tuple(at.tree->str(at.node)); },
                      [](const py::tuple& state) { return parsed(state[0].cast<std::string>()); }));
}

}  // namespace copse::python

// What of a parse the tree kernel compares: the tree itself, and trees made from it. Fragments take
// productions whole, so two long rules that differ in one child have nothing in common, and a word
// far below a phrase it heads is in no small fragment with it. A view brings together what belongs
// together; the kernel of several views is the sum of theirs.
//
//   tree     the parse as it is
//   binary   children one after the other, outwards from the head, right ones first:
//            (NP (DT a) (JJ big) (NN dog) (PP ...))
//            -> (NP (DT a) (NP| (JJ big) (NP| (NN dog) (PP ...))))
//   heads    for every child m but the head h of a phrase X a small tree of what is known of the
//            attachment; a slot that differs leaves the fragments without it
//            (X>PP (@c VP) (@s NP) (@u S) (@d 2) (@h (VBD saw)) (@m (IN with)) (@o (NN telescope)))
//              @c  label of h     @s  neighbour of m towards h    @u  label above X
//              @d  words between  @h, @m  head words of h and m   @o  of the object of a PP
//   spans    for every phrase X what it covers and what stands around it
//            (X: (@n 5) (@e 3) (@b (VBD saw)) (@f (DT the)) (@l (NN man)) (@a (IN with)))
//              @n  words of X     @e  words after it
//              @b, @a  the words before and after it    @f, @l  its first and its last
//
// Numbers are classes: 0, 1, 2, 3, 4-5, 6-10, 11-20, more. Linear in the tree, no recursion.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "copse/rerank/tree_list.h"
#include "copse/treebank/head_rules.h"

namespace copse {

enum class TreeView { tree, binary, heads, spans };

std::string_view name_of(TreeView view);
// Throws usage_error for a name that is none.
TreeView tree_view(std::string_view name);
std::vector<std::string> tree_view_names();

class TreeViews {
 public:
  // The tree itself.
  TreeViews() : TreeViews(std::vector{TreeView::tree}, "collins") {}
  // Throws usage_error unless there is a view, and none twice. The heads are those of a table that
  // comes with the program, or of a file; only their table is kept.
  TreeViews(std::vector<TreeView> views, const std::string& head_table);
  // As a model keeps them: names, and the text of the table. Throws data_error.
  static TreeViews from(std::span<const std::string> names, const std::string& head_table);

  std::span<const TreeView> views() const { return views_; }
  std::vector<std::string> names() const;
  const HeadRules& heads() const { return heads_; }

  // The views of a parse as one candidate.
  void add(const PhraseTree& tree, TreeListBuilder& builder) const;

 private:
  TreeViews(std::vector<TreeView> views, HeadRules heads);

  std::vector<TreeView> views_;
  HeadRules heads_;
};

}  // namespace copse

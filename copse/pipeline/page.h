// A self-contained web page of headings, tables and drawings. Light and dark, no scripts, nothing
// from elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "copse/treebank/format.h"

namespace copse {

class Page {
 public:
  explicit Page(std::string_view title);

  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void table(const std::vector<std::string>& head,
             const std::vector<std::vector<std::string>>& rows);
  // A sentence drawn, under a caption.
  void drawing(std::string_view caption, const Entry& entry);
  // As it is.
  void html(std::string_view text);

  std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace copse

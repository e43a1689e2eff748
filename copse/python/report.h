// A result as text and as JSON, the bytes that the commands print.
#pragma once

#include <string>
#include <vector>

namespace copse::python {

struct Report {
  std::string text, json;
  std::vector<std::string> problems = {};
};

}  // namespace copse::python

// Keyword arguments as the fields of an option struct. A table names each of them once; what is not
// given keeps the default of the library.
//
//   const Keywords<PipelineOptions> kOptions = {
//       {"n_best", field([](PipelineOptions& o) -> int& { return o.n_best; })}, ...};
//   kOptions.fill(options, kwargs, "nlp()");
#pragma once

#include <fmt/format.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "copse/python/bind.h"
#include "copse/python/values.h"

namespace copse::python {

// The value of an argument as a field of that type wants it. Throws TypeError.
template <class T>
T value_of(const py::handle& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text_or_path(value);
  } else {
    try {
      return value.cast<T>();
    } catch (const py::cast_error&) {
      throw py::type_error(fmt::format("cannot be {}", std::string(py::repr(value))));
    }
  }
}

// A field by a function that finds it in the struct.
template <class Find>
auto field(Find find) {
  return [find](auto& options, const py::handle& value) {
    auto& target = find(options);
    target = value_of<std::remove_reference_t<decltype(target)>>(value);
  };
}
// A field whose text a function of the library makes something of; its usage_error is the caller's.
template <class Find, class Parse>
auto named(Find find, Parse parse) {
  return [find, parse](auto& options, const py::handle& value) {
    find(options) = parse(value_of<std::string>(value));
  };
}

template <class T>
class Keywords {
 public:
  struct Keyword {
    const char* name;
    std::function<void(T&, const py::handle&)> take;
  };
  Keywords(std::initializer_list<Keyword> keywords) : keywords_(keywords) {}

  // Takes those that are of this table out of `given`.
  void take(T& options, py::dict& given) const {
    for (const Keyword& keyword : keywords_) {
      if (!given.contains(keyword.name)) continue;
      const py::object value = given.attr("pop")(keyword.name);
      try {
        keyword.take(options, value);
      } catch (const py::type_error& error) {
        throw py::type_error(fmt::format("{} {}", keyword.name, error.what()));
      }
    }
  }
  // All that are given must be of this table: else TypeError, with the nearest name.
  void fill(T& options, const py::kwargs& given, const std::string& function) const {
    py::dict left = py::reinterpret_steal<py::dict>(PyDict_Copy(given.ptr()));
    take(options, left);
    refuse(left, names(), function);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Keyword& keyword : keywords_) out.emplace_back(keyword.name);
    return out;
  }

 private:
  std::vector<Keyword> keywords_;
};

}  // namespace copse::python

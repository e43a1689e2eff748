// The one error type of the toolkit. A library function that cannot do what it promised throws
// Error; it never prints, exits or aborts. Front ends print what() and map kind() to an exit code.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace copse {

// The values are the exit codes of the command line.
enum class ErrorKind {
  data = 1,     // the input is wrong: a treebank, a tree, a model file
  usage = 2,    // the request is wrong: an option, a combination of options
  machine = 3,  // the machine cannot: disk full, no such file, no memory, a broken pipe
};

// Where in which file. Zero line or column means "not known"; an empty file name, "no file".
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;  // in bytes, from 1

  // "train.conllu:1207:3", as much of it as is known.
  std::string str() const;
};

class Error : public std::runtime_error {
 public:
  explicit Error(ErrorKind kind, std::string message, Place place = {}, std::string hint = {});

  ErrorKind kind() const noexcept { return kind_; }
  int exit_code() const noexcept { return static_cast<int>(kind_); }
  const std::string& message() const noexcept { return message_; }  // without the place
  const Place& place() const noexcept { return place_; }
  const std::string& hint() const noexcept { return hint_; }

  // The same error with what the caller knows better filled in: only unknown parts of the place
  // are replaced.
  Error at(const Place& place) const;
  // The same error with a hint on how to mend it.
  Error with_hint(std::string hint) const;

 private:
  ErrorKind kind_;
  std::string message_;
  Place place_;
  std::string hint_;
};

inline Error data_error(std::string message, Place place = {}, std::string hint = {}) {
  return Error(ErrorKind::data, std::move(message), std::move(place), std::move(hint));
}
inline Error usage_error(std::string message, std::string hint = {}) {
  return Error(ErrorKind::usage, std::move(message), {}, std::move(hint));
}
// `errno_value` zero: the message stands alone; else the system's reason is added to it.
Error machine_error(std::string message, int errno_value = 0, Place place = {});

}  // namespace copse

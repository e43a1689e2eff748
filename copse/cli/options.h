// The command line as commands see it: options, flags and sub-commands, declared once. CLI11 stands
// behind it and is included by few files, because its header takes longer to compile than any
// command. The names are CLI11's own, so that its manual applies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// clang-format off
namespace CLI { class App; class Option; }
// clang-format on

namespace copse {
namespace command_line {

// Where the value of an option goes. Another type is another alternative here, nothing else.
using Target =
    std::variant<int*, unsigned*, long*, unsigned long*, long long*, unsigned long long*, float*,
                 double*, std::string*, std::vector<int>*, std::vector<double>*,
                 std::vector<std::size_t>*, std::vector<std::string>*, std::optional<int>*,
                 std::optional<unsigned>*, std::optional<std::size_t>*, std::optional<double>*,
                 std::optional<std::string>*>;

// A condition on a value; what is wrong with it becomes the message.
using Validator = std::function<void(::CLI::Option&)>;

Validator Range(int low, int high);
Validator Range(unsigned low, unsigned high);
Validator Range(std::size_t low, std::size_t high);
Validator Range(double low, double high);
Validator IsMember(std::vector<std::string> values);
Validator IsMember(std::initializer_list<const char*> values);
void PositiveNumber(::CLI::Option& option);
void NonNegativeNumber(::CLI::Option& option);

class Option {
 public:
  explicit Option(::CLI::Option* option) : option_(option) {}

  Option* group(const std::string& name);
  Option* type_name(const std::string& name);
  Option* check(const Validator& validator);
  Option* capture_default_str();
  Option* default_str(const std::string& text);
  Option* required(bool value = true);
  Option* excludes(Option* other);
  Option* needs(Option* other);
  Option* delimiter(char separator);
  Option* expected(int count);
  Option* expected(int least, int most);
  std::size_t count() const;  // how often it was given

 private:
  ::CLI::Option* option_;
};

class App {
 public:
  explicit App(::CLI::App* app, App* parent = nullptr);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  template <typename T>
  Option* add_option(const std::string& names, T& value, const std::string& help = {}) {
    return add_target(names, Target(&value), help);
  }
  // Sets `value` when it is given; "--no-x{false}" clears it.
  Option* add_flag(const std::string& names, bool& value, const std::string& help = {});

  App* add_subcommand(const std::string& name, const std::string& summary);
  void require_subcommand(int count);
  void fallthrough();
  void callback(std::function<void()> called);
  void footer(const std::string& text);
  bool parsed() const;
  const App* get_parent() const { return parent_; }

  ::CLI::App& real() { return *app_; }
  const ::CLI::App& real() const { return *app_; }

 private:
  Option* add_target(const std::string& names, Target value, const std::string& help);
  Option* keep(::CLI::Option* option);

  ::CLI::App* app_;
  App* parent_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<App>> subcommands_;
};

}  // namespace command_line

// CLI::App in a command is the class above; ::CLI::App is CLI11's.
namespace CLI = command_line;

}  // namespace copse

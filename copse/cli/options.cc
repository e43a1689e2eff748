#include "copse/cli/options.h"

#include <CLI/CLI.hpp>

namespace copse::command_line {

Validator Range(int low, int high) {
  return [=](::CLI::Option& option) { option.check(::CLI::Range(low, high)); };
}
Validator Range(unsigned low, unsigned high) {
  return [=](::CLI::Option& option) { option.check(::CLI::Range(low, high)); };
}
Validator Range(std::size_t low, std::size_t high) {
  return [=](::CLI::Option& option) { option.check(::CLI::Range(low, high)); };
}
Validator Range(double low, double high) {
  return [=](::CLI::Option& option) { option.check(::CLI::Range(low, high)); };
}
Validator IsMember(std::vector<std::string> values) {
  return [values = std::move(values)](::CLI::Option& option) {
    option.check(::CLI::IsMember(values));
  };
}
Validator IsMember(std::initializer_list<const char*> values) {
  return IsMember(std::vector<std::string>(values.begin(), values.end()));
}
void PositiveNumber(::CLI::Option& option) {
  option.check(::CLI::PositiveNumber);
}
void NonNegativeNumber(::CLI::Option& option) {
  option.check(::CLI::NonNegativeNumber);
}

Option* Option::group(const std::string& name) {
  option_->group(name);
  return this;
}
Option* Option::type_name(const std::string& name) {
  option_->type_name(name);
  return this;
}
Option* Option::check(const Validator& validator) {
  validator(*option_);
  return this;
}
Option* Option::capture_default_str() {
  option_->capture_default_str();
  return this;
}
Option* Option::default_str(const std::string& text) {
  option_->default_str(text);
  return this;
}
Option* Option::required(bool value) {
  option_->required(value);
  return this;
}
Option* Option::excludes(Option* other) {
  option_->excludes(other->option_);
  return this;
}
Option* Option::needs(Option* other) {
  option_->needs(other->option_);
  return this;
}
Option* Option::delimiter(char separator) {
  option_->delimiter(separator);
  return this;
}
Option* Option::expected(int count) {
  option_->expected(count);
  return this;
}
Option* Option::expected(int least, int most) {
  option_->expected(least, most);
  return this;
}
std::size_t Option::count() const {
  return option_->count();
}

App::App(::CLI::App* app, App* parent) : app_(app), parent_(parent) {}
App::~App() = default;

Option* App::keep(::CLI::Option* option) {
  return options_.emplace_back(std::make_unique<Option>(option)).get();
}

Option* App::add_target(const std::string& names, Target value, const std::string& help) {
  return keep(
      std::visit([&](auto* target) { return app_->add_option(names, *target, help); }, value));
}

Option* App::add_flag(const std::string& names, bool& value, const std::string& help) {
  return keep(app_->add_flag(names, value, help));
}

App* App::add_subcommand(const std::string& name, const std::string& summary) {
  ::CLI::App* made = app_->add_subcommand(name, summary);
  return subcommands_.emplace_back(std::make_unique<App>(made, this)).get();
}

void App::require_subcommand(int count) {
  app_->require_subcommand(count);
}
void App::fallthrough() {
  app_->fallthrough();
}
void App::callback(std::function<void()> called) {
  app_->callback(std::move(called));
}
void App::footer(const std::string& text) {
  app_->footer(text);
}
bool App::parsed() const {
  return app_->parsed();
}

}  // namespace copse::command_line

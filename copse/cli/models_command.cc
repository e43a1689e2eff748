// copse models: the bundles that can be used by name; makes bundles of components.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "copse/base/input.h"
#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/model_report.h"
#include "copse/pipeline/bundle.h"
#include "copse/pipeline/installed_models.h"

namespace copse {
namespace {

constexpr std::size_t kLargestNote = std::size_t{1} << 20;

class ModelsCommand : public Command {
 public:
  std::string_view name() const override { return "models"; }
  std::string_view summary() const override {
    return "List, show, install, remove and put together the models that can be used by name";
  }
  std::vector<Example> examples() const override {
    return {
        {"models", "what there is, and where"},
        {"models show en", "what is in a model: components, data, licences, figures"},
        {"models install my.copse --name mine", "from now on: copse parse -m mine"},
        {"models remove mine", "takes it away again"},
        {"models bundle --name mine tagger.copse parser.copse -o my.copse",
         "one file of several components"},
    };
  }

  void declare_options(CLI::App& app) override {
    app.add_flag("--json", json_, "Print JSON");
    action(app, "list", "All models and where they are", &ModelsCommand::list);
    auto* show = action(app, "show", "What is in a model", &ModelsCommand::show);
    show->add_option("MODEL", model_, "Its name or file")->required();
    auto* install =
        action(app, "install", "Put a bundle where it is found by name", &ModelsCommand::install);
    install->add_option("FILE", model_, "The bundle; .zst and .gz are unpacked")->required();
    install->add_option("--name", bundle_name_, "Another name than its own");
    auto* remove = action(app, "remove", "Take away what was installed", &ModelsCommand::remove);
    remove->add_option("NAME", model_, "Its name")->required();
    auto* bundle = action(app, "bundle", "Put components together", &ModelsCommand::bundle);
    bundle->add_option("COMPONENTS", components_, "Model files, each of another kind")
        ->required()
        ->type_name("MODEL...");
    bundle->add_option("--name", bundle_name_,
                       "The name of the bundle; that of the file if not given");
    bundle->add_option("--language", language_, "Its language, such as en");
    bundle
        ->add_option("--about", about_,
                     "A JSON object to be kept in it: licences, attribution, figures")
        ->type_name("FILE");
    bundle->add_option("-o,--output", output_, "The bundle")->required()->type_name("BUNDLE");
  }

  ExitCode run(const CommonOptions&) override {
    Output output = Output::open("-");
    output.write((this->*chosen_)());
    output.commit();
    return ExitCode::fine;
  }

 private:
  using Action = std::string (ModelsCommand::*)() const;

  CLI::App* action(CLI::App& app, const std::string& name, const std::string& summary,
                   Action chosen) {
    CLI::App* sub = app.add_subcommand(name, summary);
    sub->fallthrough();
    sub->callback([this, chosen] { chosen_ = chosen; });
    return sub;
  }

  std::string list() const {
    const auto models = ModelPath::standard().models();
    if (json_) {
      nlohmann::json all = nlohmann::json::array();
      for (const InstalledModel& model : models) {
        all.push_back({{"name", model.name},
                       {"path", model.path},
                       {"origin", name_of(model.origin)},
                       {"hidden", model.hidden}});
      }
      return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    std::string text;
    for (const InstalledModel& model : models) {
      std::error_code failed;
      const auto bytes = std::filesystem::file_size(model.path, failed);
      text += fmt::format("{:<12} {:<12} {:>7.1f} MB  {}{}\n", model.name, name_of(model.origin),
                          failed ? 0.0 : static_cast<double>(bytes) / 1e6, model.path,
                          model.hidden ? "  (hidden by another of the same name)" : "");
    }
    if (!text.empty()) return text;
    text = "no models; looked into\n";
    for (const ModelFolder& folder : ModelPath::standard().folders) {
      text += fmt::format("  {} ({})\n", folder.path, name_of(folder.origin));
    }
    return text;
  }

  std::string show() const {
    const ModelFile model = ModelFile::open(ModelPath::standard().find(model_));
    return json_ ? model_as_json(model, model_) : model_as_text(model);
  }

  std::string install() const { return install_model(model_, bundle_name_) + "\n"; }
  std::string remove() const { return "removed " + remove_model(model_) + "\n"; }

  std::string bundle() const {
    std::vector<ModelFile> files;
    for (const std::string& path : components_) files.push_back(ModelFile::open(path));
    nlohmann::json about = nlohmann::json::object();
    if (!about_.empty()) {
      about = nlohmann::json::parse(Input::open(about_).read_all(kLargestNote), nullptr, false);
      if (!about.is_object()) throw data_error("expected a JSON object", {about_, 0, 0});
    }
    about["name"] =
        bundle_name_.empty() ? std::filesystem::path(output_).stem().string() : bundle_name_;
    if (!language_.empty()) about["language"] = language_;
    make_bundle(files, about).save(output_);
    return "";
  }

  Action chosen_ = &ModelsCommand::list;
  std::string model_, bundle_name_, language_, about_, output_;
  std::vector<std::string> components_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_models_command() {
  return std::make_unique<ModelsCommand>();
}

}  // namespace copse

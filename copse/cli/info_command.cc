// copse info: what is in a model file.
#include "copse/base/output.h"
#include "copse/cli/commands.h"
#include "copse/cli/model_report.h"
#include "copse/model/model_file.h"

namespace copse {
namespace {

class InfoCommand : public Command {
 public:
  std::string_view name() const override { return "info"; }
  std::string_view summary() const override {
    return "What is in a model file: kind, options, data, figures, sections";
  }
  std::vector<Example> examples() const override {
    return {{"info english.copse", "where a model comes from and how good it was"},
            {"info english.copse --json", "the same for a program"}};
  }

  void declare_options(CLI::App& app) override {
    app.add_option("model", path_, "The model file")->required()->type_name("MODEL");
    app.add_flag("--json", json_, "Print one JSON object");
  }

  ExitCode run(const CommonOptions&) override {
    const ModelFile model = ModelFile::open(path_);
    Output output = Output::open("-");
    output.write(json_ ? model_as_json(model) : model_as_text(model));
    output.commit();
    return ExitCode::fine;
  }

 private:
  std::string path_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_info_command() {
  return std::make_unique<InfoCommand>();
}

}  // namespace copse

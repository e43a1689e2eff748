// What `copse parse` can parse with. The model's kind chooses the task.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "copse/cli/command.h"
#include "copse/cli/treebank_output.h"
#include "copse/cli/treebank_stream.h"
#include "copse/model/model_file.h"

namespace copse {

// The options that all parsers share.
struct ParseRequest {
  TreebankInput input;
  TreebankOutputOptions output;
  int k = 0;  // of --nbest; 0: not asked for
  bool marginals = false;
  bool mbr = false;
  bool constraints = false;
};

class ParseTask {
 public:
  virtual ~ParseTask() = default;

  virtual std::string_view kind() const = 0;  // of the models it takes
  virtual void declare_options(CLI::App& app) = 0;
  virtual ExitCode run(const ModelFile& model, const ParseRequest& request,
                       const CommonOptions& common) = 0;
};

std::unique_ptr<ParseTask> make_constituency_parse_task();
std::unique_ptr<ParseTask> make_dependency_parse_task();
std::unique_ptr<ParseTask> make_bundle_parse_task();

std::vector<std::unique_ptr<ParseTask>> all_parse_tasks();

}  // namespace copse

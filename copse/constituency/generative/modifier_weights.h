// ln P_m P_w of a modifier in a context, remembered within a sentence.
//
// The chart joins the same phrase with the same modifier over many spans: what has been asked of the model
// is kept by the key of all that it depends on, in a table of fixed size where the last one stays. The
// answers are those of the model, whatever is kept.
#pragma once

#include <optional>
#include <vector>

#include "copse/constituency/generative/model.h"

namespace copse::generative {

struct ModifierWeight {
  double adjunct, complement;  // minus infinity: cannot be
};

class ModifierWeights {
 public:
  // What is looked up once for all modifiers of a context.
  class Context {
   public:
    Context(const GenerativeModel& model, const ModifierContext& context);

   private:
    friend class ModifierWeights;
    ModifierContext context_;
    EventKey key_;
    std::optional<ModifierChoice> choice_;  // when the model is asked first
  };

  // Forgets what another model has answered.
  void start(const GenerativeModel& model);
  const ModifierWeight& of(Context& context, LabelId label, LabelId tag, WordId future);

 private:
  struct Entry {
    EventKey key = 0;
    ModifierWeight weight{};
  };

  ModifierWeight ask(Context& context, LabelId label, LabelId tag, WordId future) const;

  const GenerativeModel* model_ = nullptr;
  std::vector<Entry> entries_;
};

}  // namespace copse::generative

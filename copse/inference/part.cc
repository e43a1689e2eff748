#include "copse/inference/part.h"

namespace copse {

bool has_family(Factorisation factorisation, PartFamily family) {
  const auto one_of = [factorisation](auto... choices) {
    return ((factorisation == choices) || ...);
  };
  using enum Factorisation;
  switch (family) {
    case PartFamily::dep:
      return true;
    case PartFamily::stop:
      return one_of(sibling, model1, model2);
    case PartFamily::sib:
      return one_of(sibling, carreras, model1, model2);
    case PartFamily::grand:
      return one_of(carreras, model0, model1, model2);
    case PartFamily::gsib:
      return one_of(model1, model2);
    case PartFamily::tsib:
      return one_of(model2);
  }
  return false;
}

const char* name(Factorisation factorisation) {
  switch (factorisation) {
    case Factorisation::first:
      return "first";
    case Factorisation::sibling:
      return "sibling";
    case Factorisation::carreras:
      return "carreras";
    case Factorisation::model0:
      return "model0";
    case Factorisation::model1:
      return "model1";
    case Factorisation::model2:
      return "model2";
  }
  return "";
}

std::string str(const Part& part) {
  const auto word = [](int w) { return w == kNobody ? std::string("-") : std::to_string(w); };
  const std::string side = part.side == Side::left ? "left" : "right";
  const std::string h = word(part.h);
  switch (part.family) {
    case PartFamily::dep:
      return "dep(" + h + "," + word(part.m) + ")";
    case PartFamily::stop:
      return "stop(" + h + "," + side + "," + word(part.m) + ")";
    case PartFamily::sib:
      return "sib(" + h + "," + word(part.m) + "," + word(part.s) + ")";
    case PartFamily::grand:
      return "grand(" + word(part.g) + "," + h + "," +
             (part.m == kNobody ? "- " + side : word(part.m)) + ")";
    case PartFamily::gsib:
      return "gsib(" + word(part.g) + "," + h + "," + word(part.m) + "," + word(part.s) + ")";
    case PartFamily::tsib:
      return "tsib(" + h + "," + word(part.m) + "," + word(part.s) + "," + word(part.t) + ")";
  }
  return {};
}

}  // namespace copse

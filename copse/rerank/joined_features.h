// Features from two sources as one: those of trees, and those that stand in the list with them.
#pragma once

#include "copse/rerank/list_features.h"

namespace copse {

// `features` of the list and those that its candidates bring (make_given_features()).
ListFeatures with_given_features(ListFeatures features, const Candidates& list,
                                 const FeatureSource::Wanted& wanted);

}  // namespace copse

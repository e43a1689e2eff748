// The gradient of ln P of a tree under the head-driven model, as features for rerankers (Henderson &
// Titov 2005). Every factor of P is a sum over the levels of its distribution,
//
//   e = sum over levels l of m_l e_l,   m_l = trust_l * product over levels k above of (1 - trust_k)
//
// and with what a level weighs and its normaliser taken as constants
//
//   d ln e / d ln e_l = m_l e_l / e
//
// the share that level has in the estimate: the shares of a factor sum to one. An event of a level is
// the sum of its shares in the tree. What stands below all levels has a share as well: the lexicon's
// P(w | t) one, and P(M | ...) P(t | M) two equal ones, because it is a product.
#pragma once

#include <map>

#include "copse/constituency/generative/model.h"

namespace copse::generative {

// By the keys of events. Empty for a tree that the model cannot make.
using EventShares = std::map<EventKey, double>;

EventShares event_shares(const GenerativeModel& model, const PreparedTree& tree);

}  // namespace copse::generative

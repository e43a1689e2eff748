// A network that reads histories of decisions (Simple Synchrony Networks; Henderson 2003, Henderson &
// Titov 2005). It knows nothing of trees: a step has features, some earlier steps in given roles,
// and decisions to predict.
//
//   x_i = b + sum of rows of its features + sum over places q of M_q v(item at q)
//   v   = sum of table rows of the item                         (a word by several traits)
//
//   plain    s_i = sigmoid( x_i + sum over roles r of R_r s_r(i) )             m_r where a role is absent
//   gated    o = sigmoid, u = tanh of such sums; one gate for the update and one for each role, which
//            sees that role alone: (i, f_1, f_2, ...) = softmax of their sums over those present
//            c_i = i u + sum over r of f_r c_r(i);   s_i = o c_i
//            (with gates that do not sum to one, c would double with every step of two roles)
//
//   P(row | step) = softmax over the rows of a factor that are allowed of theta s_i + bias
//
// Back-propagation is exact. Weights are one array, so that optimisers need not know what they are:
//
//   bias G | features rows x G | table rows x D | places Q x D x G | roles (R H) x J |
//   forget gates R x H x H | absent R x J | theta, for each factor H x rows and its biases
//
// with J = 3H, G = (3 + R) H for gated cells, J = G = H for plain ones. Float is for learning and
// parsing, double for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse {

struct NetworkShape {
  std::size_t hidden = 80;
  bool gated = false;
  std::size_t roles = 4;
  std::size_t features = 0;   // rows of direct features
  std::size_t embedding = 0;  // D
  std::size_t table = 0;      // its rows
  std::size_t places = 0;     // of items
  // For each factor the sizes of its groups; rows of a group are allowed or not together.
  std::vector<std::vector<std::size_t>> factors;

  std::size_t gates() const { return gated ? 3 + roles : 1; }
  std::size_t width() const { return gates() * hidden; }          // G
  std::size_t joint() const { return (gated ? 3 : 1) * hidden; }  // J
  std::size_t rows(std::size_t factor) const;
};

// Where everything lies in the array of weights.
struct NetworkLayout {
  explicit NetworkLayout(const NetworkShape& shape);
  std::size_t bias, features, table, places, roles, forget, absent;
  std::vector<std::size_t> theta, theta_bias;  // by factor
  std::size_t size;
};

inline constexpr std::int32_t kNoStep = -1;

struct StepDecision {
  std::uint32_t step = 0;
  std::uint32_t factor = 0;
  std::uint32_t row = 0;
  std::uint32_t groups = 1;  // a bit for each group that is allowed
};

// One history.
struct DecisionSteps {
  std::vector<std::int32_t> roles;                   // [step * R + r]: a step before, or kNoStep
  std::vector<std::int32_t> places;                  // [step * Q + q]: an item, or kNoStep
  std::vector<std::uint32_t> feature_end, features;  // by step
  std::vector<std::uint32_t> item_end, item_rows;    // by item
  std::vector<StepDecision> decisions;

  std::size_t steps() const { return feature_end.size(); }
  std::size_t items() const { return item_end.size(); }
  std::span<const std::uint32_t> features_of(std::size_t step) const;
  std::span<const std::uint32_t> rows_of(std::size_t item) const;
};

template <class T>
class DecisionNetwork {
 public:
  explicit DecisionNetwork(NetworkShape shape)
      : shape_(std::move(shape)), layout_(shape_), weights_(layout_.size, T{0}) {}

  const NetworkShape& shape() const { return shape_; }
  const NetworkLayout& layout() const { return layout_; }
  std::span<T> weights() { return weights_; }
  std::span<const T> weights() const { return weights_; }
  const T* at(std::size_t offset) const { return weights_.data() + offset; }

  // Uniform in [-range, range]; 0: by the number of inputs and outputs of each matrix (Glorot).
  void start(std::uint64_t seed, double range);

 private:
  NetworkShape shape_;
  NetworkLayout layout_;
  std::vector<T> weights_;
};

// Matrices the other way round, for going back; made again when weights have changed.
template <class T>
struct TransposedWeights {
  void make(const DecisionNetwork<T>& network);
  std::vector<T> roles, forget, places;
  std::vector<std::vector<T>> theta;
};

// The gated or plain cell at one step: `x` are the sums for all gates, and become their values.
// `cells` are c of the roles, null where absent.
template <class T>
struct CellPlace {
  T* x;
  T* cell;  // c_i; not used by plain cells
  T* hidden;
};
template <class T>
void run_cell(const NetworkShape& shape, const CellPlace<T>& place,
              std::span<const T* const> cells);

// ln of a softmax over the allowed groups; `x` becomes the probabilities, 0 where not allowed.
// Returns the ln of the normaliser.
template <class T>
double softmax(const std::vector<std::size_t>& groups, std::uint32_t allowed, std::span<T> x);

}  // namespace copse

// Whether a matrix could be one of inner products.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace copse {

// All eigenvalues are above -1e-8 times the largest diagonal entry (which is at most the largest
// eigenvalue): exactly then the matrix with that much added to its diagonal has a Cholesky root.
inline bool positive_semi_definite(std::vector<std::vector<double>> matrix) {
  double largest = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) largest = std::max(largest, matrix[i][i]);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    matrix[i][i] += 1e-8 * largest;
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      if (i == j && !(sum > 0)) return false;
      matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
    }
  }
  return true;
}

}  // namespace copse

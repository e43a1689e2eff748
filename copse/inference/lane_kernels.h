// The innermost loops of the charts, over contiguous memory, in the widest instructions that the
// machine has: chosen once, at run time. The text is in lane_kernels_text.inc, compiled once for
// the baseline and once for AVX2. None of them allocates or fails; n may be 0.
//
// No fused multiply-add is used, so elementwise results do not depend on the instruction set; sums
// (dot, dot3) always add in the same eight partial sums, for the same reason.
#pragma once

namespace copse {

struct LaneKernels {
  const char* name;

  // Maxima in float. out[k] = max(out[k], maximum over the terms of a[k] + s), and of
  // a[k] + b[k] + s: a whole row of items at once, so that out stays in registers.
  struct Term {
    const float* a;
    const float* b;
    float s;
  };
  void (*max_terms)(float* out, int n, const Term* terms, int count);
  void (*max_pair_terms)(float* out, int n, const Term* terms, int count);
  // The maximum over k; minus infinity if n = 0:
  float (*best)(const float* a, int n);                                         // a[k]
  float (*best_pair)(const float* a, const float* b, int n);                    // a[k]+b[k]
  float (*best_triple)(const float* a, const float* b, const float* q, int n);  // a[k]+b[k]+q[k]
  // out[k] += s + q[k], and out[k] += s.
  void (*add_parts)(float* out, float s, const float* q, int n);
  void (*add)(float* out, float s, int n);

  // Sums in double.
  void (*axpy)(double* out, const double* a, double s, int n);  // out += s a
  void (*axpy_pair)(double* out, const double* a, const double* b, double s,
                    int n);                                                         // out += s a b
  void (*product)(double* out, const double* a, const double* b, double s, int n);  // out = s a b
  void (*scale)(double* out, double s, int n);                                      // out *= s
  double (*sum)(const double* a, int n);
  double (*dot)(const double* a, const double* b, int n);
  double (*dot3)(const double* a, const double* b, const double* c, int n);
  // out_a += s b, out_b += s a.
  void (*axpy_cross)(double* out_a, double* out_b, const double* a, const double* b, double s,
                     int n);
  // out[k] = e^(q[k] + p[k]); p may be null. Within 2 ulp; 0 below -708; q + p must not exceed 700.
  void (*exp_parts)(double* out, const float* q, const float* p, int n);
  void (*exp_values)(double* x, int n);  // in place

  // Is every score minus infinity or within [-limit, limit]?
  bool (*all_within)(const float* q, float limit, long n);
  float (*largest)(const float* q, long n);  // minus infinity if n = 0
};

// The best kernels for this machine. Thread-safe.
const LaneKernels& lane_kernels();

// The two sets, for tests that compare them; avx2 is null where it cannot run.
const LaneKernels& baseline_lane_kernels();
const LaneKernels* avx2_lane_kernels();

}  // namespace copse

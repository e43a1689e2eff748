// A deterministic parallel map over a stream: items are taken one by one, worked on by several
// threads, and given out in the order they were taken. Memory is bounded: at most a few items
// per thread are alive at a time, however long the stream is.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <exception>
#include <optional>
#include <utility>
#include <variant>

namespace copse {

// 0 means every core; anything else is returned as it is.
int resolve_threads(int requested);

namespace detail {

// An item on its way, or the exception that took its place.
template <class T>
using Outcome = std::variant<T, std::exception_ptr>;

template <class T, class Call>
Outcome<T> capture(Call&& call) {
  try {
    return Outcome<T>(std::in_place_index<0>, call());
  } catch (...) {
    return Outcome<T>(std::in_place_index<1>, std::current_exception());
  }
}

}  // namespace detail

// source: () -> std::optional<In>, called by one thread at a time until it returns nothing.
// work:   In -> Out, called by many threads at once.
// sink:   Out -> void, called by one thread at a time, in source order.
// The first exception in source order, from any of the three, ends the stream and is rethrown;
// everything before it has reached the sink.
template <class In, class Out, class Source, class Work, class Sink>
void stream_in_order(int threads, Source&& source, Work&& work, Sink&& sink) {
  threads = resolve_threads(threads);
  if (threads == 1) {
    while (std::optional<In> item = source()) sink(work(std::move(*item)));
    return;
  }
  using Taken = detail::Outcome<In>;
  using Done = detail::Outcome<Out>;
  bool finished = false;
  const auto take = [&](oneapi::tbb::flow_control& control) -> Taken {
    if (!finished) {
      auto next = detail::capture<std::optional<In>>(source);
      if (next.index() == 1) {
        finished = true;  // the exception travels behind the good items
        return Taken(std::in_place_index<1>, std::get<1>(next));
      }
      if (std::get<0>(next)) return Taken(std::in_place_index<0>, std::move(*std::get<0>(next)));
    }
    control.stop();
    return Taken(std::in_place_index<1>, nullptr);
  };
  const auto transform = [&](Taken taken) -> Done {
    if (taken.index() == 1) return Done(std::in_place_index<1>, std::get<1>(taken));
    return detail::capture<Out>([&] { return work(std::move(std::get<0>(taken))); });
  };
  const auto give = [&](Done done) {
    if (done.index() == 1) std::rethrow_exception(std::get<1>(done));
    sink(std::move(std::get<0>(done)));
  };
  namespace tbb = oneapi::tbb;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_pipeline(
        static_cast<std::size_t>(threads) * 4,
        tbb::make_filter<void, Taken>(tbb::filter_mode::serial_in_order, take) &
            tbb::make_filter<Taken, Done>(tbb::filter_mode::parallel, transform) &
            tbb::make_filter<Done, void>(tbb::filter_mode::serial_in_order, give));
  });
}

}  // namespace copse

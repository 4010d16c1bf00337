// Divides the launch of a piece into launches that each take about a tenth of a second, over the same arrays: a display
// may hang on the device, and Cancel waits for a launch.
#pragma once

#include "gpu/forward_kernels.h"

namespace attnlab::gpu {

/// The number of operations that a device completes in the time that a launch should take, learned from launches.
class LaunchThrottle {
public:
    static constexpr double wanted_seconds = 0.1;

    /// `speed` is that of a kernel table: TFLOP/s of 132 multiprocessors of an H200. The first launch allows for
    /// devices that are slower by far.
    LaunchThrottle(double speed, int multiprocessors);

    double operations() const { return operations_; }
    /// A launch of so many operations took so long.
    void record_duration(double operations, double seconds);

private:
    double operations_;
};

/// The parts of a launch in turn: some batches, or some heads of one, or some rows of one head.
class LaunchSplitter {
public:
    /// Parts have at least `least_rows` rows of a head, fewer at its end.
    LaunchSplitter(const ForwardArguments& all, int element_bytes, int least_rows);

    bool done() const { return batch_ == all_.B; }
    /// An upper bound of the operations of all parts that are left.
    double operations_left() const;
    /// The part that starts next, of at most `operations` unless it is the smallest; requires that it is not done().
    ForwardArguments next(double operations);
    /// The operations of the part that next() returned last.
    double operations() const { return taken_; }
    /// Share of what is done, 0 to 1.
    double share() const;

private:
    ForwardArguments part(int batches, int heads, int rows);
    double operations_of_rows(int first, int rows) const;
    int rows_within(double operations) const;

    const ForwardArguments all_;
    const int element_bytes_, least_rows_;
    int batch_ = 0, head_ = 0, row_ = 0;
    double taken_ = 0.0;
};

} // namespace attnlab::gpu

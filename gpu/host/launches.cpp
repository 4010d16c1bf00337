#include "gpu/host/launches.h"

#include <algorithm>

namespace attnlab::gpu {
namespace {

constexpr double multiprocessors_of_the_table = 132.0;
/// Some devices have a sixteenth of an H200's tensor cores in a multiprocessor.
constexpr double slowest_share = 1.0 / 16;

void advance(Rows& rows, int element_bytes, std::int64_t batch, std::int64_t head, std::int64_t row) {
    const auto numbers = batch * rows.batch_stride + head * rows.head_stride + row * rows.row_stride;
    rows.data = static_cast<unsigned char*>(rows.data) + numbers * element_bytes;
}

/// Cells or words of a mask, which may have none.
template <class T, class Array>
void advance(const T*& first, const Array& array, std::int64_t batch, std::int64_t head, std::int64_t row) {
    if (first)
        first += batch * array.batch_stride + head * array.head_stride + row * array.row_stride;
}

} // namespace

LaunchThrottle::LaunchThrottle(double speed, int multiprocessors)
    : operations_(speed * 1e12 * wanted_seconds * slowest_share * std::max(1, multiprocessors) /
                  multiprocessors_of_the_table) {}

void LaunchThrottle::record_duration(double operations, double seconds) {
    constexpr double most_growth = 4.0;
    const double possible = operations * wanted_seconds / std::max(seconds, 1e-6);
    operations_ = std::max(1.0, std::min(possible, most_growth * operations_));
}

LaunchSplitter::LaunchSplitter(const ForwardArguments& all, int element_bytes, int least_rows)
    : all_(all), element_bytes_(element_bytes), least_rows_(std::max(1, least_rows)) {}

/// By the keys that the row in the middle reads.
double LaunchSplitter::operations_of_rows(int first, int rows) const {
    const std::int64_t middle = std::int64_t{all_.first_row} + first + rows / 2 - all_.first_key;
    std::int64_t keys = all_.S;
    if (all_.blocked == Blocked::Skipped) {
        const auto end = std::min<std::int64_t>(
            all_.S, std::max<std::int64_t>(middle + all_.band.after + 1, all_.band.prefix - all_.first_key));
        keys = std::max<std::int64_t>(1, end - std::max<std::int64_t>(0, middle - all_.band.before));
    }
    return 2.0 * rows * static_cast<double>(keys) * (all_.E + all_.Ev);
}

double LaunchSplitter::operations_left() const {
    const double of_a_head = operations_of_rows(0, all_.L);
    return of_a_head * (static_cast<double>(all_.B - batch_) * all_.H - head_);
}

double LaunchSplitter::share() const {
    const double heads = static_cast<double>(all_.B) * all_.H;
    const double done = static_cast<double>(batch_) * all_.H + head_ + static_cast<double>(row_) / std::max(1, all_.L);
    return heads == 0.0 ? 1.0 : done / heads;
}

int LaunchSplitter::rows_within(double operations) const {
    int rows = all_.L - row_;
    while (rows > least_rows_ && operations_of_rows(row_, rows) > operations)
        rows = std::max(least_rows_, (rows / 2 + least_rows_ - 1) / least_rows_ * least_rows_);
    return rows;
}

ForwardArguments LaunchSplitter::next(double operations) {
    const double of_a_head = std::max(1.0, operations_of_rows(0, all_.L));
    const int group = all_.H / all_.Hkv;
    const double heads = std::min(operations / of_a_head, 1e9);
    if (row_ == 0 && head_ == 0 && heads >= all_.H)
        return part(std::min(static_cast<int>(heads) / all_.H, all_.B - batch_), all_.H, all_.L);
    if (row_ == 0 && head_ % group == 0 && heads >= group)
        return part(1, std::min(static_cast<int>(heads) / group * group, all_.H - head_), all_.L);
    if (row_ == 0 && heads >= 1.0) // query heads that share keys
        return part(1, std::min(static_cast<int>(heads), group - head_ % group), all_.L);
    return part(1, 1, rows_within(operations));
}

/// The layout of lse has no strides: several heads have all of their rows, several batches all of their heads.
ForwardArguments LaunchSplitter::part(int batches, int heads, int rows) {
    const int group = all_.H / all_.Hkv;
    ForwardArguments a = all_;
    a.B = batches;
    a.H = heads;
    a.Hkv = std::max(1, heads / group);
    a.L = rows;
    advance(a.query, element_bytes_, batch_, head_, row_);
    advance(a.key, element_bytes_, batch_, head_ / group, 0);
    advance(a.value, element_bytes_, batch_, head_ / group, 0);
    advance(a.output, a.output_is_float32 ? 4 : element_bytes_, batch_, head_, row_);
    a.lse += (static_cast<std::int64_t>(batch_) * all_.H + head_) * all_.L + row_;
    a.first_row += row_;
    if (a.valid_lengths.lengths)
        a.valid_lengths.lengths += batch_ * a.valid_lengths.batch_stride + row_ * a.valid_lengths.row_stride;
    advance(a.key_padding.words, a.key_padding, batch_, head_, row_);
    advance(a.kept.words, a.kept, batch_, head_, row_);
    advance(a.bias.values, a.bias, batch_, head_, row_);
    taken_ = operations_of_rows(row_, rows) * batches * heads;
    row_ += rows;
    if (row_ == all_.L) {
        row_ = 0;
        head_ += heads;
        if (head_ == all_.H) {
            head_ = 0;
            batch_ += batches;
        }
    }
    return a;
}

} // namespace attnlab::gpu

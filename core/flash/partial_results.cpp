#include "core/flash/partial_results.h"

#include "core/flash/panel_mask.h"

#include <algorithm>
#include <cmath>

namespace attnlab::flash {

float lse_of(float max, double sum) { return static_cast<float>((max + std::log2(sum)) / log2_e); }

PartialResults::PartialResults(std::int64_t rows, std::int64_t parts, std::int64_t Ev)
    : rows_(rows), parts_(parts), Ev_(Ev), states_(static_cast<std::size_t>(rows * parts)),
      outputs_(static_cast<std::size_t>(rows * parts * Ev)) {}

void PartialResults::merge(double output_scale, const Result& result) const {
    std::vector<double> output(static_cast<std::size_t>(Ev_));
    for (std::int64_t row = 0; row < rows_; ++row) {
        float max = -std::numeric_limits<float>::infinity();
        for (std::int64_t part = 0; part < parts_; ++part)
            max = std::max(max, states_[index(part, row)].max);
        double sum = 0.0;
        std::fill(output.begin(), output.end(), 0.0);
        for (std::int64_t part = 0; part < parts_; ++part) {
            const auto& state = states_[index(part, row)];
            // Equal maxima may be infinite. A part that read nothing adds 0, one with NaN adds NaN.
            const double factor = state.max == max ? 1.0 : std::exp2(static_cast<double>(state.max) - max);
            sum += factor * state.sum;
            const float* numbers = outputs_.data() + index(part, row) * output.size();
            for (std::size_t c = 0; c < output.size(); ++c)
                output[c] += factor * numbers[c];
        }
        const double scale = sum == 0.0 ? 0.0 : output_scale / sum;
        for (std::size_t c = 0; c < output.size(); ++c)
            result.output[static_cast<std::size_t>(row) * output.size() + c] = static_cast<float>(output[c] * scale);
        result.lse[row] = lse_of(max, sum);
        if (result.row_max) {
            result.row_max[row] = max;
            result.row_sum[row] = static_cast<float>(sum);
        }
    }
}

} // namespace attnlab::flash

#include "core/model/products.h"

#include "core/flash/forward.h"
#include "core/flash/parallel.h"
#include "core/model/multiply.h"

#include <algorithm>
#include <cstdint>

namespace attnlab::model {
namespace {

constexpr std::int64_t panel_outputs = 128;
/// Multiplications that take about as long as starting a thread.
constexpr std::int64_t too_few = std::int64_t{1} << 21;

/// The numbers in the file where they are float32 and aligned, otherwise nullptr.
const float* in_place(const Weight& weight) {
    const auto address = reinterpret_cast<std::uintptr_t>(weight.bytes.data());
    return weight.type == WeightType::F32 && address % alignof(float) == 0
               ? reinterpret_cast<const float*>(weight.bytes.data())
               : nullptr;
}

/// `count` numbers from `first` on; whole rows.
void read_numbers(const Weight& weight, std::int64_t first, std::int64_t count, float* out) {
    const auto columns = weight.columns();
    weight.read_rows(first / columns, count / columns, {out, static_cast<std::size_t>(count)});
}

class Product {
public:
    Product(const Matrix& x, const Linear& linear, std::int64_t matrix, Matrix& y)
        : x_(x), linear_(linear), matrix_(matrix), y_(y) {
        if (linear.bias)
            bias_ = widened_row(*linear.bias, matrix);
        if (linear.inputs_first)
            prepare_inputs_first();
    }

    void compute(std::int64_t first, std::int64_t count, std::vector<float>& panel) {
        const MatrixPart x{x_.values.data(), x_.rows, x_.columns, x_.columns};
        const MatrixPart weights =
            linear_.inputs_first ? MatrixPart{inputs_first_ + linear_.first + first, linear_.inputs, count, whole_}
                                 : MatrixPart{rows_of(first, count, panel), count, linear_.inputs, linear_.inputs};
        multiply(x, weights, !linear_.inputs_first, y_.values.data() + first, y_.columns);
        add_bias(first, count);
    }

private:
    /// All of it: a panel of columns lies in every row.
    void prepare_inputs_first() {
        whole_ = linear_.weight->columns();
        const auto size = linear_.inputs * whole_;
        if (const auto* values = in_place(*linear_.weight)) {
            inputs_first_ = values + matrix_ * size;
            return;
        }
        held_.resize(static_cast<std::size_t>(size));
        read_numbers(*linear_.weight, matrix_ * size, size, held_.data());
        inputs_first_ = held_.data();
    }

    std::int64_t row_of(std::int64_t output) const {
        if (linear_.group == 0)
            return linear_.first + output;
        return linear_.first + output / linear_.group * linear_.stride + output % linear_.group;
    }

    const float* rows_of(std::int64_t first, std::int64_t count, std::vector<float>& panel) const {
        const auto inputs = linear_.inputs;
        const auto* values = in_place(*linear_.weight);
        if (values && linear_.group == 0)
            return values + row_of(first) * inputs;
        panel.resize(static_cast<std::size_t>(panel_outputs * inputs));
        for (std::int64_t done = 0; done < count;) {
            const auto output = first + done;
            const auto left = linear_.group == 0 ? count : linear_.group - output % linear_.group;
            const auto run = std::min(count - done, left);
            read_numbers(*linear_.weight, row_of(output) * inputs, run * inputs, panel.data() + done * inputs);
            done += run;
        }
        return panel.data();
    }

    void add_bias(std::int64_t first, std::int64_t count) const {
        if (bias_.empty())
            return;
        std::vector<float> own;
        for (std::int64_t i = first; i < first + count; ++i)
            own.push_back(bias_[static_cast<std::size_t>(linear_.inputs_first ? linear_.first + i : row_of(i))]);
        for (std::int64_t row = 0; row < y_.rows; ++row) {
            float* values = y_.row(row) + first;
            for (std::int64_t i = 0; i < count; ++i)
                values[i] += own[static_cast<std::size_t>(i)];
        }
    }

    const Matrix& x_;
    const Linear& linear_;
    std::int64_t matrix_;
    Matrix& y_;
    std::vector<float> bias_, held_;
    const float* inputs_first_ = nullptr;
    std::int64_t whole_ = 0; ///< outputs of the whole matrix
};

} // namespace

std::vector<float> widened(const Weight& weight) {
    std::vector<float> values(static_cast<std::size_t>(weight.rows() * weight.columns()));
    weight.read_rows(0, weight.rows(), values);
    return values;
}

std::vector<float> widened_row(const Weight& weight, std::int64_t row) {
    std::vector<float> values(static_cast<std::size_t>(weight.columns()));
    weight.read_rows(row, 1, values);
    return values;
}

Matrix product(const Matrix& x, const Linear& linear, const RunControl& control, std::int64_t matrix) {
    Matrix y(x.rows, linear.outputs);
    Product product(x, linear, matrix, y);
    const auto panels = (linear.outputs + panel_outputs - 1) / panel_outputs;
    const bool is_small = x.rows * linear.inputs * linear.outputs < too_few;
    const int threads = is_small ? 1 : flash::thread_count();
    std::vector<std::vector<float>> held(static_cast<std::size_t>(threads));
    flash::parallel_for(threads, panels, [&](int worker, std::int64_t panel) {
        control.checkpoint();
        const auto first = panel * panel_outputs;
        product.compute(first, std::min(panel_outputs, linear.outputs - first), held[static_cast<std::size_t>(worker)]);
    });
    return y;
}

} // namespace attnlab::model

#include "core/model/weight_products.h"

#include "core/flash/flash_forward.h"
#include "core/flash/parallel.h"

#include <algorithm>
#include <cstdint>
#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdexcept>

namespace attnlab::model {

void multiply(const MatrixPart& a, const MatrixPart& b, bool transposed, float* out, std::int64_t out_stride) {
    // The callers share the work among the threads of core/flash/parallel.h; a team of oneDNN's for each of them would
    // spin beside these.
    omp_set_num_threads(1);
    const auto columns = transposed ? b.rows : b.columns;
    if (a.rows == 0 || columns == 0)
        return;
    const auto status = dnnl_sgemm('N', transposed ? 'T' : 'N', a.rows, columns, a.columns, 1.0F, a.values, a.stride,
                                   b.values, b.stride, 0.0F, out, out_stride);
    if (status != dnnl_success)
        throw std::runtime_error("multiply: oneDNN refuses a product of matrices");
}

namespace {

/// Multiplications that take about as long as waking a thread.
constexpr std::int64_t too_few = std::int64_t{1} << 19;
/// Outputs that are computed together. oneDNN is a quarter slower with fewer than `swift_panel`.
constexpr std::int64_t panels_by_width[] = {128, 160, 192, 256, 96, 64, 32};
constexpr std::int64_t swift_panel = 128;

/// The numbers in the file where they are float32 and aligned, otherwise nullptr.
const float* in_place(const Weight& weight) {
    const auto address = reinterpret_cast<std::uintptr_t>(weight.bytes.data());
    return weight.type == WeightType::F32 && address % alignof(float) == 0
               ? reinterpret_cast<const float*>(weight.bytes.data())
               : nullptr;
}

/// One matrix of products.
class Product {
public:
    Product(const Matrix& x, const Linear& linear, std::int64_t matrix)
        : x_(&x), linear_(&linear), matrix_(matrix), y_(x.rows, linear.outputs) {
        if (linear.bias)
            bias_ = weight_row_as_float(*linear.bias, matrix);
    }

    /// Outputs [first, first + count) of every row; `panel` is memory of the thread.
    void compute(std::int64_t first, std::int64_t count, std::vector<float>& panel) {
        const MatrixPart x{x_->values.data(), x_->rows, x_->columns, x_->columns};
        const auto weights = linear_->inputs_first ? columns_of(first, count, panel) : rows_of(first, count, panel);
        multiply(x, weights, !linear_->inputs_first, y_.values.data() + first, y_.columns);
        add_bias(first, count);
    }

    std::int64_t outputs() const { return linear_->outputs; }
    std::int64_t multiplications() const { return x_->rows * linear_->inputs * linear_->outputs; }
    Matrix take() { return std::move(y_); }

private:
    /// Of a matrix (inputs, outputs).
    MatrixPart columns_of(std::int64_t first, std::int64_t count, std::vector<float>& panel) const {
        const auto& weight = *linear_->weight;
        const auto inputs = linear_->inputs, column = linear_->first + first;
        if (const auto* values = in_place(weight))
            return {values + matrix_ * inputs * weight.columns() + column, inputs, count, weight.columns()};
        panel.resize(static_cast<std::size_t>(inputs * count));
        for (std::int64_t input = 0; input < inputs; ++input)
            weight.read_part(
                matrix_ * inputs + input, column,
                std::span(panel).subspan(static_cast<std::size_t>(input * count), static_cast<std::size_t>(count)));
        return {panel.data(), inputs, count, count};
    }

    std::int64_t row_of(std::int64_t output) const {
        if (linear_->group == 0)
            return linear_->first + output;
        return linear_->first + output / linear_->group * linear_->stride + output % linear_->group;
    }

    /// Of a matrix (outputs, inputs).
    MatrixPart rows_of(std::int64_t first, std::int64_t count, std::vector<float>& panel) const {
        const auto inputs = linear_->inputs;
        const auto* values = in_place(*linear_->weight);
        if (values && linear_->group == 0)
            return {values + row_of(first) * inputs, count, inputs, inputs};
        panel.resize(static_cast<std::size_t>(count * inputs));
        for (std::int64_t done = 0; done < count;) {
            const auto output = first + done;
            const auto left = linear_->group == 0 ? count : linear_->group - output % linear_->group;
            const auto run = std::min(count - done, left);
            const auto numbers = static_cast<std::size_t>(run * inputs);
            linear_->weight->read_rows(row_of(output), run,
                                       std::span(panel).subspan(static_cast<std::size_t>(done * inputs), numbers));
            done += run;
        }
        return {panel.data(), count, inputs, inputs};
    }

    void add_bias(std::int64_t first, std::int64_t count) {
        if (bias_.empty())
            return;
        std::vector<float> own;
        for (std::int64_t i = first; i < first + count; ++i)
            own.push_back(bias_[static_cast<std::size_t>(linear_->inputs_first ? linear_->first + i : row_of(i))]);
        for (std::int64_t row = 0; row < y_.rows; ++row) {
            float* values = y_.row(row) + first;
            for (std::int64_t i = 0; i < count; ++i)
                values[i] += own[static_cast<std::size_t>(i)];
        }
    }

    const Matrix* x_;
    const Linear* linear_;
    std::int64_t matrix_;
    Matrix y_;
    std::vector<float> bias_;
};

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t panels_of(std::span<const Product> all, std::int64_t width) {
    std::int64_t panels = 0;
    for (const auto& product : all)
        panels += divided_up(product.outputs(), width);
    return panels;
}

/// The width of panels with which the last of the threads is ready first.
std::int64_t panel_width(std::span<const Product> all, int threads) {
    const auto time = [&](std::int64_t width) {
        const auto rounds = divided_up(panels_of(all, width), threads);
        return rounds * (width < swift_panel ? width * 5 / 4 : width);
    };
    return *std::ranges::min_element(panels_by_width, {}, time);
}

void compute(std::span<Product> all, const RunControl& control) {
    std::int64_t multiplications = 0;
    for (const auto& product : all)
        multiplications += product.multiplications();
    const int threads = multiplications < too_few ? 1 : flash::thread_count();
    const auto width = panel_width(all, threads);
    std::vector<std::vector<float>> held(static_cast<std::size_t>(threads));
    flash::parallel_for(threads, panels_of(all, width), [&](int worker, std::int64_t panel) {
        control.checkpoint();
        auto product = all.begin();
        for (; panel >= divided_up(product->outputs(), width); ++product)
            panel -= divided_up(product->outputs(), width);
        const auto first = panel * width;
        product->compute(first, std::min(width, product->outputs() - first), held[static_cast<std::size_t>(worker)]);
    });
}

} // namespace

std::vector<float> widened(const Weight& weight) {
    std::vector<float> values(static_cast<std::size_t>(weight.rows() * weight.columns()));
    weight.read_rows(0, weight.rows(), values);
    return values;
}

std::vector<float> weight_row_as_float(const Weight& weight, std::int64_t row) {
    std::vector<float> values(static_cast<std::size_t>(weight.columns()));
    weight.read_rows(row, 1, values);
    return values;
}

std::vector<Matrix> products(const Matrix& x, std::initializer_list<const Linear*> linears, const RunControl& control) {
    std::vector<Product> all;
    for (const auto* linear : linears)
        all.emplace_back(x, *linear, 0);
    compute(all, control);
    std::vector<Matrix> made;
    made.reserve(all.size());
    for (auto& product : all)
        made.push_back(product.take());
    return made;
}

Matrix product(const Matrix& x, const Linear& linear, const RunControl& control, std::int64_t matrix) {
    Product product(x, linear, matrix);
    compute({&product, 1}, control);
    return product.take();
}

} // namespace attnlab::model

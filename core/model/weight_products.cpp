#include "core/model/weight_products.h"

#include "core/flash/flash_forward.h"
#include "core/flash/matrix_unit.h"
#include "core/flash/parallel.h"
#include "core/random.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>
#include <stdexcept>
#include <vector>

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
/// Outputs that are computed together. oneDNN is a quarter slower with fewer than `swift`.
struct PanelWidths {
    std::span<const std::int64_t> all;
    std::int64_t swift;
};
constexpr std::int64_t widths_of_float32[] = {128, 160, 192, 256, 96, 64, 32};
/// Of weights whose rows are inputs: a panel reads a piece of each row, and short pieces are slow to read.
constexpr std::int64_t widths_of_columns[] = {1536, 1152, 1024, 768, 640, 512, 384, 320, 256, 192, 128, 96, 64, 32};
/// Of a wide panel, so that Cancel is soon seen.
constexpr std::int64_t most_multiplications = std::int64_t{1} << 30;
constexpr std::int64_t widths_of_bfloat16[] = {512, 384, 320, 256, 192, 128, 96, 64, 32};
constexpr std::int64_t widths_of_unit[] = {flash::WeightProduct::outputs_of_a_block, 192, 128, 96, 64, 32};

/// Memory of a thread for products on the unit.
struct UnitScratch {
    flash::PackedNumbers weights = flash::packed_numbers(flash::WeightProduct::scratch_weights);
    flash::AlignedFloats sums = flash::aligned_floats(flash::WeightProduct::scratch_sums);

    static UnitScratch& of_this_thread() {
        thread_local UnitScratch scratch;
        return scratch;
    }
};

/// In bfloat16 the unit needs rows of weights that are outputs.
bool is_for_unit(const Linear& linear) { return linear.arithmetic == Arithmetic::Float32 || !linear.inputs_first; }

/// Of products of the same x and arithmetic.
flash::Factors factors_of(std::span<const Linear* const> linears) {
    if (linears.front()->arithmetic == Arithmetic::BFloat16)
        return flash::Factors::BFloat16;
    const bool are_rounded = std::ranges::all_of(linears, [](const Linear* linear) {
        return linear->weight->type == WeightType::BF16 && !linear->inputs_first;
    });
    return are_rounded ? flash::Factors::BFloat16Weights : flash::Factors::Float32;
}

PanelWidths panel_widths(const Linear& linear, const flash::MatrixKernel* unit) {
    if (unit)
        return {widths_of_unit, 192};
    if (linear.arithmetic == Arithmetic::BFloat16)
        return {widths_of_bfloat16, 256};
    return linear.inputs_first ? PanelWidths{widths_of_columns, 128} : PanelWidths{widths_of_float32, 128};
}

/// bfloat16 as its bits, row-major and without gaps.
struct Rounded {
    const std::uint16_t* values = nullptr;
    std::int64_t rows = 0, columns = 0;
};

/// To the nearest, ties to even; NaN stays one.
void round_to_bfloat16(std::span<const float> numbers, std::uint16_t* out) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const auto bits = std::bit_cast<std::uint32_t>(numbers[k]);
        const auto rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
        const bool is_number = (bits & 0x7fff'ffffu) <= 0x7f80'0000u;
        out[k] = static_cast<std::uint16_t>(is_number ? rounded : (bits >> 16) | 0x40u);
    }
}

void widen(Rounded from, std::vector<float>& to) {
    to.resize(static_cast<std::size_t>(from.rows * from.columns));
    for (std::size_t k = 0; k < to.size(); ++k)
        to[k] = std::bit_cast<float>(std::uint32_t{from.values[k]} << 16);
}

/// oneDNN's products of bfloat16 with sums in float32, for one thread: it keeps what was made for a shape.
class RoundedProducts {
public:
    /// a b, or a b^T, to `out` without gaps.
    void multiply(const Rounded& a, const Rounded& b, bool transposed, float* out) {
        omp_set_num_threads(1);
        const Key key{a.rows, a.columns, transposed ? b.rows : b.columns, transposed};
        auto known = made_.find(key);
        if (known == made_.end()) {
            if (made_.size() >= most_shapes)
                made_.clear();
            known = made_.emplace(key, Made(key, engine_)).first;
        }
        auto& made = known->second;
        // oneDNN does not write to its inputs.
        made.a.set_data_handle(const_cast<std::uint16_t*>(a.values));
        made.b.set_data_handle(const_cast<std::uint16_t*>(b.values));
        made.out.set_data_handle(out);
        made.product.execute(stream_, {{DNNL_ARG_SRC, made.a}, {DNNL_ARG_WEIGHTS, made.b}, {DNNL_ARG_DST, made.out}});
        stream_.wait();
    }

private:
    static constexpr std::size_t most_shapes = 64;

    struct Key {
        std::int64_t rows, inner, columns;
        bool transposed;
        auto operator<=>(const Key&) const = default;
    };

    struct Made {
        dnnl::memory a, b, out;
        dnnl::matmul product;

        Made(const Key& key, const dnnl::engine& engine) {
            using Type = dnnl::memory::data_type;
            using Dims = dnnl::memory::dims;
            const dnnl::memory::desc left({key.rows, key.inner}, Type::bf16, Dims{key.inner, 1}),
                right({key.inner, key.columns}, Type::bf16, key.transposed ? Dims{1, key.inner} : Dims{key.columns, 1}),
                result({key.rows, key.columns}, Type::f32, Dims{key.columns, 1});
#if DNNL_VERSION_MAJOR >= 3
            product = dnnl::matmul({engine, left, right, result});
#else
            product = dnnl::matmul({dnnl::matmul::desc(left, right, result), engine});
#endif
            a = dnnl::memory(left, engine, nullptr);
            b = dnnl::memory(right, engine, nullptr);
            out = dnnl::memory(result, engine, nullptr);
        }
    };

    dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream_{engine_};
    std::map<Key, Made> made_;
};

/// a b, or a b^T, to `out` without gaps.
void multiply_rounded(const Rounded& a, const Rounded& b, bool transposed, float* out) {
    if (a.rows == 0 || a.columns == 0 || b.rows == 0 || b.columns == 0) {
        std::fill_n(out, a.rows * (transposed ? b.rows : b.columns), 0.0F);
        return;
    }
    if (multiplies_bfloat16()) {
        thread_local RoundedProducts products;
        products.multiply(a, b, transposed, out);
        return;
    }
    thread_local std::vector<float> left, right;
    widen(a, left);
    widen(b, right);
    multiply({left.data(), a.rows, a.columns, a.columns}, {right.data(), b.rows, b.columns, b.columns}, transposed, out,
             transposed ? b.rows : b.columns);
}

/// The numbers in the file where they are float32 and aligned, otherwise nullptr.
const float* in_place(const Weight& weight) {
    const auto address = reinterpret_cast<std::uintptr_t>(weight.bytes.data());
    return weight.type == WeightType::F32 && address % alignof(float) == 0
               ? reinterpret_cast<const float*>(weight.bytes.data())
               : nullptr;
}

/// The same of bfloat16.
const std::uint16_t* rounded_in_place(const Weight& weight) {
    const auto address = reinterpret_cast<std::uintptr_t>(weight.bytes.data());
    return weight.type == WeightType::BF16 && address % alignof(std::uint16_t) == 0
               ? reinterpret_cast<const std::uint16_t*>(weight.bytes.data())
               : nullptr;
}

/// Memory of a thread.
struct Panel {
    std::vector<float> widened, outputs;
    std::vector<std::uint16_t> rounded;
};

/// The numbers of x as they are multiplied in bfloat16 by oneDNN, or by the matrix unit.
struct PackedInput {
    std::vector<std::uint16_t> numbers;
    flash::PackedNumbers packed; ///< for `unit`, null otherwise
    const flash::MatrixKernel* unit = nullptr;
    flash::Factors factors = flash::Factors::Float32;
};

/// One matrix of products. `packed` has what the arithmetic of `linear` needs.
class Product {
public:
    Product(const Matrix& x, const PackedInput& packed, const Linear& linear, std::int64_t matrix,
            const Activation* activation = nullptr)
        : x_(&x), packed_(&packed), linear_(&linear), unit_(is_for_unit(linear) ? packed.unit : nullptr),
          activation_(activation), matrix_(matrix + linear.matrix),
          y_(linear.inputs > 0 ? Matrix::unset(x.rows, linear.outputs) : Matrix(x.rows, linear.outputs)) {
        if (linear.bias)
            bias_ = weight_row_as_float(*linear.bias, matrix_);
    }

    /// Outputs [first, first + count) of every row; `panel` is memory of the thread.
    void compute(std::int64_t first, std::int64_t count, Panel& panel) {
        // Parts cannot hold numbers that are very large or not finite.
        if (!unit_ || !compute_by_unit(first, count, panel)) {
            if (linear_->arithmetic == Arithmetic::BFloat16)
                compute_rounded(first, count, panel);
            else
                multiply({x_->values.data(), x_->rows, x_->columns, x_->columns},
                         weights_of(first, count, panel.widened), !linear_->inputs_first, y_.values.data() + first,
                         y_.columns);
        }
        finish(first, count);
    }

    PanelWidths panel_widths() const { return model::panel_widths(*linear_, unit_); }
    std::int64_t outputs() const { return linear_->outputs; }
    std::int64_t multiplications() const { return x_->rows * linear_->inputs * linear_->outputs; }
    Matrix take() { return std::move(y_); }

private:
    bool compute_by_unit(std::int64_t first, std::int64_t count, Panel& panel) {
        if (x_->columns == 0)
            return true;
        auto& scratch = UnitScratch::of_this_thread();
        const bool are_rounded = flash::parts_of_weights(packed_->factors) == 1;
        const auto* rounded = are_rounded ? rounded_weights_of(first, count, panel).values : nullptr;
        const auto weights = are_rounded ? MatrixPart() : weights_of(first, count, panel.widened);
        return unit_->multiply({.rows = x_->rows,
                                .inputs = x_->columns,
                                .outputs = count,
                                .factors = packed_->factors,
                                .packed_x = packed_->packed.get(),
                                .rounded_weights = rounded,
                                .weights = weights.values,
                                .weight_stride = weights.stride,
                                .inputs_first = linear_->inputs_first,
                                .out = y_.values.data() + first,
                                .out_stride = y_.columns,
                                .packed_weights = scratch.weights.get(),
                                .sums = scratch.sums.get()});
    }

    void compute_rounded(std::int64_t first, std::int64_t count, Panel& panel) {
        panel.outputs.resize(static_cast<std::size_t>(y_.rows * count));
        multiply_rounded({packed_->numbers.data(), x_->rows, x_->columns}, rounded_weights_of(first, count, panel),
                         !linear_->inputs_first, panel.outputs.data());
        for (std::int64_t row = 0; row < y_.rows; ++row)
            std::copy_n(panel.outputs.data() + row * count, count, y_.row(row) + first);
    }

    Rounded rounded_weights_of(std::int64_t first, std::int64_t count, Panel& panel) const {
        if (const auto* values = rounded_in_place(*linear_->weight);
            values && !linear_->inputs_first && linear_->group == 0)
            return {values + weight_row_of(first) * linear_->inputs, count, linear_->inputs};
        const auto weights = weights_of(first, count, panel.widened);
        panel.rounded.resize(static_cast<std::size_t>(weights.rows * weights.columns));
        for (std::int64_t row = 0; row < weights.rows; ++row)
            round_to_bfloat16({weights.values + row * weights.stride, static_cast<std::size_t>(weights.columns)},
                              panel.rounded.data() + row * weights.columns);
        return {panel.rounded.data(), weights.rows, weights.columns};
    }

    MatrixPart weights_of(std::int64_t first, std::int64_t count, std::vector<float>& panel) const {
        return linear_->inputs_first ? columns_of(first, count, panel) : rows_of(first, count, panel);
    }

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

    /// The same in the weights, where matrices follow one another.
    std::int64_t weight_row_of(std::int64_t output) const { return matrix_ * linear_->outputs + row_of(output); }

    /// Of a matrix (outputs, inputs).
    MatrixPart rows_of(std::int64_t first, std::int64_t count, std::vector<float>& panel) const {
        const auto inputs = linear_->inputs;
        const auto* values = in_place(*linear_->weight);
        if (values && linear_->group == 0)
            return {values + weight_row_of(first) * inputs, count, inputs, inputs};
        panel.resize(static_cast<std::size_t>(count * inputs));
        const auto rows_each = inputs / linear_->weight->columns(); // several where the tensor has more than two axes
        for (std::int64_t done = 0; done < count;) {
            const auto output = first + done;
            const auto left = linear_->group == 0 ? count : linear_->group - output % linear_->group;
            const auto run = std::min(count - done, left);
            const auto numbers = static_cast<std::size_t>(run * inputs);
            linear_->weight->read_rows(weight_row_of(output) * rows_each, run * rows_each,
                                       std::span(panel).subspan(static_cast<std::size_t>(done * inputs), numbers));
            done += run;
        }
        return {panel.data(), count, inputs, inputs};
    }

    /// The bias and the activation, while the outputs are near the core.
    void finish(std::int64_t first, std::int64_t count) {
        std::vector<float> own;
        if (!bias_.empty())
            for (std::int64_t i = first; i < first + count; ++i)
                own.push_back(bias_[static_cast<std::size_t>(linear_->has_own_bias   ? i
                                                             : linear_->inputs_first ? linear_->first + i
                                                                                     : row_of(i))]);
        else if (!activation_)
            return;
        for (std::int64_t row = 0; row < y_.rows; ++row)
            add_and_activate(own.empty() ? nullptr : own.data(), activation_,
                             {y_.row(row) + first, static_cast<std::size_t>(count)});
    }

    const Matrix* x_;
    const PackedInput* packed_;
    const Linear* linear_;
    const flash::MatrixKernel* unit_; ///< null: oneDNN
    const Activation* activation_;    ///< null: none
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
    const auto widths = all.front().panel_widths();
    const auto of_an_output = all.front().multiplications() / std::max<std::int64_t>(1, all.front().outputs());
    const auto time = [&](std::int64_t width) {
        const auto rounds = divided_up(panels_of(all, width), threads);
        if (width > widths.swift && width * of_an_output > most_multiplications)
            return std::numeric_limits<std::int64_t>::max();
        return rounds * (width < widths.swift ? width * 5 / 4 : width);
    };
    return *std::ranges::min_element(widths.all, {}, time);
}

void compute(std::span<Product> all, const RunControl& control) {
    std::int64_t multiplications = 0;
    for (const auto& product : all)
        multiplications += product.multiplications();
    const int threads = multiplications < too_few ? 1 : flash::thread_count();
    const auto width = panel_width(all, threads);
    std::vector<Panel> held(static_cast<std::size_t>(threads));
    flash::parallel_for(threads, panels_of(all, width), [&](int worker, std::int64_t panel) {
        control.checkpoint();
        auto product = all.begin();
        for (; panel >= divided_up(product->outputs(), width); ++product)
            panel -= divided_up(product->outputs(), width);
        const auto first = panel * width;
        product->compute(first, std::min(width, product->outputs() - first), held[static_cast<std::size_t>(worker)]);
    });
}

/// The numbers of x for products with all of `linears`, which have the same arithmetic, by oneDNN where `unit` is null.
PackedInput packed(const Matrix& x, std::span<const Linear* const> linears, const flash::MatrixKernel* unit) {
    PackedInput input;
    for (const auto* linear : linears) {
        if (unit && is_for_unit(*linear))
            input.unit = unit;
        else if (linear->arithmetic == Arithmetic::BFloat16)
            input.numbers.resize(x.values.size());
    }
    if (!input.unit && input.numbers.empty())
        return input;
    input.factors = factors_of(linears);
    if (input.unit)
        input.packed = flash::packed_numbers(flash::WeightProduct::packed_numbers(x.rows, x.columns, input.factors));
    constexpr auto rows_of_a_task = flash::rows_of_a_matrix;
    std::atomic<bool> fits = true;
    flash::parallel_for(std::ssize(x.values) < too_few ? 1 : flash::thread_count(), divided_up(x.rows, rows_of_a_task),
                        [&](int, std::int64_t task) {
                            const auto first = task * rows_of_a_task, rows = std::min(rows_of_a_task, x.rows - first);
                            if (input.unit && !input.unit->pack_activations(x.values.data(), first, x.rows, x.columns,
                                                                            input.factors, input.packed.get()))
                                fits = false;
                            if (!input.numbers.empty())
                                round_to_bfloat16({x.row(first), static_cast<std::size_t>(rows * x.columns)},
                                                  input.numbers.data() + first * x.columns);
                        });
    if (!fits)
        input.unit = nullptr;
    return input;
}

/// The measured product. The unit gains with the number of rows, which share the work of splitting weights, and with
/// the size: on one machine 0.8 with 512 x 384 x 512, 1.3 with 512 x 768 x 768 and 1.7 with 512 x 768 x 3072.
constexpr std::int64_t measured_rows = 512, measured_inputs = 768, measured_outputs = 1024;
/// A product in float32 by oneDNN and by the unit, each time with other weights: those of a model are not near the
/// core.
class ProductTrial {
public:
    ProductTrial() : x_(measured_rows, measured_inputs), numbers_(matrices * measured_inputs * measured_outputs) {
        Random random(1);
        for (const auto numbers : {std::span<float>(x_.values), std::span<float>(numbers_)})
            for (float& number : numbers)
                number = static_cast<float>(random.uniform() - 0.5);
        weight_.type = WeightType::F32;
        weight_.shape = {matrices * measured_outputs, measured_inputs};
        weight_.bytes = std::as_bytes(std::span(numbers_));
    }

    /// By oneDNN where `unit` is null.
    void run(const flash::MatrixKernel* unit) {
        const Linear linear{.weight = &weight_, .inputs = measured_inputs, .outputs = measured_outputs};
        const Linear* const one[] = {&linear};
        const auto numbers = packed(x_, one, unit);
        Product product(x_, numbers, linear, next_++ % matrices);
        compute({&product, 1}, {});
    }

private:
    static constexpr std::int64_t matrices = 8;
    std::int64_t next_ = 0;
    Matrix x_;
    std::vector<float> numbers_;
    Weight weight_;
};

/// The smallest products in float32 that are left to the measurement; smaller ones are left to oneDNN.
constexpr std::int64_t least_rows = measured_rows * 3 / 4,
                       least_multiplications = measured_rows * measured_inputs * measured_outputs / 2;

/// The matrix unit computes products with weights in bfloat16. That needs no measurement: oneDNN has the same
/// instructions and copies the weights into another order first, and in float32 they would be widened first. Products
/// with other weights are computed where a measurement has shown that the unit is faster. Null: oneDNN.
const flash::MatrixKernel* unit_for(std::span<const Linear* const> linears, std::int64_t rows) {
    const auto* kernel = flash::matrix_kernel();
    if (!kernel || kernel->is_chosen_always || factors_of(linears) != flash::Factors::Float32)
        return kernel;
    std::int64_t multiplications = 0;
    for (const auto* linear : linears)
        multiplications += rows * linear->inputs * linear->outputs;
    const bool are_large = rows >= least_rows && multiplications >= least_multiplications;
    return are_large && unit_choice_for_weights(*kernel).is_used() ? kernel : nullptr;
}

} // namespace

flash::MatrixChoice unit_choice_for_weights(const flash::MatrixKernel& kernel) {
    return flash::choice_for_weights([&] {
        const auto trial = std::make_shared<ProductTrial>();
        return std::vector<flash::MatrixTrial>{
            {[trial] { trial->run(nullptr); }, [trial, &kernel] { trial->run(&kernel); }}};
    });
}

bool multiplies_bfloat16() {
    static const bool has_instructions = // the enumeration has a bit for each set of instructions
        (dnnl_get_effective_cpu_isa() & dnnl_cpu_isa_avx512_core_bf16) == dnnl_cpu_isa_avx512_core_bf16;
    return has_instructions;
}

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

std::vector<Matrix> products(const Matrix& x, std::span<const Linear* const> linears, const RunControl& control) {
    const auto numbers = packed(x, linears, unit_for(linears, x.rows));
    std::vector<Product> all;
    for (const auto* linear : linears)
        all.emplace_back(x, numbers, *linear, 0);
    compute(all, control);
    std::vector<Matrix> made;
    made.reserve(all.size());
    for (auto& product : all)
        made.push_back(product.take());
    return made;
}

namespace {

Matrix one_product(const Matrix& x, const Linear& linear, std::int64_t matrix, const Activation* activation,
                   const RunControl& control) {
    const Linear* const one[] = {&linear};
    const auto numbers = packed(x, one, unit_for(one, x.rows));
    Product product(x, numbers, linear, matrix, activation);
    compute({&product, 1}, control);
    return product.take();
}

} // namespace

Matrix product(const Matrix& x, const Linear& linear, const RunControl& control, std::int64_t matrix) {
    return one_product(x, linear, matrix, nullptr, control);
}

Matrix activated_product(const Matrix& x, const Linear& linear, const Activation& activation,
                         const RunControl& control) {
    return one_product(x, linear, 0, &activation, control);
}

} // namespace attnlab::model

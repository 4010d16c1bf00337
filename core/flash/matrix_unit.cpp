#include "core/flash/matrix_unit.h"

#include "core/flash/amx_kernel.h"
#include "core/flash/forward.h"
#include "core/flash/matrix_path.h"
#include "core/flash/panel_mask.h"
#include "core/random.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace attnlab::flash {
namespace {

struct Found {
    const MatrixKernel* kernel = nullptr;
    std::optional<Message> why_none;
};

bool is_asked_for(std::string_view wanted) {
    const char* value = std::getenv("ATTNLAB_AMX");
    return value && value == wanted;
}

Found find() {
    if (is_asked_for("0"))
        return {nullptr, Message(ATTNLAB_TEXT("AMX is switched off by ATTNLAB_AMX=0"))};
    if (!processor_has_amx())
        return {nullptr, Message(ATTNLAB_TEXT("this processor has no AMX"))};
    if (!system_permits_amx())
        return {nullptr, Message(ATTNLAB_TEXT("the system does not permit AMX"))};
    const auto* kernel = amx_kernel();
    if (!kernel)
        return {nullptr, Message(ATTNLAB_TEXT("the instruction set in use goes without AMX"))};
    if (const auto wrong = wrong_results_of(*kernel); !wrong.empty())
        return {nullptr, Message(ATTNLAB_TEXT("AMX gave wrong results in a check: %1"), {wrong})};
    static MatrixKernel own = *kernel;
    own.is_chosen_always = is_asked_for("1");
    return {&own, std::nullopt};
}

const Found& found() {
    static const Found once = find();
    return once;
}

std::atomic<bool> is_replaced = false;
std::atomic<const MatrixKernel*> replacement = nullptr;

struct CheckCase {
    const char* name;
    Precision precision;
    double scale; ///< in base 2: with 2, scores are beyond bounded_scores
    double allowed;
};
constexpr CheckCase check_cases[] = {
    {"float32", Precision::Float32, 0.5, 2e-6},
    {"float32, large scores", Precision::Float32, 2.0, 1e-4},
    {"split", Precision::Split, 0.5, 4e-4},
    {"split, large scores", Precision::Split, 2.0, 4e-3},
    {"bfloat16", Precision::BFloat16, 1.0 / 16.0, 4e-2},
    {"bfloat16, large scores", Precision::BFloat16, 2.0, 4e-2},
};

/// A small causal problem with sizes that fill no matrix.
class CheckProblem {
public:
    explicit CheckProblem(const CheckCase& check)
        : query_(numbers(shape_.H * shape_.L * shape_.E, 1, check)), key_(numbers(shape_.S * shape_.E, 2, check)),
          value_(numbers(shape_.S * shape_.Ev, 3, check)) {
        problem_ = {.shape = shape_, .query = query_.data(), .key = key_.data(), .value = value_.data()};
        problem_.scale = check.scale / log2_e;
        problem_.masks.bands.push_back({.after = shape_.S - shape_.L});
        problem_.precision = check.precision;
    }

    /// lse, and output behind it; by vectors where there is no kernel.
    std::vector<float> computed(const MatrixKernel* kernel) {
        std::optional<MatrixPath> path;
        if (kernel)
            path.emplace(problem_, *kernel, RunControl(), 1);
        problem_.matrices = path ? &*path : nullptr;
        const auto rows = shape_.H * shape_.L;
        std::vector<float> results(static_cast<std::size_t>(rows * (1 + shape_.Ev)));
        forward(problem_, {.output = results.data() + rows, .lse = results.data()}, {}, 1);
        return results;
    }

private:
    /// Whole numbers for bfloat16: inputs and scores are then not rounded.
    static std::vector<float> numbers(std::int64_t count, std::uint64_t seed, const CheckCase& check) {
        std::vector<float> numbers(static_cast<std::size_t>(count));
        Random random(seed);
        for (auto& number : numbers)
            number = static_cast<float>(
                check.precision == Precision::BFloat16 ? std::floor(random.uniform() * 9.0) - 4.0 : random.normal());
        return numbers;
    }

    Shape shape_{.H = 2, .Hkv = 1, .L = 70, .S = 300, .E = 40, .Ev = 24};
    std::vector<float> query_, key_, value_;
    Problem problem_;
};

bool is_right(const MatrixKernel& kernel, const CheckCase& check) {
    CheckProblem problem(check);
    const auto expected = problem.computed(nullptr), got = problem.computed(&kernel);
    return std::equal(got.begin(), got.end(), expected.begin(), [&](double a, double b) {
        return std::abs(a - b) <= check.allowed * std::max(1.0, std::abs(b)); // false for NaN
    });
}

} // namespace

const MatrixKernel* matrix_kernel() { return is_replaced ? replacement.load() : found().kernel; }

std::optional<Message> why_no_matrix_unit() {
    if (matrix_kernel())
        return std::nullopt;
    return is_replaced ? Message(ATTNLAB_TEXT("it is switched off")) : found().why_none;
}

std::string wrong_results_of(const MatrixKernel& kernel) {
    std::string wrong;
    for (const auto& check : check_cases)
        if (!is_right(kernel, check))
            wrong += (wrong.empty() ? "" : "; ") + std::string(check.name);
    return wrong;
}

void use_matrix_kernel(std::optional<const MatrixKernel*> kernel) {
    replacement = kernel.value_or(nullptr);
    is_replaced = kernel.has_value();
}

} // namespace attnlab::flash

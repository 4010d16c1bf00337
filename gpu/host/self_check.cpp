// Implements the part of self_check.h that checks kernels, the child's side.
#include "gpu/self_check.h"

#include "core/flash/flash_forward.h"
#include "core/map/attention_map.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "gpu/host/device_forward.h"
#include "gpu/host/device_map.h"
#include "gpu/numbers.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <unistd.h>

namespace attnlab::gpu {
namespace {

constexpr double limit_of_score = 2e-3;

double limit_of_output(Precision precision) {
    return precision == Precision::Float32 ? 1e-4 : precision == Precision::BFloat16 ? 3e-2 : 6e-3;
}

template <class Kernel>
bool runs_on(const Kernel& kernel, const Device& device) {
    return device.capability >= kernel.least_capability && device.capability <= kernel.most_capability;
}

std::vector<float> normal_numbers(std::int64_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (auto& number : numbers)
        number = static_cast<float>(random.normal());
    return numbers;
}

void round_inputs(Precision precision, std::vector<float>& numbers) {
    if (precision == Precision::Float32)
        return;
    for (auto& number : numbers)
        number =
            precision == Precision::BFloat16 ? from_bfloat16(to_bfloat16(number)) : from_float16(to_float16(number));
}

/// Queries, keys and values that owns its arrays, with a mask.
class Sample {
public:
    enum class Mask { None, Causal, Padding, Some };

    Sample(Precision precision, std::int64_t H, std::int64_t L, std::int64_t S, std::int64_t E, Mask mask)
        : shape_{1, H, H > 1 ? H / 2 : 1, L, S, E, E}, query_(normal_numbers(H * L * E, 1)),
          key_(normal_numbers(shape_.Hkv * S * E, 2)), value_(normal_numbers(shape_.Hkv * S * E, 3)) {
        for (auto* numbers : {&query_, &key_, &value_})
            round_inputs(precision, *numbers);
        if (mask == Mask::Causal)
            masks_.bands.push_back({.after = 0});
        if (mask == Mask::Padding || mask == Mask::Some) {
            for (std::int64_t j = 0; j < S; ++j)
                cells_.push_back(mask == Mask::Padding ? j >= S - S / 3 : j % 5 == 2);
            masks_.key_padding = {cells_.data(), 0};
        }
    }
    Sample(const Sample&) = delete;

    flash::Problem problem() const {
        return {.shape = shape_,
                .query = query_.data(),
                .key = key_.data(),
                .value = value_.data(),
                .scale = 1.0 / std::sqrt(static_cast<double>(shape_.E)),
                .masks = masks_};
    }
    DeviceProblem device_problem(Precision precision) const {
        const auto problem = this->problem();
        DeviceProblem wanted{
            .shape = shape_, .precision = precision, .scale = problem.scale, .masks = masks_, .source = {}};
        wanted.source = [this](const char* name, std::int64_t first, std::int64_t rows) {
            const auto& numbers = *name == 'q' ? query_ : *name == 'k' ? key_ : value_;
            const auto start = numbers.begin() + static_cast<std::ptrdiff_t>(first * shape_.E);
            return std::vector<float>(start, start + static_cast<std::ptrdiff_t>(rows * shape_.E));
        };
        return wanted;
    }

private:
    flash::Shape shape_;
    std::vector<float> query_, key_, value_;
    std::vector<double> cells_;
    flash::Masks masks_;
};

std::string first_difference(const char* what, std::span<const float> got, std::span<const float> expected,
                             double limit) {
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const double off = std::abs(static_cast<double>(got[k]) - static_cast<double>(expected[k]));
        if (got[k] != expected[k] && !(off <= limit) && !(std::isnan(got[k]) && std::isnan(expected[k])))
            return std::string(what) + " " + std::to_string(k) + " is " + std::to_string(got[k]) + ", expected " +
                   std::to_string(expected[k]);
    }
    return {};
}

std::string check_sample(Runtime& runtime, const ForwardKernel& kernel, const Sample& sample) {
    const auto problem = sample.problem();
    PinnedMemory pinned(runtime);
    const auto got = forward_on(runtime, {&kernel, 1}, sample.device_problem(kernel.precision), {}, pinned);
    const auto& s = problem.shape;
    std::vector<float> output(static_cast<std::size_t>(s.H * s.L * s.Ev)), lse(static_cast<std::size_t>(s.H * s.L));
    flash::forward(problem, {.output = output.data(), .lse = lse.data()});
    auto wrong = first_difference("lse", got.lse, lse, limit_of_score);
    return wrong.empty() ? first_difference("output", got.output, output, limit_of_output(kernel.precision)) : wrong;
}

struct NamedSample {
    const char* name;
    std::int64_t H, L, S;
    Sample::Mask mask;
};
/// Sizes that no tile divides. With few multiprocessors, blocks take a second work.
constexpr NamedSample samples[] = {{"257 x 389", 2, 257, 389, Sample::Mask::None},
                                   {"257 x 520", 2, 257, 520, Sample::Mask::None}, // in wide tiles: see gpu/hopper
                                   {"257 x 389, causal", 2, 257, 389, Sample::Mask::Causal},
                                   {"257 x 389, padded", 1, 257, 389, Sample::Mask::Padding},
                                   {"257 x 389, masked", 1, 257, 389, Sample::Mask::Some},
                                   {"1 x 16384", 1, 1, 16384, Sample::Mask::None}};

AttentionProblem map_problem(int width, bool causal) {
    AttentionProblem problem;
    problem.tensors["query"] = random_normal({1, 1, 257, width}, 4);
    problem.tensors["key"] = random_normal({1, 1, 389, width}, 5);
    if (causal)
        problem.spec.masks.push_back(parse_mask("causal"));
    return problem;
}

/// The kernel and those that take every map, with its width alone.
std::vector<MapKernel> tables_for(const MapKernel& kernel, MapKernels maps, const Device& device) {
    std::vector<MapKernel> tables{kernel};
    for (const auto& other : maps)
        if (!other.supports && runs_on(other, device) && other.precision == kernel.precision &&
            other.width == kernel.width && std::string_view(other.name) != kernel.name)
            tables.push_back(other);
    return tables;
}

bool write_line(int out, std::string line) {
    line += '\n';
    for (std::size_t at = 0; at < line.size();) {
        const auto written = ::write(out, line.data() + at, line.size() - at);
        if (written <= 0)
            return false;
        at += static_cast<std::size_t>(written);
    }
    return true;
}

std::string single_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

std::vector<std::string> kernels_of(const Device& device, ForwardKernels forwards, MapKernels maps) {
    std::vector<std::string> names;
    for (const auto& kernel : forwards)
        if (runs_on(kernel, device))
            names.emplace_back(kernel.name);
    for (const auto& kernel : maps)
        if (runs_on(kernel, device))
            names.emplace_back(kernel.name);
    return names;
}

std::string check_kernel(Runtime& runtime, const ForwardKernel& kernel) {
    const std::int64_t width = kernel.width > 0 ? kernel.width : 40;
    for (const auto& [name, H, L, S, mask] : samples)
        for (const std::int64_t E : {width, std::max<std::int64_t>(1, width - 3)}) {
            if (E != width && L == 1)
                continue;
            const Sample sample(kernel.precision, H, L, S, E, mask);
            if (auto wrong = check_sample(runtime, kernel, sample); !wrong.empty())
                return std::string(name) + ": " + wrong;
        }
    return {};
}

std::string check_kernel(Runtime& runtime, const MapKernel& kernel, ForwardKernels forwards, MapKernels maps) {
    const auto tables = tables_for(kernel, maps, runtime.device());
    const auto engine =
        map_engine_on(runtime, forwards, {tables.data(), static_cast<int>(tables.size())}, kernel.precision);
    const double limit = kernel.precision == Precision::Float32 ? 1e-4 : 0.2; // of a logarithm: scores reach 10
    for (const bool causal : {false, true}) {
        const auto problem = map_problem(kernel.width, causal);
        const AttentionMap device(std::make_shared<const MapInputs>(problem, engine.get()), 0, 0),
            cores(std::make_shared<const MapInputs>(problem), 0, 0);
        for (const BinGrid& grid :
             {BinGrid{device.all(), 64, 64}, BinGrid{device.all(), 16, 16}, BinGrid{device.all(), 37, 128}}) {
            const auto got = device.pool(grid, Pool::Mean), expected = cores.pool(grid, Pool::Mean);
            const std::string name = "bins of " + std::to_string(grid.bin_rows) + " x " +
                                     std::to_string(grid.bin_columns) + (causal ? ", causal: " : ": ");
            for (const auto& wrong : {first_difference("count", got.kept, expected.kept, 0.0),
                                      first_difference("maximum", got.log2_max, expected.log2_max, limit),
                                      first_difference("sum", got.sum, expected.sum, 20.0 * limit)})
                if (!wrong.empty())
                    return name + wrong;
        }
        if (!kernel.supports) {
            const CellRect cells{3, 200, 5, 300};
            std::vector<float> got(197 * 295), expected(got.size());
            device.weights(cells, got.data());
            cores.weights(cells, expected.data());
            if (auto wrong = first_difference("weight", got, expected, limit); !wrong.empty())
                return wrong;
        }
        if (!device.notes().empty())
            throw Error(device.notes().front());
    }
    return {};
}

bool run_checks(Runtime& runtime, ForwardKernels forwards, MapKernels maps, const std::vector<std::string>& names,
                int out) {
    const auto check = [&](const std::string& name, const std::function<std::string()>& run) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            return true;
        write_line(out, "begin " + name);
        try {
            const auto wrong = run();
            return write_line(out, wrong.empty() ? "right " + name : "wrong " + name + '\t' + single_line(wrong));
        } catch (const Error& error) {
            write_line(out, "wrong " + name + '\t' + single_line(error.what()));
            return false;
        }
    };
    for (const auto& kernel : forwards)
        if (runs_on(kernel, runtime.device()) && !check(kernel.name, [&] { return check_kernel(runtime, kernel); }))
            return false;
    for (const auto& kernel : maps)
        if (runs_on(kernel, runtime.device()) &&
            !check(kernel.name, [&] { return check_kernel(runtime, kernel, forwards, maps); }))
            return false;
    return true;
}

} // namespace attnlab::gpu

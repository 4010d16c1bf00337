#include "core/flash/matrix_unit.h"

#include "core/flash/panel_mask.h"
#include "core/flash/parallel.h"
#include "core/flash/processor.h"
#include "core/random.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <numeric>
#include <string_view>
#include <system_error>
#include <unistd.h>
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
    double allowed_lse, allowed_output;
};
/// Split numbers have no output.
constexpr CheckCase check_cases[] = {
    {"split", Precision::Split, 0.5, 4e-4, 0.0},
    {"split, large scores", Precision::Split, 2.0, 1e-4, 0.0},
    {"bfloat16", Precision::BFloat16, 1.0 / 16.0, 2e-6, 2e-2},
    {"bfloat16, large scores", Precision::BFloat16, 2.0, 2e-6, 2e-2},
};

/// A small causal problem with sizes that fill no matrix.
class CheckProblem {
public:
    explicit CheckProblem(const CheckCase& check)
        : shape_{.H = 2, .Hkv = 1, .L = 70, .S = 300, .E = 40, .Ev = check.precision == Precision::Split ? 0 : 24},
          query_(numbers(shape_.H * shape_.L * shape_.E, 1, check)), key_(numbers(shape_.S * shape_.E, 2, check)),
          value_(numbers(shape_.S * shape_.Ev, 3, check)) {
        problem_ = {.shape = shape_, .query = query_.data(), .key = key_.data(), .value = value_.data()};
        problem_.scale = check.scale / log2_e;
        problem_.masks.bands.push_back({.after = shape_.S - shape_.L});
        problem_.precision = check.precision;
    }

    struct Results {
        std::vector<float> lse, output;
    };

    /// By vectors where there is no kernel.
    Results computed(const MatrixKernel* kernel) {
        std::optional<MatrixPath> path;
        if (kernel)
            path.emplace(problem_, *kernel, RunControl(), 1);
        problem_.matrices = path ? &*path : nullptr;
        const auto rows = static_cast<std::size_t>(shape_.H * shape_.L);
        Results results{std::vector<float>(rows), std::vector<float>(rows * static_cast<std::size_t>(shape_.Ev))};
        forward(problem_, {.output = results.output.data(), .lse = results.lse.data()}, {}, 1);
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

    const Shape shape_;
    std::vector<float> query_, key_, value_;
    Problem problem_;
};

bool is_right(const MatrixKernel& kernel, const CheckCase& check) {
    CheckProblem problem(check);
    const auto expected = problem.computed(nullptr), got = problem.computed(&kernel);
    const auto agree = [](const std::vector<float>& a, const std::vector<float>& b, double allowed) {
        return std::equal(a.begin(), a.end(), b.begin(), [allowed](double x, double y) {
            return std::abs(x - y) <= allowed * std::max(1.0, std::abs(y)); // false for NaN
        });
    };
    return agree(got.lse, expected.lse, check.allowed_lse) && agree(got.output, expected.output, check.allowed_output);
}

/// Rounded factors are whole numbers here, whose products and sums are exact.
bool are_products_right(const MatrixKernel& kernel, Factors factors, bool inputs_first) {
    constexpr std::int64_t rows = 45, inputs = 300, outputs = 45;
    Random random(4);
    std::vector<float> x(rows * inputs), w(outputs * inputs), out(rows * outputs);
    const auto draw = [&random](std::vector<float>& numbers, int parts) {
        for (auto& number : numbers)
            number = static_cast<float>(parts == 1 ? std::floor(random.uniform() * 9.0) - 4.0 : random.normal());
    };
    draw(x, parts_of_x(factors));
    draw(w, parts_of_weights(factors));
    std::vector<std::uint16_t> bits(w.size());
    std::ranges::transform(w, bits.begin(), [](float number) {
        return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number) >> 16);
    });
    const auto packed = packed_numbers(WeightProduct::packed_numbers(rows, inputs, factors));
    for (std::int64_t row = 0; row < rows; row += rows_of_a_matrix)
        if (!kernel.pack_activations(x.data(), row, rows, inputs, factors, packed.get()))
            return false;
    const auto weights = packed_numbers(WeightProduct::scratch_weights);
    const auto sums = aligned_floats(WeightProduct::scratch_sums);
    if (!kernel.multiply({.rows = rows,
                          .inputs = inputs,
                          .outputs = outputs,
                          .factors = factors,
                          .packed_x = packed.get(),
                          .rounded_weights = bits.data(),
                          .weights = w.data(),
                          .weight_stride = inputs_first ? outputs : inputs,
                          .inputs_first = inputs_first,
                          .out = out.data(),
                          .out_stride = outputs,
                          .packed_weights = weights.get(),
                          .sums = sums.get()}))
        return false;
    const double allowed = factors == Factors::BFloat16 ? 0.0 : 4e-7; // of the sum of magnitudes
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t output = 0; output < outputs; ++output) {
            double expected = 0.0, magnitude = 0.0;
            for (std::int64_t k = 0; k < inputs; ++k) {
                const auto at = static_cast<std::size_t>(inputs_first ? k * outputs + output : output * inputs + k);
                const double product =
                    static_cast<double>(x[static_cast<std::size_t>(row * inputs + k)]) * static_cast<double>(w[at]);
                expected += product;
                magnitude += std::abs(product);
            }
            const double got = static_cast<double>(out[static_cast<std::size_t>(row * outputs + output)]);
            if (!(std::abs(got - expected) <= allowed * magnitude))
                return false;
        }
    return true;
}

} // namespace

const MatrixKernel* matrix_kernel() { return is_replaced ? replacement.load() : found().kernel; }

std::optional<Message> matrix_unit_unavailable_reason() {
    if (matrix_kernel())
        return std::nullopt;
    return is_replaced ? Message(ATTNLAB_TEXT("it is switched off")) : found().why_none;
}

std::string wrong_results_of(const MatrixKernel& kernel) {
    std::string wrong;
    for (const auto& check : check_cases)
        if (!is_right(kernel, check))
            wrong += (wrong.empty() ? "" : "; ") + std::string(check.name);
    if (!are_products_right(kernel, Factors::BFloat16, false))
        wrong += (wrong.empty() ? "" : "; ") + std::string("products with weights");
    if (!are_products_right(kernel, Factors::BFloat16Weights, false) ||
        !are_products_right(kernel, Factors::Float32, false) || !are_products_right(kernel, Factors::Float32, true))
        wrong += (wrong.empty() ? "" : "; ") + std::string("products in three parts");
    return wrong;
}

void use_matrix_kernel(std::optional<const MatrixKernel*> kernel) {
    replacement = kernel.value_or(nullptr);
    is_replaced = kernel.has_value();
}

namespace {

/// Of queries and keys.
int parts_of(Precision precision) { return precision == Precision::Split ? 2 : 1; }

/// A map and its lse divide the rows into different panels. A row must be rounded alike in both, so the unit is used
/// only where all panels fit. Half of the limit leaves room for the rounding of scaled queries.
bool every_panel_fits(const Problem& problem) {
    const auto& s = problem.shape;
    const auto largest = layout_kernel().magnitudes(problem.query, s.B * s.H * s.L * s.E).largest;
    const double factor = std::max(1.0, std::abs(problem.scale * log2_e));
    return static_cast<double>(largest) * factor <= 0.5 * static_cast<double>(largest_packed); // false for NaN
}

} // namespace

std::unique_ptr<const MatrixPath> MatrixPath::of(const Problem& problem, const RunControl& control, int threads) {
    const auto* kernel = matrix_kernel();
    if (!kernel || kernel->width != tile_kernel().width || problem.shape.S == 0 || problem.shape.L == 0)
        return nullptr;
    if (!chooses_matrices(*kernel, problem))
        return nullptr;
    if (problem.shape.Ev == 0 && !every_panel_fits(problem))
        return nullptr;
    return std::make_unique<const MatrixPath>(problem, *kernel, control, threads);
}

MatrixPath::MatrixPath(const Problem& problem, const MatrixKernel& kernel, const RunControl& control, int threads)
    : kernel_(kernel), shape_(problem.shape), layout_(layout_kernel()), parts_(parts_of(problem.precision)),
      score_factor_(parts_ == 1 ? static_cast<float>(problem.scale * log2_e) : 1.0f),
      blocks_((shape_.S + keys_of_a_block - 1) / keys_of_a_block) {
    const auto all = shape_.B * shape_.Hkv * blocks_;
    keys_ = packed_numbers(all * parts_ * PackedSizes::keys(shape_.E));
    values_ = packed_numbers(all * PackedSizes::values(shape_.Ev));
    fits_ = std::make_unique<char[]>(static_cast<std::size_t>(all));
    parallel_for(threads, all, [&](int, std::int64_t block) {
        control.checkpoint();
        pack(problem, block);
    });
}

/// `block` is counted across all key heads.
void MatrixPath::pack(const Problem& problem, std::int64_t block) {
    const auto first = block % blocks_ * keys_of_a_block, count = std::min(keys_of_a_block, shape_.S - first),
               row = block / blocks_ * shape_.S + first;
    const float* keys = problem.key + row * shape_.E;
    bool fits = layout_.magnitudes(keys, count * shape_.E).largest <= largest_packed; // false for NaN
    if (fits && shape_.Ev > 0) {
        const auto values = layout_.magnitudes(problem.value + row * shape_.Ev, count * shape_.Ev);
        fits = values.largest <= largest_packed && values.smallest >= smallest_packed_value;
    }
    fits_[static_cast<std::size_t>(block)] = fits;
    if (!fits)
        return;
    kernel_.pack_keys(keys, count, shape_.E, parts_, keys_.get() + block * parts_ * PackedSizes::keys(shape_.E));
    if (shape_.Ev > 0)
        kernel_.pack_values(problem.value + row * shape_.Ev, count, shape_.Ev,
                            values_.get() + block * PackedSizes::values(shape_.Ev));
}

MatrixPath::Panel::Panel(const MatrixPath& path)
    : queries_(packed_numbers(path.parts_ * PackedSizes::queries(path.shape_.E, path.kernel_.width))) {
    if (path.parts_ == 1)
        plain_ = aligned_floats(path.shape_.E * path.kernel_.width);
}

MatrixPath::Scratch::Scratch(const MatrixPath& path)
    : weights(packed_numbers(PackedSizes::weights(path.kernel_.width))),
      scores(aligned_floats(keys_of_a_block * path.kernel_.width)) {}

void MatrixPath::start(const float* rows, int count, const float* panel, Panel& packed) const {
    const auto size = shape_.E * kernel_.width;
    packed.fits_ = layout_.magnitudes(panel, size).largest <= largest_packed; // false for NaN
    if (packed.fits_ && parts_ == 1) {
        layout_.pack(rows, count, shape_.E, 1.0f, kernel_.width, packed.plain_.get());
        panel = packed.plain_.get();
        packed.fits_ = layout_.magnitudes(panel, size).largest <= largest_packed;
    }
    if (packed.fits_)
        kernel_.pack_queries(panel, shape_.E, parts_, packed.queries_.get());
}

MatrixTile MatrixPath::whole(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head,
                             std::int64_t first) const {
    const auto block = head * blocks_ + first / keys_of_a_block;
    MatrixTile matrices;
    static_cast<Tile&>(matrices) = tile;
    matrices.parts = parts_;
    matrices.offset = first % keys_of_a_block;
    matrices.score_factor = score_factor_;
    matrices.packed_queries = panel.queries_.get();
    matrices.packed_keys = keys_.get() + block * parts_ * PackedSizes::keys(shape_.E);
    matrices.packed_values = values_.get() + block * PackedSizes::values(shape_.Ev);
    matrices.packed_weights = scratch.weights.get();
    matrices.scores = scratch.scores.get();
    return matrices;
}

void MatrixPath::attend(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head,
                        std::int64_t first) const {
    kernel_.attend(whole(tile, panel, scratch, head, first));
}

const float* MatrixPath::score(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head,
                               std::int64_t first) const {
    const auto matrices = whole(tile, panel, scratch, head, first);
    kernel_.score(matrices);
    return matrices.scores + matrices.offset * kernel_.width;
}

namespace {

/// A measurement ends after the first one, or after the second one where it has fewer rounds than a judgement needs.
constexpr double most_seconds = 0.03, most_seconds_of_few_rounds = 0.2;
constexpr std::size_t most_rounds = 9, least_rounds = 5;
constexpr int most_attempts = 3;        ///< where rounds disagree
constexpr std::int64_t most_heads = 16; ///< and threads: more would need more memory than time

struct MeasuredShape {
    std::int64_t L, S, width;
    bool causal;
};
constexpr MeasuredShape measured_shapes[] = {{512, 512, 64, true}, {128, 1024, 64, false}, {128, 512, 128, false}};

/// The smallest sizes among them: below, nothing is known.
constexpr std::int64_t least_rows_on_a_key = 128, least_keys = 512, least_width = 64;
/// Below, a measurement would take longer than the unit saves.
constexpr double least_operations = 1e9;

double seconds_by_clock(const std::function<void()>& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A problem of one of the shapes, with a head for each thread.
class Trial {
public:
    Trial(const MeasuredShape& measured, Precision precision, MatrixUse use, int threads) : threads_(threads) {
        shape_ = {.H = threads, .Hkv = threads, .L = measured.L, .S = measured.S, .E = measured.width};
        shape_.Ev = use == MatrixUse::Forward ? measured.width : 0;
        const auto rows = shape_.H * shape_.L;
        query_ = numbers(rows * shape_.E, precision);
        key_ = numbers(shape_.H * shape_.S * shape_.E, precision);
        value_ = numbers(shape_.H * shape_.S * shape_.Ev, precision);
        output_.resize(static_cast<std::size_t>(rows * shape_.Ev));
        lse_.resize(static_cast<std::size_t>(rows));
        problem_ = {.shape = shape_, .query = query_.data(), .key = key_.data(), .value = value_.data()};
        problem_.scale = 1.0 / std::sqrt(static_cast<double>(shape_.E));
        problem_.precision = precision;
        if (measured.causal)
            problem_.masks.bands.push_back({.after = 0});
    }

    /// By vectors where there is no kernel.
    void run(const MatrixKernel* kernel) {
        std::optional<MatrixPath> path;
        if (kernel)
            path.emplace(problem_, *kernel, RunControl(), threads_); // packing is part of what the unit costs
        problem_.matrices = path ? &*path : nullptr;
        forward(problem_, {.output = output_.data(), .lse = lse_.data()}, {}, threads_);
    }

private:
    /// Of variance 1. They repeat, since drawing many takes longer than the measurement.
    static std::vector<float> numbers(std::int64_t count, Precision precision) {
        static const auto drawn = [] {
            std::array<float, 8191> some;
            Random random(1);
            for (float& number : some)
                number = static_cast<float>(std::sqrt(12.0) * (random.uniform() - 0.5));
            return some;
        }();
        std::vector<float> all(static_cast<std::size_t>(count));
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k] = drawn[k % drawn.size()];
        if (precision == Precision::BFloat16)
            round_to_bfloat16(all);
        return all;
    }

    const int threads_;
    Shape shape_;
    std::vector<float> query_, key_, value_, output_, lse_;
    Problem problem_;
};

double share_of_padding(const Shape& shape) {
    const auto padded = PackedSizes::matrices(shape.E, numbers_of_a_matrix_row) * numbers_of_a_matrix_row +
                        MatrixPath::rows_of_output(shape.Ev);
    return static_cast<double>(padded) / static_cast<double>(shape.E + shape.Ev);
}

/// What the unit has to do for a problem, if it can.
std::optional<MatrixTask> task_of(const Problem& problem) {
    const auto use = problem.shape.Ev == 0 ? MatrixUse::Map : MatrixUse::Forward;
    for (const auto& task : matrix_tasks)
        if (task.precision == problem.precision && task.use == use)
            return task;
    return std::nullopt;
}

bool is_like_measured_shapes(const Problem& problem) {
    const auto& s = problem.shape;
    auto keys = s.S;
    for (const auto& band : problem.masks.bands)
        if (band.before < s.S && band.after < s.S) // a window
            keys = std::min(keys, band.before + band.after + 1);
    const double operations = 2.0 * static_cast<double>(s.B * s.H) * static_cast<double>(s.L) *
                              static_cast<double>(keys) * static_cast<double>(s.E + s.Ev);
    return operations >= least_operations && keys >= least_keys && s.H / s.Hkv * s.L >= least_rows_on_a_key &&
           s.E >= least_width && (s.Ev == 0 || s.Ev >= least_width);
}

constexpr MatrixTask weights_task{Precision::Float32, MatrixUse::Weights};

/// What is measured and kept.
constexpr auto kept_tasks = [] {
    std::array<MatrixTask, std::size(matrix_tasks) + 1> all{};
    std::ranges::copy(matrix_tasks, all.begin());
    all.back() = weights_task;
    return all;
}();

/// What is known in this process, and the file.
class Choices {
public:
    std::optional<MatrixChoice> known(Precision precision, MatrixUse use) {
        const std::lock_guard lock(mutex_);
        const auto* choice = at(precision, use);
        return choice ? *choice : std::nullopt;
    }

    /// `measure` takes the clock.
    MatrixChoice get(Precision precision, MatrixUse use, const std::function<MatrixChoice(const Stopwatch&)>& measure) {
        const std::lock_guard turn(measuring_); // two measurements at a time would measure each other
        if (!is_read_)
            read();
        if (const auto found = known(precision, use))
            return *found;
        auto choice = measure(seconds_of_ ? seconds_of_ : seconds_by_clock);
        put(choice);
        if (!choice.failure) // after a failure another process tries again
            write();
        return choice;
    }

    void keep(std::filesystem::path file, std::string build) {
        const std::lock_guard turn(measuring_);
        file_ = std::move(file);
        build_ = std::move(build);
        build_ += '\t' + processor_name() + '\t' + std::to_string(thread_count());
        std::replace_if(
            build_.begin(), build_.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
        forget_known();
        is_read_ = false;
    }

    void forget(Stopwatch seconds_of) {
        const std::lock_guard turn(measuring_);
        seconds_of_ = std::move(seconds_of);
        forget_known();
        is_read_ = true;
        std::error_code failed;
        if (!file_.empty())
            std::filesystem::remove(file_, failed);
    }

private:
    /// Null for what the unit does not compute.
    std::optional<MatrixChoice>* at(Precision precision, MatrixUse use) {
        for (std::size_t k = 0; k < known_.size(); ++k)
            if (kept_tasks[k].precision == precision && kept_tasks[k].use == use)
                return &known_[k];
        return nullptr;
    }
    void put(const MatrixChoice& choice) {
        const std::lock_guard lock(mutex_);
        if (auto* known = at(choice.precision, choice.use))
            *known = choice;
    }
    void forget_known() {
        const std::lock_guard lock(mutex_);
        known_ = {};
    }

    /// A line is: build, processor, threads, precision, use, gain.
    void read() {
        is_read_ = true;
        std::ifstream in(file_);
        std::string line;
        for (int lines = 0; lines < 100 && std::getline(in, line); ++lines)
            for (const auto& [precision, use] : kept_tasks) {
                const auto begin = line_begin(precision, use);
                if (!line.starts_with(begin))
                    continue;
                double gain = 0.0;
                const char* end = line.data() + line.size();
                const auto number = std::from_chars(line.data() + begin.size(), end, gain);
                if (number.ec == std::errc() && number.ptr == end && std::isfinite(gain) && gain > 0.0)
                    put({precision, use, gain, std::nullopt});
            }
    }

    /// A program that writes at the same time may win; what it measured is as good.
    void write() {
        if (file_.empty())
            return;
        std::error_code failed;
        std::filesystem::create_directories(file_.parent_path(), failed);
        auto part = file_;
        part += "." + std::to_string(::getpid());
        {
            std::ofstream out(part);
            out.precision(std::numeric_limits<double>::max_digits10);
            for (const auto& [precision, use] : kept_tasks)
                if (const auto choice = known(precision, use); choice && !choice->failure)
                    out << line_begin(precision, use) << choice->gain << '\n';
            if (!out.flush())
                failed = std::make_error_code(std::errc::io_error);
        }
        if (!failed)
            std::filesystem::rename(part, file_, failed);
        if (failed)
            std::filesystem::remove(part, failed);
    }

    std::string line_begin(Precision precision, MatrixUse use) const {
        return build_ + '\t' + std::string(name_of(precision)) + '\t' + std::string(name_of(use)) + '\t';
    }

    std::mutex measuring_; ///< guards what follows, apart from known_
    Stopwatch seconds_of_;
    std::filesystem::path file_;
    std::string build_;
    bool is_read_ = false;

    std::mutex mutex_; ///< never held for long
    std::array<std::optional<MatrixChoice>, kept_tasks.size()> known_;
};

Choices& choices() {
    static Choices all;
    return all;
}

/// "1.08"
std::string gain_text(double gain) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", gain);
    return text;
}

/// Of each trial, until their time is spent.
std::vector<std::vector<MatrixRound>> rounds_of(std::span<const MatrixTrial> trials, const Stopwatch& seconds_of) {
    std::vector<std::vector<MatrixRound>> rounds(trials.size());
    double spent = 0.0;
    const auto goes_on = [&spent](std::size_t number) {
        return number <= least_rounds ? spent < most_seconds_of_few_rounds
                                      : number <= most_rounds && spent < most_seconds;
    };
    // Round 0 wakes threads and touches memory for the first time; it is not counted.
    for (std::size_t number = 0; goes_on(number); ++number)
        for (std::size_t k = 0; k < trials.size(); ++k) {
            MatrixRound round;
            const auto by_vectors = [&] { round.vectors = seconds_of(trials[k].by_vectors); };
            if (number % 2 == 0)
                by_vectors();
            round.matrices = seconds_of(trials[k].by_unit);
            if (number % 2 == 1)
                by_vectors();
            if (number == 0)
                continue;
            rounds[k].push_back(round);
            spent += round.vectors + round.matrices;
        }
    return rounds;
}

} // namespace

std::string_view name_of(MatrixUse use) {
    return use == MatrixUse::Map ? "map" : use == MatrixUse::Weights ? "weights" : "forward";
}

Message MatrixChoice::why_not(std::string_view unit) const {
    if (failure)
        return *failure;
    return {ATTNLAB_TEXT("%1 was %2 times as fast as vectors in a measurement, expected at least %3"),
            {std::string(unit), gain_text(gain), gain_text(least_gain)}};
}

MatrixChoice judged(Precision precision, MatrixUse use, std::span<const std::vector<MatrixRound>> shapes) {
    MatrixChoice choice{precision, use, 0.0, std::nullopt};
    const auto fail = [&](const char* text) {
        choice.gain = 0.0;
        choice.failure = Message(text);
        return choice;
    };
    bool steady = true;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& rounds : shapes) {
        if (rounds.size() < least_rounds)
            return fail(ATTNLAB_TEXT("the speed of AMX is unknown: measuring it took too long"));
        std::vector<double> gains;
        for (const auto& round : rounds)
            gains.push_back(round.vectors / round.matrices);
        if (!std::ranges::all_of(rounds, [](const MatrixRound& round) {
                return round.vectors > 0.0 && round.matrices > 0.0 && std::isfinite(round.vectors + round.matrices);
            }))
            return fail(ATTNLAB_TEXT("the speed of AMX is unknown: the clock returned no times"));
        std::ranges::sort(gains);
        least = std::min(least, gains[gains.size() / 2]);
        steady = steady && gains[gains.size() / 4] > 1.0;
    }
    if (shapes.empty())
        return fail(ATTNLAB_TEXT("the speed of AMX is unknown: the clock returned no times"));
    if (least >= MatrixChoice::least_gain && !steady)
        return fail(ATTNLAB_TEXT("the speed of AMX is unknown: the measured times vary too much"));
    choice.gain = least;
    return choice;
}

MatrixChoice measured(Precision precision, MatrixUse use, const std::function<std::vector<MatrixTrial>()>& make_trials,
                      const Stopwatch& seconds_of) {
    try {
        const auto trials = make_trials();
        auto rounds = rounds_of(trials, seconds_of);
        auto choice = judged(precision, use, rounds);
        const auto disagree = [&] { // by other work on the machine, which may have ended a moment later
            return choice.failure &&
                   std::ranges::all_of(rounds, [](const auto& of_shape) { return of_shape.size() >= least_rounds; });
        };
        for (int attempt = 1; attempt < most_attempts && disagree(); ++attempt) {
            rounds = rounds_of(trials, seconds_of);
            choice = judged(precision, use, rounds);
        }
        return choice;
    } catch (const std::exception& error) {
        return {precision, use, 0.0, Message(ATTNLAB_TEXT("the speed of AMX is unknown: %1"), {error.what()})};
    }
}

MatrixChoice measured(const MatrixKernel& kernel, Precision precision, MatrixUse use, const Stopwatch& seconds_of) {
    const auto make_trials = [&] {
        const auto threads = static_cast<int>(std::min<std::int64_t>(thread_count(), most_heads));
        std::vector<MatrixTrial> trials;
        for (const auto& shape : measured_shapes) {
            const auto trial = std::make_shared<Trial>(shape, precision, use, threads);
            trials.push_back({[trial] { trial->run(nullptr); }, [trial, &kernel] { trial->run(&kernel); }});
        }
        return trials;
    };
    return measured(precision, use, make_trials, seconds_of);
}

bool chooses_matrices(const MatrixKernel& kernel, const Problem& problem) {
    const auto task = task_of(problem);
    if (!task || kernel.is_chosen_always)
        return task.has_value();
    if (!is_like_measured_shapes(problem))
        return false;
    const auto choice = choice_of(kernel, task->precision, task->use);
    // The measured widths fill matrices; others cost as much as the next ones that do.
    return choice.is_used() && choice.gain >= MatrixChoice::least_gain * share_of_padding(problem.shape);
}

MatrixChoice choice_of(const MatrixKernel& kernel, Precision precision, MatrixUse use) {
    return choices().get(precision, use,
                         [&](const Stopwatch& seconds_of) { return measured(kernel, precision, use, seconds_of); });
}

MatrixChoice choice_for_weights(const std::function<std::vector<MatrixTrial>()>& make_trials) {
    return choices().get(weights_task.precision, weights_task.use, [&](const Stopwatch& seconds_of) {
        return measured(weights_task.precision, weights_task.use, make_trials, seconds_of);
    });
}

std::optional<MatrixChoice> known_choice(Precision precision, MatrixUse use) { return choices().known(precision, use); }

void keep_choices(std::filesystem::path file, std::string build) { choices().keep(std::move(file), std::move(build)); }

void forget_choices(Stopwatch seconds_of) { choices().forget(std::move(seconds_of)); }

} // namespace attnlab::flash

// Implements `attnlab bench`: the speed of the engine on this machine.
#include "app/backends.h"
#include "app/command_table.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/flash/cpu_backend.h"
#include "core/flash/measure.h"
#include "core/map/attention_map.h"
#include "gpu/cuda_backend.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

namespace attnlab::app {
namespace {

struct BenchChoices {
    BackendChoice backend;
    std::string precision;
    flash::Precision precision_of_cores = flash::Precision::Float32;
    flash::Shape shape;
    bool causal;
    int repeats;
    std::optional<Pool> map = std::nullopt;
};

std::int64_t wholeNumber(const QCommandLineParser& parser, const char* option, std::int64_t missing,
                         std::int64_t least = 1) {
    if (!parser.isSet(option))
        return missing;
    constexpr std::int64_t most = std::int64_t{1} << 24;
    bool ok = false;
    const auto value = parser.value(option).toLongLong(&ok);
    if (!ok || value < least || value > most)
        throw UsageError("--" + std::string(option) + ": has '" + parser.value(option).toStdString() +
                         "', expected an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

BenchChoices readBenchChoices(const QCommandLineParser& parser) {
    BenchChoices choices;
    choices.backend = readBackend(parser);
    choices.precision = parser.value("precision").toStdString();
    choices.precision_of_cores = precisionOfCores(readPrecision(parser));
    auto& shape = choices.shape;
    shape.H = wholeNumber(parser, "heads", 8);
    shape.Hkv = wholeNumber(parser, "kv-heads", shape.H);
    if (shape.H % shape.Hkv != 0)
        throw UsageError("--kv-heads: has " + std::to_string(shape.Hkv) +
                         ", expected a divisor of --heads = " + std::to_string(shape.H));
    shape.L = wholeNumber(parser, "length", 2048);
    shape.S = wholeNumber(parser, "key-length", shape.L);
    shape.E = wholeNumber(parser, "dim", 64);
    shape.Ev = wholeNumber(parser, "value-dim", shape.E);
    choices.causal = parser.isSet("causal");
    choices.repeats = static_cast<int>(wholeNumber(parser, "repeat", 9));
    if (const auto map = parser.value("map"); map == QLatin1String("max") || map == QLatin1String("mean"))
        choices.map = map == QLatin1String("max") ? Pool::Max : Pool::Mean;
    else if (parser.isSet("map"))
        throw UsageError("--map: has '" + map.toStdString() + "', expected max or mean");
    if (choices.map && (choices.backend.id == "reference" || choices.backend.id == "cuda"))
        throw UsageError("--map: maps are computed by the cpu backend, not by " + choices.backend.id);
    return choices;
}

AttentionProblem problemOf(const flash::Workload& workload) {
    const auto& s = workload.shape;
    const auto tensor = [](Shape shape, const std::vector<float>& values) {
        return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()), DType::Float32);
    };
    AttentionProblem problem;
    problem.tensors = {{"query", tensor({s.B, s.H, s.L, s.E}, workload.query)},
                       {"key", tensor({s.B, s.Hkv, s.S, s.E}, workload.key)},
                       {"value", tensor({s.B, s.Hkv, s.S, s.Ev}, workload.value)}};
    if (workload.causal)
        problem.spec.masks = {{"causal", {}}};
    return problem;
}

struct Outcome {
    std::string backend;
    flash::Deviation deviation;
    flash::Timing timing;
    bool on_cores = true;                               ///< so that a fraction of the CPU's peak is meaningful
    std::optional<double> read_fraction = std::nullopt; ///< of the speed at which keys and values can be read
};

/// On float32 arrays, without the conversions of Backend::run.
Outcome benchFlash(const flash::Workload& workload, flash::Precision precision, int repeats) {
    const auto& s = workload.shape;
    std::vector<float> output(static_cast<std::size_t>(s.H * s.L * s.Ev)), lse(static_cast<std::size_t>(s.H * s.L));
    auto problem = workload.problem();
    problem.precision = precision;
    const auto run = [&] { flash::forward(problem, {output.data(), lse.data()}); };
    run();
    const auto deviation = flash::deviation(workload, output.data(), lse.data());
    const auto threads = flash::thread_count();
    Outcome outcome{"cpu", deviation, flash::measure(run, workload.operations(), repeats, threads)};
    // With few queries, memory is the limit, not arithmetic.
    if (constexpr std::int64_t few_queries = 32; s.L <= few_queries)
        outcome.read_fraction = 1.0 / flash::compare(
                                          run, [&] { flash::read_keys_and_values(workload, threads); }, repeats)
                                          .wall;
    return outcome;
}

double medianSeconds(const std::function<void()>& run, int repeats) {
    std::vector<double> seconds;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        run();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(seconds.begin(), seconds.begin() + repeats / 2, seconds.end());
    return seconds[static_cast<std::size_t>(repeats / 2)];
}

/// With the conversions and, on a device, the copies of Backend::run.
Outcome benchBackend(const flash::Workload& workload, const BackendChoice& choice, int repeats) {
    const auto problem = problemOf(workload);
    const auto computed = compute(problem, choice.backends, choice.id).trace;
    const auto floats = [&](const char* stage) {
        const auto values = computed.find(stage)->value.values();
        return std::vector<float>(values.begin(), values.end());
    };
    const auto deviation = flash::deviation(workload, floats("output").data(), floats("lse").data());
    const auto run = [&] { compute(problem, choice.backends, choice.id); };
    if (choice.id == "cuda")
        return {choice.id, deviation, {.median_seconds = medianSeconds(run, repeats)}, false};
    return {choice.id, deviation, flash::measure(run, workload.operations(), repeats, flash::thread_count())};
}

using Maps = std::vector<std::unique_ptr<const AttentionMap>>;

/// Largest difference between weights of a map and of the reference, on a few rows of the first and the last head.
double mapDeviation(const flash::Workload& workload, const Maps& maps) {
    const auto all = problemOf(workload);
    const auto& s = workload.shape;
    double worst = 0.0;
    for (const auto head : {std::int64_t{0}, s.H - 1})
        for (const auto row : {std::int64_t{0}, s.L / 3, s.L - 1}) {
            const auto keys = workload.causal ? std::min(row + 1, s.S) : s.S;
            const auto part = [&](const char* name, std::int64_t first, std::int64_t count) {
                const auto* values = all.tensors.find(name)->second.data() + first * s.E;
                return Tensor({count, s.E}, {values, values + count * s.E});
            };
            AttentionProblem one;
            one.tensors = {{"query", part("query", head * s.L + row, 1)},
                           {"key", part("key", head / (s.H / s.Hkv) * s.S, keys)},
                           {"value", Tensor({keys, 1})}};
            const auto trace = reference_backend().run(one, {});
            std::vector<float> weights(static_cast<std::size_t>(s.S));
            maps[static_cast<std::size_t>(head)]->weights({row, row + 1, 0, s.S}, weights.data());
            for (std::int64_t j = 0; j < s.S; ++j) {
                const double got = weights[static_cast<std::size_t>(j)];
                if (std::isnan(got) != (j >= keys))
                    return std::numeric_limits<double>::quiet_NaN();
                if (j < keys)
                    worst = std::max(worst, std::abs(got - trace.find("weights")->value.data()[j]));
            }
        }
    return worst;
}

struct MapOutcome {
    BinGrid grid;
    double deviation = 0.0;
    flash::Ratio pooling, lse; ///< relative to the forward
};

/// All heads one by one, compared with a forward of all heads.
MapOutcome benchMap(const flash::Workload& workload, const BenchChoices& choices) {
    const auto& s = workload.shape;
    const auto inputs = std::make_shared<const MapInputs>(problemOf(workload), nullptr, choices.precision_of_cores);
    const auto maps_of = [&] {
        Maps maps;
        for (std::int64_t head = 0; head < s.H; ++head)
            maps.push_back(std::make_unique<const AttentionMap>(inputs, 0, head));
        return maps;
    };
    const auto maps = maps_of();
    constexpr std::int64_t bins = 512;
    MapOutcome outcome;
    outcome.grid = grid_of(maps.front()->all(), bins, bins);
    outcome.deviation = mapDeviation(workload, maps);
    std::vector<float> output(static_cast<std::size_t>(s.H * s.L * s.Ev)), lse(static_cast<std::size_t>(s.H * s.L));
    auto problem = workload.problem();
    problem.precision = choices.precision_of_cores;
    const auto forward = [&] { flash::forward(problem, {output.data(), lse.data()}); };
    const auto pool = [&] {
        for (const auto& map : maps)
            map->pool(outcome.grid, *choices.map);
    };
    outcome.pooling = flash::compare(pool, forward, choices.repeats);
    outcome.lse = flash::compare([&] { maps_of(); }, forward, choices.repeats);
    return outcome;
}

QJsonObject shapeAsJson(const BenchChoices& choices) {
    const auto& s = choices.shape;
    const auto number = [](std::int64_t value) { return QJsonValue(static_cast<qint64>(value)); };
    return {{"heads", number(s.H)},
            {"kv_heads", number(s.Hkv)},
            {"length", number(s.L)},
            {"key_length", number(s.S)},
            {"dim", number(s.E)},
            {"value_dim", number(s.Ev)},
            {"causal", choices.causal},
            {"repeats", choices.repeats},
            {"threads", flash::thread_count()},
            {"instruction_set", QString::fromStdString(flash::instruction_set())},
            {"backend", "cpu"}};
}

QJsonObject asJson(const BenchChoices& choices, const Outcome& outcome, double gflops) {
    auto object = shapeAsJson(choices);
    object.insert("backend", QString::fromStdString(outcome.backend));
    object.insert("precision", QString::fromStdString(choices.precision));
    object.insert("median_seconds", outcome.timing.median_seconds);
    object.insert("gflops", gflops);
    if (outcome.on_cores) {
        object.insert("peak_fraction", outcome.timing.peak_fraction);
        object.insert("peak_fraction_of_cpu_time", outcome.timing.peak_fraction_of_cpu_time);
    } else {
        object.insert("device", QString::fromStdString(gpu::devices().devices.front().name));
    }
    if (outcome.read_fraction)
        object.insert("read_fraction", *outcome.read_fraction);
    object.insert("max_abs_error", outcome.deviation.output);
    object.insert("lse_max_abs_error", outcome.deviation.lse);
    return object;
}

void print(const Outcome& outcome, double gflops) {
    printOut("%s: %.3f ms, %.1f GFLOP/s, %.1f %% of the peak (%.1f %% by CPU time)", outcome.backend.c_str(),
             outcome.timing.median_seconds * 1e3, gflops, outcome.timing.peak_fraction * 100.0,
             outcome.timing.peak_fraction_of_cpu_time * 100.0);
    if (outcome.read_fraction)
        printOut(", %.1f %% of the speed at which keys and values can be read", *outcome.read_fraction * 100.0);
    printOut("; largest error %.2g, of lse %.2g\n", outcome.deviation.output, outcome.deviation.lse);
}

/// GFLOP/s count only the products of queries and keys.
int printMap(const BenchChoices& choices, const flash::Workload& workload, bool json) {
    const auto outcome = benchMap(workload, choices);
    const double gflops = workload.operations() * static_cast<double>(choices.shape.E) /
                          static_cast<double>(choices.shape.E + choices.shape.Ev) / outcome.pooling.median_seconds *
                          1e-9;
    const char* pool = *choices.map == Pool::Max ? "max" : "mean";
    if (json) {
        auto object = shapeAsJson(choices);
        object.insert("map", pool);
        object.insert("bins", QStringLiteral("%1x%2").arg(outcome.grid.rows()).arg(outcome.grid.columns()));
        object.insert("median_seconds", outcome.pooling.median_seconds);
        object.insert("gflops", gflops);
        object.insert("forward_ratio", outcome.pooling.wall);
        object.insert("forward_ratio_of_cpu_time", outcome.pooling.cpu);
        object.insert("lse_forward_ratio", outcome.lse.wall);
        object.insert("lse_forward_ratio_of_cpu_time", outcome.lse.cpu);
        object.insert("max_abs_error", outcome.deviation);
        printOut("%s", QJsonDocument(object).toJson().constData());
    } else {
        printOut("%s map: %.3f ms, %.1f GFLOP/s, %.2f x the forward (%.2f by CPU time), lse before it %.2f x; largest "
                 "error of a weight %.2g\n",
                 pool, outcome.pooling.median_seconds * 1e3, gflops, outcome.pooling.wall, outcome.pooling.cpu,
                 outcome.lse.wall, outcome.deviation);
    }
    return 0;
}

} // namespace

int benchCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription(
        "Measures attention over normal random numbers. It prints the difference from float64 on sampled rows, the "
        "time, and the share of the processor's peak of multiply-adds.");
    addBackendOptions(parser, "cpu");
    parser.addOptions({{"heads", "Query heads (8).", "H"},
                       {"kv-heads", "Key and value heads (as many).", "K"},
                       {"length", "Queries (2048).", "L"},
                       {"key-length", "Keys (as many).", "S"},
                       {"dim", "Width of queries and keys (64).", "E"},
                       {"value-dim", "Width of values (the same).", "Ev"},
                       {"causal", "With the causal mask; only operations of cells that are read count."},
                       {"map",
                        "Instead of the forward, a map of each head with 512 x 512 bins, and its share of the "
                        "forward's time.",
                        "max|mean"},
                       {"repeat", "How often; the median counts (9).", "N"},
                       {"json", "As JSON."}});
    if (!parse(parser, arguments))
        return 0;
    if (!parser.positionalArguments().isEmpty())
        throw UsageError("bench: has '" + parser.positionalArguments().first().toStdString() +
                         "', expected options only");
    const auto choices = readBenchChoices(parser);
    flash::Workload workload(choices.shape, choices.causal);
    if (choices.precision_of_cores == flash::Precision::BFloat16) // inputs that both backends store without rounding
        for (auto* numbers : {&workload.query, &workload.key, &workload.value})
            flash::round_to_bfloat16(*numbers);
    if (choices.map)
        return printMap(choices, workload, parser.isSet("json"));
    const auto outcome = choices.backend.id == cpu_backend().id()
                             ? benchFlash(workload, choices.precision_of_cores, choices.repeats)
                             : benchBackend(workload, choices.backend, choices.repeats);
    const double gflops = workload.operations() / outcome.timing.median_seconds * 1e-9;
    if (parser.isSet("json"))
        printOut("%s", QJsonDocument(asJson(choices, outcome, gflops)).toJson().constData());
    else if (!outcome.on_cores)
        printOut("%s, %s: %.3f ms with all copies, %.1f GFLOP/s; largest error %.2g, of lse %.2g\n",
                 outcome.backend.c_str(), choices.precision.c_str(), outcome.timing.median_seconds * 1e3, gflops,
                 outcome.deviation.output, outcome.deviation.lse);
    else
        print(outcome, gflops);
    return 0;
}

} // namespace attnlab::app

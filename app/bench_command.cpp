#include "app/commands.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/flash/cpu_backend.h"
#include "core/flash/measure.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cstdio>

namespace attnlab::app {
namespace {

struct Choices {
    std::string backend;
    flash::Shape shape;
    bool causal;
    int repeats;
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

Choices readChoices(const QCommandLineParser& parser, Backends backends) {
    Choices choices;
    choices.backend = parser.value("backend").toStdString();
    checkBackend(choices.backend, backends);
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
};

/// On float32 arrays as they are, without the conversions of Backend::run.
Outcome benchFlash(const flash::Workload& workload, int repeats) {
    const auto& s = workload.shape;
    std::vector<float> output(static_cast<std::size_t>(s.H * s.L * s.Ev)), lse(static_cast<std::size_t>(s.H * s.L));
    const auto run = [&] { flash::forward(workload.problem(), {output.data(), lse.data()}); };
    run();
    const auto deviation = flash::deviation(workload, output.data(), lse.data());
    return {"cpu", deviation, flash::measure(run, workload.operations(), repeats, flash::thread_count())};
}

Outcome benchBackend(const flash::Workload& workload, Backends backends, const std::string& backend, int repeats) {
    const auto problem = problemOf(workload);
    const auto computed = compute(problem, backends, backend).trace;
    const auto floats = [&](const char* stage) {
        const auto values = computed.find(stage)->value.values();
        return std::vector<float>(values.begin(), values.end());
    };
    const auto deviation = flash::deviation(workload, floats("output").data(), floats("lse").data());
    const auto run = [&] { compute(problem, backends, backend); };
    return {backend, deviation, flash::measure(run, workload.operations(), repeats, flash::thread_count())};
}

QJsonObject asJson(const Choices& choices, const Outcome& outcome, double gflops) {
    const auto& s = choices.shape;
    const auto number = [](std::int64_t value) { return QJsonValue(static_cast<qint64>(value)); };
    return {{"backend", QString::fromStdString(outcome.backend)},
            {"heads", number(s.H)},
            {"kv_heads", number(s.Hkv)},
            {"length", number(s.L)},
            {"key_length", number(s.S)},
            {"dim", number(s.E)},
            {"value_dim", number(s.Ev)},
            {"causal", choices.causal},
            {"repeats", choices.repeats},
            {"threads", flash::thread_count()},
            {"instruction_set", QString::fromStdString(flash::instruction_set())},
            {"median_seconds", outcome.timing.median_seconds},
            {"gflops", gflops},
            {"peak_fraction", outcome.timing.peak_fraction},
            {"peak_fraction_of_cpu_time", outcome.timing.peak_fraction_of_cpu_time},
            {"max_abs_error", outcome.deviation.output},
            {"lse_max_abs_error", outcome.deviation.lse}};
}

} // namespace

int benchCommand(const QStringList& arguments, Backends backends) {
    QCommandLineParser parser;
    parser.setApplicationDescription("Measures attention over normal numbers: how far it is from float64 on sampled "
                                     "rows, how long it takes, and its share of the cores' peak of multiply-adds.");
    parser.addOptions({{"backend", "What to measure: cpu (default), reference or auto.", "B", "cpu"},
                       {"heads", "Query heads (8).", "H"},
                       {"kv-heads", "Key and value heads (as many).", "K"},
                       {"length", "Queries (2048).", "L"},
                       {"key-length", "Keys (as many).", "S"},
                       {"dim", "Width of queries and keys (64).", "E"},
                       {"value-dim", "Width of values (the same).", "Ev"},
                       {"causal", "With the causal mask; operations are those of the cells that are read."},
                       {"repeat", "How often; the median counts (9).", "N"},
                       {"json", "As JSON."}});
    if (!parse(parser, arguments))
        return 0;
    if (!parser.positionalArguments().isEmpty())
        throw UsageError("bench: has '" + parser.positionalArguments().first().toStdString() +
                         "', expected options only");
    const auto choices = readChoices(parser, backends);
    const flash::Workload workload(choices.shape, choices.causal);
    const auto outcome = choices.backend == cpu_backend().id()
                             ? benchFlash(workload, choices.repeats)
                             : benchBackend(workload, backends, choices.backend, choices.repeats);
    const double gflops = workload.operations() / outcome.timing.median_seconds * 1e-9;
    if (parser.isSet("json"))
        std::fputs(QJsonDocument(asJson(choices, outcome, gflops)).toJson().constData(), stdout);
    else
        std::printf("%s: %.3f ms, %.1f GFLOP/s, %.1f %% of the peak (%.1f %% by CPU time); largest error %.2g, of lse "
                    "%.2g\n",
                    outcome.backend.c_str(), outcome.timing.median_seconds * 1e3, gflops,
                    outcome.timing.peak_fraction * 100.0, outcome.timing.peak_fraction_of_cpu_time * 100.0,
                    outcome.deviation.output, outcome.deviation.lse);
    return 0;
}

} // namespace attnlab::app

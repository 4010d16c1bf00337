#include "core/lab/leak.h"

#include "core/inputs.h"
#include "core/lab/in_float32.h"
#include "core/mechanisms.h"
#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::lab {
namespace {

/// The inputs with a row for each token.
struct TokenRows {
    std::vector<std::string> query; ///< x, query
    std::vector<std::string> key;   ///< key, value, context, ...
};

TokenRows token_rows(const AttentionProblem& problem) {
    TokenRows rows;
    for (const auto& input : inputs_of(problem.spec)) {
        const auto axis = row_tokens(input);
        if (input.fill == InputFill::Normal && axis && problem.tensors.contains(input.name))
            (*axis == Axis::Query ? rows.query : rows.key).emplace_back(input.name);
    }
    if (rows.query.empty() && rows.key.empty())
        throw Error({ATTNLAB_TEXT("%1: has no input with a row for each token"), {problem.spec.variant}});
    return rows;
}

std::int64_t count_of(const AttentionProblem& problem, const std::vector<std::string>& names) {
    return problem.tensors.at(names.front()).dim(-2);
}

/// The inputs that contain the token: keys and values, or x alone; and the query where it is the same sequence.
struct EditedInputs {
    std::vector<std::string> read;
    std::vector<std::string> query = {};
    bool together = false;       ///< `read` makes the queries, too
    std::string keys_alone = {}; ///< an input that would make the keys and values, without the queries
};

EditedInputs edited_inputs(const AttentionProblem& problem) {
    auto rows = token_rows(problem);
    if (rows.key.empty()) {
        EditedInputs together{rows.query, {}, true};
        for (const auto& input : inputs_of(problem.spec))
            if (input.fallback == rows.query.front() && row_tokens(input) == Axis::Key)
                together.keys_alone = input.name;
        return together;
    }
    if (rows.query.empty())
        return {rows.key};
    const bool apart = !problem.key_tokens.empty() || problem.tensors.contains("context") ||
                       count_of(problem, rows.query) != count_of(problem, rows.key);
    return {rows.key, apart ? std::vector<std::string>() : rows.query};
}

double root_mean_square(const Tensor& tensor) {
    double sum = 0.0;
    for (const double value : tensor.values())
        sum += std::isfinite(value) ? value * value : 0.0;
    return sum > 0.0 ? std::sqrt(sum / static_cast<double>(tensor.size())) : 1.0;
}

/// Replaces row `token` of every matrix by another one of similar magnitude.
Tensor with_other_row(Tensor tensor, std::int64_t token, std::uint64_t seed) {
    const double size = root_mean_square(tensor);
    const auto rows = tensor.dim(-2), width = tensor.dim(-1);
    const auto matrices = matrix_count(tensor);
    Random random(seed);
    const auto values = tensor.mutable_values();
    for (std::int64_t matrix = 0; matrix < matrices; ++matrix)
        for (std::int64_t c = 0; c < width; ++c)
            values[static_cast<std::size_t>((matrix * rows + token) * width + c)] = size * random.normal();
    return tensor;
}

double moved(double before, double after) {
    if (before == after || (std::isnan(before) && std::isnan(after)))
        return 0.0;
    const double distance = std::abs(after - before);
    return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

void take_largest(std::vector<double>& rows, const Stage& before, const Stage& after) {
    const auto axis = static_cast<std::size_t>(std::ranges::find(before.axes, Axis::Query) - before.axes.begin());
    const auto& shape = before.value.shape();
    std::size_t inner = 1;
    for (auto k = axis + 1; k < shape.size(); ++k)
        inner *= static_cast<std::size_t>(shape[k]);
    const auto count = static_cast<std::size_t>(shape[axis]);
    rows.resize(count, 0.0);
    for (std::size_t k = 0; k < before.value.values().size(); ++k) {
        double& row = rows[k / inner % count];
        row = std::max(row, moved(before.value.values()[k], after.value.values()[k]));
    }
}

} // namespace

TokenEffect effect_of_token(const AttentionProblem& problem, std::int64_t token, const RunControl& control,
                            Precision precision) {
    const auto names = edited_inputs(problem);
    const auto tokens = count_of(problem, names.read);
    const auto row = token < 0 ? token + tokens : token;
    if (row < 0 || row >= tokens)
        throw Error({ATTNLAB_TEXT("token %1 is not there, expected one from %2 to %3"),
                     {std::to_string(token), std::to_string(-tokens), std::to_string(tokens - 1)}});
    const auto run = [&](const AttentionProblem& computed, const RunControl& part) {
        auto trace = reference_backend().run(computed, part);
        return precision == Precision::Float32 ? in_float32(std::move(trace), computed.spec) : trace;
    };
    const auto before = run(problem, control.part(0.0, 0.3));
    const auto changes_in = [&](const AttentionProblem& edited, const RunControl& part) {
        const auto after = run(edited, part);
        std::vector<double> rows;
        for (const auto* name : {"output", "head_output"}) {
            const Stage* stage = before.find(name);
            if (stage && std::ranges::find(stage->axes, Axis::Query) != stage->axes.end())
                take_largest(rows, *stage, *after.find(name));
        }
        if (rows.empty())
            throw Error({ATTNLAB_TEXT("%1: has no output with a row for each token"), {problem.spec.variant}});
        return rows;
    };
    auto edited = problem;
    std::uint64_t seed = 1;
    const auto replace_in = [&](const std::vector<std::string>& inputs) {
        for (const auto& name : inputs) {
            auto& tensor = edited.tensors.at(name);
            tensor = with_other_row(tensor, row, seed++);
        }
    };
    replace_in(names.read);
    TokenEffect effect{changes_in(edited, control.part(0.3, 0.6)), {}, {}};
    if (!names.query.empty()) {
        effect.own_by_reading = effect.moved.at(static_cast<std::size_t>(row));
        replace_in(names.query);
        effect.moved = changes_in(edited, control.part(0.6, 1.0));
    } else if (!names.keys_alone.empty()) {
        auto keys = problem;
        keys.tensors.insert_or_assign(names.keys_alone, edited.tensors.at(names.read.front()));
        effect.own_by_reading = changes_in(keys, control.part(0.6, 1.0)).at(static_cast<std::size_t>(row));
    }
    if (names.together || !names.query.empty())
        effect.own = row;
    return effect;
}

} // namespace attnlab::lab

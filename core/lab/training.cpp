#include "core/lab/training.h"

#include "core/backend.h"

#include <limits>

namespace attnlab::lab {
namespace {

void require_same_rows(const AttentionProblem& problem) {
    const auto shape_of = [&](const char* name) {
        const auto found = problem.tensors.find(name);
        return found == problem.tensors.end() ? Shape{} : found->second.shape();
    };
    const auto query = shape_of("query"), key = shape_of("key");
    if (problem.spec.variant != "scaled_dot_product" || query.empty() || query != key)
        throw Error({ATTNLAB_TEXT("train: has %1 with query %2 and key %3, expected scaled_dot_product with as many "
                                  "queries as keys"),
                     {problem.spec.variant, to_string(query), to_string(key)}});
}

/// The difference of output and value, and from it the loss and its gradient.
struct Miss {
    double loss = 0.0;
    Tensor gradient; ///< derivative of the loss with respect to the output
};

Miss miss_of(const Trace& trace) {
    const auto& output = trace.find("output")->value;
    const auto wanted = trace.find("value")->value.values();
    Miss miss{0.0, output};
    const auto count = static_cast<double>(output.size());
    const auto gradient = miss.gradient.mutable_values();
    for (std::size_t k = 0; k < gradient.size(); ++k) {
        const double distance = gradient[k] - wanted[k];
        miss.loss += distance * distance / count;
        gradient[k] = 2.0 * distance / count;
    }
    return miss;
}

void step(Tensor& rows, const Tensor& gradient, double rate) {
    const auto values = rows.mutable_values();
    for (std::size_t k = 0; k < values.size(); ++k)
        values[k] -= rate * gradient.values()[k];
}

} // namespace

double even_loss(const Trace& trace) {
    const Stage* value = trace.find("value");
    if (!value || value->value.size() == 0)
        return std::numeric_limits<double>::quiet_NaN();
    const auto S = value->value.dim(2), Ev = value->value.dim(3), heads = value->value.dim(0) * value->value.dim(1);
    double loss = 0.0;
    for (std::int64_t column = 0; column < heads * Ev; ++column) {
        const double* first = value->value.data() + column / Ev * S * Ev + column % Ev;
        double mean = 0.0, squares = 0.0;
        for (std::int64_t j = 0; j < S; ++j)
            mean += first[j * Ev] / static_cast<double>(S);
        for (std::int64_t j = 0; j < S; ++j)
            squares += (first[j * Ev] - mean) * (first[j * Ev] - mean);
        loss += squares / static_cast<double>(value->value.size());
    }
    return loss;
}

Trained train(AttentionProblem problem, const Training& training, const RunControl& control) {
    require_same_rows(problem);
    const auto silent = control.silent();
    const auto run = [&](const AttentionProblem& at) { return reference_backend().run(at, silent); };
    Trained trained{problem, {}};
    auto backward = problem;
    backward.spec.parameters.set("gradients", true);
    for (std::int64_t done = 0;; ++done) {
        const auto miss = miss_of(run(problem));
        trained.loss.push_back(miss.loss);
        if (done == training.at)
            trained.problem = problem;
        if (done == training.steps)
            return trained;
        backward.tensors = problem.tensors;
        backward.tensors.insert_or_assign("grad_output", miss.gradient);
        const auto gradients = run(backward);
        for (const char* name : {"query", "key"}) {
            auto& rows = problem.tensors.find(name)->second;
            step(rows, gradients.find(std::string("grad_") + name)->value.reshaped(rows.shape()), training.rate);
        }
        control.report(static_cast<double>(done + 1) / static_cast<double>(training.steps));
    }
}

} // namespace attnlab::lab

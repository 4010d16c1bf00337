// s_ij = −‖q_i − k_j‖² / (2 σ²): Nadaraya-Watson regression, in which nearer keys have larger weights.
#include "core/mechanisms/shared/by_score.h"

namespace attnlab {
namespace {

const Input inputs[] = {query_input, key_input, value_input, output_gradient_input("B H L Ev | B L Ev | L Ev")};

const Parameter parameters[] = {
    {.name = "sigma",
     .type = ParameterType::Real,
     .default_text = "1",
     .title = ATTNLAB_TEXT("bandwidth σ"),
     .help = ATTNLAB_TEXT("How far a query looks: small reads the nearest key alone, large reads all alike"),
     .minimum = 0.0,
     .minimum_excluded = true},
    gradients_parameter(),
    similarity_parameter(),
    dropout_parameter(),
    dropout_seed_parameter(),
};

ScoreFunction gaussian_score(double sigma) {
    ScoreFunction score;
    // Divided before squaring: σ² may overflow where σ does not.
    score.value = [sigma](std::span<const double> q, std::span<const double> k) {
        double sum = 0.0;
        for (std::size_t c = 0; c < q.size(); ++c) {
            const double distance = (q[c] - k[c]) / sigma;
            sum += distance * distance;
        }
        return 0.0 - 0.5 * sum;
    };
    score.terms = [sigma](std::span<const double> q, std::span<const double> k) {
        std::vector<ScoreTerm> terms;
        for (std::size_t c = 0; c < q.size(); ++c) {
            const double distance = (q[c] - k[c]) / sigma;
            terms.push_back({distance, -0.5 * distance, -0.5 * distance * distance});
        }
        return terms;
    };
    score.add_slopes = [sigma](double slope, std::span<const double> q, std::span<const double> k,
                               std::span<double> by_q, std::span<double> by_k) {
        for (std::size_t c = 0; c < q.size(); ++c) {
            const double by_query = slope * ((k[c] - q[c]) / sigma / sigma);
            by_q[c] += by_query;
            by_k[c] -= by_query;
        }
    };
    score.operation = {"−‖q−k‖²/2σ²"};
    score.formula = "s_ij = −‖q_i − k_j‖² / (2 σ²)";
    return score;
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    return attend_by(gaussian_score(problem.spec.parameters.real("sigma")), problem, control);
}

ScoreCode code(const ResolvedProblem& problem) {
    const bool unit = problem.spec.parameters.real("sigma") == 1.0;
    return {"distance = (query[..., :, None, :] - key[..., None, :, :]) / <sigma>\n"
            "scores = -0.5 * (distance**2).sum(axis=-1)\n",
            "-\\frac{\\left\\lVert <q> - <k> \\right\\rVert^2}{2" + std::string(unit ? "" : " \\cdot (<sigma>)^2") +
                "}"};
}

} // namespace

Mechanism gaussian_kernel_mechanism() {
    return score_mechanism(
        {.id = "gaussian_kernel",
         .place = 6,
         .title = ATTNLAB_TEXT("Gaussian kernel"),
         .formula = "softmax(−‖q − k‖² / (2 σ²) + M) V",
         .help = ATTNLAB_TEXT("The nearer a key lies to the query, the larger its weight: Nadaraya-Watson kernel "
                              "regression. The width of the bell σ sets how local the mean of the values is."),
         .source = "Nadaraya 1964, On Estimating Regression; Watson 1964, Smooth Regression Analysis",
         .inputs = inputs,
         .parameters = parameters,
         .run = run,
         .code = code,
         .drawn = {R"(f(q, k) = {-}\frac{\left\Vert q - k \right\Vert^2}{2 \sigma^2})", "f(q, k) = −‖q − k‖² / (2 σ²)"},
         .look_for = ATTNLAB_TEXT("Small sigma reads only the nearest key, large sigma averages all. Long keys get "
                                  "no bonus, as they do with a dot product: only the distance counts.")});
}

} // namespace attnlab

#include "tests/differential/compare_stages.h"

#include "core/mechanisms.h"

namespace attnlab::differential {
namespace {

bool is_finite(const Bounds::Output& output) { return std::isfinite(output.expected); }

std::string compare_output(const Bounds& bounds, const ReferenceRow& row, const double* got, std::int64_t b,
                           std::int64_t h, std::int64_t i) {
    const auto outputs = bounds.outputs(row, b, h, i);
    for (std::int64_t c = 0; c < bounds.Ev(); ++c) {
        const auto& output = outputs[static_cast<std::size_t>(c)];
        if (output.is_close_call)
            continue;
        if (auto words = difference("output", {b, h, i, c}, got[c], output.expected, output.allowed); !words.empty())
            return words;
        // Regardless of rounding, a mean is within the range of its terms.
        if (!is_finite(output) || row.lse == -std::numeric_limits<double>::infinity() || bounds.after() < 0.0)
            continue;
        const double slack = 0x1p-7 * (std::abs(output.least) + std::abs(output.most)) + 0x1p-20;
        if (std::isfinite(output.least) && std::isfinite(output.most) &&
            !(output.least - slack <= got[c] && got[c] <= output.most + slack))
            return difference("output, which is no mean of values,", {b, h, i, c}, got[c], output.expected, 0.0);
    }
    return {};
}

} // namespace

std::string difference(const Bounds& bounds, const Trace& got) {
    const Stage* head_output = got.find("head_output");
    const auto& output = head_output ? head_output->value : got.find("output")->value;
    const auto& lse = got.find("lse")->value;
    for (std::int64_t b = 0; b < bounds.B(); ++b)
        for (std::int64_t h = 0; h < bounds.H(); ++h)
            for (std::int64_t i = 0; i < bounds.L(); ++i) {
                const auto row = bounds.row(b, h, i);
                const auto at = (b * bounds.H() + h) * bounds.L() + i;
                if (row.is_close_call)
                    continue;
                if (auto words = difference("lse", {b, h, i}, lse.data()[at], row.lse, row.allowed_lse); !words.empty())
                    return words;
                auto words = compare_output(bounds, row, output.data() + at * bounds.Ev(), b, h, i);
                if (!words.empty())
                    return words;
            }
    return {};
}

std::string difference_of_projection(const AttentionProblem& problem, const Bounds& bounds, const Trace& reference,
                                     const Trace& got) {
    const Stage* head_output = reference.find("head_output");
    if (!head_output)
        return {};
    const auto weight = problem.tensors.find("w_o");
    const bool projects = weight != problem.tensors.end();
    const auto& output = reference.find("output")->value;
    const auto width = output.dim(2), wide = bounds.H() * bounds.Ev();
    for (std::int64_t b = 0; b < bounds.B(); ++b)
        for (std::int64_t i = 0; i < bounds.L(); ++i) {
            std::vector<double> allowed(static_cast<std::size_t>(wide));
            for (std::int64_t h = 0; h < bounds.H(); ++h) {
                const auto row = bounds.row(b, h, i);
                const auto outputs = bounds.outputs(row, b, h, i);
                for (std::int64_t c = 0; c < bounds.Ev(); ++c) {
                    const auto& of_head = outputs[static_cast<std::size_t>(c)];
                    if (of_head.is_close_call || row.is_close_call)
                        return {};
                    allowed[static_cast<std::size_t>(h * bounds.Ev() + c)] =
                        of_head.allowed +
                        0x1p-50 * (std::isfinite(of_head.expected) ? std::abs(of_head.expected) : 0.0);
                }
            }
            for (std::int64_t p = 0; p < width; ++p) {
                double most = 0.0;
                for (std::int64_t k = 0; k < wide; ++k) {
                    const double factor = projects ? std::abs(weight->second.data()[k * width + p])
                                          : k == p ? 1.0
                                                   : 0.0;
                    if (factor > 0.0) // a head of NaN has no bound
                        most += allowed[static_cast<std::size_t>(k)] * factor;
                }
                const auto at = (b * bounds.L() + i) * width + p;
                const double expected = output.data()[at];
                auto words = difference("projected output", {b, i, p}, got.find("output")->value.data()[at], expected,
                                        most + 0x1p-40 * std::abs(expected) + 0x1p-120);
                if (!words.empty())
                    return words;
            }
        }
    return {};
}

} // namespace attnlab::differential

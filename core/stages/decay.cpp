#include "core/stages/decay.h"

#include "core/lookup.h"
#include "core/stages/mask.h"
#include "core/stages/query_offset.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnlab {
namespace {

const Parameter retention_parameters[] = {
    {.name = "gamma",
     .type = ParameterType::Real,
     .title = ATTNLAB_TEXT("decay γ"),
     .help = ATTNLAB_TEXT("What is left of a key after one token, in all heads; if it is not given 1 − 2^(−5−h) in "
                          "head h, as in the paper"),
     .minimum = 0.0,
     .maximum = 1.0,
     .minimum_excluded = true}};
const Input retention_inputs[] = {
    {.name = "gamma",
     .dims = "H",
     .fill = InputFill::Ones,
     .required = false,
     .help = ATTNLAB_TEXT("What is left of a key after one token, one number a head, above 0 and at most 1")},
    query_offset_input};
const Input forget_inputs[] = {
    {.name = "forget_gate",
     .dims = "B? H? S | H? S | S",
     .required = false,
     .help = ATTNLAB_TEXT("One number a key: its sigmoid is what the token leaves of all keys before it")},
    {.name = "log_forget_gate",
     .dims = "B? H? S | H? S | S",
     .fill = InputFill::Zeros,
     .required = false,
     .help = ATTNLAB_TEXT("The same as a logarithm, 0 or less: what the token leaves of all keys before it")},
    query_offset_input};

const Decay table[] = {
    {.id = "retention",
     .title = ATTNLAB_TEXT("retention"),
     .rule = "γ_h^(p_i − j)",
     .drawn = {R"(D_{ij} = {\color{accent} \gamma_h^{\, i - j}} \quad\; (j \leq i))", "D_ij = γ_h^(i − j) for j ≤ i"},
     .help = ATTNLAB_TEXT("Weights fall by the factor γ of their head with each token between key and query. Without a "
                          "normaliser this is the retention of RetNet."),
     .source = "Sun et al.: Retentive Network (2023), equations 5 and 8",
     .parameters = retention_parameters,
     .inputs = retention_inputs,
     .multiplies_weights = true},
    {.id = "forget",
     .title = ATTNLAB_TEXT("forget gate"),
     .rule = "Π_{j<l≤p_i} f_l",
     .drawn = {R"(m_{ij} = s_{ij} + {\color{accent} \sum_{l = j + 1}^{i} \log f_l})",
               "m_ij = s_ij + Σ_{j<l≤i} log f_l"},
     .help = ATTNLAB_TEXT("Each token says what it leaves of the past: the logarithms of the gates between key and "
                          "query are added to the score."),
     .source = "Lin et al.: Forgetting Transformer (2025), section 3",
     .inputs = forget_inputs},
};

/// log f_l of head h in sequence b is at [(b * H + h) * S + l].
std::vector<double> log_gates(const ResolvedProblem& problem, std::int64_t B, std::int64_t H, std::int64_t S) {
    const bool logits = problem.tensors.contains("forget_gate");
    const auto& gate = problem.tensors.at(logits ? "forget_gate" : "log_forget_gate");
    const auto rank = gate.rank();
    const auto stride_of_head = rank > 1 && gate.dim(-2) > 1 ? S : 0;
    const auto stride_of_batch = rank > 2 && gate.dim(0) > 1 ? S * gate.dim(1) : 0;
    std::vector<double> logs(static_cast<std::size_t>(B * H * S));
    for (std::int64_t head = 0; head < B * H; ++head)
        for (std::int64_t l = 0; l < S; ++l) {
            const double value = gate.data()[head / H * stride_of_batch + head % H * stride_of_head + l];
            // log sigmoid(x) = -log(1 + exp(-x))
            logs[static_cast<std::size_t>(head * S + l)] =
                logits ? std::min(value, 0.0) - std::log1p(std::exp(-std::abs(value))) : value;
        }
    return logs;
}

/// log gamma of each head.
std::vector<double> log_gammas(const ResolvedProblem& problem, std::int64_t H) {
    const auto given = problem.tensors.find("gamma");
    const auto& parameters = problem.spec.decay.parameters;
    std::vector<double> logs;
    for (std::int64_t h = 0; h < H; ++h)
        logs.push_back(given != problem.tensors.end() ? std::log(given->second.data()[h])
                       : parameters.find("gamma")     ? std::log(parameters.real("gamma"))
                                                      : std::log1p(-std::exp2(-5.0 - static_cast<double>(h))));
    return logs;
}

void check_gates(const ResolvedProblem& problem) {
    const bool logits = problem.tensors.contains("forget_gate");
    const auto logs = problem.tensors.find("log_forget_gate");
    if (logits == (logs != problem.tensors.end()))
        throw Error(logits ? Message(ATTNLAB_TEXT("forget_gate: is given together with log_forget_gate, expected one "
                                                  "of the two"))
                           : Message(ATTNLAB_TEXT("forget_gate: is missing, expected it or log_forget_gate for the "
                                                  "decay forget")));
    if (logits)
        return;
    for (const double value : logs->second.values())
        if (!(value <= 0.0))
            throw Error({ATTNLAB_TEXT("log_forget_gate: has %1, expected numbers of at most 0"), {to_text(value)}});
}

void check_gammas(const ResolvedProblem& problem) {
    if (const auto found = problem.tensors.find("gamma"); found != problem.tensors.end())
        for (const double gamma : found->second.values())
            if (!(gamma > 0.0 && gamma <= 1.0))
                throw Error({ATTNLAB_TEXT("gamma: has %1, expected numbers above 0 and at most 1"), {to_text(gamma)}});
}

} // namespace

std::span<const Decay> decays() { return table; }

const Decay& decay_of(std::string_view id) {
    if (const auto* found = lookup(table, id))
        return *found;
    throw UnknownName({ATTNLAB_TEXT("decay: '%1' is not one of %2"), {std::string(id), listed(table, &Decay::id)}});
}

Selection parse_decay(std::string_view text) {
    const auto [id, argument] = id_and_argument(text);
    const auto& row = decay_of(id);
    Selection chosen{std::string(row.id), {}};
    if (!argument.empty())
        chosen.parameters = parse_argument(row.parameters, argument, row.id);
    return chosen;
}

Selection effective_decay(const AttentionSpec& spec) {
    if (spec.decay.id.empty())
        return {};
    const auto& row = decay_of(spec.decay.id);
    return {spec.decay.id, with_defaults(row.parameters, spec.decay.parameters, row.id)};
}

void check_decay(const ResolvedProblem& problem) {
    if (problem.spec.decay.id.empty())
        return;
    if (problem.spec.decay.id == "forget")
        check_gates(problem);
    else
        check_gammas(problem);
    const auto [B, H, L, S, grid] = mask_context(problem.sizes);
    const auto offsets = query_offsets(problem.spec, problem.tensors);
    for (std::int64_t b = 0; b < B; ++b)
        if (const auto first = offsets.of(b); L > 0 && (first < 0 || first + L > S))
            throw Error({ATTNLAB_TEXT("decay: has queries at the positions %1 to %2, expected them among the keys, 0 "
                                      "to %3; see the query offset"),
                         {std::to_string(first), std::to_string(first + L - 1), std::to_string(S - 1)}});
}

DecayCells decay_cells(const ResolvedProblem& problem, std::int64_t appended, const RunControl& control) {
    const auto& id = problem.spec.decay.id;
    if (id.empty())
        return {Tensor({0}), Tensor({0})};
    check_decay(problem);
    const auto [B, H, L, S, grid] = mask_context(problem.sizes);
    const bool forgets = id == "forget";
    const auto gates = forgets ? log_gates(problem, B, H, S) : std::vector<double>();
    const auto gammas = forgets ? std::vector<double>() : log_gammas(problem, H);
    const auto offsets = query_offsets(problem.spec, problem.tensors);
    DecayCells made{Tensor({B, H, L, S + appended}, 1.0), Tensor({B, H, L, S})};
    const auto factors = made.factor.mutable_values(), logarithms = made.logarithm.mutable_values();
    for (std::int64_t head = 0; head < B * H; ++head)
        for (std::int64_t i = 0; i < L; ++i) {
            control.checkpoint();
            const auto row = head * L + i, p = offsets.of(head / H) + i;
            const auto factor =
                factors.subspan(static_cast<std::size_t>(row * (S + appended)), static_cast<std::size_t>(S));
            std::ranges::fill(factor.subspan(static_cast<std::size_t>(p + 1)), 0.0);
            double sum = 0.0;
            for (auto j = p; j-- > 0;) {
                sum += forgets ? gates[static_cast<std::size_t>(head * S + j + 1)] : 0.0;
                const double logarithm =
                    forgets ? sum : static_cast<double>(p - j) * gammas[static_cast<std::size_t>(head % H)];
                logarithms[static_cast<std::size_t>(row * S + j)] = logarithm;
                factor[static_cast<std::size_t>(j)] = std::exp(logarithm);
            }
        }
    return made;
}

} // namespace attnlab

#include "core/stages/position.h"

#include "core/lookup.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

namespace attnlab {
namespace {

using Values = ParameterValues;
using Context = PositionContext;

constexpr std::string_view rope_styles[] = {"half", "interleaved"};

constexpr Parameter query_offset{.name = "query_offset",
                                 .type = ParameterType::Integer,
                                 .default_text = "0",
                                 .title = ATTNLAB_TEXT("first query at"),
                                 .help = ATTNLAB_TEXT("Where the first query stands; the first key stands at 0. When "
                                                      "decoding: the number of keys in the cache before it"),
                                 .minimum = -farthest_query_offset,
                                 .maximum = farthest_query_offset};

const Parameter alibi_parameters[] = {query_offset};
const Parameter t5_parameters[] = {
    {.name = "bidirectional",
     .type = ParameterType::Boolean,
     .default_text = "true",
     .title = ATTNLAB_TEXT("bidirectional"),
     .help = ATTNLAB_TEXT("Half of the buckets for keys after the query, as in T5's encoder; its decoder has all of "
                          "them for keys before it")},
    {.name = "max_distance",
     .type = ParameterType::Integer,
     .default_text = "128",
     .title = ATTNLAB_TEXT("largest distance"),
     .help = ATTNLAB_TEXT("Keys this far away or farther share the last bucket"),
     .minimum = 2,
     .maximum = 1e9,
     .unit = "keys"},
    query_offset};
const Parameter rope_parameters[] = {
    {.name = "base",
     .type = ParameterType::Real,
     .default_text = "10000",
     .title = ATTNLAB_TEXT("base"),
     .help = ATTNLAB_TEXT("Pair c of E/2 turns by base^(-2c/E) radians a token: the larger, the slower; Llama 3 takes "
                          "500000"),
     .minimum = 0.0,
     .minimum_excluded = true},
    {.name = "style",
     .type = ParameterType::Choice,
     .default_text = "half",
     .title = ATTNLAB_TEXT("pairs"),
     .help = ATTNLAB_TEXT("Which features turn together: half takes c and c + E/2 (GPT-NeoX, Llama), interleaved 2c "
                          "and 2c + 1 (the paper, GPT-J)"),
     .choices = rope_styles},
    query_offset};

const Input offset_inputs[] = {query_offset_input};
const Input t5_inputs[] = {
    query_offset_input,
    {.name = "relative_attention_bias",
     .dims = "num_buckets H",
     .fill = InputFill::Projection,
     .help = ATTNLAB_TEXT("What each query head adds for each bucket of distances; T5 has 32 buckets")}};

/// 2^(-8h/H) for h = 1 .. H where H is a power of two. Otherwise those of the next smaller power of two, then every
/// other one of the next larger.
double alibi_slope(std::int64_t head, std::int64_t heads) {
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    const auto exponent = head < power ? static_cast<double>(head + 1) / static_cast<double>(power)
                                       : static_cast<double>(2 * (head - power) + 1) / static_cast<double>(2 * power);
    return std::exp2(-8.0 * exponent);
}

double alibi_bias(std::int64_t distance, std::int64_t head, const Context& context, const Values&, const TensorMap&) {
    return -alibi_slope(head, context.H) * std::abs(static_cast<double>(distance));
}

const Tensor& t5_array(const TensorMap& tensors) { return tensors.find("relative_attention_bias")->second; }

/// The number of buckets of one direction.
std::int64_t t5_one_way(const Tensor& array, const Values& values) {
    return values.boolean("bidirectional") ? array.dim(0) / 2 : array.dim(0);
}

void check_t5(const Context&, const Values& values, const TensorMap& tensors) {
    const auto& array = t5_array(tensors);
    const auto least = values.boolean("bidirectional") ? 4 : 2;
    if (array.dim(0) < least)
        throw Error({ATTNLAB_TEXT("relative_attention_bias: has %1 buckets, expected at least %2"),
                     {std::to_string(array.dim(0)), std::to_string(least)}});
    const auto exact = t5_one_way(array, values) / 2;
    if (values.integer("max_distance") <= exact)
        throw Error({ATTNLAB_TEXT("t5: parameter max_distance is %1, expected more than the %2 distances that have a "
                                  "bucket each"),
                     {std::to_string(values.integer("max_distance")), std::to_string(exact)}});
    const auto biases = array.values();
    const auto bad = std::find_if(biases.begin(), biases.end(), [](double bias) { return !std::isfinite(bias); });
    if (bad != biases.end())
        throw Error(
            {ATTNLAB_TEXT("relative_attention_bias: has %1 in bucket %2, expected finite numbers"),
             {to_text(*bad), std::to_string((bad - biases.begin()) / std::max<std::int64_t>(1, array.dim(1)))}});
}

double t5_bias(std::int64_t distance, std::int64_t head, const Context&, const Values& values,
               const TensorMap& tensors) {
    const auto& array = t5_array(tensors);
    const auto bucket =
        t5_bucket(distance, array.dim(0), values.integer("max_distance"), values.boolean("bidirectional"));
    return array.at({bucket, head});
}

void require_even(const char* rows, std::int64_t width) {
    if (width % 2 != 0)
        throw Error({ATTNLAB_TEXT("rope: %1 rows have %2 features, expected an even number: they turn in pairs"),
                     {rows, std::to_string(width)}});
}

void check_rope(const Context& context, const Values&, const TensorMap&) {
    require_even("query", context.query_width);
    require_even("key", context.key_width);
}

void rotate_rope(std::span<double> row, std::int64_t position, const Values& values) {
    const bool interleaved = values.choice("style") == "interleaved";
    const double base = values.real("base");
    const auto pairs = row.size() / 2;
    for (std::size_t c = 0; c < pairs; ++c) {
        const double angle =
            static_cast<double>(position) * std::pow(base, -static_cast<double>(c) / static_cast<double>(pairs));
        double& x = row[interleaved ? 2 * c : c];
        double& y = row[interleaved ? 2 * c + 1 : c + pairs];
        const double turned = x * std::cos(angle) - y * std::sin(angle);
        y = x * std::sin(angle) + y * std::cos(angle);
        x = turned;
    }
}

const std::array position_table = {
    PositionTerm{
        .id = "alibi",
        .title = ATTNLAB_TEXT("ALiBi (linear bias)"),
        .rule = "s − m_h |i − j|, m_h = 2^(−8h/H) for H = 1, 2, 4, 8, …",
        .drawn = {R"(s_{ij} - {\color{accent} 2^{-8h/H}}\left| i - j \right|)", "s_ij − 2^(−8h/H) |i − j|"},
        .help = ATTNLAB_TEXT("Lowers a score in proportion to the distance between query and key, steeply in the first "
                             "heads and gently in the last. Nothing is learned, so it also works beyond the trained "
                             "length. With 3, 5, 6, 7, … heads, let p be the next smaller power of two. The first p "
                             "heads have the slopes of p heads. The others have every other slope of 2p heads."),
        .source = "Press, Smith, Lewis: Train Short, Test Long: Attention with Linear Biases Enables Input Length "
                  "Extrapolation (2022)",
        .parameters = alibi_parameters,
        .inputs = offset_inputs,
        .bias = alibi_bias},
    PositionTerm{.id = "t5",
                 .title = ATTNLAB_TEXT("T5 buckets"),
                 .rule = "s + b_h[bucket(j − i)]",
                 .drawn = {R"(s_{ij} + {\color{accent} b_{h,\,\mathrm{bucket}(j - i)}})", "s_ij + b_h,bucket(j − i)"},
                 .help = ATTNLAB_TEXT("Adds a learned number for each distance and head; far distances share one, in "
                                      "buckets that widen with the logarithm."),
                 .source = "Raffel et al.: Exploring the Limits of Transfer Learning with a Unified Text-to-Text "
                           "Transformer (2020)",
                 .parameters = t5_parameters,
                 .inputs = t5_inputs,
                 .check = check_t5,
                 .bias = t5_bias},
    PositionTerm{
        .id = "rope",
        .title = ATTNLAB_TEXT("RoPE (rotary)"),
        .rule = "(R(i) q) · (R(j) k)",
        .drawn = {R"(\left( {\color{accent} R_i}\, q_i \right) \cdot \left( {\color{accent} R_j}\, k_j \right))",
                  "(R_i q_i) · (R_j k_j)"},
        .help = ATTNLAB_TEXT(
            "Turns pairs of features of query and key by angles that grow with the position. A dot "
            "product then depends on the distance alone. Rows that a scale normalises are normalised first."),
        .source = "Su et al.: RoFormer: Enhanced Transformer with Rotary Position Embedding (2021)",
        .parameters = rope_parameters,
        .inputs = offset_inputs,
        .check = check_rope,
        .rotate = rotate_rope},
};

const Parameter* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
    return lookup(parameters, name, &Parameter::name);
}

} // namespace

std::span<const PositionTerm> position_terms() { return position_table; }

const PositionTerm& position_term(std::string_view id) {
    if (const auto* found = lookup(position_table, id))
        return *found;
    throw UnknownName({ATTNLAB_TEXT("position: '%1' is not one of %2"),
                       {std::string(id), listed(position_table, &PositionTerm::id)}});
}

Selection parse_position(std::string_view text) {
    const auto [id, given] = id_and_argument(text);
    const auto& term = position_term(id);
    auto rest = given;
    Selection position{std::string(term.id), {}};
    while (!rest.empty()) {
        const auto argument = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), argument.size() + 1));
        const auto equals = argument.find('=');
        const auto& first = term.parameters.front();
        const auto name = equals == argument.npos ? first.name : argument.substr(0, equals);
        const auto value = equals == argument.npos ? argument : argument.substr(equals + 1);
        if (const auto* declared = find_parameter(term.parameters, name)) {
            position.parameters.set(name, parse_value(*declared, value, term.id));
            continue;
        }
        position.parameters.set(name, std::string(value));
        with_defaults(term.parameters, position.parameters, term.id); // with_defaults throws the message
    }
    return position;
}

Selection effective_position(const AttentionSpec& spec) {
    if (spec.position.id.empty())
        return {};
    const auto& term = position_term(spec.position.id);
    auto given = spec.position.parameters;
    if (spec.query_offset && !given.find(query_offset.name))
        given.set(query_offset.name, *spec.query_offset);
    return {spec.position.id, with_defaults(term.parameters, given, term.id)};
}

QueryOffsets position_offsets(const ResolvedProblem& problem) {
    const auto& values = problem.spec.position.parameters;
    if (values.find(query_offset.name))
        return QueryOffsets(values.integer(query_offset.name));
    return query_offsets(problem.spec, problem.tensors);
}

std::int64_t t5_bucket(std::int64_t distance, std::int64_t buckets, std::int64_t max_distance, bool bidirectional) {
    std::int64_t first = 0;
    if (bidirectional) {
        buckets /= 2;
        first = distance > 0 ? buckets : 0;
        distance = std::abs(distance);
    } else {
        distance = std::max<std::int64_t>(0, -distance);
    }
    const auto exact = buckets / 2;
    if (distance < exact)
        return first + distance;
    // In float32, as in the published models: for a distance at the edge of a bucket the result depends on the
    // rounding.
    const auto ratio = static_cast<float>(distance) / static_cast<float>(exact);
    const auto range = static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(exact)));
    const auto share = std::log(ratio) / range * static_cast<float>(buckets - exact);
    return first + std::min(buckets - 1, exact + static_cast<std::int64_t>(share));
}

void check_position(const ResolvedProblem& problem, const PositionContext& context) {
    const auto& position = problem.spec.position;
    if (position.id.empty())
        return;
    query_offsets(problem.spec, problem.tensors);
    if (const auto check = position_term(position.id).check)
        check(context, position.parameters, problem.tensors);
}

namespace {

/// Its own offset beside another one of the problem is allowed, and seldom meant.
std::optional<Note> note_on_own_offset(const ResolvedProblem& problem) {
    const auto& position = problem.spec.position;
    const auto own = position_offsets(problem), others = query_offsets(problem.spec, problem.tensors);
    if (!problem.spec.query_offset && !others.array())
        return std::nullopt;
    for (std::int64_t b = 0; b < problem.sizes.at("B"); ++b)
        if (own.of(b) != others.of(b))
            return Note{
                Note::Severity::Warning,
                {ATTNLAB_TEXT("%1 has an offset of its own and puts the first query at %2; query_offset puts it "
                              "at %3"),
                 {position.id, std::to_string(own.of(b)), std::to_string(others.of(b))}}};
    return std::nullopt;
}

} // namespace

std::optional<Note> note_on_position(const ResolvedProblem& problem) {
    const auto& position = problem.spec.position;
    const auto L = problem.sizes.at("L"), S = problem.sizes.at("S");
    if (position.id.empty() || L == 0 || S == 0)
        return std::nullopt;
    if (auto note = note_on_own_offset(problem))
        return note;
    const auto offsets = position_offsets(problem);
    if (L == S || problem.spec.query_offset || offsets.array() || offsets.common() != 0)
        return std::nullopt;
    if (L > S)
        return Note{Note::Severity::Info,
                    {ATTNLAB_TEXT("%1 puts the first query where the first key stands. With L = %2 and S = %3 the last "
                                  "%4 queries stand after every key"),
                     {position.id, std::to_string(L), std::to_string(S), std::to_string(L - S)}}};
    return Note{
        Note::Severity::Warning,
        {ATTNLAB_TEXT("%1 puts the first query where the first key stands. With L = %2 and S = %3 the last %4 keys "
                      "stand after every query. When decoding, %5 lines up the last query with the last key"),
         {position.id, std::to_string(L), std::to_string(S), std::to_string(S - L),
          "query_offset=" + std::to_string(S - L)}}};
}

Tensor position_bias(const ResolvedProblem& problem, const PositionContext& context) {
    const auto& position = problem.spec.position;
    const auto bias = position.id.empty() ? nullptr : position_term(position.id).bias;
    if (!bias)
        return {};
    check_position(problem, context);
    Tensor spread({context.B, context.H, context.L, context.S});
    if (spread.size() == 0)
        return spread;
    const auto offsets = position_offsets(problem);
    const auto cells = spread.mutable_values();
    const auto L = static_cast<std::size_t>(context.L), S = static_cast<std::size_t>(context.S);
    const auto heads = static_cast<std::size_t>(context.H) * L * S;
    for (std::int64_t b = 0; b < context.B; ++b) {
        double* sequence = cells.data() + static_cast<std::size_t>(b) * heads;
        if (b > 0 && offsets.of(b) == offsets.of(b - 1)) {
            std::copy_n(sequence - heads, heads, sequence);
            continue;
        }
        for (std::int64_t h = 0; h < context.H; ++h) {
            // The bias depends on the distance alone. `line` holds it for all distances; the last query reads S
            // elements from index 0, the query before it from index 1, and so on.
            std::vector<double> line;
            for (auto distance = 1 - context.L - offsets.of(b); distance < context.S - offsets.of(b); ++distance)
                line.push_back(bias(distance, h, context, position.parameters, problem.tensors));
            for (std::size_t i = 0; i < L; ++i)
                std::copy_n(line.data() + (L - 1 - i), S, sequence + (static_cast<std::size_t>(h) * L + i) * S);
        }
    }
    return spread;
}

Tensor rotated_rows(const Tensor& rows, const Selection& position, const QueryOffsets& first, std::int64_t appended) {
    const auto& term = position_term(position.id);
    const auto count = rows.dim(-2), width = rows.dim(-1);
    Tensor result = rows;
    if (result.size() == 0)
        return result;
    const auto values = result.mutable_values();
    const auto all = static_cast<std::int64_t>(values.size()) / width;
    const auto rows_of_sequence = rows.rank() == 4 ? rows.dim(1) * count : all;
    for (std::int64_t row = 0; row < all; ++row)
        if (const auto n = row % count; n < count - appended)
            term.rotate(values.subspan(static_cast<std::size_t>(row * width), static_cast<std::size_t>(width)),
                        first.of(row / rows_of_sequence) + n, position.parameters);
    return result;
}

} // namespace attnlab

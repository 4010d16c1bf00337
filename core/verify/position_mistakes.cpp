// Implements the mistakes of attempts.h about positions.
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/score.h"
#include "core/verify/attempts.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attnlab::verify {
namespace {

const Selection& position_of(const Case& c) { return c.problem.spec.position; }

bool can_rotate(const Case& c) {
    return c.form && !position_of(c).id.empty() && position_term(position_of(c).id).rotate;
}

bool can_bias(const Case& c) {
    return c.form && !position_of(c).id.empty() && position_term(position_of(c).id).bias && c.find("scaled");
}

bool is_alibi(const Case& c) { return can_bias(c) && position_of(c).id == "alibi"; }

QueryOffsets offsets_of(const Case& c) { return position_offsets(resolve(c.problem)); }

/// The offsets of all sequences, `by` tokens later.
QueryOffsets later_by(const Case& c, std::int64_t by) {
    const auto offsets = offsets_of(c);
    if (const auto common = offsets.common())
        return *common + by;
    Tensor later({c.B}, 0.0, DType::Int64);
    for (std::int64_t b = 0; b < c.B; ++b)
        later.set({b}, static_cast<double>(offsets.of(b) + by));
    return QueryOffsets(std::move(later));
}

/// "3", or "3, 5, 5" where sequences differ.
std::string text_of(const Case& c, const QueryOffsets& offsets) {
    if (const auto common = offsets.common())
        return std::to_string(*common);
    constexpr std::int64_t most = 4;
    std::string text;
    for (std::int64_t b = 0; b < std::min(most, c.B); ++b)
        text += (b > 0 ? ", " : "") + std::to_string(offsets.of(b));
    return text + (c.B > most ? ", …" : "");
}

/// The stages that follow from scores of rows that `change` has turned.
template <class Change>
Attempt turned(const Case& c, Argument detail, Change change) {
    return {std::move(detail), [&c, change](std::string_view stage) {
                const auto& scale = c.problem.spec.scale;
                auto rows = prepared_rows(scale_mode(scale.id), *c.find("query"), *c.find("key"), c.problem.tensors);
                change(rows);
                return c.stage_of(c.from_scores(all_scores(dot_product(), rows.query, rows.key, c.control)), stage);
            }};
}

/// `bias` is a function of the distance of a key after its query, and the query head.
template <class Bias>
Attempt biased(const Case& c, Argument detail, const QueryOffsets& offsets, Bias bias) {
    return {std::move(detail), [&c, offsets, bias](std::string_view stage) {
                Tensor cells({c.B, c.H, c.L, c.S});
                for (std::int64_t b = 0; b < c.B; ++b)
                    for (std::int64_t h = 0; h < c.H; ++h)
                        for (std::int64_t i = 0; i < c.L; ++i)
                            for (std::int64_t j = 0; j < c.S; ++j)
                                cells.set({b, h, i, j}, bias(j - i - offsets.of(b), h));
                return c.stage_of(c.from_scaled(*c.find("scaled"), cells), stage);
            }};
}

template <class Bias>
Attempt biased(const Case& c, Argument detail, Bias bias) {
    return biased(c, std::move(detail), offsets_of(c), bias);
}

/// The bias of the mechanism itself.
double right_bias(const Case& c, std::int64_t distance, std::int64_t head) {
    const PositionContext sizes{c.B, c.H, c.L, c.S, c.find("query")->dim(-1), c.find("key")->dim(-1)};
    return position_term(position_of(c).id).bias(distance, head, sizes, position_of(c).parameters, c.problem.tensors);
}

/// Queries at other positions.
Attempt moved(const Case& c, const QueryOffsets& offsets) {
    Argument detail = text_of(c, offsets);
    if (can_rotate(c))
        return turned(c, std::move(detail), [&c, offsets](PreparedRows& rows) {
            rows.query = rotated_rows(rows.query, position_of(c), offsets);
            rows.key = rotated_rows(rows.key, position_of(c), 0);
        });
    return biased(c, std::move(detail), offsets,
                  [&c](std::int64_t distance, std::int64_t head) { return right_bias(c, distance, head); });
}

bool has_position(const Case& c) { return can_rotate(c) || can_bias(c); }

Attempts not_shifted(const Case& c, const Tensor&) {
    if (!has_position(c))
        return {};
    Attempts attempts;
    const auto now = offsets_of(c).common();
    if (now != 0 && now != 1) // from 1 it is off by one
        attempts.push_back(moved(c, 0));
    if (const auto last = c.S - c.L; last > 0 && (!now || std::abs(last - *now) > 1))
        attempts.push_back(moved(c, last));
    return attempts;
}

Attempts one_off(const Case& c, const Tensor&) {
    if (!has_position(c))
        return {};
    Attempts attempts;
    for (const std::int64_t by : {-1, 1})
        attempts.push_back(moved(c, later_by(c, by)));
    return attempts;
}

Attempts other_style(const Case& c, const Tensor&) {
    if (!can_rotate(c))
        return {};
    auto problem = c.problem;
    const std::string other = position_of(c).parameters.choice("style") == "half" ? "interleaved" : "half";
    problem.spec.position.parameters.set("style", other);
    return {{other, std::move(problem)}};
}

/// The bases of published models.
Attempts other_base(const Case& c, const Tensor&) {
    if (!can_rotate(c))
        return {};
    Attempts attempts;
    for (const double base : {1e3, 1e4, 1e5, 1.5e5, 1.6e5, 2.5e5, 5e5, 1e6, 5e6, 1e7}) {
        if (base == position_of(c).parameters.real("base"))
            continue;
        auto problem = c.problem;
        problem.spec.position.parameters.set("base", base);
        attempts.push_back({to_text(base), std::move(problem)});
    }
    return attempts;
}

Attempts other_way(const Case& c, const Tensor&) {
    if (can_rotate(c))
        return {turned(c, {}, [&c](PreparedRows& rows) {
            // R(-i) q . R(-j) k: exchanging the positions negates the distance
            const auto flipped = [&](const Tensor& of, const QueryOffsets& first) {
                auto result = of;
                const auto width = static_cast<std::size_t>(of.dim(-1));
                const auto rows_of_sequence = of.dim(1) * of.dim(-2);
                const auto values = result.mutable_values();
                for (std::size_t row = 0; width > 0 && row < values.size() / width; ++row) {
                    const auto at = static_cast<std::int64_t>(row);
                    position_term(position_of(c).id)
                        .rotate(values.subspan(row * width, width),
                                -(first.of(at / rows_of_sequence) + at % of.dim(-2)), position_of(c).parameters);
                }
                return result;
            };
            rows.query = flipped(rows.query, offsets_of(c));
            rows.key = flipped(rows.key, 0);
        })};
    if (can_bias(c) && !is_alibi(c))
        return {
            biased(c, {}, [&c](std::int64_t distance, std::int64_t head) { return right_bias(c, -distance, head); })};
    return {};
}

Attempts one_side(const Case& c, const Tensor&) {
    if (!can_rotate(c))
        return {};
    return {turned(c, Message(ATTNLAB_TEXT("keys")),
                   [&c](PreparedRows& rows) { rows.key = rotated_rows(rows.key, position_of(c), 0); }),
            turned(c, Message(ATTNLAB_TEXT("queries")),
                   [&c](PreparedRows& rows) { rows.query = rotated_rows(rows.query, position_of(c), offsets_of(c)); })};
}

/// `slope` is a function of the head, from 0.
template <class Slope>
Attempt sloped(const Case& c, const char* rule, Slope slope) {
    return biased(c, rule, [slope](std::int64_t distance, std::int64_t head) {
        return -slope(head) * std::abs(static_cast<double>(distance));
    });
}

Attempts other_slopes(const Case& c, const Tensor&) {
    if (!is_alibi(c))
        return {};
    const auto H = static_cast<double>(c.H);
    const auto heads = [](std::int64_t head) { return static_cast<double>(head); };
    const auto power = std::exp2(std::ceil(std::log2(H)));
    Attempts attempts;
    attempts.push_back(sloped(c, "2^(−8h/H), h = 0, 1, …", [=](auto h) { return std::exp2(-8.0 * heads(h) / H); }));
    if (power != H) { // with a power of two these are right
        attempts.push_back(
            sloped(c, "2^(−8h/H), h = 1, 2, …", [=](auto h) { return std::exp2(-8.0 * (heads(h) + 1.0) / H); }));
        attempts.push_back(sloped(c, "2^(−8h/P), h = 1, 2, …, P = 2^⌈log2 H⌉",
                                  [=](auto h) { return std::exp2(-8.0 * (heads(h) + 1.0) / power); }));
    }
    if (H != 8.0) {
        attempts.push_back(sloped(c, "2^(−h), h = 1, 2, …", [=](auto h) { return std::exp2(-heads(h) - 1.0); }));
        attempts.push_back(sloped(c, "2^(−h), h = 0, 1, …", [=](auto h) { return std::exp2(-heads(h)); }));
    }
    attempts.push_back(sloped(c, "2^(−h/H), h = 1, 2, …", [=](auto h) { return std::exp2(-(heads(h) + 1.0) / H); }));
    attempts.push_back(sloped(c, "1/h, h = 1, 2, …", [=](auto h) { return 1.0 / (heads(h) + 1.0); }));
    if (c.H > 1) {
        attempts.push_back(biased(c, "m_(H−h+1)", [&c](std::int64_t distance, std::int64_t head) {
            return right_bias(c, distance, c.H - 1 - head);
        }));
        attempts.push_back(
            biased(c, "m_1", [&c](std::int64_t distance, std::int64_t) { return right_bias(c, distance, 0); }));
    }
    return attempts;
}

Attempts alibi_added(const Case& c, const Tensor&) {
    if (!is_alibi(c))
        return {};
    return {biased(c, {}, [&c](std::int64_t distance, std::int64_t head) { return -right_bias(c, distance, head); })};
}

/// m (j - i): keys after the query are raised.
Attempts alibi_signed(const Case& c, const Tensor&) {
    if (!is_alibi(c))
        return {};
    return {biased(c, {}, [&c](std::int64_t distance, std::int64_t head) {
        return distance > 0 ? -right_bias(c, distance, head) : right_bias(c, distance, head);
    })};
}

Attempts before_scale(const Case& c, const Tensor&) {
    if (!can_bias(c) || !c.find("scores") || !c.find("position_bias"))
        return {};
    return {{{}, [&c](std::string_view stage) {
                 auto scores = *c.find("scores");
                 const auto values = scores.mutable_values();
                 for (std::size_t k = 0; k < values.size(); ++k)
                     values[k] += c.find("position_bias")->values()[k];
                 return c.stage_of(c.from_scaled(c.scaled(scores), Tensor()), stage);
             }}};
}

const MistakeRow position_rows[] = {
    {{"position_not_shifted", ATTNLAB_TEXT("the first query stands at the wrong position: at %1")}, not_shifted},
    {{"position_off_by_one", ATTNLAB_TEXT("positions are off by one: the first query stands at %1")}, one_off},
    {{"rope_style", ATTNLAB_TEXT("features turn in the other pairs: %1")}, other_style},
    {{"rope_base", ATTNLAB_TEXT("the angles have another base: %1")}, other_base},
    {{"position_reversed", ATTNLAB_TEXT("the sign of the distance is wrong")}, other_way},
    {{"rope_one_side", ATTNLAB_TEXT("only the %1 are turned by their positions")}, one_side},
    {{"alibi_slopes", ATTNLAB_TEXT("ALiBi has the wrong slopes: %1")}, other_slopes},
    {{"alibi_added", ATTNLAB_TEXT("the sign of ALiBi is wrong: far keys are raised")}, alibi_added},
    {{"alibi_signed", ATTNLAB_TEXT("ALiBi takes the distance with its sign: keys after the query are raised")},
     alibi_signed},
    {{"bias_before_scale", ATTNLAB_TEXT("the position bias is added before the scale")}, before_scale},
};

} // namespace

std::span<const MistakeRow> position_mistakes() { return position_rows; }

} // namespace attnlab::verify

#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/independent.h"
#include "tests/core/row_texts.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using independent::Heads;
using independent::Sizes;

namespace {

/// Every scale with the default and another value of its parameter, and values with which it acts in another way.
std::vector<std::string> all_scales() {
    auto texts = texts_of(scale_modes());
    texts.insert(texts.end(), {"custom:-0.31", "pre_norm:0.1", "log_n:3", "softcap:0.6", "qk_norm:-2.5"});
    return texts;
}

/// Every mechanism of one exact pass, and the one that takes it in tiles.
std::vector<std::string> all_variants() {
    std::vector<std::string> ids{"flash"};
    for (const auto& mechanism : mechanisms())
        if (is_one_pass(mechanism))
            ids.emplace_back(mechanism.id);
    return ids;
}

const char* const positions[] = {"alibi",
                                 "alibi:4",
                                 "t5:max_distance=10",
                                 "t5:bidirectional=false,max_distance=10,query_offset=2",
                                 "rope",
                                 "rope:base=37,query_offset=3",
                                 "rope:style=interleaved"};

struct MaskCase {
    const char* name;
    std::vector<const char*> masks;
    double fill = -infinity;
    MaskFill::Mode mode = MaskFill::Mode::Replace;
    MaskTrue meaning = MaskTrue::Blocks;
    const char* form = "L S"; ///< the shape of arrays of cells; "L": valid lengths for each query
    std::optional<std::int64_t> offset = std::nullopt; ///< of all queries
    bool offsets = false;                              ///< an offset for each sequence
    std::optional<KeyGrid> image = std::nullopt;       ///< has as many patches as queries and keys
    const char* combine = "";                          ///< AttentionSpec::mask_combine
    const char* score_mod = "";                        ///< AttentionSpec::score_mod
};

/// Masks that are not here are added alone.
const std::vector<MaskCase> some_mask_cases = {
    {.name = "no mask", .masks = {}},
    {.name = "causal", .masks = {"causal"}},
    {.name = "bottom right", .masks = {"causal:bottom_right"}},
    {.name = "window of 0", .masks = {"window:0"}},
    {.name = "window of 3", .masks = {"window:3"}},
    {.name = "prefix", .masks = {"prefix:2"}},
    {.name = "window of two reaches", .masks = {"window:2,1"}},
    {.name = "window without end", .masks = {"window:inf,0"}},
    {.name = "causal after 3 keys", .masks = {"causal"}, .offset = 3},
    {.name = "window and prefix before the keys", .masks = {"window:4,0", "prefix:1"}, .offset = -2},
    {.name = "causal at several places", .masks = {"causal"}, .offsets = true},
    {.name = "window and prefix at several places", .masks = {"window:4", "prefix:2"}, .offsets = true},
    {.name = "dilated", .masks = {"dilated:4,2"}},
    {.name = "dilated before the keys", .masks = {"dilated:5,3"}, .offset = -4},
    {.name = "dilated at several places", .masks = {"dilated:2,2"}, .offsets = true},
    {.name = "causal in chunks", .masks = {"chunked:3", "causal"}},
    {.name = "chunks at several places", .masks = {"chunked:2"}, .offsets = true},
    {.name = "causal blocks", .masks = {"block_causal:3"}, .offset = -1},
    {.name = "causal blocks at several places", .masks = {"block_causal:2"}, .offsets = true},
    {.name = "documents", .masks = {"documents"}},
    {.name = "documents of queries", .masks = {"documents"}, .form = "L"},
    {.name = "documents at several places", .masks = {"documents"}, .offsets = true},
    {.name = "tree", .masks = {"tree"}},
    {.name = "tree after 2 keys", .masks = {"tree"}, .offset = 2},
    {.name = "trees at several places", .masks = {"tree"}, .form = "L", .offsets = true},
    {.name = "neighborhood", .masks = {"neighborhood:3"}, .image = KeyGrid{3, 4}},
    {.name = "neighborhood, clipped", .masks = {"neighborhood:5,clip"}, .image = KeyGrid{4, 3}},
    {.name = "neighborhood beyond an image", .masks = {"neighborhood:3"}, .image = KeyGrid{2, 5}},
    {.name = "expression of the head", .masks = {"expression:k < 1 | (q - k) % 3 == 0 & h < 1"}},
    {.name = "expression of the batch", .masks = {"expression:not (k // 4 == b or 2 ** (q % 5) > k + 1)"}},
    {.name = "expression of a band", .masks = {"expression:abs(q - k) <= 2 and k - q < 2"}},
    {.name = "any of three masks", .masks = {"window:2", "prefix:1", "attn_mask"}, .combine = "or"},
    {.name = "score_mod", .masks = {"causal"}, .score_mod = "where(k % 3 == 1, -inf, 2 * tanh(score / 2) + h)"},
    {.name = "score_mod and bias", .masks = {"attn_bias"}, .score_mod = "score - 0.25 * abs(q - k)"},
    {.name = "valid_lens", .masks = {"valid_lens"}},
    {.name = "valid_lens per query", .masks = {"valid_lens"}, .form = "L"},
    {.name = "key padding", .masks = {"key_padding"}},
    {.name = "attn_mask", .masks = {"attn_mask"}},
    {.name = "attn_mask per head, True keeps", .masks = {"attn_mask"}, .meaning = MaskTrue::Keeps, .form = "B*H L S"},
    {.name = "attn_mask (B,H,L,S)", .masks = {"attn_mask"}, .form = "B H L S"},
    {.name = "attn_bias (1,H,L,S)", .masks = {"attn_bias"}, .form = "1 H L S"},
    {.name = "attn_bias (B,1,L,S) and causal", .masks = {"causal", "attn_bias"}, .form = "B 1 L S"},
    {.name = "painted (1,1,L,S)", .masks = {"painted"}, .form = "1 1 L S"},
    {.name = "replaced -1e6", .masks = {"attn_mask", "key_padding"}, .fill = -1e6},
    {.name = "added -1e4", .masks = {"causal", "valid_lens"}, .fill = -1e4, .mode = MaskFill::Mode::Add},
    {.name = "all",
     .masks = {"causal", "window:4", "prefix:1", "documents", "valid_lens", "key_padding", "attn_mask", "attn_bias",
               "painted"}},
};

std::vector<MaskCase> with_other_masks() {
    auto cases = some_mask_cases;
    for (const auto& kind : mask_kinds()) {
        const auto has_kind = [&](const MaskCase& one) {
            return one.masks.size() == 1 && parse_mask(one.masks.front()).id == kind.id;
        };
        if (std::ranges::none_of(cases, has_kind))
            cases.push_back({.name = kind.id.data(), .masks = {kind.id.data()}});
    }
    return cases;
}

const std::vector<MaskCase>& mask_cases() {
    static const auto cases = with_other_masks();
    return cases;
}

const std::vector<Sizes> shapes = {
    {1, 1, 1, 1, 1, 1, 1}, {2, 4, 2, 5, 7, 3, 5}, {1, 6, 3, 13, 2, 8, 1}, {3, 2, 1, 1, 9, 4, 4}, {2, 3, 3, 7, 7, 5, 2}};

/// The sizes adapted to a mechanism: one head, as many key heads as heads, keys that are the queries' tokens.
Sizes fitted(std::string_view id, Sizes n) {
    if (id == "self" || id == "causal" || id == "cross")
        n.H = n.Hkv = 1;
    if (id == "self" || id == "causal")
        n.S = n.L;
    if (id == "multi_head")
        n.Hkv = n.H;
    if (id == "multi_query")
        n.Hkv = 1;
    return n;
}

Tensor booleans(Shape shape, std::uint64_t seed) {
    Tensor tensor = random_uniform(std::move(shape), seed, 0.0, 1.0).with_dtype(DType::Bool);
    for (double& value : tensor.mutable_values())
        value = value < 0.4;
    return tensor;
}

Shape shape_of(const std::string& form, const Sizes& n) {
    if (form == "B*H L S")
        return {n.B * n.H, n.L, n.S};
    if (form == "B H L S")
        return {n.B, n.H, n.L, n.S};
    if (form == "1 H L S")
        return {1, n.H, n.L, n.S};
    if (form == "B 1 L S")
        return {n.B, 1, n.L, n.S};
    if (form == "1 1 L S")
        return {1, 1, n.L, n.S};
    return {n.L, n.S};
}

/// Whole numbers from `least` up to `most`.
Tensor whole_numbers(Shape shape, std::uint64_t seed, double least, double most) {
    Tensor tensor = random_uniform(std::move(shape), seed, least, most + 0.99).with_dtype(DType::Int64);
    for (double& value : tensor.mutable_values())
        value = std::floor(value);
    return tensor;
}

/// A tree for each row.
Tensor random_parents(Shape shape, std::uint64_t seed) {
    Tensor parents = random_uniform(shape, seed, 0.0, 1.0).with_dtype(DType::Int64);
    const auto values = parents.mutable_values();
    for (std::size_t k = 0; k < values.size(); ++k)
        values[k] = std::floor(values[k] * (static_cast<double>(k % static_cast<std::size_t>(shape.back())) + 1)) - 1;
    return parents;
}

void add_masks(AttentionProblem& problem, const MaskCase& mask, const Sizes& n) {
    problem.spec.mask_fill = {mask.fill, mask.mode};
    problem.spec.mask_true = mask.meaning;
    for (const char* text : mask.masks)
        problem.spec.masks.push_back(parse_mask(text));
    problem.spec.query_offset = mask.offset;
    problem.spec.mask_combine = mask.combine;
    problem.spec.score_mod = mask.score_mod;
    if (mask.offsets) {
        Tensor offsets({n.B}, 0.0, DType::Int64);
        for (std::int64_t b = 0; b < n.B; ++b)
            offsets.set({b}, static_cast<double>(2 - 3 * b));
        problem.tensors.emplace("query_offset", offsets);
    }
    const std::string form = mask.form;
    Tensor lens = random_uniform(form == "L" ? Shape{n.B, n.L} : Shape{n.B}, 90, 0.0, static_cast<double>(n.S) + 0.99);
    for (double& length : lens.mutable_values())
        length = std::floor(length);
    Tensor bias = random_normal(shape_of(form, n), 91);
    bias.mutable_values()[0] = -infinity;
    problem.tensors.insert({{"valid_lens", lens},
                            {"key_padding_mask", booleans({n.B, n.S}, 92)},
                            {"attn_mask", booleans(shape_of(form, n), 93)},
                            {"attn_bias", bias},
                            {"painted_mask", booleans(shape_of(form, n), 94)},
                            {"segment_ids", whole_numbers({n.B, n.S}, 98, -1.0, 1.0)},
                            {"parents", random_parents(form == "L" ? Shape{n.B, n.L} : Shape{n.L}, 99)}});
    if (form == "L")
        problem.tensors.emplace("query_segment_ids", whole_numbers({n.B, n.L}, 100, -1.0, 1.0));
    problem.key_grid = mask.image;
}

/// The arrays that qk_norm reads besides the rows.
void add_gains(AttentionProblem& problem, const Heads& heads) {
    problem.tensors.emplace("query_gain", random_normal({heads.n.E}, 95, 1.0, 0.5));
    problem.tensors.emplace("key_gain", random_normal({heads.key_width}, 96, 1.0, 0.5));
}

std::vector<independent::Real> reals(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

/// The mechanisms that differ in their score function, one cell at a time from the given arrays.
Heads make_score_inputs(AttentionProblem& problem, const Sizes& n) {
    using independent::Real;
    const auto id = problem.spec.variant;
    const bool own_width = find_input(mechanism_of(id).inputs, "key")->dims.find("Ek") != std::string_view::npos;
    const std::int64_t E = n.E, Ek = own_width ? E + 2 : E, hidden = 5;
    auto& tensors = problem.tensors;
    tensors = dot_problem(n.B, n.H, n.Hkv, n.L, n.S, E, n.Ev).tensors;
    tensors.at("key") = random_normal({n.B, n.Hkv, n.S, Ek}, 21);
    Heads heads{n, reals(tensors.at("query")), reals(tensors.at("key")), reals(tensors.at("value"))};
    heads.key_width = Ek;
    const auto add = [&](const char* name, Shape shape, std::uint64_t seed) {
        return reals(tensors.emplace(name, random_normal(std::move(shape), seed)).first->second);
    };
    // v . tanh of `inner` of each hidden unit.
    const auto over_hidden = [](const std::vector<Real>& v, auto inner) {
        return [v, inner](const Real* q, const Real* k) {
            Real sum = 0;
            for (std::size_t c = 0; c < v.size(); ++c)
                sum += v[c] * std::tanh(inner(q, k, static_cast<std::int64_t>(c)));
            return sum;
        };
    };
    const auto at = [](const std::vector<Real>& values, std::int64_t index) {
        return values[static_cast<std::size_t>(index)];
    };
    if (id == "bilinear") {
        heads.score = [=, w = add("bilinear_w", {E, Ek}, 22)](const Real* q, const Real* k) {
            Real sum = 0;
            for (std::int64_t c = 0; c < E; ++c)
                for (std::int64_t d = 0; d < Ek; ++d)
                    sum += q[c] * at(w, c * Ek + d) * k[d];
            return sum;
        };
    } else if (id == "additive") {
        const auto w_q = add("additive_w_q", {E, hidden}, 23), w_k = add("additive_w_k", {Ek, hidden}, 24);
        const auto v = add("additive_v", {hidden}, 25);
        const auto b = n.H > 1 ? add("additive_b", {hidden}, 26) : std::vector<Real>(5, 0);
        heads.score = over_hidden(v, [=](const Real* q, const Real* k, std::int64_t c) {
            Real sum = at(b, c);
            for (std::int64_t e = 0; e < E; ++e)
                sum += q[e] * at(w_q, e * hidden + c);
            for (std::int64_t e = 0; e < Ek; ++e)
                sum += k[e] * at(w_k, e * hidden + c);
            return sum;
        });
    } else if (id == "concat") {
        const bool tanh = n.H > 1;
        const auto w = tanh ? add("concat_w", {hidden, E + Ek}, 27) : add("concat_w", {E + Ek}, 27);
        const auto read = [=](const Real* q, const Real* k, std::int64_t c) {
            Real sum = 0;
            for (std::int64_t e = 0; e < E + Ek; ++e)
                sum += at(w, c * (E + Ek) + e) * (e < E ? q[e] : k[e - E]);
            return sum;
        };
        if (tanh)
            heads.score = over_hidden(add("concat_v", {hidden}, 28), read);
        else
            heads.score = [read](const Real* q, const Real* k) { return read(q, k, 0); };
    } else if (id == "vector_sum") {
        heads.score = [=, w = add("sum_w", {E}, 29)](const Real* q, const Real* k) {
            Real sum = 0;
            for (std::int64_t e = 0; e < E; ++e)
                sum += at(w, e) * (q[e] + k[e]);
            return sum;
        };
    } else if (id == "gaussian_kernel") {
        problem.spec.parameters.set("sigma", 1.7);
        heads.score = [E](const Real* q, const Real* k) {
            Real sum = 0;
            for (std::int64_t e = 0; e < E; ++e)
                sum += (q[e] - k[e]) * (q[e] - k[e]);
            return -sum / (2 * Real{1.7} * Real{1.7});
        };
    } else {
        throw std::logic_error(id + " has no independent score yet");
    }
    return heads;
}

bool by_score(std::string_view id) { return std::string_view(mechanism_of(id).family) == "By score function"; }

/// Fills in the inputs and returns the queries, keys and values made from them.
Heads make_inputs(AttentionProblem& problem, const Sizes& n) {
    auto& tensors = problem.tensors;
    if (problem.spec.variant == "scaled_dot_product" || problem.spec.variant == "flash") {
        tensors = dot_problem(n.B, n.H, n.Hkv, n.L, n.S, n.E, n.Ev).tensors;
        return {n, reals(tensors.at("query")), reals(tensors.at("key")), reals(tensors.at("value"))};
    }
    if (by_score(problem.spec.variant))
        return make_score_inputs(problem, n);
    const bool single = problem.spec.variant == "self" || problem.spec.variant == "causal";
    const bool biased = n.H > 1;
    const std::int64_t D = 5, D2 = single || n.L == n.S ? D : 6;
    tensors = {{"x", random_normal({n.B, n.L, D}, 11)},
               {"w_q", random_normal({D, n.H * n.E}, 12, 0.0, 0.6)},
               {"w_k", random_normal({D2, n.Hkv * n.E}, 13, 0.0, 0.6)},
               {"w_v", random_normal({D2, n.Hkv * n.Ev}, 14)}};
    if (!single && (D2 != D || problem.spec.variant == "cross"))
        tensors.emplace("context", random_normal({n.B, n.S, D2}, 15));
    if (biased) {
        tensors.emplace("b_q", random_normal({n.H * n.E}, 16));
        tensors.emplace("b_k", random_normal({n.Hkv * n.E}, 17));
        tensors.emplace("b_v", random_normal({n.Hkv * n.Ev}, 18));
    }
    const auto find = [&](const char* name) { return tensors.contains(name) ? &tensors.at(name) : nullptr; };
    const Tensor& keys = find("context") ? tensors.at("context") : tensors.at("x");
    if (problem.spec.variant.starts_with("multi") || problem.spec.variant == "grouped_query")
        problem.spec.parameters.set("num_heads", n.H);
    if (problem.spec.variant == "grouped_query")
        problem.spec.parameters.set("num_kv_heads", n.Hkv);
    return {n, independent::projected(tensors.at("x"), tensors.at("w_q"), find("b_q"), n.H),
            independent::projected(keys, tensors.at("w_k"), find("b_k"), n.Hkv),
            independent::projected(keys, tensors.at("w_v"), find("b_v"), n.Hkv)};
}

Tensor tensor_of(Shape shape, const std::vector<independent::Real>& values) {
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()));
}

/// Describes the first difference between the engine and the second implementation; empty if there is none.
QString disagreement(const AttentionProblem& problem, const Heads& heads, const std::string& scale) {
    constexpr double tolerance = 1e-10;
    auto expected_problem = problem;
    if (problem.spec.variant == "causal" && problem.spec.mask_combine.empty()) // kept_by_masks() has it otherwise
        expected_problem.spec.masks.push_back(Selection{"causal", {}});
    const auto& n = heads.n;
    const auto expected = independent::attention(expected_problem, heads, scale);
    const auto trace = run(problem);
    const auto* output = trace.find("head_output") ? "head_output" : "output";
    for (const auto& [name, tensor] : {std::pair{"weights", tensor_of({n.B, n.H, n.L, n.S}, expected.weights)},
                                       {"lse", tensor_of({n.B, n.H, n.L}, expected.lse)},
                                       {output, tensor_of({n.B, n.H, n.L, n.Ev}, expected.output)}})
        if (const auto wrong = difference(stage(trace, name), tensor, tolerance); !wrong.isEmpty())
            return QString::fromStdString(std::string(name) + " of " +
                                          to_string({n.B, n.H, n.Hkv, n.L, n.S, n.E, n.Ev}) + ": ") +
                   wrong;
    return {};
}

} // namespace

/// Mechanism x mask x scale over awkward shapes, compared with a second implementation.
class SweepTest : public QObject {
    Q_OBJECT
private slots:
    void agrees_data();
    void agrees();
    void agrees_with_positions_data();
    void agrees_with_positions();
};

void SweepTest::agrees_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<int>("mask");
    QTest::addColumn<QString>("scale");
    for (const auto& id : all_variants())
        for (std::size_t mask = 0; mask < mask_cases().size(); ++mask)
            for (const auto& scale : all_scales())
                QTest::addRow("%s, %s, %s", id.c_str(), mask_cases()[mask].name, scale.c_str())
                    << QString::fromStdString(id) << int(mask) << QString::fromStdString(scale);
}

void SweepTest::agrees() {
    QFETCH(QString, variant);
    QFETCH(int, mask);
    QFETCH(QString, scale);
    for (const auto& shape : shapes) {
        const auto& masks = mask_cases()[static_cast<std::size_t>(mask)];
        if (*masks.score_mod && !mechanism_of(variant.toStdString()).exact_rows)
            continue; // refuses it
        auto n = fitted(variant.toStdString(), shape);
        if (masks.image)
            n.L = n.S = masks.image->rows * masks.image->columns;
        AttentionProblem problem;
        problem.spec.variant = variant.toStdString();
        problem.spec.scale = parse_scale(scale.toStdString());
        const auto heads = make_inputs(problem, n);
        if (n.H > 1)
            add_gains(problem, heads);
        add_masks(problem, masks, n);
        const auto wrong = disagreement(problem, heads, scale.toStdString());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
}

void SweepTest::agrees_with_positions_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QString>("position");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("scale");
    for (const auto& id : all_variants())
        for (const char* position : positions)
            for (const char* mask : {"no mask", "bottom right", "attn_bias (1,H,L,S)", "added -1e4"})
                for (const char* scale : {"sqrt_dk", "score_norm:row", "softcap:2", "pre_norm:0.1", "qk_norm"})
                    QTest::addRow("%s, %s, %s, %s", id.c_str(), position, mask, scale)
                        << QString::fromStdString(id) << position << mask << scale;
}

void SweepTest::agrees_with_positions() {
    QFETCH(QString, variant);
    QFETCH(QString, position);
    QFETCH(QString, mask);
    QFETCH(QString, scale);
    const auto& masks =
        *std::find_if(mask_cases().begin(), mask_cases().end(), [&](const MaskCase& m) { return m.name == mask; });
    for (const auto& shape : shapes) {
        auto n = fitted(variant.toStdString(), shape);
        n.E += n.E % 2;
        AttentionProblem problem;
        problem.spec.variant = variant.toStdString();
        problem.spec.scale = parse_scale(scale.toStdString());
        problem.spec.position = parse_position(position.toStdString());
        const auto heads = make_inputs(problem, n);
        add_gains(problem, heads);
        problem.tensors.emplace("relative_attention_bias", random_normal({8, n.H}, 97));
        add_masks(problem, masks, n);
        const auto wrong = disagreement(problem, heads, scale.toStdString());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
}

ATTNLAB_TEST(SweepTest)
#include "test_sweep.moc"

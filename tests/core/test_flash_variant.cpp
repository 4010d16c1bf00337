#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

using Sizes = QList<qint64>; // B, H, Hkv, L, S, E, Ev

AttentionProblem flash(const Sizes& n, std::int64_t block_q, std::int64_t block_k) {
    auto problem = dot_problem(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    problem.spec.variant = "flash";
    problem.spec.parameters.set("block_q", block_q);
    problem.spec.parameters.set("block_k", block_k);
    return problem;
}

AttentionProblem one_pass(AttentionProblem problem) {
    problem.spec.variant = "scaled_dot_product";
    problem.spec.parameters = {};
    return problem;
}

const TileWalk& walk_of(const Trace& trace) { return std::get<TileWalk>(trace.exhibits.at(0)); }

/// Arrays for every mask kind; some rows, batches and tiles are completely blocked.
void add_arrays(AttentionProblem& problem, const Sizes& n) {
    const auto B = n[0], L = n[3], S = n[4];
    Tensor lens({B}, static_cast<double>(S), DType::Int64), padding({B, S}, 0.0, DType::Bool),
        mask({L, S}, 0.0, DType::Bool), bias = random_normal({L, S}, 33);
    lens.mutable_values()[0] = 0.0; // the first batch has no key
    for (std::int64_t j = S / 2; j < S; ++j)
        padding.set({B - 1, j}, 1.0);
    for (std::int64_t j = 0; j < S; ++j) {
        mask.set({L - 1, j}, 1.0);
        bias.set({0, j}, -infinity);
    }
    problem.tensors.insert({{"valid_lens", lens},
                            {"key_padding_mask", padding},
                            {"attn_mask", mask},
                            {"painted_mask", mask},
                            {"attn_bias", bias}});
}

struct MaskCase {
    const char* name;
    std::vector<const char*> masks;
    MaskFill fill = {};
};

const std::vector<MaskCase> mask_cases = {
    {"no mask", {}},
    {"causal", {"causal"}},
    {"bottom right", {"causal:bottom_right"}},
    {"window", {"window:2"}},
    {"valid_lens", {"valid_lens"}},
    {"padding and attn_mask", {"key_padding", "attn_mask"}},
    {"attn_bias", {"attn_bias"}},
    {"replaced -1e6", {"painted", "causal"}, {-1e6, MaskFill::Mode::Replace}},
    {"added -1e4", {"valid_lens", "causal"}, {-1e4, MaskFill::Mode::Add}},
    {"all", {"causal", "window:4", "prefix:1", "valid_lens", "key_padding", "attn_mask", "attn_bias", "painted"}},
};

} // namespace

class FlashVariantTest : public QObject {
    Q_OBJECT
private slots:
    void equals_the_exact_pass_data();
    void equals_the_exact_pass();
    void running_numbers_are_those_of_the_keys_so_far_data();
    void running_numbers_are_those_of_the_keys_so_far();
    void a_tile_that_is_not_read_changes_nothing();
    void skips_the_tiles_above_the_diagonal();
    void a_finite_fill_is_read();
    void scales_after_the_softmax();
    void leaves_out_outputs_that_would_not_fit();
    void costs_what_it_reads();
    void refuses_tiles_of_nothing();
};

void FlashVariantTest::equals_the_exact_pass_data() {
    QTest::addColumn<int>("mask");
    QTest::addColumn<QString>("scale");
    QTest::addColumn<Sizes>("sizes");
    const QList<Sizes> shapes = {
        {1, 1, 1, 1, 1, 1, 1}, {2, 4, 2, 5, 7, 3, 5}, {1, 6, 3, 13, 2, 8, 1}, {2, 3, 1, 4, 11, 2, 2}};
    for (std::size_t mask = 0; mask < mask_cases.size(); ++mask)
        for (const auto* scale : {"sqrt_dk", "none", "custom:-40", "score_norm:row", "pre_norm:0.1", "long_sequence"})
            for (const auto& sizes : shapes)
                QTest::addRow("%s, %s, L = %d", mask_cases[mask].name, scale, int(sizes[3]))
                    << int(mask) << scale << sizes;
}

void FlashVariantTest::equals_the_exact_pass() {
    QFETCH(int, mask);
    QFETCH(QString, scale);
    QFETCH(Sizes, sizes);
    const auto& masks = mask_cases[static_cast<std::size_t>(mask)];
    for (const std::int64_t block_q : {1, 2, 5, 100})
        for (const std::int64_t block_k : {1, 3, 4, 100}) {
            auto problem = flash(sizes, block_q, block_k);
            problem.spec.scale = parse_scale(scale.toStdString());
            problem.spec.mask_fill = masks.fill;
            for (const auto* text : masks.masks)
                problem.spec.masks.push_back(parse_mask(text));
            add_arrays(problem, sizes);
            const auto tiled = run(problem), exact = run(one_pass(problem));
            for (const auto& expected : exact.stages) {
                const auto wrong = difference(stage(tiled, expected.name), expected.value, 1e-12);
                QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("%1 with tiles of %2 x %3: %4")
                                                         .arg(QString::fromStdString(expected.name))
                                                         .arg(block_q)
                                                         .arg(block_k)
                                                         .arg(wrong)));
            }
        }
}

void FlashVariantTest::running_numbers_are_those_of_the_keys_so_far_data() {
    QTest::addColumn<QString>("mask");
    QTest::newRow("none") << "";
    QTest::newRow("causal") << "causal";
    QTest::newRow("window") << "window:2";
    QTest::newRow("bottom right") << "causal:bottom_right";
}

void FlashVariantTest::running_numbers_are_those_of_the_keys_so_far() {
    QFETCH(QString, mask);
    const std::int64_t B = 2, H = 2, L = 7, S = 8, Ev = 3, block_k = 3;
    auto problem = flash({B, H, 1, L, S, 4, Ev}, 2, block_k);
    if (!mask.isEmpty())
        problem.spec.masks = {parse_mask(mask.toStdString())};
    const auto trace = run(problem);
    const auto& m = stage(trace, "tile_row_max");
    const auto& l = stage(trace, "tile_row_sum");
    const auto& o = stage(trace, "tile_output");
    QCOMPARE(m.shape(), Shape({3, B, H, L}));
    QCOMPARE(l.shape(), Shape({3, B, H, L}));
    QCOMPARE(o.shape(), Shape({3, B, H, L, Ev}));
    const auto& scores = stage(trace, "masked");
    for (std::int64_t tile = 0; tile < 3; ++tile)
        for (std::int64_t b = 0; b < B; ++b)
            for (std::int64_t h = 0; h < H; ++h)
                for (std::int64_t i = 0; i < L; ++i) {
                    const auto end = std::min(S, (tile + 1) * block_k);
                    double largest = -infinity, sum = 0.0;
                    for (std::int64_t j = 0; j < end; ++j)
                        largest = std::max(largest, scores.at({b, h, i, j}));
                    std::vector<double> output(Ev);
                    for (std::int64_t j = 0; j < end && largest > -infinity; ++j) {
                        const double p = std::exp(scores.at({b, h, i, j}) - largest);
                        sum += p;
                        for (std::int64_t c = 0; c < Ev; ++c)
                            output[static_cast<std::size_t>(c)] += p * problem.tensors.at("value").at({b, 0, j, c});
                    }
                    QCOMPARE(m.at({tile, b, h, i}), largest);
                    QVERIFY(close(l.at({tile, b, h, i}), sum, 1e-13));
                    for (std::int64_t c = 0; c < Ev; ++c)
                        QVERIFY(close(o.at({tile, b, h, i, c}), output[static_cast<std::size_t>(c)], 1e-12));
                }
}

void FlashVariantTest::a_tile_that_is_not_read_changes_nothing() {
    // Decoding aligned to the right end: the first key tile is empty for all rows, the second has all keys.
    auto problem = flash({1, 1, 1, 2, 4, 2, 2}, 2, 2);
    problem.spec.masks = {parse_mask("attn_mask")};
    problem.tensors.emplace("attn_mask", Tensor({2, 4}, {1, 1, 0, 0, 1, 1, 1, 0}, DType::Bool));
    const auto trace = run(problem);
    QVERIFY(walk_of(trace).skipped == std::vector<bool>({true, false}));
    QCOMPARE(stage(trace, "tile_row_max").at({0, 0, 0, 0}), -infinity);
    QCOMPARE(stage(trace, "tile_row_sum").at({0, 0, 0, 0}), 0.0);
    QCOMPARE(stage(trace, "tile_row_sum").at({1, 0, 0, 1}), 1.0);
    QVERIFY(has_note(trace, "Tiles that are not read because all their cells are blocked: 1 of 2"));
}

void FlashVariantTest::skips_the_tiles_above_the_diagonal() {
    auto problem = flash({1, 2, 1, 12, 12, 2, 2}, 4, 3);
    problem.spec.masks = {parse_mask("causal")};
    const auto trace = run(problem);
    const auto& walk = walk_of(trace);
    QCOMPARE(walk.query_tiles, 3);
    QCOMPARE(walk.key_tiles, 4);
    QCOMPARE(walk.skipped.size(), std::size_t{2 * 3 * 4});
    for (std::int64_t h = 0; h < 2; ++h)
        for (std::int64_t q = 0; q < 3; ++q)
            for (std::int64_t k = 0; k < 4; ++k)
                QCOMPARE(walk.skipped[static_cast<std::size_t>((h * 3 + q) * 4 + k)], 3 * k > 4 * q + 3);
    QVERIFY(std::ranges::none_of(walk_of(run(flash({1, 2, 1, 12, 12, 2, 2}, 4, 3))).skipped, [](bool s) { return s; }));
}

void FlashVariantTest::a_finite_fill_is_read() {
    auto problem = flash({1, 1, 1, 4, 4, 2, 2}, 2, 2);
    problem.spec.masks = {parse_mask("causal")};
    problem.spec.mask_fill.value = -1e6;
    QVERIFY(walk_of(run(problem)).skipped == std::vector<bool>(4, false));
}

void FlashVariantTest::scales_after_the_softmax() {
    auto problem = flash({1, 2, 2, 5, 6, 4, 3}, 2, 4);
    problem.spec.scale_after_softmax = true;
    const auto tiled = run(problem), exact = run(one_pass(problem));
    for (const auto* name : {"scaled", "weights", "output"})
        QCOMPARE(difference(stage(tiled, name), stage(exact, name), 1e-13), QString());
}

void FlashVariantTest::leaves_out_outputs_that_would_not_fit() {
    const auto problem = flash({1, 1, 1, 10, 10, 1, 20}, 1, 1);
    const auto whole = run(problem);
    QVERIFY(whole.find("tile_output"));
    const auto trace = run(problem, {.memory_limit = 16 * 10 * 10 * 20 * 8 - 1});
    QVERIFY(!trace.find("tile_output"));
    QVERIFY(trace.find("tile_row_max"));
    QVERIFY(has_note(trace, "The output after each of the 10 key tiles is left out"));
    QCOMPARE(stage(trace, "output"), stage(whole, "output"));
}

void FlashVariantTest::costs_what_it_reads() {
    auto problem = flash({1, 2, 1, 8, 8, 4, 3}, 4, 4);
    const auto measure = [](const Trace& trace, const std::string& name) {
        for (const auto& one : trace.measures)
            if (one.name == name)
                return one;
        throw std::out_of_range(name);
    };
    const auto full = run(problem);
    problem.spec.masks = {parse_mask("causal")};
    const auto causal = run(problem);
    // Two heads; 3 of 4 tiles of 16 cells each; for each read tile 4 rows are rescaled, and 8 rows divided.
    QCOMPARE(measure(causal, "operations").value, 2 * (3 * 16 * (8 + 6 + 3.0) + 3 * 4 * (3 + 2.0) + 8 * 3.0));
    QVERIFY(measure(full, "operations").value > measure(causal, "operations").value);
    QCOMPARE(*measure(causal, "operations").exact, 2 * 64 * (8 + 6 + 3.0));
    QCOMPARE(measure(causal, "bytes").value, 4 * (2 * 8 * (3 + 2.0) + 16));
    QCOMPARE(*measure(causal, "bytes").exact, 4 * 2 * 64.0);
}

void FlashVariantTest::refuses_tiles_of_nothing() {
    auto problem = flash({1, 1, 1, 4, 4, 2, 2}, 2, 0);
    QCOMPARE(error_of([&] { run(problem); }),
             QStringLiteral("flash: parameter block_k is '0', expected an integer in [1, 65536]"));
}

ATTNLAB_TEST(FlashVariantTest)
#include "test_flash_variant.moc"

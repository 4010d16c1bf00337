// Longformer's weights in files: columns of global tokens, then of offsets from the query.
#include "tests/core/error_of.h"
#include "tests/core/recognition_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr std::int64_t layers = 2, sequences = 2, heads = 3, tokens = 7, reach = 2;

double& cell(Tensor& tensor, const Shape& index) {
    std::int64_t flat = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
        flat = flat * tensor.shape()[axis] + index[axis];
    return tensor.mutable_values()[static_cast<std::size_t>(flat)];
}

/// Longformer's arrays, and the same weights by key.
struct Longformer {
    Tensor local, global_rows, mask;
    Tensor by_key{Shape{layers, sequences, heads, tokens, tokens}};

    /// `globals` are the global tokens of each sequence. Rows have `padding` more tokens, which read nothing.
    explicit Longformer(const std::vector<std::vector<std::int64_t>>& globals, std::int64_t padding = 0)
        : mask(Shape{sequences, tokens}, 0.0, DType::Int64) {
        std::size_t most = 0;
        for (const auto& each : globals)
            most = std::max(most, each.size());
        const auto G = static_cast<std::int64_t>(most);
        local = Tensor(Shape{layers, sequences, heads, tokens + padding, G + 2 * reach + 1});
        global_rows = Tensor(Shape{layers, sequences, heads, tokens + padding, G});
        const auto numbers = random_uniform(by_key.shape(), 1, 0.1, 1.0);
        const auto is_global = [&](std::int64_t b, std::int64_t i) {
            const auto& places = globals.at(static_cast<std::size_t>(b));
            return std::ranges::find(places, i) != places.end();
        };
        for (std::int64_t b = 0; b < sequences; ++b)
            for (const auto place : globals.at(static_cast<std::size_t>(b)))
                cell(mask, {b, place}) = 1.0;
        for (std::int64_t l = 0; l < layers; ++l)
            for (std::int64_t b = 0; b < sequences; ++b)
                for (std::int64_t h = 0; h < heads; ++h)
                    for (std::int64_t i = 0; i < tokens; ++i) {
                        double sum = 0.0;
                        for (std::int64_t j = 0; j < tokens; ++j)
                            if (is_global(b, i) || is_global(b, j) || std::abs(i - j) <= reach)
                                sum += cell(by_key, {l, b, h, i, j}) = numbers.at({l, b, h, i, j});
                        for (std::int64_t j = 0; j < tokens; ++j) {
                            const auto weight = cell(by_key, {l, b, h, i, j}) /= sum;
                            const auto& places = globals.at(static_cast<std::size_t>(b));
                            const auto g = std::ranges::find(places, j) - places.begin();
                            const auto own = std::ranges::find(places, i) - places.begin();
                            if (is_global(b, i))
                                cell(global_rows, {l, b, h, j, own}) = weight;
                            else if (is_global(b, j))
                                cell(local, {l, b, h, i, g}) = weight;
                            else if (weight > 0.0)
                                cell(local, {l, b, h, i, G + j - i + reach}) = weight;
                        }
                    }
    }
};

const std::vector<std::vector<std::int64_t>> no_globals(sequences);

/// The last four axes at `layer`.
Tensor layer_of(const Tensor& tensor, std::int64_t layer) {
    Shape shape(tensor.shape().begin() + 1, tensor.shape().end());
    std::vector<double> numbers(static_cast<std::size_t>(tensor.size() / layers));
    tensor.read(layer * std::ssize(numbers), std::span(numbers));
    return Tensor(std::move(shape), std::move(numbers));
}

/// One array for each layer: "attentions.0".
void add_layers(Contents& contents, const std::string& name, const Tensor& tensor) {
    for (std::int64_t layer = 0; layer < layers; ++layer)
        contents.arrays.push_back({name + "." + std::to_string(layer), layer_of(tensor, layer), "file"});
}

void compare(const Tensor& weights, const Tensor& right) {
    QCOMPARE(weights.shape(), right.shape());
    std::vector<double> numbers(static_cast<std::size_t>(weights.size()));
    weights.read(0, std::span(numbers));
    QVERIFY(std::ranges::equal(numbers, right.values()));
    float middle[3] = {}; // a piece across two rows
    weights.read(right.dim(-1) - 1, std::span(middle));
    for (std::int64_t i = 0; i < 3; ++i)
        QCOMPARE(middle[i], static_cast<float>(right.data()[right.dim(-1) - 1 + i]));
}

} // namespace

class OffsetWeightsTest : public QObject {
    Q_OBJECT
private slots:
    void a_mask_of_global_tokens_lays_them_out_by_key() {
        const Longformer model({{1}, {0, 5}}, 1);
        Contents contents;
        contents.arrays.push_back({"global_attention_mask", model.mask, "file"});
        add_layers(contents, "attentions", model.local);
        add_layers(contents, "global_attentions", model.global_rows);
        const auto recognition = recognise(contents);
        compare(recognition.problem.tensors.at("weights"), model.by_key);
        QCOMPARE(summary(recognition), "weights=attentions.0 weights=attentions.1 weights=global_attention_mask "
                                       "weights=global_attentions.0 weights=global_attentions.1");
        QCOMPARE(notes_of(recognition),
                 "attentions.0 (2, 3, 8, 7): the columns are global tokens (2), then offsets from the query, -2 to 2. "
                 "The weights are laid out by key, (2, 2, 3, 7, 7)");
    }

    void one_array() {
        const Longformer model({{1}, {0, 5}});
        Contents contents;
        contents.arrays = {{"attentions", layer_of(model.local, 1), "file"},
                           {"global_attentions", layer_of(model.global_rows, 1), "file"},
                           {"global_attention_mask", model.mask, "file"}};
        compare(recognise(contents).problem.tensors.at("weights"), layer_of(model.by_key, 1));
        contents.arrays.erase(contents.arrays.begin() + 1);
        const auto without = recognise(contents);
        QVERIFY2(notes_of(without).contains("would be in an array global_attentions (B, H, L, 2), which is missing"),
                 qPrintable(notes_of(without)));
    }

    void both_readings_are_named_where_the_numbers_look_so() {
        const Longformer model(no_globals);
        Contents contents;
        contents.arrays = {{"attentions", layer_of(model.local, 0), "file"}};
        const auto by_key = recognise(contents);
        QCOMPARE(by_key.problem.tensors.at("weights").shape(), Shape({sequences, heads, tokens, 2 * reach + 1}));
        QCOMPARE(notes_of(by_key),
                 "attentions (2, 3, 7, 5) is read as (B, H, L, S), with 5 keys. It looks like Longformer's weights, "
                 "whose columns are offsets from the query, -2 to 2; --layout BHLO reads it so");
        QCOMPARE(by_key.question(Question::Kind::Layout)->answers, std::vector<std::string>{"BHLO"});
        const auto chosen = recognise(contents, {.layout = "BHLO"});
        compare(chosen.problem.tensors.at("weights"), layer_of(model.by_key, 0));
        QVERIFY(notes_of(recognise(contents, {.layout = "BHLE"})).isEmpty());

        contents.arrays = {{"attentions", model.local, "file"}}; // the layers in one array
        compare(recognise(contents, {.layout = "BHLO"}).problem.tensors.at("weights"), model.by_key);
        contents.arrays.clear();
        add_layers(contents, "attentions", model.local);
        compare(recognise(contents, {.layout = "BHLO"}).problem.tensors.at("weights"), model.by_key);
        QVERIFY(notes_of(recognise(contents, {.layout = "BHLE"})).isEmpty());
    }

    void global_tokens_need_their_mask() {
        const Longformer model({{1}, {0, 5}}, 1);
        Contents contents;
        contents.arrays = {{"attentions", layer_of(model.local, 0), "file"}};
        const auto notes = notes_of(recognise(contents));
        QVERIFY2(notes.contains("columns are global tokens (2), then offsets from the query, -2 to 2. An array "
                                "global_attention_mask (B, L) beside it"),
                 qPrintable(notes));
        const auto error = error_of([&] { recognise(contents, {.layout = "BHLO"}); });
        QVERIFY2(error.endsWith("Columns of global tokens in front need an array global_attention_mask (B, L)"),
                 qPrintable(error));
    }

    void what_cannot_be_is_refused() {
        Contents contents;
        contents.arrays = {{"attentions", Tensor(Shape{1, 1, 4, 6}, 1.0 / 6), "file"}};
        QCOMPARE(
            error_of([&] { recognise(contents, {.layout = "BHLO"}); }),
            "file: attentions: has 6 columns, expected 2w + 1, an odd number of offsets from the query. Columns of "
            "global tokens in front need an array global_attention_mask (B, L)");
        contents.arrays = {{"attentions", Tensor(Shape{1, 1, 4, 5}, 0.2), "file"}};
        QCOMPARE(
            error_of([&] { recognise(contents, {.layout = "BHLO"}); }),
            "file: attentions: has the weight 0.2 at offset -2 from query 0, expected 0 there, as there are 4 tokens. "
            "Columns of global tokens in front need an array global_attention_mask (B, L)");
        QVERIFY(error_of([&] { recognise(contents, {.layout = "HLO"}); }).contains("expected the axes (H, L, O)"));
        QCOMPARE(error_of([&] {
                     recognise(contents_of({{"q", {1, 2, 3, 4}}}), {.layout = "BHLO"});
                 }),
                 "layout: BHLO is for attention weights alone, expected another one for file: q");
    }

    /// Masks of other attention leave zeros at the ends too.
    void other_weights_are_read_by_key_without_a_word() {
        const auto notes = [](std::int64_t L, std::int64_t S, auto reads) {
            Tensor weights(Shape{1, 2, L, S});
            for (std::int64_t h = 0; h < 2; ++h)
                for (std::int64_t i = 0; i < L; ++i)
                    for (std::int64_t j = 0; j < S; ++j)
                        cell(weights, {0, h, i, j}) = reads(i, j) ? 1.0 : 0.0;
            Contents contents;
            contents.arrays = {{"attentions", std::move(weights), "file"}};
            const auto recognition = recognise(contents);
            return recognition.question(Question::Kind::Layout) ? QString("asks") : notes_of(recognition);
        };
        for (const std::int64_t S : {3, 4, 5, 6, 7, 8, 9}) {
            QCOMPARE(notes(4, S, [](auto i, auto j) { return j <= i; }), "");              // causal
            QCOMPARE(notes(4, S, [S](auto i, auto j) { return j <= i + S - 4; }), "");     // its other corner
            QCOMPARE(notes(4, S, [](auto, auto j) { return j < 2; }), "");                 // padding
            QCOMPARE(notes(4, S, [](auto i, auto j) { return std::abs(i - j) < 2; }), ""); // a window
            QCOMPARE(notes(4, S, [](auto i, auto j) { return j == i; }), "");
        }
    }

    void a_mask_beside_other_arrays_is_named() {
        auto contents = contents_of({{"query", {2, 1, 4, 3}}, {"key", {2, 1, 4, 3}}, {"value", {2, 1, 4, 3}}});
        contents.arrays.push_back({"global_attention_mask", Tensor(Shape{2, 4}, 0.0, DType::Int64), "file"});
        const auto recognition = recognise(contents);
        QVERIFY(!recognition.question(Question::Kind::Roles));
        QVERIFY(why_not(recognition, "global_attention_mask").contains("beside Longformer's weights"));
        contents.arrays.front() = {"attentions", Tensor(Shape{2, 1, 4, 4}, 0.25), "file"};
        contents.arrays.erase(contents.arrays.begin() + 1, contents.arrays.begin() + 3);
        const auto other = recognise(contents);
        QCOMPARE(other.problem.tensors.at("weights").shape(), Shape({2, 1, 4, 4}));
        QVERIFY(why_not(other, "global_attention_mask").contains("beside Longformer's weights"));
    }
};

ATTNLAB_TEST(OffsetWeightsTest)
#include "test_offset_weights.moc"

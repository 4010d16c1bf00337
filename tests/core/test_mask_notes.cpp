// Notes on masks that have no effect, are probably meant otherwise, or leak, and cases without notes.
#include "core/flash/cpu_backend.h"
#include "core/stages/mask.h"
#include "engine_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <initializer_list>
#include <optional>

using namespace attnlab;
using namespace attnlab::test;

namespace {

struct Case {
    const char* name;
    void (*make)(AttentionProblem&);
    const char* says; ///< or no note on masks
};

/// 2 batches and 3 heads of 4 queries and 4 keys.
AttentionProblem square() { return dot_problem(2, 3, 3, 4, 4, 2, 2); }

void mask(AttentionProblem& p, const char* text) { p.spec.masks.push_back(parse_mask(text)); }

void set(AttentionProblem& p, const char* text, const char* name, Tensor tensor) {
    mask(p, text);
    p.tensors.insert_or_assign(name, std::move(tensor));
}

void sizes(AttentionProblem& p, std::int64_t L, std::int64_t S) {
    p.tensors = dot_problem(2, 3, 3, L, S, 2, 2).tensors;
}

template <class Value>
Tensor matrix(std::int64_t L, std::int64_t S, Value value) {
    Tensor tensor({L, S});
    for (std::int64_t i = 0; i < L; ++i)
        for (std::int64_t j = 0; j < S; ++j)
            tensor.set({i, j}, static_cast<double>(value(i, j)));
    return tensor;
}

void at_offset(AttentionProblem& p, std::int64_t L, std::int64_t S, std::initializer_list<const char*> masks,
               std::optional<std::int64_t> offset) {
    sizes(p, L, S);
    for (const char* text : masks)
        mask(p, text);
    p.spec.query_offset = offset;
}

/// Scores so large that a fill of -1e4 is in their range.
void large_scores(AttentionProblem& p) {
    for (const char* name : {"query", "key"})
        for (double& value : p.tensors.at(name).mutable_values())
            value = name[0] == 'q' ? 100.0 : -200.0;
}

const Case cases[] = {
    {"no mask", [](auto&) {}, ""},
    {"causal", [](auto& p) { mask(p, "causal"); }, ""},
    {"window that reaches everything", [](auto& p) { mask(p, "window:6"); },
     "The mask window blocks none of the 96 cells"},
    {"window", [](auto& p) { mask(p, "window:5"); }, ""},
    {"long prefix", [](auto& p) { mask(p, "prefix:4"); }, "The mask prefix blocks none of the 96 cells"},
    {"prefix", [](auto& p) { mask(p, "prefix:2"); }, ""},
    {"full lengths", [](auto& p) { set(p, "valid_lens", "valid_lens", Tensor({2}, 4.0)); },
     "The mask valid_lens blocks none"},
    {"lengths",
     [](auto& p) {
         set(p, "valid_lens", "valid_lens", Tensor({2}, {4, 3}));
     },
     ""},
    {"no padding",
     [](auto& p) {
         set(p, "key_padding", "key_padding_mask", Tensor({1, 4}, 0.0));
     },
     "The mask key_padding blocks none"},
    {"padding",
     [](auto& p) {
         set(p, "key_padding", "key_padding_mask", Tensor({2, 4}, {0, 0, 0, 0, 0, 0, 1, 1}));
     },
     ""},
    {"open mask",
     [](auto& p) {
         set(p, "attn_mask", "attn_mask", Tensor({4, 4}, 0.0));
     },
     "The mask attn_mask blocks none"},
    {"kept mask",
     [](auto& p) {
         set(p, "attn_mask", "attn_mask", Tensor({1, 4}, 1.0));
         p.spec.mask_true = MaskTrue::Keeps;
     },
     "The mask attn_mask blocks none"},
    {"mask",
     [](auto& p) {
         set(p, "attn_mask", "attn_mask", Tensor({1, 4}, {0, 0, 1, 0}));
     },
     ""},
    {"empty painting",
     [](auto& p) {
         set(p, "painted", "painted_mask", Tensor({4, 4}, 0.0));
     },
     "The mask painted blocks none"},
    {"painting",
     [](auto& p) {
         set(p, "painted", "painted_mask", Tensor({4, 1}, {0, 1, 0, 0}));
     },
     "Rows with every key blocked"},

    {"top left, more keys",
     [](auto& p) {
         sizes(p, 3, 5);
         mask(p, "causal");
     },
     "With L = 3 and S = 5 it blocks the last 2 keys for every query"},
    {"top left, fewer keys",
     [](auto& p) {
         sizes(p, 5, 3);
         mask(p, "causal");
     },
     "With L = 5 and S = 3 it blocks nothing for the last 3 queries"},
    {"bottom right, more keys",
     [](auto& p) {
         sizes(p, 3, 5);
         mask(p, "causal:bottom_right");
     },
     ""},
    {"bottom right, fewer keys",
     [](auto& p) {
         sizes(p, 5, 3);
         mask(p, "causal:bottom_right");
     },
     "it blocks every key for the first 2 queries"},
    {"bottom right of a square", [](auto& p) { mask(p, "causal:bottom_right"); }, ""},
    {"causal at an offset, more keys", [](auto& p) { at_offset(p, 3, 5, {"causal"}, 2); }, ""},
    {"causal at offset 0, more keys", [](auto& p) { at_offset(p, 3, 5, {"causal"}, 0); }, ""},
    {"causal at offset 0, fewer keys", [](auto& p) { at_offset(p, 5, 3, {"causal"}, 0); }, ""},
    {"causal at an offset for each sequence",
     [](auto& p) {
         at_offset(p, 3, 5, {"causal"}, std::nullopt);
         p.tensors.emplace("query_offset", Tensor({2}, {0, 2}, DType::Int64));
     },
     ""},
    {"window, more keys", [](auto& p) { at_offset(p, 3, 5, {"window:2"}, std::nullopt); },
     "In window the first query is at the first key (--query-offset 0), and L = 3 and S = 5 differ. In a model with a "
     "cache the last query is at the last key (--query-offset 2)"},
    {"window, fewer keys", [](auto& p) { at_offset(p, 5, 3, {"window:4,0"}, std::nullopt); },
     "last key (--query-offset -2)"},
    {"window at an offset", [](auto& p) { at_offset(p, 3, 5, {"window:2"}, 0); }, ""},
    {"prefix, more keys", [](auto& p) { at_offset(p, 3, 5, {"prefix:1"}, std::nullopt); },
     "In prefix the first query is at the first key"},
    {"sliding window, more keys",
     [](auto& p) {
         at_offset(p, 3, 5, {"causal", "window:2"}, std::nullopt);
     },
     "In sliding_window the first query is at the first key"},
    {"three masks, more keys",
     [](auto& p) {
         at_offset(p, 3, 5, {"causal", "prefix:1", "window:2"}, std::nullopt);
     },
     "In sliding_window, prefix the first query is at the first key"},
    {"window of everything, more keys", [](auto& p) { at_offset(p, 3, 5, {"window:8"}, std::nullopt); },
     "The mask window blocks none of the 90 cells"},
    {"window beside causal that only causal limits",
     [](auto& p) {
         at_offset(p, 3, 5, {"causal", "window:-1,4"}, 2);
     },
     "The mask window blocks none"},
    {"window beside the bottom right",
     [](auto& p) {
         at_offset(p, 3, 5, {"causal:bottom_right", "window:2"}, std::nullopt);
     },
     "causal:bottom_right moves the causal mask alone. In window the first query is still at the first key (L = 3, S = "
     "5). Use causal with --query-offset 2 to put the last query at the last key in every mask"},
    {"a decay beside the bottom right",
     [](auto& p) {
         at_offset(p, 3, 5, {"causal:bottom_right"}, std::nullopt);
         p.spec.decay = {"retention", {}};
     },
     "causal:bottom_right moves the causal mask alone. In retention the first query is still at the first key (L = 3, "
     "S = 5). Use causal with --query-offset 2 to put the last query at the last key in every mask"},
    {"an order alone",
     [](auto& p) {
         at_offset(p, 3, 5, {}, std::nullopt);
         p.spec.normaliser = {"stick_breaking", {}};
     },
     "In stick_breaking the first query is at the first key (--query-offset 0), and L = 3 and S = 5 differ"},
    {"an order with an offset",
     [](auto& p) {
         at_offset(p, 3, 5, {}, 2);
         p.spec.normaliser = {"stick_breaking", {}};
     },
     ""},
    {"window of everything beside the bottom right",
     [](auto& p) {
         at_offset(p, 3, 5, {"causal:bottom_right", "window:-1,4"}, std::nullopt);
     },
     "The mask window blocks none"},

    {"a shorter sequence at the bottom right",
     [](auto& p) {
         at_offset(p, 2, 10, {"causal:bottom_right"}, std::nullopt);
         set(p, "valid_lens", "valid_lens", Tensor({2}, {10, 6}));
     },
     "The last query is at position 9, beyond the keys of sequences that are shorter: 1 of 2 (first: 1, with 6 keys)"},
    {"padding after the queries",
     [](auto& p) {
         at_offset(p, 1, 5, {"causal", "window:2"}, 4);
         set(p, "key_padding", "key_padding_mask", Tensor({2, 5}, {0, 0, 0, 1, 1, 0, 0, 0, 0, 1}, DType::Bool));
     },
     "beyond the keys of sequences that are shorter: 2 of 2 (first: 0, with 3 keys). Where each has its own place in "
     "its "
     "cache, an array query_offset (B) gives it"},
    {"shorter sequences with offsets of their own",
     [](auto& p) {
         at_offset(p, 2, 10, {"causal"}, std::nullopt);
         p.tensors.insert_or_assign("query_offset", Tensor({2}, {8, 4}, DType::Int64));
         set(p, "valid_lens", "valid_lens", Tensor({2}, {10, 6}));
     },
     ""},
    {"padding before the queries",
     [](auto& p) {
         at_offset(p, 1, 5, {"causal"}, 4);
         set(p, "key_padding", "key_padding_mask", Tensor({2, 5}, {1, 1, 0, 0, 0, 0, 0, 0, 0, 0}, DType::Bool));
     },
     ""},
    {"shorter sequences as long as the queries",
     [](auto& p) {
         mask(p, "causal");
         set(p, "valid_lens", "valid_lens", Tensor({2}, {4, 2}));
     },
     ""},

    {"matrices of heads or batches",
     [](auto& p) {
         p.tensors = dot_problem(3, 3, 3, 4, 4, 2, 2).tensors;
         set(p, "attn_bias", "attn_bias", counting({3, 4, 4}));
     },
     "attn_bias has 3 matrices, as many as there are heads, and batches"},
    {"the same matrix for heads or batches",
     [](auto& p) {
         p.tensors = dot_problem(3, 3, 3, 4, 4, 2, 2).tensors;
         set(p, "attn_mask", "attn_mask", Tensor({3, 1, 4}, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
     },
     ""},
    {"matrices of heads",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias", counting({3, 4, 4}));
     },
     ""},

    {"causal the other way round",
     [](auto& p) { set(p, "attn_mask", "attn_mask", matrix(4, 4, [](auto i, auto j) { return j <= i; })); },
     "exactly the cells that a causal mask keeps. Where True means keep"},
    {"causal of the other sense",
     [](auto& p) {
         set(p, "attn_mask", "attn_mask", matrix(4, 4, [](auto i, auto j) { return j > i; }));
         p.spec.mask_true = MaskTrue::Keeps;
     },
     "exactly the cells that a causal mask keeps. Where True means block"},
    {"causal as a table",
     [](auto& p) { set(p, "attn_mask", "attn_mask", matrix(4, 4, [](auto i, auto j) { return j > i; })); }, ""},
    {"no diagonal",
     [](auto& p) { set(p, "attn_mask", "attn_mask", matrix(4, 4, [](auto i, auto j) { return j == i; })); },
     "attn_mask blocks the diagonal: each of the 4 queries"},
    {"most of the diagonal",
     [](auto& p) { set(p, "attn_mask", "attn_mask", matrix(4, 4, [](auto i, auto j) { return j == i && i > 0; })); },
     ""},
    {"no diagonal of a rectangle",
     [](auto& p) {
         sizes(p, 3, 5);
         set(p, "attn_mask", "attn_mask", matrix(3, 5, [](auto i, auto j) { return j == i; }));
     },
     ""},

    {"padding the other way round",
     [](auto& p) {
         set(p, "key_padding", "key_padding_mask", Tensor({2, 4}, {1, 1, 1, 0, 1, 1, 0, 0}));
     },
     "marks the first keys of every row as padding, 5 of 8"},
    {"padding on the left",
     [](auto& p) {
         set(p, "key_padding", "key_padding_mask", Tensor({2, 4}, {1, 0, 0, 0, 1, 1, 0, 0}));
     },
     ""},

    {"0 and 1 are added",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias", Tensor({2, 1, 1, 4}, {1, 1, 1, 0, 1, 1, 0, 0}));
     },
     "attn_bias holds only 0 and 1 (5 of 8 are 1), which are added"},
    {"only 0", [](auto& p) { set(p, "attn_bias", "attn_bias", Tensor({4}, 0.0)); },
     "attn_bias holds only 0: it adds nothing"},
    {"the same for a row",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias", Tensor({4, 1}, {1, 2, 3, 4}));
     },
     "one number for all keys of a query, which the softmax cancels"},
    {"the same for a row, written out",
     [](auto& p) { set(p, "attn_bias", "attn_bias", matrix(4, 4, [](auto i, auto) { return i + 2; })); },
     "one number for all keys of a query, which the softmax cancels"},
    {"the same for a row, beside a fill",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias", Tensor({4, 1}, {1, 2, 3, 4}));
         mask(p, "causal");
         p.spec.mask_fill = {-1e6, MaskFill::Mode::Replace};
     },
     ""},
    {"a number a key",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias", Tensor({1, 4}, {1, 2, 3, 4}));
     },
     ""},

    {"a fill among the scores",
     [](auto& p) {
         large_scores(p);
         mask(p, "causal");
         p.spec.mask_fill = {-1e4, MaskFill::Mode::Replace};
     },
     "Blocked cells that are read all the same: 36 of 36. The largest weight is 1, at (0, 0, 2, 3)"},
    {"a small fill",
     [](auto& p) {
         mask(p, "causal");
         p.spec.mask_fill = {-3.0, MaskFill::Mode::Add};
     },
     "The fill -3 is finite"},
    {"a large fill",
     [](auto& p) {
         mask(p, "causal");
         p.spec.mask_fill = {-1e4, MaskFill::Mode::Replace};
     },
     ""},
    {"padding among the scores",
     [](auto& p) {
         set(p, "key_padding", "key_padding_mask", Tensor({2, 4}, {0, 0, 0, 0, 0, 0, 1, 1}));
         p.spec.mask_fill = {-2.0, MaskFill::Mode::Replace};
     },
     "Cells of padded keys that are read all the same: 24 of 24"},
    {"padding that is hidden",
     [](auto& p) {
         set(p, "key_padding", "key_padding_mask", Tensor({2, 4}, {0, 0, 0, 0, 0, 0, 1, 1}));
         p.spec.mask_fill = {-1e9, MaskFill::Mode::Add};
     },
     ""},
    {"a low bias among the scores",
     [](auto& p) {
         large_scores(p);
         for (std::int64_t k = 0; k < 2; ++k)
             p.tensors.at("key").set({0, 0, 0, k}, 200.0);
         set(p, "attn_bias", "attn_bias", Tensor({4}, {-1e4, 0, 0, 0}));
     },
     "Cells with a bias of -1000 or less that are read all the same: 4 of 24. The largest weight is 1, at (0, 0, 0, "
     "0)"},
    {"a low bias",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias", Tensor({4}, {-1e4, 0, 0, 0}));
     },
     ""},
    {"a row that is pushed down",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias", matrix(4, 4, [](auto i, auto j) { return i == 1 || j == 0 ? -1e9 : 0; }));
     },
     "every key that is open has a bias of -1000 or less: 1 in each of 2 sequences (first: 1). They are read all the "
     "same"},
    {"blocked keys of a row whose open ones have a bias of -inf",
     [](auto& p) {
         mask(p, "causal");
         p.spec.mask_fill.value = -1e9;
         set(p, "attn_bias", "attn_bias",
             matrix(4, 4, [](auto i, auto j) { return i == 0 && j == 0 ? -infinity : 0; }));
     },
     "Blocked cells that are read all the same: 18 of 36. The largest weight is "},
    {"a row in which a bias swallows the scores",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias",
             matrix(4, 4, [](auto i, auto j) { return i == 1 ? (j < 2 ? -6.8e38 : -3.4e38) : 0; }));
     },
     "a bias so low that the scores are lost: 1 in each of 2 sequences (first: 1)"},
    {"a row in which a bias has the size of the scores' last digits",
     [](auto& p) { set(p, "attn_bias", "attn_bias", matrix(4, 4, [](auto i, auto) { return i == 1 ? -1e9 : 0; })); },
     "They are read all the same, since the softmax cancels what a row has in common"},
    {"a row of -inf",
     [](auto& p) {
         set(p, "attn_bias", "attn_bias", matrix(4, 4, [](auto i, auto) { return i == 1 ? -infinity : 0; }));
     },
     "Rows with every key blocked"},

    {"a fill beyond the type",
     [](auto& p) {
         p.tensors.at("query") = p.tensors.at("query").with_dtype(DType::Float16);
         mask(p, "causal");
         p.spec.mask_fill = {-1e9, MaskFill::Mode::Replace};
     },
     "The fill -1e+09 is -inf in float16, the type of query"},
    {"a fill within the type",
     [](auto& p) {
         p.tensors.at("query") = p.tensors.at("query").with_dtype(DType::Float16);
         mask(p, "causal");
         p.spec.mask_fill = {-65504, MaskFill::Mode::Replace};
     },
     ""},
    {"the least float32 in bfloat16",
     [](auto& p) {
         p.tensors.at("query") = p.tensors.at("query").with_dtype(DType::BFloat16);
         set(p, "attn_bias", "attn_bias", Tensor({4}, {0, 0, 0, -3.4028234663852886e38}));
     },
     "attn_bias holds finite numbers that are -inf in bfloat16, the type of query: 1 of 4"},
    {"the least bfloat16",
     [](auto& p) {
         p.tensors.at("query") = p.tensors.at("query").with_dtype(DType::BFloat16);
         set(p, "attn_bias", "attn_bias", Tensor({4}, {0, 0, 0, -3.3895313892515355e38}));
     },
     ""},
};

QString text_of(const Trace& trace) {
    QStringList lines;
    for (const auto& note : trace.notes)
        lines << QString::fromStdString(note.message.english());
    return lines.join('\n');
}

} // namespace

class TestMaskNotes : public QObject {
    Q_OBJECT
private slots:
    void saysWhatIsUnusual_data() {
        QTest::addColumn<int>("number");
        for (int k = 0; k < static_cast<int>(std::size(cases)); ++k)
            QTest::newRow(cases[k].name) << k;
    }

    void saysWhatIsUnusual() {
        QFETCH(int, number);
        const auto& one = cases[number];
        auto problem = square();
        one.make(problem);
        const auto text = text_of(run(problem));
        const auto says = QString::fromUtf8(one.says);
        // Notes on rows are tested elsewhere.
        auto others = text.split('\n', Qt::SkipEmptyParts);
        others.removeIf([&](const QString& line) {
            return line.startsWith("Rows that see one key") || line.startsWith("The decay multiplies the weights") ||
                   line.startsWith("A row sums to") ||
                   (line.startsWith("Rows with every key blocked") && !line.startsWith(says.isEmpty() ? "-" : says));
        });
        QVERIFY2(says.isEmpty() ? others.isEmpty() : others.size() == 1 && others.front().contains(says),
                 qPrintable(text));
    }

    /// Without weights, there are still notes about the arrays.
    void theTilesSayItToo() {
        const Backend* const tiles[] = {&cpu_backend()};
        auto problem = square();
        set(problem, "attn_bias", "attn_bias", Tensor({2, 1, 1, 4}, {1, 1, 1, 0, 1, 1, 0, 0}));
        mask(problem, "window:9");
        const auto trace = compute(problem, tiles, "cpu").trace;
        QVERIFY(has_note(trace, "holds only 0 and 1"));
        QVERIFY(has_note(trace, "The mask window blocks none"));
    }

    /// Queries and keys are the same tokens where both are made from x.
    void paddedQueriesRead() {
        AttentionProblem problem;
        problem.spec.variant = "self";
        problem.tensors = {{"x", random_normal({2, 4, 3}, 1)}};
        complete_inputs(problem, 1);
        set(problem, "key_padding", "key_padding_mask", Tensor({2, 4}, {0, 0, 0, 0, 0, 0, 1, 1}));
        QVERIFY(has_note(run(problem), "Rows of the output that belong to padding: 2 over 2 sequences (first: 2)"));
        problem.tensors["key_padding_mask"] = Tensor({1, 4}, 0.0);
        QVERIFY(!has_note(run(problem), "belong to padding"));

        auto apart = square();
        set(apart, "key_padding", "key_padding_mask", Tensor({2, 4}, {0, 0, 0, 0, 0, 0, 1, 1}));
        QVERIFY(!has_note(run(apart), "belong to padding"));
    }

    /// Masks do not apply to appended keys.
    void appendedKeysAreNoLeak() {
        AttentionProblem problem;
        problem.spec.variant = "multi_head";
        problem.spec.parameters.set("num_heads", std::int64_t{2});
        problem.spec.parameters.set("add_zero_attn", true);
        problem.tensors = {{"x", random_normal({2, 4, 4}, 1)}};
        complete_inputs(problem, 1);
        set(problem, "attn_bias", "attn_bias", Tensor({4, 1}, {1, 2, 3, 4}));
        const auto trace = run(problem);
        QVERIFY(!has_note(trace, "which the softmax cancels"));
        QVERIFY(stage(trace, "weights").dim(3) == 5);
        problem.tensors["attn_bias"] = Tensor({4, 1}, -1e4);
        QVERIFY(!has_note(run(problem), "every key that is open"));
    }
};

ATTNLAB_TEST(TestMaskNotes)
#include "test_mask_notes.moc"

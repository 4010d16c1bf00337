#include "core/stages/mask.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem paged_local(AttentionProblem problem, std::int64_t page_size, std::int64_t neighbors) {
    problem.spec.variant = "paged";
    problem.spec.parameters.set("page_size", page_size);
    problem.spec.parameters.set("neighbors", neighbors);
    return problem;
}

/// Three pages of four tokens each, of a pool of six; the last page is half full.
AttentionProblem cache(std::int64_t B = 1, std::int64_t H = 2, std::int64_t Hkv = 2, std::int64_t L = 3) {
    AttentionProblem problem;
    problem.spec.variant = "paged";
    problem.spec.parameters.set("mode", std::string("kv_cache"));
    problem.spec.parameters.set("length", std::int64_t{10});
    problem.tensors = {{"query", random_normal({B, H, L, 5}, 1)},
                       {"key_pages", random_normal({6, 4, Hkv, 5}, 2)},
                       {"value_pages", random_normal({6, 4, Hkv, 2}, 3)},
                       {"block_table", Tensor({3}, {4, 0, 5}, DType::Int64)}};
    return problem;
}

/// The same keys and values in one piece, for scaled dot-product attention.
AttentionProblem in_one_piece(const AttentionProblem& problem, std::int64_t length) {
    AttentionProblem plain;
    plain.spec = problem.spec;
    plain.spec.variant = "scaled_dot_product";
    plain.spec.parameters = {};
    const auto& query = problem.tensors.at("query");
    plain.tensors.emplace("query", query);
    for (const auto& [pages_name, name] : {std::pair{"key_pages", "key"}, {"value_pages", "value"}}) {
        const auto& pages = problem.tensors.at(pages_name);
        const auto P = pages.dim(1), heads = pages.dim(2), E = pages.dim(3);
        Tensor rows({query.dim(0), heads, length, E});
        for (std::int64_t b = 0; b < query.dim(0); ++b)
            for (std::int64_t h = 0; h < heads; ++h)
                for (std::int64_t t = 0; t < length; ++t)
                    for (std::int64_t c = 0; c < E; ++c) {
                        const auto page = static_cast<std::int64_t>(problem.tensors.at("block_table").at({t / P}));
                        rows.set({b, h, t, c}, pages.at({page, t % P, h, c}));
                    }
        plain.tensors.emplace(name, rows);
    }
    return plain;
}

} // namespace

class PagedTest : public QObject {
    Q_OBJECT
private slots:
    void local_adds_a_softmax_for_each_pair_of_pages_data();
    void local_adds_a_softmax_for_each_pair_of_pages();
    void one_page_is_exact_attention();
    void a_pair_that_is_blocked_adds_nothing();
    void a_finite_fill_does_not_open_far_pages();
    void says_what_rows_sum_to();
    void counts_the_cells_it_reads();

    void cache_is_exact_attention_over_the_gathered_tokens_data();
    void cache_is_exact_attention_over_the_gathered_tokens();
    void cache_takes_pages_of_one_head();
    void shows_the_table_and_the_fragmentation();
    void says_when_the_length_is_a_guess();
    void refuses_what_points_outside_data();
    void refuses_what_points_outside();

    void each_mode_reads_its_own_inputs();
    void completes_a_cache_and_its_masks();
    void finds_the_mode_of_a_file();
};

void PagedTest::local_adds_a_softmax_for_each_pair_of_pages_data() {
    QTest::addColumn<QList<qint64>>("sizes"); // B, H, Hkv, L, S, page_size, neighbors
    QTest::addColumn<QString>("mask");
    const QList<QList<qint64>> all = {{1, 1, 1, 1, 1, 1, 0}, {2, 4, 2, 5, 7, 2, 1},  {1, 2, 2, 9, 4, 3, 0},
                                      {2, 2, 1, 4, 9, 3, 2}, {1, 1, 1, 6, 6, 10, 1}, {1, 3, 1, 8, 2, 2, 1}};
    for (const auto& sizes : all)
        for (const auto* mask : {"", "causal", "window:2", "valid_lens"})
            QTest::addRow("L = %d, S = %d, pages of %d, %s", int(sizes[3]), int(sizes[4]), int(sizes[5]), mask)
                << sizes << mask;
}

void PagedTest::local_adds_a_softmax_for_each_pair_of_pages() {
    QFETCH(QList<qint64>, sizes);
    QFETCH(QString, mask);
    const auto B = sizes[0], H = sizes[1], Hkv = sizes[2], L = sizes[3], S = sizes[4], page = sizes[5],
               reach = sizes[6];
    const std::int64_t E = 3, Ev = 2;
    auto problem = paged_local(dot_problem(B, H, Hkv, L, S, E, Ev), page, reach);
    problem.tensors.emplace("valid_lens", Tensor({B}, static_cast<double>(S / 2)));
    if (!mask.isEmpty())
        problem.spec.masks = {parse_mask(mask.toStdString())};
    const auto kept = [&](std::int64_t i, std::int64_t j) {
        if (mask == QLatin1String("causal"))
            return j <= i;
        if (mask == QLatin1String("window:2"))
            return std::abs(i - j) <= 1;
        return mask.isEmpty() || j < S / 2;
    };
    const auto trace = run(problem);
    const auto &q = problem.tensors.at("query"), &k = problem.tensors.at("key"), &v = problem.tensors.at("value");
    Tensor weights({B, H, L, S}), output({B, H, L, Ev});
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t i = 0; i < L; ++i)
                for (std::int64_t first = 0; first < S; first += page) {
                    if (std::abs(i / page - first / page) > reach)
                        continue;
                    std::vector<std::pair<std::int64_t, long double>> terms;
                    long double sum = 0;
                    for (auto j = first; j < std::min(S, first + page); ++j)
                        if (kept(i, j)) {
                            long double score = 0;
                            for (std::int64_t c = 0; c < E; ++c)
                                score += static_cast<long double>(q.at({b, h, i, c})) * k.at({b, h * Hkv / H, j, c});
                            terms.emplace_back(j, std::exp(score / std::sqrt(3.0L)));
                            sum += terms.back().second;
                        }
                    for (const auto& [j, term] : terms) {
                        weights.set({b, h, i, j}, static_cast<double>(term / sum));
                        for (std::int64_t c = 0; c < Ev; ++c)
                            output.set({b, h, i, c}, output.at({b, h, i, c}) + static_cast<double>(term / sum) *
                                                                                   v.at({b, h * Hkv / H, j, c}));
                    }
                }
    QCOMPARE(difference(stage(trace, "weights"), weights, 1e-12), QString());
    QCOMPARE(difference(stage(trace, "output"), output, 1e-12), QString());
    const auto& reads = std::get<PageReads>(trace.exhibits.at(0));
    QCOMPARE(reads.page_size, page);
    QCOMPARE(reads.neighbors, reach);
    QCOMPARE(reads.query_pages, (L + page - 1) / page);
    QCOMPARE(reads.key_pages, (S + page - 1) / page);
    QCOMPARE(stage(trace, "page_lse").shape(), Shape({reads.key_pages, B, H, L}));
}

void PagedTest::one_page_is_exact_attention() {
    const auto plain = dot_problem(2, 2, 1, 5, 6, 4, 3);
    const auto trace = run(paged_local(plain, 6, 0)), exact = run(plain);
    for (const auto* name : {"scores", "scaled", "masked", "weights", "output"})
        QCOMPARE(stage(trace, name), stage(exact, name));
    QVERIFY(!has_note(trace, "sum of distributions"));
}

void PagedTest::a_pair_that_is_blocked_adds_nothing() {
    auto problem = paged_local(dot_problem(1, 1, 1, 4, 4, 3, 2), 2, 1);
    problem.spec.masks = {parse_mask("attn_mask")};
    Tensor mask({4, 4}, 0.0, DType::Bool);
    for (const auto j : {0, 1})
        mask.set({0, j}, 1.0); // row 0 keeps only the second page
    for (const auto j : {0, 1, 2, 3})
        mask.set({3, j}, 1.0); // row 3 keeps nothing
    problem.tensors.emplace("attn_mask", mask);
    const auto trace = run(problem);
    const auto& a = stage(trace, "weights");
    QCOMPARE(a.at({0, 0, 0, 0}), 0.0);
    QVERIFY(close(a.at({0, 0, 0, 2}) + a.at({0, 0, 0, 3}), 1.0, 1e-14));
    QCOMPARE(stage(trace, "page_lse").at({0, 0, 0, 0}), -infinity);
    for (const auto c : {0, 1})
        QCOMPARE(stage(trace, "output").at({0, 0, 3, c}), 0.0);
    QVERIFY(has_note(trace, "Rows with every key blocked: 1 (first: 3)"));
    QVERIFY(has_note(trace, "it sums to the number of these pages, 1 to 2, not to 1"));
}

void PagedTest::a_finite_fill_does_not_open_far_pages() {
    auto problem = paged_local(dot_problem(1, 1, 1, 6, 6, 3, 2), 2, 0);
    problem.spec.masks = {parse_mask("causal")};
    problem.spec.mask_fill.value = -1.0;
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "masked").at({0, 0, 0, 1}), -1.0);
    QCOMPARE(stage(trace, "masked").at({0, 0, 0, 2}), -infinity);
    QVERIFY(stage(trace, "weights").at({0, 0, 0, 1}) > 0.0);
    QCOMPARE(stage(trace, "weights").at({0, 0, 0, 2}), 0.0);
}

void PagedTest::says_what_rows_sum_to() {
    const auto two = run(paged_local(dot_problem(1, 1, 1, 4, 4, 3, 2), 2, 1));
    QVERIFY(has_note(two, "one for each page that it reads. So it sums to 2, not to 1"));
    const auto more = run(paged_local(dot_problem(1, 1, 1, 9, 9, 3, 2), 2, 1));
    QVERIFY(has_note(more, "it sums to the number of these pages, 2 to 3, not to 1"));
}

void PagedTest::counts_the_cells_it_reads() {
    const auto trace = run(paged_local(dot_problem(1, 2, 1, 5, 5, 4, 3), 2, 0));
    // Two heads; pages of 2, 2 and 1 tokens read themselves: 9 of 25 cells.
    QCOMPARE(trace.measures.at(0).value, 2 * 9 * (8 + 6 + 3.0));
    QCOMPARE(*trace.measures.at(0).exact, 2 * 25 * (8 + 6 + 3.0));
    QCOMPARE(trace.measures.at(1).value, 4 * 2 * 9.0);
}

void PagedTest::cache_is_exact_attention_over_the_gathered_tokens_data() {
    QTest::addColumn<QList<qint64>>("sizes"); // B, H, Hkv, L, length
    QTest::addColumn<QString>("mask");
    const QList<QList<qint64>> all = {{1, 2, 2, 3, 10}, {3, 4, 2, 1, 12}, {2, 6, 1, 5, 4}, {1, 1, 1, 2, 1}};
    for (const auto& sizes : all)
        for (const auto* mask : {"", "causal:bottom_right", "window:2", "key_padding"})
            QTest::addRow("B = %d, length = %d, %s", int(sizes[0]), int(sizes[4]), mask) << sizes << mask;
}

void PagedTest::cache_is_exact_attention_over_the_gathered_tokens() {
    QFETCH(QList<qint64>, sizes);
    QFETCH(QString, mask);
    const auto length = std::int64_t{sizes[4]};
    auto problem = cache(sizes[0], sizes[1], sizes[2], sizes[3]);
    problem.spec.parameters.set("length", length);
    if (!mask.isEmpty())
        problem.spec.masks = {parse_mask(mask.toStdString())};
    Tensor padding({sizes[0], length}, 0.0, DType::Bool);
    padding.set({0, 0}, 1.0);
    problem.tensors.emplace("key_padding_mask", padding);
    auto plain = in_one_piece(problem, length);
    plain.tensors.emplace("key_padding_mask", padding);
    const auto issues = issues_in(problem);
    QVERIFY2(issues.empty(), issues.empty() ? "" : issues.front().english().c_str());
    const auto paged = run(problem), exact = run(plain);
    for (const auto& expected : exact.stages)
        QCOMPARE(stage(paged, expected.name), expected.value);
}

void PagedTest::cache_takes_pages_of_one_head() {
    auto problem = cache(1, 2, 1);
    const auto whole = run(problem);
    for (const auto* name : {"key_pages", "value_pages"}) {
        const auto& pages = problem.tensors.at(name);
        problem.tensors.at(name) = pages.reshaped({pages.dim(0), pages.dim(1), pages.dim(3)});
    }
    QCOMPARE(stage(run(problem), "output"), stage(whole, "output"));
}

void PagedTest::shows_the_table_and_the_fragmentation() {
    const auto trace = run(cache());
    const auto& table = std::get<PageTable>(trace.exhibits.at(0));
    QCOMPARE(table.page_size, 4);
    QCOMPARE(table.pool_pages, 6);
    QCOMPARE(table.length, 10);
    QVERIFY(table.block_table == std::vector<std::int64_t>({4, 0, 5}));
    QVERIFY(has_note(trace, "Fragmentation: 10 tokens in 3 pages of 4; 2 of 12 slots are empty (16.7%)"));
    QCOMPARE(trace.measures.at(0).name, std::string("cache_bytes"));
    QCOMPARE(trace.measures.at(0).value, 4.0 * 12 * 2 * (5 + 2));
    QCOMPARE(*trace.measures.at(0).exact, 4.0 * 10 * 2 * (5 + 2));
}

void PagedTest::says_when_the_length_is_a_guess() {
    auto problem = cache();
    QVERIFY(!has_note(run(problem), "length is not given"));
    problem.spec.parameters.erase("length");
    QVERIFY(has_note(run(problem), "length is not given: the first 10 tokens are read, the 3 pages of block_table have "
                                   "slots for 12"));
}

void PagedTest::refuses_what_points_outside_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<Tensor>("tensor");
    QTest::addColumn<int>("length");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char* what, const char* name, const Tensor& tensor, int length, const char* complaint) {
        QTest::newRow(what) << name << tensor << length << complaint;
    };
    const Tensor table({3}, {4, 0, 5}, DType::Int64);
    row("page beyond the pool", "block_table", Tensor({3}, {4, 6, 5}), 10,
        "block_table: has 6 at (1,), expected an integer from 0 to 5: a page of key_pages");
    row("negative page", "block_table", Tensor({3}, {4, 0, -1}), 10,
        "block_table: has -1 at (2,), expected an integer from 0 to 5: a page of key_pages");
    row("half a page", "block_table", Tensor({3}, {0.5, 0, 1}), 10,
        "block_table: has 0.5 at (0,), expected an integer from 0 to 5: a page of key_pages");
    row("no number", "block_table", Tensor({3}, {not_a_number, 0, 1}), 10,
        "block_table: has nan at (0,), expected an integer from 0 to 5: a page of key_pages");
    row("too long", "block_table", table, 13,
        "paged: parameter length is 13, expected an integer in [1, 12]: block_table has 3 pages of 4 tokens");
    row("nothing held", "block_table", table, 0, "paged: parameter length is '0', expected an integer in [1, 1e+09]");
    row("no pages", "block_table", Tensor({0}), 10,
        "key_pages: has no slot for a token: there are 6 pages of 4 tokens and 0 entries in block_table, expected at "
        "least 1 of each");
    row("two page sizes", "value_pages", Tensor({6, 3, 2, 2}), 10,
        "value_pages: has shape (6, 3, 2, 2), expected (N, P, Hkv, Ev) with Hkv = 2 as in key_pages, N = 6 as in "
        "key_pages, P = 4 as in key_pages");
    row("two pools", "value_pages", Tensor({7, 4, 2, 2}), 10,
        "value_pages: has shape (7, 4, 2, 2), expected (N, P, Hkv, Ev) with Hkv = 2 as in key_pages, N = 6 as in "
        "key_pages, P = 4 as in key_pages");
    row("heads that do not divide", "key_pages", Tensor({6, 4, 3, 5}), 10,
        "value_pages: has shape (6, 4, 2, 2), expected (N, P, Hkv, Ev) with Hkv = 3 as in key_pages, N = 6 as in "
        "key_pages, P = 4 as in key_pages");
}

void PagedTest::refuses_what_points_outside() {
    QFETCH(QString, name);
    QFETCH(Tensor, tensor);
    QFETCH(int, length);
    QFETCH(QString, complaint);
    auto problem = cache();
    problem.tensors.insert_or_assign(name.toStdString(), tensor);
    problem.spec.parameters.set("length", std::int64_t{length});
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    const auto issues = issues_in(problem);
    QCOMPARE(issues.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(issues.front().english()), complaint);
}

void PagedTest::each_mode_reads_its_own_inputs() {
    const auto names = [](const AttentionSpec& spec) {
        QStringList list;
        for (const auto& input : inputs_of(spec))
            list << QString::fromStdString(std::string(input.name));
        return list;
    };
    auto problem = cache();
    QCOMPARE(names(problem.spec), QStringList({"query", "key_pages", "value_pages", "block_table"}));
    problem.spec.parameters.erase("mode");
    QCOMPARE(names(problem.spec), QStringList({"query", "key", "value"}));
    QVERIFY(error_of([&] {
                run(problem);
            }).startsWith("key: is missing, expected with mode=local an array of shape (B, Hkv, S, E)"));
    // Pages that do not fit the queries do not affect local attention, like any other unused array.
    auto other = paged_local(dot_problem(1, 1, 1, 4, 4, 3, 2), 2, 1);
    other.tensors.emplace("key_pages", Tensor({2, 2, 2, 9}));
    QVERIFY(issues_in(other).empty());
    // A page size of local attention does not affect a cache, whose pages have their own.
    auto again = cache();
    again.spec.parameters.set("page_size", std::int64_t{3});
    QCOMPARE(stage(run(again), "output"), stage(run(cache()), "output"));
}

void PagedTest::completes_a_cache_and_its_masks() {
    auto problem = dot_problem(2, 4, 2, 3, 5, 6, 6);
    problem.spec.variant = "paged";
    problem.spec.parameters.set("mode", std::string("kv_cache"));
    problem.spec.masks = {parse_mask("key_padding"), parse_mask("attn_mask")};
    const auto made = complete_inputs(problem, 1);
    QVERIFY(made ==
            std::vector<std::string>({"key_pages", "value_pages", "block_table", "key_padding_mask", "attn_mask"}));
    QCOMPARE(problem.tensors.at("key_padding_mask").shape(), Shape({2, 10})); // as many keys as the cache has
    QVERIFY(issues_in(problem).empty());
    QVERIFY(run(problem).find("output"));
    auto entries = problem.tensors.at("block_table");
    QCOMPARE(entries.dtype(), DType::Int64);
    std::vector<double> pages(entries.values().begin(), entries.values().end());
    std::ranges::sort(pages);
    QVERIFY(std::ranges::adjacent_find(pages) == pages.end()); // no page is repeated
    const auto pool = problem.tensors.at("key_pages");
    QVERIFY(pages.back() < static_cast<double>(pool.dim(0)) && std::ssize(pages) < pool.dim(0));
    QVERIFY(complete_inputs(problem, 2, true).empty());
    // Back in local mode the earlier keys and values are still there, so nothing is made.
    problem.spec.parameters.set("mode", std::string("local"));
    problem.spec.masks.clear();
    QVERIFY(complete_inputs(problem, 3).empty());
    QVERIFY(run(problem).find("output"));
}

void PagedTest::finds_the_mode_of_a_file() {
    const auto found = spec_for(cache().tensors);
    QVERIFY(found);
    QCOMPARE(found->variant, std::string("paged"));
    QCOMPARE(found->parameters.choice("mode"), std::string("kv_cache"));
    QVERIFY(spec_for(dot_problem(1, 1, 1, 2, 2, 2, 2).tensors)->parameters.all().empty());
}

ATTNLAB_TEST(PagedTest)
#include "test_paged.moc"

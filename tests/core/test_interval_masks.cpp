#include "core/flash/cpu_backend.h"
#include "core/stages/mask.h"
#include "core/stages/mask_notes.h"
#include "tests/core/engine_support.h"
#include "tests/core/error_of.h"
#include "tests/core/flash_support.h"
#include "tests/core/map_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Rows of "x" blocked and "." kept, of one sequence.
QString picture(const Tensor& blocked, std::int64_t b = 0) {
    QStringList rows;
    for (std::int64_t i = 0; i < blocked.dim(2); ++i) {
        QString row;
        for (std::int64_t j = 0; j < blocked.dim(3); ++j)
            row += blocked.at({b, 0, i, j}) != 0.0 ? 'x' : '.';
        rows << row;
    }
    return rows.join(' ');
}

Tensor whole(Shape shape, std::vector<double> values) {
    return Tensor(std::move(shape), std::move(values), DType::Int64);
}

constexpr int no_offset = 99;

AttentionProblem problem_of(const QString& mask, int B, int L, int S, int offset) {
    auto problem = dot_problem(B, 1, 1, L, S, 1, 1);
    problem.spec.masks = {parse_mask(mask.toStdString())};
    if (offset != no_offset)
        problem.spec.query_offset = offset;
    return problem;
}

} // namespace

/// Masks that relate the place of a query to an interval of each key.
class IntervalMasksTest : public QObject {
    Q_OBJECT
private slots:
    void blocks_the_cells_of_its_rule_data();
    void blocks_the_cells_of_its_rule();
    void follows_the_offset_of_each_sequence();
    void separates_sequences();
    void reads_an_image_data();
    void reads_an_image();
    void refuses_wrong_arrays_data();
    void refuses_wrong_arrays();
    void reads_the_command_line_data();
    void reads_the_command_line();
    void notes_what_is_in_doubt_data();
    void notes_what_is_in_doubt();
    void reaches_every_engine();
    void keeps_the_arrangement_of_the_keys();
};

void IntervalMasksTest::blocks_the_cells_of_its_rule_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("L");
    QTest::addColumn<int>("S");
    QTest::addColumn<int>("offset");
    QTest::addColumn<QString>("array");
    QTest::addColumn<Tensor>("values");
    QTest::addColumn<QString>("cells");
    const auto row = [](const char* name, const char* mask, int L, int S, int offset, const char* array,
                        const Tensor& values, const char* cells) {
        QTest::newRow(name) << mask << L << S << offset << array << values << cells;
    };
    const auto plain = [&](const char* name, const char* mask, int L, int S, int offset, const char* cells) {
        row(name, mask, L, S, offset, "", {}, cells);
    };
    plain("dilated", "dilated:2,2", 5, 5, no_offset, ".x.xx x.x.x .x.x. x.x.x xx.x.");
    plain("dilated by 1 is a window", "dilated:2,1", 3, 4, no_offset, "..xx ...x x...");
    plain("dilated without neighbours", "dilated:1,3", 2, 3, no_offset, ".xx x.x");
    plain("dilated before the keys", "dilated:4,2", 2, 4, -3, "x.xx .x.x");
    plain("chunked", "chunked:2", 4, 4, no_offset, "..xx ..xx xx.. xx..");
    plain("chunk beyond S", "chunked:9", 2, 3, no_offset, "... ...");
    plain("chunked before the keys", "chunked:2", 4, 3, -1, "xxx ..x ..x xx.");
    plain("block causal", "block_causal:2", 4, 5, no_offset, "..xxx ..xxx ....x ....x");
    plain("block causal later", "block_causal:3", 2, 6, 2, "...xxx ......");
    row("documents", "documents", 4, 4, no_offset, "segment_ids", whole({1, 4}, {5, 5, 2, 5}), "..x. ..x. xx.x ..x.");
    row("documents with padding", "documents", 3, 3, no_offset, "segment_ids", whole({1, 3}, {-1, 0, -1}),
        "xxx x.x xxx");
    row("documents of later queries", "documents", 2, 4, 2, "segment_ids", whole({1, 4}, {0, 1, 1, 0}), "x..x .xx.");
    row("documents of queries without a key", "documents", 3, 2, 1, "segment_ids", whole({2}, {0, 1}), "x. xx xx");
    row("tree", "tree", 5, 5, no_offset, "parents", whole({5}, {-1, 0, 0, 1, 2}), ".xxxx ..xxx .x.xx ..x.x .x.x.");
    row("two roots", "tree", 3, 3, no_offset, "parents", whole({1, 3}, {-1, -1, 1}), ".xx x.x x..");
    row("tree after a cache", "tree", 2, 4, no_offset, "parents", whole({2}, {-1, -1}), "...x ..x.");
    row("tree after one key", "tree", 2, 4, 1, "parents", whole({2}, {-1, 0}), "..xx ...x");
    row("tree before the keys", "tree", 3, 2, no_offset, "parents", whole({3}, {-1, 0, 1}), "xx .x ..");
}

void IntervalMasksTest::blocks_the_cells_of_its_rule() {
    QFETCH(QString, mask);
    QFETCH(int, L);
    QFETCH(int, S);
    QFETCH(int, offset);
    QFETCH(QString, array);
    QFETCH(Tensor, values);
    QFETCH(QString, cells);
    auto problem = problem_of(mask, 1, L, S, offset);
    if (!array.isEmpty())
        problem.tensors.emplace(array.toStdString(), values);
    QVERIFY(issues_in(problem).empty());
    QCOMPARE(picture(blocked_cells(resolve(problem))), cells);
    QCOMPARE(picture(blocked_by(problem.spec.masks.front(), problem, {1, 1, L, S})), cells);
}

void IntervalMasksTest::follows_the_offset_of_each_sequence() {
    for (const auto* mask : {"dilated:4,2", "chunked:3", "block_causal:2", "tree", "documents"}) {
        auto problem = problem_of(mask, 3, 2, 6, no_offset);
        problem.tensors.emplace("parents", whole({3, 2}, {-1, 0, -1, -1, -1, 0}));
        problem.tensors.emplace("segment_ids", whole({1, 6}, {0, 0, 1, 1, 2, 2}));
        problem.tensors.emplace("query_offset", whole({3}, {0, 3, 4}));
        const auto all = blocked_cells(resolve(problem));
        problem.tensors.erase("query_offset");
        const int offsets[] = {0, 3, 4};
        for (int b = 0; b < 3; ++b) {
            problem.spec.query_offset = offsets[b];
            QCOMPARE(picture(all, b), picture(blocked_cells(resolve(problem)), b));
        }
    }
}

void IntervalMasksTest::separates_sequences() {
    auto problem = problem_of(QStringLiteral("documents"), 2, 3, 3, no_offset);
    problem.tensors.emplace("segment_ids", whole({2, 3}, {0, 0, 1, 0, 1, 1}));
    const auto blocked = blocked_cells(resolve(problem));
    QCOMPARE(picture(blocked, 0), QStringLiteral("..x ..x xx."));
    QCOMPARE(picture(blocked, 1), QStringLiteral(".xx x.. x.."));
    problem.tensors.emplace("query_segment_ids", whole({1, 3}, {1, 7, -1}));
    const auto of_queries = blocked_cells(resolve(problem));
    QCOMPARE(picture(of_queries, 0), QStringLiteral("xx. xxx xxx"));
    QCOMPARE(picture(of_queries, 1), QStringLiteral("x.. xxx xxx"));
}

void IntervalMasksTest::reads_an_image_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("query");
    QTest::addColumn<QString>("keys"); // of an image of 3 x 4
    QTest::newRow("corner") << "neighborhood:3" << 0 << "...x ...x ...x";
    QTest::newRow("corner, clipped") << "neighborhood:3,clip" << 0 << "..xx ..xx xxxx";
    QTest::newRow("inside") << "neighborhood:3" << 6 << "x... x... x...";
    QTest::newRow("edge") << "neighborhood:3" << 7 << "x... x... x...";
    QTest::newRow("edge, clipped") << "neighborhood:3,clip" << 7 << "xx.. xx.. xx..";
    QTest::newRow("itself") << "neighborhood:1" << 5 << "xxxx x.xx xxxx";
    QTest::newRow("wider than the image") << "neighborhood:5" << 5 << ".... .... ....";
    QTest::newRow("wider than the image, clipped") << "neighborhood:5,clip" << 0 << "...x ...x ...x";
}

void IntervalMasksTest::reads_an_image() {
    QFETCH(QString, mask);
    QFETCH(int, query);
    QFETCH(QString, keys);
    auto problem = problem_of(mask, 1, 12, 12, no_offset);
    problem.key_grid = KeyGrid{3, 4};
    const auto row = picture(blocked_cells(resolve(problem))).split(' ').at(query);
    QCOMPARE(row, QString(keys).remove(' '));
}

void IntervalMasksTest::refuses_wrong_arrays_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("array");
    QTest::addColumn<Tensor>("values");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char* name, const char* mask, const char* array, const Tensor& values,
                        const char* complaint) { QTest::newRow(name) << mask << array << values << complaint; };
    row("fraction", "documents", "segment_ids", Tensor({1, 3}, {0, 0.5, 1}),
        "segment_ids: has 0.5 at (0, 1), expected whole numbers; a negative one marks padding");
    row("NaN", "documents", "segment_ids", Tensor({1, 3}, {0, NAN, 1}),
        "segment_ids: has nan at (0, 1), expected whole numbers; a negative one marks padding");
    row("no array", "documents", "other", whole({1, 3}, {1, 1, 1}),
        "segment_ids: is missing, expected an array of shape (B or 1, S) or (S,) with B = 1 as in query, S = 3 as in "
        "key");
    row("later parent", "tree", "parents", whole({2}, {-1, 1}),
        "parents: has 1 at (1,), expected a whole number from -1 to 0: a parent is before its children, and -1 is a "
        "root");
    row("parent of a half", "tree", "parents", Tensor({2}, {-1, -0.5}),
        "parents: has -0.5 at (1,), expected a whole number from -1 to 0: a parent is before its children, and -1 is "
        "a root");
    row("even box", "neighborhood:4", "other", {}, "neighborhood: w is 4, expected an odd number");
    row("no image", "neighborhood", "other", {},
        "neighborhood: needs the arrangement of the 3 keys as an image: the menu Attention has it, or --key-grid "
        "ROWSxCOLUMNS");
}

void IntervalMasksTest::refuses_wrong_arrays() {
    QFETCH(QString, mask);
    QFETCH(QString, array);
    QFETCH(Tensor, values);
    QFETCH(QString, complaint);
    auto problem = problem_of(mask, 1, 2, 3, no_offset);
    problem.tensors.emplace(array.toStdString(), values);
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    QVERIFY(!issues_in(problem).empty());
}

void IntervalMasksTest::reads_the_command_line_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("both") << "dilated:4,3"
                          << "";
    QTest::newRow("one") << "dilated:4"
                         << "";
    QTest::newRow("third") << "dilated:4,3,2"
                           << "dilated: takes 2 values, got another one: '2'";
    QTest::newRow("step of 0") << "dilated:4,0"
                               << "dilated: parameter d is '0', expected an integer in [1, 1e+09]";
    QTest::newRow("border") << "neighborhood:3,wrap"
                            << "neighborhood: parameter border is 'wrap', expected one of shift, clip";
    QTest::newRow("no value") << "tree:3"
                              << "tree: takes no value, got '3'";
}

void IntervalMasksTest::reads_the_command_line() {
    QFETCH(QString, text);
    QFETCH(QString, complaint);
    Selection read;
    QCOMPARE(error_of([&] { read = parse_mask(text.toStdString()); }), complaint);
    if (!complaint.isEmpty())
        return;
    QCOMPARE(read.parameters.integer("w"), std::int64_t{4});
    QCOMPARE(complete_mask(read).parameters.integer("d"), text.contains(',') ? std::int64_t{3} : std::int64_t{2});
}

void IntervalMasksTest::notes_what_is_in_doubt_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<bool>("idle");
    QTest::addColumn<bool>("in_doubt");
    QTest::newRow("chunked") << "chunked:2" << false << true;
    QTest::newRow("one chunk") << "chunked:9" << true << false;
    QTest::newRow("dilated") << "dilated:4,2" << false << true;
    QTest::newRow("block causal") << "block_causal:2" << false << true;
    QTest::newRow("tree") << "tree" << false << false;
    QTest::newRow("documents") << "documents" << false << true;
}

void IntervalMasksTest::notes_what_is_in_doubt() {
    QFETCH(QString, mask);
    QFETCH(bool, idle);
    QFETCH(bool, in_doubt);
    auto problem = problem_of(mask, 1, 3, 8, no_offset);
    problem.tensors.emplace("parents", whole({3}, {-1, 0, 0}));
    problem.tensors.emplace("segment_ids", whole({8}, {0, 0, 1, 1, 2, 2, 3, 3}));
    const auto trace = run(problem);
    QCOMPARE(has_note(trace, "blocks none of the 24 cells"), idle);
    QCOMPARE(has_note(trace, "the first query is at the first key"), in_doubt);
    problem.spec.query_offset = 5;
    QVERIFY(!has_note(run(problem), "the first query is at the first key"));
    problem.spec.query_offset = 6;
    QCOMPARE(has_note(run(problem), "belong to no document and read nothing: 1 of 3 (first: 2)"),
             mask == QLatin1String("documents"));
}

/// Attention in tiles and maps have the mask of the image, too.
void IntervalMasksTest::reaches_every_engine() {
    for (const auto* mask : {"neighborhood:3", "neighborhood:5,clip"}) {
        auto problem = flash_problem(1, 2, 1, 90, 90, 8, 8);
        problem.key_grid = KeyGrid{9, 10};
        add_mask(problem, mask);
        const auto tiled = cpu_backend().run(problem, {}), exact = run(problem);
        const auto differs = difference(stage(tiled, "output"), stage(exact, "output"), 4e-6);
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
        const AttentionMap map(inputs_of_map(problem), 0, 0);
        const auto blocked = blocked_cells(resolve(problem));
        for (const std::int64_t row : {0, 44, 89}) {
            const auto keys = map.blocked_keys(row);
            for (std::int64_t j = 0; j < 90; ++j)
                QCOMPARE(keys[static_cast<std::size_t>(j)], blocked.at({0, 0, row, j}) != 0.0);
        }
    }
}

void IntervalMasksTest::keeps_the_arrangement_of_the_keys() {
    auto problem = problem_of(QStringLiteral("neighborhood"), 1, 12, 12, no_offset);
    QVERIFY(complete_inputs(problem, 1).empty());
    QCOMPARE(problem.key_grid, (std::optional<KeyGrid>{{3, 4}}));
    const auto again = as_problem(resolve(problem));
    QCOMPARE(again.key_grid, problem.key_grid);
    QCOMPARE(blocked_cells(resolve(again)), blocked_cells(resolve(problem)));
    problem.key_grid = KeyGrid{2, 5};
    QCOMPARE(error_of([&] { run(problem); }),
             QStringLiteral("neighborhood: has 12 queries, 12 keys and an image of 2 x 5; expected as many queries and "
                            "keys as the image has patches"));
}

ATTNLAB_TEST(IntervalMasksTest)
#include "test_interval_masks.moc"

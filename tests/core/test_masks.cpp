#include "core/stages/mask.h"
#include "core/stages/sliding_window.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// One character for each cell, rows separated by spaces: "x" blocked, "." kept.
QString picture(const Tensor& blocked, std::int64_t head = 0) {
    const auto cells = matrix_at(blocked, head);
    QStringList rows;
    for (std::int64_t i = 0; i < cells.rows; ++i) {
        QString row;
        for (const double cell : cells.row(i))
            row += cell != 0.0 ? 'x' : '.';
        rows << row;
    }
    return rows.join(' ');
}

Tensor with(Shape shape, std::initializer_list<std::int64_t> index, double value) {
    Tensor tensor(std::move(shape));
    tensor.set(index, value);
    return tensor;
}

} // namespace

class MasksTest : public QObject {
    Q_OBJECT
private slots:
    void blocks_the_cells_of_its_rule_data();
    void blocks_the_cells_of_its_rule();
    void spreads_arrays_over_heads_data();
    void spreads_arrays_over_heads();
    void starts_at_the_query_offset_data();
    void starts_at_the_query_offset();
    void the_causal_mechanism_follows_the_offset();
    void refuses_other_offsets_data();
    void refuses_other_offsets();
    void combines_with_and();
    void spreads_the_bias();
    void fills_blocked_cells();
    void lets_appended_keys_through();
    void has_no_cells_where_nothing_can_block();
    void says_when_rows_are_unusual_data();
    void says_when_rows_are_unusual();
    void reads_the_command_line_data();
    void reads_the_command_line();
};

void MasksTest::blocks_the_cells_of_its_rule_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("L");
    QTest::addColumn<int>("S");
    QTest::addColumn<QString>("cells");
    QTest::newRow("causal") << "causal" << 3 << 4 << ".xxx ..xx ...x";
    QTest::newRow("causal, more queries than keys") << "causal" << 4 << 2 << ".x .. .. ..";
    QTest::newRow("bottom right") << "causal:bottom_right" << 3 << 4 << "..xx ...x ....";
    QTest::newRow("bottom right, more queries than keys") << "causal:bottom_right" << 4 << 2 << "xx xx .x ..";
    QTest::newRow("window of 0") << "window:0" << 2 << 3 << ".xx x.x";
    QTest::newRow("window of 1 is that of 0") << "window:1" << 2 << 3 << ".xx x.x";
    QTest::newRow("window of 2") << "window:2" << 3 << 5 << "..xxx ...xx x...x";
    QTest::newRow("window of 1e9") << "window:1000000000" << 2 << 2 << ".. ..";
    QTest::newRow("prefix of 0") << "prefix:0" << 3 << 3 << ".xx ..x ...";
    QTest::newRow("prefix of 2") << "prefix:2" << 3 << 4 << "..xx ..xx ...x";
    QTest::newRow("prefix beyond S") << "prefix:9" << 2 << 3 << "... ...";
}

void MasksTest::blocks_the_cells_of_its_rule() {
    QFETCH(QString, mask);
    QFETCH(int, L);
    QFETCH(int, S);
    QFETCH(QString, cells);
    auto problem = dot_problem(2, 3, 3, L, S, 1, 1);
    problem.spec.masks = {parse_mask(mask.toStdString())};
    const auto blocked = blocked_cells(resolve(problem));
    QCOMPARE(blocked.shape(), Shape({2, 3, L, S}));
    for (std::int64_t head = 0; head < 6; ++head)
        QCOMPARE(picture(blocked, head), cells);
}

void MasksTest::spreads_arrays_over_heads_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("name");
    QTest::addColumn<Tensor>("array");
    QTest::addColumn<QStringList>("cells"); // of (batch, head) (0,0) (0,1) (1,0) (1,1)
    const auto row = [](const char* name, const char* mask, const char* tensor, const Tensor& array,
                        const QStringList& cells) { QTest::newRow(name) << mask << tensor << array << cells; };
    row("lengths", "valid_lens", "valid_lens", Tensor({2}, {1, 3}), {".xx .xx", ".xx .xx", "... ...", "... ..."});
    row("lengths per query", "valid_lens", "valid_lens", Tensor({2, 2}, {0, 3, 1, 2}),
        {"xxx ...", "xxx ...", ".xx ..x", ".xx ..x"});
    row("padding", "key_padding", "key_padding_mask", with({2, 3}, {1, 0}, 1),
        {"... ...", "... ...", "x.. x..", "x.. x.."});
    row("(L,S)", "attn_mask", "attn_mask", with({2, 3}, {0, 1}, 1), {".x. ...", ".x. ...", ".x. ...", ".x. ..."});
    row("(B*H,L,S)", "attn_mask", "attn_mask", with({4, 2, 3}, {2, 0, 1}, 1),
        {"... ...", "... ...", ".x. ...", "... ..."});
    row("(B,H,L,S)", "painted", "painted_mask", with({2, 2, 2, 3}, {1, 1, 1, 2}, 1),
        {"... ...", "... ...", "... ...", "... ..x"});
    row("(B,1,L,S)", "painted", "painted_mask", with({2, 1, 2, 3}, {1, 0, 1, 2}, 1),
        {"... ...", "... ...", "... ..x", "... ..x"});
    row("(1,H,L,S)", "attn_mask", "attn_mask", with({1, 2, 2, 3}, {0, 1, 1, 2}, 1),
        {"... ...", "... ..x", "... ...", "... ..x"});
    row("(1,1,L,S)", "attn_mask", "attn_mask", with({1, 1, 2, 3}, {0, 0, 1, 2}, 1),
        {"... ..x", "... ..x", "... ..x", "... ..x"});
}

void MasksTest::spreads_arrays_over_heads() {
    QFETCH(QString, mask);
    QFETCH(QString, name);
    QFETCH(Tensor, array);
    QFETCH(QStringList, cells);
    auto problem = dot_problem(2, 2, 2, 2, 3, 1, 1);
    problem.spec.masks = {parse_mask(mask.toStdString())};
    problem.tensors.emplace(name.toStdString(), array);
    QVERIFY(issues_in(problem).empty());
    const auto blocked = blocked_cells(resolve(problem));
    for (int head = 0; head < 4; ++head)
        QCOMPARE(picture(blocked, head), cells[head]);
    if (mask == QLatin1String("attn_mask")) {
        problem.spec.mask_true = MaskTrue::Keeps;
        const auto kept = blocked_cells(resolve(problem));
        for (std::size_t k = 0; k < kept.values().size(); ++k)
            QCOMPARE(kept.values()[k], 1.0 - blocked.values()[k]);
    } else {
        problem.spec.mask_true = MaskTrue::Keeps; // these always read True as blocked
        QCOMPARE(blocked_cells(resolve(problem)), blocked);
    }
}

void MasksTest::starts_at_the_query_offset_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QStringList>("cells"); // of sequences at 0, 2 and -1
    const auto row = [](const char* mask, const QStringList& cells) { QTest::newRow(mask) << mask << cells; };
    row("causal", {".xxx ..xx", "...x ....", "xxxx .xxx"});
    row("prefix:2", {"..xx ..xx", "...x ....", "..xx ..xx"});
    row("window:2", {"..xx ...x", "x... xx..", ".xxx ..xx"});
    row("window:1,0", {".xxx ..xx", "x..x xx..", "xxxx .xxx"});
    row("window:-1,1", {"..xx ...x", ".... ....", ".xxx ..xx"});
    row("window:0,inf", {".... x...", "xx.. xxx.", ".... ...."});
    row("sliding_window:2", {".xxx ..xx", "x..x xx..", "xxxx .xxx"});
}

void MasksTest::starts_at_the_query_offset() {
    QFETCH(QString, mask);
    QFETCH(QStringList, cells);
    const std::int64_t offsets[] = {0, 2, -1};
    auto problem = dot_problem(3, 1, 1, 2, 4, 1, 1);
    problem.spec.masks = parse_masks(mask.toStdString());
    for (int b = 0; b < 3; ++b) {
        problem.spec.query_offset = offsets[b];
        for (int head = 0; head < 3; ++head)
            QCOMPARE(picture(blocked_cells(resolve(problem)), head), cells[b]);
    }
    problem.spec.query_offset.reset();
    problem.tensors.emplace("query_offset", Tensor({3}, {0, 2, -1}, DType::Int64));
    QVERIFY(issues_in(problem).empty());
    const auto blocked = blocked_cells(resolve(problem));
    for (int b = 0; b < 3; ++b)
        QCOMPARE(picture(blocked, b), cells[b]);
    const auto again = blocked_cells(resolve(as_problem(resolve(problem))));
    QCOMPARE(again, blocked);
    for (const auto& one : problem.spec.masks)
        if (problem.spec.masks.size() == 1)
            QCOMPARE(blocked_by(one, problem, {3, 1, 2, 4}), blocked);
}

/// Its mask is on without being chosen.
void MasksTest::the_causal_mechanism_follows_the_offset() {
    AttentionProblem problem;
    problem.spec.variant = "causal";
    complete_inputs(problem, 1);
    const auto L = problem.tensors.at("x").dim(-2);
    problem.tensors["query_offset"] = Tensor({1}, 1.0, DType::Int64);
    const auto by_array = run(problem);
    QCOMPARE(stage(by_array, "blocked").at({0, 0, 0, 1}), 0.0);
    QCOMPARE(stage(by_array, "blocked").at({0, 0, 0, 2}), 1.0);
    QVERIFY(L > 2);
    problem.tensors.erase("query_offset");
    problem.spec.query_offset = 1;
    QCOMPARE(stage(run(problem), "weights"), stage(by_array, "weights"));
}

void MasksTest::refuses_other_offsets_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("offset"); // 99: none
    QTest::addColumn<Tensor>("array");
    QTest::addColumn<QString>("complaint");
    const Tensor none, two({2}, {3, 3});
    const auto row = [](const char* name, const char* mask, int offset, const Tensor& array, const char* complaint) {
        QTest::newRow(name) << mask << offset << array << complaint;
    };
    row("same", "causal", 3, two, "");
    row("other number", "window", 4, two,
        "query_offset: the array has 3 at (0,), the setting --query-offset is 4; expected one of them, or the same "
        "number in both");
    row("fraction", "causal", 99, Tensor({2}, {3, 0.5}),
        "query_offset: has 0.5 at (1,), expected integers from -1e+09 to 1e+09");
    row("NaN", "prefix", 99, Tensor({2}, {NAN, 0}),
        "query_offset: has nan at (0,), expected integers from -1e+09 to 1e+09");
    row("size", "causal", 99, Tensor({3}, {1, 2, 3}),
        "query_offset: has shape (3,), expected (B,) with B = 2 as in query");
    row("far", "causal", 2000000000, none, "query_offset: is 2000000000, expected an integer from -1e+09 to 1e+09");
    row("bottom right", "causal:bottom_right", 2, none,
        "query_offset: is 2, and causal:bottom_right is an offset as well (S - L); expected one of them. causal alone "
        "follows query_offset");
    row("bottom right and array", "causal:bottom_right", 99, two,
        "query_offset: is [3, 3], and causal:bottom_right is an offset as well (S - L); expected one of them. causal "
        "alone follows query_offset");
}

void MasksTest::refuses_other_offsets() {
    QFETCH(QString, mask);
    QFETCH(int, offset);
    QFETCH(Tensor, array);
    QFETCH(QString, complaint);
    auto problem = dot_problem(2, 1, 1, 2, 4, 1, 1);
    problem.spec.masks = {parse_mask(mask.toStdString())};
    if (offset != 99)
        problem.spec.query_offset = offset;
    if (array.size() > 0)
        problem.tensors.emplace("query_offset", array);
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    const auto issues = issues_in(problem);
    QCOMPARE(issues.empty() ? QString() : QString::fromStdString(issues.front().english()), complaint);
}

void MasksTest::combines_with_and() {
    auto problem = dot_problem(1, 1, 1, 3, 4, 1, 1);
    problem.spec.masks = {parse_mask("causal:bottom_right"), parse_mask("window:2")};
    QCOMPARE(picture(blocked_cells(resolve(problem))), QStringLiteral("..xx ...x x..."));
}

void MasksTest::spreads_the_bias() {
    auto problem = dot_problem(1, 2, 2, 2, 2, 1, 1);
    problem.tensors.emplace("attn_bias", Tensor({1, 2, 2, 2}, {1, 2, 3, -infinity, 5, 6, 7, 8}));
    problem.spec.masks = {parse_mask("attn_bias")};
    QCOMPARE(attention_bias(resolve(problem)), problem.tensors.at("attn_bias"));
    const auto trace = run(problem);
    QVERIFY(!trace.find("blocked"));
    const auto& scaled = stage(trace, "scaled");
    QCOMPARE(stage(trace, "masked").at({0, 1, 1, 0}), scaled.at({0, 1, 1, 0}) + 7.0);
    QCOMPARE(stage(trace, "weights").at({0, 0, 1, 1}), 0.0);
}

void MasksTest::fills_blocked_cells() {
    const Tensor scores({1, 1, 1, 3}, {1, 2, 3});
    const Tensor blocked({1, 1, 1, 3}, {0, 1, 1}, DType::Bool);
    const Tensor bias({1, 1, 1, 3}, {10, 20, -infinity});
    QCOMPARE(apply_masks(scores, {}, blocked, {-7, MaskFill::Mode::Replace}), Tensor({1, 1, 1, 3}, {1, -7, -7}));
    QCOMPARE(apply_masks(scores, {}, blocked, {-7, MaskFill::Mode::Add}), Tensor({1, 1, 1, 3}, {1, -5, -4}));
    QCOMPARE(apply_masks(scores, bias, blocked, {-7, MaskFill::Mode::Replace}), Tensor({1, 1, 1, 3}, {11, -7, -7}));
    QCOMPARE(apply_masks(scores, bias, blocked, {-7, MaskFill::Mode::Add}), Tensor({1, 1, 1, 3}, {11, 15, -infinity}));
}

void MasksTest::lets_appended_keys_through() {
    const Tensor scores({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor blocked({1, 1, 2, 2}, {1, 0, 0, 1}, DType::Bool);
    QCOMPARE(apply_masks(scores, {}, blocked, {0, MaskFill::Mode::Replace}, 1),
             Tensor({1, 1, 2, 3}, {0, 2, 3, 4, 0, 6}));
}

void MasksTest::has_no_cells_where_nothing_can_block() {
    auto problem = dot_problem(1, 1, 1, 2, 2, 1, 1);
    QCOMPARE(blocked_cells(resolve(problem)).size(), 0);
    QCOMPARE(attention_bias(resolve(problem)).size(), 0);
}

void MasksTest::says_when_rows_are_unusual_data() {
    QTest::addColumn<double>("fill");
    QTest::addColumn<bool>("adds");
    QTest::addColumn<QString>("note");
    QTest::newRow("-inf") << -infinity << false
                          << "Rows with every key blocked: 1 (first: “b”). Their weights and output";
    QTest::newRow("-1e6") << -1e6 << false << "Rows with every key blocked: 1 (first: “b”). The fill -1e+06 is finite";
    QTest::newRow("+ -1e9") << -1e9 << true
                            << "Rows with every key blocked: 1 (first: “b”). Adding -1e+09 to a whole row";
}

void MasksTest::says_when_rows_are_unusual() {
    QFETCH(double, fill);
    QFETCH(bool, adds);
    QFETCH(QString, note);
    auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
    problem.query_tokens = {"a", "b", "c"};
    problem.tensors.emplace("painted_mask", Tensor({3, 3}, {0, 0, 0, 1, 1, 1, 1, 0, 1}, DType::Bool));
    problem.spec.masks = {parse_mask("painted")};
    problem.spec.mask_fill = {fill, adds ? MaskFill::Mode::Add : MaskFill::Mode::Replace};
    const auto trace = run(problem);
    QVERIFY(has_note(trace, note.toStdString()));
    QCOMPARE(has_note(trace, "Rows that see one key: 1 (first: “c”)"), std::isinf(fill));
}

void MasksTest::reads_the_command_line_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("window") << "window:7"
                            << "";
    QTest::newRow("default") << "prefix"
                             << "";
    QTest::newRow("word") << "window:wide"
                          << "window: parameter w is 'wide', expected an integer in [0, 1e+09]";
    QTest::newRow("signs") << "window:+-2"
                           << "window: parameter w is '+-2', expected an integer in [0, 1e+09]";
    QTest::newRow("fraction") << "prefix:1.5"
                              << "prefix: parameter p is '1.5', expected an integer in [0, 1e+09]";
    QTest::newRow("corner") << "causal:left"
                            << "causal: parameter alignment is 'left', expected one of top_left, bottom_right";
    QTest::newRow("reach") << "window:2,x"
                           << "window: parameter right is 'x', expected an integer in [-1, 1e+09]";
    QTest::newRow("three reaches") << "window:2,1,0"
                                   << "window: parameter right is '1,0', expected an integer in [-1, 1e+09]";
    QTest::newRow("no value wanted") << "painted:3"
                                     << "painted: takes no value, got '3'";
    QTest::newRow("unknown") << "band:3"
                             << "mask: 'band' is not one of " + known_ids(mask_kinds());
}

void MasksTest::reads_the_command_line() {
    QFETCH(QString, text);
    QFETCH(QString, complaint);
    Selection read;
    QCOMPARE(error_of([&] { read = parse_mask(text.toStdString()); }), complaint);
    if (text == QLatin1String("window:7"))
        QCOMPARE(read.parameters.integer("w"), std::int64_t{7});
}

ATTNLAB_TEST(MasksTest)
#include "test_masks.moc"

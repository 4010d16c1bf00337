#include "core/random.h"
#include "tests/test_main.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/panels/inputs/tensor_table.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMimeData>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

using Numbers = std::vector<double>;

AttentionProblem sample() {
    AttentionProblem problem;
    problem.spec.variant = "scaled_dot_product";
    problem.spec.masks = {{"attn_mask", {}}};
    problem.tensors["query"] = Tensor({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    problem.tensors["key"] = Tensor({3, 3}, 1.0);
    problem.tensors["value"] = Tensor({3, 2}, 1.0);
    problem.tensors["attn_mask"] = Tensor({3, 3}, 0.0, DType::Bool);
    problem.query_tokens = {"a", "b", "c"};
    return problem;
}

} // namespace

class TestTensorTable : public QObject {
    Q_OBJECT

    Document document_;
    std::unique_ptr<TensorModel> model_;
    std::unique_ptr<TensorTable> table_;

    Numbers numbers(const char* name = "query") const {
        const auto values = document_.problem().tensors.at(name).values();
        return {values.begin(), values.end()};
    }
    Shape shape(const char* name = "query") const { return document_.problem().tensors.at(name).shape(); }
    int steps() { return document_.undoStack()->count(); }

    void select(int top, int left, int rows = 1, int columns = 1) {
        table_->setCurrentIndex(model_->index(top, left));
        table_->selectionModel()->select(
            QItemSelection(model_->index(top, left), model_->index(top + rows - 1, left + columns - 1)),
            QItemSelectionModel::ClearAndSelect);
    }
    void pasteText(const QString& text) {
        QApplication::clipboard()->setText(text);
        QTest::keyClick(table_.get(), Qt::Key_V, Qt::ControlModifier);
    }
    QPoint at(int row, int column) const { return table_->visualRect(model_->index(row, column)).center(); }

private slots:
    void keysWidenAColumn() {
        select(0, 1);
        const int first = table_->columnWidth(0), before = table_->columnWidth(1);
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(table_.get(), Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        const int letter = table_->fontMetrics().averageCharWidth();
        QCOMPARE(table_->columnWidth(1), before + 3 * letter);
        QCOMPARE(table_->columnWidth(0), first);
        QTest::keyClick(table_.get(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(table_->columnWidth(1), before + 2 * letter);
        for (int i = 0; i < 99; ++i)
            QTest::keyClick(table_.get(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(table_->columnWidth(1), 2 * letter); // the least
        QCOMPARE(table_->currentIndex(), model_->index(0, 1));
    }

    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void init() {
        document_.reset(sample());
        model_ = std::make_unique<TensorModel>(document_);
        model_->show("query");
        table_ = std::make_unique<TensorTable>(*model_);
        table_->resize(400, 300);
        table_->show();
        table_->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(table_.get()));
    }
    void cleanup() {
        table_.reset();
        model_.reset();
    }

    void typingReplacesTheCellAndEnterGoesDown() {
        select(0, 1);
        QTest::keyClicks(table_.get(), "-");
        auto* editor = table_->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "2.5");
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(numbers()[1], -2.5);
        QCOMPARE(table_->currentIndex(), model_->index(1, 1));
        QCOMPARE(steps(), 1);
    }

    void anotherDocumentMayComeBetweenEnterAndItsEffect() {
        QTest::failOnWarning(QRegularExpression("editor"));
        select(0, 1);
        QTest::keyClicks(table_.get(), "4");
        QTest::keyClick(table_->findChild<QLineEdit*>(), Qt::Key_Return);
        auto other = sample();
        other.tensors["query"] = Tensor({2, 3}, 7.0);
        document_.reset(other);
        QCoreApplication::processEvents();
        QCOMPARE(numbers(), Numbers(6, 7.0));
        QCOMPARE(steps(), 0);
    }

    void tabEntersANumberAndGoesRight() {
        select(1, 0);
        QTest::keyClicks(table_.get(), "5");
        auto* editor = table_->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClick(editor, Qt::Key_Tab);
        QCOMPARE(numbers()[3], 5.0);
        QCOMPARE(table_->currentIndex(), model_->index(1, 1));
    }

    /// The table is one stop of Tab.
    void tabLeavesFromAnywhere() {
        for (const auto modifiers : {Qt::NoModifier, Qt::ControlModifier}) {
            select(0, 0);
            QTest::keyClick(table_.get(), Qt::Key_Tab, modifiers);
            QCOMPARE(table_->currentIndex(), model_->index(0, 0));
        }
    }

    void aRefusedTextStaysWhereItWas() {
        QSignalSpy messages(table_.get(), &TensorTable::messageRaised);
        select(0, 0);
        QTest::keyClicks(table_.get(), "x");
        QTest::keyClick(table_->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_COMPARE(messages.count(), 1);
        QCOMPARE(numbers()[0], 1.0);
        QCOMPARE(steps(), 0);
        QVERIFY(messages[0][0].toString().contains("x"));
        QCOMPARE(table_->currentIndex(), model_->index(0, 0));
    }

    void deleteWritesZerosAsOneStep() {
        select(1, 0, 2, 2);
        QTest::keyClick(table_.get(), Qt::Key_Delete);
        QCOMPARE(numbers(), (Numbers{1, 2, 3, 0, 0, 6, 0, 0, 9}));
        QCOMPARE(steps(), 1);
        document_.undoStack()->undo();
        QVERIFY(document_.problem() == sample());
    }

    void copyGivesExactTextAndHtml() {
        document_.setTensor("query", Tensor({3, 3}, {1.0 / 3.0, -2, 3, 4, 5, 6, 7, 8, 9}), "Edit");
        select(0, 0, 2, 2);
        QTest::keyClick(table_.get(), Qt::Key_C, Qt::ControlModifier);
        const auto* mime = QApplication::clipboard()->mimeData();
        QCOMPARE(mime->text(), QString("0.3333333333333333\t-2\n4\t5\n"));
        QVERIFY(mime->html().contains("<td>0.3333333333333333</td><td>-2</td>"));
        table_->copyWithLabels();
        QCOMPARE(QApplication::clipboard()->text(), QString("\t0\t1\na\t0.3333333333333333\t-2\nb\t4\t5\n"));
    }

    void cutCopiesAndClearsAsOneStep() {
        select(0, 0, 1, 2);
        QTest::keyClick(table_.get(), Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QString("1\t2\n"));
        QCOMPARE(numbers(), (Numbers{0, 0, 3, 4, 5, 6, 7, 8, 9}));
        QCOMPARE(steps(), 1);
    }

    void moreCellsThanASpreadsheetTakesAreNotCopied() {
        AttentionProblem problem;
        problem.tensors["query"] = Tensor({1, 1, 1001, 1000}, 1.0);
        document_.reset(problem);
        model_->show(QStringLiteral("query"), 0);
        QApplication::clipboard()->setText(QStringLiteral("before"));
        QSignalSpy messages(table_.get(), &TensorTable::messageRaised);
        table_->selectAll();
        table_->cut();
        QCOMPARE(messages.count(), 1);
        const auto why = messages[0][0].toString().remove(QLatin1Char(','));
        QVERIFY2(why.startsWith(QStringLiteral("1001 × 1000 cells")), qPrintable(why));
        QCOMPARE(QApplication::clipboard()->text(), QString("before"));
        QCOMPARE(steps(), 0);
        select(1, 0, 1000, 1000);
        table_->copyWithLabels();
        QCOMPARE(messages.count(), 1);
        QCOMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), 1001);
    }

    /// Reading them may take seconds, so the window shows progress and Cancel.
    void longTextsArePastedInTheBackground() {
        const auto before = numbers();
        const QString text = QStringLiteral("1\t2\n3\t4\n") + QString(1 << 21, QLatin1Char('\n'));
        bool cancel = true;
        int runs = 0;
        document_.setWorkRunner([&](const QString&, const std::function<void(const RunControl&)>& work) {
            ++runs;
            try {
                work({.cancelled = [&cancel] { return cancel; }});
            } catch (const Cancelled&) {
                return false;
            }
            return true;
        });
        select(0, 0);
        pasteText(text);
        QCOMPARE(runs, 1);
        QCOMPARE(steps(), 0);
        QCOMPARE(numbers(), before);
        cancel = false;
        pasteText(text);
        QCOMPARE(runs, 2);
        QCOMPARE(steps(), 1);
        QCOMPARE(numbers(), (Numbers{1, 2, 3, 3, 4, 6, 7, 8, 9}));
        pasteText(QStringLiteral("5"));
        QCOMPARE(runs, 2);
        document_.setWorkRunner({});
    }

    void copyAndPasteRoundTrip() {
        const auto before = numbers();
        QTest::keyClick(table_.get(), Qt::Key_A, Qt::ControlModifier);
        table_->copy();
        table_->clearCells();
        table_->paste();
        QCOMPARE(numbers(), before);
    }

    void aBlockOverwritesFromTheCell() {
        select(1, 1);
        pasteText("10\t11\n12\t13\n");
        QCOMPARE(numbers(), (Numbers{1, 2, 3, 4, 10, 11, 7, 12, 13}));
        QCOMPARE(steps(), 1);
        QCOMPARE(table_->selectedRanges(), (CellRanges{{1, 1, 2, 2}}));
    }

    void aBlockIsClippedAndSaysSo() {
        QSignalSpy messages(table_.get(), &TensorTable::messageRaised);
        select(2, 1);
        pasteText("10\t11\t12\n13\t14\t15\n");
        QCOMPARE(numbers(), (Numbers{1, 2, 3, 4, 5, 6, 7, 10, 11}));
        QCOMPARE(messages.count(), 1);
        QVERIFY(messages[0][0].toString().contains(QStringLiteral("1 × 2")));
    }

    void aBlockAtTheFirstCellOverwritesLikeAnyOther() {
        select(0, 0);
        pasteText("10\t11\n12\t13\n");
        QCOMPARE(shape(), (Shape{3, 3}));
        QCOMPARE(numbers(), (Numbers{10, 11, 3, 12, 13, 6, 7, 8, 9}));
        QCOMPARE(shape("key"), (Shape{3, 3}));
    }

    void thePasteAsTensorReplacesTheTensor() {
        QSignalSpy messages(table_.get(), &TensorTable::messageRaised);
        select(1, 1);
        QGuiApplication::clipboard()->setText("1;2,5;3;4\n5;6;7;8\n");
        QTest::keyClick(table_.get(), Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(shape(), (Shape{2, 4}));
        QCOMPARE(numbers(), (Numbers{1, 2.5, 3, 4, 5, 6, 7, 8}));
        QCOMPARE(shape("key"), (Shape{3, 4}));
        QCOMPARE(shape("attn_mask"), (Shape{2, 3}));
        QCOMPARE(steps(), 1);
        QCOMPARE(
            messages.last()[0].toString(),
            QStringLiteral("Pasted as the whole of query, now (2, 4); resized with it: attn_mask (2, 3), key (3, 4)"));
        document_.undoStack()->undo();
        QVERIFY(document_.problem() == sample());
    }

    /// As a sheet of homework, a program or a paper has them.
    void listsAndLatexArePasted() {
        select(0, 0);
        pasteText("Q = torch.tensor([[10., 11.], [12., 13.]])");
        QCOMPARE(numbers(), (Numbers{10, 11, 3, 12, 13, 6, 7, 8, 9}));
        select(1, 1);
        pasteText("\\begin{bmatrix} 1 & 0 \\\\ 0 & -1 \\end{bmatrix}");
        QCOMPARE(numbers(), (Numbers{10, 11, 3, 12, 1, 0, 7, 0, -1}));
        select(0, 0);
        pasteText("[7, 8]");
        QCOMPARE(numbers(), (Numbers{7, 8, 3, 12, 1, 0, 7, 0, -1}));
        QCOMPARE(steps(), 3);
    }

    void moreAxesReplaceTheTensor() {
        QSignalSpy messages(table_.get(), &TensorTable::messageRaised);
        select(1, 1);
        pasteText("[[[1, 2, 3]], [[4, 5, 6]]]");
        QCOMPARE(shape(), (Shape{2, 1, 3}));
        QCOMPARE(numbers(), (Numbers{1, 2, 3, 4, 5, 6}));
        QCOMPARE(messages.last()[0].toString(), QStringLiteral("Pasted as the whole of query, now (2, 1, 3); resized "
                                                               "with it: attn_mask (1, 3), key (2, 1, 3, 3), value "
                                                               "(2, 1, 3, 2)"));
        document_.undoStack()->undo();
        QVERIFY(document_.problem() == sample());
        pasteText("[[[[[1, 2, 3]]]]]");
        QCOMPARE(steps(), 1);
        QCOMPARE(messages.last()[0].toString(),
                 QStringLiteral("query takes no array of 5 axes, such as the pasted one of shape (1, 1, 1, 1, 3)"));
    }

    /// The masked softmax of a textbook: two batches, pasted over inputs of one batch with values.
    void batchesOfScoresResizeTheValues() {
        AttentionProblem problem;
        problem.spec.variant = "given_scores";
        problem.tensors["scores"] = Tensor({4, 4}, 1.0);
        problem.tensors["value"] = Tensor({4, 2}, 1.0);
        document_.reset(problem);
        model_->show("scores");
        select(0, 0);
        pasteText("tensor([[[0.3, 0.1, 0.9, 0.5], [0.2, 0.8, 0.4, 0.6]],\n"
                  "        [[0.7, 0.3, 0.2, 0.1], [0.5, 0.5, 0.9, 0.2]]])");
        QCOMPARE(shape("scores"), (Shape{2, 2, 4}));
        QCOMPARE(shape("value"), (Shape{2, 1, 4, 2}));
        QVERIFY(issues_in(document_.problem()).empty());
    }

    void aSmallBlockInTheWholeTableKeepsItsSize() {
        table_->selectAll();
        pasteText("10\t20\n");
        QCOMPARE(shape(), (Shape{3, 3}));
        QCOMPARE(numbers(), (Numbers{10, 20, 3, 4, 5, 6, 7, 8, 9}));
    }

    void oneNumberFillsTheSelection() {
        select(0, 0, 2, 3);
        pasteText("7.5");
        QCOMPARE(numbers(), (Numbers{7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7, 8, 9}));
        QCOMPARE(steps(), 1);
        select(0, 0);
        pasteText("1");
        QCOMPARE(shape(), (Shape{3, 3}));
        QCOMPARE(numbers()[0], 1.0);
    }

    void labelsInTheFirstColumnBecomeTokens() {
        select(0, 0);
        pasteText("cat\t1\t2\nmilk\t3\t4\n");
        QCOMPARE(shape(), (Shape{3, 3}));
        QCOMPARE(numbers(), (Numbers{1, 2, 3, 3, 4, 6, 7, 8, 9}));
        const auto& tokens = document_.problem().query_tokens;
        QVERIFY(tokens.size() >= 2 && tokens[0] == "cat" && tokens[1] == "milk");
        QCOMPARE(steps(), 1);
    }

    void nonsenseIsRefusedWithItsPlace_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("word") << "1\t2\n3\tcat\n";
        QTest::newRow("ragged") << "1\t2\n3\n";
        QTest::newRow("empty") << "";
        QTest::newRow("blank") << " \n";
    }
    void nonsenseIsRefusedWithItsPlace() {
        QFETCH(QString, text);
        QSignalSpy messages(table_.get(), &TensorTable::messageRaised);
        table_->pasteText(text);
        QCOMPARE(messages.count(), 1);
        QCOMPARE(steps(), 0);
    }

    void typesGuardThePaste() {
        model_->show("attn_mask");
        QSignalSpy messages(table_.get(), &TensorTable::messageRaised);
        select(1, 1);
        pasteText("1\t2\n");
        QCOMPARE(messages.count(), 1);
        QCOMPARE(steps(), 0);
        pasteText("true\ttrue\nfalse\ttrue\n");
        QCOMPARE(numbers("attn_mask"), (Numbers{0, 0, 0, 0, 1, 1, 0, 0, 1}));
        QCOMPARE(document_.problem().tensors.at("attn_mask").dtype(), DType::Bool);
    }

    void listsTakeRowsAndColumns() {
        document_.setTensor("lengths", Tensor({2}, {1, 2}, DType::Int64), "Add");
        model_->show("lengths");
        select(0, 0);
        pasteText("4\n5\n6\n");
        QCOMPARE(shape("lengths"), (Shape{2})); // the third has no room
        QCOMPARE(numbers("lengths"), (Numbers{4, 5}));
        select(0, 1);
        pasteText("7\t8\n");
        QCOMPARE(numbers("lengths"), (Numbers{4, 7}));
    }

    void truthTogglesBySpaceClickAndDigits() {
        model_->show("attn_mask");
        select(0, 0, 2, 2);
        QTest::keyClick(table_.get(), Qt::Key_Space);
        QCOMPARE(numbers("attn_mask"), (Numbers{1, 1, 0, 1, 1, 0, 0, 0, 0}));
        QCOMPARE(steps(), 1);
        QTest::keyClick(table_.get(), Qt::Key_0);
        QCOMPARE(numbers("attn_mask"), Numbers(9, 0.0));
        QTest::mouseClick(table_->viewport(), Qt::LeftButton, {}, at(2, 1));
        QCOMPARE(numbers("attn_mask"), (Numbers{0, 0, 0, 0, 0, 0, 0, 1, 0}));
        QTest::mouseClick(table_->viewport(), Qt::LeftButton, {}, at(2, 1));
        QCOMPARE(numbers("attn_mask"), Numbers(9, 0.0));
    }

    void selectionSurvivesANewValue() {
        select(1, 1, 2, 1);
        document_.setTensor("query", Tensor({3, 3}, 4.0), "Fill");
        QCOMPARE(table_->selectedRanges(), (CellRanges{{1, 1, 2, 1}}));
        QCOMPARE(table_->currentIndex(), model_->index(1, 1));
    }

    void headersRenameTokens() {
        auto* header = table_->rowHeader();
        const QPoint second(header->width() / 2, header->sectionViewportPosition(1) + header->sectionSize(1) / 2);
        QTest::mouseDClick(header->viewport(), Qt::LeftButton, {}, second);
        auto* editor = header->findChild<QLineEdit*>();
        QVERIFY(editor);
        QCOMPARE(editor->text(), QString("b"));
        QTest::keyClicks(editor, "milk");
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(document_.problem().query_tokens[1], std::string("milk"));
        QCOMPARE(steps(), 1);
    }

    void escapeDropsANewName() {
        select(2, 0);
        QTest::keyClick(table_.get(), Qt::Key_F2, Qt::ShiftModifier);
        auto* editor = table_->rowHeader()->findChild<QLineEdit*>();
        QVERIFY(editor);
        QTest::keyClicks(editor, "milk");
        QTest::keyClick(editor, Qt::Key_Escape);
        QVERIFY(document_.problem() == sample());
    }

    void rowsThatAreNoTokensHaveNoNames() {
        document_.setTensor("w", Tensor({2, 2}), "Add");
        model_->show("w");
        QSignalSpy messages(table_.get(), &TensorTable::messageRaised);
        table_->renameCurrentRow();
        QCOMPARE(messages.count(), 1);
        QVERIFY(!table_->rowHeader()->findChild<QLineEdit*>());
    }

    void aLargeTensorIsShownAtOnce() {
        document_.setTensor("large", random_normal({20000, 64}, 1), "Open");
        model_->show("large");
        select(19999, 63);
        table_->scrollTo(model_->index(19999, 63));
        QTest::keyClick(table_.get(), Qt::Key_Delete);
        QCOMPARE(numbers("large").back(), 0.0);
        QCOMPARE(table_->rowHeader()->sectionSize(0), table_->rowHeader()->sectionSize(19999));
    }

    void narrowTablesShowFewerDigits() {
        document_.setTensor("query", random_normal({3, 4}, 1), "Fill");
        const int four_digits = table_->columnHeader()->sectionSize(0);
        QCOMPARE(model_->digits(), 4);
        table_->resize(table_->rowHeader()->width() + 4 * four_digits * 5 / 8, 300);
        QApplication::processEvents();
        QCOMPARE(model_->digits(), 3);
        table_->resize(500, 300);
        QApplication::processEvents();
        QCOMPARE(model_->digits(), 4);
    }
};

ATTNLAB_TEST(TestTensorTable)
#include "test_tensor_table.moc"

// An answer computed by hand, checked against a stage.
#include "core/io/npz.h"
#include "tests/test_main.h"
#include "tests/ui/file_dialogs.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/pages/compare/check_answer_dialog.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/compare/compare_with_file_page.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/work_area.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestCheckAnswerDialog : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    AttentionProblem problem_;
    std::unique_ptr<CheckAnswerDialog> dialog_;

    void open(const char* stage) {
        auto computed = std::make_shared<Computed>();
        computed->trace = reference_backend().run(problem_, {});
        dialog_ = std::make_unique<CheckAnswerDialog>(problem_, computed, stage);
        dialog_->show();
    }
    void answer(const QString& text) {
        dialog_->answer()->setPlainText(text);
        QTRY_VERIFY(!dialog_->isChecking());
    }
    QString cell(int row, int column) { return dialog_->table()->model()->index(row, column).data().toString(); }
    QString file(const char* name, const QByteArray& text) {
        QFile file(folder_.filePath(name));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        file.write(text);
        return file.fileName();
    }

private slots:
    /// Q, K and V of a homework sheet, causal, divided by √3; its weights by hand.
    void init() {
        problem_ = {};
        problem_.tensors = {{"query", Tensor({3, 3}, {1, 0, 1, 0, 2, 0, 1, 1, 0})},
                            {"key", Tensor({3, 3}, {1, 1, 0, 0, 1, 1, 1, 0, 1})},
                            {"value", Tensor({3, 3}, {1, 0, 0, 0, 1, 0, 2, 2, 1})}};
        problem_.spec.masks = {{"causal", {}}};
        open("weights");
    }
    void cleanup() { dialog_.reset(); }

    void everyFormIsRead_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("rows") << "1 0 0\n0.5 0.5 0\n0.471 0.2645 0.2645\n";
        QTest::newRow("spreadsheet") << "1\t0\t0\n0,5\t0,5\t0\n0,471\t0,2645\t0,2645";
        QTest::newRow("list") << "[[1, 0, 0], [.5, .5, 0], [.471, .2645, .2645]]";
        QTest::newRow("torch") << "tensor([[1.0000, 0.0000, 0.0000],\n [0.5, 0.5, 0.0], [0.4711, 0.2645, 0.2645]])";
        QTest::newRow("LaTeX")
            << "\\begin{pmatrix} 1 & 0 & 0 \\\\ 0.5 & 0.5 & 0 \\\\ 0.471 & 0.264 & 0.264 \\end{pmatrix}";
    }
    void everyFormIsRead() {
        QFETCH(QString, text);
        answer(text);
        QCOMPARE(dialog_->error(), QString());
        QCOMPARE(dialog_->verdict(), "All cells are right: 9.");
        QCOMPARE(dialog_->explanation(), QString());
        QVERIFY(!cell(2, 0).contains(QStringLiteral("✗")));
    }

    void marksWrongCells() {
        answer("1 0 0\n0.5 0.5 0\n0.6 0.3 0.1");
        QVERIFY2(dialog_->verdict().startsWith("6 of 9 cells are right"), qPrintable(dialog_->verdict()));
        QCOMPARE(dialog_->explanation(), "No known mistake gives the whole matrix.");
        QCOMPARE(cell(2, 0), QStringLiteral("✗ 0.6"));
        QCOMPARE(cell(1, 0), "0.5");
        const auto tip = dialog_->table()->model()->index(2, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("0.471"), qPrintable(tip));
    }

    void namesTheMistakeOfTheWholeMatrix() {
        auto wrong = problem_;
        wrong.spec.masks.clear();
        dialog_->choose("output");
        const auto output = reference_backend().run(wrong, {}).find("output")->value;
        QString text;
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 3; ++c)
                text += QString::number(output.at({0, 0, i, c}), 'f', 3) + (c == 2 ? '\n' : ' ');
        answer(text);
        QVERIFY2(dialog_->explanation().startsWith("Every cell agrees with this mistake: the mask"),
                 qPrintable(dialog_->explanation()));
    }

    void saysWhatDoesNotFit() {
        answer("1 0\n0.5 0.5");
        QVERIFY2(dialog_->error().contains("(2, 2)") && dialog_->error().contains("(1, 1, 3, 3)"),
                 qPrintable(dialog_->error()));
        QCOMPARE(dialog_->verdict(), QString());
        answer("1 0 x\n0.5 0.5 0\n0 0 1");
        QVERIFY2(dialog_->error().contains("'x'"), qPrintable(dialog_->error()));
        QVERIFY2(dialog_->explanation().contains("rows of numbers"), qPrintable(dialog_->explanation()));
        QVERIFY(dialog_->table()->isHidden());
        answer("");
        QCOMPARE(dialog_->error(), QString());
        dialog_->tolerance()->setText("-1");
        answer("1");
        QVERIFY(dialog_->error().contains("expected a number from 0"));
    }

    void theToleranceIsChosen() {
        answer("1 0 0\n0.5 0.5 0\n0.471 0.264 0.264");
        QVERIFY(dialog_->verdict().startsWith("All"));
        dialog_->tolerance()->setText("1e-6");
        QTRY_VERIFY2(dialog_->explanation().contains("rounded; decimals: 3"), qPrintable(dialog_->explanation()));
        QVERIFY(dialog_->verdict().startsWith("6 of 9"));
    }

    void filesAreRead() {
        dialog_->readFile(file("weights.json", "{\"weights\": [[1,0,0],[0.5,0.5,0],[0.471,0.264,0.264]], "
                                               "\"scores\": [[1,1,2],[2,2,0],[2,1,1]]}"));
        QTRY_VERIFY(!dialog_->isChecking());
        QCOMPARE(dialog_->verdict(), "All cells are right: 9.");
        dialog_->choose("scores"); // the file's other array
        QTRY_VERIFY(!dialog_->isChecking());
        QCOMPARE(dialog_->verdict(), "All cells are right: 9.");
        QVERIFY(dialog_->answer()->toPlainText().startsWith("[[1, 1, 2],\n"));
        dialog_->choose("output");
        QTRY_VERIFY(dialog_->error().contains("output"));
        dialog_->readFile(file("scaled.csv", "0.577,0.577,1.155\n1.155,1.155,0\n1.155,0.577,0.577\n"));
        QTRY_VERIFY(!dialog_->isChecking());
        QCOMPARE(dialog_->stages()->currentData().toString(), "scaled"); // by the file's name
        QCOMPARE(dialog_->verdict(), "All cells are right: 9.");
        dialog_->readFile(folder_.filePath("none.csv"));
        QVERIFY(dialog_->error().contains("none.csv"));
    }

    void beginsWithTheMatrixOfTheFirstWrongCell() {
        problem_.tensors["query"] = Tensor({1, 2, 1, 1}, {1, 2});
        problem_.tensors["key"] = Tensor({1, 2, 2, 1}, {1, 2, 3, 4});
        problem_.tensors["value"] = Tensor({1, 2, 2, 1}, {1, 2, 3, 4});
        problem_.spec.masks.clear();
        open("scores");
        answer("[[[1, 2]], [[6, 9]]]");
        QVERIFY2(dialog_->verdict().startsWith("3 of 4"), qPrintable(dialog_->verdict()));
        QVERIFY(dialog_->matrices()->isVisible());
        QCOMPARE(dialog_->matrices()->currentIndex(), 1);
        QCOMPARE(cell(0, 1), QStringLiteral("✗ 9"));
        QCOMPARE(cell(0, 0), "6");
        dialog_->matrices()->setCurrentIndex(0);
        QCOMPARE(cell(0, 1), "2");
    }

    /// A matrix alone is that of the chosen head.
    void oneHeadIsChecked() {
        problem_.tensors["query"] = Tensor({1, 2, 2, 2}, {1, 2, 3, 4, 2, 1, 0, 1});
        problem_.tensors["key"] = Tensor({1, 2, 2, 2}, {1, 0, 1, 1, 0, 1, 2, 2});
        problem_.tensors["value"] = Tensor({1, 2, 2, 2}, {1, 0, 0, 1, 1, 1, 2, 0});
        problem_.spec.masks.clear();
        auto computed = std::make_shared<Computed>();
        computed->trace = reference_backend().run(problem_, {});
        dialog_ = std::make_unique<CheckAnswerDialog>(problem_, computed, "scores", 0, 1);
        dialog_->show();
        QCOMPARE(dialog_->matrices()->currentIndex(), 1);
        answer("1 6\n1 2"); // head 1: q = (2,1), (0,1); k = (0,1), (2,2)
        QVERIFY2(dialog_->verdict().contains("head 1") && dialog_->verdict().endsWith("All cells are right: 4."),
                 qPrintable(dialog_->verdict()));
        dialog_->matrices()->setCurrentIndex(0);
        QTRY_VERIFY2(dialog_->verdict().contains("1 of 4 cells"), qPrintable(dialog_->verdict()));
        QCOMPARE(cell(0, 0), "1");
        QCOMPARE(cell(0, 1), QStringLiteral("✗ 6"));
        answer("1 6 1");
        QVERIFY2(dialog_->error().startsWith("Your answer: has shape (1, 3), expected (1, 2, 2, 2)"),
                 qPrintable(dialog_->error()));
        QVERIFY2(dialog_->explanation().endsWith(QStringLiteral("head 0 alone is 2 × 2.")),
                 qPrintable(dialog_->explanation()));
        dialog_->choose("weights");
        // e^1, e^3 and e^3, e^7: head 0 without a scale
        answer("0.1192 0.8808\n0.018 0.982");
        QVERIFY2(dialog_->explanation().contains("the scale is missing"), qPrintable(dialog_->explanation()));
    }

    void showsTheAnswerBesideTheStage() {
        MainWindow window(backends);
        window.show();
        window.files().openProblem(problem_, "homework", "weights");
        QTRY_VERIFY(!window.isComputing() && window.computed());
        whenOpen<CheckAnswerDialog>(this, [this](CheckAnswerDialog& dialog) {
            QCOMPARE(dialog.stages()->currentData().toString(), "weights");
            dialog.answer()->setPlainText("1 0 0\n0.5 0.5 0\n0.6 0.3 0.1");
            connect(&dialog, &CheckAnswerDialog::checked, &dialog, [&dialog] {
                if (!dialog.verdict().isEmpty())
                    for (auto* button : dialog.findChildren<QPushButton*>())
                        if (button->text().contains("beside the stage"))
                            button->click();
            });
        });
        window.actions().check_answer->trigger();
        auto* page = window.centre()->compareWithFilePage();
        QTRY_VERIFY_WITH_TIMEOUT(page->isVisible() && page->matrices(), 10000);
        QVERIFY2(page->heading().contains("your answer"), qPrintable(page->heading()));
        QVERIFY(std::abs(page->matrices()->a.view()(2, 0) - 0.6) < 1e-12);
        QCOMPARE(page->beyondText(), "3 of 9 cells beyond"); // by the same tolerance
    }
};

ATTNLAB_TEST(TestCheckAnswerDialog)
#include "test_check_answer_dialog.moc"

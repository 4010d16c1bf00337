// The page of two settings: both matrices, their difference and its numbers.
#include "compare_window.h"
#include "core/compare.h"
#include "core/explain/reading.h"
#include "core/io/npz.h"
#include "tests/test_main.h"
#include "ui/export/export_dialog.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"
#include "ui/window/results.h"
#include "ui/window/work_area.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <optional>
#include <string>

using namespace attnlab;
using namespace attnlab::ui;

class TestComparePage : public QObject, protected CompareFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    /// Until a large comparison is made, the one before is not taken for it.
    void noMatrixOfTheComparisonBefore() {
        auto large = problemOf(2, 600, 600, 4);
        large.spec.masks = {{"causal", {}}};
        window_->document().reset(large);
        settle();
        trigger(&Actions::compare);
        QTRY_VERIFY(page().exportedStages());
        ComputedPtr meanwhile;
        connect(&window_->results(), &Results::changed, &page(), [&] {
            window_->viewState().setHead(1);
            meanwhile = page().exportedStages();
        });
        auto smaller = problem();
        for (auto& [name, tensor] : smaller.tensors)
            tensor = normalTensor({1, 2, 550, 4}, 7);
        edit(smaller);
        QVERIFY(!meanwhile);
        QTRY_VERIFY(page().exportedStages());
        QCOMPARE(page().exportedStages()->trace.find("difference.weights")->value.dim(2), 550);
        QCOMPARE(view().difference()->matrix().view().rows, 550);
    }

    /// Scores come before the scale: zeros alone would say that the scale changes nothing.
    void aStageBeforeTheChangeSaysSo() {
        trigger(&Actions::compare);
        const auto* words = view().words();
        QVERIFY(!words->isVisible());
        window_->viewState().setStage(QStringLiteral("scores"));
        settle();
        QCOMPARE(at(view().difference(), 2, 3), 0.0);
        QVERIFY(words->isVisible());
        QCOMPARE(words->state().what, QStringLiteral("Equal in A and B"));
        QTest::mouseClick(words->button(), Qt::LeftButton);
        settle();
        QCOMPARE(window_->viewState().stage(), QStringLiteral("weights"));
        QVERIFY(!words->isVisible());
    }

    void showsBothAndTheirDifference() {
        trigger(&Actions::compare);
        const Trace& a = window_->computed()->trace;
        const Trace& b = window_->computed()->compared->trace;
        for (const int head : {0, 1}) {
            window_->viewState().setHead(head);
            QCOMPARE(at(view().a(), 2, 3), weight(a, head, 2, 3));
            QCOMPARE(at(view().b(), 2, 3), weight(b, head, 2, 3));
            QCOMPARE(at(view().difference(), 2, 3), weight(b, head, 2, 3) - weight(a, head, 2, 3));
        }
        window_->viewState().setHead(ViewState::mean_of_heads);
        QVERIFY(qAbs(at(view().difference(), 0, 1) - (weight(b, 0, 0, 1) - weight(a, 0, 0, 1)) / 2 -
                     (weight(b, 1, 0, 1) - weight(a, 1, 0, 1)) / 2) < 1e-15);
        // Follows edits of the inputs.
        const double before = at(view().b(), 2, 3);
        auto next = problem();
        next.tensors["query"].set({0, 0, 2, 0}, 7.0);
        edit(next);
        QVERIFY(at(view().b(), 2, 3) != before);
    }

    void theSentenceIsAboutBoth() {
        auto* ribbon = window_->workArea()->ribbon();
        window_->viewState().setPinned(Cell{2, 3});
        const QString one = ribbon->claim();
        trigger(&Actions::compare);
        const auto readingOf = [](const Trace& trace) {
            return explain::reading_of(trace, *trace.find("weights"), 0, 0, 2);
        };
        const auto words = explain::words_of_both(readingOf(window_->computed()->trace),
                                                  readingOf(window_->computed()->compared->trace),
                                                  ribbon->arcs()->tokens().names(2, 0));
        QCOMPARE(ribbon->claim(), translated(words.claim));
        QVERIFY(ribbon->claim() != one);
        QVERIFY2(ribbon->details().contains("most changed"), qPrintable(ribbon->details()));
        window_->centre()->showMatrix();
        QCOMPARE(ribbon->claim(), one);
    }

    void oneScaleForBothAndOneAroundZero() {
        trigger(&Actions::compare);
        const ColorScale& a = view().a()->colorScale();
        const ColorScale& b = view().b()->colorScale();
        const ColorScale& gap = view().difference()->colorScale();
        QCOMPARE(a.low, b.low);
        QCOMPARE(a.high, b.high);
        double largest = 0.0;
        for (const auto* trace : {&window_->computed()->trace, &window_->computed()->compared->trace})
            for (const double value : trace->find("weights")->value.values())
                largest = std::max(largest, value);
        QCOMPARE(a.high, largest);
        QVERIFY(gap.map->diverging);
        QCOMPARE(gap.low, -gap.high);
        // A sequential map for the values does not apply to the difference.
        window_->viewState().setColors({"magma", false, true, 0.0, 0.5});
        QCOMPARE(view().b()->colorScale().map->id, "magma");
        QCOMPARE(view().b()->colorScale().high, 0.5);
        QVERIFY(view().difference()->colorScale().map->diverging);
    }

    void theColourBarsOfBothOpenTheirColours() {
        trigger(&Actions::compare);
        auto* options = page().findChild<RangeBar*>();
        for (HeatmapView* side : {view().a(), view().b()}) {
            emit side->colorBarClicked(QRect(0, 0, 10, 10));
            QVERIFY(options->isVisible());
            options->logarithmButton()->click();
            QVERIFY(view().b()->colorScale().logarithmic);
            options->logarithmButton()->click();
            QVERIFY(!view().b()->colorScale().logarithmic);
            options->window()->close();
        }
        options->lockButton()->click(); // in the colours on show
        QVERIFY(qAbs(options->highField()->text().toDouble() - view().b()->colorScale().high) < 1e-5);
        // Those of the difference follow from its numbers.
        emit view().difference()->colorBarClicked(QRect(0, 0, 10, 10));
        QVERIFY(!options->isVisible());
    }

    void numbersAreThoseOfTheEngine() {
        trigger(&Actions::compare);
        const auto all = compare(window_->computed()->trace, window_->computed()->compared->trace);
        auto* numbers = page().numbers();
        const auto shown = [&](CompareNumbers::Figure figure) { return numbers->value(figure); };
        QCOMPARE(shown(CompareNumbers::Largest), numberText(all.heads[0].max_absolute));
        QCOMPARE(shown(CompareNumbers::Mean), numberText(all.heads[0].mean_absolute));
        QVERIFY(numbers->note(CompareNumbers::Largest).contains(numberText(all.all.max_absolute)));
        const auto output = output_gap(window_->computed()->trace, window_->computed()->compared->trace);
        QCOMPARE(shown(CompareNumbers::Output), numberText(100 * output->relative, 3) + "%");
        double mean = 0.0;
        for (int row = 0; row < 5; ++row)
            mean += all.a_from_b->rows.at({0, 0, row}) / 5;
        QCOMPARE(shown(CompareNumbers::AFromB), numberText(mean));
        QVERIFY(numbers->caption(CompareNumbers::AFromB).contains("nats"));
        window_->viewState().setPinned(Cell{3, 1});
        QVERIFY(numbers->note(CompareNumbers::AFromB).contains(numberText(all.a_from_b->rows.at({0, 0, 3}))));
        window_->viewState().setHovered(Cell{1, 1});
        QVERIFY(numbers->note(CompareNumbers::BFromA).contains(numberText(all.b_from_a->rows.at({0, 0, 1}))));
        QCOMPARE(view().bars()->rows().size(), 5u);
        QCOMPARE(view().bars()->rows()[3], all.a_from_b->rows.at({0, 0, 3}));
        // Outputs are not distributions.
        window_->viewState().setStage("output");
        QVERIFY(!numbers->shows(CompareNumbers::AFromB) && !numbers->shows(CompareNumbers::BFromA));
        QVERIFY(!view().bars()->isVisible());
    }

    void aMaskInOneOfBoth() {
        auto next = problem();
        next.compared_with = next.spec;
        next.compared_with->masks = {{"causal", {}}};
        edit(next);
        trigger(&Actions::compare);
        QVERIFY(view().b()->matrix().isBlocked(0, 4));
        QVERIFY(!view().a()->matrix().isBlocked(0, 4));
        QVERIFY(!view().difference()->matrix().isBlocked(0, 4));
        QVERIFY(view().difference()->matrix().isBlockedInOne(0, 4));
        QVERIFY(!view().difference()->matrix().isBlockedInOne(4, 0));
        QVERIFY(view().legend().contains(QStringLiteral("masked in one")));
        QVERIFY2(view().barsHelp().contains(QStringLiteral("nats")) &&
                     view().barsHelp().contains(QStringLiteral("∞: B")),
                 qPrintable(view().barsHelp()));
        QCOMPARE(page().numbers()->note(CompareNumbers::AFromB), QStringLiteral("∞: B has a 0 where A reads"));
        QCOMPARE(at(view().difference(), 0, 4), -at(view().a(), 0, 4));
        QVERIFY(page().numbers()->value(CompareNumbers::AFromB).contains(QStringLiteral("∞")));
        QVERIFY(page().numbers()->value(CompareNumbers::BFromA).toDouble() > 0.0);
        QVERIFY(view().bars()->textOf(0).contains("infinite"));
        QVERIFY(!view().bars()->barRect(0).isEmpty());
        next.spec.masks = next.compared_with->masks;
        edit(next);
        QVERIFY(view().difference()->matrix().isBlocked(0, 4));
        QVERIFY(!view().difference()->matrix().isBlocked(4, 0));
        QVERIFY(!view().difference()->matrix().isBlockedInOne(0, 4) && view().legend().isEmpty());
        QVERIFY(page().numbers()->shows(CompareNumbers::AFromB) && page().numbers()->shows(CompareNumbers::BFromA));
        // Scores precede the mask.
        window_->viewState().setStage("masked");
        QCOMPARE(page().numbers()->value(CompareNumbers::Largest), numberText(0.0));
        QVERIFY(!page().numbers()->shows(CompareNumbers::AFromB) && !page().numbers()->shows(CompareNumbers::BFromA));
        QVERIFY(page().numbers()->shows(CompareNumbers::Output));
    }

    void aHeadingSaysIfNamesAreLeftOut() {
        const auto says = [this] {
            return std::ranges::count_if(view().findChildren<QLabel*>(), [](const QLabel* label) {
                return label->isVisible() && label->text().contains("not every name");
            });
        };
        for (const int tokens : {5, 40}) {
            auto next = problemOf(1, tokens, tokens, 4);
            for (int i = 0; i < tokens; ++i)
                next.query_tokens.push_back("word" + std::to_string(i));
            edit(next);
            if (!problem().compared_with)
                trigger(&Actions::compare);
            window_->resize(1280, 800);
            QCoreApplication::processEvents();
            QCOMPARE(says(), tokens == 5 ? 0 : 3);
        }
    }

    /// Above the pictures, as on the page of one matrix.
    void titleAndFormulaStay() {
        trigger(&Actions::compare);
        const auto texts = [this] {
            QStringList all;
            for (const auto* label : page().header()->findChildren<QLabel*>())
                all << label->text();
            return all;
        };
        QVERIFY2(texts().contains(page().title()), qPrintable(texts().join('|')));
        window_->viewState().setStage("scaled");
        QVERIFY2(texts().contains(page().title()) && page().title().contains("scaled"), qPrintable(texts().join('|')));
        QVERIFY(texts().contains(formulaText(window_->computed()->trace.find("scaled")->formula)));
    }

    void crosshairPinAndZoomAreShared() {
        window_->resize(1600, 700); // a row of three, where all have cells of one size
        trigger(&Actions::compare);
        QTest::qWait(1);
        QTest::mouseMove(view().b(), view().b()->cellRect({1, 2}).center().toPoint());
        QCOMPARE(view().a()->crosshair(), std::optional(Cell{1, 2}));
        QCOMPARE(view().difference()->crosshair(), std::optional(Cell{1, 2}));
        QCOMPARE(window_->viewState().hovered(), std::optional(Cell{1, 2}));
        QTest::mouseClick(view().difference(), Qt::LeftButton, {},
                          view().difference()->cellRect({3, 0}).center().toPoint());
        QCOMPARE(window_->viewState().pinned(), std::optional(Cell{3, 0}));
        QCOMPARE(view().a()->pinned(), std::optional(Cell{3, 0}));
        view().a()->setFocus();
        QTest::keyClick(view().a(), Qt::Key_Plus);
        QTest::keyClick(view().a(), Qt::Key_Plus);
        QVERIFY(view().a()->frame().range.width() < 5.0);
        QCOMPARE(view().b()->frame().range, view().a()->frame().range);
        QCOMPARE(view().difference()->frame().range, view().a()->frame().range);
        // The menu's zoom applies to the current page.
        trigger(&Actions::zoom_fit);
        QCOMPARE(view().a()->frame().range, QRectF(0, 0, 5, 5));
    }

    /// Whatever the window's size turns or shrinks labels, all three do the same.
    void cellsOfAllThreeAreEqual() {
        auto next = problem();
        next.query_tokens = {"The", "quick", "brownish", "fox", "jumps"};
        edit(next);
        trigger(&Actions::compare);
        for (const int width : {1024, 1180, 1280, 1500, 1920}) {
            window_->resize(width, 900);
            QCoreApplication::processEvents();
            const QSizeF cell = view().a()->cellRect({0, 0}).size();
            for (auto* other : {view().b(), view().difference()}) {
                QCOMPARE(other->cellRect({0, 0}).size(), cell);
                QCOMPARE(other->cellRect({0, 0}).top(), view().a()->cellRect({0, 0}).top());
                QCOMPARE(other->columnsAreTurned(), view().a()->columnsAreTurned());
            }
        }
    }

    /// In a window higher than wide, rows of three would leave most of the height empty.
    void aTallPageHasLargerCells() {
        edit(problemOf(1, 9, 9, 4));
        trigger(&Actions::compare);
        window_->resize(1200, 1600);
        QCoreApplication::processEvents();
        const QRect a = view().a()->geometry(), b = view().b()->geometry();
        QVERIFY2(b.top() >= a.bottom(), qPrintable(QString::number(b.top())));
        QCOMPARE(view().a()->cellRect({0, 0}).size(), view().b()->cellRect({0, 0}).size());
        QVERIFY2(view().a()->cellRect({0, 0}).width() * 3 * 9 > view().width() - 400,
                 qPrintable(QString::number(view().a()->cellRect({0, 0}).width())));
        window_->resize(1280, 800);
        QCoreApplication::processEvents();
        QCOMPARE(view().b()->y(), view().a()->y());
    }

    /// Where three in a row would have narrow cells, and empty room below.
    void aWideDifferenceGetsNumbers() {
        edit(problemOf(1, 9, 9, 14));
        trigger(&Actions::compare);
        window_->viewState().setStage("output");
        window_->resize(1280, 800);
        QCoreApplication::processEvents();
        QCOMPARE(view().difference()->matrix().view().columns, 14);
        QVERIFY(view().b()->y() > view().a()->y());
        QVERIFY(!view().difference()->textInCell({0, 0}).isEmpty());
    }

    /// They would be a texture over the colours.
    void smallCellsHaveNoNumbers() {
        edit(problemOf(1, 9, 9, 4));
        trigger(&Actions::compare);
        int small = 0, large = 0;
        for (const int width : {1100, 1200, 1280, 1440, 1520, 1600, 1680}) {
            window_->resize(width, 900);
            QCoreApplication::processEvents();
            for (auto* part : {view().a(), view().b(), view().difference()}) {
                const double side = part->cellRect({0, 0}).width();
                const bool is_small = side < HeatmapView::legible_width;
                QVERIFY2(part->textInCell({0, 0}).isEmpty() == is_small, qPrintable(QString::number(side)));
                ++(is_small ? small : large);
            }
        }
        QVERIFY2(small >= 3 && large >= 3, qPrintable(QStringLiteral("%1, %2").arg(small).arg(large)));
    }

    /// In a large window B − A is larger than A and B, which stay about as they are.
    void aLargeWindowHasALargeDifference() {
        edit(problemOf(1, 9, 9, 4));
        trigger(&Actions::compare);
        window_->resize(1920, 1200);
        QCoreApplication::processEvents();
        const double a = view().a()->cellRect({0, 0}).width();
        QVERIFY2(view().difference()->cellRect({0, 0}).width() > 1.25 * a, qPrintable(QString::number(a)));
        QVERIFY2(a * 9 > 280.0, qPrintable(QString::number(a)));
    }

    void anErrorOfBIsSaidInPlace() {
        auto next = problem();
        next.compared_with = next.spec;
        next.compared_with->variant = "self";
        edit(next);
        trigger(&Actions::compare);
        QVERIFY2(view().error().startsWith("Setting B cannot be computed: "), qPrintable(view().error()));
        QVERIFY(view().error().contains("is missing"));
        QVERIFY(view().a()->isVisible() && !view().b()->isVisible());
        QCOMPARE(at(view().a(), 1, 1), weight(window_->computed()->trace, 0, 1, 1));
        QVERIFY(window_->messageBar()->isHidden());
        QVERIFY(!page().numbers()->isVisible());
        next.compared_with = without_scale(next.spec);
        edit(next);
        QVERIFY(view().error().isEmpty() && view().b()->isVisible() && page().numbers()->isVisible());
    }

    void otherShapesAreSaidInPlace() {
        auto next = problem();
        next.compared_with = next.spec;
        next.compared_with->variant = "self";
        next.tensors["x"] = normalTensor({1, 3, 4}, 9);
        complete_compared_inputs(next, 1);
        edit(next);
        trigger(&Actions::compare);
        QVERIFY2(view().error().contains("(1, 2, 5, 5)") && view().error().contains("(1, 1, 3, 3)"),
                 qPrintable(view().error()));
        QVERIFY(view().a()->isVisible());
    }

    void aLargeStageIsComparedInTheBackground() {
        window_->document().reset(problemOf(2, 600, 600, 4));
        settle();
        trigger(&Actions::compare);
        QTRY_VERIFY_WITH_TIMEOUT(page().matrices() && page().matrices()->a.view().rows == 600, 10000);
        QCOMPARE(at(view().difference(), 599, 1), weight(window_->computed()->compared->trace, 0, 599, 1) -
                                                      weight(window_->computed()->trace, 0, 599, 1));
    }

    void copiesAndExportsThree() {
        trigger(&Actions::compare);
        trigger(&Actions::copy_matrix);
        const auto lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines[2].split('\t')[3].toDouble(), at(view().difference(), 2, 3));
        trigger(&Actions::copy_picture);
        const QByteArray svg = QGuiApplication::clipboard()->mimeData()->data("image/svg+xml");
        QCOMPARE(svg.count(">key token<"), 1); // one axis for all three
        QVERIFY(QGuiApplication::clipboard()->image().width() > 2 * QGuiApplication::clipboard()->image().height());

        const QTemporaryDir folder;
        trigger(&Actions::export_shown);
        auto* dialog = window_->findChild<ExportDialog*>();
        QVERIFY(dialog);
        QVERIFY(dialog->exportTo(folder.filePath("both.svg")));
        trigger(&Actions::export_shown);
        dialog = window_->findChildren<ExportDialog*>().last();
        dialog->choose("stages", "npz");
        QVERIFY(dialog->exportTo(folder.filePath("both.npz")));
        const auto read = io::read_npz(folder.filePath("both.npz").toStdString()).tensors;
        QCOMPARE(read.at("difference.weights").at({0, 0, 2, 3}), at(view().difference(), 2, 3));
        QVERIFY(read.contains("a.scores") && read.contains("b.output"));
    }
};

ATTNLAB_TEST(TestComparePage)
#include "test_compare_page.moc"

// Ways to see the heads of a model: lines, rollout, differences, a plot, over an image; guesses for masks.
#include "core/model/pass_figures.h"
#include "tests/test_main.h"
#include "tests/ui/model_page_support.h"
#include "ui/document/settings.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/model/arcs_view.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/image_view.h"
#include "ui/model/model_page.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/text_panel.h"
#include "ui/model/weights_view.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions.h"

#include <QApplication>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelPageViews : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelWindow> shown_;

    ModelPage& page() { return shown_->page(); }
    HeadPanel& head() { return *page().head(); }
    void drop(const QString& file) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&shown_->window(), &enter);
        QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&shown_->window(), &event);
    }
    double weight(int row, int column) { return page().heatmap()->matrix().view()(row, column); }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabModelViewsTest"); }
    void init() { shown_ = std::make_unique<ModelWindow>(); }
    void cleanup() { shown_.reset(); }

    void coloursAreChosenAsInTheWorkspace() {
        QVERIFY(shown_->open("gpt2"));
        auto& button = *head().colorsButton();
        const auto scale = [this] { return page().heatmap()->colorScale(); };
        QVERIFY(button.isVisible());
        QVERIFY(!scale().logarithmic);
        button.rangeBar()->logarithmButton()->click();
        QVERIFY(scale().logarithmic);
        page().wall()->choose({2, 1}); // the next head has the same colours
        QVERIFY(scale().logarithmic);
        QVERIFY(head().view()->figure()->scale.logarithmic); // in files too
        head().show(head().arcs());                          // lines have no colours
        QVERIFY(!button.isVisible());
        head().show(head().rollout());
        QVERIFY(button.isVisible());
        QTRY_VERIFY(head().rollout()->heatmap()->colorScale().logarithmic);
        head().show(head().weights());
        button.rangeBar()->logarithmButton()->click();
        QVERIFY(!scale().logarithmic);
        emit page().heatmap()->colorBarClicked(QRect(0, 0, 10, 10));
        QVERIFY(button.rangeBar()->isVisible());
        button.rangeBar()->window()->close();
    }

    void theAnswerLooksAsInTheWorkspace() {
        QVERIFY(shown_->open("gpt2"));
        shown_->type("the quick brown fox");
        auto* sentence = page().findChild<SentencePanel*>();
        const auto* session = shown_->window().findChild<ModelSession*>();
        // What is on show is of this text, not of the one that the model opened with.
        QTRY_VERIFY(!session->isRunning() && !session->isOutdated());
        QTRY_VERIFY(sentence->answer()->shownLines().size() >= 2);
        const QString claim = sentence->answer()->shownLines().front();
        QVERIFY2(claim.contains(QStringLiteral(" reads ")), qPrintable(claim));
        QTRY_VERIFY(sentence->arcs()->accessibleName().contains(claim));
        const int apart = sentence->answer()->height();
        const int arcs = sentence->arcs()->height();
        shown_->window().resize(1280, 560); // the same lines beside each other, above words without much room for arcs
        QTRY_VERIFY(sentence->arcs()->height() < arcs);
        QVERIFY(sentence->arcs()->isVisible() && sentence->next()->isVisible());
        QVERIFY(page().texts()->isFieldElsewhere()); // the words are the text
        QTRY_VERIFY(page().texts()->tools()->isAncestorOf(sentence->answer()) && !page().texts()->hint()->isVisible());
        QCOMPARE(sentence->answer()->shownLines().front(), claim);
        QTRY_VERIFY(sentence->answer()->height() < apart);
        QTRY_VERIFY(sentence->answer()->width() > sentence->answer()->fontMetrics().horizontalAdvance(claim));
        shown_->type("");
        QTRY_VERIFY(sentence->answer()->shownLines().isEmpty());
    }

    void linesFollowTheWeights() {
        QVERIFY(shown_->open("gpt2"));
        shown_->type("the quick brown fox");
        QTRY_COMPARE(page().arcs()->tokens().count(RibbonTokens::Side::Queries),
                     page().heatmap()->matrix().view().rows);
        const auto weights = page().heatmap()->matrix();
        const auto rows = static_cast<int>(weights.view().rows);
        head().show(head().arcs());
        HeadArcs* arcs = head().arcs()->arcs();
        for (int query = 0; query < rows; ++query)
            for (int key = 0; key < rows; ++key)
                QCOMPARE(arcs->lineWidth(query, key) > 0.0, weights.view()(query, key) >= 0.02);
        QVERIFY(arcs->lineWidth(0, 0) > arcs->lineWidth(rows - 1, 0)); // all of a weight, and a part
        // Home chooses a token, which the sentence takes over, and Right who reads it.
        arcs->setFocus();
        QTest::keyClick(arcs, Qt::Key_Home);
        QVERIFY(arcs->accessibleName().contains(QStringLiteral("reads")));
        QTRY_COMPARE(page().arcs()->query(), std::optional(0));
        QTest::keyClick(arcs, Qt::Key_Right);
        QVERIFY2(arcs->accessibleName().contains(QStringLiteral("is read by")), qPrintable(arcs->accessibleName()));
        QVERIFY(arcs->accessibleName().contains(QLatin1Char('%')));
        QVERIFY2(head().note().endsWith(arcs->accessibleName()), qPrintable(head().note()));
        const QPointF chip = arcs->chipRect({HeadArcs::Side::Queries, rows - 1}).center();
        QMouseEvent over(QEvent::MouseMove, chip, arcs->mapToGlobal(chip), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(arcs, &over);
        QCOMPARE(arcs->spot(), std::optional(HeadArcs::Spot{HeadArcs::Side::Queries, rows - 1}));
        QVERIFY(head().note().contains(QStringLiteral("reads")));
    }

    void rolloutOfTheLayersUpToThis() {
        QVERIFY(shown_->open("gpt2"));
        page().wall()->choose({2, 1});
        head().show(head().rollout());
        HeatmapView* map = head().rollout()->heatmap();
        QTRY_VERIFY(!map->source().axes().empty());
        QCOMPARE(page().title(), QStringLiteral("Rollout up to layer 2 · all heads"));
        // No sentence about the chosen head; the words and arcs are of the rollout, too.
        QVERIFY(head().effect().isEmpty());
        const auto query = page().sentence()->query().value();
        for (const auto& [key, weight] : page().sentence()->reading().keys)
            QCOMPARE(weight, map->matrix().view()(query, key));
        head().show(head().weights());
        QVERIFY(page().title().contains(QStringLiteral("head 1")));
        QCOMPARE(page().sentence()->reading().keys.front().weight,
                 page().heatmap()->matrix().view()(query, page().sentence()->reading().keys.front().key));
        head().show(head().rollout());
        QTRY_VERIFY(!map->source().axes().empty());
        const auto rolled = map->matrix();
        for (std::int64_t row = 0; row < rolled.view().rows; ++row) {
            double sum = 0.0;
            for (std::int64_t column = 0; column < rolled.view().columns; ++column)
                sum += rolled.view()(row, column);
            QVERIFY(std::abs(sum - 1.0) < 1e-9);
        }
        // Another head of the layer has the same, another layer has not.
        page().wall()->choose({2, 3});
        QCOMPARE(map->matrix().view()(3, 1), rolled.view()(3, 1));
        page().wall()->choose({0, 3});
        QTRY_VERIFY(!map->source().axes().empty());
        QVERIFY(map->matrix().view()(3, 1) < rolled.view()(3, 1));
    }

    void rolloutOfALongTextSaysWhyNot() {
        QVERIFY(shown_->open("llama"));
        QStringList words;
        for (int i = 0; i < 1100; ++i)
            words << QStringLiteral("the");
        shown_->type(qPrintable(words.join(QLatin1Char(' '))));
        QTRY_VERIFY_WITH_TIMEOUT(page().heatmap()->matrix().row_step > 1, 30000);
        QVERIFY(!head().tabs()->isTabVisible(1)); // lines
        head().show(head().rollout());
        QTRY_VERIFY2(head().note().contains(QStringLiteral("1024")), qPrintable(head().note()));
        QVERIFY(!head().rollout()->figure());
    }

    /// Heads of long texts are pooled and compared behind the window.
    void aLongTextIsPooledBehind() {
        QVERIFY(shown_->open("llama"));
        QStringList words;
        for (int i = 0; i < 1100; ++i)
            words << QStringLiteral("the");
        shown_->type(qPrintable(words.join(QLatin1Char(' '))));
        QTRY_VERIFY_WITH_TIMEOUT(page().heatmap()->matrix().row_step == 2, 30000);
        QVERIFY(head().weights()->figure());
        head().offButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(head().tabs()->isTabEnabled(3), 30000);
        page().wall()->choose({2, 0});
        head().show(head().difference());
        QTRY_VERIFY_WITH_TIMEOUT(head().difference()->stages(), 30000);
        QCOMPARE(head().difference()->matrixView()->matrix().row_step, std::int64_t{2});
        head().show(head().weights());
        QTRY_VERIFY_WITH_TIMEOUT(page().heatmap()->matrix().row_step == 2, 30000);
    }

    /// What was on show stays, but is not taken for the result of the text.
    void aRunIsCancelled() {
        QVERIFY(shown_->open("llama"));
        auto* texts = page().findChild<TextPanel*>();
        auto* session = shown_->window().findChild<ModelSession*>();
        QTRY_VERIFY(!session->isRunning() && !session->isOutdated());
        shown_->type(qPrintable(QString(6000, QLatin1Char('a'))));
        QVERIFY(session->isRunning());
        texts->cancelButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!session->isRunning(), 30000);
        QVERIFY(session->isOutdated());
        QVERIFY(page().wall()->chosen());
        shown_->type("the fox");
        QTRY_VERIFY_WITH_TIMEOUT(!session->isRunning() && !session->isOutdated(), 30000);
        QVERIFY(head().weights()->figure());
    }

    void crossAttentionHasNoRollout() {
        QVERIFY(shown_->open("t5"));
        for (const auto place : page().wall()->shown()) {
            page().wall()->choose(place);
            const bool cross = page().title().contains(QStringLiteral("cross"));
            QCOMPARE(head().tabs()->isTabVisible(2), !cross);
        }
    }

    void twoTextsAndTheirDifference() {
        QVERIFY(shown_->open("gpt2"));
        shown_->type("the quick brown fox");
        QVERIFY(!page().heads()->tabs()->isTabEnabled(HeadsPanel::Differences));
        page().texts()->compareButton()->click();
        QCOMPARE(page().texts()->other()->toPlainText(), QStringLiteral("the quick brown fox"));
        QTRY_VERIFY(page().heads()->tabs()->isTabEnabled(HeadsPanel::Differences));
        head().show(head().difference());
        const auto& compared = head().difference()->compared();
        const auto largest = [&compared] {
            double most = 0.0;
            if (!compared)
                return -1.0;
            const auto gap = compared->matrices.difference;
            for (std::int64_t i = 0; i < gap.view().rows * gap.view().columns; ++i)
                most = std::max(most, std::abs(gap.view().data[i]));
            return most;
        };
        QTRY_COMPARE(largest(), 0.0);
        QTRY_VERIFY(head().difference()->matrixView()->message().contains(QStringLiteral("the same text")));
        page().texts()->other()->setPlainText(QStringLiteral("the lazy dog"));
        QTRY_VERIFY(largest() > 0.0);
        const auto a = compared->matrices.a, b = compared->matrices.b, gap = compared->matrices.difference;
        // On the scale of the wall, and large.
        const auto* map = head().difference()->matrixView();
        QCOMPARE(map->matrix().view()(3, 1), gap.view()(3, 1));
        QCOMPARE(map->colorScale().high, page().headOnShow()->result->compared->largest);
        QCOMPARE(map->colorScale().low, -map->colorScale().high);
        QVERIFY(map->height() > head().height() / 2);
        QVERIFY(a.view().rows < page().heatmap()->matrix().view().rows || a.view().rows == b.view().rows);
        QCOMPARE(a.view().rows, b.view().rows);
        for (std::int64_t i = 0; i < a.view().rows; ++i)
            for (std::int64_t j = 0; j < a.view().columns; ++j)
                QCOMPARE(gap.view()(i, j), b.view()(i, j) - a.view()(i, j));
        QVERIFY(gap.row_labels.join(QLatin1Char(' ')).contains(QStringLiteral(" → ")));
        QVERIFY(head().note().contains(QStringLiteral("by position")));
        QVERIFY(page().guesses()->titles().first().startsWith(QStringLiteral("A · ")));
        QCOMPARE(page().guesses()->titles().size(), 2);
        QTRY_VERIFY(
            page().wall()->tile(*page().wall()->chosen())->accessibleName().contains(QStringLiteral("difference: ")));
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Differences);
        page().texts()->compareButton()->click();
        QTRY_VERIFY(!page().heads()->tabs()->isTabEnabled(HeadsPanel::Differences));
        QCOMPARE(head().view(), head().weights());
        QCOMPARE(page().guesses()->titles().size(), 1);
    }

    void beforeAndAfterAHeadIsOff() {
        QVERIFY(shown_->open("gpt2"));
        QVERIFY(head().tabs()->isTabVisible(3) && !head().tabs()->isTabEnabled(3));
        head().offButton()->click();
        QTRY_VERIFY(head().tabs()->isTabEnabled(3));
        page().wall()->choose({2, 0}); // behind it
        head().show(head().difference());
        DifferenceView& view = *head().difference();
        QCOMPARE(view.title(DifferenceView::A), QStringLiteral("A: all heads on"));
        const auto gap = view.compared()->matrices.difference;
        double most = 0.0;
        for (std::int64_t i = 0; i < gap.view().rows * gap.view().columns; ++i)
            most = std::max(most, std::abs(gap.view().data[i]));
        QVERIFY(most > 0.0);
        QCOMPARE(view.matrixView()->matrix().view()(3, 1), gap.view()(3, 1));
        view.choice()->setCurrentIndex(DifferenceView::A);
        QCOMPARE(view.matrixView()->matrix().view()(3, 1), view.compared()->matrices.a.view()(3, 1));
        QVERIFY2(head().note().endsWith(QStringLiteral("A: all heads on")), qPrintable(head().note()));
        view.choice()->setCurrentIndex(DifferenceView::B);
        QCOMPARE(view.matrixView()->matrix().view()(3, 1), view.compared()->matrices.b.view()(3, 1));
        head().allOnButton()->click();
        QTRY_VERIFY(!head().tabs()->isTabEnabled(3));
    }

    /// The view that was chosen comes back with the heads.
    void theViewStays() {
        QVERIFY(shown_->open("gpt2"));
        page().order()->setCurrentIndex(2);
        const QString order = page().order()->currentText();
        head().show(head().arcs());
        shown_->type("");
        QTRY_VERIFY(!page().wall()->chosen());
        QCOMPARE(head().view(), head().weights());
        shown_->type("the fox");
        QTRY_VERIFY(page().wall()->chosen());
        QCOMPARE(head().view(), head().arcs());
        QCOMPARE(page().order()->currentText(), order);
    }

    void theMeanInsteadOfZeros() {
        QVERIFY(shown_->open("gpt2"));
        const QString plain = page().outcomes()->accessibleName();
        head().offButton()->click();
        QTRY_VERIFY(page().outcomes()->accessibleName() != plain);
        const QString zero = page().outcomes()->accessibleName();
        head().offBy()->setCurrentIndex(1);
        QTRY_VERIFY(page().outcomes()->accessibleName() != zero);
        QVERIFY(page().outcomes()->accessibleName().contains(QStringLiteral("with all heads")));
        head().offBy()->setCurrentIndex(0);
        QTRY_COMPARE(page().outcomes()->accessibleName(), zero);
    }

    void aPlotOfHeads() {
        QVERIFY(shown_->open("gpt2"));
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Scatter);
        HeadsScatter* plot = page().heads()->scatter();
        QCOMPARE(plot->count(), 12u);
        QTRY_VERIFY(plot->isVisible() && plot->width() > 100);
        for (const auto place : page().wall()->shown()) {
            const auto at = plot->positionOf(place);
            QVERIFY(at && plot->rect().contains(at->toPoint()));
        }
        const auto last = page().wall()->shown().back();
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->positionOf(last)->toPoint());
        const auto clicked = page().wall()->chosen();
        QVERIFY(clicked && QLineF(*plot->positionOf(*clicked), *plot->positionOf(last)).length() < 12.0);
        QVERIFY(plot->accessibleName().startsWith(page().title()));
        // From the left end, Right comes by every head.
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Home);
        double x = plot->positionOf(*page().wall()->chosen())->x();
        std::size_t visited = 1;
        for (auto before = page().wall()->chosen();; before = page().wall()->chosen(), ++visited) {
            QTest::keyClick(plot, Qt::Key_Right);
            if (page().wall()->chosen() == before)
                break;
            QVERIFY(plot->positionOf(*page().wall()->chosen())->x() >= x);
            x = plot->positionOf(*page().wall()->chosen())->x();
        }
        QVERIFY(visited >= 11); // Home goes to one of those furthest left
        page().heads()->axis(Qt::Vertical)->setCurrentIndex(0);
        QVERIFY(plot->accessibleName().contains(QStringLiteral("entropy")));
    }

    void guessesForMasks() {
        QVERIFY(shown_->open("bert"));
        QTRY_VERIFY(page().guesses()->hint().contains(QStringLiteral("[MASK]")));
        QVERIFY(!page().outcomes());
        shown_->type("the [MASK] brown [MASK] jumped");
        QTRY_COMPARE(page().guesses()->bars().size(), 2u);
        QCOMPARE(page().guesses()->titles(),
                 (QStringList{QStringLiteral("[MASK] at 2"), QStringLiteral("[MASK] at 4")}));
        QVERIFY(page().outcomes()->accessibleName().contains(QLatin1Char('%')));
        QVERIFY(page().guesses()->hint().isEmpty());
        head().offButton()->click();
        QTRY_VERIFY(page().outcomes()->accessibleName().contains(QStringLiteral("with all heads")));
    }

    /// Times the length of the values, without the first token, by words: the numbers follow from the weights.
    void viewsOfWeights() {
        QVERIFY(shown_->open("gpt2"));
        head().show(head().weights());
        QComboBox* picker = head().weights()->viewPicker();
        QTRY_VERIFY(picker->isVisible());
        const auto* tabs = head().findChild<SegmentSwitch*>(); // beside it, not in a line of its own
        QVERIFY(std::abs(picker->geometry().center().y() - tabs->geometry().center().y()) <= 1);
        const auto plain = page().heatmap()->matrix();
        const auto rows = plain.view().rows;
        const auto show = [&](const char* id) { picker->setCurrentIndex(picker->findData(QString(id))); };
        show("no_sink");
        const auto rest = page().heatmap()->matrix();
        QCOMPARE(rest.view().columns, plain.view().columns - 1);
        double sum = 0.0;
        for (std::int64_t j = 1; j < rows; ++j)
            sum += plain.view()(rows - 1, j);
        QVERIFY(std::abs(rest.view()(rows - 1, 0) - plain.view()(rows - 1, 1) / sum) < 1e-6);
        QVERIFY2(head().note().contains("without key 0"), qPrintable(head().note()));
        QVERIFY(head().weights()->stages()->trace.find("view"));
        show("value_norm");
        const auto lengths = page().heatmap()->matrix();
        QCOMPARE(lengths.view().columns, plain.view().columns);
        const auto length = [&](std::int64_t i) { return lengths.view()(i, 0) / plain.view()(i, 0); };
        QVERIFY(length(0) > 0.0 && std::abs(length(0) - length(rows - 1)) < 1e-5 * length(0));
        show("words");
        QVERIFY(page().heatmap()->matrix().view().rows <= rows);
        for (std::int64_t i = 0, n = page().heatmap()->matrix().view().rows; i < n; ++i) {
            double all = 0.0;
            for (std::int64_t j = 0; j < n; ++j)
                all += page().heatmap()->matrix().view()(i, j);
            QVERIFY(std::abs(all - 1.0) < 1e-5);
        }
        picker->setCurrentIndex(0);
        QCOMPARE(page().heatmap()->matrix().view().columns, plain.view().columns);
    }

    void patchesOfAnImage() {
        shown_->mode().open(ModelWindow::folderOf("vit"));
        QTRY_VERIFY_WITH_TIMEOUT(shown_->mode().isOn(), 30000);
        auto* session = shown_->window().findChild<ModelSession*>();
        QVERIFY(session);
        session->setImage(ModelWindow::folderOf("vit") + QStringLiteral("/image.png"));
        QTRY_VERIFY_WITH_TIMEOUT(page().wall()->chosen(), 30000);
        QVERIFY(!page().heads()->tabs()->isTabVisible(HeadsPanel::Words)); // there is no text
        head().show(head().image());
        PatchMap* map = head().image()->map();
        QTRY_VERIFY(map->query());
        map->setFocus();
        QTest::keyClick(map, Qt::Key_Home);
        QCOMPARE(map->query(), std::optional(0));
        QVERIFY2(map->accessibleName().contains(QStringLiteral("the class token")), qPrintable(map->accessibleName()));
        QTest::mouseClick(map, Qt::LeftButton, {}, map->patchRect(0, 1).center().toPoint());
        QCOMPARE(map->query(), std::optional(2));
        // Patches that leave a rest of the image.
        QImage image(40, 40, QImage::Format_RGB32);
        image.fill(Qt::white);
        PatchMap partly;
        partly.resize(400, 400);
        const auto covered = [&](const QSizeF& share) {
            const PatchPlace patches{.rows = 2, .columns = 2, .first = 1, .positions = {1, 2, 3, 4}, .covered = share};
            partly.setImage(image, patches);
            return partly.patchRect(0, 0).united(partly.patchRect(1, 1)).size();
        };
        const auto all = covered({1.0, 1.0}), part = covered({0.5, 0.75});
        QVERIFY(all.width() > 100.0 && all.height() > 100.0);
        QVERIFY(std::abs(part.width() - 0.5 * all.width()) < 1e-6);
        QVERIFY(std::abs(part.height() - 0.75 * all.height()) < 1e-6);
        double brightest = 0.0;
        for (int key = 1; key < 5; ++key)
            brightest = std::max(brightest, map->brightness(key));
        QVERIFY(brightest <= 1.0);
        QVERIFY(!head().tabs()->isTabEnabled(3));
    }

    void anImageInAText() {
        const auto folder = ModelWindow::folderOf("mistral3_processor");
        shown_->mode().open(folder);
        QTRY_VERIFY_WITH_TIMEOUT(shown_->mode().isOn(), 30000);
        auto* session = shown_->window().findChild<ModelSession*>();
        auto* texts = shown_->window().findChild<TextPanel*>();
        QVERIFY(session && texts);
        session->setText(QStringLiteral("the quick fox"));
        QTRY_VERIFY_WITH_TIMEOUT(session->result() && !session->isOutdated(), 30000);
        const auto tokens_of_text = session->result()->result->input.ids.size();
        QVERIFY(!texts->withoutImageButton()->isVisible());
        QVERIFY(shown_->mode().takeInput(folder + QStringLiteral("/image.png")));
        QTRY_VERIFY_WITH_TIMEOUT(session->result() && !session->isOutdated() && !session->result()->picture.isNull(),
                                 30000);
        // Two rows of four tokens, with a token behind each row.
        QCOMPARE(session->result()->result->input.ids.size(), tokens_of_text + 10);
        const auto& patches = session->result()->patches;
        QCOMPARE(std::pair(patches.rows, patches.columns), std::pair(2, 4));
        QCOMPARE(patches.position(1, 0) - patches.position(0, 0), 5);
        head().show(head().image());
        PatchMap* map = head().image()->map();
        QTRY_VERIFY(map->query());
        QVERIFY2(map->accessibleName().contains(QStringLiteral("the whole image")), qPrintable(map->accessibleName()));
        QTest::mouseClick(map, Qt::LeftButton, {}, map->patchRect(1, 2).center().toPoint());
        QCOMPARE(map->query(), std::optional(patches.position(1, 2)));
        QCOMPARE(patches.patchAt(*map->query()), std::optional(std::pair(1, 2)));
        map->setFocus();
        QTest::keyClick(map, Qt::Key_Left);
        QCOMPARE(map->query(), std::optional(patches.position(1, 1)));
        const auto& labels = session->result()->passes.front().tokens.keys;
        QCOMPARE(labels[static_cast<std::size_t>(patches.position(1, 3))], "[1,3]");
        QVERIFY(texts->withoutImageButton()->isVisible());
        QTest::mouseClick(texts->withoutImageButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(session->result() && !session->isOutdated() && session->result()->picture.isNull(),
                                 30000);
        QCOMPARE(session->result()->result->input.ids.size(), tokens_of_text);
    }

    void framesOfASound() {
        shown_->mode().open(ModelWindow::folderOf("whisper"));
        QTRY_VERIFY_WITH_TIMEOUT(shown_->mode().isOn(), 30000);
        auto* session = shown_->window().findChild<ModelSession*>();
        QVERIFY(session);
        QVERIFY(page().texts()->soundButton()->isVisible() && !page().texts()->compareButton()->isVisible());
        drop(ModelWindow::folderOf("whisper") + QStringLiteral("/sound.wav"));
        QTRY_VERIFY_WITH_TIMEOUT(page().wall()->chosen(), 30000);
        QVERIFY(page().texts()->hint()->text().contains(QStringLiteral("sound.wav")));
        const auto& passes = session->result()->passes;
        QCOMPARE(passes.front().tokens.keys.at(1), std::string("0.02 s"));
        QCOMPARE(passes.back().name, std::string("decoder.1.cross"));
        QCOMPARE(passes.back().tokens.keys.size(), std::size_t{50});
        // The text of the decoder follows its prompt.
        page().texts()->target()->setText(QStringLiteral("the fox"));
        emit page().texts()->target()->textEdited(QStringLiteral("the fox"));
        QTRY_VERIFY_WITH_TIMEOUT(session->result() && session->result()->passes.back().queries > 2, 30000);
        std::string text;
        for (const auto& token : session->result()->passes.back().tokens.queries)
            text += token;
        QVERIFY2(text.ends_with("the fox"), text.c_str());
        // Letters of frames; the sound is that of the model before.
        shown_->mode().open(ModelWindow::folderOf("wav2vec2"));
        QTRY_VERIFY_WITH_TIMEOUT(session->result() && session->result()->spelled, 30000);
        QVERIFY(page().texts()->hint()->text().contains(QStringLiteral("Spelled:")));
        QCOMPARE(session->result()->passes.front().tokens.keys.front(), std::string("0.00 s"));
        const auto place = HeadIndex{0, 0};
        session->toggle(place);
        QTRY_VERIFY_WITH_TIMEOUT(session->result() && session->result()->isOff(place), 30000);
        QCOMPARE(session->result()->plain->logit_positions, session->result()->result->logit_positions);
        // What is no sound is an error, and nothing is shown for it.
        drop(ModelWindow::folderOf("vit") + QStringLiteral("/image.png"));
        QTRY_VERIFY_WITH_TIMEOUT(session->failure(), 30000);
        QVERIFY(!session->result());
    }

    void recentModels() {
        shown_->window().actions().go_model->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->window().windowTitle().startsWith(QStringLiteral("sample")), 30000);
        QVERIFY(settings::recentModels().isEmpty()); // the sample has an entry of its own
        QVERIFY(shown_->open("gpt2"));
        QVERIFY(shown_->open("bert"));
        QVERIFY(!page().start()->isVisible());
        emit shown_->window().actions().recent_models->aboutToShow();
        const auto filled = shown_->window().actions().recent_models->actions();
        QVERIFY(filled.size() >= 2);
        QVERIFY(filled[0]->text().contains(QStringLiteral("bert")));
        QVERIFY(filled[1]->text().contains(QStringLiteral("gpt2")));
        filled[1]->trigger();
        QTRY_VERIFY(shown_->window().windowTitle().startsWith(QStringLiteral("gpt2")));
        ModelWindow other; // clears the settings
        other.mode().open(ModelWindow::folderOf("bert"));
        QTRY_VERIFY_WITH_TIMEOUT(other.mode().isOn(), 30000);
        // Where no model is open, and the sample is missing.
        StartPanel start;
        start.show();
        QCOMPARE(start.recent().size(), 1u);
        QSignalSpy chosen(&start, &StartPanel::chosen), asked(&start, &StartPanel::openRequested);
        start.recent().front()->click();
        start.openButton()->click();
        QCOMPARE(chosen.first().first().toString(), ModelWindow::folderOf("bert"));
        QCOMPARE(asked.count(), 1);
    }

    void oneTokenAndNone() {
        QVERIFY(shown_->open("gpt2"));
        page().texts()->compareButton()->click();
        for (const char* text : {"a", "", "the fox"}) {
            shown_->type(text);
            page().texts()->other()->setPlainText(QString::fromLatin1(text));
            for (HeadView* view : std::initializer_list<HeadView*>{head().arcs(), head().rollout(), head().difference(),
                                                                   head().weights()}) {
                head().show(view);
                QTest::qWait(50);
            }
            page().grab();
        }
        QTRY_VERIFY(page().wall()->chosen());
    }
};

ATTNLAB_TEST(TestModelPageViews)
#include "test_model_page_views.moc"

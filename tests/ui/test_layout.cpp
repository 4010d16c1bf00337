// Lays out the window with difficult content: in the requested size, and nothing is cut or covered.
#include "core/lab/board.h"
#include "layout_faults.h"
#include "layout_window.h"
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/export/export_dialog.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/model_mode.h"
#include "ui/window/panel_docks.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QDockWidget>
#include <QPushButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestLayout : public QObject, protected LayoutFixture {
    Q_OBJECT

    /// What is cut or covered once the window is laid out.
    QString layoutFaultsNow() {
        if (!settles(*window_))
            return QStringLiteral("goes on laying out");
        return window_->size() == asked_ ? layoutFaults(*window_) : sizeText(window_->size());
    }

    /// Of the cells of a matrix.
    static double sideOf(const HeatmapView& view) {
        const auto cells = view.matrix().view();
        const QRectF last = view.cellRect({static_cast<int>(cells.rows) - 1, static_cast<int>(cells.columns) - 1});
        return last.bottom() - view.cellRect({0, 0}).top();
    }

    /// What is wrong with the size; otherwise what is cut or covered.
    QString fault() {
        const QString wrong = sizeFault();
        return wrong.isEmpty() ? layoutFaults(*window_) : wrong;
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { end(); }

    void aLongLabelUnderTheMouse() {
        for (const QSize size : usual_sizes) {
            begin(size);
            // The sample is loaded and not laid out yet: as when the program is started with a file.
            QCoreApplication::processEvents();
            QTRY_VERIFY(!window_->isComputing());
            AttentionProblem problem;
            problem.tensors["query"] = normalTensor({5, 4}, 11);
            problem.tensors["key"] = normalTensor({5, 4}, 21);
            problem.tensors["value"] = normalTensor({5, 4}, 31);
            problem.spec.masks = {{"causal", {}}};
            problem.query_tokens = {"the-quick-brown-fox-jumps-over-the-lazy", "a", "b", "c", "d"};
            window_->document().reset(problem);
            window_->viewState().setPinned({});
            QCOMPARE(fault(), QString());
            for (int row = 0; row < 5; ++row) {
                window_->viewState().setHovered(Cell{row, 0});
                QVERIFY2(fault().isEmpty(), qPrintable(sizeText(size) + QStringLiteral(": ") + fault()));
            }
        }
    }

    void oneSampleAfterAnother_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QStringList>("ids");
        const QStringList all{"reformer_buckets",
                              "transformer",
                              "multi_head_fox",
                              "hierarchical_context",
                              "padding",
                              "cross_attention",
                              "flash_tiles",
                              "hierarchical_context",
                              "performer_features",
                              "milk_or_cat_sweet",
                              "padding",
                              "multi_head_fox",
                              "patches",
                              "milk_or_cat_hungry",
                              "longformer_window",
                              "multi_head_fox"};
        for (const QSize size : {QSize(1440, 900), QSize(1278, 773), QSize(1600, 873)})
            QTest::newRow(qPrintable(sizeText(size))) << size << all;
    }

    void oneSampleAfterAnother() {
        QFETCH(QSize, size);
        QFETCH(QStringList, ids);
        begin(size);
        QCOMPARE(fault(), QString());
        for (const QString& id : ids) {
            window_->files().openSample(id);
            QVERIFY2(fault().isEmpty(), qPrintable(id + QStringLiteral(": ") + fault()));
        }
    }

    void theSmallestWindowHoldsEveryPage_data() {
        QTest::addColumn<double>("font_scale");
        QTest::addColumn<QString>("language");
        for (const double scale : {1.0, 1.5})
            for (const char* language : {"en", "zh_CN"})
                QTest::addRow("%s, %.1f", language, scale) << scale << QString::fromLatin1(language);
    }

    void theSmallestWindowHoldsEveryPage() {
        QFETCH(double, font_scale);
        QFETCH(QString, language);
        begin(smallest_window, font_scale, language);
        for (const auto& sample : samples()) {
            window_->files().openSample(QString::fromLatin1(sample.id));
            QVERIFY(settles(*window_));
            window_->actions().compare->trigger();
            QVERIFY(settles(*window_));
            for (const QString& page : window_->centre()->availableIds()) {
                window_->centre()->setCurrent(page);
                QVERIFY2(fault().isEmpty(),
                         qPrintable(QStringLiteral("%1, %2: %3").arg(QLatin1String(sample.id), page, fault())));
            }
        }
        auto* learn = window_->learnMode();
        learn->showList();
        QCOMPARE(fault(), QString());
        for (std::size_t lesson = 0; lesson < learn->page()->lessons().size(); ++lesson) {
            learn->showLesson(static_cast<int>(lesson));
            QVERIFY2(fault().isEmpty(), qPrintable(QStringLiteral("lesson %1: %2").arg(lesson).arg(fault())));
        }
        for (const auto lab : {lab::BoardKind::ScaleLab, lab::BoardKind::MaskLab}) {
            learn->showLab(lab);
            QCOMPARE(fault(), QString());
        }
    }

    void exportsAreWhole_data() {
        QTest::addColumn<double>("font_scale");
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "zh_CN"})
            for (const double scale : {1.0, 1.5})
                QTest::addRow("%s, %g", language, scale) << scale << QString::fromLatin1(language);
    }

    void exportsAreWhole() {
        QFETCH(double, font_scale);
        QFETCH(QString, language);
        begin({1600, 1000}, font_scale, language);
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        QVERIFY(settles(*window_));
        window_->actions().export_shown->trigger();
        const auto* dialog = window_->findChild<ExportDialog*>();
        QVERIFY(dialog);
        QTest::qWait(1);
        QCOMPARE(layoutFaults(*dialog), QString());
    }

    /// The same sizes in lines of text: 1280 x 800 with letters of 150 %, and a screen of that size at a scale of 1.5.
    void thePictureIsTheLargestThingUnderLargeLetters_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("font_scale");
        QTest::addColumn<QString>("language");
        QTest::addColumn<int>("least");
        for (const char* language : {"en", "zh_CN"}) {
            QTest::addRow("letters, %s", language) << QSize(1280, 800) << 1.5 << QString::fromLatin1(language) << 300;
            QTest::addRow("scale, %s", language) << QSize(845, 513) << 1.0 << QString::fromLatin1(language) << 198;
        }
    }

    void thePictureIsTheLargestThingUnderLargeLetters() {
        QFETCH(QSize, size);
        QFETCH(double, font_scale);
        QFETCH(QString, language);
        QFETCH(int, least);
        begin(size, font_scale, language);
        window_->setMinimumSize(1, 1); // as on a small screen, where inputs and mask are closed at first
        for (const int panel : {0, 1})
            window_->panelDocks()->all()[panel]->hide();
        resizeTo(size);
        for (const char* sample : {"transformer", "flash_tiles", "multi_head_fox"}) {
            window_->files().openSample(QString::fromLatin1(sample));
            QVERIFY2(layoutFaultsNow().isEmpty(), qPrintable(sample + QStringLiteral(": ") + layoutFaultsNow()));
        }
        QVERIFY2(sideOf(*window_->matrixPage()->heatmap()) >= least,
                 qPrintable(QString::number(sideOf(*window_->matrixPage()->heatmap()))));
        window_->actions().compare->trigger();
        for (const QString& page : window_->centre()->availableIds()) {
            window_->centre()->setCurrent(page);
            QVERIFY2(layoutFaultsNow().isEmpty(), qPrintable(page + QStringLiteral(": ") + layoutFaultsNow()));
            if (page == QLatin1String("compare"))
                for (auto* heatmap : window_->centre()->currentPage()->findChildren<HeatmapView*>())
                    QVERIFY2(!heatmap->isVisible() || sideOf(*heatmap) >= least / 3,
                             qPrintable(QString::number(sideOf(*heatmap))));
        }
        // The inspector comes back with the page that has room for it, and the inputs open in its place.
        auto* inspector = window_->panelDocks()->all().back();
        QVERIFY(inspector->isHidden());
        window_->centre()->setCurrent(QStringLiteral("matrix"));
        QVERIFY(settles(*window_));
        QVERIFY(!inspector->isHidden());
        window_->panelDocks()->all().front()->toggleViewAction()->trigger();
        QCOMPARE(layoutFaultsNow(), QString());
        QVERIFY(inspector->isHidden());
        QVERIFY(sideOf(*window_->matrixPage()->heatmap()) >= least);
        window_->panelDocks()->all().front()->toggleViewAction()->trigger();
        QVERIFY(settles(*window_));
        QVERIFY(!inspector->isHidden());
    }

    /// Every switch of the model page can be clicked, and says which head is on show.
    void theModelPageIsWholeUnderLargeLetters_data() {
        QTest::addColumn<double>("font_scale");
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "zh_CN"})
            for (const double scale : {1.0, 1.5})
                QTest::addRow("%s, %.1f", language, scale) << scale << QString::fromLatin1(language);
    }

    void theModelPageIsWholeUnderLargeLetters() {
        QFETCH(double, font_scale);
        QFETCH(QString, language);
        begin({1280, 800}, font_scale, language);
        window_->actions().go_model->trigger();
        const ModelPage& page = *window_->modelMode()->page();
        QTRY_VERIFY_WITH_TIMEOUT(page.wall()->chosen() && page.headOnShow(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(page.effects()->state() == HeadEffects::State::Done, 30000);
        for (const bool off : {false, true}) { // with one more button
            if (off)
                page.offButton()->click();
            QTRY_VERIFY(settles(*window_) && page.head()->allOnButton()->isVisible() == off);
            for (const SegmentSwitch* tabs : {page.heads()->tabs(), page.head()->tabs()})
                QVERIFY2(tabs->width() >= tabs->sizeHint().width(), qPrintable(tabs->accessibleName()));
            const ElidedLabel* title = page.head()->titleLine();
            const QString shown = title->shownText();
            QVERIFY2(shown.startsWith(page.head()->title().section(QStringLiteral(" · "), 0, 1)), qPrintable(shown));
            QCOMPARE(layoutFaults(*window_), QString());
        }
    }
};

ATTNLAB_TEST(TestLayout)
#include "test_layout.moc"

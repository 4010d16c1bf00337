// Where the headings of the pictures on the page Compare stand.
#include "tests/test_main.h"
#include "tests/ui/layout_support.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QLabel>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <array>
#include <cstdlib>

using namespace attnlab;
using namespace attnlab::ui;

class TestCompareHeadings : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabCompareHeadingsTest");
    }
    void cleanup() { applyLanguage(QStringLiteral("en")); }

    void standRightAboveTheirPictures_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("language");
        QTest::addColumn<QSize>("size");
        for (const char* sample : {"milk_or_cat_sweet", "multi_head_fox", "cross_attention"})
            for (const char* language : {"en", "zh_CN"})
                for (const QSize size : {QSize(1280, 800), QSize(1920, 1200)})
                    QTest::addRow("%s %s %d", sample, language, size.width()) << sample << language << size;
    }

    void standRightAboveTheirPictures() {
        QFETCH(QString, sample);
        QFETCH(QString, language);
        QFETCH(QSize, size);
        applyLanguage(language);
        MainWindow window(backends);
        window.files().setAnswer(FileController::Answer::Discard);
        window.resize(size);
        window.show();
        window.files().openSample(sample);
        QVERIFY(settles(window));
        window.actions().compare->trigger();
        QVERIFY(settles(window));
        const CompareView& view = *window.centre()->compare()->view();
        QVERIFY(view.isVisible() && view.error().isEmpty());
        const std::array heatmaps{view.a(), view.b(), view.difference()};
        for (std::size_t i = 0; i < heatmaps.size(); ++i) {
            const HeatmapView& heatmap = *heatmaps[i];
            const QLabel* heading = nullptr;
            for (const auto* label : view.findChildren<QLabel*>())
                if (label->isVisible() && label->text().startsWith(view.title(i)) &&
                    std::abs(label->geometry().left() - heatmap.geometry().left()) <= 1)
                    heading = label;
            QVERIFY(heading);
            // Column labels stand between, of which the longest may be turned.
            int longest = 0;
            for (const auto& label : heatmap.visibleColumnLabels())
                longest = std::max(longest, heatmap.fontMetrics().horizontalAdvance(label));
            const double cells = heatmap.y() + heatmap.frame().body.top();
            const double gap = cells - heading->geometry().bottom();
            QVERIFY2(gap > 0.0 && gap <= 2.5 * heatmap.fontMetrics().height() + longest,
                     qPrintable(QStringLiteral("%1: %2").arg(view.title(i)).arg(gap)));
            // The larger cells of B − A beside A above B may have labels that A has to turn.
            if (heatmap.y() == view.a()->y() && heatmap.fittedCell() == view.a()->fittedCell())
                QCOMPARE(heatmap.frame().body.top(), view.a()->frame().body.top());
        }
    }

    /// Bars of rows follow the cells.
    void enlargedCellsFillTheRoom() {
        MainWindow window(backends);
        window.files().setAnswer(FileController::Answer::Discard);
        window.resize(1280, 800);
        window.show();
        window.files().openSample(QStringLiteral("multi_head_fox"));
        QVERIFY(settles(window));
        window.actions().compare->trigger();
        QVERIFY(settles(window));
        const CompareView& view = *window.centre()->compare()->view();
        const double top = view.a()->frame().body.top(), height = view.a()->frame().body.height();
        for (int i = 0; i < 4; ++i)
            view.a()->zoomIn();
        QCOMPARE(view.a()->frame().body.top(), top);
        QVERIFY(view.a()->frame().body.height() > height);
        QCOMPARE(view.difference()->frame().body.height(), view.a()->frame().body.height());
    }
};

ATTNLAB_TEST(TestCompareHeadings)
#include "test_compare_headings.moc"

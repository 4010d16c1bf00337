// What stays where it is while a setting changes, how large targets are, and how names of columns are kept.
#include "compare_window.h"
#include "tests/test_main.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inspector/arithmetic_view.h"
#include "ui/widgets/theme.h"

#include <QAbstractButton>
#include <QHeaderView>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestSteadyLayout : public QObject, protected CompareFixture {
    Q_OBJECT

private slots:
    void initTestCase() {
        prepare();
        applyTheme(ThemeChoice::Light); // the sizes are those of the style
    }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    void aScaleMovesNothing_data() {
        QTest::addColumn<QString>("scale");
        QTest::newRow("1/d") << "dk";
        QTest::newRow("none") << "none";
    }
    /// From 1/√d: the controls after it, the cells, and the cards of the inspector stay.
    void aScaleMovesNothing() {
        QFETCH(QString, scale);
        window_->viewState().setPinned(Cell{1, 2});
        const auto* cell = window_->findChild<CellCard*>();
        QTRY_VERIFY(cell->height() > 7 * cell->fontMetrics().height()); // the inspector follows
        QTest::qWait(100);
        const auto position = [&] {
            auto* button = window_->stageStrip()->button(StageStrip::Operator::Mask);
            return button->mapTo(window_.get(), QPoint());
        };
        const QPoint before = position();
        const QRectF cells = window_->matrixPage()->heatmap()->frame().body;
        const auto inspector = [&] {
            std::vector<QRect> cards;
            for (auto* card : window_->findChildren<QWidget*>())
                if (card->isVisible() && QByteArray(card->metaObject()->className()).contains("Card"))
                    cards.emplace_back(card->mapTo(window_.get(), QPoint()), card->size());
            return cards;
        };
        const auto cards = inspector();
        auto next = problem();
        next.spec.scale = {scale.toStdString(), {}};
        edit(next);
        QTest::qWait(50);
        QCOMPARE(position(), before);
        QCOMPARE(window_->matrixPage()->heatmap()->frame().body, cells);
        QCOMPARE(inspector(), cards);
        // Nor does a fit of the range to numbers with other digits.
        window_->viewState().fitColors();
        QCOMPARE(window_->matrixPage()->heatmap()->frame().body, cells);
    }

    /// Buttons are at least as large as WCAG 2.2 asks for (2.5.8).
    void targetsAreLargeEnough() {
        constexpr int least = 24;
        for (const char* page : {"matrix", "compare", "steps"}) {
            if (QByteArray(page) == "compare")
                trigger(&Actions::compare);
            window_->viewState().setPage(page);
            QCoreApplication::processEvents();
            for (auto* button : window_->findChildren<QAbstractButton*>()) {
                const bool is_corner = qobject_cast<QAbstractItemView*>(button->parentWidget());
                if (!button->isVisible() || button->window() != window_.get() || is_corner)
                    continue;
                // A smaller one counts where a circle of that size around its middle meets no other.
                QRect circle(0, 0, least, least);
                circle.moveCenter(button->geometry().center());
                const bool alone = std::ranges::none_of(
                    button->parentWidget()->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly),
                    [&](const QAbstractButton* other) {
                        return other != button && other->isVisible() && other->geometry().intersects(circle);
                    });
                const bool nearly = button->width() >= least - 2 && button->height() >= least - 2 && alone;
                QVERIFY2(nearly || (button->width() >= least && button->height() >= least),
                         qPrintable(QStringLiteral("%1 “%2” on %3: %4 × %5")
                                        .arg(QLatin1String(button->metaObject()->className()),
                                             button->text() + button->accessibleName(), QLatin1String(page))
                                        .arg(button->width())
                                        .arg(button->height())));
            }
        }
    }

    /// The ink on a cell is the one of the larger contrast, for every colour of every map.
    void inkOnCells() {
        for (const auto& map : colormaps())
            for (const QRgb color : map.colors) {
                const QColor ink = textColorOn(color);
                const QColor other = ink == QColor(Qt::white) ? QColor(0x10, 0x12, 0x15) : QColor(Qt::white);
                QVERIFY2(contrastOf(color, ink) >= contrastOf(color, other), qPrintable(QColor(color).name()));
                QVERIFY(contrastOf(color, ink) >= 4.0);
            }
    }

    void columnNames_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("turned");
        QTest::addColumn<bool>("upright");
        QTest::newRow("few") << 4 << false << false;
        QTest::newRow("leaning") << 12 << true << false;
        QTest::newRow("upright") << 24 << true << true;
    }
    /// Names of columns lean where they do not fit beside each other, and stand upright rather than leave one out.
    void columnNames() {
        QFETCH(int, count);
        QFETCH(bool, turned);
        QFETCH(bool, upright);
        MatrixData matrix;
        matrix.values = Tensor({count, count}, 0.1);
        for (int i = 0; i < count; ++i)
            matrix.column_labels << QStringLiteral("a name %1").arg(i);
        HeatmapView view;
        view.resize(560, 560);
        view.show();
        view.setMatrix(matrix, ColorScale{&colormap({}), 0.0, 1.0, false});
        QCOMPARE(view.columnsAreTurned(), turned);
        QCOMPARE(view.columnsAreUpright(), upright);
        QCOMPARE(view.visibleColumnLabels().size(), count);
        if (count < 20)
            QCOMPARE(view.visibleColumnLabels(), matrix.column_labels);
    }

    void leftOutNamesAreSaid_data() {
        QTest::addColumn<QList<int>>("shown");
        QTest::addColumn<QString>("title");
        QTest::newRow("all") << QList<int>{0, 1, 2, 3} << "key token";
        QTest::newRow("each second") << QList<int>{0, 2, 4, 6} << "key token (1 label in 2)";
        QTest::newRow("one is pointed at") << QList<int>{0, 3, 5, 9, 12, 15} << "key token (1 label in 3)";
    }
    void leftOutNamesAreSaid() {
        QFETCH(QList<int>, shown);
        MatrixAxes axes;
        axes.columns = {20, QStringList(20, QStringLiteral("word")), QStringLiteral("key token")};
        HeatmapLabels labels;
        for (const int index : shown) {
            PlacedLabel label;
            label.index = index;
            labels.columns.push_back(label);
        }
        QTEST(withSteps(axes, labels).columns.title, "title");
        axes.columns.labels.clear(); // numbers tell it themselves
        QCOMPARE(withSteps(axes, labels).columns.title, QString("key token"));
    }

    /// One long name takes a little of the cells, so that every short one is shown.
    void aLongNameLeavesNoneOut() {
        constexpr int count = 13;
        MatrixData matrix;
        matrix.values = Tensor({count, count}, 0.1);
        for (int i = 0; i < count; ++i)
            matrix.column_labels << (i == 0 ? QStringLiteral("<|separator|>") : QStringLiteral("river"));
        HeatmapView view;
        QFont large = view.font();
        large.setPixelSize(22);
        view.setFont(large);
        view.resize(560, 640);
        view.show();
        view.setMatrix(matrix, ColorScale{&colormap({}), 0.0, 1.0, false});
        QVERIFY(view.columnsAreUpright());
        QCOMPARE(view.visibleColumnLabels().size(), count);
        QCOMPARE(view.visibleColumnLabels().count(QStringLiteral("river")), count - 1);
    }
};

ATTNLAB_TEST(TestSteadyLayout)
#include "test_steady_layout.moc"

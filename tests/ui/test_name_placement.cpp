// The names of arrows lie on no other name and on no arrow.
#include "tests/test_main.h"
#include "ui/learn/lab/arrows_board.h"
#include "ui/learn/lab/name_placement.h"
#include "ui/learn/lesson/displayed_lesson.h"

#include <QApplication>
#include <QTest>

#include <cmath>

using namespace attnlab;
using namespace attnlab::ui;

class TestNamePlacement : public QObject {
    Q_OBJECT

    static QStringList collisions(const std::vector<ArrowsDrawing::PlacedNames>& planes) {
        QStringList found;
        for (const auto& plane : planes)
            for (std::size_t k = 0; k < plane.names.size(); ++k) {
                const auto& [text, place, ink] = plane.names[k];
                if (!plane.around.plane.contains(place))
                    found << text + QStringLiteral(" leaves the plane");
                for (std::size_t other = 0; other < k; ++other)
                    if (place.intersects(plane.names[other].place))
                        found << text + QStringLiteral(" on ") + plane.names[other].text;
                // The letters are lower than the place.
                const QRectF letters = place.adjusted(2, 0.25 * place.height(), -2, -0.2 * place.height());
                for (const auto& arrow : plane.around.arrows)
                    if (lengthInside(arrow, letters) > 0.0)
                        found << text + QStringLiteral(" on an arrow");
            }
        return found;
    }

private slots:
    void lengthsInsideARectangle() {
        const QRectF rect(0, 0, 10, 10);
        QCOMPARE(lengthInside({{-5, 5}, {15, 5}}, rect), 10.0);
        QCOMPARE(lengthInside({{2, 2}, {2, 6}}, rect), 4.0);
        QCOMPARE(lengthInside({{-5, -5}, {15, 15}}, rect), std::sqrt(200.0));
        QCOMPARE(lengthInside({{-5, 11}, {15, 11}}, rect), 0.0);
        QCOMPARE(lengthInside({{20, 0}, {30, 10}}, rect), 0.0);
        QCOMPARE(lengthInside({{3, 3}, {3, 3}}, rect), 0.0);
    }

    /// At each size, in the letters of a presentation and in usual ones.
    void namesOfTheLessonsAreLegible() {
        QStringList wrong;
        int boards = 0;
        for (const auto& lesson : shippedLessons())
            for (int step = 0; step < lesson->stepCount(); ++step) {
                const auto& view = lesson->view(step);
                if (view.board != lab::BoardKind::Arrows)
                    continue;
                const auto& scene = lesson->scene(step);
                const auto result = lab::compute(scene);
                for (std::int64_t query = 0; query < result.settings[0].trace.find("query")->value.dim(-2); ++query)
                    for (const QSizeF size : {QSizeF(820, 500), QSizeF(600, 420), QSizeF(1100, 800)})
                        for (const int pixels : {13, 22}) {
                            QFont font = QApplication::font();
                            font.setPixelSize(pixels);
                            for (std::size_t k = 0; k < result.settings.size(); ++k) {
                                const auto& trace = result.settings[k].trace;
                                if (trace.find("query")->value.dim(-2) <= query)
                                    continue;
                                const auto drawing = ArrowsDrawing::of(trace, static_cast<int>(query), 3.0);
                                for (const auto& what : collisions(drawing.placedNames(QRectF(QPointF(), size), font)))
                                    wrong << QStringLiteral("%1 %2, %3 px of %4: %5")
                                                 .arg(lesson->key(), lesson->stepId(step))
                                                 .arg(pixels)
                                                 .arg(size.width())
                                                 .arg(what);
                                ++boards;
                            }
                        }
            }
        wrong.removeDuplicates();
        QVERIFY(boards > 20);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }
};

ATTNLAB_TEST(TestNamePlacement)
#include "test_name_placement.moc"

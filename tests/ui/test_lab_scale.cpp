// The scale lab: controlled by keys and mouse, its numbers compared with the engine's.
#include "core/lab/board.h"
#include "core/lab/setting_numbers.h"
#include "tests/test_main.h"
#include "tests/ui/board_support.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestLabScale : public QObject {
    Q_OBJECT

    std::unique_ptr<ShownBoard> lab_;

    CardsBoard& board() { return *lab_->board; }
    const lab::RandomInputs& draw() { return *lab_->model.scene().draw; }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        constexpr auto kind = lab::BoardKind::ScaleLab;
        lab_ = std::make_unique<ShownBoard>(lab::free_lab_scene(kind), lab::free_lab_view(kind));
    }
    void cleanup() { lab_.reset(); }

    void showsEverySettingWithItsNumbers() {
        QCOMPARE(board().area()->cards().size(), std::size_t{4});
        const char* ids[] = {"none", "sqrt_dk", "cbrt_dk", "dk"};
        for (std::size_t k = 0; k < 4; ++k) {
            const Trace& trace = lab_->trace(ids[k]);
            const auto weights = trace.find("weights")->value;
            for (int i = 0; i < 10; ++i)
                for (int j = 0; j < 10; ++j)
                    QCOMPARE(lab_->shown(k, i, j), weights.at({0, 0, i, j}));
            const auto numbers = lab::numbers_of(trace, lab_->model.scene().settings[k].spec, 0, 0);
            const auto* part = lab_->card(k).content().part<NumbersPart>();
            QVERIFY(part);
            QCOMPARE(part->value("variance"), significantText(*numbers.variance));
            QCOMPARE(part->value("theory"), significantText(*numbers.theory));
            QCOMPARE(part->value("entropy"), significantText(numbers.rows.entropy));
            QCOMPARE(part->value("effective_keys"), significantText(numbers.rows.effective_keys));
            QCOMPARE(part->value("max_weight"), significantText(numbers.rows.max_weight));
            QCOMPARE(part->value("jacobian_norm"), significantText(numbers.rows.jacobian_norm));
        }
        QCOMPARE(lab_->card(1).title(), QString("1/√d"));
        QCOMPARE(lab_->card(3).title(), QString("1/d"));
    }

    void oneColorScaleForAll() {
        const ColorScale first = lab_->card(0).heatmap()->colorScale();
        for (std::size_t k = 1; k < 4; ++k) {
            QCOMPARE(lab_->card(k).heatmap()->colorScale().low, first.low);
            QCOMPARE(lab_->card(k).heatmap()->colorScale().high, first.high);
        }
        QVERIFY(board().legend()->isVisible());
        QCOMPARE(board().legend()->scale()->high, first.high);
        auto view = lab_->model.view();
        view.shared_colors = false;
        lab_->model.setView(view);
        QVERIFY(lab_->card(3).heatmap()->colorScale().high < 0.5 * first.high);
        QVERIFY(!board().legend()->isVisible());
    }

    /// The plot library leaves out a number that does not fit by a fraction of a pixel.
    void bothEndsOfAHistogramHaveNumbers() {
        HistogramPart part;
        part.histogram.low = -100.0;
        part.histogram.high = 100.0;
        part.histogram.counts = {1, 4, 6, 4, 1};
        part.histogram.finite = 16;
        for (int width = 300; width < 330; ++width) {
            QImage image(width, 80, QImage::Format_RGB32);
            image.fill(theme().card);
            QPainter painter(&image);
            part.paint(painter, QRectF(image.rect()), {theme(), QApplication::font(), false});
            painter.end();
            const auto has_ink = [&](const QRect& place) {
                for (int y = place.top(); y <= place.bottom(); ++y)
                    for (int x = place.left(); x <= place.right(); ++x)
                        if (contrastOf(image.pixelColor(x, y), theme().card) > 2.0)
                            return true;
                return false;
            };
            QVERIFY2(has_ink(QRect(0, 66, 20, 14)), qPrintable(QString::number(width)));
            QVERIFY2(has_ink(QRect(width - 20, 66, 20, 14)), qPrintable(QString::number(width)));
        }
    }

    void histogramsShareTheirAxisAndHaveTheTheory() {
        const auto* none = lab_->card(0).content().part<HistogramPart>();
        const auto* dk = lab_->card(3).content().part<HistogramPart>();
        QVERIFY(none && dk);
        QCOMPARE(none->histogram.low, dk->histogram.low);
        QCOMPARE(none->histogram.high, dk->histogram.high);
        QCOMPARE(*none->theory, 64.0);
        QCOMPARE(*dk->theory, 1.0 / 64.0);
        std::int64_t counted = 0;
        double expected = 0.0;
        for (std::size_t k = 0; k < none->histogram.counts.size(); ++k) {
            counted += none->histogram.counts[k];
            expected += dk->expectedIn(k);
        }
        QCOMPARE(counted, std::int64_t{100});
        // However narrow the curve, it represents the same number of scores.
        QVERIFY(qAbs(expected - 100.0) < 1e-6);
    }

    void theAxisStaysWhenTheWidthMoves() {
        const auto axis = [&] {
            const auto* sqrt_dk = lab_->card(1).content().part<HistogramPart>();
            return std::pair(sqrt_dk->histogram.low, sqrt_dk->histogram.high);
        };
        const auto before = axis();
        for (const std::int64_t width : {4, 4096}) {
            auto other = draw();
            other.E = width;
            lab_->model.setDraw(other);
            lab_->settle();
            QCOMPARE(axis(), before);
        }
    }

    /// Of a lesson that gives no axis: that of its own scores, until other settings are compared.
    void withoutAnAxisTheFirstOneStays() {
        auto view = lab_->model.view();
        view.axis.reset();
        lab_->model.begin(lab::free_lab_scene(lab::BoardKind::ScaleLab), view);
        lab_->settle();
        const auto histogram = [&] { return lab_->card(0).content().part<HistogramPart>()->histogram; };
        const auto before = histogram();
        QCOMPARE(before.beyond, std::int64_t{0});
        auto wider = draw();
        wider.E = 4096;
        wider.seed += 1;
        lab_->model.setDraw(wider);
        lab_->settle();
        QCOMPARE(histogram().high, before.high);
        QVERIFY(histogram().beyond > 0);
        emit lab_->controls(0)->scale()->picked("dk");
        lab_->settle();
        QVERIFY(histogram().high < before.high);
    }

    void theSliderMovesTheWidthAndTheMatrices() {
        const double before = lab_->shown(0, 0, 0);
        auto* slider = board().controls()->width()->slider();
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_PageUp);
        QCOMPARE(draw().E, std::int64_t{128});
        QCOMPARE(board().controls()->width()->number()->value(), 128);
        lab_->settle();
        QVERIFY(lab_->shown(0, 0, 0) != before);
        QCOMPARE(lab_->shown(0, 0, 0), lab_->trace("none").find("weights")->value.at({0, 0, 0, 0}));
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(draw().E, std::int64_t{4096});
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(draw().E, std::int64_t{2});
        lab_->settle();
        auto* number = board().controls()->width()->number();
        number->selectAll();
        QTest::keyClicks(number, "100");
        QTest::keyClick(number, Qt::Key_Return);
        QCOMPARE(draw().E, std::int64_t{100});
        lab_->settle();
        QCOMPARE(lab_->trace("none").find("query")->value.dim(-1), std::int64_t{100});
    }

    void draggingMovesThePictureBeforeItEnds() {
        QSignalSpy computed(&lab_->model, &SceneModel::computed);
        auto* slider = board().controls()->width()->slider();
        for (int step = slider->minimum(); step <= slider->maximum(); ++step) {
            slider->setValue(step);
            QTest::qWait(1);
        }
        lab_->settle();
        QVERIFY(computed.count() >= 3);
        QCOMPARE(lab_->shown(1, 2, 3), lab_->trace("sqrt_dk").find("weights")->value.at({0, 0, 2, 3}));
    }

    void moreKeysWidenTheMatrices() {
        auto* number = board().controls()->keys()->number();
        number->setValue(23);
        lab_->settle();
        QCOMPARE(draw().S, std::int64_t{23});
        QCOMPARE(lab_->card(2).heatmap()->matrix().view().columns, std::int64_t{23});
        QVERIFY(board().curve()->note().contains("23"));
    }

    void drawsAgainAndOtherEntries() {
        const double before = lab_->shown(1, 0, 0);
        QTest::mouseClick(board().controls()->drawAgain(), Qt::LeftButton);
        lab_->settle();
        QVERIFY(lab_->shown(1, 0, 0) != before);
        auto* entries = board().controls()->distribution();
        entries->setFocus();
        QTest::keyClick(entries, Qt::Key_Down);
        lab_->settle();
        QVERIFY(draw().distribution == lab::Distribution::Uniform);
        QCOMPARE(lab_->shown(1, 0, 0), lab_->trace("sqrt_dk").find("weights")->value.at({0, 0, 0, 0}));
    }

    void theCurvesAreThoseOfTheSweep() {
        const auto& chart = board().curve()->chart()->chart();
        QCOMPARE(chart.lines.size(), std::size_t{4});
        QCOMPARE(*chart.marker, 64.0);
        lab::SweepRequest request{lab_->model.scene()};
        request.draws = CurveCard::draws;
        const auto expected = lab::sweep_point(request, 64);
        for (std::size_t k = 0; k < 4; ++k) {
            const auto& points = chart.lines[k].points;
            const auto at = std::ranges::find(points, 64.0, [](const QPointF& point) { return point.x(); });
            QVERIFY(at != points.end());
            QCOMPARE(at->y(), expected.values[k]);
        }
        QCOMPARE(chart.reference.front().y(), std::log(10.0));
        QCOMPARE(chart.lines[1].name, QString("1/√d"));
        const auto* numbers = lab_->card(1).content().part<NumbersPart>();
        request.draws = 1; // cards show the draw itself
        const auto of_draw = lab::sweep_point(request, 64).values;
        QCOMPARE(numbers->value("entropy"), significantText(of_draw[1]));
        // At the marker, dots show the numbers of the cards, which are not on the lines.
        for (std::size_t k = 0; k < 4; ++k)
            QCOMPARE(chart.lines[k].now, std::optional(of_draw[k]));
        QVERIFY(of_draw[0] != expected.values[0] && !chart.marks_lines);
        QVERIFY2(
            chart.textOf(64.0).contains(QStringLiteral("%1 (this draw %2)")
                                            .arg(significantText(expected.values[0]), significantText(of_draw[0]))),
            qPrintable(chart.textOf(64.0)));
        QVERIFY(!chart.textOf(128.0).contains("this draw"));
        const QString note = board().curve()->note();
        QVERIFY2(note.contains("lines: means of 9 draws · dots: the draw on the cards"), qPrintable(note));
        const auto picture = std::dynamic_pointer_cast<const BoardPicture>(board().picture());
        QVERIFY(picture && picture->curve_title.endsWith(note));
        QCOMPARE(picture->curve->lines[0].now, std::optional(of_draw[0]));
    }

    /// Between the points of the lines, too, and not of a draw that is no longer on the cards.
    void dotsFollowTheDraw() {
        board().controls()->width()->number()->setValue(100);
        lab_->settle();
        const auto entropy = [&] {
            const auto& setting = lab_->model.computedScene().settings[0];
            return lab::numbers_of(lab_->model.result()->settings[0].trace, setting.spec, 0, {}).rows.entropy;
        };
        const auto now = [&] { return board().curve()->chart()->chart().lines[0].now; };
        QCOMPARE(now(), std::optional(entropy()));
        auto draw = *lab_->model.scene().draw;
        draw.seed += 1;
        const double before = entropy();
        lab_->model.setDraw(draw);
        lab_->settle();
        QVERIFY(entropy() != before);
        QCOMPARE(now(), std::optional(entropy()));
    }

    void wordsAboutScoresBeyondTheAxisTouchNoBar() {
        for (const int size : {9, 13, 30}) {
            QFont font = board().font();
            font.setPixelSize(size);
            for (const double width : {8.0, 20.0})
                for (const int peak : {0, 20, 40}) {
                    HistogramPart part;
                    part.histogram.low = -30.0;
                    part.histogram.high = 30.0;
                    part.histogram.counts.assign(41, 2);
                    part.histogram.finite = 113;
                    part.histogram.beyond = 31;
                    part.histogram.counts[static_cast<std::size_t>(peak)] = 9;
                    part.theory = 1024.0;
                    const double line = QFontMetricsF(font).height();
                    const QRectF area(10.0, 20.0, width * line, part.smallest(font, 0.0).height());
                    const QRectF words = part.beyondRect(area, font);
                    QVERIFY(area.contains(words));
                    for (std::size_t bin = 0; bin < part.histogram.counts.size(); bin += 4)
                        QVERIFY2(!part.barRect(bin, area, font).intersects(words),
                                 qPrintable(QStringLiteral("%1 px, %2 lines, bin %3: %4 below %5")
                                                .arg(size)
                                                .arg(width)
                                                .arg(bin)
                                                .arg(part.barRect(bin, area, font).top())
                                                .arg(words.bottom())));
                }
        }
    }

    void theWidthMovesTheMarkerAlone() {
        board().controls()->width()->number()->setValue(256);
        QCOMPARE(*board().curve()->chart()->chart().marker, 256.0);
        QVERIFY(!board().curve()->isComputing());
        // Another draw has other curves.
        const auto before = board().curve()->chart()->chart().lines[0].points;
        QTest::mouseClick(board().controls()->drawAgain(), Qt::LeftButton);
        QVERIFY(board().curve()->isComputing());
        lab_->settle();
        QVERIFY(board().curve()->chart()->chart().lines[0].points != before);
    }

    void theChartSetsTheWidth() {
        LineChart* chart = board().curve()->chart();
        const auto at = [&](double width) { return chart->positionOf({width, 1.0}).toPoint(); };
        QTest::mousePress(chart, Qt::LeftButton, Qt::NoModifier, at(512.0));
        QVERIFY(qAbs(static_cast<double>(draw().E) / 512.0 - 1.0) < 0.03);
        QTest::mouseMove(chart, at(16.0));
        QTest::mouseRelease(chart, Qt::LeftButton, Qt::NoModifier, at(16.0));
        lab_->settle();
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Home);
        QCOMPARE(draw().E, std::int64_t{2});
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(draw().E, std::int64_t{3});
        QTest::keyClick(chart, Qt::Key_End);
        QCOMPARE(draw().E, std::int64_t{4096});
        QTest::keyClick(chart, Qt::Key_Left);
        QCOMPARE(draw().E, std::int64_t{2896});
    }

    void curvesOfOtherMeasuresAndAgainstTheKeys() {
        auto* measure = board().curve()->measure();
        measure->setCurrentIndex(static_cast<int>(lab::CurveMeasure::Variance));
        emit measure->activated(measure->currentIndex());
        lab_->settle();
        QVERIFY(board().curve()->chart()->chart().logarithmic_y);
        auto* over = board().curve()->over();
        over->setCurrentIndex(1);
        emit over->activated(1);
        lab_->settle();
        QCOMPARE(*board().curve()->chart()->chart().marker, 10.0);
        LineChart* chart = board().curve()->chart();
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(draw().S, std::int64_t{11});
    }

    void cardsComeAndGo() {
        QVERIFY(board().controls()->addCard()->isHidden()); // four at most
        QTest::mouseClick(lab_->controls(1)->removeButton(), Qt::LeftButton);
        lab_->settle();
        QCOMPARE(board().area()->cards().size(), std::size_t{3});
        QCOMPARE(lab_->card(1).title(), QString("1/∛d"));
        QCOMPARE(lab_->controls(1)->scale()->current(), QString("cbrt_dk"));
        QTest::mouseClick(board().controls()->addCard(), Qt::LeftButton);
        lab_->settle();
        QCOMPARE(board().area()->cards().size(), std::size_t{4});
        QCOMPARE(lab_->card(3).title(), QString("1/√d")); // the first one not present
    }

    void anotherScaleByItsPicker() {
        emit lab_->controls(0)->scale()->picked("dk");
        lab_->settle();
        QCOMPARE(lab_->model.scene().settings[0].spec.scale.id, std::string("dk"));
        QCOMPARE(lab_->shown(0, 1, 1), lab_->shown(3, 1, 1));
        // A scale with a parameter shows its field.
        emit lab_->controls(0)->scale()->picked("temperature");
        lab_->settle();
        QVERIFY(!lab_->controls(0)->scaleForm()->isHidden());
        QVERIFY(lab_->controls(1)->scaleForm()->isHidden());
    }

    void pinsAndPointsInAllCards() {
        HeatmapView* heatmap = lab_->card(1).heatmap();
        const QPoint inside = heatmap->cellRect({2, 3}).center().toPoint();
        QTest::mouseMove(heatmap, inside);
        QTRY_VERIFY(lab_->card(3).heatmap()->crosshair() == std::optional(Cell{2, 3}));
        QTest::mouseClick(heatmap, Qt::LeftButton, Qt::NoModifier, inside);
        for (std::size_t k = 0; k < 4; ++k)
            QVERIFY(lab_->card(k).heatmap()->pinned() == std::optional(Cell{2, 3}));
        QVERIFY((lab_->model.view().pin == lab::BoardCell{2, 3}));
        QTest::mouseClick(heatmap, Qt::LeftButton, Qt::NoModifier, inside);
        QVERIFY(!lab_->model.view().pin);
    }

    void aLessonLeavesLittleToBeChanged() {
        auto view = lab_->model.view();
        view.live = {lab::BoardControl::E};
        lab_->model.setView(view);
        const LabControls& controls = *board().controls();
        QVERIFY(controls.width()->isVisible());
        for (const QWidget* hidden : std::initializer_list<const QWidget*>{
                 controls.keys(), controls.distribution(), controls.drawAgain(), controls.stage(), controls.head(),
                 controls.token(), controls.inputs(), controls.addCard(), controls.parts(), board().curve()->measure()})
            QVERIFY(!hidden->isVisible());
        for (std::size_t k = 0; k < 4; ++k)
            QVERIFY(!lab_->controls(k));
        view.live.clear();
        lab_->model.setView(view);
        QVERIFY(!controls.isVisible());
        QVERIFY(board().caption().contains("64"));
        // Nor by the chart.
        LineChart* chart = board().curve()->chart();
        QTest::mouseClick(chart, Qt::LeftButton, Qt::NoModifier, chart->positionOf({512.0, 1.0}).toPoint());
        QCOMPARE(draw().E, std::int64_t{64});
    }

    void wordsOfALessonStandInTheCards() {
        board().setWords({{"none", "saturated: *one* key takes all"}});
        QCOMPARE(lab_->card(0).words(), QString("saturated: *one* key takes all"));
        QVERIFY(lab_->card(1).words().isEmpty());
    }

    void aBadDrawIsSaid() {
        auto bad = draw();
        bad.E = std::int64_t{1} << 40;
        lab_->model.setDraw(bad);
        lab_->settle();
        QVERIFY(board().error().contains("2^26"));
        QCOMPARE(board().area()->cards().size(), std::size_t{4});
        bad.E = 8;
        lab_->model.setDraw(bad);
        lab_->settle();
        QVERIFY(board().error().isEmpty());
    }

    void resetsToTheBeginning() {
        const double before = lab_->shown(0, 0, 0);
        QTest::mouseClick(board().controls()->drawAgain(), Qt::LeftButton);
        QTest::mouseClick(lab_->controls(2)->removeButton(), Qt::LeftButton);
        lab_->settle();
        QVERIFY(lab_->model.isChanged());
        lab_->model.reset();
        lab_->settle();
        QCOMPARE(board().area()->cards().size(), std::size_t{4});
        QCOMPARE(lab_->shown(0, 0, 0), before);
        QCOMPARE(lab_->controls(2)->scale()->current(), QString("cbrt_dk"));
    }
};

ATTNLAB_TEST(TestLabScale)
#include "test_lab_scale.moc"

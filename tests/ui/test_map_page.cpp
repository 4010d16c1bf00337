// The page of a large problem in use: gestures, pixels, strips, memory.
#include "core/backend.h"
#include "tests/test_main.h"
#include "tests/ui/map_page_support.h"
#include "ui/document/document.h"
#include "ui/document/settings.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/map_comparison.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// A page with a complete map.
struct OpenPage {
    explicit OpenPage(const AttentionProblem& problem, QSize size = {700, 500}) {
        page.resize(size);
        page.show();
        QSignalSpy ready(&session, &MapSession::ready);
        large.open(problem);
        is_ready = ready.wait(20000);
    }
    HeatmapView& map() { return *page.heatmap(); }
    MapSource& source() { return *large.source(); }
    QPointF cellsAt(const QPointF& pixels) { return map().frame().toCells(pixels); }

    ViewState view;
    LargeInputs large{view};
    MapSession& session = large.session();
    MatrixPage page{view, &large};
    bool is_ready = false;
};

bool isNear(const QPointF& a, const QPointF& b, double within) { return QLineF(a, b).length() < within; }

} // namespace

class TestMapPage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        settings::setMapFromCells(1000);
    }

    void pinchZoomsAboutThePointer();
    void fingersZoomAboutTheirMiddle();
    void noWeightIsTooThinToBeSeen();
    void startsInTheColorsThatShowIt();
    void noGapBetweenTiles();
    void showsStrips_data();
    void showsStrips();
    void tellsMaskedFromNotANumber_data();
    void tellsMaskedFromNotANumber();
    void keepsTheByteLimit();
    void forgetsWhatIsClosed();
    void copiesALightPicture();
    void comparesSettings();
    void comparesHeads();
    void aDifferenceHasTheColorsOfItsBar();
    void saysWhyBHasNoMap();
};

namespace {

/// The page Compare of a large problem.
struct OpenComparison {
    OpenComparison(const AttentionProblem& problem, const AttentionSpec& b) {
        auto compared = problem;
        compared.compared_with = b;
        document.reset(compared);
        page.resize(700, 600);
        page.show();
        large.open(document.problem());
        page.setTrace(nullptr);
    }
    bool wait() {
        return QTest::qWaitFor([&] { return maps.session().pyramid() != nullptr; }, 20000);
    }
    /// B − A of the reference.
    double dense(const Trace& a, int head_a, const Trace& b, int head_b, Cell cell) const {
        const auto weight = [&](const Trace& trace, int head) {
            return trace.find("weights")->value.at({0, head, cell.row, cell.column});
        };
        return weight(b, head_b) - weight(a, head_a);
    }
    /// What the map says of a cell, once it is seen at full size.
    std::optional<double> numberAt(Cell cell) {
        maps.heatmap()->showCell(cell);
        const auto& source = maps.heatmap()->source();
        const bool known = QTest::qWaitFor([&] { return source.numberAt(cell).has_value(); }, 20000);
        return known ? source.numberAt(cell) : std::nullopt;
    }

    ViewState view;
    Document document;
    LargeInputs large{view};
    ComparePage page{document, view, &large};
    MapComparison& maps = *page.maps();
};

} // namespace

/// One large matrix of B − A on one scale around 0, whose numbers are those of the reference; A and B are a click away.
void TestMapPage::comparesSettings() {
    const auto problem = longProblem();
    auto other = problem.spec;
    other.scale = {"none", {}};
    other.masks.clear();
    OpenComparison open(problem, other);
    QVERIFY(open.wait());
    QVERIFY(open.maps.isVisible() && !open.page.view()->isVisible() && !open.page.numbers()->isVisible());
    const ColorScale scale = open.maps.heatmap()->colorScale();
    QVERIFY(scale.map->diverging && scale.low == -scale.high && scale.high > 0.0);
    QVERIFY2(open.maps.note().startsWith("Mean of B"), qPrintable(open.maps.note()));
    auto of_b = problem;
    of_b.spec = other;
    const auto a = reference_backend().run(problem, {}), b = reference_backend().run(of_b, {});
    for (const Cell cell : {Cell{10, 20}, Cell{150, 350}, Cell{0, 499}, Cell{299, 80}}) {
        const auto number = open.numberAt(cell);
        QVERIFY(number);
        QVERIFY(std::abs(*number - open.dense(a, 0, b, 0, cell)) < 3e-6);
    }
    const double change = *open.numberAt(Cell{150, 350});
    open.maps.heatmap()->zoomToFit();
    open.maps.poolPicker()->setCurrentIndex(1);
    emit open.maps.poolPicker()->activated(1);
    QVERIFY(open.wait());
    QVERIFY2(open.maps.note().contains("largest of A"), qPrintable(open.maps.note()));
    // One cell: its largest weight is its mean, to rounding.
    QVERIFY(std::abs(*open.numberAt(Cell{150, 350}) - change) <= 1e-6 * std::abs(change));
    open.maps.sides()->setCurrentIndex(static_cast<int>(MapSide::B));
    QVERIFY(open.wait());
    const double of_b_alone = *open.numberAt(Cell{150, 350});
    QVERIFY(std::abs(of_b_alone - b.find("weights")->value.at({0, 0, 150, 350})) < 3e-6);
    const ColorScale both = open.maps.heatmap()->colorScale();
    open.maps.sides()->setCurrentIndex(static_cast<int>(MapSide::A));
    QVERIFY(open.wait());
    QCOMPARE(open.maps.heatmap()->colorScale(), both);
    open.document.edit("stop", problem);
    open.page.setTrace(nullptr);
    QVERIFY(!open.maps.session().isOpen()); // releases the maps
}

void TestMapPage::comparesHeads() {
    const auto problem = longProblem(3);
    OpenComparison open(problem, problem.spec);
    open.view.setHead(2);
    open.maps.headOfB()->setCurrentIndex(open.maps.headOfB()->findData(0));
    emit open.maps.headOfB()->activated(open.maps.headOfB()->currentIndex());
    QVERIFY(open.wait());
    QCOMPARE(open.page.title(), QStringLiteral("B − A: weights · head 0 of B, head 2 of A"));
    const auto trace = reference_backend().run(problem, {});
    const Cell cell{150, 200}; // within the window
    const auto number = open.numberAt(cell);
    QVERIFY(number && *number != 0.0);
    QVERIFY(std::abs(*number - open.dense(trace, 2, trace, 0, cell)) < 3e-6);
}

/// Where nothing changes: white in a light window, dark in a dark one.
void TestMapPage::aDifferenceHasTheColorsOfItsBar() {
    const auto restore = qScopeGuard([] { applyTheme(ThemeChoice::Light); });
    for (const bool dark : {false, true}) {
        applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        const auto problem = problemOf(1, 300, 300, 4);
        OpenComparison open(problem, problem.spec);
        QVERIFY(open.wait());
        const auto& map = *open.maps.heatmap();
        const auto lightness = [&] {
            return open.maps.heatmap()->grab(map.frame().body.toAlignedRect()).toImage().pixelColor(90, 90).lightness();
        };
        QTRY_VERIFY_WITH_TIMEOUT(map.source().hasCells() && (lightness() < 128) == dark, 20000);
    }
}

void TestMapPage::saysWhyBHasNoMap() {
    const auto problem = longProblem();
    auto other = problem.spec;
    other.scale = {"score_norm", {}};
    OpenComparison open(problem, other);
    const auto message = [&] {
        const auto* box = open.maps.heatmap()->findChild<StateBox*>();
        return box && box->state().look == PictureState::Look::Error ? box->state().what : QString();
    };
    QTRY_VERIFY_WITH_TIMEOUT(!message().isEmpty(), 20000);
    QVERIFY2(message().contains("score_norm") || message().contains("scale"), qPrintable(message()));
}

/// For other programs, with axes and colour bar.
void TestMapPage::copiesALightPicture() {
    applyTheme(ThemeChoice::Dark);
    OpenPage open(longProblem());
    QVERIFY(open.is_ready);
    QGuiApplication::clipboard()->clear();
    QVERIFY(!open.page.copyPicture().isEmpty());
    const auto* data = QGuiApplication::clipboard()->mimeData();
    QVERIFY(data->hasImage());
    QCOMPARE(qvariant_cast<QImage>(data->imageData()).pixelColor(0, 0), themeFor(false).card);
    QVERIFY(data->data("image/svg+xml").contains("key token"));
    applyTheme(ThemeChoice::Light);
}

void TestMapPage::pinchZoomsAboutThePointer() {
    OpenPage open(longProblem());
    QVERIFY(open.is_ready);
    const QPointF pointer(250, 180);
    const QPointF cell = open.cellsAt(pointer);
    const double width = open.map().frame().cellWidth();
    const auto* pad = QPointingDevice::primaryPointingDevice();
    for (const double by : {0.5, 0.5}) {
        QNativeGestureEvent pinch(Qt::ZoomNativeGesture, pad, 2, pointer, pointer, open.map().mapToGlobal(pointer), by,
                                  {});
        QCoreApplication::sendEvent(&open.map(), &pinch);
    }
    QVERIFY(std::abs(open.map().frame().cellWidth() / width - 2.25) < 1e-9);
    QVERIFY(isNear(open.cellsAt(pointer), cell, 1e-6));
}

void TestMapPage::fingersZoomAboutTheirMiddle() {
    OpenPage open(longProblem());
    QVERIFY(open.is_ready);
    auto* screen = QTest::createTouchDevice();
    const QPoint middle = open.map().frame().body.center().toPoint() + QPoint(20, -10);
    const QPointF cell = open.cellsAt(middle);
    const double width = open.map().frame().cellWidth();
    const auto fingers = [&](int apart) { return std::pair(middle - QPoint(apart, 0), middle + QPoint(apart, 0)); };
    const auto [left, right] = fingers(40);
    QTest::touchEvent(&open.map(), screen).press(1, left, &open.map()).press(2, right, &open.map());
    for (int apart = 50; apart <= 120; apart += 10) {
        const auto [a, b] = fingers(apart);
        QTest::touchEvent(&open.map(), screen).move(1, a, &open.map()).move(2, b, &open.map());
    }
    const auto [a, b] = fingers(120);
    QTest::touchEvent(&open.map(), screen).release(1, a, &open.map()).release(2, b, &open.map());
    QVERIFY(open.map().frame().cellWidth() > 2.0 * width);
    QVERIFY(isNear(open.cellsAt(middle), cell, 2.0));
    QVERIFY(!open.view.pinned()); // not a click
}

/// One cell with the whole weight of its row, in maps of several pixels a cell and several cells a pixel.
void TestMapPage::noWeightIsTooThinToBeSeen() {
    auto problem = problemOf(1, 1500, 1500, 4);
    for (auto* tensor : {&problem.tensors["query"], &problem.tensors["key"]})
        for (auto& value : tensor->mutable_values())
            value = 0.0;
    problem.tensors["query"].set({0, 0, 700, 0}, 30.0);
    problem.tensors["key"].set({0, 0, 901, 0}, 30.0);
    OpenPage open(problem);
    QVERIFY(open.is_ready);
    const QRgb bright = open.map().colorScale().color(1.0);
    for (int width = 500; width < 760; width += 20) {
        open.page.resize(width, 420);
        QTRY_VERIFY_WITH_TIMEOUT(open.source().isComplete(), 20000);
        const QImage seen = open.map().grab(open.map().frame().body.toAlignedRect()).toImage();
        int found = 0;
        for (int y = 0; y < seen.height(); ++y)
            for (int x = 0; x < seen.width(); ++x)
                found += seen.pixel(x, y) == bright;
        QVERIFY2(found > 0, qPrintable(QString::number(width)));
    }
}

/// Blocks of faint weights beside one bright cell are seen in logarithmic colours alone; an even ground in any.
void TestMapPage::startsInTheColorsThatShowIt() {
    constexpr int tokens = 480, width = 9;
    const auto problem_with = [](double strength) {
        auto problem = problemOf(1, tokens, tokens, width);
        for (const char* name : {"query", "key"}) {
            Tensor& rows = problem.tensors[name];
            for (double& value : rows.mutable_values())
                value = 0.0;
            for (int i = 0; i < tokens; ++i)
                rows.set({0, 0, i, i / 60}, strength); // eight blocks
            rows.set({0, 0, 100, width - 1}, 20.0);
        }
        return problem;
    };
    OpenPage blocks(problem_with(4.0));
    QVERIFY(blocks.is_ready);
    QVERIFY(blocks.map().colorScale().logarithmic);
    auto* button = blocks.page.rangeBar()->logarithmButton();
    QVERIFY(button->isChecked());
    QVERIFY2(blocks.page.colorsButton()->text().contains("log"), qPrintable(blocks.page.colorsButton()->text()));
    QVERIFY(!blocks.view.colors().logarithmic); // other views are as they were
    button->click();
    QVERIFY(!blocks.map().colorScale().logarithmic && !button->isChecked());
    ViewState opened;
    viewFromJson(viewToJson(blocks.view), opened);
    QVERIFY(opened.colors().linear); // the user's choice stays
    button->click();
    QVERIFY(blocks.map().colorScale().logarithmic && button->isChecked());
    OpenPage even(problem_with(0.0));
    QVERIFY(even.is_ready);
    QVERIFY(!even.map().colorScale().logarithmic);
}

/// With equal weights all pixels are equal.
void TestMapPage::noGapBetweenTiles() {
    auto problem = problemOf(1, 1500, 1500, 4);
    for (auto* tensor : {&problem.tensors["query"], &problem.tensors["key"]})
        for (auto& value : tensor->mutable_values())
            value = 0.0;
    OpenPage open(problem);
    QVERIFY(open.is_ready);
    for (int step = 0; step < 24; ++step) {
        const QPointF pointer(180.3 + 7 * step, 260.7);
        QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, pointer, pointer,
                                  open.map().mapToGlobal(pointer), 0.07, {});
        QCoreApplication::sendEvent(&open.map(), &pinch);
        QTRY_VERIFY_WITH_TIMEOUT(open.source().isComplete(), 20000);
        QRect part = open.map().frame().body.toAlignedRect().adjusted(2, 2, -2, -2);
        part.setTop(part.center().y()); // the minimap is above
        const QImage seen = open.map().grab(part).toImage();
        for (int y = 0; y < seen.height(); ++y)
            for (int x = 0; x < seen.width(); ++x)
                QVERIFY2(seen.pixel(x, y) == seen.pixel(0, 0),
                         qPrintable(QStringLiteral("step %1, pixel %2, %3").arg(step).arg(x).arg(y)));
    }
}

void TestMapPage::showsStrips_data() {
    QTest::addColumn<int>("L");
    QTest::addColumn<int>("S");
    QTest::newRow("one query") << 1 << 200000;
    QTest::newRow("one key") << 200000 << 1;
    QTest::newRow("some queries") << 9 << 60000;
}

void TestMapPage::showsStrips() {
    QFETCH(int, L);
    QFETCH(int, S);
    OpenPage open(problemOf(1, L, S, 2));
    QVERIFY(open.is_ready);
    QTRY_VERIFY_WITH_TIMEOUT(open.source().isComplete(), 20000);
    const auto pyramid = open.session.pyramid();
    QVERIFY(pyramid->tiles_over(open.source().level(), {0, L, 0, S}).size() < 12);
    QCOMPARE(pyramid->grid({open.source().level(), 0, 0}).rows() == 1, L == 1); // rows stay separate
    const Cell cell{L * 2 / 3, S * 2 / 3};
    open.map().showCell(cell);
    const HeatmapFrame frame = open.map().frame();
    QVERIFY(std::min(frame.cellWidth(), frame.cellHeight()) > 20.0);
    QVERIFY(frame.range.contains(QPointF(cell.column + 0.5, cell.row + 0.5)));
    QTRY_VERIFY_WITH_TIMEOUT(open.source().isComplete(), 20000);
    QCOMPARE(open.source().level(), 0);
    QVERIFY(open.source().numberAt(cell) > 0.0);
    open.map().zoomToFit();
    QCOMPARE(open.map().visibleCells(), QRect(0, 0, S, L));
}

void TestMapPage::tellsMaskedFromNotANumber_data() {
    QTest::addColumn<bool>("masked");
    QTest::newRow("every key masked") << true;
    QTest::newRow("NaN in a key") << false;
}

void TestMapPage::tellsMaskedFromNotANumber() {
    QFETCH(bool, masked);
    auto problem = problemOf(1, 300, 500, 8);
    if (masked) {
        problem.spec.masks = {{"key_padding", {}}};
        problem.spec.mask_true = MaskTrue::Blocks;
        problem.tensors["key_padding_mask"] = Tensor({1, 500}, 1.0, DType::Bool);
    } else {
        problem.tensors["key"].set({0, 0, 123, 3}, std::nan(""));
    }
    OpenPage open(problem);
    QVERIFY(open.is_ready);
    QTRY_VERIFY_WITH_TIMEOUT(open.source().isComplete(), 20000);
    open.map().showCell({7, 8});
    QTRY_VERIFY_WITH_TIMEOUT(open.source().isComplete(), 20000);
    QCOMPARE(open.map().cellText({7, 8}).contains(QStringLiteral("masked")), masked);
    QCOMPARE(open.map().cellText({7, 8}).contains(QStringLiteral("NaN")), !masked);
    ComputedPtr row;
    connect(&open.large, &LargeInputs::rowRead, this, [&](const ComputedPtr& read) { row = read; });
    open.view.setPinned(Cell{7, 8});
    QTRY_VERIFY_WITH_TIMEOUT(row != nullptr, 20000);
    QCOMPARE(row->trace.find("weights")->value.at({0, 0, 0, 8}) == 0.0, masked); // and NaN, not blocked, elsewhere
    const QImage seen = open.map().grab().toImage();
    const QPoint beside_number = open.map().cellRect({7, 8}).topLeft().toPoint() + QPoint(3, 3);
    QCOMPARE(seen.pixel(beside_number) == theme().warning_soft.rgb(), !masked);
}

/// For any view, even if a window needs more tiles than the limit.
void TestMapPage::keepsTheByteLimit() {
    constexpr std::size_t limit = std::size_t{3} << 20;
    OpenPage open(problemOf(1, 3000, 3000, 2), {1100, 900});
    QVERIFY(open.is_ready);
    open.session.setByteLimit(limit);
    for (const Cell cell : {Cell{10, 10}, Cell{2000, 50}, Cell{2900, 2900}, Cell{1500, 1200}}) {
        open.map().showCell(cell);
        for (int step = 0; step < 8; ++step) {
            QTRY_VERIFY_WITH_TIMEOUT(open.source().isComplete(), 20000);
            QVERIFY(open.session.pyramid()->bytes() <= limit);
            open.map().zoomOut();
        }
    }
}

void TestMapPage::forgetsWhatIsClosed() {
    OpenPage open(longProblem());
    QVERIFY(open.is_ready);
    const std::weak_ptr<MapPyramid> pyramid = open.session.pyramid();
    open.large.close();
    QTRY_VERIFY_WITH_TIMEOUT(pyramid.expired(), 20000);
}

ATTNLAB_TEST(TestMapPage)
#include "test_map_page.moc"

#include "core/lab/board.h"
#include "tests/test_main.h"
#include "tests/ui/exhibit_traces.h"
#include "tests/ui/plain_page.h"
#include "ui/export/export.h"
#include "ui/export/export_dialog.h"
#include "ui/export/formats.h"
#include "ui/export/matrix_export.h"
#include "ui/pages/centre_pages.h"
#include "ui/pages/exhibits/curve_view.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/pages/exhibits/page_table_view.h"
#include "ui/pages/exhibits/tile_walk_view.h"
#include "ui/pages/step/step_view.h"
#include "ui/widgets/controls.h"

#include <QClipboard>
#include <QComboBox>
#include <QMimeData>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// The centre of a window with only exhibits and the matrix.
struct Centre {
    Centre() : pages(state) {
        pages.addPage("matrix", "Matrix", new attnlab::test::PlainPage);
        exhibits = new ExhibitPages(state, pages, new StepPage(state));
        pages.resize(760, 480);
        pages.show();
    }
    ViewState state;
    CentrePages pages;
    ExhibitPages* exhibits;
};

} // namespace

class TestExhibitPages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void pagesComeAndGoWithTheTrace() {
        Centre centre;
        centre.exhibits->setTrace(computed(milkProblem()));
        QCOMPARE(centre.pages.availableIds(), QStringList({"matrix", "steps"}));
        centre.exhibits->setTrace(withTiles(milkProblem(), 3, 3));
        QCOMPARE(centre.pages.availableIds(), (QStringList{"matrix", "steps", "tiles"}));
        QVERIFY(!centre.exhibits->current());
        centre.pages.setCurrent("tiles");
        QVERIFY(qobject_cast<TileWalkView*>(centre.exhibits->current()));
        centre.exhibits->setTrace(withExhibit(milkProblem(), PageTable{4, 8, 9, {5, 2, 7}}));
        QCOMPARE(centre.pages.availableIds(), (QStringList{"matrix", "steps", "page_table"}));
        QVERIFY(!centre.exhibits->current());
        // The page is shown again when its mechanism is back.
        centre.exhibits->setTrace(withTiles(milkProblem(), 3, 3));
        QVERIFY(centre.exhibits->current());
    }

    void severalExhibitsHaveAPageEach() {
        auto trace = std::make_shared<Computed>(*withTiles(milkProblem(), 3, 3));
        trace->trace.exhibits.push_back(Curve{{"t"}, {"x"}, {"y"}, {{1, 2}, {2, 3}}, {1, 2}});
        Centre centre;
        centre.exhibits->setTrace(trace);
        QCOMPARE(centre.pages.availableIds(), (QStringList{"matrix", "steps", "tiles", "curve"}));
    }

    void thePictureOnShowCanBeCopied() {
        Centre centre;
        centre.exhibits->setTrace(withTiles(milkProblem(), 3, 3));
        centre.pages.setCurrent("tiles");
        FigureOptions options;
        options.dpi = 72;
        options.title = centre.exhibits->current()->title();
        copyPicture(centre.exhibits->current()->picture(), options);
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QCOMPARE(qvariant_cast<QImage>(data->imageData()).size(), QSize(480, 400));
        const QByteArray svg = data->data("image/svg+xml");
        QVERIFY(svg.contains("Tiles · head 0"));
        QVERIFY(svg.contains(">rescale<"));
    }

    void aPictureStaysAsItWas() {
        Centre centre;
        centre.exhibits->setTrace(withTiles(milkProblem(), 3, 3));
        centre.pages.setCurrent("tiles");
        const auto picture = centre.exhibits->current()->picture();
        centre.exhibits->setTrace(nullptr);
        QVERIFY(!figureImage(picture, {}).isNull());
    }

    void everyKindHasItsBoard() {
        QCOMPARE(exhibitKinds().size(), exhibits::ids.size());
        for (std::size_t index = 0; index < exhibits::ids.size(); ++index) {
            const auto id = exhibits::ids[index];
            QCOMPARE(exhibitKinds()[index].id, id);
            const auto board =
                static_cast<lab::BoardKind>(static_cast<std::size_t>(lab::BoardKind::FirstExhibit) + index);
            QCOMPARE(lab::exhibit_of(board), std::optional(index));
            QCOMPARE(lab::id_of(board), id);
        }
        for (const auto board : {lab::BoardKind::Matrices, lab::BoardKind::StepThrough, lab::BoardKind::Costs})
            QVERIFY(!lab::exhibit_of(board));
    }

    void theDialogWritesTheDrawing_data() {
        QTest::addColumn<QString>("suffix");
        for (const auto& suffix : suffixesOf(FormatKind::Picture))
            if (!findFormat(FormatKind::Picture, suffix)->heatmaps_only)
                QTest::newRow(qPrintable(suffix)) << suffix;
    }
    void theDialogWritesTheDrawing() {
        QFETCH(QString, suffix);
        QTemporaryDir folder;
        const auto trace = withExhibit(milkProblem(), PageTable{4, 8, 9, {5, 2, 7}});
        PageTableView view;
        view.setTrace(trace);
        ExportDialog dialog(drawingExport(trace, "weights", {view.picture(), "page_table", "Pages"}));
        dialog.choose("picture", suffix);
        QCOMPARE(dialog.findChild<QComboBox*>("what")->itemText(0), QString("The picture of Pages"));
        // Numbers in cells and colour bars apply only to heatmaps.
        QVERIFY(dialog.findChild<SegmentSwitch*>()->isHidden());
        const QString path = folder.filePath("pages." + suffix);
        QVERIFY(dialog.exportTo(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray written = file.readAll();
        if (suffix == "svg")
            QVERIFY(written.contains(">page 2<") && written.contains("holds a token: 9"));
        QVERIFY(written.size() > 1000);
    }

    void numbersRemainThoseOfTheStage() {
        QTemporaryDir folder;
        const auto trace = withTiles(milkProblem(), 3, 3);
        TileWalkView view(state_);
        view.setTrace(trace);
        ExportDialog dialog(drawingExport(trace, "weights", {view.picture(), "tiles", "Tiles"}));
        dialog.choose("stage", "npy");
        QVERIFY(dialog.exportTo(folder.filePath("weights.npy")));
        QCOMPARE(dialog.writtenFiles().size(), 1);
    }

private:
    ViewState state_;
};

ATTNLAB_TEST(TestExhibitPages)
#include "test_exhibit_pages.moc"

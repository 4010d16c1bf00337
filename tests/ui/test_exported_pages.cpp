// Every page exports what it shows: a walk through the pages of the workspace and the views of the model page.
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "figure_support.h"
#include "sample_window.h"
#include "tests/test_main.h"
#include "tests/ui/map_page_support.h"
#include "tests/ui/model_page_support.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/export/export_dialog.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/learn_page.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/model/arcs_view.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/weights_view.h"
#include "ui/pages/centre_pages.h"
#include "ui/pages/compare/compare_with_file_page.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/theme.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/work_area.h"

#include <algorithm>
#include <cmath>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <set>

using namespace attnlab;
using namespace attnlab::ui;

class TestExportedPages : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// The texts of the picture that the page's dialog writes, without title, bar and numbers, and its size; empty
    /// without one.
    Svg exported(Page& page, QSizeF& size) {
        if (!page.askForExport(QStringLiteral("picture")))
            return {};
        auto* dialog = page.window()->findChild<ExportDialog*>();
        if (!dialog)
            return {};
        dialog->findChild<QLineEdit*>("title")->clear();
        dialog->choose("picture", "svg");
        for (const char* part : {"numbers", "color_bar"})
            dialog->findChild<QCheckBox*>(part)->setChecked(false);
        size = QSizeF(dialog->findChild<QDoubleSpinBox*>("width")->value(),
                      dialog->findChild<QDoubleSpinBox*>("height")->value());
        const QString path = folder_.filePath("page.svg");
        const bool written = dialog->exportTo(path);
        delete dialog;
        QFile file(path);
        return written && file.open(QIODevice::ReadOnly) ? readSvg(file.readAll()) : Svg{};
    }

    /// Every heatmap that the page shows is in the figure, with all its numbers; a page without any has a drawing.
    static void isOnTheScreen(const Page& page, const Figure& figure, const QString& name) {
        int heatmaps = 0;
        for (const auto* view : page.findChildren<HeatmapView*>()) {
            if (!view->isVisible() || !view->source().hasCells())
                continue;
            ++heatmaps;
            const auto axes = view->source().axes();
            const auto has_numbers = [&](const FigurePanel& panel) {
                const auto cells = panel.matrix.view();
                if (cells.rows != axes.rows.count || cells.columns != axes.columns.count)
                    return false;
                for (std::int64_t row = 0; row < cells.rows; ++row)
                    for (std::int64_t column = 0; column < cells.columns; ++column) {
                        const auto shown = view->source().numberAt({static_cast<int>(row), static_cast<int>(column)});
                        const auto drawn = panel.matrix.numberAt(row, column);
                        if (shown.has_value() != drawn.has_value() ||
                            (shown && *shown != *drawn && !(std::isnan(*shown) && std::isnan(*drawn))))
                            return false;
                    }
                return true;
            };
            QVERIFY2(std::ranges::any_of(figure.panels, has_numbers),
                     qPrintable(name + ", " + view->accessibleName() + ", " + view->source().textOf({0, 0})));
        }
        QVERIFY2((heatmaps == 0) == (figure.drawing != nullptr), qPrintable(name));
    }

    /// The picture has the texts of what the page shows.
    void compareWithPage(Page& page, const QString& name) {
        const auto shown = page.figureToPrint();
        QVERIFY2(shown, qPrintable(name));
        isOnTheScreen(page, shown->figure, name); // before the dialog lets the page change
        if (QTest::currentTestFailed())
            return;
        FigureOptions options = shown->options;
        const auto file = exported(page, options.size_points);
        QVERIFY2(file.well_formed, qPrintable(name));
        options.title.clear();
        options.numbers = options.color_bar = false;
        const auto seen = readSvg(svgData(shown->figure, options));
        QVERIFY2(!seen.texts.isEmpty(), qPrintable(name));
        QVERIFY2(file.texts == seen.texts,
                 qPrintable(name + ": " + file.texts.join('|') + " instead of " + seen.texts.join('|')));
    }

    /// The export of a step or a lab has the title and the labels of every card of its board, and the colour of every
    /// number.
    void compareWithBoard(MainWindow& window, const QString& name) {
        auto& page = *window.learnMode()->page();
        const auto ready = [&page] {
            const auto* frame = page.frame();
            return frame && frame->board() && frame->model().result() && !frame->model().isComputing() &&
                   frame->board()->isSettled() && frame->board()->picture();
        };
        QTRY_VERIFY2_WITH_TIMEOUT(ready(), qPrintable(name), 20000);
        window.actions().export_step->trigger();
        auto* dialog = window.findChild<ExportDialog*>();
        QVERIFY2(dialog, qPrintable(name));
        dialog->choose("picture", "svg");
        const QString path = folder_.filePath("board.svg");
        const bool written = dialog->exportTo(path);
        delete dialog;
        QFile file(path);
        QVERIFY2(written && file.open(QIODevice::ReadOnly), qPrintable(name));
        const QByteArray data = file.readAll();
        const auto svg = readSvg(data);
        QVERIFY2(svg.well_formed && !svg.texts.isEmpty(), qPrintable(name));
        const QString texts = svg.texts.join(QString()).remove(QLatin1Char(' '));
        for (const auto* card : page.frame()->board()->findChildren<CardView*>()) {
            for (const auto& word : card->title().split(QLatin1Char(' '))) // titles wrap
                QVERIFY2(texts.contains(word), qPrintable(name + ": " + card->title() + " in " + texts));
            const auto& matrix = card->content().matrix;
            if (!matrix || matrix->hidden.size() > 0)
                continue;
            const auto view = matrix->view();
            for (std::int64_t row = 0; row < view.rows; ++row)
                for (std::int64_t column = 0; column < view.columns; ++column)
                    if (const auto number = matrix->numberAt(row, column); number && std::isfinite(*number)) {
                        const auto color = QColor(card->content().scale.color(*number)).name().toLatin1();
                        QVERIFY2(data.contains(color), qPrintable(name + ": " + card->title() + ", " + color));
                    }
        }
    }

    /// Triggers the export in the context menu of a widget; returns what the dialog then writes as SVG.
    Svg exportedFrom(QWidget& shown, const QString& output) {
        const auto actions = shown.actions();
        const auto found = std::ranges::find_if(
            actions, [](const QAction* action) { return action->text() == "Export this picture…"; });
        if (found == actions.end() || shown.contextMenuPolicy() != Qt::ActionsContextMenu)
            return {};
        (*found)->trigger();
        auto* dialog = shown.window()->findChild<ExportDialog*>();
        if (!dialog)
            return {};
        const auto* what = dialog->findChild<QComboBox*>("what");
        const QString chosen = what->currentText();
        dialog->choose(output, "svg"); // has been chosen
        const bool is_it = what->currentText() == chosen && !dialog->previewPicture().isNull();
        const QString path = folder_.filePath("part.svg");
        const bool written = dialog->exportTo(path);
        delete dialog;
        QFile file(path);
        return is_it && written && file.open(QIODevice::ReadOnly) ? readSvg(file.readAll()) : Svg{};
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabExportedPagesTest"); }

    /// Each page of the centre in one window, for every sample: with two settings, and with a file.
    void pagesOfTheWorkspace() {
        MainWindow window(backends);
        window.files().setAnswer(FileController::Answer::Discard);
        window.resize(1280, 800);
        window.show();
        auto* centre = window.findChild<CentrePages*>();
        QVERIFY(centre);
        std::set<const Page*> walked;
        const auto walk = [&](const QString& name) {
            QTRY_VERIFY_WITH_TIMEOUT(!window.isComputing() && window.computed(), 20000);
            for (const auto& id : centre->availableIds()) {
                centre->setCurrent(id);
                QTRY_COMPARE(centre->current(), id);
                Page* page = centre->currentPage();
                QTRY_VERIFY2_WITH_TIMEOUT(page->figureToPrint(), qPrintable(name + ", " + id), 10000);
                compareWithPage(*page, name + ", " + id);
                walked.insert(page);
                if (QTest::currentTestFailed())
                    return;
            }
        };
        for (const auto& sample : samples()) {
            window.files().openSample(sample.id);
            walk(sample.id);
            if (QTest::currentTestFailed())
                return;
        }
        window.files().openSample("milk_or_cat_sweet");
        QTRY_VERIFY_WITH_TIMEOUT(!window.isComputing() && window.computed(), 20000);
        auto by_page = window.document().problem(); // no sample reads page by page
        by_page.spec.variant = "paged";
        by_page.spec.parameters = {};
        window.document().reset(by_page);
        walk("paged");
        window.files().openSample("multi_head_fox");
        QTRY_VERIFY_WITH_TIMEOUT(!window.isComputing() && window.computed(), 20000);
        window.actions().compare->trigger();
        const QString path = folder_.filePath("weights.npz");
        io::write_npz(path.toStdString(), {{{"weights", window.computed()->trace.find("weights")->value}}, {}});
        window.files().arrays().readToCompare(path, [&](std::shared_ptr<const Contents> contents, const QString& file) {
            window.centre()->compareWithFilePage()->open(std::move(contents), file);
        });
        QTRY_VERIFY(centre->isAvailable("against"));
        walk("compared");
        for (const auto* page : centre->findChildren<Page*>())
            QVERIFY2(walked.contains(page), qPrintable(page->title()));
    }

    /// The labs, a whole lesson, and a step of a lesson for each other kind of board.
    void boardsOfLessonsAndLabs() {
        MainWindow window(backends);
        window.files().setAnswer(FileController::Answer::Discard);
        window.resize(1280, 800);
        window.show();
        auto& learn = *window.learnMode();
        learn.show();
        std::set<lab::BoardKind> walked;
        for (const auto lab : {lab::BoardKind::ScaleLab, lab::BoardKind::MaskLab}) {
            learn.showLab(lab);
            compareWithBoard(window, learn.page()->labPage()->title());
            if (QTest::currentTestFailed())
                return;
            walked.insert(lab);
        }
        const auto lessons = learn.page()->lessons();
        for (int index = 0; index < static_cast<int>(lessons.size()); ++index) {
            const auto& lesson = *lessons[static_cast<std::size_t>(index)];
            for (int step = 0; step < lesson.stepCount(); ++step) {
                if (!walked.insert(lesson.view(step).board).second && index > 0)
                    continue;
                learn.showLesson(index);
                learn.page()->lessonPage()->showStep(step);
                compareWithBoard(window, lesson.key() + ", " + lesson.stepTitle(step));
                if (QTest::currentTestFailed())
                    return;
            }
        }
        QVERIFY2(walked.size() >= 8, qPrintable(QString::number(walked.size())));
    }

    /// The picture and the numbers of a map are those of the cells in sight.
    void aMap() {
        const auto from = settings::mapFromCells();
        settings::setMapFromCells(1000);
        const auto back = qScopeGuard([from] { settings::setMapFromCells(from); });
        ViewState view;
        LargeInputs large(view);
        MatrixPage page(view, &large);
        page.resize(700, 500);
        page.show();
        QVERIFY(large.open(longProblem(1)));
        QTRY_VERIFY_WITH_TIMEOUT(large.source() && large.source()->isComplete(), 20000);
        auto& heatmap = *page.heatmap();
        heatmap.showCells(QRectF(100, 50, 24, 16));
        QTRY_VERIFY_WITH_TIMEOUT(large.source()->isComplete(), 20000);
        const QRect sight = heatmap.visibleCells();
        const auto shown = [&](int row, int column) {
            return large.source()->numberAt({sight.top() + row, sight.left() + column});
        };
        QVERIFY(page.askForExport(QStringLiteral("numbers")));
        auto* dialog = page.findChild<ExportDialog*>();
        QVERIFY(dialog);
        dialog->choose("numbers", "npy");
        QVERIFY2(dialog->exportTo(folder_.filePath("sight.npy")), qPrintable(dialog->errorText()));
        dialog->choose("picture", "svg");
        QVERIFY2(dialog->exportTo(folder_.filePath("sight.svg")), qPrintable(dialog->errorText()));
        delete dialog;
        const auto numbers = io::read_tensors(folder_.filePath("sight.npy").toStdString()).begin()->second;
        QCOMPARE(numbers.shape(), (Shape{sight.height(), sight.width()}));
        int known = 0;
        for (int row = 0; row < sight.height(); ++row)
            for (int column = 0; column < sight.width(); ++column)
                if (const auto number = shown(row, column)) {
                    ++known;
                    const double written = numbers.at({row, column});
                    QVERIFY2(std::abs(written - *number) <= 1e-6, qPrintable(QString("%1, %2").arg(row).arg(column)));
                }
        QVERIFY(known > 0);
        QFile file(folder_.filePath("sight.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto texts = readSvg(file.readAll()).texts;
        const auto has_label = [&](int first, int count) {
            for (int i = first; i < first + count; ++i)
                if (texts.contains(QString::number(i)))
                    return true;
            return false;
        };
        QVERIFY2(has_label(sight.top(), sight.height()) && has_label(sight.left(), sight.width()),
                 qPrintable(texts.join('|')));
    }

    /// Figures are for paper, whatever the theme of the window.
    void picturesOfADarkWindowAreLight() {
        MainWindow window(backends);
        applyTheme(ThemeChoice::Dark);
        const auto back = qScopeGuard([] { applyTheme(ThemeChoice::Light); });
        window.files().setAnswer(FileController::Answer::Discard);
        window.resize(1280, 800);
        window.show();
        window.files().openSample("flash_tiles");
        QTRY_VERIFY_WITH_TIMEOUT(!window.isComputing() && window.computed(), 20000);
        auto* centre = window.findChild<CentrePages*>();
        for (const auto& id : centre->availableIds()) {
            centre->setCurrent(id);
            QTRY_COMPARE(centre->current(), id);
            centre->currentPage()->copyPicture();
            const QImage image = QGuiApplication::clipboard()->image();
            QVERIFY2(!image.isNull() && image.pixel(0, 0) == themeFor(false).card.rgb(), qPrintable(id));
            QVERIFY(centre->currentPage()->askForExport(QStringLiteral("picture")));
            auto* dialog = window.findChild<ExportDialog*>();
            QVERIFY(dialog && !dialog->findChild<QCheckBox*>("dark")->isChecked());
            delete dialog;
        }
    }

    /// Arcs and bars beside the page are of the weights, whatever stage the page shows.
    void partsOfTheWorkspace() {
        MainWindow window(backends);
        window.files().setAnswer(FileController::Answer::Discard);
        window.resize(1280, 800);
        window.show();
        window.files().openSample("multi_head_fox");
        QTRY_VERIFY_WITH_TIMEOUT(!window.isComputing() && window.computed(), 20000);
        for (const char* stage : {"weights", "scores"}) {
            window.viewState().setStage(stage);
            const auto arcs = exportedFrom(*window.workArea()->ribbon()->arcs(), "arcs");
            QVERIFY2(arcs.texts.contains("brown"), stage);
            QVERIFY(arcs.texts.filter("weights").size() >= 1);
            const auto bars = exportedFrom(*window.findChild<InspectorPanel*>()->rowCard()->bars(), "bars");
            QVERIFY2(bars.texts.join(' ').contains("brown"), stage);
        }
    }

    void partsOfAModel() {
        ModelWindow shown;
        QVERIFY(shown.open("gpt2"));
        shown.type("the quick brown fox");
        auto& page = shown.page();
        QTRY_VERIFY_WITH_TIMEOUT(page.canExport(), 10000);
        auto* heads = page.findChild<HeadsPanel*>();
        const auto wall = exportedFrom(*heads->wall(), "wall");
        QVERIFY2(wall.texts.contains("0.0") && wall.texts.contains("1.1"), qPrintable(wall.texts.join('|')));
        heads->tabs()->setCurrentIndex(HeadsPanel::Scatter);
        const auto plot = exportedFrom(*heads->scatter(), "plot");
        QVERIFY2(plot.texts.contains(heads->scatter()->picture().x_title),
                 qPrintable(plot.texts.join(QLatin1Char('|'))));
        QVERIFY(exportedFrom(*page.arcs(), "arcs").well_formed);
    }

    /// Lines are exported as lines, and heatmaps as heatmaps.
    void viewsOfAModel() {
        ModelWindow shown;
        QVERIFY(shown.open("gpt2"));
        shown.type("the quick brown fox");
        auto& page = shown.page();
        auto& head = *page.head();
        for (HeadView* view : std::initializer_list<HeadView*>{head.weights(), head.arcs(), head.rollout()}) {
            head.show(view);
            QTRY_VERIFY_WITH_TIMEOUT(page.figureToPrint().has_value(), 10000);
            compareWithPage(page, view->name());
            QCOMPARE(page.figureToPrint()->figure.drawing != nullptr, view == head.arcs());
        }
    }
};

ATTNLAB_TEST(TestExportedPages)
#include "test_exported_pages.moc"

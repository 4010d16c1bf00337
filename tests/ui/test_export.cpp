#include "core/io/csv.h"
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/random.h"
#include "tests/test_main.h"
#include "ui/document/settings.h"
#include "ui/document/view_state.h"
#include "ui/export/export.h"
#include "ui/export/export_dialog.h"
#include "ui/export/live_page.h"
#include "ui/export/matrix_export.h"
#include "ui/export/selection_button.h"
#include "ui/export/web_page_export.h"
#include "ui/widgets/theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

Stage stageOf(const std::string& name, std::vector<Axis> axes, Shape shape, std::uint64_t seed) {
    Stage stage;
    stage.name = name;
    stage.axes = std::move(axes);
    stage.value = random_normal(std::move(shape), seed);
    return stage;
}

std::shared_ptr<Computed> computed() {
    auto result = std::make_shared<Computed>();
    Trace& trace = result->trace;
    trace.query_tokens = {"cat", "drank, then", "milk"};
    trace.key_tokens = {"a", "b", "c", "d"};
    trace.stages.push_back(stageOf("weights", {Axis::Batch, Axis::Head, Axis::Query, Axis::Key}, {2, 2, 3, 4}, 1));
    trace.stages.push_back(stageOf("lse", {Axis::Batch, Axis::Head, Axis::Query}, {2, 2, 3}, 2));
    trace.stages.push_back(stageOf("output", {Axis::Batch, Axis::Query, Axis::Feature}, {1, 3, 5}, 3));
    trace.stages.front().value.set({0, 0, 0, 0}, -std::numeric_limits<double>::infinity());
    return result;
}

std::filesystem::path pathOf(const QString& path) { return path.toStdString(); }

io::Table readTable(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return io::read_table(file.readAll().toStdString(), "table");
}

QStringList namesOf(const QStringList& files) {
    QStringList names;
    for (const auto& file : files)
        names << QFileInfo(file).fileName();
    return names;
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void oneStageAsNpy() {
        const auto result = computed();
        const QString path = folder_->filePath("w.npy");
        const std::vector<std::string> names{"weights"};
        QCOMPARE(exportStages(path, result->trace, names), QStringList{path});
        const auto tensors = io::read_tensors(pathOf(path));
        QCOMPARE(tensors.size(), std::size_t{1});
        QVERIFY(tensors.begin()->second == result->trace.stages[0].value);
    }

    void allStagesInOneFile_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"all.npz", "all.safetensors", "all.SafeTensors"})
            QTest::newRow(file) << QString(file);
    }
    void allStagesInOneFile() {
        QFETCH(QString, file);
        const auto result = computed();
        const QString path = folder_->filePath(file);
        const std::vector<std::string> names{"weights", "lse", "output"};
        QCOMPARE(exportStages(path, result->trace, names), QStringList{path});
        const auto tensors = io::read_tensors(pathOf(path));
        QCOMPARE(tensors.size(), std::size_t{3});
        for (const auto& stage : result->trace.stages)
            QVERIFY(tensors.at(stage.name) == stage.value);
    }

    void oneFileAMatrix_data() {
        QTest::addColumn<QString>("suffix");
        QTest::newRow("csv") << "csv";
        QTest::newRow("tsv") << "tsv";
    }
    void oneFileAMatrix() {
        QFETCH(QString, suffix);
        const auto result = computed();
        const std::vector<std::string> names{"weights"};
        const QString path = folder_->filePath("maps.v2." + suffix);
        const QStringList files = exportStages(path, result->trace, names);
        QCOMPARE(files, stageFiles(path, result->trace, names));
        QCOMPARE(namesOf(files), (QStringList{"maps.v2_b0_h0." + suffix, "maps.v2_b0_h1." + suffix,
                                              "maps.v2_b1_h0." + suffix, "maps.v2_b1_h1." + suffix}));
        for (int i = 0; i < 4; ++i) {
            const Tensor matrix = readTable(files[i]).values;
            const auto expected = matrix_at(result->trace.stages[0].value, i);
            QCOMPARE(matrix.shape(), (Shape{3, 4}));
            QVERIFY(std::equal(matrix.values().begin(), matrix.values().end(), expected.data));
        }
    }

    void severalStagesAsCsvNameTheirStage() {
        const auto result = computed();
        const std::vector<std::string> names{"lse", "output"};
        const QStringList files = exportStages(folder_->filePath("s.csv"), result->trace, names);
        QCOMPARE(namesOf(files), (QStringList{"s_lse_b0_h0.csv", "s_lse_b0_h1.csv", "s_lse_b1_h0.csv",
                                              "s_lse_b1_h1.csv", "s_output.csv"}));
        // One number a row makes a column.
        QCOMPARE(readTable(files.first()).values.shape(), (Shape{3, 1}));
        QCOMPARE(QDir(folder_->path()).entryList(QDir::Files).size(), 5);
    }

    void tokensAsLabels() {
        const auto result = computed();
        const std::vector<std::string> names{"weights"};
        const QStringList files = exportStages(folder_->filePath("w.csv"), result->trace, names, true);
        const io::Table table = readTable(files.first());
        QCOMPARE(table.row_labels, result->trace.query_tokens);
        QCOMPARE(table.column_labels, result->trace.key_tokens);
        QCOMPARE(table.values.at({2, 3}), result->trace.stages[0].value.at({0, 0, 2, 3}));
    }

    void exportingFailsWithAReason_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("stage");
        QTest::addColumn<QString>("reason");
        QTest::newRow("suffix") << "a.xlsx"
                                << "weights" << '.' + suffixesOf(FormatKind::Numbers).join(", .");
        QTest::newRow("stage") << "a.npz"
                               << "gate"
                               << "'gate' is not in this result; there are weights, lse, output";
        QTest::newRow("folder npz") << "none/a.npz"
                                    << "weights"
                                    << "none/a.npz";
        QTest::newRow("folder csv") << "none/a.csv"
                                    << "weights"
                                    << "none/a_b0_h0.csv";
    }
    void exportingFailsWithAReason() {
        QFETCH(QString, file);
        QFETCH(QString, stage);
        QFETCH(QString, reason);
        const std::vector<std::string> names{stage.toStdString()};
        try {
            exportStages(folder_->filePath(file), computed()->trace, names);
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(reason), error.what());
        }
        QVERIFY(QDir(folder_->path()).entryList(QDir::Files).isEmpty());
    }

    void figuresOfATrace() {
        const auto result = computed();
        const QString path = folder_->filePath("w.png");
        const FigureSubject mean{"weights", 1, ViewState::mean_of_heads, {}};
        writeFigure(path, {matrixOf(result->trace, mean), scaleOf(result->trace, mean)}, {});
        QVERIFY(!QImage(path).isNull());
        for (const FigureSubject& subject : {FigureSubject{"gate", 0, 0, {}}, FigureSubject{"weights", 2, 0, {}},
                                             FigureSubject{"weights", 0, 2, {}}, FigureSubject{"weights", 0, -2, {}}})
            QVERIFY_THROWS_EXCEPTION(Error, matrixOf(result->trace, subject));
    }

    void theClipboardHasEveryDigit() {
        MatrixData matrix;
        const double infinity = std::numeric_limits<double>::infinity();
        matrix.values = Tensor({2, 2}, {0.1 + 0.2, -infinity, 1.0 / 3.0, 1e-300});
        copyMatrix(matrix);
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QCOMPARE(data->text(), QString("0.30000000000000004\t-inf\n0.3333333333333333\t1e-300\n"));
        QVERIFY(io::read_table(data->text().toStdString(), "clipboard").values == matrix.values);
        QVERIFY(data->html().contains("<td>0.30000000000000004</td>"));
        QCOMPARE(data->html().count("<tr>"), 2);
    }

    void theClipboardHasAPicture() {
        const auto result = computed();
        const FigureSubject subject{"weights", 0, 1, {}};
        FigureOptions options;
        options.dpi = 72;
        copyPicture({matrixOf(result->trace, subject), scaleOf(result->trace, subject)}, options);
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QCOMPARE(qvariant_cast<QImage>(data->imageData()).size(), QSize(480, 400));
        QVERIFY(data->data("image/svg+xml").contains("<svg"));
    }

    void theDialogWritesPictures_data() {
        QTest::addColumn<QString>("suffix");
        for (const auto& suffix : suffixesOf(FormatKind::Picture))
            QTest::newRow(qPrintable(suffix)) << suffix;
    }
    void theDialogWritesPictures() {
        QFETCH(QString, suffix);
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights · head 2"));
        dialog.show();
        dialog.choose("picture", suffix);
        QCOMPARE(dialog.suffix(), suffix);
        auto* dpi = dialog.findChild<QSpinBox*>("dpi");
        QCOMPARE(dpi->isEnabled(), findFormat(FormatKind::Picture, suffix)->has_pixels);
        dpi->setValue(100);
        dialog.findChild<QDoubleSpinBox*>("width")->setValue(360.0);
        dialog.findChild<QDoubleSpinBox*>("height")->setValue(288.0);
        QTest::mouseClick(dialog.findChild<QCheckBox*>("dark"), Qt::LeftButton, {}, QPoint(5, 8));
        const QString path = folder_->filePath("figure." + suffix);
        QSignalSpy exported(&dialog, &ExportDialog::exported);
        QVERIFY(dialog.exportTo(path));
        QCOMPARE(exported.count(), 1);
        QCOMPARE(dialog.writtenFiles(), QStringList{path});
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        if (suffix == "png") {
            const QImage image(path);
            QCOMPARE(image.size(), QSize(500, 400));
            QCOMPARE(image.pixelColor(0, 0), themeFor(true).card);
        }
    }

    void theDialogWritesAPage() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights · head 2"));
        dialog.show();
        auto* every_number = dialog.findChild<QCheckBox*>("every_number");
        QVERIFY(every_number && !every_number->isVisible());
        dialog.choose("page", "html");
        QCOMPARE(dialog.suffix(), QString("html"));
        QVERIFY(every_number->isVisible());
        const QString path = folder_->filePath("page.html");
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray page = file.readAll();
        QVERIFY(page.startsWith("<!DOCTYPE html>"));
        QVERIFY(page.contains("default-src 'none'"));
        QVERIFY(!page.contains("{{"));
    }

    void aPageThatComputesIsOffered() {
        auto subject = stageExport(computed(), {"weights", 0, 1, {}}, "weights · head 2");
        AttentionProblem problem;
        for (const char* name : {"query", "key", "value"})
            problem.tensors.emplace(name, Tensor({2, 2}, 0.5));
        subject.origin = std::make_shared<const FigureOrigin>(FigureOrigin{problem, {}});
        const auto outputs = subject.outputs.size();
        addLivePage(subject);
        if (livePageUnsupportedReason()) { // scripts/web has not been run
            QCOMPARE(subject.outputs.size(), outputs);
            return;
        }
        ExportDialog dialog(subject);
        dialog.choose("live_page", "html");
        const QString path = folder_->filePath("live.html");
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto page = file.readAll();
        QVERIFY(page.contains("'wasm-unsafe-eval'") && page.contains("weights · head 2") &&
                !page.contains("{{module}}"));
        problem.tensors["query"] = Tensor({300, 2}, 0.5);
        problem.tensors["key"] = Tensor({300, 2}, 0.5);
        problem.tensors["value"] = Tensor({300, 2}, 0.5);
        subject.origin = std::make_shared<const FigureOrigin>(FigureOrigin{problem, {}});
        const auto before = subject.outputs.size();
        addLivePage(subject);
        QCOMPARE(subject.outputs.size(), before); // its scores are more than a page holds
    }

    void theDialogCutsNoText() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights · head 2"));
        dialog.show();
        for (const auto* check : dialog.findChildren<QCheckBox*>())
            if (check->isVisible())
                QVERIFY2(check->width() >= check->sizeHint().width(), qPrintable(check->text()));
    }

    void theDialogFitsTheScreen() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights · head 2"));
        QFont large = dialog.font();
        large.setPointSizeF(large.pointSizeF() * 2.2);
        dialog.setFont(large);
        dialog.choose("picture", "svg");
        dialog.show();
        QVERIFY(dialog.height() <= dialog.screen()->availableGeometry().height());
        for (const auto* button : dialog.findChildren<QPushButton*>())
            QVERIFY(dialog.rect().contains(QRect(button->mapTo(&dialog, QPoint()), button->size())));
    }

    /// The same options as on the command line, initialized from the view.
    void theDialogDrawsAsItIsAsked() {
        const auto result = computed();
        ExportDialog dialog(stageExport(result, {"weights", 0, 1, {"magma", false, true, -1.5, 2.0}}, "weights"));
        dialog.show();
        dialog.choose("picture", "svg");
        QCOMPARE(dialog.findChild<QLineEdit*>("low")->text(), QString("-1.5"));
        QCOMPARE(dialog.findChild<QLineEdit*>("high")->text(), QString("2"));
        dialog.findChild<QLineEdit*>("high")->setText("1.25");
        dialog.findChild<QDoubleSpinBox*>("width")->setValue(360.0);
        dialog.findChild<QDoubleSpinBox*>("height")->setValue(288.0);
        dialog.findChild<QSpinBox*>("font_size")->setValue(7);
        dialog.findChild<QCheckBox*>("numbers")->setChecked(false);
        auto* heads = dialog.findChild<SelectionButton*>("heads");
        QVERIFY(heads->isVisible());
        heads->choose({0, 1});
        const QString path = folder_->filePath("asked.svg");
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));

        FigureOptions options;
        options.size_points = QSizeF(360, 288);
        options.title = "weights";
        options.font_points = 7;
        options.numbers = false;
        options.colormap = "magma";
        options.low = -1.5;
        options.high = 1.25;
        const FigureSubject subject{"weights", 0, 1, colorsOf(options)};
        const QString same = folder_->filePath("same.svg");
        Figure figure{allHeadsOf(result->trace, subject), scaleOf(result->trace, subject)};
        figure.quantity = "weights"; // beside the colour bar
        writeFigure(same, figure, options);
        QFile asked(path), expected(same);
        QVERIFY(asked.open(QIODevice::ReadOnly) && expected.open(QIODevice::ReadOnly));
        const QByteArray bytes = asked.readAll();
        QCOMPARE(bytes, expected.readAll());
        QVERIFY(bytes.contains("Head 0") && bytes.contains("Head 1"));
        QCOMPARE(bytes.count(">weights<"), 3); // twice the title, and the colour bar
    }

    void theTitleIsThatOfWhatIsDrawn() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights · head 1"));
        auto* title = dialog.findChild<QLineEdit*>("title");
        auto* heads = dialog.findChild<SelectionButton*>("heads");
        heads->choose({0, 1});
        QCOMPARE(title->text(), QString("weights"));
        heads->choose({1});
        QCOMPARE(title->text(), QString("weights · head 1"));
        heads->choose({0});
        QVERIFY2(title->text().endsWith("head 0"), qPrintable(title->text()));
        auto* stages = dialog.findChild<SelectionButton*>("stages");
        stages->choose({0, 1});
        QCOMPARE(title->text(), QString("Head 0"));
        title->setText("My own");
        heads->choose({0, 1});
        QCOMPARE(title->text(), QString("My own"));
    }

    void theNameSaysTheHead() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights"));
        QCOMPARE(dialog.proposedName(), QString("weights-head-1"));
        auto* heads = dialog.findChild<SelectionButton*>("heads");
        heads->choose({0, 1});
        QCOMPARE(dialog.proposedName(), QString("weights-all-heads"));
        heads->choose({0, 2});
        QCOMPARE(dialog.proposedName(), QString("weights-heads-0-mean"));
        dialog.choose("stage");
        QCOMPARE(dialog.proposedName(), QString("weights"));
        ExportDialog mean(stageExport(computed(), {"weights", 0, ViewState::mean_of_heads, {}}, "weights"));
        QCOMPARE(mean.proposedName(), QString("weights-mean"));
        ExportDialog plain(stageExport(computed(), {"output", 0, 0, {}}, "output"));
        QCOMPARE(plain.proposedName(), QString("output"));
    }

    /// Several stages have colour bars of their own; one without heads is there once.
    void severalStagesAndHeads() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights"));
        dialog.choose("picture", "svg");
        dialog.findChild<SelectionButton*>("stages")->choose({0, 2});
        dialog.findChild<SelectionButton*>("heads")->choose({0, 1});
        dialog.findChild<QLineEdit*>("panel_names")->setText("first, all tokens");
        const QString path = folder_->filePath("stages.svg");
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto svg = file.readAll();
        QCOMPARE(svg.count(">first<"), 1);
        QCOMPARE(svg.count(">all tokens<"), 1);
        QVERIFY(svg.contains("Head 1") && !svg.contains("output"));
    }

    /// At least one stays chosen, and the button says which are.
    void someOfAList() {
        SelectionButton button({"heads", "&Heads", {"Head 0", "Head 1", "Mean"}, {1}, "All heads", 1});
        QCOMPARE(button.text(), QString("Head 1"));
        const auto actions = button.menu()->actions();
        QCOMPARE(actions.size(), 5); // with a separator
        actions[3]->trigger();
        QCOMPARE(button.chosen(), QList<int>{1});
        actions[0]->trigger();
        QCOMPARE(button.chosen(), (QList<int>{0, 1}));
        QCOMPARE(button.text(), QString("All heads"));
        actions[0]->trigger();
        QCOMPARE(button.chosen(), QList<int>{0});
        button.choose({7});
        QCOMPARE(button.chosen(), QList<int>{0});
        button.choose({2, 0});
        QCOMPARE(button.text(), QString("Head 0, Mean"));
    }

    void headsAsDrawings_data() {
        QTest::addColumn<QString>("id");
        for (const auto& way : headDrawings())
            QTest::newRow(way.id) << QString(way.id);
    }
    /// The file has the drawing of the head on show and the query that is chosen.
    void headsAsDrawings() {
        QFETCH(QString, id);
        const auto result = computed();
        ExportDialog dialog(stageExport(result, {"weights", 0, 1, {}, 2}, "weights · head 1"));
        dialog.show();
        dialog.choose(id, "svg");
        QCOMPARE(dialog.findChild<QComboBox*>("format")->findData("tex"), -1);
        QVERIFY(!dialog.findChild<SelectionButton*>("heads")->isVisible());
        QVERIFY(!dialog.previewPicture().isNull());
        dialog.findChild<QLineEdit*>("title")->clear();
        const QString path = folder_->filePath("drawing.svg");
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));
        FigureOptions options;
        options.automatic_height = true;
        const FigureSubject subject{"weights", 0, 1, {}};
        const auto& way = *findHeadDrawing(id);
        const std::optional<int> query = way.query == HeadDrawing::Query::None ? std::nullopt : std::optional(2);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), svgData(Figure(way.make(matrixOf(result->trace, subject), query, {})), options));
    }

    void aStyleIsShownInItsUnit_data() {
        QTest::addColumn<QString>("style");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<double>("width");
        QTest::newRow("Nature") << QStringLiteral("nature") << QStringLiteral("mm") << 89.0;
        QTest::newRow("NeurIPS") << QStringLiteral("neurips") << QStringLiteral("in") << 5.5;
        QTest::newRow("screen") << QStringLiteral("screen") << QStringLiteral("pt") << 480.0;
    }
    void aStyleIsShownInItsUnit() {
        QFETCH(QString, style);
        QFETCH(QString, unit);
        QFETCH(double, width);
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights"));
        dialog.show();
        dialog.choose("picture", "pdf");
        auto* styles = dialog.findChild<QComboBox*>("style");
        styles->setCurrentIndex(styles->findData(style));
        emit styles->activated(styles->currentIndex());
        QCOMPARE(dialog.findChild<QComboBox*>("units")->currentText(), unit);
        QCOMPARE(dialog.findChild<QDoubleSpinBox*>("width")->value(), width);
    }

    /// On a screen of 800 x 800, offscreen.
    void thePreviewHasItsTrueSize() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights"));
        dialog.show();
        dialog.choose("picture", "png");
        auto* width = dialog.findChild<QDoubleSpinBox*>("width");
        auto* height = dialog.findChild<QDoubleSpinBox*>("height");
        const auto true_width = [&] {
            return static_cast<int>(std::lround(width->value() * dialog.logicalDpiX() / 72.0));
        };
        width->setValue(120.0);
        height->setValue(90.0);
        QCOMPARE(dialog.previewPicture().width(), true_width());
        width->setValue(2000.0);
        const QPixmap reduced = dialog.previewPicture();
        QVERIFY(reduced.width() < true_width());
        QVERIFY(std::abs(reduced.width() * height->value() - reduced.height() * width->value()) < 2000.0);
    }

    /// Before a file is written.
    void lostLettersAreNamed() {
        const std::string nowhere = "\xf3\xb1\x88\xb4"; // U+F1234, of private use
        auto result = computed();
        result->trace.key_tokens = {"a", "我", nowhere, "d"};
        ExportDialog dialog(stageExport(result, {"weights", 0, 1, {}}, "weights"));
        dialog.show();
        const auto* issues = dialog.findChild<QLabel*>("issues");
        for (const auto& [suffix, names] : {std::pair("svg", false), {"pdf", true}, {"png", true}, {"tex", true}}) {
            dialog.choose("picture", suffix);
            QVERIFY2(issues->text().endsWith(QString::fromStdString(nowhere)) == names, qPrintable(issues->text()));
            QCOMPARE(issues->isVisibleTo(&dialog), names);
        }
        dialog.choose("arcs", "png");
        QVERIFY(issues->text().endsWith(QString::fromStdString(nowhere)));
        dialog.choose("picture", "tex");
        QVERIFY2(issues->text().contains("我, "), qPrintable(issues->text()));
    }

    /// The height of arcs and bars follows from their tokens until the user chooses one; that of heatmaps stays.
    void drawingsHaveTheHeightTheyNeed() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights"));
        dialog.show();
        auto* automatic = dialog.findChild<QCheckBox*>("automatic_height");
        dialog.choose("picture", "svg");
        QVERIFY(!automatic->isChecked());
        dialog.choose("bars", "svg");
        QVERIFY(automatic->isChecked());
        QVERIFY(dialog.exportTo(folder_->filePath("bars.svg")));
        ExportDialog chosen(stageExport(computed(), {"weights", 0, 1, {}}, "weights"));
        chosen.show();
        chosen.findChild<QDoubleSpinBox*>("height")->setValue(288.0);
        chosen.choose("bars", "svg");
        QVERIFY(!chosen.findChild<QCheckBox*>("automatic_height")->isChecked());
    }

    void profilesAreOfWeights() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights"));
        dialog.show();
        auto* profiles = dialog.findChild<QCheckBox*>("profiles");
        dialog.choose("picture", "svg");
        QVERIFY(!profiles->isHidden());
        profiles->setChecked(true);
        const QString path = folder_->filePath("profiles.svg");
        QVERIFY2(dialog.exportTo(path), qPrintable(dialog.errorText()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("mean weight of each key"));
        ExportDialog other(stageExport(computed(), {"output", 0, 1, {}}, "output"));
        other.show();
        QVERIFY(other.findChild<QCheckBox*>("profiles")->isHidden());
    }

    void largeHeadsHaveNoDrawings() {
        auto result = std::make_shared<Computed>();
        result->trace.stages.push_back(stageOf("weights", {Axis::Query, Axis::Key}, {300, 300}, 1));
        const auto subject = stageExport(result, {"weights", 0, 0, {}}, "weights");
        QVERIFY(std::ranges::none_of(subject.outputs, [](const ExportOutput& output) { return output.id == "arcs"; }));
    }

    void theLastFormatIsOffered() {
        settings::setPictureFormat("pdf");
        QCOMPARE(ExportDialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights")).suffix(), QString("pdf"));
        settings::setPictureFormat({});
        QCOMPARE(ExportDialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights")).suffix(), QString("png"));
    }

    void rangesThatAreNoneAreRefused() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 1, {}}, "weights"));
        dialog.show();
        dialog.choose("picture", "png");
        dialog.findChild<QLineEdit*>("low")->setText("2");
        dialog.findChild<QLineEdit*>("high")->setText("1");
        const QString path = folder_->filePath("none.png");
        QVERIFY(!dialog.exportTo(path));
        QVERIFY2(dialog.errorText().contains("go from 2 to 1"), qPrintable(dialog.errorText()));
        QVERIFY(!QFile::exists(path));
    }

    void theDialogWritesNumbers() {
        const auto result = computed();
        ExportDialog dialog(stageExport(result, {"weights", 0, 1, {}}, {}));
        dialog.show();
        dialog.choose("stage", "csv");
        QVERIFY2(dialog.description().contains("weights_b0_h0.csv"), qPrintable(dialog.description()));
        QVERIFY(dialog.description().contains("4"));
        QVERIFY(dialog.findChild<QCheckBox*>("labels")->isVisible());
        dialog.choose("stages", "npz");
        QVERIFY(!dialog.findChild<QCheckBox*>("labels")->isVisible());
        const QString path = folder_->filePath("all.npz");
        QVERIFY(dialog.exportTo(path));
        QCOMPARE(io::read_npz(pathOf(path)).tensors.size(), std::size_t{3});
    }

    void theDialogWritesSafetensors() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 0, {}}, {}));
        dialog.show();
        dialog.choose("stages", "safetensors");
        QVERIFY(dialog.findChild<QComboBox*>("format")->currentText().startsWith("Safetensors"));
        QVERIFY2(dialog.description().contains("3 arrays"), qPrintable(dialog.description()));
        const QString path = folder_->filePath("all.safetensors");
        QVERIFY(dialog.exportTo(path));
        QCOMPARE(io::read_tensors(pathOf(path)).size(), std::size_t{3});
    }

    /// A row of the engine's table suffices for a file type.
    void everyTypeOfTensorsIsOffered_data() {
        QTest::addColumn<QString>("suffix");
        for (const auto& suffix : io::writable_suffixes())
            QTest::newRow(suffix.c_str()) << QString::fromStdString(suffix);
        QVERIFY(io::writable_suffixes().size() >= 5);
    }
    void everyTypeOfTensorsIsOffered() {
        QFETCH(QString, suffix);
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 0, {}}, {}));
        dialog.choose("stage", suffix);
        QCOMPARE(dialog.suffix(), suffix);
        QVERIFY2(dialog.exportTo(folder_->filePath("w." + suffix)), qPrintable(dialog.errorText()));
        for (const auto& file : dialog.writtenFiles())
            QVERIFY(!io::read_tensors(pathOf(file)).empty());
    }

    void theDialogStaysOpenAndSaysWhy() {
        ExportDialog dialog(stageExport(computed(), {"weights", 0, 0, {}}, {}));
        dialog.show();
        dialog.choose("stage", "npy");
        QVERIFY(!dialog.exportTo(folder_->filePath("none/w.npy")));
        QVERIFY2(dialog.errorText().contains("none/w.npy"), qPrintable(dialog.errorText()));
        QVERIFY(dialog.isVisible());
        QVERIFY(dialog.writtenFiles().isEmpty());
        dialog.choose("stage", "npz");
        QVERIFY(dialog.errorText().isEmpty());
    }
};

ATTNLAB_TEST(TestExport)
#include "test_export.moc"

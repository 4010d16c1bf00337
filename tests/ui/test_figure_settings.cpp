// Figures carry the settings that made them, and opening one restores them.
#include "core/io/saved/figure_file.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/settings.h"
#include "ui/document/view_state.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/export_dialog.h"
#include "ui/export/formats.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QImage>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestFigureSettings : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<MainWindow> window_;

    void computed() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 30000); }
    /// Exports what is on show by the dialog, 300 points wide.
    QString exported(const QString& name) {
        window_->actions().export_shown->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        if (!dialog)
            return {};
        dialog->choose("picture", QFileInfo(name).suffix());
        dialog->findChild<QDoubleSpinBox*>("width")->setValue(300.0);
        dialog->findChild<QSpinBox*>("dpi")->setValue(96);
        const auto path = folder_.filePath(name);
        const bool written = dialog->exportTo(path);
        delete dialog;
        return written ? path : QString();
    }
    bool open(const QString& path) {
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->open({path});
        return opened.wait() && opened.first().first().toBool();
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabFigureSettingsTest");
    }
    void init() {
        QSettings().clear();
        applyLanguage("en");
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->show();
        window_->files().openSample("multi_head_fox");
        computed();
    }
    void cleanup() { window_.reset(); }

    void restored_data() {
        QTest::addColumn<QString>("name");
        for (const auto& format : formats())
            if (format.has_settings)
                QTest::newRow(qPrintable(format.suffix)) << "f." + format.suffix;
    }
    void restored() {
        QFETCH(QString, name);
        auto problem = window_->document().problem();
        problem.spec.scale = {"none", {}};
        problem.query_tokens.front() = "<&\xe7\x8c\xab>";
        window_->document().edit("edit", problem);
        computed();
        auto& view = window_->viewState();
        view.setStage("scores");
        view.setHead(1);
        view.setColors({"magma", false, true, -1.0, 2.0});
        const auto path = exported(name);
        QVERIFY(!path.isEmpty());
        if (name.endsWith("png"))
            QCOMPARE(QImage(path).width(), 400); // 300 points at 96 dots per inch
        if (name.endsWith("svg"))
            QVERIFY(QSvgRenderer(path).isValid());
        window_->files().openSample("multi_head_fox");
        view.setStage("weights");
        view.setHead(0);
        view.setColors({});
        QVERIFY(open(path));
        computed();
        QVERIFY(window_->document().problem() == problem);
        QCOMPARE(view.stage(), QString("scores"));
        QCOMPARE(view.head(), 1);
        QCOMPARE(view.colors().colormap, QString("magma"));
        QCOMPARE(view.colors().low, -1.0);
        QVERIFY(window_->document().path().isEmpty()); // saving does not write over the figure
        window_->actions().export_shown->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->findChild<QDoubleSpinBox*>("width")->value(), 300.0);
        QCOMPARE(dialog->findChild<QSpinBox*>("dpi")->value(), 96);
        delete dialog;
    }

    /// The user may leave the inputs out; the choice is remembered, and such a picture opens as no document.
    void withoutInputs_data() { restored_data(); }
    void withoutInputs() {
        QFETCH(QString, name);
        const auto with = exported(name);
        window_->actions().export_shown->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        auto* keep = dialog->findChild<QCheckBox*>("keeps_inputs");
        QVERIFY(keep && keep->isVisible() && keep->isChecked());
        QVERIFY(keep->text().contains(" kB") || keep->text().contains(" KiB"));
        keep->setChecked(false);
        delete dialog;
        QVERIFY(!settings::keepsInputs());
        const auto without = exported("without-" + name);
        QVERIFY(QFileInfo(without).size() < QFileInfo(with).size());
        const auto problem = window_->document().problem();
        QVERIFY(!open(without));
        QVERIFY(window_->messageBar()->text().contains("with its inputs"));
        QVERIFY(window_->document().problem() == problem);
        QFile file(without);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto bytes = file.readAll();
        QVERIFY(!bytes.contains("attnlab_figure") && !bytes.contains("base64 of"));
    }

    /// Its settings go to the arrays that are open, as a step that can be undone.
    void withoutArrays() {
        auto large = window_->document().problem();
        const auto before = large;
        large.spec.scale = {"none", {}};
        large.tensors["x"] = Tensor({1 << 20, 2}, 0.5);
        ViewState view;
        view.setStage("scores");
        const auto path = folder_.filePath("large.png");
        QImage picture(8, 8, QImage::Format_RGB32);
        picture.fill(Qt::white);
        QVERIFY(picture.save(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const auto with =
            io::png_with_settings(file.readAll().toStdString(), io::figure_settings_text(large, viewToJson(view)));
        file.resize(0);
        QVERIFY(file.write(QByteArray::fromStdString(with)) > 0);
        file.close();
        QVERIFY(open(path));
        computed();
        QCOMPARE(window_->document().problem().spec.scale.id, std::string("none"));
        QVERIFY(window_->document().problem().tensors == before.tensors);
        QCOMPARE(window_->viewState().stage(), QString("scores"));
        QVERIFY(window_->messageBar()->text().contains("too large"));
        window_->document().undoStack()->undo();
        QVERIFY(window_->document().problem() == before);
    }

    void aPictureWithoutSettings() {
        const auto path = folder_.filePath("plain.png");
        QImage picture(8, 8, QImage::Format_RGB32);
        picture.fill(Qt::white);
        QVERIFY(picture.save(path));
        const auto before = window_->document().problem();
        QVERIFY(!open(path));
        QVERIFY(window_->messageBar()->text().contains("without settings"));
        QVERIFY(window_->document().problem() == before);
    }

    void appearanceFromAnywhere() {
        FigureOptions options;
        options.size_points = {300, 200};
        options.dpi = 90;
        options.dark = true;
        options.numbers = false;
        options.font_points = 7;
        options.title = "a";
        options.low = -1.0;
        FigureOptions read;
        figureFromJson(figureToJson(options), read, true);
        QCOMPARE(figureToJson(read), figureToJson(options));
        FigureOptions usual, other;
        figureFromJson({{"width", 1e9}, {"height", "x"}, {"dpi", -1}, {"font_size", 1000}, {"dark", 3}}, other, true);
        QCOMPARE(figureToJson(other), figureToJson(usual));
    }
};

ATTNLAB_TEST(TestFigureSettings)
#include "test_figure_settings.moc"

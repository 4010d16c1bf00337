// Samples, workspaces and files of others in the window, also dropped on it.
#include "core/io/file_formats.h"
#include "sample_window.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "ui/document/samples.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/actions.h"
#include "ui/window/status_line.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include <optional>
#include <string>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

class TestWindowFiles : public QObject, protected SampleFixture {
    Q_OBJECT

    void write(const QString& path, const TensorMap& tensors) { io::write_tensors(path.toStdString(), tensors); }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    void everySampleOpens_data() {
        QTest::addColumn<QString>("id");
        for (const auto& sample : samples())
            QTest::newRow(sample.id) << QString::fromLatin1(sample.id);
    }

    void everySampleOpens() {
        QFETCH(QString, id);
        openSample(qPrintable(id));
        QVERIFY2(window_->messageBar()->isHidden(), qPrintable(window_->messageBar()->text()));
        QVERIFY(window_->matrixPage()->shownStage());
        QVERIFY(!window_->findChild<StatusLine*>()->shapeLine().isEmpty());
        QVERIFY(!window_->document().isModified());
    }

    void aSampleForPaperOpensWithItsInputs() {
        openSample("multi_head_fox");
        for (auto* action : window_->panelDocks()->actions())
            if (action->isChecked())
                action->trigger();
        QVERIFY(!window_->panelDocks()->showsInputs());
        openSample("cross_attention");
        QVERIFY(!window_->panelDocks()->showsInputs());
        openSample("by_hand");
        QVERIFY(window_->panelDocks()->showsInputs());
        const auto scores = window_->results().computed()->trace.find("scores")->value.values();
        QCOMPARE(std::vector<double>(scores.begin(), scores.end()), (std::vector<double>{1, 1, 2, 2, 2, 0, 2, 1, 1}));
    }

    void savesAndOpensAWorkspace() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("work.npz");
        openSample("multi_head_fox");
        window_->viewState().setHead(2);
        window_->viewState().setStage("scores");
        QVERIFY(window_->files().saveTo(path));
        const auto problem = window_->document().problem();
        openSample("milk_or_cat_hungry");
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().open({path});
        QVERIFY(opened.wait());
        settle();
        QVERIFY(window_->document().problem() == problem);
        QCOMPARE(window_->viewState().head(), 2);
        QCOMPARE(window_->viewState().stage(), QString("scores"));
        QCOMPARE(window_->document().path(), path);
    }

    void wrongFilesLeaveEverythingAsItWas_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("name");
        QTest::newRow("empty") << QByteArray() << "a.npz";
        QTest::newRow("no zip") << QByteArray("hello") << "a.npz";
        QTest::newRow("cut npy") << QByteArray("\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'", 24) << "a.npy";
        QTest::newRow("cut safetensors") << QByteArray("\x10\0\0\0\0\0\0\0{\"w\":", 13) << "a.safetensors";
        QTest::newRow("text table") << QByteArray("1,2\n3,x\n") << "a.csv";
        QTest::newRow("unknown") << QByteArray("1 2 3") << "a.docx";
    }

    void wrongFilesLeaveEverythingAsItWas() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, name);
        const QTemporaryDir folder;
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        const auto problem = window_->document().problem();
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().openOrJoin({file.fileName()}, "query");
        QVERIFY(opened.wait());
        QVERIFY(!opened.first().first().toBool());
        QVERIFY2(window_->messageBar()->text().contains(name), qPrintable(window_->messageBar()->text()));
        QVERIFY(window_->document().problem() == problem);
    }

    void droppedFilesOpen_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("csv") << "homework.csv";
        QTest::newRow("safetensors") << "homework.safetensors";
    }
    void droppedFilesOpen() {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        write(folder.filePath(name), {{"homework", Tensor({2, 2}, {1, 2, 3, 4})}});
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder.filePath(name))});
        window_->findChild<InputsPanel*>()->showTensor("value");
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QSignalSpy opened(&window_->files(), &FileController::opened);
        QApplication::sendEvent(window_.get(), &enter);
        QVERIFY(enter.isAccepted());
        QApplication::sendEvent(window_.get(), &drop);
        QVERIFY(opened.wait());
        QCOMPARE(window_->document().problem().tensors.at("value").shape(), (Shape{2, 2}));
        window_->actions().undo->trigger();
        QCOMPARE(window_->document().problem().tensors.at("value").shape(), (Shape{4, 4}));
    }

    void masksOfAFileAreOn_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("npz") << QStringLiteral(ATTNLAB_GOLDEN_DIR "/torch_mha_self.in.npz");
        QTest::newRow("safetensors") << QStringLiteral(ATTNLAB_TEST_DATA_DIR "/torch_mha_self.safetensors");
    }
    void masksOfAFileAreOn() {
        QFETCH(QString, path);
        window_->files().setArrayChooser([](const auto&, Choices choices) {
            choices.num_heads = 2;
            return std::optional(choices);
        });
        window_->files().open({path});
        QTRY_COMPARE(window_->document().problem().spec.variant, std::string("multi_head"));
        settle();
        const auto& spec = window_->document().problem().spec;
        QCOMPARE(spec.variant, std::string("multi_head"));
        QCOMPARE(spec.masks.size(), std::size_t{1});
        QCOMPARE(spec.masks[0].id, std::string("key_padding"));
        // A state_dict of torch is shown under our names, ready to be edited.
        QVERIFY(window_->document().problem().tensors.contains("w_q"));
        QVERIFY(!window_->document().problem().tensors.contains("in_proj_weight"));
    }

    void labelsOfATableNameTheTokens() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("homework.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("a,1,2,3,4\nb,5,6,7,8\nc,9,0,1,2\nd,3,4,5,6\n");
        file.close();
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->files().openOrJoin({file.fileName()}, "query");
        QVERIFY(opened.wait());
        settle();
        QCOMPARE(window_->document().problem().query_tokens, (std::vector<std::string>{"a", "b", "c", "d"}));
        QCOMPARE(window_->document().problem().tensors.at("query").at({3, 0}), 3.0);
    }
};

ATTNLAB_TEST(TestWindowFiles)
#include "test_window_files.moc"

// A model's session while its tokenizer works, and when a capture takes the model's place.
#include "core/io/saved/capture_file.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/local_files.h"
#include "ui/model/model_session.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelSession : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    static QString gpt2() { return QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/gpt2"); }

    /// GPT-2 with a tokenizer that makes of any text one of 2 million letters, and then works for minutes.
    QString slowModel() {
        const auto path = folder_.filePath("slow");
        QDir().mkpath(path);
        for (const auto* name : {"config.json", "model.safetensors"})
            QFile::copy(gpt2() + "/" + name, path + "/" + name);
        QFile original(gpt2() + "/tokenizer.json"), changed(path + "/tokenizer.json");
        if (!original.open(QIODevice::ReadOnly) || !changed.open(QIODevice::WriteOnly))
            return {};
        auto json = QJsonDocument::fromJson(original.readAll()).object();
        const auto replace = [](const QString& what, const QString& by) {
            return QJsonObject{{"type", "Replace"}, {"pattern", QJsonObject{{"Regex", what}}}, {"content", by}};
        };
        json["normalizer"] =
            QJsonObject{{"type", "Sequence"},
                        {"normalizers", QJsonArray{QJsonObject{{"type", "Prepend"}, {"prepend", "h"}},
                                                   replace("h", QString(2000, 'h')), replace("^h", QString(1000, 'h')),
                                                   replace("h", QString(700, 'h')), replace("(?=.*z)h", "x")}}};
        changed.write(QJsonDocument(json).toJson());
        return path;
    }
    static std::shared_ptr<const Capture> capture() {
        const std::string text = "{\"schema\": 1, \"passes\": [{\"name\": \"decoder.0.self\", \"heads\": 1, "
                                 "\"key_value_heads\": 1}]}";
        TensorMap tensors;
        for (const char* what : {".query", ".key", ".value"})
            tensors["decoder.0.self" + std::string(what)] = Tensor({1, 1, 3, 4}, 0.5, DType::Float32);
        return std::make_shared<const Capture>(io::read_capture(text, "c.safetensors", tensors));
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabModelSessionTest");
    }

    void cancelsWhileItTokenizes() {
        ModelSession session;
        session.open(slowModel());
        QTRY_VERIFY_WITH_TIMEOUT(session.model() && session.isRunning(), 30000);
        QTest::qWait(200);
        QVERIFY(session.isRunning());
        QElapsedTimer timer;
        timer.start();
        session.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!session.isRunning(), 30000);
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(!session.result());
    }

    void closesWhileItTokenizes() {
        auto session = std::make_unique<ModelSession>();
        session->open(slowModel());
        QTRY_VERIFY_WITH_TIMEOUT(session->model() && session->isRunning(), 30000);
        QTest::qWait(200);
        QElapsedTimer timer;
        timer.start();
        session.reset(); // waits for the worker
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
    }

    void aWindowClosesWhileItTokenizes() {
        auto window = std::make_unique<MainWindow>(backends);
        window->files().setAnswer(FileController::Answer::Discard);
        window->show();
        window->modelMode()->open(slowModel());
        auto& session = *window->findChild<ModelSession*>();
        QTRY_VERIFY_WITH_TIMEOUT(session.model() && session.isRunning(), 30000);
        QTest::qWait(200);
        QElapsedTimer timer;
        timer.start();
        window->close();
        window.reset();
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    }

    /// The run of the model has ended, and its result waits to be delivered, when the capture opens.
    void noLateResultOfAModelLandsInACapture() {
        ModelSession session;
        session.open(gpt2());
        QTRY_VERIFY_WITH_TIMEOUT(session.result() && !session.isRunning(), 30000);
        session.setText(QStringLiteral("Alice saw Bob"));
        QThread::msleep(500);
        session.open(capture(), QStringLiteral("c.safetensors"));
        std::vector<ModelResultPtr> results;
        connect(&session, &ModelSession::changed, this, [&] { results.push_back(session.result()); });
        QTRY_VERIFY_WITH_TIMEOUT(session.result() && !session.isRunning(), 30000);
        QVERIFY(session.result()->capture);
        for (const auto& result : results)
            QVERIFY(!result || result->capture == session.capture());
    }

    void aCaptureOfAnotherSequenceIsOutdated() {
        ModelSession session;
        session.open(capture(), QStringLiteral("c.safetensors"));
        QVERIFY(session.isOutdated());
        QTRY_VERIFY_WITH_TIMEOUT(session.result() && !session.isRunning(), 30000);
        QVERIFY(!session.isOutdated());
        session.setSequence(0);
        QVERIFY(session.isOutdated());
        QTRY_VERIFY_WITH_TIMEOUT(!session.isOutdated(), 30000);
    }
};

ATTNLAB_TEST(TestModelSession)
#include "test_model_session.moc"

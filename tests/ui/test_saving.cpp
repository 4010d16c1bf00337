// Saving while other things happen.
#include "core/io/saved/workspace_file.h"
#include "core/random.h"
#include "tests/test_main.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/document/view_state.h"
#include "ui/widgets/message_bar.h"

#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

AttentionProblem problemOf(std::int64_t rows) {
    AttentionProblem problem;
    problem.tensors.emplace("query", random_normal({rows, 100}, 1));
    return problem;
}

} // namespace

class TestSaving : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabSavingTest");
    }

    void init() {
        window_ = std::make_unique<QWidget>();
        messages_ = new MessageBar(window_.get());
        offers_ = new MessageBar(window_.get());
        files_ = new FileController(document_, view_, *messages_, *offers_, window_.get());
    }
    void cleanup() { window_.reset(); }

    void whatWasSavedIsSaved() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("a.npz");
        document_.reset(problemOf(2));
        document_.edit("edit", problemOf(3));
        QVERIFY(files_->saveTo(path));
        QVERIFY(!document_.isModified());
        QCOMPARE(document_.path(), path);
        QVERIFY(io::read_workspace(path.toStdString()) == document_.problem());
    }

    /// A file whose reading ends during the save replaces the document.
    void anotherDocumentIsNotTheSavedOne() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("a.npz");
        document_.reset(problemOf(2));
        const auto large = problemOf(20'000); // writing it takes longer than an iteration of the event loop
        document_.edit("edit", large);
        QTimer::singleShot(0, &document_, [this] { document_.reset(problemOf(7), "/other/b.npz"); });
        QVERIFY(files_->saveTo(path));
        QVERIFY(document_.problem() == problemOf(7));
        QCOMPARE(document_.path(), QString("/other/b.npz"));
        QVERIFY(io::read_workspace(path.toStdString()) == large);
    }

    void anEditDuringTheSaveIsNotSaved() {
        const QTemporaryDir folder;
        document_.reset(problemOf(2));
        document_.edit("edit", problemOf(20'000));
        QTimer::singleShot(0, &document_, [this] { document_.edit("edit", problemOf(7)); });
        QVERIFY(files_->saveTo(folder.filePath("a.npz")));
        QVERIFY(document_.problem() == problemOf(7));
        QVERIFY(document_.isModified());
    }

    /// A sample copied to a temporary folder once remained there when the program was killed.
    void samplesLeaveNoFiles() {
        const auto own = [] {
            return QDir::temp().entryList({QCoreApplication::applicationName() + "*"}, QDir::AllEntries | QDir::Hidden);
        };
        const auto before = own();
        document_.reset(problemOf(2)); // nothing to ask about
        for (const auto& sample : samples()) {
            files_->openSample(QString::fromLatin1(sample.id));
            QVERIFY2(!document_.problem().tensors.empty(), sample.id);
            QCOMPARE(document_.title(), sample.displayTitle());
        }
        QCOMPARE(own(), before);
    }

private:
    Document document_;
    ViewState view_;
    std::unique_ptr<QWidget> window_;
    MessageBar *messages_ = nullptr, *offers_ = nullptr;
    FileController* files_ = nullptr;
};

ATTNLAB_TEST(TestSaving)
#include "test_saving.moc"

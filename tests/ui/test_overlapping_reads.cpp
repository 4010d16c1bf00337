// Files that are read while others are, while one is saved, or while a question is on show.
#include "core/io/file_formats.h"
#include "core/io/saved/workspace_file.h"
#include "core/random.h"
#include "tests/test_main.h"
#include "tests/ui/written_arrays.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/settings.h"
#include "ui/document/view_state.h"
#include "ui/widgets/message_bar.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QThreadPool>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::ui;

class TestOverlappingReads : public QObject, protected WrittenArrays {
    Q_OBJECT

    std::unique_ptr<Document> document_;
    ViewState view_;
    std::unique_ptr<QWidget> window_;
    MessageBar* messages_ = nullptr;
    FileController* files_ = nullptr;
    QString slow_; ///< takes a second to read, or some

    QString array(const QString& name, double value) {
        auto path = folder_.filePath(name);
        io::write_tensors(path.toStdString(), {{"array", Tensor({1, 1, 4, 4}, value)}});
        return path;
    }
    double query() const {
        const auto found = document_->problem().tensors.find("query");
        return found != document_->problem().tensors.end() && found->second.size() > 0 ? found->second.value(0) : 0.0;
    }
    /// Until every read that was ever begun has ended and was delivered.
    static void endAll() {
        threadsOf(WorkPool::Computing).waitForDone();
        threadsOf(WorkPool::Files).waitForDone();
        QTest::qWait(50);
    }
    template <class Box>
    static QList<Box*> boxes() {
        QList<Box*> found;
        for (auto* widget : QApplication::topLevelWidgets())
            if (auto* box = qobject_cast<Box*>(widget); box && box->isVisible())
                found << box;
        return found;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabOverlappingReadsTest");
        slow_ = folder_.filePath("query.csv");
        QFile file(slow_);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("1.5,2.5\n").repeated(5'000'000));
    }
    void init() {
        document_ = std::make_unique<Document>();
        window_ = std::make_unique<QWidget>();
        messages_ = new MessageBar(window_.get());
        files_ = new FileController(*document_, view_, *messages_, *new MessageBar(window_.get()), window_.get());
        window_->show();
    }
    void cleanup() {
        window_.reset();
        document_.reset();
    }

    void theLatestWins() {
        QSignalSpy opened(files_, &FileController::opened);
        files_->open({slow_});
        files_->open({numbers("b.npz", {1, 1, 4, 4}, 0.5)});
        QTRY_COMPARE(document_->title(), QString("b.npz"));
        endAll();
        QCOMPARE(document_->title(), QString("b.npz"));
        QCOMPARE(opened.count(), 1);
    }

    /// Also of what another program shows, and of what is no file.
    void whatIsOlderDoesNotReplaceWhatIsNewer() {
        files_->show({slow_});
        files_->open({numbers("b.npz", {1, 1, 4, 4}, 0.5)});
        QTRY_COMPARE(document_->title(), QString("b.npz"));
        endAll();
        QCOMPARE(document_->title(), QString("b.npz"));
        files_->open({slow_});
        files_->show({numbers("c.npz", {1, 1, 4, 4}, 0.25)});
        QTRY_COMPARE_WITH_TIMEOUT(document_->title(), QString("c.npz"), 60'000);
        endAll();
        QCOMPARE(document_->title(), QString("c.npz"));
        document_->undoStack()->undo();
        QCOMPARE(document_->title(), QString("query.csv")); // the user's own file came first
        files_->open({slow_});
        files_->newDocument();
        endAll();
        QCOMPARE(document_->title(), QString("Untitled"));
    }

    void cancelStopsAReadAtOnce() {
        constexpr qint64 most_milliseconds = 200;
        qint64 least = 10'000;
        for (int tries = 0; tries < 5 && least > most_milliseconds; ++tries) { // other programs may keep us waiting
            QSignalSpy opened(files_, &FileController::opened);
            files_->open({slow_});
            QTRY_COMPARE(boxes<QProgressDialog>().size(), 1);
            QElapsedTimer timer;
            timer.start();
            boxes<QProgressDialog>().front()->findChild<QPushButton*>()->click();
            QVERIFY(boxes<QProgressDialog>().isEmpty());
            QVERIFY(opened.wait());
            threadsOf(WorkPool::Files).waitForDone();
            least = std::min(least, timer.elapsed());
            QVERIFY(!opened.front().front().toBool());
            QVERIFY(messages_->isHidden());
            QVERIFY(document_->problem().tensors.empty());
        }
        QVERIFY2(least <= most_milliseconds, qPrintable(QString::number(least)));
    }

    void noQuestionOverAnother() {
        document_->reset(AttentionProblem());
        document_->setTensor("query", Tensor({4, 4}, 3.0), "edit");
        files_->open({numbers("b.npz", {1, 1, 4, 4}, 0.5)});
        files_->show({numbers("c.npz", {1, 1, 4, 4}, 0.25)});
        qsizetype most = 0;
        int answered = 0;
        QTimer user; // answers the first question when both files are read, and the one of the file
        connect(&user, &QTimer::timeout, this, [&] {
            const auto questions = boxes<QMessageBox>();
            most = std::max(most, questions.size());
            if (questions.isEmpty())
                return;
            if (++answered == 1) {
                QVERIFY(!files_->mayDiscard()); // does not ask again
                QCOMPARE(boxes<QMessageBox>().size(), 1);
                QCOMPARE(query(), 3.0);
            }
            questions.front()->button(answered == 1 ? QMessageBox::Cancel : QMessageBox::Discard)->click();
        });
        user.start(300);
        QVERIFY(!files_->mayDiscard());
        QCOMPARE(query(), 3.0);
        QTRY_COMPARE(document_->title(), QString("c.npz"));
        QCOMPARE(answered, 2);
        QCOMPARE(most, 1);
        document_->undoStack()->undo();
        QCOMPARE(document_->title(), QString("b.npz"));
    }

    /// While the save of work that lies under a shown file has no box yet, another file is shown.
    void nothingIsShownWhileAllIsSaved() {
        const auto path = folder_.filePath("work.npz");
        AttentionProblem large;
        large.tensors.emplace("query", random_normal({20'000, 100}, 1)); // takes longer to write than the rest to read
        io::write_workspace(path.toStdString(), {});
        document_->reset(AttentionProblem(), path, {}, io::stamp_of(path.toStdString()));
        document_->edit("edit", large);
        files_->show({numbers("a.npz", {1, 1, 4, 4}, 0.5)});
        QTRY_COMPARE(document_->title(), QString("a.npz"));
        auto* steps = document_->undoStack();
        const int index = steps->index(), count = steps->count();
        files_->setAnswer(FileController::Answer::Save);
        files_->show({numbers("b.npz", {1, 1, 4, 4}, 0.25)});
        QVERIFY(files_->mayDiscard());
        QCOMPARE(document_->title(), QString("work.npz")); // the saved one is on show
        QVERIFY(io::read_workspace(path.toStdString()) == large);
        QCOMPARE(steps->count(), count);
        steps->setIndex(index);
        QCOMPARE(query(), 0.5); // no step is lost
    }

    void arraysJoinWhatWasEditedMeanwhile() {
        document_->reset(AttentionProblem());
        document_->setTensor("key", Tensor({4, 2}, 1.0), "edit");
        files_->openOrJoin({slow_}, "query");
        document_->setTensor("key", Tensor({4, 2}, 2.0), "another edit");
        QTRY_VERIFY_WITH_TIMEOUT(document_->problem().tensors.contains("query"), 60'000);
        QCOMPARE(document_->problem().tensors.at("key").value(0), 2.0);
    }

    /// Undo returns to the files of a document as well as to its arrays.
    void theFilesAreThoseOnShow() {
        const auto first = array("query.npy", 0.5), second = numbers("w.npz", {1, 1, 3, 2}, 0.25);
        files_->open({first});
        QTRY_COMPARE(query(), 0.5);
        const auto made = document_->remarks().size();
        QVERIFY(made > 0);
        files_->show({second});
        QTRY_COMPARE(query(), 0.25);
        files_->noteClosed();
        QCOMPARE(settings::lastDocument(), QStringList{second});
        document_->undoStack()->undo();
        QCOMPARE(document_->remarks().size(), made);
        files_->noteClosed();
        QCOMPARE(settings::lastDocument(), QStringList{first});
        QStringList asked;
        files_->setArrayChooser([&](const auto& contents, const Choices&) -> std::optional<Choices> {
            for (const auto& held : contents->arrays)
                asked << QString::fromStdString(held.file);
            return std::nullopt;
        });
        files_->chooseArrays();
        QCOMPARE(asked, QStringList{first});
        document_->undoStack()->redo();
        asked.clear();
        files_->chooseArrays();
        QCOMPARE(asked, (QStringList{second, second, second}));
        // What completes the first does not join the second.
        document_->undoStack()->undo();
        const auto third = array("key.npy", 0.75);
        files_->open({third});
        QTRY_VERIFY(document_->problem().tensors.at("key").value(0) == 0.75);
        QCOMPARE(query(), 0.5);
        files_->noteClosed();
        QCOMPARE(settings::lastDocument(), (QStringList{first, third}));
        files_->newDocument();
        QVERIFY(!files_->mayChooseArrays());
        files_->noteClosed();
        QVERIFY(settings::lastDocument().isEmpty());
    }
};

ATTNLAB_TEST(TestOverlappingReads)
#include "test_overlapping_reads.moc"

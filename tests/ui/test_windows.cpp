// Several windows of one program, and the document that it opens at its start.
#include "core/io/npz.h"
#include "core/io/saved/workspace_file.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/settings.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/preferences.h"
#include "ui/window/status_line.h"
#include "ui/window/windows.h"

#include <QCheckBox>
#include <QDir>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

QDir recoveryFolder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery"));
}

AttentionProblem problemOf(double number) {
    AttentionProblem problem;
    for (const char* name : {"query", "key", "value"})
        problem.tensors.emplace(name, Tensor({2, 2}, number));
    return problem;
}

} // namespace

class TestWindows : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    static MainWindow& opened(Windows& windows) {
        auto& window = windows.open();
        window.files().setAnswer(FileController::Answer::Discard);
        return window;
    }
    static bool gone(Windows& windows, qsizetype left) {
        return QTest::qWaitFor([&] { return windows.all().size() == left; }, 5000);
    }
    QString saved(double number) {
        auto path = folder_.filePath(QStringLiteral("work-%1.npz").arg(number));
        io::write_workspace(path.toStdString(), problemOf(number), "{\"head\":0}");
        return path;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabWindowsTest");
        QApplication::setQuitOnLastWindowClosed(false);
    }
    void init() {
        QSettings().clear();
        recoveryFolder().removeRecursively();
    }

    /// Of windows that are open, and of those that open later.
    void theDeviceIsTheSameInEveryWindow() {
        Windows windows(backends);
        auto& first = opened(windows);
        auto* line = first.findChild<StatusLine*>();
        QVERIFY(line && line->deviceText().isEmpty());
        windows.setDeviceLine({"%1 is checked: %2", {"A card", "tiled bfloat16 64"}});
        QCOMPARE(line->deviceText(), QStringLiteral("A card is checked: tiled bfloat16 64"));
        auto& second = opened(windows);
        QCOMPARE(second.findChild<StatusLine*>()->deviceText(), line->deviceText());
        windows.setDeviceLine({"%1: %2 of %3 kernels are trusted", {"A card", "7", "8"}});
        for (auto* window : windows.all())
            QCOMPARE(window->findChild<StatusLine*>()->deviceText(),
                     QStringLiteral("A card: 7 of 8 kernels are trusted"));
        windows.setDeviceLine({});
        QVERIFY(line->deviceText().isEmpty());
    }
    void cleanupTestCase() { recoveryFolder().removeRecursively(); }

    void eachWindowHasItsOwnDocument() {
        Windows windows(backends);
        auto& first = opened(windows);
        first.actions().new_window->trigger();
        QCOMPARE(windows.all().size(), 2);
        auto& second = *windows.all()[1];
        second.files().setAnswer(FileController::Answer::Discard);
        QVERIFY(second.isVisible() && second.pos() != first.pos());
        const auto before = first.document().problem();
        second.document().setTensor("query", Tensor({3, 2}, 1.0), "Edit");
        QVERIFY(first.document().problem() == before);
        QVERIFY(!first.document().isModified() && second.document().isModified());
        QTRY_VERIFY_WITH_TIMEOUT(first.computed() && second.computed() && !second.isComputing(), 10000);
        first.actions().close_window->trigger();
        QVERIFY(gone(windows, 1));
        QCOMPARE(windows.all().first(), &second);
        second.files().openSample("multi_head_fox"); // works on
        QTRY_VERIFY_WITH_TIMEOUT(!second.isComputing(), 10000);
    }

    void quitClosesAllButWhatIsUnsaved() {
        Windows windows(backends);
        auto& first = opened(windows);
        auto& second = opened(windows);
        opened(windows);
        second.document().setTensor("query", Tensor({3, 2}, 1.0), "Edit");
        second.files().setAnswer(FileController::Answer::Cancel);
        first.actions().quit->trigger();
        QTest::qWait(50);
        QVERIFY(windows.all().contains(&second));
        second.files().setAnswer(FileController::Answer::Discard);
        second.actions().quit->trigger();
        QVERIFY(gone(windows, 0));
    }

    void unsavedWorkOfEveryWindowSurvivesACrash() {
        const auto copies = [] { return recoveryFolder().entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(); };
        {
            Windows windows(backends); // not closed: it goes as in a crash
            for (const double number : {3.0, 4.0})
                opened(windows).document().setTensor("query", Tensor({2, 2}, number), "Edit");
            QTRY_COMPARE_WITH_TIMEOUT(copies(), qsizetype{2}, 10000);
            QTest::qWait(300); // until they are written
        }
        QCOMPARE(copies(), qsizetype{2});
        Windows windows(backends);
        auto& first = opened(windows);
        QVERIFY2(first.offers()->text().contains("(1 more)"), qPrintable(first.offers()->text()));
        auto& second = opened(windows);
        QVERIFY(second.offers()->isHidden()); // the first offers both
    }

    void theLastFileIsOpenedAgain() {
        const auto path = saved(7);
        {
            Windows windows(backends);
            auto& window = opened(windows);
            window.files().open({path});
            QTRY_VERIFY2_WITH_TIMEOUT(window.document().path() == path, qPrintable(window.messageBar()->text()), 10000);
            window.close();
            QVERIFY(gone(windows, 0));
        }
        {
            Windows windows(backends);
            auto& window = opened(windows);
            window.files().reopenLast();
            QTRY_COMPARE_WITH_TIMEOUT(window.document().path(), path, 10000);
            QVERIFY(window.document().problem() == problemOf(7));
        } // not closed: a file that ends the program is not tried again
        Windows windows(backends);
        auto& window = opened(windows);
        window.files().reopenLast();
        QTest::qWait(50);
        QVERIFY(window.document().path().isEmpty());
    }

    /// Arrays of one problem, each in a file of its own.
    void arraysOpenedOneByOneAreOneDocument() {
        QStringList paths;
        for (const char* name : {"query", "key", "value"}) {
            paths << folder_.filePath(QLatin1String(name) + QStringLiteral(".npy"));
            io::write_tensors(paths.last().toStdString(), {{name, Tensor({1, 4, 6, 8}, 0.5)}});
        }
        const auto made = [](MainWindow& window) {
            return std::ranges::count(window.document().remarks(), ArrayRemark::Kind::Made, &ArrayRemark::kind);
        };
        {
            Windows windows(backends);
            auto& window = opened(windows);
            for (int i = 0; i < 3; ++i) {
                QSignalSpy read(&window.files(), &FileController::opened);
                window.files().open({paths[i]});
                QVERIFY(read.wait(10000));
                QCOMPARE(made(window), 2 - i);
            }
            for (const char* name : {"query", "key", "value"})
                QCOMPARE(window.document().problem().tensors.at(name).values()[0], 0.5);
            window.close();
            QVERIFY(gone(windows, 0));
        }
        Windows windows(backends);
        auto& window = opened(windows);
        QSignalSpy read(&window.files(), &FileController::opened);
        window.files().reopenLast();
        QVERIFY(read.wait(10000));
        QCOMPARE(made(window), 0);
        QCOMPARE(window.document().problem().tensors.at("value").values()[0], 0.5);
    }

    void aSampleIsNoFileToOpenAgain() {
        settings::setLastDocument({saved(8)});
        Windows windows(backends);
        opened(windows).close();
        QVERIFY(gone(windows, 0));
        QVERIFY(settings::lastDocument().isEmpty());
    }

    void aFileThatIsGoneIsSaidAndTheSampleStays() {
        settings::setLastDocument({folder_.filePath("gone.npz")});
        Windows windows(backends);
        auto& window = opened(windows);
        window.files().reopenLast();
        QVERIFY2(window.messageBar()->text().contains("gone.npz"), qPrintable(window.messageBar()->text()));
        QVERIFY(window.document().path().isEmpty() && !window.document().problem().tensors.empty());
    }

    /// After narrowing the window, and after a presentation, what is in the panels is still in reach.
    void panelsAreNeverNarrowerThanTheyNeed() {
        Windows windows(backends);
        auto& window = opened(windows);
        window.files().openSample("multi_head_fox");
        QTRY_VERIFY_WITH_TIMEOUT(window.computed() && !window.isComputing(), 10000);
        const auto in_reach = [&window] {
            QTest::qWait(20);
            for (const QWidget* panel : {static_cast<QWidget*>(window.findChild<MaskPanel*>()),
                                         static_cast<QWidget*>(window.findChild<InputsPanel*>())})
                for (const auto* button : panel->findChildren<QToolButton*>()) {
                    const QRect spot(button->mapTo(panel, QPoint()), button->size());
                    if (panel->isVisible() && button->isVisible() &&
                        (spot.left() < 0 || spot.right() >= panel->width()))
                        return false;
                }
            return true;
        };
        window.resize(1920, 1080);
        window.panelDocks()->layOut();
        QVERIFY(in_reach());
        window.resize(window.minimumSize());
        QVERIFY(in_reach());
        window.learnMode()->showLesson(0);
        window.actions().present->trigger();
        QTest::qWait(50);
        window.actions().go_workspace->trigger();
        QTRY_VERIFY(window.findChild<MaskPanel*>()->isVisible() || window.findChild<InputsPanel*>()->isVisible());
        QVERIFY(in_reach());
    }

    void theUserMayTurnItOff() {
        const auto path = saved(9);
        Windows windows(backends);
        auto& window = opened(windows);
        window.actions().preferences->trigger();
        auto* dialog = window.findChild<PreferencesDialog*>();
        QVERIFY(dialog && dialog->reopensLast()->isChecked());
        dialog->reopensLast()->setChecked(false);
        dialog->accept();
        QVERIFY(!settings::reopensLast());
        settings::setLastDocument({path});
        window.files().reopenLast();
        QTest::qWait(50);
        QVERIFY(window.document().path().isEmpty());
    }
};

ATTNLAB_TEST(TestWindows)
#include "test_windows.moc"

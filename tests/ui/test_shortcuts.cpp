// The list of keyboard shortcuts.
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/panels/help/help.h"
#include "ui/widgets/keyboard.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"

#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QStandardPaths>
#include <QTest>
#include <QTreeWidget>

using namespace attnlab;
using namespace attnlab::ui;

class TestShortcuts : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    ShortcutsDialog* open() {
        window_->actions().shortcuts->trigger();
        return window_->findChild<ShortcutsDialog*>();
    }
    /// "command: key" of the rows in sight.
    static QStringList rows(const ShortcutsDialog& dialog) {
        QStringList all;
        for (int i = 0; i < dialog.list()->topLevelItemCount(); ++i) {
            const auto* group = dialog.list()->topLevelItem(i);
            for (int j = 0; j < group->childCount(); ++j)
                if (!group->child(j)->isHidden() && !group->isHidden())
                    all << group->child(j)->text(0) + ": " + group->child(j)->text(1);
        }
        return all;
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabShortcutsTest");
    }
    void init() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->show();
    }
    void cleanup() { window_.reset(); }

    void everyActionWithAKeyIsListed() {
        window_->files().newDocument();
        auto problem = window_->document().problem();
        problem.spec.scale = {"dk", {}};
        window_->document().edit("Something", problem);
        auto* dialog = open();
        QVERIFY(dialog && dialog->isVisible());
        const auto all = rows(*dialog);
        int listed = 0;
        for (const auto* action : window_->QWidget::actions())
            if (!action->shortcut().isEmpty()) {
                const auto key = action->shortcut().toString(QKeySequence::NativeText);
                const auto row = std::ranges::find_if(
                    all, [&](const QString& one) { return one.section(": ", -1).split(", ").contains(key); });
                QVERIFY2(row != all.end(), qPrintable(key));
                ++listed;
            }
        QVERIFY(listed > 30);
        QVERIFY(all.contains("Undo: Ctrl+Z")); // not what would be undone now
    }

    void keysOfTheViewsAreListed() {
        const auto all = rows(*open());
        for (const char* row :
             {"Pin the cell under the cursor, or paint it: Enter", "Paint along the way: Shift + arrow keys",
              "Choose an answer: 1 … 9", "One step forward: Right", "Edit the cell: F2, or type"})
            QVERIFY2(all.contains(QString::fromUtf8(row)), qPrintable(QString::fromUtf8(row) + "\n" + all.join('\n')));
        QCOMPARE(QSet<QString>(all.begin(), all.end()).size(), all.size()); // each once
    }

    void wordsFilterTheList() {
        auto* dialog = open();
        const auto all = rows(*dialog).size();
        QTest::keyClicks(dialog->search(), "PAINT mask");
        const auto few = rows(*dialog);
        QVERIFY(!few.isEmpty() && few.size() < all);
        QVERIFY(few.contains("Paint the mask: Ctrl+Shift+P"));
        for (int i = 0; i < dialog->list()->topLevelItemCount(); ++i) {
            const auto* group = dialog->list()->topLevelItem(i);
            bool any = false;
            for (int j = 0; j < group->childCount(); ++j)
                any = any || !group->child(j)->isHidden();
            QCOMPARE(group->isHidden(), !any); // no heading over nothing
        }
        dialog->search()->setText("ctrl+e");
        QVERIFY(rows(*dialog).contains("Export…: Ctrl+E"));
        dialog->search()->clear();
        QCOMPARE(rows(*dialog).size(), all);
    }

    /// A widget that handles keys says so where it does.
    void whatHandlesKeysDeclaresThem() {
        // They are declared by what contains them, or are ways of lists, fields and rows of buttons.
        const QStringList others{"drawing_canvas.cpp", "picker.cpp", "key_picture.cpp", "token_field.cpp",
                                 "typed_text.cpp"};
        QDirIterator files(QStringLiteral(ATTNLAB_SOURCE_DIR "/ui"), {"*.cpp"}, QDir::Files,
                           QDirIterator::Subdirectories);
        int handling = 0;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto text = file.readAll();
            if (!text.contains("::keyPressEvent(QKeyEvent* event) {") || others.contains(files.fileName()))
                continue;
            ++handling;
            QVERIFY2(text.contains("declareShortcuts("), qPrintable(files.filePath()));
        }
        QVERIFY(handling >= 5);
    }
};

ATTNLAB_TEST(TestShortcuts)
#include "test_shortcuts.moc"

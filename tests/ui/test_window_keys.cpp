// The window's commands by keys, from every field that handles keys itself.
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/widgets/controls.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/window_focus.h"
#include "ui/window/work_area.h"

#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr QAction* Actions::*commands[] = {
    &Actions::export_shown, &Actions::save,      &Actions::open,    &Actions::save_as,     &Actions::clear_pin,
    &Actions::compare,      &Actions::mean_head, &Actions::lessons, &Actions::next_head,   &Actions::next_stage,
    &Actions::copy_matrix,  &Actions::paint,     &Actions::zoom_in, &Actions::new_document};

} // namespace

class TestWindowKeys : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    QComboBox* fill() const {
        for (auto* form : window_->findChildren<MaskFillForm*>())
            if (form->isVisible())
                return form->value();
        return nullptr;
    }
    QWidget* fieldOf(const QString& where) const {
        if (where == "mask fill")
            return fill();
        if (where == "tray") {
            window_->mechanismBar()->openTray(MechanismBar::Tray::Weights,
                                              *window_->stageStrip()->button(StageStrip::Operator::Weights));
            return window_->mechanismBar()->parameterField("alpha");
        }
        auto* table = window_->findChild<InputsPanel*>()->table();
        table->setCurrentIndex(table->model()->index(0, 0));
        table->setFocus();
        table->edit(table->currentIndex());
        return QApplication::focusWidget();
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabKeysTest");
    }
    void init() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1920, 1000); // with room for all panels
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->files().openSample("milk_or_cat_hungry");
        settle();
        for (auto* button : window_->findChild<MaskPanel*>()->findChildren<QToolButton*>())
            if (button->text() == QLatin1String("Value of blocked cells"))
                button->click();
        auto spec = window_->document().problem().spec;
        spec.masks = {{"causal", {}}};
        spec.normaliser = {"entmax", {}};
        window_->document().setSpec(spec, "Set");
        settle();
    }
    void cleanup() { window_.reset(); }

    void everyCommandWorksFromEveryField_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<int>("command");
        for (const char* field : {"mask fill", "tray", "cell"})
            for (int i = 0; i < static_cast<int>(std::size(commands)); ++i)
                QTest::addRow("%s: %d", field, i) << field << i;
    }
    void everyCommandWorksFromEveryField() {
        QFETCH(QString, field);
        QFETCH(int, command);
        auto* widget = fieldOf(field);
        QVERIFY(widget && widget->isVisible());
        widget->setFocus();
        QVERIFY(widget->hasFocus() || (widget->focusProxy() && widget->focusProxy()->hasFocus()));
        auto* action = window_->actions().*commands[command];
        QVERIFY(action->isEnabled());
        QObject::disconnect(action, &QAction::triggered, nullptr, nullptr); // only the key is tested here
        QSignalSpy triggered(action, &QAction::triggered);
        const auto keys = action->shortcut()[0];
        QTest::keyClick(QApplication::focusWidget(), keys.key(), keys.keyboardModifiers());
        QCOMPARE(triggered.count(), 1);
    }

    /// Tables, matrices, buttons and labels have keys of their own; none may hide a command.
    void everyCommandWorksFromEveryStop_data() {
        QTest::addColumn<bool>("lesson");
        QTest::newRow("workspace") << false;
        QTest::newRow("lesson") << true;
    }
    void everyCommandWorksFromEveryStop() {
        QFETCH(bool, lesson);
        auto& actions = window_->actions();
        for (auto* dock : window_->panelDocks()->all())
            dock->show();
        if (lesson) {
            window_->learnMode()->showLesson(0);
            QTRY_VERIFY_WITH_TIMEOUT(actions.next_step->isEnabled(), 10000);
        } else {
            auto problem = window_->document().problem();
            problem.spec.scale = {"sqrt_dk", {}};
            window_->document().edit("Set", problem);
            window_->document().undoStack()->undo(); // to be done again
            settle();
        }
        QTRY_VERIFY(tabStops(*window_).size() > 5);
        int keys = 0;
        for (auto* action : window_->QWidget::actions()) {
            if (action->shortcut().isEmpty() || !action->isEnabled())
                continue;
            QObject::disconnect(action, nullptr, nullptr, nullptr); // only the key is tested here
        }
        for (auto* stop : tabStops(*window_)) {
            for (auto* action : window_->QWidget::actions()) {
                if (action->shortcut().isEmpty() || !action->isEnabled())
                    continue;
                stop->setFocus();
                QSignalSpy triggered(action, &QAction::triggered);
                const auto key = action->shortcut()[0];
                QTest::keyClick(QApplication::focusWidget(), key.key(), key.keyboardModifiers());
                QVERIFY2(triggered.count() == 1,
                         qPrintable(QStringLiteral("%1 from %2 %3")
                                        .arg(action->text(), stop->metaObject()->className(), stop->accessibleName())));
                ++keys;
            }
        }
        QVERIFY(keys > 100);
    }

    /// On X11 Qt's key for Delete is also Ctrl+D.
    void commandsWinOverStandardKeysOfTheTable() {
        auto* table = window_->findChild<InputsPanel*>()->table();
        table->setFocus();
        const auto before = window_->document().problem();
        QTest::keyClick(table, Qt::Key_D, Qt::ControlModifier);
        QVERIFY(window_->centre()->current() == QLatin1String("compare"));
        QCOMPARE(window_->document().problem().tensors == before.tensors, true);
    }

    void undoIsTheFieldsWhereItHasStepsAndTheWindowsElsewhere() {
        auto* table = window_->findChild<InputsPanel*>()->table();
        const auto index = table->model()->index(0, 0);
        const auto number = index.data(Qt::EditRole);
        QVERIFY(table->model()->setData(index, "5"));
        auto* field = fill()->lineEdit();
        fill()->setFocus();
        QTest::keyClicks(fill(), "7");
        const auto typed = field->text();
        QTest::keyClick(fill(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(field->text() != typed);
        QCOMPARE(index.data(Qt::EditRole), QVariant("5"));
        while (field->isUndoAvailable())
            field->undo();
        QTest::keyClick(fill(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(index.data(Qt::EditRole), number);
        QTest::keyClick(fill(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(index.data(Qt::EditRole), QVariant("5"));
    }

    /// Undo and Redo act behind what is typed in the editor of a cell, which is a step first.
    void undoEntersTheTypedNumber() {
        auto* table = window_->findChild<InputsPanel*>()->table();
        const auto index = table->model()->index(0, 0);
        const auto number = index.data(Qt::EditRole);
        QVERIFY(table->model()->setData(table->model()->index(1, 1), "7"));
        QTest::keyClicks(fieldOf("cell"), "0.375");
        window_->actions().undo->trigger();
        QCOMPARE(index.data(Qt::EditRole), number);
        QCOMPARE(table->model()->index(1, 1).data(Qt::EditRole), QVariant("7"));
        window_->actions().redo->trigger();
        QCOMPARE(index.data(Qt::EditRole), QVariant("0.375"));
        window_->actions().undo->trigger();
        QTest::keyClicks(fieldOf("cell"), "0.625"); // behind which there is nothing to do again
        window_->actions().redo->trigger();
        QCOMPARE(index.data(Qt::EditRole), QVariant("0.625"));
    }

    void undoSaysWhatItTakesBack() {
        auto* table = window_->findChild<InputsPanel*>()->table();
        auto* undo = window_->actions().undo;
        auto* redo = window_->actions().redo;
        const auto before = undo->text();
        QVERIFY(table->model()->setData(table->model()->index(2, 1), "0.123"));
        QCOMPARE(undo->text(), QString("&Undo: Set Q[2, 1] to 0.123"));
        undo->trigger();
        QCOMPARE(window_->statusBar()->currentMessage(), QString("Undone: Set Q[2, 1] to 0.123"));
        QCOMPARE(undo->text(), before);
        QCOMPARE(redo->text(), QString("&Redo: Set Q[2, 1] to 0.123"));
        redo->trigger();
        QCOMPARE(window_->statusBar()->currentMessage(), QString("Done again: Set Q[2, 1] to 0.123"));
        QCOMPARE(redo->text(), QString("&Redo"));
        auto* causal = window_->findChild<MaskPanel*>()->chips()->chip("causal");
        causal->click();
        QCOMPARE(undo->text(), QString("&Undo: Turn off mask “causal”"));
        settle();
    }

    /// Text being typed belongs to what is saved and exported.
    void whatIsTypedIsEnteredFirst() {
        auto* field = fill();
        QVERIFY(field);
        field->setFocus();
        field->lineEdit()->selectAll();
        QTest::keyClicks(field, "-5");
        QCOMPARE(field->currentText(), QString("-5"));
        window_->actions().export_shown->trigger();
        QCOMPARE(window_->document().problem().spec.mask_fill.value, -5.0);
        QVERIFY(!window_->findChild<QDialog*>()); // of something no longer displayed
        settle();
    }
};

ATTNLAB_TEST(TestWindowKeys)
#include "test_window_keys.moc"

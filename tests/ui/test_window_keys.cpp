// The window's commands by keys, from every field that handles keys itself.
#include "tests/test_main.h"
#include "tests/ui/backends.h"
#include "ui/document/file_controller.h"
#include "ui/panels/inputs/inputs_panel.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/panels/mask/mask_fill_form.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/number_field.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"

#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardPaths>
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
        if (where == "temperature")
            return window_->mechanismBar()->parameterField("t");
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
        window_->resize(1440, 900);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        window_->files().openSample("milk_or_cat_hungry");
        settle();
        for (auto* button : window_->findChild<MaskPanel*>()->findChildren<QToolButton*>())
            if (button->text() == QLatin1String("Fill and meaning"))
                button->click();
        auto spec = window_->document().problem().spec;
        spec.masks = {{"causal", {}}};
        spec.scale = {"temperature", {}};
        window_->document().setSpec(spec, "Set");
        settle();
    }
    void cleanup() { window_.reset(); }

    void everyCommandWorksFromEveryField_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<int>("command");
        for (const char* field : {"mask fill", "temperature", "cell"})
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

// All of the window and its dialogs follows a change of language.
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "tests/test_main.h"
#include "tests/ui/window_backends.h"
#include "translation_support.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/export/export_dialog.h"
#include "ui/export/matrix_export.h"
#include "ui/panels/inputs/tensor_dialogs.h"
#include "ui/panels/mask/mask_import.h"
#include "ui/widgets/text.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFontDatabase>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QStandardPaths>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <initializer_list>
#include <memory>
#include <string_view>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// All text in and around a window; without that of hidden parts, which may be of an earlier result.
QStringList textsOf(const QWidget& window, bool hidden_too = true) {
    QStringList texts;
    const auto add = [&texts](const QString& text) {
        if (!text.isEmpty())
            texts << text;
    };
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        // Qt's own parts are named once, when they are created.
        if (widget->objectName().startsWith(QLatin1String("qt_")) ||
            widget->objectName().startsWith(QLatin1String("Scroll")))
            continue;
        if (!hidden_too && !widget->isVisibleTo(&window))
            continue;
        add(widget->toolTip());
        add(widget->accessibleName());
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            add(label->text());
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            add(button->text());
        if (const auto* dock = qobject_cast<const QDockWidget*>(widget))
            add(dock->windowTitle());
        if (auto* menu = qobject_cast<QMenu*>(widget)) {
            emit menu->aboutToShow(); // some are filled then
            add(menu->title());
        }
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i)
                texts << tabs->tabText(i) << tabs->tabToolTip(i);
        if (const auto* box = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < box->count(); ++i)
                add(box->itemText(i));
    }
    for (const QAction* action : window.findChildren<QAction*>()) {
        add(action->text());
        add(action->toolTip());
    }
    texts.sort();
    return texts;
}

} // namespace

class TestTranslatedWindow : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;

    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }

    void speak(const char* code) {
        QCOMPARE(applyLanguage(QString::fromLatin1(code)), QString::fromLatin1(code));
        QCoreApplication::processEvents();
    }

    /// Names of tensors and stages, ids of the tables, and the tokens of the samples: data, equal in every language.
    QSet<QString> dataWords() const {
        QSet<QString> words;
        const auto add = [&words](std::string_view text) {
            words += matches(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())),
                             QStringLiteral("[A-Za-z_]{2,}"));
        };
        for (const auto& each : mechanisms()) {
            add(each.id);
            add(each.formula);
            for (const auto& input : each.inputs)
                add(input.name);
        }
        for (const auto& kind : mask_kinds())
            add(kind.id);
        add("John Mary"); // words of the sample model's sentence
        for (const auto& [name, tensor] : window_->document().problem().tensors)
            add(name);
        for (const auto& stage : window_->computed()->trace.stages) {
            add(stage.name);
            add(stage.formula);
        }
        for (const auto* tokens : {&window_->computed()->trace.query_tokens, &window_->computed()->trace.key_tokens})
            for (const auto& token : *tokens)
                add(token);
        for (const auto& sample : samples()) {
            add(sample.id);
            add(sample.title);
            add(sample.help);
        }
        for (const auto& language : languages())
            add(language.name);
        for (const auto& family : QFontDatabase::families())
            add(family.toStdString());
        return words;
    }

    QStringList foreignTexts(const QWidget& window) const {
        const auto data = dataWords();
        QStringList foreign;
        for (const auto& text : textsOf(window))
            if (const auto left = englishIn(text, data); !left.isEmpty())
                foreign << QStringLiteral("“%1” (%2)").arg(text, left.join(' '));
        foreign.removeDuplicates();
        return foreign;
    }

    /// The mouse may be over a cell, whose arithmetic may or may not be among the texts yet.
    QStringList textsAtRest() {
        QCoreApplication::processEvents();
        window_->viewState().setHovered({});
        QCoreApplication::processEvents();
        return textsOf(*window_);
    }

    void open(const char* sample) {
        window_->files().openSample(QString::fromLatin1(sample));
        settle();
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabTestTranslations");
    }

    void init() {
        speak("en");
        settings::clearRecentFiles(); // paths are not words
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        open("multi_head_fox");
    }

    void cleanup() {
        window_.reset();
        speak("en");
    }

    void mnemonicsAreUniqueInTheirMenu_data() {
        QTest::addColumn<QString>("language");
        for (const auto& language : languages())
            QTest::newRow(language.code) << QString::fromLatin1(language.code);
    }

    void mnemonicsAreUniqueInTheirMenu() {
        QFETCH(QString, language);
        speak(qPrintable(language));
        const auto check = [](const QString& place, const QList<QAction*>& actions) {
            QSet<QString> taken;
            for (const auto* action : actions) {
                const auto letter = mnemonic(action->text());
                QVERIFY2(letter.isEmpty() || !taken.contains(letter), qPrintable(place + " / " + action->text()));
                taken << letter;
            }
        };
        check(QStringLiteral("menu bar"), window_->menuBar()->actions());
        for (const auto* menu : window_->menuBar()->findChildren<QMenu*>())
            check(menu->title(), menu->actions());
    }

    void theWindowFollows_data() {
        QTest::addColumn<QString>("sample");
        for (const auto& sample : samples())
            QTest::newRow(sample.id) << QString::fromLatin1(sample.id);
    }

    void theWindowFollows() {
        QFETCH(QString, sample);
        open(qPrintable(sample));
        window_->viewState().setPinned(Cell{1, 1});
        QCoreApplication::processEvents();
        textsOf(*window_); // menus fill lists of lessons, whose rows are included from then on
        const auto english = textsAtRest();
        const auto seen = textsOf(*window_, false);
        speak("zh_CN");
        QVERIFY(textsOf(*window_) != english);
        const auto foreign = foreignTexts(*window_);
        for (const auto& text : foreign)
            qWarning("%s", qPrintable(text));
        QVERIFY(foreign.isEmpty());
        speak("en");
        // A hidden part may be filled only now: compares the set of texts, not their number.
        const auto back = textsAtRest();
        for (const auto& text : textsOf(*window_, false))
            QVERIFY2(english.contains(text), qPrintable(text));
        for (const auto& text : seen) // what heads do is said a moment later
            QTRY_VERIFY2(back.contains(text) || textsAtRest().contains(text), qPrintable(text));
    }

    void dialogsSpeakIt() {
        speak("zh_CN");
        ExportDialog exporting(stageExport(window_->computed(), {"weights", 0, 1, {}}, QStringLiteral("weights")));
        FillDialog filling({"x", DType::Float64, 4, 8, 6}, {});
        ResizeDialog resizing(window_->document().problem(), QStringLiteral("x"));
        const Tensor importing_mask(Shape{9, 9});
        MaskImportDialog importing(importing_mask, QStringLiteral("m.npy"), MaskContext{1, 4, 9, 9},
                                   readingOf(importing_mask));
        for (const QDialog* dialog : std::initializer_list<QDialog*>{&exporting, &filling, &resizing, &importing}) {
            const auto foreign = foreignTexts(*dialog);
            QVERIFY2(foreign.isEmpty(), qPrintable(dialog->windowTitle() + '\n' + foreign.join('\n')));
            QVERIFY(englishIn(dialog->windowTitle(), dataWords()).isEmpty());
        }
    }
};

ATTNLAB_TEST(TestTranslatedWindow)
#include "test_translated_window.moc"

// Every language is complete, and all of the window follows a change of language.
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/variants.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "tests/ui/backends.h"
#include "ui/document/file_controller.h"
#include "ui/document/samples.h"
#include "ui/document/settings.h"
#include "ui/export/export_dialog.h"
#include "ui/export/stage_export.h"
#include "ui/panels/inputs/fill_dialog.h"
#include "ui/panels/inputs/resize_dialog.h"
#include "ui/panels/mask/mask_import.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/language.h"
#include "ui/widgets/text.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"

#include <QAction>
#include <QComboBox>
#include <QDirIterator>
#include <QDockWidget>
#include <QFontDatabase>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QXmlStreamReader>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Words that are equal in every language: names of files, formats, mathematics and PyTorch, and the language's own
/// name.
const QSet<QString> technical = [] {
    const auto words = QStringLiteral(
        "softmax exp log ln lse diag max min scale Concat "
        "True False NaN nan inf not int float bfloat bool Mistral "
        "config json gguf GGUF PNG SVG PDF CSV TSV NPY NPZ NumPy png svg pdf csv tsv npy npz Safetensors safetensors "
        "viridis magma cividis "
        "query key value context scores scaled masked weights output "
        "nn torch PyTorch MultiheadAttention JAX LaTeX "
        "ms mm "
        "Alt Ctrl Enter Shift Home End Page Up Down Esc "
        "English AttnLab Qt "
        "KL Transformer Linformer Performer Longformer Reformer relu gelu LSH vLLM KV kB "
        "out logit times union elsewhere sum Local Global unless some table");
    const auto list = words.split(' ');
    return QSet<QString>(list.begin(), list.end());
}();

struct Entry {
    QString context, source, translation;
    bool unfinished = false;
};

QString where(const Entry& entry) { return entry.context + QStringLiteral(": ") + entry.source; }

QList<Entry> entriesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QXmlStreamReader xml(&file);
    QList<Entry> entries;
    QString context;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == u"name") {
            context = xml.readElementText();
        } else if (xml.name() == u"message") {
            entries.append({context, {}, {}, false});
        } else if (xml.name() == u"source") {
            entries.last().source = xml.readElementText();
        } else if (xml.name() == u"translation") {
            entries.last().unfinished = xml.attributes().hasAttribute("type");
            // Plural forms are elements within; Chinese has one.
            entries.last().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
        }
    }
    return xml.hasError() ? QList<Entry>{} : entries;
}

QSet<QString> matches(const QString& text, const QString& pattern) {
    QSet<QString> found;
    for (auto each = QRegularExpression(pattern).globalMatch(text); each.hasNext();)
        found << each.next().captured();
    return found;
}

/// The letter after a single &; empty without one.
QString mnemonic(const QString& text) {
    static const QRegularExpression letter(QStringLiteral("(?<!&)&([^&\\s])"));
    return letter.match(text).captured(1).toUpper();
}

bool hasLetters(const QString& text) {
    static const QRegularExpression letter(QStringLiteral("\\p{L}"));
    static const QRegularExpression hole(QStringLiteral("%L?\\d"));
    return QString(text).remove(hole).contains(letter);
}

/// Only names and words of mathematics: equal in every language.
bool isTechnical(const QString& text) {
    const auto words = matches(text, QStringLiteral("\\p{L}{2,}"));
    return technical.contains(words);
}

/// All literals that the sources mark by ATTNLAB_TEXT, escapes resolved.
QStringList markedTexts() {
    static const QString literal = QStringLiteral(R"("(?:[^"\\]|\\.)*")");
    static const QRegularExpression marked(QStringLiteral("ATTNLAB_TEXT\\(\\s*((?:%1\\s*)+)\\)").arg(literal));
    QStringList texts;
    for (const char* folder : {"/core", "/ui"}) {
        QDirIterator files(QStringLiteral(ATTNLAB_SOURCE_DIR) + folder, {"*.cpp", "*.h"}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const auto source = QString::fromUtf8(file.readAll());
            for (auto each = marked.globalMatch(source); each.hasNext();) {
                QString text;
                for (auto part = QRegularExpression(literal).globalMatch(each.next().captured(1)); part.hasNext();) {
                    const auto quoted = part.next().captured();
                    text += quoted.mid(1, quoted.size() - 2);
                }
                texts << text.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\");
            }
        }
    }
    return texts;
}

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

/// The rest of `text` in Latin words of two or more letters, without technical words and `data`.
QStringList englishIn(QString text, const QSet<QString>& data) {
    static const QRegularExpression markup(QStringLiteral("<[^>]*>|&[a-z]+;|\\(&.\\)|^\\S+…$"));
    static const QRegularExpression word(QStringLiteral("[A-Za-z_]{2,}"));
    text.replace(markup, QStringLiteral(" "));
    QStringList left;
    for (auto each = word.globalMatch(text); each.hasNext();)
        // A word with _ is an identifier.
        if (const auto found = each.next().captured();
            !found.contains('_') && !technical.contains(found) && !data.contains(found))
            left << found;
    return left;
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    const QList<Entry> entries_ =
        entriesOf(QStringLiteral(ATTNLAB_SOURCE_DIR "/resources/translations/attnlab_zh_CN.ts"));

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
        for (const auto& each : variants()) {
            add(each.id);
            add(each.formula);
            for (const auto& input : each.inputs)
                add(input.name);
        }
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
        QVERIFY(entries_.size() > 500);
    }

    void englishCountsOneAndMany() {
        speak("en");
        const auto omitted = [](int count) {
            return QCoreApplication::translate("attnlab::ui::BarChart", "%n smaller not shown", nullptr, count);
        };
        QCOMPARE(omitted(1), QString("1 smaller one not shown"));
        QCOMPARE(omitted(2), QString("2 smaller ones not shown"));
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

    void everyEntryIsFinished() {
        for (const auto& entry : entries_) {
            QVERIFY2(!entry.unfinished, qPrintable(where(entry)));
            QVERIFY2(!entry.translation.isEmpty(), qPrintable(where(entry)));
        }
    }

    void holesAgree() {
        const auto pattern = QStringLiteral("%(?:L?[1-9]|n)");
        for (const auto& entry : entries_)
            QVERIFY2(matches(entry.source, pattern) == matches(entry.translation, pattern), qPrintable(where(entry)));
    }

    void mnemonicsAreKept() {
        for (const auto& entry : entries_)
            QVERIFY2(mnemonic(entry.source).isEmpty() == mnemonic(entry.translation).isEmpty(),
                     qPrintable(where(entry)));
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

    void everyMarkedTextIsTranslated() {
        speak("zh_CN");
        const auto texts = markedTexts();
        QVERIFY(texts.size() > 200);
        for (const auto& text : texts)
            if (hasLetters(text) && !isTechnical(text))
                QVERIFY2(translated(text.toUtf8().constData()) != text, qPrintable(text));
    }

    void everyWordOfTheTablesIsTranslated() {
        speak("zh_CN");
        const auto check = [](const char* text) {
            const auto english = QString::fromUtf8(text);
            // "1/√d" is a title in any language.
            if (english.contains(QRegularExpression(QStringLiteral("[A-Za-z]{2,}"))) && !isTechnical(english))
                QVERIFY2(translated(text) != english, text);
        };
        const auto check_parameters = [&check](std::span<const Parameter> parameters) {
            for (const auto& parameter : parameters) {
                check(parameter.title);
                check(parameter.help);
                check(std::string(parameter.unit).c_str());
                for (const auto choice : parameter.choices)
                    check(std::string(choice).c_str());
                QVERIFY2(englishIn(parameterTitle(parameter), {}).isEmpty(), qPrintable(parameterTitle(parameter)));
            }
        };
        const auto check_inputs = [&check](std::span<const Input> inputs) {
            for (const auto& input : inputs)
                check(input.help);
        };
        for (const auto& each : variants()) {
            for (const char* text : {each.title, each.family, each.help})
                check(text);
            check_parameters(each.parameters);
            check_inputs(each.inputs);
        }
        for (const auto& each : scale_modes()) {
            check(each.title);
            check(each.help);
            check_parameters(each.parameters);
            check_inputs(each.inputs);
        }
        for (const auto& each : position_terms()) {
            check(each.title);
            check(each.help);
            check_parameters(each.parameters);
            check_inputs(each.inputs);
        }
        for (const auto& each : mask_kinds()) {
            check(each.title);
            check(each.help);
            check_parameters(each.parameters);
            check_inputs(each.inputs);
        }
        for (const auto axis : {Axis::Batch, Axis::Head, Axis::Query, Axis::Key, Axis::Feature, Axis::Tile, Axis::Hash})
            check(title_of(axis));
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
        MaskImportDialog importing(Tensor(Shape{9, 9}), QStringLiteral("m.npy"), MaskContext{1, 4, 9, 9});
        for (const QDialog* dialog : std::initializer_list<QDialog*>{&exporting, &filling, &resizing, &importing}) {
            const auto foreign = foreignTexts(*dialog);
            QVERIFY2(foreign.isEmpty(), qPrintable(dialog->windowTitle() + '\n' + foreign.join('\n')));
            QVERIFY(englishIn(dialog->windowTitle(), dataWords()).isEmpty());
        }
    }
};

ATTNLAB_TEST(TestTranslations)
#include "test_translations.moc"

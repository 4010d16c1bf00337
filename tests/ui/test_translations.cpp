// Every language has a translation of every text, and each keeps what its text has.
#include "core/attention.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "translation_support.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFile>
#include <QStandardPaths>
#include <QTest>
#include <QXmlStreamReader>

#include <span>
#include <string>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

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

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

    const QList<Entry> entries_ =
        entriesOf(QStringLiteral(ATTNLAB_SOURCE_DIR "/resources/translations/attnlab_zh_CN.ts"));

    void speak(const char* code) {
        QCOMPARE(applyLanguage(QString::fromLatin1(code)), QString::fromLatin1(code));
        QCoreApplication::processEvents();
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabTestTranslations");
        QVERIFY(entries_.size() > 500);
    }

    void init() { speak("en"); }
    void cleanup() { speak("en"); }

    void englishCountsOneAndMany() {
        speak("en");
        const auto omitted = [](int count) {
            return QCoreApplication::translate("attnlab::ui::BarChart", "%n smaller not shown", nullptr, count);
        };
        QCOMPARE(omitted(1), QString("1 smaller one not shown"));
        QCOMPARE(omitted(2), QString("2 smaller ones not shown"));
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
        for (const auto& each : mechanisms()) {
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
};

ATTNLAB_TEST(TestTranslations)
#include "test_translations.moc"

// Percentages are written in one way.
#include "core/explain/reading.h"
#include "tests/places.h"
#include "tests/test_main.h"
#include "ui/widgets/text.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

class TestPercent : public QObject {
    Q_OBJECT
private slots:
    void numbersAndProgress() {
        QCOMPARE(percentText(0.1667), QStringLiteral("16.7%"));
        QCOMPARE(percentText(std::numeric_limits<double>::infinity()),
                 numberText(std::numeric_limits<double>::infinity()));
        QCOMPARE(progressText(0.0), QStringLiteral("0%"));
        QCOMPARE(progressText(0.999), QStringLiteral("99%"));
        QCOMPARE(progressText(1.0), QStringLiteral("100%"));
        QCOMPARE(textOf(explain::share_text(0.69)), QStringLiteral("69%"));
    }

    /// Without a space, in either language.
    void textsOfTheWindow() {
        QFile file(QStringLiteral(ATTNLAB_SOURCE_DIR "/resources/translations/attnlab_zh_CN.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto texts = QString::fromUtf8(file.readAll());
        static const QRegularExpression apart(QStringLiteral("\\d %(?![1-9L])[^\\n]*"));
        const auto found = apart.match(texts);
        QVERIFY2(!found.hasMatch(), qPrintable(found.captured()));
    }
};

ATTNLAB_TEST(TestPercent)
#include "test_percent.moc"

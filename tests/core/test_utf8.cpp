#include "core/utf8.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;

class Utf8Test : public QObject {
    Q_OBJECT
private slots:
    void characters_survive_encoding() {
        for (const char32_t character :
             {U'a', U'\x7f', U'\x80', U'\x7ff', U'\x800', U'\xd7ff', U'\xe000', U'\xffff', U'\x10000', U'\x10ffff'}) {
            std::string text;
            append_character(text, character);
            QCOMPARE(text.size(), utf8_size(character));
            QVERIFY(is_utf8(text));
            QCOMPARE(character_at(text, 0).value, character);
            QCOMPARE(valid_character_at(text, 0)->value, character);
            QCOMPARE(valid_character_at(text, 0)->bytes, text.size());
            QCOMPARE(count_characters(text), 1);
        }
    }

    void invalid_bytes_are_found_and_replaced_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("replaced");
        QTest::newRow("continuation alone") << QByteArray("\x80") << QString::fromUtf8("\ufffd");
        QTest::newRow("overlong, two bytes") << QByteArray("\xc0\xaf") << QString::fromUtf8("\ufffd\ufffd");
        QTest::newRow("overlong, three bytes") << QByteArray("\xe0\x9f\xbf") << QString::fromUtf8("\ufffd\ufffd\ufffd");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QString::fromUtf8("\ufffd\ufffd\ufffd");
        QTest::newRow("beyond U+10FFFF") << QByteArray("\xf4\x90\x80\x80")
                                         << QString::fromUtf8("\ufffd\ufffd\ufffd\ufffd");
        QTest::newRow("cut off") << QByteArray("\xe4\xbd") << QString::fromUtf8("\ufffd");
        QTest::newRow("cut off by a letter") << QByteArray("\xe4\xbd"
                                                           "a")
                                             << QString::fromUtf8("\ufffda");
    }
    void invalid_bytes_are_found_and_replaced() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, replaced);
        const std::string text = bytes.toStdString();
        QVERIFY(!is_utf8(text));
        QVERIFY(!valid_character_at(text, 0));
        QCOMPARE(QString::fromStdString(with_replacements(text)), replaced);
    }

    void only_letters_of_ascii_become_lower_case() {
        QCOMPARE(QString::fromStdString(lowered("@AZ[az0_ÄΣ")), QStringLiteral("@az[az0_ÄΣ"));
        QCOMPARE(lowered('\xc4'), '\xc4');
    }
};

ATTNLAB_TEST(Utf8Test)
#include "test_utf8.moc"

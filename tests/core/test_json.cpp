// JSON from files: positions of errors, limits, and linear time.
#include "core/io/json.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace attnlab;
using namespace attnlab::test;

namespace {

QString refusal(const std::string& text, const io::JsonLimits& limits = {}) {
    return error_of([&] { io::parse_json(text, "f", limits); });
}

std::string repeated(const std::string& item, int count) {
    std::string text = item;
    for (int i = 1; i < count; ++i)
        text += "," + item;
    return text;
}

} // namespace

class TestJson : public QObject {
    Q_OBJECT

private slots:
    void readsEveryKindOfValue() {
        const std::string text =
            R"({"a":null,"b":true,"c":-7,"d":18446744073709551615,"e":0.5,"f":"x\n牛","g":[1,[]],"h":{"i":{}}})";
        const auto json = io::parse_json(text, "f");
        const auto& root = json.root();
        QCOMPARE(root.members().size(), std::size_t{8});
        QCOMPARE(root.at("b").boolean(), true);
        QCOMPARE(root.at("c").integer(), std::int64_t{-7});
        QCOMPARE(root.at("d").number(), 18446744073709551615.0);
        QVERIFY(root.at("d").is_integer());
        QCOMPARE(root.at("e").number(), 0.5);
        QCOMPARE(root.at("f").text(), std::string("x\n牛"));
        QCOMPARE(root.at("g").items()[0].path(), std::string("g[0]"));
        QCOMPARE(root.at("h").at("i").path(), std::string("h.i"));
        QCOMPARE(io::dump(io::to_json(root)), text);
    }

    void saysTheLineWhereThereAreSeveral() {
        const auto json = io::parse_json("{\n\"a\":\n{\"b\": [1,\n\"x\"]}}", "f");
        const auto& list = json.root().at("a").at("b");
        QCOMPARE(error_of([&] { list.items()[1].integer(); }),
                 QString("f:4: 'a.b[1]' is \"x\", expected an integer of 64 bits"));
        QCOMPARE(error_of([&] { json.root().at("a").at("c"); }), QString("f:3: 'c' is missing in 'a'"));
        QVERIFY(refusal("{\n\"a\": tru\n}").startsWith("f:2: is not valid JSON near byte 11: "));
        QVERIFY(refusal("{\"a\": tru}\n").startsWith("f: is not valid JSON near byte 10: "));
        QVERIFY(refusal("{\n\"a\":\n1e999}").startsWith("f:3: holds a number outside the range of float64"));
        QCOMPARE(refusal("{\n\"a\": 1,\n\"b\": 2,\n\"a\": 3}"), QString("f:4: key 'a' is there twice"));
    }

    void aLongValueIsCutInMessages() {
        const auto long_text = QString("牛").repeated(1000).toStdString();
        const auto json = io::parse_json("{\"a\":\"" + long_text + "\"}", "f");
        const auto said = error_of([&] { json.root().at("a").integer(); });
        QVERIFY2(said.size() < 80 && !said.contains(QChar(QChar::ReplacementCharacter)), qPrintable(said));
        const auto broken = refusal("{\"a\":" + std::string(100000, 'x') + "}");
        QVERIFY2(broken.size() < 200, qPrintable(broken));
    }

    void limits() {
        QCOMPARE(refusal("{\"a\":[[1]]}", {.max_depth = 3}), QString());
        QCOMPARE(refusal("{\"a\":[[1]]}", {.max_depth = 2}), QString("f: is nested more than 2 levels deep"));
        QCOMPARE(refusal("{\"a\":[1,2]}", {.max_values = 4}), QString());
        QCOMPARE(refusal("{\"a\":[1,2]}", {.max_values = 3}), QString("f: holds more than 3 values"));
        QCOMPARE(refusal("{\"a\":{},\"b\":[]}", {.max_values = 2}), QString("f: holds more than 2 values"));
        QCOMPARE(refusal("{\"a\":1}", {.max_bytes = 7}), QString());
        QCOMPARE(refusal("{\"a\":1}", {.max_bytes = 6}), QString("f: takes 7 bytes; at most 6 may be read"));
    }

    /// A reader that compares each value with all earlier ones would take hours.
    void manyValuesTakeNoLonger_data() {
        QTest::addColumn<QByteArray>("text");
        constexpr int many = 400'000;
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QByteArray::fromStdString(text);
        };
        row("objects", "{\"a\":[" + repeated("{}", many) + "]}");
        row("lists", "{\"a\":[" + repeated("[]", many) + "]}");
        row("objects with a member", "{\"a\":[" + repeated("{\"b\":0}", many) + "]}");
        std::string keys = "\"k\":0";
        for (int i = 0; i < many; ++i)
            keys += ",\"k" + std::to_string(i) + "\":{}";
        row("keys", "{" + keys + "}");
        row("lines", "{\"a\":[" + repeated("\n1", many) + "]}");
    }
    void manyValuesTakeNoLonger() {
        QFETCH(QByteArray, text);
        const auto json = io::parse_json(text.toStdString(), "f");
        QVERIFY(json.root().members().size() >= 1);
    }

    void tellsFarKeysThatAreTheSame() {
        std::string keys = "\"same\":0";
        for (int i = 0; i < 1000; ++i)
            keys += ",\"k" + std::to_string(i) + "\":{}";
        QCOMPARE(refusal("{" + keys + ",\"s\\u0061me\":1}"), QString("f: key 'same' is there twice"));
    }
};

ATTNLAB_TEST(TestJson)
#include "test_json.moc"

// Messages of the engine in the language of the window, with the words in their holes.
#include "core/backend.h"
#include "core/io/json.h"
#include "core/resolved_problem.h"
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/widgets/text.h"

#include <QRegularExpression>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

template <class Call>
Message messageOf(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return error.message();
    }
    return {};
}

/// The key is as wide as no query.
AttentionProblem narrowKey() {
    auto problem = attnlab::ui::problemOf(2, 5, 5, 4);
    problem.tensors["key"] = normalTensor({1, 2, 5, 3}, 4);
    return problem;
}

} // namespace

class TestWordedMessages : public QObject {
    Q_OBJECT
private slots:
    void init() { applyLanguage(QStringLiteral("zh_CN")); }
    void cleanup() { applyLanguage(QStringLiteral("en")); }

    void shapesThatDoNotFit() {
        const auto why = messageOf([] { resolve(narrowKey()); });
        QCOMPARE(QString::fromStdString(why.english()),
                 QStringLiteral("key: has shape (1, 2, 5, 3), expected (B, Hkv, S, E) with B = 1 as in query, "
                                "E = 4 as in query"));
        QCOMPARE(
            translated(why),
            QStringLiteral(
                "key：形状为 (1, 2, 5, 3)，应为 (B, Hkv, S, E)，其中 B = 1（与 query 一致）, E = 4（与 query 一致）"));
    }

    /// A quoted name has no space beside it in Chinese, and a number has.
    void quotationMarks() {
        const auto said = [](const char* query, const char* key) {
            return translated(Message{ATTNLAB_TEXT("%1 reads mostly %2: %3"), {query, key, "69%"}});
        };
        QCOMPARE(said("“fox”", "“brown”"), QStringLiteral("“fox”主要关注“brown”：69%"));
        QCOMPARE(said("“fox” (3)", "7"), QStringLiteral("“fox” (3) 主要关注 7：69%"));
        applyLanguage(QStringLiteral("en"));
        QCOMPARE(said("“fox”", "“brown”"), QStringLiteral("“fox” reads mostly “brown”: 69%"));
    }

    /// A reason within a reason.
    void theOtherSetting() {
        auto problem = attnlab::ui::problemOf(2, 5, 5, 4);
        problem.compared_with = problem.spec;
        problem.compared_with->variant = "additive";
        const auto result = computed(problem);
        QVERIFY(result->compared && result->compared->error);
        const Message all{ATTNLAB_TEXT("Setting B cannot be computed: %1"), {*result->compared->error}};
        static const QRegularExpression words(QStringLiteral("\\b(with|as in|or|expected|missing)\\b"));
        QVERIFY2(!translated(all).contains(words), qPrintable(translated(all)));
        QVERIFY(QString::fromStdString(all.english()).contains(words));
    }

    void whatAFileShouldHold() {
        const auto json = io::parse_json(R"({"sizes": [1, "two"]})", "a.json");
        const auto why = messageOf([&] {
            json.root().at("sizes").fail_expecting({ATTNLAB_TEXT("an integer from %1 to %2"), {"1", "9"}});
        });
        QCOMPARE(why.english(), std::string("a.json: 'sizes' is [1,\"two\"], expected an integer from 1 to 9"));
        QCOMPARE(translated(why), QStringLiteral("a.json：“sizes”是 [1,\"two\"]，应为 1 到 9 的整数"));
    }

    /// What a hole holds is no pattern, whatever it looks like.
    void holesInHoles() {
        const Message inner{ATTNLAB_TEXT("%1 = %2 as in %3"), {"%2", "4", "%1"}};
        QCOMPARE(Message("%1 / %2", {inner, "last"}).english(), std::string("%2 = 4 as in %1 / last"));
        QCOMPARE(joined({}, "%1, %2"), Message());
        QCOMPARE(joined({"a", "b", "c"}, "%1, %2").english(), std::string("a, b, c"));
    }
};

ATTNLAB_TEST(TestWordedMessages)
#include "test_worded_messages.moc"

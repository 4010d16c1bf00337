#include "tests/test_main.h"
#include "ui/panels/inputs/token_groups.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

using Ids = std::vector<double>;
Q_DECLARE_METATYPE(Ids)

class TestTokenGroups : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void borders_data() {
        QTest::addColumn<Ids>("ids");
        QTest::addColumn<int>("token");
        QTest::addColumn<Ids>("expected");
        QTest::newRow("split") << Ids{0, 0, 0, 0} << 2 << Ids{0, 0, 1, 1};
        QTest::newRow("split before other groups") << Ids{0, 0, 1, 2} << 1 << Ids{0, 1, 2, 3};
        QTest::newRow("join") << Ids{0, 0, 1, 1} << 2 << Ids{0, 0, 0, 0};
        QTest::newRow("join keeps later borders") << Ids{0, 1, 2, 2} << 1 << Ids{0, 0, 1, 1};
        QTest::newRow("any numbers") << Ids{7, 3, 3} << 1 << Ids{7, 7, 7};
        QTest::newRow("the first token has none before it") << Ids{0, 0} << 0 << Ids{0, 0};
        QTest::newRow("outside") << Ids{0, 0} << 2 << Ids{0, 0};
    }

    void borders() {
        QFETCH(Ids, ids);
        QFETCH(int, token);
        QFETCH(Ids, expected);
        QCOMPARE(withBorderToggled(ids, token), expected);
    }

    void clicksAndKeysEdit() {
        TokenGroups groups;
        groups.resize(300, 80);
        groups.setTokens({"the", "cat", "sat", "down"}, Tensor({4}, {0, 0, 1, 1}, DType::Int64));
        Ids last;
        connect(&groups, &TokenGroups::idsEdited, this, [&](const Ids& ids) { last = ids; });
        QTest::mouseClick(&groups, Qt::LeftButton, {}, groups.tokenRect(2).center());
        QCOMPARE(last, (Ids{0, 0, 0, 0}));
        QCOMPARE(groups.current(), 2);
        QTest::keyClick(&groups, Qt::Key_Right);
        QCOMPARE(groups.current(), 3);
        QTest::keyClick(&groups, Qt::Key_Up);
        QCOMPARE(last, (Ids{0, 0, 1, 2}));
        QTest::keyClick(&groups, Qt::Key_7);
        QCOMPARE(last, (Ids{0, 0, 1, 7}));
        QTest::keyClick(&groups, Qt::Key_Home);
        QTest::keyClick(&groups, Qt::Key_Right);
        QTest::keyClick(&groups, Qt::Key_Space);
        QCOMPARE(last, (Ids{0, 1, 2, 2}));
        QCOMPARE(groups.accessibleName(), QStringLiteral("cat: group 0")); // the owner has not applied the edit
    }

    void wrapsWithinItsWidth() {
        TokenGroups groups;
        QStringList tokens;
        for (int i = 0; i < 40; ++i)
            tokens << QStringLiteral("token%1").arg(i);
        groups.setTokens(tokens, Tensor({40}, 0.0, DType::Int64));
        groups.resize(200, groups.heightForWidth(200));
        groups.show();
        for (int i = 0; i < 40; ++i)
            QVERIFY(groups.rect().contains(groups.tokenRect(i)));
        QVERIFY(groups.heightForWidth(200) > groups.heightForWidth(800));
    }
};

ATTNLAB_TEST(TestTokenGroups)
#include "test_token_groups.moc"

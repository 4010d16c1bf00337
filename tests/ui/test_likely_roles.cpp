// The order in which the picker offers roles for an array.
#include "core/random.h"
#include "tests/test_main.h"
#include "ui/document/array_picker.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestLikelyRoles : public QObject {
    Q_OBJECT

    static Tensor weights() {
        Tensor tensor({3, 4, 4});
        for (double& value : tensor.mutable_values())
            value = 0.25;
        return tensor;
    }

private slots:
    void theLikeliestIsFirst_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("first");
        QTest::addRow("query by a letter") << "my_q"
                                           << "numbers"
                                           << "query";
        QTest::addRow("key by a word") << "layer0.keys"
                                       << "numbers"
                                       << "key";
        QTest::addRow("value") << "V"
                               << "numbers"
                               << "value";
        QTest::addRow("no letter within a word") << "queue"
                                                 << "numbers"
                                                 << "query";
        QTest::addRow("rows that sum to 1") << "arr_3"
                                            << "weights"
                                            << "weights";
        QTest::addRow("flags of cells") << "arr_4"
                                        << "cells"
                                        << "attn_mask";
        QTest::addRow("flags of keys") << "arr_5"
                                       << "keys"
                                       << "key_padding_mask";
        QTest::addRow("a bias") << "rel_bias"
                                << "square"
                                << "attn_bias";
        QTest::addRow("hidden states") << "hidden_states"
                                       << "numbers"
                                       << "x";
    }
    void theLikeliestIsFirst() {
        QFETCH(QString, name);
        QFETCH(QString, kind);
        QFETCH(QString, first);
        const Tensor tensor = kind == "weights"  ? weights()
                              : kind == "cells"  ? Tensor({4, 4}, 0.0, DType::Bool)
                              : kind == "keys"   ? Tensor({2, 7}, 1.0, DType::Int64)
                              : kind == "square" ? random_normal({2, 5, 5}, 1)
                                                 : random_normal({2, 5, 3}, 1);
        const auto roles = rolesFor({name.toStdString(), tensor, "file.npz"});
        QCOMPARE(roles.likely.first(), first);
        QCOMPARE(roles.likely.size(), 8);
        for (const auto& role : roles.likely)
            QVERIFY2(!roles.others.contains(role), qPrintable(role));
        QVERIFY(roles.others.contains("w_q"));
        QVERIFY(std::is_sorted(roles.others.begin(), roles.others.end()));
    }
};

ATTNLAB_TEST(TestLikelyRoles)
#include "test_likely_roles.moc"

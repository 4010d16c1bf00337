#include "core/model/activation.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

using namespace attnlab;
using namespace attnlab::model;

namespace {

/// The definitions, in float64.
double defined(ActivationKind kind, double x) {
    const auto sigmoid = [](double y) { return 1.0 / (1.0 + std::exp(-y)); };
    switch (kind) {
    case ActivationKind::Gelu:
        return x * std::erfc(-x / std::sqrt(2.0)) / 2.0;
    case ActivationKind::GeluTanh:
        return x * (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x))) / 2.0;
    case ActivationKind::QuickGelu:
        return x * sigmoid(1.702 * x);
    case ActivationKind::Relu:
        return std::max(x, 0.0);
    case ActivationKind::ReluSquared:
        return std::pow(std::max(x, 0.0), 2.0);
    case ActivationKind::Relu6:
        return std::min(std::max(x, 0.0), 6.0);
    case ActivationKind::LeakyRelu:
        return x < 0.0 ? 0.01 * x : x;
    case ActivationKind::Silu:
        return x * sigmoid(x);
    case ActivationKind::Mish:
        return x * std::tanh(std::log1p(std::exp(x)));
    case ActivationKind::Sigmoid:
        return sigmoid(x);
    case ActivationKind::Tanh:
        return std::tanh(x);
    case ActivationKind::Identity:
        return x;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

class TestActivation : public QObject {
    Q_OBJECT

private slots:
    void everyFunctionIsItsDefinition_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"gelu", "gelu_new", "quick_gelu", "relu", "relu2", "relu6", "leaky_relu", "silu",
                                 "mish", "sigmoid", "tanh", "linear"})
            QTest::newRow(name) << name;
    }
    /// Within 4e-7 of the largest of the argument and 1, from far below to far above where each is a straight line.
    void everyFunctionIsItsDefinition() {
        QFETCH(QString, name);
        const auto* activation = find_activation(name.toStdString());
        QVERIFY(activation);
        std::vector<float> arguments;
        for (int i = -4001; i <= 4000; ++i) // an odd count: the last vector is not full
            arguments.push_back(static_cast<float>(i) * 0.003F);
        arguments.insert(arguments.end(), {-0.0F, -89.0F, 89.0F, -300.0F, 300.0F, -1e9F, 1e9F, 1e-30F, -1e-30F});
        auto values = arguments;
        activate(*activation, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double x = arguments[i], expected = defined(activation->kind, x);
            const double allowed = 4e-7 * std::max({1.0, std::abs(x), std::abs(expected)});
            QVERIFY2(std::abs(values[i] - expected) <= allowed,
                     qPrintable(QString("%1(%2) is %3, not %4").arg(name).arg(x).arg(values[i]).arg(expected)));
        }
    }

    void nanAndInfinityAreKept() {
        const float infinity = std::numeric_limits<float>::infinity();
        for (const char* name : {"gelu", "gelu_new", "quick_gelu", "relu", "relu2", "leaky_relu", "silu", "mish"}) {
            std::vector<float> values{std::numeric_limits<float>::quiet_NaN(), infinity};
            activate(*find_activation(name), values);
            QVERIFY2(std::isnan(values[0]), name);
            QCOMPARE(values[1], infinity);
        }
        std::vector<float> values{std::numeric_limits<float>::quiet_NaN(), infinity, -infinity};
        activate(*find_activation("sigmoid"), values);
        QVERIFY(std::isnan(values[0]));
        QCOMPARE(values[1], 1.0F);
        QCOMPARE(values[2], 0.0F);
    }

    /// Whatever the number of values, no other number is touched.
    void onlyTheseNumbersChange() {
        for (std::size_t count = 0; count < 70; ++count) {
            std::vector<float> values(count + 8, -1.0F);
            activate(*find_activation("relu"), std::span(values).first(count));
            for (std::size_t i = 0; i < values.size(); ++i)
                QCOMPARE(values[i], i < count ? 0.0F : -1.0F);
        }
    }

    void numbersAreAddedFirst_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"gelu", "silu", "relu2", "tanh", "linear"})
            QTest::newRow(name) << name;
        QTest::newRow("no activation") << QString();
    }
    void numbersAreAddedFirst() {
        QFETCH(QString, name);
        const auto* activation = name.isEmpty() ? nullptr : find_activation(name.toStdString());
        for (const std::size_t count : {0, 1, 15, 16, 33}) {
            std::vector<float> added, values, sums;
            for (std::size_t i = 0; i < count; ++i) {
                added.push_back(0.25F * static_cast<float>(i) - 2.0F);
                values.push_back(1.0F - 0.5F * static_cast<float>(i % 7));
                sums.push_back(added.back() + values.back());
            }
            if (count > 0)
                values[count - 1] = sums[count - 1] = std::numeric_limits<float>::quiet_NaN();
            add_and_activate(added.data(), activation, values);
            if (activation)
                activate(*activation, sums);
            for (std::size_t i = 0; i < count; ++i)
                QVERIFY(std::isnan(sums[i]) ? std::isnan(values[i]) : values[i] == sums[i]);
        }
    }
};

ATTNLAB_TEST(TestActivation)
#include "test_activation.moc"

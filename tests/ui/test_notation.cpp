// Plain formulas as text with subscripts and superscripts.
#include "tests/test_main.h"
#include "ui/drawing/formula_view.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QtTest>

using namespace attnlab::ui;

namespace {

/// "a[ij] = 2{8}": lowered in brackets, raised in braces.
QString marked(const QString& plain) {
    QString text;
    for (const auto& run : notationOf(plain))
        text += run.level < 0   ? QLatin1Char('[') + run.text + QLatin1Char(']')
                : run.level > 0 ? QLatin1Char('{') + run.text + QLatin1Char('}')
                                : run.text;
    return text;
}

} // namespace

class TestNotation : public QObject {
    Q_OBJECT

private slots:
    void scripts_data() {
        QTest::addColumn<QString>("plain");
        QTest::addColumn<QString>("typeset");
        QTest::newRow("indices") << "a_ij = exp(m_ij − lse_i)"
                                 << "a[ij] = exp(m[ij] − lse[i])";
        QTest::newRow("two indices") << "exp(m_ij − lse_i,b) for j in page b"
                                     << "exp(m[ij] − lse[i,b]) for j in page b";
        QTest::newRow("a comma") << "p_i,2c = sin(x), y"
                                 << "p[i,2c] = sin(x), y";
        QTest::newRow("in parentheses") << "log Σ_(j in b) exp(m_ij)"
                                        << "log Σ[(j in b)] exp(m[ij])";
        QTest::newRow("raised") << "1/H Σ_h a^(h)"
                                << "1/H Σ[h] a{(h)}";
        QTest::newRow("a name") << "scaled_ij + position_bias_ij"
                                << "scaled[ij] + position bias[ij]";
        QTest::newRow("a long index") << "M_causal"
                                      << "M[causal]";
        QTest::newRow("none") << "−‖q−k‖²/2σ²"
                              << "−‖q−k‖²/2σ²";
        QTest::newRow("at the end") << "x_"
                                    << "x_";
        QTest::newRow("empty") << ""
                               << "";
    }
    void scripts() {
        QFETCH(QString, plain);
        QTEST(marked(plain), "typeset");
    }

    void linesFit() {
        const QFont font = QApplication::font();
        const auto notation = notationOf(QStringLiteral("a_ij = φ(q_i) · φ(k_j) / Σ_j φ(q_i) · φ(k_j)"));
        const double whole = notationWidth(notation, font);
        QCOMPARE(notationLines(notation, whole + 1, font).size(), std::size_t{1});
        const auto lines = notationLines(notation, whole / 2, font);
        QVERIFY(lines.size() >= 2);
        for (const auto& line : lines)
            QVERIFY(notationWidth(line, font) <= whole / 2);
        QCOMPARE(notationLines(notationOf(QString(400, 'w')), 50, font).size(), std::size_t{1});
    }

    void scriptsAreSmaller() {
        const QFont font = QApplication::font();
        QVERIFY(notationWidth(notationOf("m_iiii"), font) < QFontMetricsF(font).horizontalAdvance("miiii"));
    }
};

ATTNLAB_TEST(TestNotation)
#include "test_notation.moc"

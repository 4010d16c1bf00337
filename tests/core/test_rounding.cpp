// Imitation of narrower formats: rounding to nearest, and results with stored rounding.
#include "core/compare.h"
#include "core/flash/unsupported_reasons.h"
#include "core/io/saved/workspace_file.h"
#include "core/rounding.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <bit>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem with_rounding(AttentionProblem problem, const char* text) {
    problem.spec.rounding = parse_rounding(text);
    return problem;
}

} // namespace

class TestRounding : public QObject {
    Q_OBJECT
private slots:
    /// Bits by IEEE 754 binary16 and by the upper half of a binary32.
    void findsTheNearest_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("float16");
        QTest::addColumn<double>("bfloat16");
        QTest::addRow("zero") << 0.0 << 0.0 << 0.0;
        QTest::addRow("a third") << 1.0 / 3.0 << 0x1.554p-2 << 0x1.56p-2;
        QTest::addRow("pi") << 3.14159265358979 << 3.140625 << 3.140625;
        QTest::addRow("-0.1") << -0.1 << -0.0999755859375 << -0.10009765625;
        QTest::addRow("tie to even below") << 1.0 + 0x1p-11 << 1.0 << 1.0;
        QTest::addRow("tie to even above") << 1.0 + 3 * 0x1p-11 << 1.0 + 0x1p-9 << 1.0;
        QTest::addRow("above a tie") << 1.0 + 0x1p-11 + 0x1p-50 << 1.0 + 0x1p-10 << 1.0;
        QTest::addRow("bfloat16 tie below") << 1.0 + 0x1p-8 << 1.0 + 0x1p-8 << 1.0;
        QTest::addRow("bfloat16 tie above") << 1.0 + 3 * 0x1p-8 << 1.0 + 3 * 0x1p-8 << 1.0 + 0x1p-6;
        // through float32 this would first become the tie, and then 1
        QTest::addRow("one rounding") << 1.0 + 0x1p-8 + 0x1p-30 << 1.0 + 0x1p-8 << 1.0 + 0x1p-7;
        QTest::addRow("up to a power of two") << 1.9999 << 2.0 << 2.0;
        QTest::addRow("largest float16") << 65504.0 << 65504.0 << 65536.0;
        QTest::addRow("just finite") << 65519.999 << 65504.0 << 65536.0;
        QTest::addRow("overflow") << 65520.0 << infinity << 65536.0;
        QTest::addRow("-1e9") << -1e9 << -infinity << -998244352.0;
        QTest::addRow("bfloat16 overflow") << 3.4e38 << infinity << infinity;
        QTest::addRow("smallest normal") << 0x1p-14 << 0x1p-14 << 0x1p-14;
        QTest::addRow("subnormal") << 1.3 * 0x1p-24 << 0x1p-24 << 0x1.4cp-24;
        QTest::addRow("half a subnormal") << 0x1p-25 << 0.0 << 0x1p-25;
        QTest::addRow("more than half") << 0x1.1p-25 << 0x1p-24 << 0x1.1p-25;
        QTest::addRow("bfloat16 subnormal") << 1.6 * 0x1p-133 << 0.0 << 0x1p-132;
        QTest::addRow("infinite") << -infinity << -infinity << -infinity;
    }
    void findsTheNearest() {
        QFETCH(double, value);
        QFETCH(double, float16);
        QFETCH(double, bfloat16);
        QCOMPARE(rounded(value, DType::Float16), float16);
        QCOMPARE(rounded(value, DType::BFloat16), bfloat16);
        QCOMPARE(rounded(-value, DType::Float16), -float16);
        QCOMPARE(rounded(value, DType::Float64), value);
        if (std::abs(value) < 3e38)
            QCOMPARE(rounded(value, DType::Float32), static_cast<double>(static_cast<float>(value)));
    }

    void keepsNaNAndTheSignOfZero() {
        QVERIFY(std::isnan(rounded(not_a_number, DType::Float16)));
        QVERIFY(std::signbit(rounded(-1e-30, DType::Float16)));
    }

    void agreesWithTheProcessorOnFloat32() {
        const auto numbers = random_normal({10000}, 4, 0.0, 1e-3);
        for (const double value : numbers.values()) {
            QCOMPARE(rounded(value, DType::Float32), static_cast<double>(static_cast<float>(value)));
            const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(rounded(value, DType::BFloat16)));
            QCOMPARE(bits & 0xffffu, 0u);
        }
    }

    void readsAndWritesItsWords() {
        for (const auto* text : {"bfloat16:inputs", "float16:scores", "bfloat16:weights", "float16:all"})
            QCOMPARE(to_text(parse_rounding(text)), text);
        QCOMPARE(to_text(parse_rounding("float16")), "float16:all");
        for (const auto* text : {"", "float32:all", "float16:", "bfloat16:output", "BFLOAT16"})
            QVERIFY_THROWS_EXCEPTION(Error, parse_rounding(text));
    }

    void roundsWhatItSaysAndNothingElse() {
        auto problem = dot_problem(1, 2, 1, 5, 6, 4, 3);
        const auto exact = run(problem);
        const auto held = [](const Tensor& tensor) {
            return std::ranges::all_of(tensor.values(),
                                       [](double value) { return value == rounded(value, DType::BFloat16); });
        };
        for (const auto* where : {"inputs", "scores", "weights", "all"}) {
            const auto trace = run(with_rounding(problem, (std::string("bfloat16:") + where).c_str()));
            const auto is = [&](const char* name) { return std::string_view(where) == name || where[0] == 'a'; };
            for (const auto* name : {"query", "key", "value"})
                QCOMPARE(held(stage(trace, name)), is("inputs"));
            for (const auto* name : {"scores", "scaled", "masked"})
                QCOMPARE(held(stage(trace, name)), is("scores"));
            QCOMPARE(held(stage(trace, "weights")), is("weights"));
            QCOMPARE(held(stage(trace, "output")), where[0] == 'a');
            QVERIFY(output_gap(trace, exact)->relative > 1e-5);
            QVERIFY(output_gap(trace, exact)->relative < 0.05);
        }
        // the weights are those of the rounded scores
        const auto trace = run(with_rounding(problem, "bfloat16:scores"));
        const auto masked = matrix_at(stage(trace, "masked"), 1).row(2);
        double sum = 0.0;
        for (const double score : masked)
            sum += std::exp(score);
        QVERIFY(std::abs(stage(trace, "weights").at({0, 1, 2, 3}) - std::exp(masked[3]) / sum) < 1e-15);
        QVERIFY(std::ranges::any_of(trace.notes, [](const Note& note) {
            return note.message.english() == "Rounded to the nearest bfloat16: scores. All else is in float64";
        }));
        QVERIFY(exact_counterpart(with_rounding(problem, "float16").spec) == problem.spec);
    }

    void isFloat64ByDefault() {
        QVERIFY(!AttentionSpec().rounding);
        const auto text = io::spec_to_json(AttentionProblem());
        QVERIFY(text.find("rounding") == std::string::npos);
    }

    void isSaved() {
        auto problem = with_rounding(AttentionProblem(), "float16:weights");
        AttentionProblem read;
        const auto text = io::spec_to_json(problem);
        io::spec_from_json(text, read);
        QVERIFY(read.spec == problem.spec);
        auto wrong = text;
        wrong.replace(wrong.find("float16:weights"), 15, "float12:weights");
        QVERIFY_THROWS_EXCEPTION(Error, io::spec_from_json(wrong, read));
    }

    void isRefusedWhereItCannotBeDone_data() {
        QTest::addColumn<QString>("id");
        for (const auto& known : mechanisms())
            QTest::addRow("%s", known.id.data()) << QString::fromUtf8(known.id.data(), qsizetype(known.id.size()));
    }
    void isRefusedWhereItCannotBeDone() {
        QFETCH(QString, id);
        const auto plain = fresh_problem(id.toStdString());
        const auto problem = with_rounding(plain, "bfloat16:scores");
        if (refusal_of_rounding(mechanism_of(plain.spec.variant))) {
            QVERIFY(!issues_in(problem).empty());
            QVERIFY_THROWS_EXCEPTION(Error, run(problem));
            QVERIFY(without_refused(problem.spec) == without_refused(plain.spec));
        } else {
            const auto trace = run(problem), exact = run(plain);
            QVERIFY(!difference(stage(trace, "masked"), stage(exact, "masked"), 1e-9).isEmpty());
        }
        if (mechanism_of(plain.spec.variant).dot_product_form) {
            const auto refused = flash::unsupported_choice(problem.spec);
            QVERIFY(refused);
        }
    }
};

ATTNLAB_TEST(TestRounding)
#include "test_rounding.moc"

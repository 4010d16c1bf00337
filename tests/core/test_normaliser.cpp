#include "core/backend.h"
#include "core/flash/unsupported_reasons.h"
#include "core/io/saved/workspace_file.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/independent.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

std::vector<double> row_of(const char* normaliser, const std::vector<double>& scores) {
    AttentionSpec spec;
    spec.normaliser = parse_normaliser(normaliser);
    const auto chosen = effective_normaliser(spec);
    const Tensor masked({1, 1, 1, std::ssize(scores)}, scores);
    const auto made = normalised_rows(masked, chosen).weights;
    return {made.values().begin(), made.values().end()};
}

double sum_of(const std::vector<double>& numbers) {
    double sum = 0.0;
    for (const double number : numbers)
        sum += number;
    return sum;
}

std::vector<independent::Real> reals(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

Tensor tensor_of(Shape shape, const std::vector<independent::Real>& values) {
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()));
}

Tensor booleans(Shape shape, std::uint64_t seed) {
    Tensor tensor = random_uniform(std::move(shape), seed, 0.0, 1.0).with_dtype(DType::Bool);
    for (double& value : tensor.mutable_values())
        value = value < 0.4 ? 1.0 : 0.0;
    return tensor;
}

/// Settings with a normaliser, a decay and a mask, for which all arrays exist.
struct Draw {
    AttentionProblem problem;
    independent::Sizes n;
    std::string words;
};

class Draws {
public:
    explicit Draws(std::uint64_t seed) : random_(seed), seed_(seed) {}

    Draw next() {
        Draw made;
        auto& spec = made.problem.spec;
        const std::int64_t Hkv = 1 + below(2), L = 1 + below(7);
        const std::int64_t past = below(4), S = L + past + below(3);
        made.n = {1 + below(2), Hkv * (1 + below(2)), Hkv, L, S, 1 + below(5), 1 + below(4)};
        made.problem.tensors = dot_problem(made.n.B, made.n.H, Hkv, L, S, made.n.E, made.n.Ev).tensors;
        auto& query = made.problem.tensors.at("query");
        query = random_normal(query.shape(), seed_ * 100 + 1, 0.0, one_of({0.3, 1.0, 4.0}));
        const auto add = [&](const std::string& text) { made.words += text + " "; };
        const std::string normaliser = one_of<const char*>(
            {"softmax", "softmax1", "sigmoid", "sigmoid:-1.5", "relu", "relu:2", "sparsemax", "entmax", "entmax:1.2",
             "entmax:1.9", "entmax:3", "stick_breaking", "stick_breaking:self", "none"});
        spec.normaliser = parse_normaliser(normaliser);
        add(normaliser);
        spec.query_offset = below(past + 1);
        const std::string decay = one_of<const char*>({"", "", "retention", "retention:0.7", "forget"});
        if (!decay.empty())
            spec.decay = parse_decay(decay);
        if (decay == "forget")
            made.problem.tensors.emplace(one_of<const char*>({"forget_gate", "log_forget_gate"}),
                                         gates({made.n.B, made.n.H, S}));
        if (decay == "retention" && below(2))
            made.problem.tensors.emplace("gamma", random_uniform({made.n.H}, seed_ * 100 + 2, 0.1, 1.0));
        add(decay);
        const std::string mask = one_of<const char*>({"", "", "causal", "window:2", "attn_mask", "attn_bias"});
        if (!mask.empty())
            spec.masks = {parse_mask(mask)};
        if (mask == "attn_mask")
            made.problem.tensors.emplace(mask, booleans({L, S}, seed_ * 100 + 3));
        if (mask == "attn_bias")
            made.problem.tensors.emplace(mask, random_normal({L, S}, seed_ * 100 + 4));
        if (!mask.empty() && below(4) == 0)
            spec.mask_fill = {-2.0, below(2) ? MaskFill::Mode::Add : MaskFill::Mode::Replace};
        add(mask);
        if (below(5) == 0)
            spec.score_mod = "score - 0.25 * abs(q - k)";
        return made;
    }

private:
    std::int64_t below(std::int64_t count) {
        return std::min(count - 1, static_cast<std::int64_t>(random_.uniform() * static_cast<double>(count)));
    }
    template <class T>
    T one_of(std::initializer_list<T> values) {
        return *(values.begin() + below(std::ssize(std::vector<T>(values))));
    }
    /// At most 0, which both forms of the gate take.
    Tensor gates(Shape shape) { return random_uniform(std::move(shape), seed_ * 100 + 5, -2.0, 0.0); }

    Random random_;
    std::uint64_t seed_;
};

} // namespace

/// The normalisers and decays beside their golden cases.
class NormaliserTest : public QObject {
    Q_OBJECT
private slots:
    /// Near 1 the weights go to those of softmax, and rounding does not grow with 1 / (alpha - 1): the distance to
    /// softmax is a multiple of alpha - 1.
    void entmax_near_softmax_data() {
        QTest::addColumn<double>("over_one");
        for (const double over_one : {1e-2, 1.1e-3, 9e-4, 1e-5, 1e-8, 1e-12})
            QTest::addRow("%g", over_one) << over_one;
    }
    void entmax_near_softmax() {
        QFETCH(double, over_one);
        const std::vector<double> scores{0.3, -1.2, 2.0, 0.0, -6.0};
        const auto weights_of = [&](const std::string& text) { return row_of(text.c_str(), scores); };
        const auto softmax = weights_of("softmax"), near = weights_of("entmax:" + to_text(1.0 + over_one));
        const auto farther = weights_of("entmax:1.01");
        for (std::size_t key = 0; key < scores.size(); ++key) {
            const double slope = (farther[key] - softmax[key]) / 0.01;
            const double expected = softmax[key] + over_one * slope;
            QVERIFY2(std::abs(near[key] - expected) <= 0.3 * over_one * std::abs(slope) + 1e-14,
                     qPrintable(QString::number(near[key] - expected)));
        }
    }

    void entmax_of_a_large_alpha_data() {
        QTest::addColumn<double>("alpha");
        QTest::addColumn<double>("small");
        for (const double alpha : {2.5, 4.0, 10.0, 20.0})
            for (const double small : {0.3, 0.1, 0.005, 1e-6})
                QTest::addRow("%g, %g", alpha, small) << alpha << small;
    }

    /// Scores from weights: (alpha - 1) z_j = w_j^(alpha - 1) - w_1^(alpha - 1). A small weight to that power is lost
    /// in the threshold, but not the weight.
    void entmax_of_a_large_alpha() {
        QFETCH(double, alpha);
        QFETCH(double, small);
        const auto score = [&](double weight) {
            return (std::pow(weight, alpha - 1.0) - std::pow(1.0 - 2.0 * small, alpha - 1.0)) / (alpha - 1.0);
        };
        const auto text = "entmax:" + QByteArray::number(alpha);
        const double none = score(0.0) - 0.1;
        const auto weights = row_of(text.constData(), {score(small), none, 0.0, score(small)});
        const std::vector<double> expected{small, 0.0, 1.0 - 2.0 * small, small};
        for (std::size_t j = 0; j < expected.size(); ++j)
            QVERIFY2(std::abs(weights[j] - expected[j]) < 1e-14, qPrintable(QString::number(weights[j] - expected[j])));
    }

    void equals_another_data() {
        QTest::addColumn<QByteArray>("normaliser");
        QTest::addColumn<QByteArray>("other");
        QTest::newRow("entmax of 1") << QByteArray("entmax:1") << QByteArray("softmax");
        QTest::newRow("entmax of 2") << QByteArray("entmax:2") << QByteArray("sparsemax");
        QTest::newRow("entmax of 1.5") << QByteArray("entmax") << QByteArray("entmax:1.5000000001");
        QTest::newRow("entmax near 2") << QByteArray("entmax:1.9999999999") << QByteArray("sparsemax");
    }
    void equals_another() {
        QFETCH(QByteArray, normaliser);
        QFETCH(QByteArray, other);
        for (std::uint64_t seed = 1; seed < 40; ++seed) {
            const auto numbers =
                random_normal({1 + static_cast<std::int64_t>(seed % 9)}, seed, 0.0, 0.2 * double(seed));
            const std::vector<double> scores(numbers.values().begin(), numbers.values().end());
            const auto one = row_of(normaliser, scores), two = row_of(other, scores);
            for (std::size_t j = 0; j < scores.size(); ++j)
                QVERIFY2(std::abs(one[j] - two[j]) < 1e-7,
                         qPrintable(QString("%1: %2, %3").arg(j).arg(one[j]).arg(two[j])));
        }
    }

    void softmax1_has_one_more_key() {
        const std::vector<double> scores{0.3, -2.0, 4.0};
        auto more = scores;
        more.push_back(0.0);
        const auto one = row_of("softmax1", scores), all = row_of("softmax", more);
        for (std::size_t j = 0; j < scores.size(); ++j)
            QVERIFY(std::abs(one[j] - all[j]) < 1e-15);
    }

    void sums_data() {
        QTest::addColumn<QByteArray>("normaliser");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::newRow("softmax1") << QByteArray("softmax1") << 0.0 << 1.0;
        QTest::newRow("sigmoid") << QByteArray("sigmoid") << 0.0 << 6.0;
        QTest::newRow("sparsemax") << QByteArray("sparsemax") << 1.0 - 1e-12 << 1.0 + 1e-12;
        QTest::newRow("entmax") << QByteArray("entmax") << 1.0 - 1e-12 << 1.0 + 1e-12;
        QTest::newRow("entmax of 4") << QByteArray("entmax:4") << 1.0 - 1e-12 << 1.0 + 1e-12;
        QTest::newRow("stick-breaking") << QByteArray("stick_breaking") << 0.0 << 1.0 + 1e-12;
    }
    void sums() {
        QFETCH(QByteArray, normaliser);
        QFETCH(double, least);
        QFETCH(double, most);
        for (const double size : {0.01, 1.0, 30.0, 1e4}) {
            const auto numbers = random_normal({6}, 5, 0.0, size);
            const double sum = sum_of(row_of(normaliser, {numbers.values().begin(), numbers.values().end()}));
            QVERIFY2(sum >= least && sum <= most, qPrintable(QString("%1 of scores of size %2").arg(sum).arg(size)));
        }
    }

    void blocked_cells_have_no_weight() {
        for (const auto& each : normalisers())
            for (const auto& scores : {std::vector<double>{-infinity, 0.5, -infinity, -0.25}, {-infinity, -infinity}}) {
                const auto weights = row_of(std::string(each.id).c_str(), scores);
                for (std::size_t j = 0; j < scores.size(); ++j)
                    QVERIFY2(scores[j] != -infinity || weights[j] == 0.0, each.id.data());
            }
    }

    /// What no formula gives a number for isn't a number.
    void numbers_that_are_none() {
        for (const auto& each : normalisers())
            QVERIFY2(std::isnan(sum_of(row_of(std::string(each.id).c_str(), {0.0, std::nan(""), 1.0}))),
                     each.id.data());
    }

    void agrees_with_a_second_implementation() {
        const auto cases =
            qEnvironmentVariableIsSet("ATTNLAB_CASES") ? qEnvironmentVariableIntValue("ATTNLAB_CASES") : 600;
        for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(cases); ++seed) {
            const auto made = Draws(seed).next();
            const auto& n = made.n;
            const auto& tensors = made.problem.tensors;
            const independent::Heads heads{n, reals(tensors.at("query")), reals(tensors.at("key")),
                                           reals(tensors.at("value"))};
            const auto expected = independent::attention(made.problem, heads, "sqrt_dk");
            const auto trace = run(made.problem);
            const auto compare = [&](const char* name, const Tensor& wanted) {
                const auto wrong = difference(stage(trace, name), wanted, 1e-9);
                QVERIFY2(
                    wrong.isEmpty(),
                    qPrintable(
                        QString("case %1, %2: %3: %4").arg(seed).arg(QString::fromStdString(made.words), name, wrong)));
            };
            compare("weights", tensor_of({n.B, n.H, n.L, n.S}, expected.weights));
            compare("output", tensor_of({n.B, n.H, n.L, n.Ev}, expected.output));
            if (trace.find("lse"))
                compare("lse", tensor_of({n.B, n.H, n.L}, expected.lse));
        }
    }

    /// Under a causal mask, ALiBi with slope m adds what a forget gate with log f = -m does.
    void forgetting_at_one_rate_is_alibi() {
        auto problem = dot_problem(1, 1, 1, 5, 5, 3, 2);
        auto other = problem;
        problem.spec.decay = parse_decay("forget");
        problem.tensors.emplace("log_forget_gate", Tensor({5}, -1.0 / 256.0)); // the slope of ALiBi's only head
        other.spec.position = parse_position("alibi");
        other.spec.masks = {parse_mask("causal")};
        const auto wrong = difference(stage(run(problem), "weights"), stage(run(other), "weights"), 1e-12);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("normaliser");
        QTest::addColumn<QByteArray>("decay");
        QTest::addColumn<QByteArray>("variant");
        QTest::addColumn<QByteArray>("message");
        const QByteArray plain = "scaled_dot_product";
        QTest::newRow("unknown") << QByteArray("softplus") << QByteArray() << plain
                                 << QByteArray("normaliser: 'softplus' is not one of softmax, softmax1, sigmoid, relu, "
                                               "sparsemax, entmax, stick_breaking, none");
        QTest::newRow("alpha") << QByteArray("entmax:0.5") << QByteArray() << plain
                               << QByteArray("entmax: parameter alpha is '0.5', expected a finite number in [1, inf)");
        QTest::newRow("no value") << QByteArray("entmax:") << QByteArray() << plain
                                  << QByteArray(
                                         "'entmax:': has nothing behind the colon, expected a value, or no colon");
        QTest::newRow("unknown decay") << QByteArray("softmax") << QByteArray("half") << plain
                                       << QByteArray("decay: 'half' is not one of retention, forget");
        QTest::newRow("gamma") << QByteArray("softmax") << QByteArray("retention:1.5") << plain
                               << QByteArray("retention: parameter gamma is '1.5', expected a finite number in (0, 1]");
        QTest::newRow("no gate") << QByteArray("softmax") << QByteArray("forget") << plain
                                 << QByteArray("forget_gate: is missing, expected it or log_forget_gate for the decay "
                                               "forget");
        QTest::newRow("flash") << QByteArray("sparsemax") << QByteArray() << QByteArray("flash")
                               << QByteArray("flash: normaliser sparsemax is not possible");
        QTest::newRow("flash with a decay") << QByteArray("softmax") << QByteArray("retention") << QByteArray("flash")
                                            << QByteArray("flash: decay retention is not possible");
    }
    void refuses() {
        QFETCH(QByteArray, normaliser);
        QFETCH(QByteArray, decay);
        QFETCH(QByteArray, variant);
        QFETCH(QByteArray, message);
        try {
            auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
            problem.spec.variant = variant.toStdString();
            problem.spec.normaliser = parse_normaliser(normaliser.toStdString());
            if (!decay.isEmpty())
                problem.spec.decay = parse_decay(decay.toStdString());
            run(problem);
        } catch (const Error& error) {
            QVERIFY2(QByteArray(error.what()).startsWith(message), error.what());
            return;
        }
        QFAIL("nothing was refused");
    }

    void tiles_refuse_them() {
        auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
        problem.spec.normaliser = parse_normaliser("entmax:1");
        QVERIFY(!flash::unsupported_choice(problem.spec)); // which is softmax
        problem.spec.normaliser = parse_normaliser("relu");
        QVERIFY(flash::unsupported_choice(problem.spec));
        problem.spec.normaliser = {};
        problem.spec.decay = parse_decay("retention");
        QVERIFY(flash::unsupported_choice(problem.spec));
    }

    void queries_with_a_decay_stand_among_the_keys() {
        auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
        problem.spec.decay = parse_decay("retention");
        problem.spec.query_offset = 1;
        QVERIFY_EXCEPTION_THROWN(run(problem), Error);
    }
};

ATTNLAB_TEST(NormaliserTest)
#include "test_normaliser.moc"

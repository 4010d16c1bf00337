// Mechanisms that read selected, compressed or latent keys, or the difference of two readings, against second
// implementations in long double.
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/error_of.h"
#include "tests/core/independent.h"
#include "tests/test_main.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace attnlab;
using namespace attnlab::test;
using independent::Real;

namespace {

using Reals = std::vector<Real>;

Reals reals(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

Tensor tensor_of(Shape shape, const Reals& values) {
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()));
}

int cases() { return qEnvironmentVariableIsSet("ATTNLAB_CASES") ? qEnvironmentVariableIntValue("ATTNLAB_CASES") : 300; }

/// Small numbers that a seed determines.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    std::int64_t from(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(engine_);
    }
    bool chance(double p) { return std::bernoulli_distribution(p)(engine_); }

private:
    std::mt19937_64 engine_;
};

/// A row of exponentials over the cells that `reads` keeps, divided by their sum; zeros where it keeps none.
template <class Reads>
Reals softmax(const Reals& scores, Reads reads) {
    Reals weights(scores.size(), 0.0L);
    Real sum = 0.0L;
    for (std::size_t j = 0; j < scores.size(); ++j)
        if (reads(j))
            sum += weights[j] = std::exp(scores[j]);
    for (auto& weight : weights)
        weight = sum > 0.0L ? weight / sum : 0.0L;
    return weights;
}

Real dot(const Real* a, const Real* b, std::int64_t width) {
    Real sum = 0.0L;
    for (std::int64_t c = 0; c < width; ++c)
        sum += a[c] * b[c];
    return sum;
}

/// NSA's weights (B,H,L,L), as its section 3.3 describes the three readings.
Reals nsa_weights(const AttentionProblem& problem, std::int64_t B, std::int64_t H, std::int64_t Hkv, std::int64_t L,
                  std::int64_t E) {
    const auto& set = problem.spec.parameters;
    const auto block = set.integer("block"), stride = set.integer("stride"), chunk = set.integer("select_block");
    const auto q = reals(problem.tensors.at("query")), k = reals(problem.tensors.at("key"));
    const auto find = [&](const char* name) {
        const auto found = problem.tensors.find(name);
        return found == problem.tensors.end() ? Reals() : reals(found->second);
    };
    const auto w_k = find("compress_w_k"), w_v = find("compress_w_v"), gates = find("nsa_gates");
    const auto part = [&](const Reals& w, std::int64_t t) {
        return w.empty() ? 1.0L / static_cast<Real>(block) : w[t];
    };
    const auto scale = 1.0L / std::sqrt(static_cast<Real>(E));
    const auto chunks = (L + chunk - 1) / chunk, blocks = L < block ? 0 : (L - block) / stride + 1;
    Reals all;
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t i = 0; i < L; ++i) {
                const auto group = h / (H / Hkv);
                const auto key_at = [&](std::int64_t j) { return k.data() + ((b * Hkv + group) * L + j) * E; };
                const auto coarse_of = [&](std::int64_t head) {
                    Reals scores;
                    for (std::int64_t m = 0; m < blocks; ++m) {
                        Reals key(static_cast<std::size_t>(E), 0.0L);
                        for (std::int64_t t = 0; t < block; ++t)
                            for (std::int64_t c = 0; c < E; ++c)
                                key[static_cast<std::size_t>(c)] += part(w_k, t) * key_at(m * stride + t)[c];
                        scores.push_back(scale * dot(q.data() + ((b * H + head) * L + i) * E, key.data(), E));
                    }
                    return softmax(
                        scores, [&](std::size_t m) { return static_cast<std::int64_t>(m) * stride + block <= i + 1; });
                };
                // Token by token: a block counts once for each token that it shares with the chunk.
                Reals importance(static_cast<std::size_t>(chunks), 0.0L);
                for (auto head = group * (H / Hkv); head < (group + 1) * (H / Hkv); ++head) {
                    const auto coarse = coarse_of(head);
                    for (std::int64_t m = 0; m < blocks; ++m)
                        for (std::int64_t t = 0; t < block; ++t)
                            importance[static_cast<std::size_t>((m * stride + t) / chunk)] +=
                                coarse[static_cast<std::size_t>(m)] / static_cast<Real>(stride);
                }
                std::vector<std::int64_t> order;
                std::vector<bool> chosen(static_cast<std::size_t>(chunks), false);
                std::int64_t forced = 0;
                for (std::int64_t n = 0; n < chunks && n * chunk <= i; ++n)
                    if (n < set.integer("init_blocks") || n + set.integer("local_blocks") > i / chunk)
                        chosen[static_cast<std::size_t>(n)] = true, ++forced;
                    else
                        order.push_back(n);
                // Rounded: blocks whose exact importance is the same must not be ordered by the last bit.
                const auto rank = [&](std::int64_t n) {
                    return std::round(importance[static_cast<std::size_t>(n)] * 1e12L);
                };
                std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return rank(x) > rank(y); });
                for (std::size_t n = 0; n < order.size() && forced < set.integer("select_count"); ++n, ++forced)
                    chosen[static_cast<std::size_t>(order[n])] = true;
                Reals scores;
                for (std::int64_t j = 0; j < L; ++j)
                    scores.push_back(scale * dot(q.data() + ((b * H + h) * L + i) * E, key_at(j), E));
                const auto selected = softmax(scores, [&](std::size_t j) {
                    return static_cast<std::int64_t>(j) <= i && chosen[j / static_cast<std::size_t>(chunk)];
                });
                const auto near = softmax(scores, [&](std::size_t j) {
                    const auto back = i - static_cast<std::int64_t>(j);
                    return back >= 0 && back < set.integer("window");
                });
                const auto gate = [&](int reading) {
                    return gates.empty() ? 1.0L / 3.0L
                                         : gates[static_cast<std::size_t>(((b * H + h) * L + i) * 3 + reading)];
                };
                Reals row(static_cast<std::size_t>(L), 0.0L);
                for (std::size_t j = 0; j < row.size(); ++j)
                    row[j] = gate(1) * selected[j] + gate(2) * near[j];
                const auto coarse = coarse_of(h);
                for (std::int64_t m = 0; m < blocks; ++m)
                    for (std::int64_t t = 0; t < block; ++t)
                        row[static_cast<std::size_t>(m * stride + t)] +=
                            gate(0) * coarse[static_cast<std::size_t>(m)] * part(w_v, t);
                all.insert(all.end(), row.begin(), row.end());
            }
    return all;
}

/// Rows (n,D) by a torch weight (out,D).
Reals linear(const Reals& rows, const Reals& weight, std::int64_t D) {
    Reals result;
    for (std::size_t row = 0; row < rows.size(); row += static_cast<std::size_t>(D))
        for (std::size_t out = 0; out < weight.size(); out += static_cast<std::size_t>(D))
            result.push_back(dot(rows.data() + row, weight.data() + out, D));
    return result;
}

AttentionProblem latent_problem(Dice& dice, std::uint64_t seed) {
    const auto heads = dice.from(1, 3), rank = dice.from(1, 5), rope = 2 * dice.from(0, 2), nope = dice.from(1, 4),
               vd = dice.from(1, 4), D = dice.from(1, 6), B = dice.from(1, 2), L = dice.from(1, 6);
    AttentionProblem problem;
    problem.spec.variant = "mla";
    problem.spec.parameters.set("num_heads", heads);
    problem.spec.parameters.set("first_position", dice.from(-3, 40));
    problem.spec.parameters.set("rope_interleave", dice.chance(0.5));
    auto& tensors = problem.tensors;
    tensors = {{"x", random_normal({B, L, D}, seed)},
               {"kv_a_proj_with_mqa.weight", random_normal({rank + rope, D}, seed + 1)},
               {"kv_a_layernorm.weight", random_normal({rank}, seed + 2)},
               {"kv_b_proj.weight", random_normal({heads * (nope + vd), rank}, seed + 3)}};
    if (dice.chance(0.5)) {
        tensors.emplace("q_proj.weight", random_normal({heads * (nope + rope), D}, seed + 4));
    } else {
        const auto narrow = dice.from(1, 4);
        tensors.emplace("q_a_proj.weight", random_normal({narrow, D}, seed + 5));
        tensors.emplace("q_a_layernorm.weight", random_normal({narrow}, seed + 6));
        tensors.emplace("q_b_proj.weight", random_normal({heads * (nope + rope), narrow}, seed + 7));
    }
    if (dice.chance(0.5))
        problem.spec.masks = {parse_mask("causal")};
    return problem;
}

} // namespace

class TestSelectedKeys : public QObject {
    Q_OBJECT

private slots:
    void top_k() {
        for (int at = 1; at <= cases(); ++at) {
            Dice dice(static_cast<std::uint64_t>(at));
            const auto Hkv = dice.from(1, 2), H = Hkv * dice.from(1, 2), L = dice.from(1, 7), S = dice.from(1, 9),
                       B = dice.from(1, 2);
            auto problem = dot_problem(B, H, Hkv, L, S, 3, 2, static_cast<std::uint64_t>(10 * at));
            if (dice.chance(0.4))
                problem.spec.masks = {parse_mask("causal")};
            const independent::Heads heads{{B, H, Hkv, L, S, 3, 2},
                                           reals(problem.tensors.at("query")),
                                           reals(problem.tensors.at("key")),
                                           reals(problem.tensors.at("value"))};
            const auto dense = independent::attention(problem, heads, "sqrt_dk");
            problem.spec.variant = "top_k";
            const auto k = dice.from(1, 10);
            problem.spec.parameters.set("k", k);
            const bool indexed = dice.chance(0.5);
            Reals ranks;
            if (indexed) {
                problem.spec.parameters.set("select", std::string("indexer"));
                const auto seed = static_cast<std::uint64_t>(10 * at + 5);
                problem.tensors.emplace("indexer_query", random_normal({B, 2, L, 3}, seed));
                problem.tensors.emplace("indexer_key", random_normal({B, S, 3}, seed + 1));
                problem.tensors.emplace("indexer_weights", random_normal({B, L, 2}, seed + 2));
                const auto q = reals(problem.tensors.at("indexer_query")),
                           key = reals(problem.tensors.at("indexer_key")),
                           w = reals(problem.tensors.at("indexer_weights"));
                for (std::int64_t b = 0; b < B; ++b)
                    for (std::int64_t i = 0; i < L; ++i)
                        for (std::int64_t j = 0; j < S; ++j) {
                            Real sum = 0.0L;
                            for (std::int64_t h = 0; h < 2; ++h)
                                sum +=
                                    w[static_cast<std::size_t>((b * L + i) * 2 + h)] *
                                    std::max(dot(q.data() + ((b * 2 + h) * L + i) * 3, key.data() + (b * S + j) * 3, 3),
                                             0.0L);
                            ranks.push_back(sum);
                        }
            }
            auto weights = dense.weights;
            Reals lost;
            for (std::int64_t row = 0; row < B * H * L; ++row) {
                const auto cell = [&](std::int64_t j) -> Real& {
                    return weights[static_cast<std::size_t>(row * S + j)];
                };
                std::vector<std::int64_t> order;
                for (std::int64_t j = 0; j < S; ++j)
                    if (cell(j) > 0.0L)
                        order.push_back(j);
                const auto rank = [&](std::int64_t j) {
                    const auto b = row / (H * L), i = row % L;
                    return indexed ? ranks[static_cast<std::size_t>((b * L + i) * S + j)] : cell(j);
                };
                std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return rank(x) > rank(y); });
                Real kept = 0.0L;
                for (std::size_t n = 0; n < order.size(); ++n)
                    if (std::ssize(order) > k && static_cast<std::int64_t>(n) >= k)
                        cell(order[n]) = 0.0L;
                    else
                        kept += cell(order[n]);
                lost.push_back(order.empty() ? 0.0L : 1.0L - kept);
                for (std::int64_t j = 0; j < S; ++j)
                    cell(j) = kept > 0.0L ? cell(j) / kept : 0.0L;
            }
            const auto trace = run(problem);
            for (const auto& [name, wrong] :
                 {std::pair{"weights", difference(stage(trace, "weights"), tensor_of({B, H, L, S}, weights), 1e-9)},
                  std::pair{"exact_weights",
                            difference(stage(trace, "exact_weights"), tensor_of({B, H, L, S}, dense.weights), 1e-9)},
                  std::pair{"mass_lost", difference(stage(trace, "mass_lost"), tensor_of({B, H, L}, lost), 1e-9)}})
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("case %1, %2: %3").arg(at).arg(name, wrong)));
        }
    }

    void nsa() {
        for (int at = 1; at <= cases(); ++at) {
            Dice dice(static_cast<std::uint64_t>(at));
            const auto Hkv = dice.from(1, 2), H = Hkv * dice.from(1, 3), L = dice.from(1, 19), B = dice.from(1, 2);
            auto problem = dot_problem(B, H, Hkv, L, L, 3, 2, static_cast<std::uint64_t>(10 * at));
            problem.spec.variant = "nsa";
            const auto stride = dice.from(1, 3), block = stride * dice.from(1, 3);
            auto& set = problem.spec.parameters;
            set.set("stride", stride);
            set.set("block", block);
            set.set("select_block", stride * dice.from(1, 3));
            set.set("select_count", dice.from(0, 4));
            set.set("init_blocks", dice.from(0, 2));
            set.set("local_blocks", dice.from(0, 2));
            set.set("window", dice.from(1, 6));
            const auto seed = static_cast<std::uint64_t>(10 * at + 4);
            if (dice.chance(0.5))
                problem.tensors.emplace("nsa_gates", random_uniform({B, H, L, 3}, seed, 0.0, 1.0));
            if (dice.chance(0.5))
                problem.tensors.emplace("compress_w_k", random_normal({block}, seed + 1));
            if (dice.chance(0.5))
                problem.tensors.emplace("compress_w_v", random_normal({block}, seed + 2));
            const auto expected = tensor_of({B, H, L, L}, nsa_weights(problem, B, H, Hkv, L, 3));
            const auto wrong = difference(stage(run(problem), "weights"), expected, 1e-9);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("case %1: %2").arg(at).arg(wrong)));
        }
    }

    /// A window and a selection of everything, without the compressed reading, are exact attention.
    void nsa_of_everything_is_exact() {
        auto problem = dot_problem(1, 2, 1, 9, 9, 4, 3);
        problem.spec.variant = "nsa";
        problem.spec.parameters.set("select_count", std::int64_t{9});
        problem.spec.parameters.set("window", std::int64_t{9});
        Tensor gates({1, 2, 9, 3}, 0.5);
        for (std::size_t row = 0; row < 18; ++row)
            gates.mutable_values()[3 * row] = 0.0;
        problem.tensors.emplace("nsa_gates", gates);
        const auto trace = run(problem);
        const auto wrong = difference(stage(trace, "weights"), stage(trace, "exact_weights"), 1e-12);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    void differential() {
        for (int at = 1; at <= cases(); ++at) {
            Dice dice(static_cast<std::uint64_t>(at));
            const auto Hkv = dice.from(1, 2), H = Hkv * dice.from(1, 2), L = dice.from(1, 6), S = dice.from(1, 6),
                       B = dice.from(1, 2), E = dice.from(1, 3);
            auto seed = static_cast<std::uint64_t>(10 * at);
            AttentionProblem halves[2];
            for (auto& half : halves)
                half = dot_problem(B, H, Hkv, L, S, E, 2, seed += 3);
            halves[1].tensors.at("value") = halves[0].tensors.at("value");
            AttentionProblem problem;
            problem.spec.variant = "differential";
            problem.tensors.emplace("value", halves[0].tensors.at("value"));
            const char* ways[] = {"features", "adjacent", "halves"};
            const std::string pairs = ways[dice.from(0, 2)];
            problem.spec.parameters.set("pairs", pairs);
            const double lambda = 0.1 * static_cast<double>(dice.from(-3, 12));
            problem.spec.parameters.set("lambda", lambda);
            for (const char* name : {"query", "key"}) {
                const auto &first = halves[0].tensors.at(name), &second = halves[1].tensors.at(name);
                const auto heads = first.dim(1), n = first.dim(2);
                Tensor both(pairs == "features" ? Shape{B, heads, n, 2 * E} : Shape{B, 2 * heads, n, E});
                for (std::int64_t b = 0; b < B; ++b)
                    for (std::int64_t h = 0; h < heads; ++h)
                        for (std::int64_t i = 0; i < n; ++i)
                            for (std::int64_t c = 0; c < 2 * E; ++c) {
                                const auto& from = c < E ? first : second;
                                const auto half = c / E, head = pairs == "adjacent" ? 2 * h + half : h + half * heads;
                                const auto cell = pairs == "features" ? ((b * heads + h) * n + i) * 2 * E + c
                                                                      : ((b * 2 * heads + head) * n + i) * E + c % E;
                                both.mutable_values()[static_cast<std::size_t>(cell)] = from.at({b, h, i, c % E});
                            }
                problem.tensors.emplace(name, both);
            }
            if (dice.chance(0.5))
                problem.spec.masks = {parse_mask("causal")};
            Reals expected;
            for (int half = 0; half < 2; ++half) {
                halves[half].spec.masks = problem.spec.masks;
                const auto& tensors = halves[half].tensors;
                const auto made = independent::attention(halves[half],
                                                         {{B, H, Hkv, L, S, E, 2},
                                                          reals(tensors.at("query")),
                                                          reals(tensors.at("key")),
                                                          reals(tensors.at("value"))},
                                                         "sqrt_dk");
                if (half == 0)
                    expected = made.weights;
                for (std::size_t cell = 0; half == 1 && cell < expected.size(); ++cell)
                    expected[cell] -= Real{lambda} * made.weights[cell];
            }
            const auto wrong = difference(stage(run(problem), "weights"), tensor_of({B, H, L, S}, expected), 1e-9);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("case %1, %2: %3").arg(at).arg(pairs.c_str(), wrong)));
        }
    }

    /// Scores by the definition, one cell after the other; and the absorbed form gives the numbers of the plain one.
    void mla() {
        for (int at = 1; at <= cases(); ++at) {
            Dice dice(static_cast<std::uint64_t>(at));
            auto problem = latent_problem(dice, static_cast<std::uint64_t>(10 * at));
            const auto plain = run(problem);
            problem.spec.parameters.set("form", std::string("absorbed"));
            const auto absorbed = run(problem);
            for (const char* name : {"scores", "weights", "head_output", "output"}) {
                const auto wrong = difference(stage(absorbed, name), stage(plain, name), 1e-9);
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("case %1, %2: %3").arg(at).arg(name, wrong)));
            }
            const auto& tensors = problem.tensors;
            const auto& x = tensors.at("x");
            const auto B = x.dim(0), L = x.dim(1), D = x.dim(2), rank = tensors.at("kv_a_layernorm.weight").dim(0),
                       rope = tensors.at("kv_a_proj_with_mqa.weight").dim(0) - rank;
            const auto scores = stage(plain, "scores");
            const auto H = scores.dim(1);
            const auto normed = [](Reals rows, const Reals& gain) {
                const auto width = gain.size();
                for (std::size_t row = 0; row < rows.size(); row += width) {
                    const auto root = std::sqrt(
                        dot(rows.data() + row, rows.data() + row, std::ssize(gain)) / static_cast<Real>(width) + 1e-6L);
                    for (std::size_t c = 0; c < width; ++c)
                        rows[row + c] *= gain[c] / root;
                }
                return rows;
            };
            Reals queries;
            if (tensors.contains("q_proj.weight"))
                queries = linear(reals(x), reals(tensors.at("q_proj.weight")), D);
            else
                queries = linear(normed(linear(reals(x), reals(tensors.at("q_a_proj.weight")), D),
                                        reals(tensors.at("q_a_layernorm.weight"))),
                                 reals(tensors.at("q_b_proj.weight")), tensors.at("q_b_proj.weight").dim(1));
            const auto width = std::ssize(queries) / (B * L * H), nope = width - rope;
            const auto compressed = linear(reals(x), reals(tensors.at("kv_a_proj_with_mqa.weight")), D);
            const auto up = reals(tensors.at("kv_b_proj.weight"));
            const auto vd = std::ssize(up) / (H * rank) - nope;
            const auto turn = [&](const Real* row, std::int64_t position) {
                Reals turned(row, row + rope);
                const auto pairs = rope / 2;
                for (std::int64_t c = 0; c < pairs; ++c) {
                    const bool beside = problem.spec.parameters.boolean("rope_interleave");
                    const auto one = static_cast<std::size_t>(beside ? 2 * c : c),
                               two = static_cast<std::size_t>(beside ? 2 * c + 1 : c + pairs);
                    const auto angle = static_cast<Real>(position + problem.spec.parameters.integer("first_position")) *
                                       std::pow(10000.0L, -static_cast<Real>(c) / static_cast<Real>(pairs));
                    turned[one] = row[one] * std::cos(angle) - row[two] * std::sin(angle);
                    turned[two] = row[one] * std::sin(angle) + row[two] * std::cos(angle);
                }
                return turned;
            };
            Reals expected;
            for (std::int64_t b = 0; b < B; ++b)
                for (std::int64_t h = 0; h < H; ++h)
                    for (std::int64_t i = 0; i < L; ++i)
                        for (std::int64_t j = 0; j < L; ++j) {
                            const Real* q = queries.data() + ((b * L + i) * H + h) * width;
                            const Real* row = compressed.data() + (b * L + j) * (rank + rope);
                            const auto c = normed(Reals(row, row + rank), reals(tensors.at("kv_a_layernorm.weight")));
                            const auto turned_q = turn(q + nope, i), turned_k = turn(row + rank, j);
                            Real sum = dot(turned_q.data(), turned_k.data(), rope);
                            for (std::int64_t n = 0; n < nope; ++n)
                                sum += q[n] * dot(up.data() + (h * (nope + vd) + n) * rank, c.data(), rank);
                            expected.push_back(sum);
                        }
            const auto wrong = difference(scores, tensor_of(scores.shape(), expected), 1e-9);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("case %1: %2").arg(at).arg(wrong)));
        }
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("variant");
        QTest::addColumn<QByteArray>("change");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("stride") << QByteArray("nsa") << QByteArray("stride")
                                << QByteArray("nsa: parameter block has 4, expected a multiple of stride, which is 3");
        QTest::newRow("odd width") << QByteArray("differential") << QByteArray("odd")
                                   << QByteArray("query: has shape (4, 3), expected");
        QTest::newRow("width of lambda") << QByteArray("differential") << QByteArray("lambda")
                                         << QByteArray("lambda_q1: has shape (3,), expected (En,) with En = 2");
        QTest::newRow("no query") << QByteArray("mla") << QByteArray("no query")
                                  << QByteArray("q_proj.weight: is missing");
        QTest::newRow("two queries") << QByteArray("mla") << QByteArray("both")
                                     << QByteArray("q_proj.weight: is given together with q_b_proj.weight");
        QTest::newRow("rope") << QByteArray("mla") << QByteArray("odd rope")
                              << QByteArray("leaves 3 features for the rotated key, expected an even number");
        QTest::newRow("absorbed norm") << QByteArray("mla") << QByteArray("norm")
                                       << QByteArray("form=absorbed never makes the keys");
        QTest::newRow("fill") << QByteArray("top_k") << QByteArray("fill")
                              << QByteArray("A blocked key cannot be selected");
    }
    void refuses() {
        QFETCH(QByteArray, variant);
        QFETCH(QByteArray, change);
        QFETCH(QByteArray, message);
        auto problem = fresh_problem(variant.toStdString());
        auto& tensors = problem.tensors;
        if (change == "stride")
            problem.spec.parameters.set("stride", std::int64_t{3});
        if (change == "odd")
            for (const char* name : {"query", "key"})
                tensors.at(name) = random_normal({4, 3}, 1);
        if (change == "lambda")
            for (const char* name : {"lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"})
                tensors.insert_or_assign(name, random_normal({3}, 1));
        if (change == "no query")
            tensors.erase("q_proj.weight");
        if (change == "both") {
            const auto rows = tensors.at("q_proj.weight").dim(0);
            tensors.emplace("q_a_proj.weight", random_normal({2, tensors.at("x").dim(-1)}, 1));
            tensors.emplace("q_a_layernorm.weight", Tensor({2}, 1.0));
            tensors.emplace("q_b_proj.weight", random_normal({rows, 2}, 1));
        }
        if (change == "odd rope") {
            const auto D = tensors.at("x").dim(-1), rank = tensors.at("kv_a_layernorm.weight").dim(0);
            tensors.at("kv_a_proj_with_mqa.weight") = random_normal({rank + 3, D}, 1);
            tensors.at("q_proj.weight") = random_normal({2 * (4 + 3), D}, 1);
        }
        if (change == "norm") {
            problem.spec.parameters.set("form", std::string("absorbed"));
            problem.spec.scale = parse_scale("pre_norm");
        }
        if (change == "fill") {
            problem.spec.masks = {parse_mask("causal")};
            problem.spec.mask_fill.value = -1e4;
        }
        const auto error = error_of([&] { run(problem); });
        QVERIFY2(error.contains(QString::fromUtf8(message)), qPrintable(error));
    }
};

ATTNLAB_TEST(TestSelectedKeys)
#include "test_selected_keys.moc"

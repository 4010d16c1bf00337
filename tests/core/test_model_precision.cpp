// Products with weights: in bfloat16, and in float32 by the matrix unit.
#include "core/flash/flash_forward.h"
#include "core/flash/matrix_unit.h"
#include "core/model/effects.h"
#include "core/random.h"
#include "model_support.h"
#include "safetensors_support.h"
#include "tests/emulated_amx/emulated_amx.h"
#include "tests/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScopeGuard>
#include <QTest>

#include <cstring>

using namespace attnlab;
using namespace attnlab::test;
using model::Arithmetic, model::Matrix, model::Model, model::WeightType;

namespace {

float in_bfloat16(float number) {
    flash::round_to_bfloat16({&number, 1});
    return number;
}

Matrix random_matrix(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
    Matrix matrix(rows, columns);
    Random random(seed);
    for (float& value : matrix.values)
        value = static_cast<float>(random.normal());
    return matrix;
}

/// A weight in memory, as a file has it: one byte behind an even address where `is_odd`.
struct StoredWeight {
    std::vector<std::byte> bytes;
    model::Weight weight;

    StoredWeight(const Matrix& values, WeightType type, bool is_odd) {
        weight.type = type;
        weight.shape = {values.rows, values.columns};
        const std::size_t size = type == WeightType::F32 ? 4 : 2, first = is_odd ? 1 : 0;
        bytes.resize(values.values.size() * size + first);
        for (std::size_t k = 0; k < values.values.size(); ++k) {
            const auto bits = std::bit_cast<std::uint32_t>(values.values[k]);
            const auto high = static_cast<std::uint16_t>(bits >> 16);
            std::memcpy(bytes.data() + first + k * size,
                        type == WeightType::F32 ? static_cast<const void*>(&bits) : &high, size);
        }
        weight.bytes = std::span(bytes).subspan(first);
    }
};

/// Every number of a tensor that is a factor of a product: not those of tables, which are looked up or added.
bool is_factor(const QString& name, const QJsonObject& tensor) {
    if (tensor["dtype"].toString() != "F32" || tensor["shape"].toArray().size() < 2)
        return false;
    for (const auto* table : {"bias",
                              "embeddings.weight",
                              "embed_tokens",
                              "embed_positions",
                              "embed_in",
                              "wte",
                              "wpe",
                              "shared.weight",
                              "token_embedding",
                              "tok_embeddings",
                              "position",
                              "tokens_embed",
                              "transformer.w.weight",
                              "conv.conv.weight",
                              "mamba.conv1d",
                              "linear_attn.conv1d",
                              "A_log",
                              "depthwise",
                              "pos_embed",
                              "cls_token"})
        if (name.contains(QLatin1String(table)))
            return false;
    return true;
}

/// A copy of the folder in which the factors of products are rounded; returns how many numbers changed.
qint64 copy_rounded(const QString& from, const QString& to) {
    for (const auto& file : QDir(from).entryList(QDir::Files))
        QFile::copy(QDir(from).filePath(file), QDir(to).filePath(file));
    QFile file(QDir(to).filePath("model.safetensors"));
    file.setPermissions(file.permissions() | QFile::WriteOwner);
    if (!file.open(QIODevice::ReadWrite))
        return 0;
    auto bytes = file.readAll();
    const auto header = qFromLittleEndian<qint64>(bytes.constData());
    const auto tensors = QJsonDocument::fromJson(bytes.mid(8, header)).object();
    qint64 changed = 0;
    for (auto one = tensors.begin(); one != tensors.end(); ++one) {
        const auto tensor = one.value().toObject();
        if (!is_factor(one.key(), tensor))
            continue;
        const auto offsets = tensor["data_offsets"].toArray();
        for (auto at = 8 + header + offsets[0].toInteger(); at < 8 + header + offsets[1].toInteger(); at += 4) {
            float number = 0.0F;
            std::memcpy(&number, bytes.constData() + at, 4);
            const float rounded = in_bfloat16(number);
            changed += number != rounded ? 1 : 0;
            std::memcpy(bytes.data() + at, &rounded, 4);
        }
    }
    file.seek(0);
    file.write(bytes);
    return changed;
}

QStringList text_models() {
    QStringList names;
    const QDir folder(QString::fromStdString(model_folder("").string()));
    for (const auto& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (expected_arrays(name.toStdString()).contains("input_ids"))
            names << name;
    return names;
}

bool have_same_numbers(const model::Result& a, const model::Result& b) {
    return a.logits.values == b.logits.values &&
           std::ranges::equal(a.passes, b.passes, [](const auto& x, const auto& y) {
               return x->query == y->query && x->key == y->key && x->value == y->value && x->lse == y->lse;
           });
}

} // namespace

Q_DECLARE_METATYPE(WeightType)
Q_DECLARE_METATYPE(Arithmetic)

class TestModelPrecision : public QObject {
    Q_OBJECT
private slots:
    void multiplies_data() {
        QTest::addColumn<Arithmetic>("arithmetic");
        QTest::addColumn<WeightType>("type");
        QTest::addColumn<int>("rows");
        QTest::addColumn<bool>("inputs_first");
        QTest::addColumn<bool>("is_odd");
        QTest::addColumn<int>("group");
        QTest::addColumn<int>("inputs");
        QTest::addColumn<int>("unit");
        const char* const units[] = {"that of the machine", "emulated", "none"};
        for (int unit = 0; unit < 3; ++unit)
            for (const int rows : {1, 7, 130}) {
                auto arithmetic = Arithmetic::BFloat16;
                const auto add = [&](const char* name, WeightType type, bool inputs_first, bool is_odd, int group,
                                     int inputs = 75) {
                    QTest::addRow("%s of %s, %d, unit: %s", std::string(model::name_of(arithmetic)).c_str(), name, rows,
                                  units[unit])
                        << arithmetic << type << rows << inputs_first << is_odd << group << inputs << unit;
                };
                add("float32", WeightType::F32, false, false, 0);
                add("float32, inputs first", WeightType::F32, true, false, 0);
                add("bfloat16", WeightType::BF16, false, false, 0);
                add("bfloat16, 1 input", WeightType::BF16, false, false, 0, 1);
                add("bfloat16, 545 inputs", WeightType::BF16, false, false, 0, 545); // of two blocks
                add("bfloat16, not aligned", WeightType::BF16, false, true, 0);
                add("bfloat16, inputs first", WeightType::BF16, true, false, 0);
                add("bfloat16, in groups", WeightType::BF16, false, false, 20);
                arithmetic = Arithmetic::Float32;
                add("float32", WeightType::F32, false, false, 0);
                add("float32, 1 input", WeightType::F32, false, false, 0, 1);
                add("float32, 300 inputs", WeightType::F32, false, false, 0, 300); // of three blocks
                add("float32, not aligned", WeightType::F32, false, true, 0);
                add("float32, inputs first", WeightType::F32, true, false, 0);
                add("float32, 300 inputs first", WeightType::F32, true, false, 0, 300);
                add("float32, in groups", WeightType::F32, false, false, 20);
                add("bfloat16", WeightType::BF16, false, false, 0);
                add("bfloat16, 1 input", WeightType::BF16, false, false, 0, 1);
                add("bfloat16, 300 inputs", WeightType::BF16, false, false, 0, 300);
                add("bfloat16, not aligned", WeightType::BF16, false, true, 0);
                add("bfloat16, inputs first", WeightType::BF16, true, false, 0);
                add("bfloat16, in groups", WeightType::BF16, false, false, 20);
            }
        // More than one block of rows.
        for (const auto arithmetic : {Arithmetic::BFloat16, Arithmetic::Float32})
            for (const auto type : {WeightType::F32, WeightType::BF16})
                QTest::addRow("%s of %s, 530 rows", std::string(model::name_of(arithmetic)).c_str(),
                              type == WeightType::F32 ? "float32" : "bfloat16")
                    << arithmetic << type << 530 << false << false << 0 << 260 << 0;
    }

    /// The sums of products, in bfloat16 of rounded factors, but for the rounding of sums in float32; and no others.
    void multiplies() {
        QFETCH(Arithmetic, arithmetic);
        QFETCH(WeightType, type);
        QFETCH(int, rows);
        QFETCH(bool, inputs_first);
        QFETCH(bool, is_odd);
        QFETCH(int, group);
        QFETCH(int, inputs);
        QFETCH(int, unit);
        const auto machines_own = qScopeGuard([] { flash::use_matrix_kernel(std::nullopt); });
        if (unit > 0)
            flash::use_matrix_kernel(unit == 1 ? emulated_amx() : nullptr);
        constexpr std::int64_t all = 700, outputs = 620, first = 31;
        const auto x = random_matrix(rows, inputs, 1);
        auto w = random_matrix(inputs_first ? inputs : all, inputs_first ? all : inputs, 2);
        if (type == WeightType::BF16)
            flash::round_to_bfloat16(w.values);
        const StoredWeight stored(w, type, is_odd);
        const auto bias_values = random_matrix(1, all, 3);
        const StoredWeight bias(bias_values, WeightType::F32, false);
        const model::Linear linear{.weight = &stored.weight,
                                   .bias = &bias.weight,
                                   .inputs = inputs,
                                   .outputs = group > 0 ? 10 * group : outputs,
                                   .inputs_first = inputs_first,
                                   .first = first,
                                   .group = group,
                                   .stride = group > 0 ? 60 : 0,
                                   .arithmetic = arithmetic};
        const auto y = model::product(x, linear, {});
        QCOMPARE(y.columns, linear.outputs);
        const bool is_rounded = arithmetic == Arithmetic::BFloat16;
        double largest_of_unrounded = 0.0;
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t o = 0; o < y.columns; ++o) {
                const auto column = first + (group > 0 ? o / group * 60 + o % group : o);
                double expected = bias_values.row(0)[column], unrounded = expected, size = std::abs(expected);
                for (std::int64_t c = 0; c < inputs; ++c) {
                    const float factor = inputs_first ? w.row(c)[column] : w.row(column)[c];
                    const double term = is_rounded ? static_cast<double>(in_bfloat16(x.row(i)[c])) * in_bfloat16(factor)
                                                   : static_cast<double>(x.row(i)[c]) * factor;
                    expected += term;
                    size += std::abs(term);
                    unrounded += static_cast<double>(x.row(i)[c]) * factor;
                }
                const auto got = static_cast<double>(y.row(i)[o]);
                QVERIFY2(std::abs(got - expected) <= 1e-6 * size, qPrintable(QString::number(got - expected)));
                largest_of_unrounded = std::max(largest_of_unrounded, std::abs(got - unrounded));
            }
        QVERIFY(!is_rounded || largest_of_unrounded > (inputs == 1 ? 1e-5 : 1e-3));
    }

    void numbersThatPartsCannotHold_data() {
        QTest::addColumn<float>("number");
        QTest::addColumn<bool>("of_weights");
        QTest::addColumn<WeightType>("type");
        for (const auto type : {WeightType::F32, WeightType::BF16})
            for (const bool of_weights : {false, true})
                for (const float number :
                     {INFINITY, -INFINITY, std::numeric_limits<float>::quiet_NaN(), 1e30F, -3.4e38F})
                    QTest::addRow("%g in %s, weights in %s", static_cast<double>(number), of_weights ? "weights" : "x",
                                  type == WeightType::F32 ? "float32" : "bfloat16")
                        << number << of_weights << type;
    }

    /// Such products have the bits that they have without the unit.
    void numbersThatPartsCannotHold() {
        QFETCH(float, number);
        QFETCH(bool, of_weights);
        QFETCH(WeightType, type);
        auto x = random_matrix(40, 75, 1), w = random_matrix(50, 75, 2);
        if (type == WeightType::BF16)
            flash::round_to_bfloat16(w.values);
        (of_weights ? w : x).row(37)[70] = number;
        const StoredWeight stored(w, type, false);
        const model::Linear linear{.weight = &stored.weight, .inputs = 75, .outputs = 50};
        const auto machines_own = qScopeGuard([] { flash::use_matrix_kernel(std::nullopt); });
        flash::use_matrix_kernel(nullptr);
        const auto expected = model::product(x, linear, {});
        flash::use_matrix_kernel(emulated_amx());
        const auto got = model::product(x, linear, {});
        QCOMPARE(std::memcmp(got.values.data(), expected.values.data(), got.values.size() * sizeof(float)), 0);
        w.row(37)[70] = x.row(37)[70] = 1.0F;
        const StoredWeight usual(w, type, false);
        const auto by_unit = model::product(x, {.weight = &usual.weight, .inputs = 75, .outputs = 50}, {});
        flash::use_matrix_kernel(nullptr);
        QVERIFY(by_unit.values != model::product(x, {.weight = &usual.weight, .inputs = 75, .outputs = 50}, {}).values);
    }

    void partsAreExact_data() {
        QTest::addColumn<WeightType>("type");
        QTest::newRow("float32") << WeightType::F32;
        QTest::newRow("bfloat16") << WeightType::BF16;
    }

    /// Numbers of very different sizes, which cancel: every part counts.
    void partsAreExact() {
        QFETCH(WeightType, type);
        Matrix x(40, 2), w(50, 2);
        for (std::int64_t i = 0; i < 40; ++i) {
            x.row(i)[0] = 1.0F + static_cast<float>(i) * 0x1p-23F;
            x.row(i)[1] = -1.0F;
        }
        std::ranges::fill(w.values, 1.0F);
        const StoredWeight stored(w, type, false);
        const auto machines_own = qScopeGuard([] { flash::use_matrix_kernel(std::nullopt); });
        flash::use_matrix_kernel(emulated_amx());
        const auto y = model::product(x, {.weight = &stored.weight, .inputs = 2, .outputs = 50}, {});
        for (std::int64_t i = 0; i < 40; ++i)
            for (std::int64_t o = 0; o < 50; ++o)
                QVERIFY(std::abs(y.row(i)[o] - static_cast<float>(i) * 0x1p-23F) <= 0x1p-23F);
    }

    void roundsToTheNearest_data() {
        QTest::addColumn<bool>("is_emulated");
        QTest::newRow("by the machine") << false;
        QTest::newRow("by the emulated unit") << true;
    }

    void roundsToTheNearest() {
        QFETCH(bool, is_emulated);
        const auto machines_own = qScopeGuard([] { flash::use_matrix_kernel(std::nullopt); });
        if (is_emulated)
            flash::use_matrix_kernel(emulated_amx());
        const std::vector<float> numbers{1.0F + 0x1p-8F, 1.0F + 0x1.8p-7F, 1.0F + 0x1.01p-8F, -0x1p-130F, INFINITY, NAN,
                                         3.4e38F};
        Matrix x(std::ssize(numbers), 1);
        x.values.assign(numbers.begin(), numbers.end());
        const StoredWeight one(
            [] {
                Matrix matrix(1, 1);
                matrix.values = {1.0F};
                return matrix;
            }(),
            WeightType::F32, false);
        const auto y = model::product(
            x, {.weight = &one.weight, .inputs = 1, .outputs = 1, .arithmetic = Arithmetic::BFloat16}, {});
        QCOMPARE(y.values[0], 1.0F); // ties to even
        QCOMPARE(y.values[1], 1.0F + 0x1p-6F);
        QCOMPARE(y.values[2], 1.0F + 0x1p-7F);
        QVERIFY(y.values[3] == 0.0F || y.values[3] == -0x1p-130F); // AMX takes it for 0
        QCOMPARE(y.values[4], INFINITY);
        QVERIFY(std::isnan(y.values[5]));
        QCOMPARE(y.values[6], INFINITY); // beyond the largest number
    }

    void everyProductIsRounded_data() {
        QTest::addColumn<QString>("name");
        for (const auto& name : text_models())
            QTest::newRow(qPrintable(name)) << name;
    }

    /// Weights that are rounded already give the same numbers, so nothing reads what rounding takes away. In float32
    /// they give others.
    void everyProductIsRounded() {
        QFETCH(QString, name);
        const auto expected = expected_arrays(name.toStdString());
        const auto input = input_of(name.toStdString(), expected);
        const QTemporaryDir folder;
        const auto from = QString::fromStdString(model_folder(name.toStdString()).string());
        if (copy_rounded(from, folder.path()) == 0)
            QSKIP("The weights of this model are no float32");
        const auto original = Model::open(model_folder(name.toStdString()));
        const auto rounded = Model::open(folder.path().toStdString());
        const model::Options options{.logits = model::Options::Logits::All};
        const auto result = original.in(Arithmetic::BFloat16).run(input, options);
        QVERIFY(have_same_numbers(result, rounded.in(Arithmetic::BFloat16).run(input, options)));
        const auto in_float32 = original.run(input, options);
        QVERIFY(!have_same_numbers(in_float32, rounded.run(input, options)));
        QVERIFY(!have_same_numbers(in_float32, result));
        QVERIFY(have_same_numbers(in_float32,
                                  original.in(Arithmetic::BFloat16).in(Arithmetic::Float32).run(input, options)));
    }

    void isCloseToFloat32_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"bert", "gpt2", "llama", "gemma2", "mt5", "opt"})
            QTest::newRow(name) << name;
    }

    /// 8 bits of every factor.
    void isCloseToFloat32() {
        QFETCH(QString, name);
        const auto expected = expected_arrays(name.toStdString());
        const auto input = input_of(name.toStdString(), expected);
        const auto opened = Model::open(model_folder(name.toStdString()));
        const model::Options options{.logits = model::Options::Logits::All};
        const auto a = opened.run(input, options), b = opened.in(Arithmetic::BFloat16).run(input, options);
        const double off = difference(b.logits.values, a.logits.values, true);
        QVERIFY2(off > 1e-5 && off < 0.05, qPrintable(QString::number(off)));
    }

    /// A longer text, and heads that are switched off, begin with what is known: the numbers are those of a whole run,
    /// but for the order of sums.
    void continuesARun() {
        const auto opened = Model::open(model_folder("llama")).in(Arithmetic::BFloat16);
        const auto ids = ids_in(expected_arrays("llama"), "input_ids");
        const model::Input shorter{.ids = {ids.begin(), ids.end() - 2}};
        const auto before = opened.run(shorter);
        const auto continued = opened.run({.ids = ids}, {}, {}, &before), whole = opened.run({.ids = ids});
        QVERIFY(difference(continued.logits.values, whole.logits.values, true) < 2e-2);
        int found = 0;
        model::effects_of(opened, whole, {}, {}, [&](const model::HeadEffect&) { ++found; });
        QVERIFY(found > 0);
    }

    void saysWhatIsRounded() {
        const auto opened = Model::open(model_folder("llama"));
        QVERIFY(opened.arithmetic_notes().empty());
        const auto notes = opened.in(Arithmetic::BFloat16).arithmetic_notes();
        QCOMPARE(notes.size(), model::multiplies_bfloat16() ? 2u : 3u);
        QVERIFY(notes[0].english().find("bfloat16") != std::string::npos);
        QCOMPARE(notes[1].english(), std::string("Weights of the file in F32 are rounded to bfloat16"));
        QCOMPARE(model::marked("decoder.0.self", Arithmetic::BFloat16), std::string("decoder.0.self · bfloat16"));
        QCOMPARE(model::marked("decoder.0.self", Arithmetic::Float32), std::string("decoder.0.self"));
    }
};

ATTNLAB_TEST(TestModelPrecision)
#include "test_model_precision.moc"

#include "core/flash/matrix_unit.h"
#include "core/model/image.h"
#include "core/model/model_results.h"
#include "tests/core/model_support.h"
#include "tests/emulated_amx/emulated_amx.h"
#include "tests/test_main.h"

#include <QDir>
#include <QScopeGuard>
#include <QTest>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr double weights_tolerance = 2e-5;
constexpr double relative_tolerance = 1e-4;

constexpr const char* inputs[] = {"input_ids",    "pixel_values", "input_features",
                                  "input_values", "tile_grid",    "image_sizes"};

/// The folders of tests/data/models.
QStringList models() {
    QStringList names;
    const QDir folder(QString::fromStdString(model_folder("").string()));
    for (const auto& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (const auto arrays = expected_arrays(name.toStdString());
            std::ranges::any_of(inputs, [&](const char* input) { return arrays.contains(input); }))
            names << name;
    return names;
}

} // namespace

/// Every array of every architecture beside those of Transformers.
class TestModelGolden : public QObject {
    Q_OBJECT

private slots:
    void everyArray_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("by_unit");
        for (const auto& name : models())
            for (const bool by_unit : {false, true})
                QTest::addRow("%s%s", qPrintable(name), by_unit ? ", matrix unit" : "") << name << by_unit;
    }
    void everyArray() {
        QFETCH(QString, name);
        QFETCH(bool, by_unit);
        const auto machines_own = qScopeGuard([] { flash::use_matrix_kernel(std::nullopt); });
        if (by_unit)
            flash::use_matrix_kernel(emulated_amx());
        const auto expected = expected_arrays(name.toStdString());
        const auto opened = model::Model::open(model_folder(name.toStdString()));
        const auto result = opened.run(input_of(name.toStdString(), expected), {.logits = model::Options::Logits::All});
        const auto kinds = model::kinds_of_arrays();
        const auto arrays = model::arrays_of(result, {kinds.begin(), kinds.end()});
        for (const auto& [array, values] : expected) {
            if (std::ranges::find(inputs, array) != std::end(inputs) && array != "input_ids")
                continue;
            const auto found = arrays.find(array);
            QVERIFY2(found != arrays.end(), array.c_str());
            QCOMPARE(found->second.shape(), values.shape());
            std::vector<float> numbers(static_cast<std::size_t>(values.size()));
            found->second.read(0, numbers);
            const bool are_weights = array.ends_with(".weights");
            const double off = difference(numbers, values.values(), !are_weights);
            QVERIFY2(off <= (are_weights ? weights_tolerance : relative_tolerance),
                     (array + " differs by " + std::to_string(off)).c_str());
        }
        // bert_pair is a BertModel, which has no head, but its file may hold one.
        // Some files have weights, hidden states and logits alone.
        const bool has_queries =
            std::ranges::any_of(expected, [](const auto& one) { return one.first.ends_with(".query"); });
        for (const auto& [array, values] : arrays)
            QVERIFY2(expected.contains(array) ||
                         (!has_queries &&
                          (array.ends_with(".query") || array.ends_with(".key") || array.ends_with(".value"))),
                     array.c_str());
    }
};

ATTNLAB_TEST(TestModelGolden)
#include "test_model_golden.moc"

#include "tests/core/weights_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

ModelFolder& put_torch(ModelFolder& folder, const std::string& name, const QString& as = "pytorch_model.bin") {
    folder.put(as, data_bytes("torch/" + name + ".pt"));
    return folder;
}

} // namespace

class TestTorchWeights : public QObject {
    Q_OBJECT

private slots:
    void opensWhatTorchSaved_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"attention_state", "half_state", "transformer_state", "tied"})
            QTest::newRow(name) << name;
        for (const auto* name : {"attention_state", "tied"})
            QTest::addRow("%s_legacy", name) << name;
    }
    void opensWhatTorchSaved() {
        QFETCH(QString, name);
        ModelFolder folder;
        const auto weights = put_torch(folder, QTest::currentDataTag()).open();
        const auto expected = io::read_tensors(data_path("torch/" + name.toStdString() + ".npz"));
        QCOMPARE(weights->names().size(), expected.size());
        for (const auto& key : weights->names()) {
            const auto& tensor = expected.at(key);
            const auto numbers = all_of(weights->at(key, tensor.shape()));
            for (std::size_t i = 0; i < numbers.size(); ++i)
                QCOMPARE(numbers[i], static_cast<float>(tensor.values()[i]));
        }
        weights->check();
    }

    void readsViews_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("zip archive") << "views";
        QTest::newRow("before 1.6") << "views_legacy";
    }
    /// Transposed, repeated and sliced ones are copied.
    void readsViews() {
        QFETCH(QString, name);
        ModelFolder folder;
        const auto weights = put_torch(folder, name.toStdString()).open();
        const auto expected = io::read_tensors(data_path("torch/views.npz"));
        for (const auto* key : {"whole", "transposed", "permuted", "offset", "stepped", "part", "expanded_rows",
                                "expanded_middle", "overlapping", "diagonal", "scalar", "one_axis", "half"}) {
            const auto& tensor = expected.at(key);
            const auto numbers = all_of(weights->at(key, tensor.shape()));
            for (std::size_t i = 0; i < numbers.size(); ++i)
                QCOMPARE(numbers[i], static_cast<float>(tensor.values()[i]));
        }
    }

    void copiesNoMoreThanMayBeTaken() {
        ModelFolder folder;
        put_torch(folder, "views");
        const auto weights = model::open_weights(to_path(folder.folder.path()), {.memory_limit = 24 * 4});
        QCOMPARE(weights->at("transposed", {4, 3, 2}).rows(), 12);
        QVERIFY(error_of([&] { weights->find("permuted"); })
                    .contains("is saved as a view of other numbers, not one after the other, and too large to be "
                              "copied into memory"));
    }

    void refusesWhatIsNoWeight() {
        ModelFolder types, swapped;
        const auto refusal = [](const ModelFolder& folder) {
            const auto weights = folder.open();
            QStringList said;
            for (const auto& [key, tensor] : io::read_tensors(to_path(folder.path("pytorch_model.bin"))))
                said << error_of([&, &name = key] { weights->find(name); }).replace(folder.folder.path() + "/", "");
            return said.join('\n');
        };
        QVERIFY(refusal(put_torch(types, "every_type")).contains("holds elements of type 'I64', expected weights"));
        QVERIFY(refusal(put_torch(swapped, "big_endian")).contains("is in the byte order of another machine"));
    }

    void refusesOtherFiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("message");
        QTest::newRow("call before 1.6") << "legacy_system"
                                         << "posix.system";
        QTest::newRow("call") << "system"
                              << "posix.system";
        QTest::newRow("program") << "torchscript"
                                 << "is a TorchScript program";
    }
    void refusesOtherFiles() {
        QFETCH(QString, name);
        QFETCH(QString, message);
        ModelFolder folder;
        put_torch(folder, "refused/" + name.toStdString());
        QVERIFY2(folder.refusal().startsWith("pytorch_model.bin: "), qPrintable(folder.refusal()));
        QVERIFY2(folder.refusal().contains(message), qPrintable(folder.refusal()));
    }

    void joinsShards_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("zip archive") << "attention_state";
        QTest::newRow("before 1.6") << "attention_state_legacy";
    }
    void joinsShards() {
        QFETCH(QString, name);
        ModelFolder folder;
        put_torch(folder, name.toStdString(), "one.bin");
        folder.put("pytorch_model.bin.index.json", R"({"weight_map": {"q_proj_weight": "one.bin"}})");
        QCOMPARE(folder.open()->names(), std::vector<std::string>{"q_proj_weight"});
        folder.put("pytorch_model.bin.index.json", R"({"weight_map": {"x": "one.bin"}})");
        QCOMPARE(folder.refusal(), "pytorch_model.bin.index.json: says that 'x' is in 'one.bin', where it is not");
    }

    void takesSafetensorsFirst() {
        ModelFolder folder;
        put_torch(folder, "attention_state");
        folder.put("model.safetensors", safetensors_of({{"w", "F32", "[1]", bytes_of<float>({1})}}));
        QCOMPARE(folder.open()->names(), std::vector<std::string>{"w"});
    }
};

ATTNLAB_TEST(TestTorchWeights)
#include "test_torch_weights.moc"

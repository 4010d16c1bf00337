// Files of torch.save (tests/data/make_torch.py), compared with the same tensors written by NumPy.
#include "core/io/file_formats.h"
#include "core/io/npz.h"
#include "core/io/torch_file.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr io::ReadLimits map_all{.map_from = 1};

std::string fixture(const std::string& name) { return data_path("torch/" + name + ".pt"); }

io::TorchFile read(const std::string& name, const io::ReadLimits& limits = {}) {
    return io::read_torch(fixture(name), limits);
}

Tensor find(const io::TorchFile& file, const std::string& name) {
    for (const auto& [candidate, tensor] : file.tensors)
        if (candidate == name)
            return tensor;
    return Tensor({0});
}

QStringList names(const auto& named) {
    QStringList list;
    for (const auto& [name, ignored] : named)
        list << QString::fromStdString(name);
    return list;
}

/// NumPy has no bfloat16: compares the values, and the type if NumPy has it.
void compare(const io::TorchFile& file, const std::string& expected_file) {
    const auto expected = io::read_npz(data_path("torch/" + expected_file + ".npz")).tensors;
    QCOMPARE(file.tensors.size(), expected.size());
    for (const auto& [name, tensor] : file.tensors) {
        QVERIFY2(expected.contains(name), name.c_str());
        const auto& other = expected.at(name);
        const auto dtype = tensor.dtype() == DType::BFloat16 ? DType::Float32 : tensor.dtype();
        QVERIFY2(same_bits(tensor.with_dtype(dtype), other), name.c_str());
    }
}

} // namespace

class TestTorch : public QObject {
    Q_OBJECT
private slots:
    void readsWhatTorchWrote_data() {
        QTest::addColumn<QString>("expected");
        for (const char* name : {"every_type", "views", "lone", "nested", "arrays", "tied", "attentions",
                                 "no_checksums", "attention_state", "transformer_state", "half_state"})
            QTest::newRow(name) << name;
        for (const char* name : {"nested_protocol3", "nested_protocol4", "nested_protocol5"})
            QTest::newRow(name) << "nested";
        for (const char* name : {"arrays_protocol3", "arrays_protocol4", "arrays_protocol5"})
            QTest::newRow(name) << "arrays";
        QTest::newRow("big_endian") << "every_type";
        for (const char* name : {"every_type", "views", "nested", "arrays", "tied", "attention_state"})
            QTest::addRow("%s_legacy", name) << name;
        for (const char* name : {"nested_legacy3", "nested_legacy4", "nested_legacy5"})
            QTest::newRow(name) << "nested";
    }
    void readsWhatTorchWrote() {
        QFETCH(QString, expected);
        const std::string name = QTest::currentDataTag();
        compare(read(name), expected.toStdString());
        compare(read(name, map_all), expected.toStdString());
        const auto bytes = data_bytes("torch/" + name + ".pt");
        compare(io::read_torch(as_span(bytes), name + ".pt"), expected.toStdString());
    }

    void typesAreThoseOfTheFile() {
        const auto file = read("every_type");
        QCOMPARE(names(file.tensors).join(' '), QStringLiteral("bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 "
                                                               "float16 bfloat16 float32 float64"));
        QCOMPARE(find(file, "bfloat16").dtype(), DType::BFloat16);
        QCOMPARE(find(file, "float16").dtype(), DType::Float16);
        QCOMPARE(find(file, "uint64").dtype(), DType::Int64);
        QCOMPARE(find(file, "bool").dtype(), DType::Bool);
    }

    void orderIsThatOfTheFile() {
        QCOMPARE(names(read("attentions").tensors).join(' '), QStringLiteral("0 1 2 3 4 5 6 7 8 9 10 11"));
        QCOMPARE(
            names(read("nested").tensors).join(' '),
            QStringLiteral("layers.0.weight layers.0.bias layers.1.weight pair.0 pair.1.0 pair.1.1.0 0 (1, x) True "
                           "mixed.2"));
        QCOMPARE(names(read("attention_state").tensors).first(), QStringLiteral("q_proj_weight"));
    }

    void aLoneTensorIsCalledAsItsFile() { QCOMPARE(names(read("lone").tensors), QStringList{"lone"}); }

    void listsOfTextAreLabels() {
        const auto file = read("nested");
        QCOMPARE(names(file.labels), (QStringList{"tokens", "words"}));
        QCOMPARE(file.labels[0].second, (std::vector<std::string>{"milk", "or", "cat", "猫", ""}));
        QCOMPARE(file.labels[1].second, (std::vector<std::string>{"a", "b"}));
    }

    void everythingElseIsMentioned_data() {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"nested", "nested_protocol3", "nested_protocol4", "nested_protocol5", "nested_legacy", "nested_legacy5"})
            QTest::newRow(file) << file;
    }
    void everythingElseIsMentioned() {
        QFETCH(QString, file);
        QStringList found;
        for (const auto& [name, what] : read(file.toStdString()).others)
            found << QString::fromStdString(name + ": " + what.english());
        const QStringList expected{"layers.1.bias: nothing (None)",
                                   "epoch: the number 3",
                                   "big: an object of type 'int'",
                                   "below: the number -9223372036854775808",
                                   "rate: the number 0.125",
                                   "training: False",
                                   "name: the text 'tiny'",
                                   "raw: 2 bytes",
                                   "buffer: 2 bytes",
                                   "nothing: nothing (None)",
                                   "ids: a list of 3 numbers",
                                   "mixed.0: the number 1",
                                   "mixed.1: the text 'one'",
                                   "empty_list: an empty list",
                                   "empty_dict: an empty dictionary",
                                   "shape: a list of 2 numbers",
                                   "type: an object of type 'torch.float16'",
                                   "device: an object of type 'torch.device'",
                                   "layout: an object of type 'torch.layout'",
                                   "members: a set of 2 values",
                                   "complex: an object of type 'complex'"};
        QCOMPARE(found, expected);
    }

    void numbersOfNumPyAreMentioned() {
        QStringList found;
        for (const auto& [name, what] : read("arrays").others)
            found << QString::fromStdString(name + ": " + what.english());
        QCOMPARE(found,
                 (QStringList{"loss: the number 0.25", "step: an object of type 'numpy.generic'", "done: True"}));
    }

    void tiedTensorsShareTheirNumbers() {
        const auto file = read("tied");
        QVERIFY(find(file, "embed").shares_storage_with(find(file, "head")));
        QVERIFY(!find(file, "embed").shares_storage_with(find(file, "view")));
    }

    void largeArraysOfFloatsStayInTheFile() {
        for (const auto* name : {"every_type", "half_state", "big_endian", "every_type_legacy"})
            for (const auto& [tensor_name, tensor] : read(name, map_all).tensors) {
                const bool is_float = tensor.dtype() != DType::Int64 && tensor.dtype() != DType::Bool;
                QVERIFY2(tensor.in_memory() == !is_float, tensor_name.c_str());
            }
        QStringList stay;
        for (const auto& [name, tensor] : read("views", map_all).tensors)
            if (!tensor.in_memory())
                stay << QString::fromStdString(name);
        QCOMPARE(stay.join(' '),
                 QStringLiteral("whole offset part expanded_rows expanded_all expanded_middle overlapping scalar"));
        for (const auto& [name, tensor] : read("views").tensors)
            QVERIFY2(tensor.in_memory(), name.c_str());
    }

    /// Pieces of file-backed arrays, compared with the whole.
    void piecesAreThoseOfTheWhole() {
        const auto mapped = read("views", map_all);
        for (const auto& [name, whole] : read("views").tensors) {
            const auto part = find(mapped, name);
            for (std::int64_t first = 0; first < whole.size(); ++first)
                for (std::int64_t count = 1; count <= whole.size() - first; ++count) {
                    std::vector<double> doubles(static_cast<std::size_t>(count)), expected(doubles.size());
                    std::vector<float> floats(doubles.size());
                    part.read(first, std::span(doubles));
                    part.read(first, std::span(floats));
                    whole.read(first, std::span(expected));
                    QCOMPARE(doubles, expected);
                    QVERIFY(std::equal(floats.begin(), floats.end(), expected.begin()));
                }
        }
    }

    void aFileThatChangesIsAnError() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("views.pt");
        put_file(path, data_bytes("torch/views.pt"));
        const auto file = io::read_torch(to_path(path), map_all);
        QVERIFY(QFile::resize(path, 1000));
        for (const char* name : {"whole", "part"})
            QVERIFY(error_of([&] { find(file, name).value(0); }).contains("was cut short while it was open"));
    }

    /// Together they would take several times the limit of a single array, which none of them reaches.
    void manyArraysStayInTheFileTogether() {
        const auto few = read("half_state", {.map_from = 12000}), many = read("half_state", {.map_from = 200});
        for (const auto& [name, tensor] : few.tensors)
            QVERIFY2(tensor.in_memory(), name.c_str());
        for (const auto& [name, tensor] : many.tensors)
            QVERIFY2(!tensor.in_memory(), name.c_str());
        compare(many, "half_state");
    }

    void anyNameOpensIt_data() {
        QTest::addColumn<QString>("content");
        QTest::newRow("zip archive") << "attention_state.pt";
        QTest::newRow("before 1.6") << "attention_state_legacy.pt";
    }
    void anyNameOpensIt() {
        QFETCH(QString, content);
        const QTemporaryDir folder;
        for (const char* name : {"x.pt", "x.pth", "pytorch_model.bin", "x.ckpt", "x.npz", "x", "x.csv"}) {
            const auto path = folder.filePath(name);
            put_file(path, data_bytes("torch/" + content.toStdString()));
            QVERIFY2(io::read_tensors(to_path(path)).contains("out_proj.weight"), name);
            QVERIFY(!io::stores_workspaces(to_path(path)));
        }
        std::vector<std::string> labels;
        QCOMPARE(io::read_tensors(fixture("nested"), {}, &labels).size(), 10u);
        QCOMPARE(labels.size(), 5u);
    }

    void refused_data() {
        QTest::addColumn<QString>("message");
        const auto holds = [](const char* name) {
            return QStringLiteral(
                       ".pt: data.pkl: holds an object of '%1', which is not read: only tensors, numbers, text, "
                       "lists and dictionaries are")
                .arg(QLatin1String(name));
        };
        QTest::newRow("eval") << holds("builtins.eval");
        QTest::newRow("system") << holds("posix.system");
        QTest::newRow("nested_call") << holds("builtins.getattr");
        QTest::newRow("class") << holds("torch.nn.modules.linear.Linear");
        QTest::newRow("path") << holds("pathlib.PurePosixPath");
        QTest::newRow("quantized") << holds("torch._utils._rebuild_qtensor");
        QTest::newRow("sparse") << holds("torch._utils._rebuild_sparse_tensor");
        QTest::newRow("meta") << holds("torch._utils._rebuild_meta_tensor_no_storage");
        QTest::newRow("complex") << "complex.pt: bad: holds complex numbers ('torch.complex64'), expected real ones";
        QTest::newRow("float8") << "float8.pt: bad: holds elements of type 'torch.float8_e4m3fn', expected";
        QTest::newRow("negated") << "negated.pt: bad: is saved as a view of other numbers with their signs turned";
        QTest::newRow("beyond") << "beyond.pt: bad: element 1 is 9007199254740993; integers beyond 2^53";
        QTest::newRow("objects") << "objects.pt: bad: holds Python objects, expected numbers";
        QTest::newRow("text") << "text.pt: bad: holds elements of type 'U1', expected";
        QTest::newRow("legacy_system") << "legacy_system.pt: holds an object of 'posix.system', which is not read";
        QTest::newRow("legacy_class") << "legacy_class.pt: holds an object of 'argparse.Namespace', which is not read";
        QTest::newRow("legacy_big_endian") << "legacy_big_endian.pt: was not written by a little-endian machine";
        QTest::newRow("torchscript") << "torchscript.pt: is a TorchScript program (torch.jit.save), which is not read";
    }
    void refused() {
        QFETCH(QString, message);
        const auto path = fixture("refused/" + std::string(QTest::currentDataTag()));
        const auto said = error_of([&] { io::read_tensors(path); });
        QVERIFY2(said.startsWith(QString::fromStdString(path)) && said.contains(message), qPrintable("says: " + said));
        QCOMPARE(error_of([&] { io::read_tensors(path, map_all); }), said);
        QVERIFY(!std::filesystem::exists("executed"));
    }

    void whatIsNoArchiveSaysWhatItIs_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        QTest::newRow("no zip") << "x.bin" << QByteArray("GGUFsomething")
                                << "x.bin: is neither a zip archive of torch.save nor another file that is known";
        QTest::newRow("pickle") << "x.pkl" << QByteArray("\x80\x04\x95")
                                << "x.pkl: is a Python pickle without the zip archive";
        QTest::newRow("pointer") << "x.pt" << QByteArray("version https://git-lfs")
                                 << "x.pt: is not a file of torch.save";
        QTest::newRow("cut short") << "x.pt" << data_bytes("torch/lone.pt").chopped(30)
                                   << "x.pt: is not a zip archive, or was cut off";
        QTest::newRow("other zip") << "x.pt" << data_bytes("workspace") << "x.pt: is empty";
    }
    void whatIsNoArchiveSaysWhatItIs() {
        QFETCH(QString, file);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        const auto path = folder.filePath(file);
        put_file(path, bytes);
        const auto said = error_of([&] { io::read_tensors(to_path(path)); });
        QVERIFY2(said.contains(message), qPrintable("says: " + said));
    }

    /// Each byte of a file changed in turn: an error, or at most as many numbers as the file can hold.
    void aDamagedFileIsNoCrash_data() {
        QTest::addColumn<int>("flip");
        QTest::newRow("all bits") << 0xff;
        QTest::newRow("one bit") << 0x01;
    }
    void aDamagedFileIsNoCrash() {
        QFETCH(int, flip);
        for (const char* name : {"views.pt", "arrays_protocol4.pt", "tied_legacy.pt"}) {
            const auto original = data_bytes(std::string("torch/") + name);
            auto bytes = original;
            int refused = 0;
            for (auto& byte : bytes) {
                byte = static_cast<char>(byte ^ flip);
                try {
                    io::read_torch(as_span(bytes), name);
                } catch (const Error&) {
                    ++refused;
                }
                byte = static_cast<char>(byte ^ flip);
            }
            QCOMPARE(bytes, original);
            QVERIFY(refused > original.size() / 4);
        }
    }

    void aDamagedMemberIsAnError() {
        auto bytes = data_bytes("torch/lone.pt");
        const float two = 2.0F;
        const auto at = bytes.indexOf(QByteArray(reinterpret_cast<const char*>(&two), sizeof two)); // in the numbers
        QVERIFY(at > 0);
        bytes[at + 3] = '\x41';
        QCOMPARE(error_of([&] { io::read_torch(as_span(bytes), "f.pt"); }),
                 QStringLiteral("f.pt: lone/data/0: is damaged: its checksum does not match"));
    }
};

ATTNLAB_TEST(TestTorch)
#include "test_torch.moc"

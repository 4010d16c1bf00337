// The restricted pickle reader, instruction by instruction.
#include "core/io/pickle.h"
#include "tests/core/torch_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::test::torch;

namespace {

/// Roughly Python's repr.
struct Written {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return to_text(value) + "f"; }
    std::string operator()(io::PickleText value) const { return "'" + std::string(value.text) + "'"; }
    std::string operator()(io::PickleBytes value) const { return "b'" + std::string(value.bytes) + "'"; }
    std::string operator()(const io::PickleSequence* value) const {
        constexpr const char* brackets[] = {"()", "[]", "{}"};
        const auto* around = brackets[static_cast<int>(value->kind)];
        std::string all(1, around[0]);
        for (const auto& item : value->items)
            all += std::visit(*this, item) + ",";
        return all + around[1];
    }
    std::string operator()(const io::PickleDictionary* value) const {
        std::string all = "{";
        for (const auto& [key, item] : value->items)
            all += std::visit(*this, key) + ":" + std::visit(*this, item) + ",";
        return all + "}";
    }
    std::string operator()(const io::PickledTensor* value) const {
        return "tensor of " + std::string(value->type) + " " + (*this)(value->shape);
    }
    std::string operator()(const io::PickleObject* value) const { return "<" + std::string(value->name) + ">"; }
};

QString value_of(const QByteArray& bytes, std::size_t most_memory = io::PickleDocument::enough_memory) {
    const io::PickleDocument document(bytes.toStdString(), "p", most_memory);
    return QString::fromStdString(std::visit(Written{}, document.root()));
}

QByteArray raw(const char* literal, qsizetype size) { return {literal, size}; }
template <std::size_t size>
QByteArray raw(const char (&literal)[size]) {
    return raw(literal, size - 1);
}

} // namespace

class TestPickle : public QObject {
    Q_OBJECT
private slots:
    void values_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QByteArray& bytes, const char* expected) {
            QTest::newRow(name) << bytes << expected;
        };
        row("None", raw("N"), "None");
        row("booleans", raw("\x88\x89\x86"), "(True,False,)");
        row("integers", raw("K\xffM\xff\xffJ\xfe\xff\xff\xff\x87"), "(255,65535,-2,)");
        row("long integers", raw("\x8a\x00\x8a\x01\xff\x8a\x02\x00\x80\x87"), "(0,-1,-32768,)");
        row("of eight bytes", raw("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"), "9223372036854775807");
        row("of nine bytes", raw("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00"), "<int>");
        row("of many bytes", raw("\x8b\x01\x00\x00\x00\x07"), "7");
        row("float", raw("G\x3f\xf8\x00\x00\x00\x00\x00\x00"), "1.5f");
        row("texts",
            raw("X\x01\x00\x00\x00"
                "a\x8c\x01"
                "b\x8d\x01\x00\x00\x00\x00\x00\x00\x00"
                "c\x87"),
            "('a','b','c',)");
        row("texts of Python 2",
            raw("U\x01"
                "aT\x01\x00\x00\x00"
                "b\x86"),
            "('a','b',)");
        row("bytes",
            raw("B\x01\x00\x00\x00"
                "aC\x01"
                "b\x8e\x01\x00\x00\x00\x00\x00\x00\x00"
                "c\x87"),
            "(b'a',b'b',b'c',)");
        row("bytearray",
            raw("\x96\x01\x00\x00\x00\x00\x00\x00\x00"
                "a"),
            "b'a'");
        row("tuples", raw(")K\x01\x85(K\x02NNNt\x87"), "((),(1,),(2,None,None,None,),)");
        row("list",
            raw("]K\x01"
                "a(K\x02K\x03"
                "e"),
            "[1,2,3,]");
        row("set", raw("\x8f(K\x02K\x03\x90"), "{2,3,}");
        row("dictionary", raw("}K\x01K\x02s(K\x03K\x04K\x05K\x06u"), "{1:2,3:4,5:6,}");
        row("memo",
            raw("K\x01q\x00"
                "0K\x02r\x01\x00\x00\x00"
                "0K\x03\x94"
                "0h\x00j\x01\x00\x00\x00h\x02\x87"),
            "(1,2,3,)");
        row("shared",
            raw("]q\x00K\x01"
                "ah\x00\x86"),
            "([1,],[1,],)");
        row("frame", raw("\x95\x02\x00\x00\x00\x00\x00\x00\x00K\x01"), "1");
        row("popped",
            raw("K\x01K\x02"
                "0(NN1"),
            "1");
        row("OrderedDict", raw("ccollections\nOrderedDict\n)R"), "{}");
        row("and its attributes", raw("ccollections\nOrderedDict\n)R}b"), "{}");
        row("Counter", raw("ccollections\nCounter\n}\x85R"), "{}");
        row("Size", raw("ctorch\nSize\nK\x01\x85\x85R"), "(1,)");
        row("set of a list",
            raw("c__builtin__\nset\n]K\x01"
                "a\x85R"),
            "{1,}");
        row("no bytes", raw("c__builtin__\nbytes\n)R"), "b''");
        row("encoded bytes",
            raw("c_codecs\nencode\nX\x03\x00\x00\x00"
                "a\xc3\xbfX\x06\x00\x00\x00latin1\x86R"),
            "b'a\xff'");
        row("type", raw("ctorch\nbfloat16\n"), "<torch.bfloat16>");
        row("name by stack",
            raw("\x8c\x05torch\x8c\x07"
                "float16\x93"),
            "<torch.float16>");
        row("device",
            raw("ctorch\ndevice\nX\x03\x00\x00\x00"
                "cpu\x85R"),
            "<torch.device>");
        QTest::newRow("tensor") << tensor(storage(), 0, {2, 2}, {2, 1}) << "tensor of torch.float32 (2,2,)";
        QTest::newRow("parameter") << called(global("torch._utils", "_rebuild_parameter"),
                                             {tensor(storage(), 0, {4}, {1}), "\x88", "}"})
                                   << "tensor of torch.float32 (4,)";
    }
    void values() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        if (expected.contains(QChar(0xfffd))) // from invalid UTF-8
            expected = QString::fromUtf8("b'a\xff'");
        QCOMPARE(value_of(pickle(bytes)), expected);
        for (const char protocol : {3, 4, 5})
            QCOMPARE(value_of(QByteArray("\x80") + protocol + bytes + "."), expected);
    }

    /// Each value truncated at every byte: an error, and nothing else.
    void whatIsCutShortIsAnError_data() { values_data(); }
    void whatIsCutShortIsAnError() {
        QFETCH(QByteArray, bytes);
        const auto whole = pickle(bytes);
        for (qsizetype size = 0; size < whole.size(); ++size) {
            const auto said = error_of([&] { value_of(whole.left(size)); });
            QVERIFY2(said.startsWith("p: is cut short in its instruction at byte ") || said.contains("makes no sense"),
                     qPrintable(QString::number(size) + " says: " + said));
        }
    }

    void senseless_data() {
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << bytes; };
        row("nothing", raw(""));
        row("two values", raw("NN"));
        row("more after the end", raw("N.N"));
        row("nothing to pop", raw("0"));
        row("pop below a mark", raw("N(0"));
        row("tuple below a mark", raw("NN(\x86"));
        row("no mark", raw("Nt"));
        row("mark left", raw("N("));
        row("no memo", raw("h\x00"));
        row("memo between", raw("Nr\x05\x00\x00\x00"
                                "0h\x04"));
        row("memo of nothing", raw("q\x00"));
        row("append to a tuple", raw(")Na"));
        row("append to a number", raw("K\x01Na"));
        row("append to a set", raw("\x8fNa"));
        row("add to a list", raw("](N\x90"));
        row("item of a list", raw("]NNs"));
        row("odd items", raw("}(Nu"));
        row("call of a number", raw("K\x01)R"));
        row("call of text", raw("\x8c\x04"
                                "eval)R"));
        row("call of a type", raw("ctorch\nfloat32\n)R"));
        row("call of a class", raw("ctorch\nTensor\n)R"));
        row("call of a storage", storage() + ")R");
        row("arguments that are no tuple", raw("ccollections\nOrderedDict\nNR"));
        row("arguments too many", raw("ccollections\nOrderedDict\nN\x85R"));
        row("arguments too few", raw("ctorch._utils\n_rebuild_tensor_v2\n)R"));
        row("tensor of no storage", raw("ctorch._utils\n_rebuild_tensor_v2\n(NNNNt") + "R");
        row("tensor of a type", tensor(global("torch", "FloatStorage"), 0, {1}, {1}));
        row("tensor of bytes", called(global("torch._utils", "_rebuild_tensor_v2"),
                                      {tuple({text("storage"), global("torch.storage", "UntypedStorage"), text("0"),
                                              text("cpu"), number(4)}) +
                                           "Q",
                                       number(0), sizes({4}), sizes({1})}));
        row("shape of text", called(global("torch._utils", "_rebuild_tensor_v2"),
                                    {storage(), number(0), tuple({text("4")}), sizes({1})}));
        row("shape as a list", called(global("torch._utils", "_rebuild_tensor_v2"), {storage(), number(0), "]", "]"}));
        row("parameter of nothing", raw("ctorch._utils\n_rebuild_parameter\nN\x89}\x87R"));
        row("call within a call",
            called(global("torch._tensor", "_rebuild_from_type_v2"),
                   {global("torch._tensor", "_rebuild_from_type_v2"), global("torch", "Tensor"), ")", "}"}));
        row("storage of no tuple", raw("X\x01\x00\x00\x00"
                                       "0Q"));
        row("other persistent id",
            tuple({text("module"), global("torch", "FloatStorage"), text("0"), text("cpu"), number(4)}) + "Q");
        row("storage of a negative size", storage(-1));
        row("storage of a tensor",
            tuple({text("storage"), global("torch", "Tensor"), text("0"), text("cpu"), number(1)}) + "Q");
        row("state of a number", raw("K\x01)b"));
        row("state of a tensor", tensor(storage(), 0, {4}, {1}) + ")b");
        row("state of a class", raw("ctorch\nTensor\n}b"));
        row("bytes of another encoding", raw("c_codecs\nencode\nX\x01\x00\x00\x00"
                                             "aX\x05\x00\x00\x00rot13\x86R"));
        row("bytes beyond 255", raw("c_codecs\nencode\nX\x02\x00\x00\x00\xc4\x80X\x06\x00\x00\x00latin1\x86R"));
        row("bytes of half a character", raw("c_codecs\nencode\nX\x01\x00\x00\x00\xc3X\x06\x00\x00\x00latin1\x86R"));
        row("name of a number", raw("K\x01K\x02\x93"));
        row("name without an end", "c" + QByteArray(300, 'a'));
        row("long name", raw("\x8c\x05torch") + "X" + little<quint32>(1000) + QByteArray(1000, 'a') + "\x93");
    }
    void senseless() {
        QFETCH(QByteArray, bytes);
        const auto said = error_of([&] { value_of(pickle(bytes)); });
        QVERIFY2(said.startsWith("p: is damaged: its instruction at byte ") ||
                     said.startsWith("p: is cut short in its instruction at byte "),
                 qPrintable("says: " + said));
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
            QTest::newRow(name) << bytes << message;
        };
        row("eval", raw("cbuiltins\neval\n"), "p: holds an object of 'builtins.eval', which is not read: only");
        row("eval of Python 2", raw("c__builtin__\neval\n"), "'builtins.eval'");
        row("by stack", raw("\x8c\x05posix\x8c\x06system\x93"), "'posix.system'");
        row("part of a name", raw("ctorch\nSize.__class__\n"), "'torch.Size.__class__'");
        row("name in two parts", raw("\x8c\x00\x8c\x0atorch.Size\x93"), "'.torch.Size'");
        row("typed storage", raw("ctorch.storage\nTypedStorage\n"), "'torch.storage.TypedStorage'");
        row("new object", raw("N)\x81"), "p: has the instruction 0x81 at byte 4");
        row("class of lines", raw("(ios\nsystem\n"), "p: has the instruction 0x69 at byte 3");
        row("extension", raw("\x82\x01"), "p: has the instruction 0x82 at byte 2");
        row("unknown", raw("\xff"), "p: has the instruction 0xff at byte 2");
        row("text as long as memory", raw("\x8d\xff\xff\xff\xff\xff\xff\xff\xff"),
            "p: is cut short in its instruction at");
        row("memo as long as memory", raw("Nr\xff\xff\xff\xff"), "p: holds more values than may be read");
    }
    void refused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const auto said = error_of([&] { value_of(pickle(bytes)); });
        QVERIFY2(said.contains(message), qPrintable("says: " + said));
    }

    void otherProtocols() {
        QCOMPARE(error_of([] { value_of(raw("\x80\x01N.")); }),
                 QStringLiteral("p: is a pickle of protocol 1, expected 2 to 5"));
        QCOMPARE(error_of([] { value_of(raw("\x80\x06N.")); }),
                 QStringLiteral("p: is a pickle of protocol 6, expected 2 to 5"));
        QCOMPARE(error_of([] { value_of(raw("(lp0\n.")); }), QStringLiteral("p: is not a pickle of protocol 2 to 5"));
    }

    /// Memory requested repeatedly by a few bytes is counted.
    void memoryIsCounted_data() {
        QTest::addColumn<QByteArray>("once");
        QTest::addColumn<QByteArray>("again");
        QTest::newRow("values") << raw("") << raw("N");
        QTest::newRow("marks") << raw("") << raw("(");
        QTest::newRow("containers") << raw("") << raw("}");
        QTest::newRow("memo") << raw("N") << raw("\x94");
        QTest::newRow("copies of a list")
            << raw("c__builtin__\nset\nq\x00") + "](" + QByteArray(4000, 'N') + "e\x85q\x01" << raw("h\x00h\x01R");
        QTest::newRow("decoded text") << raw("c_codecs\nencode\nq\x00(X") + little<quint32>(4000) +
                                             QByteArray(4000, 'x') + text("latin1") + raw("tq\x01")
                                      << raw("h\x00h\x01R");
    }
    void memoryIsCounted() {
        QFETCH(QByteArray, once);
        QFETCH(QByteArray, again);
        const auto bytes = pickle(once + again.repeated(100000));
        QVERIFY(error_of([&] { value_of(bytes, 1000000); })
                    .startsWith("p: holds more values than may be read: they take "
                                "more than 1000000 bytes"));
    }

    /// Nesting takes no stack, neither for reading nor for destruction.
    void deepNesting() {
        constexpr qsizetype levels = 1000000;
        const io::PickleDocument lists(pickle(QByteArray(levels, ']') + QByteArray(levels - 1, 'a')).toStdString(),
                                       "p");
        const io::PickleDocument tuples(pickle(")" + QByteArray(levels, '\x85')).toStdString(), "p");
        QVERIFY(std::holds_alternative<io::PickleSequence*>(lists.root()));
        QVERIFY(std::holds_alternative<io::PickleSequence*>(tuples.root()));
    }
};

ATTNLAB_TEST(TestPickle)
#include "test_pickle.moc"

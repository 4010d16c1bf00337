// What a tokenizer.json may ask for: memory, time, and how soon a call ends that is cancelled.
#include "core/tokens/pattern.h"
#include "core/tokens/tokenizer.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QTest>

#include <functional>

using namespace attnlab;
using namespace attnlab::test;
using tokens::parse_tokenizer;

namespace {

/// With the quotation marks of JSON. moc reads no raw strings.
std::string in_json(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return text;
}

std::string times(std::size_t count, const std::string& text, const std::string& between = "") {
    std::string all;
    all.reserve(count * (text.size() + between.size()));
    for (std::size_t i = 0; i < count; ++i)
        (all += i == 0 ? "" : between) += text;
    return all;
}

const std::string word_level = "'model': {'type': 'WordLevel', 'vocab': {'a': 0, 'b': 1, '?': 2}, 'unk_token': '?'}";

std::string file(const std::string& members, const std::string& model = word_level) {
    return in_json("{" + members + (members.empty() ? "" : ", ") + model + "}");
}

std::string replace(const std::string& pattern, const std::string& content, const std::string& kind = "String") {
    return "{'type': 'Replace', 'pattern': {'" + kind + "': '" + pattern + "'}, 'content': '" + content + "'}";
}
std::string prepend(const std::string& text) { return "{'type': 'Prepend', 'prepend': '" + text + "'}"; }
std::string normalizers(const std::string& list) {
    return "'normalizer': {'type': 'Sequence', 'normalizers': [" + list + "]}";
}
std::string decoders(const std::string& list) { return "'decoder': {'type': 'Sequence', 'decoders': [" + list + "]}"; }
std::string split(const std::string& regex) {
    return "'pre_tokenizer': {'type': 'Split', 'pattern': {'Regex': '" + regex +
           "'}, 'behavior': 'Isolated', 'invert': false}";
}
std::string added(const std::string& content, int id, bool normalized) {
    return "{'id': " + std::to_string(id) + ", 'content': '" + content +
           "', 'single_word': false, 'lstrip': false, 'rstrip': false, 'normalized': " +
           (normalized ? "true" : "false") + ", 'special': true}";
}
std::string template_of(const std::string& single, const std::string& special = "") {
    return "'post_processor': {'type': 'TemplateProcessing', 'single': [" + single + "], 'pair': [], " +
           "'special_tokens': {" + special + "}}";
}
const std::string part_a = "{'Sequence': {'id': 'A', 'type_id': 0}}",
                  part_s = "{'SpecialToken': {'id': 's', 'type_id': 0}}";

/// SentencePiece's table that replaces "a" by `text`.
std::string charsmap(const std::string& text) {
    std::vector<std::uint32_t> units(512, 0xffU);
    units[0] = 256U << 10;
    units[256U ^ 'a'] = 1U << 10 | 1U << 8 | 'a';
    units[(256U ^ 'a') ^ 1U] = 0x80000000U;
    const auto bytes = static_cast<std::uint32_t>(units.size() * sizeof units[0]);
    QByteArray table(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    table.append(reinterpret_cast<const char*>(units.data()), bytes)
        .append(QByteArray::fromStdString(text))
        .append('\0');
    return "'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': '" + table.toBase64().toStdString() + "'}";
}

std::string byte_vocabulary(const std::string& more) {
    std::string vocabulary;
    for (int byte = 0; byte < 256; ++byte)
        vocabulary += QString("'<0x%1>': %2, ").arg(byte, 2, 16, QChar('0')).arg(byte).toUpper().toStdString();
    for (auto at = vocabulary.find("<0X"); at != vocabulary.npos; at = vocabulary.find("<0X", at))
        vocabulary[at + 2] = 'x';
    return vocabulary + more;
}

/// Cancels after some time.
RunControl cancelled_after(int milliseconds) {
    auto timer = std::make_shared<QElapsedTimer>();
    timer->start();
    return {.cancelled = [timer, milliseconds] { return timer->elapsed() >= milliseconds; }};
}

constexpr std::size_t million = 1'000'000;

} // namespace

class TestTokensLimits : public QObject {
    Q_OBJECT

private slots:
    void growth_is_refused_data() {
        QTest::addColumn<std::string>("json");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& json, const std::string& text, const QString& says) {
            QTest::newRow(name) << json << text << says;
        };
        const QString text = "the text would take ", tokens = "at most 4194304 are allowed";
        row("doubled 40 times", file(normalizers(prepend("h") + ", " + times(40, replace("h", "hh"), ", "))), "a",
            "normalizer.normalizers[24] (Replace): the text would be divided into more than 8388608 matches");
        row("places of a regular expression",
            file(normalizers(times(3, replace("(?=h)", times(1000, "h"), "Regex"), ", "))), "h",
            "normalizer.normalizers[2] (Replace): " + text);
        row("a long replacement", file("'normalizer': " + replace("l", times(12 * million, "x"))), "lll",
            "normalizer (Replace): " + text + "36000000 bytes");
        row("prepended again and again", file(normalizers(times(4, prepend(times(9 * million, "x")), ", "))), "a",
            "normalizer.normalizers[3] (Prepend): " + text + "36000001 bytes");
        row("between added tokens",
            file("'added_tokens': [" + added("<x>", 3, false) + "], 'normalizer': " + prepend(times(million, "x"))),
            times(40, "<x>a"), "normalizer (Prepend): " + text);
        row("decompositions",
            file(normalizers(prepend("\ufdfa") + ", " + replace("\ufdfa", times(1000, "\ufdfa")) + ", " +
                             replace("\ufdfa", times(1500, "\ufdfa")) + ", {'type': 'NFKD'}")),
            "a", "normalizer.normalizers[3] (NFKD): " + text);
        row("spelled bytes", file(normalizers(times(40, "{'type': 'ByteLevel'}", ", "))), "\u00e9",
            "(ByteLevel): " + text);
        row("a table of characters", file(charsmap(times(100'000, "b"))), times(1000, "a"),
            "normalizer (Precompiled): " + text);
        row("a text", file(""), times(34 * million, "a"), "the text takes 34000000 bytes; at most 33554432");
        row("spelled bytes before words",
            file("'pre_tokenizer': {'type': 'ByteLevel', 'add_prefix_space': false, 'use_regex': false}"),
            times(9 * million, "\u00e9"), "pre_tokenizer (ByteLevel): " + text);
        row("words", file("'pre_tokenizer': {'type': 'FixedLength', 'length': 1}"), times(5 * million, "a"),
            "pre_tokenizer (FixedLength): the text would be split into 5000000 parts, " + tokens);
        row("matches", file(split("(?=a)")), times(5 * million, "a"),
            "pre_tokenizer (Split): the text would be divided into more than 8388608 matches");
        row("a text many times", file(split("a") + ", " + template_of(times(2000, part_a, ", "))), times(3000, "a"),
            "post_processor (TemplateProcessing): there would be 6000000 tokens, " + tokens);
        row("a special token of many ids",
            file(template_of(times(1000, part_s, ", "), "'s': {'id': 's', 'ids': [" + times(100'000, "1", ",") +
                                                            "], 'tokens': [" + times(100'000, "'x'", ",") + "]}")),
            "a", "post_processor (TemplateProcessing): there would be 100000000 tokens, " + tokens);
        row("a special token of many letters",
            file(template_of(times(100, part_s, ", "),
                             "'s': {'id': 's', 'ids': [1], 'tokens': ['" + times(million, "x") + "']}")),
            "a",
            "post_processor (TemplateProcessing): the spellings of the tokens would take 100000000 bytes, at most "
            "67108864 are allowed");
        row("a token of many letters",
            file(split("b"), "'model': {'type': 'WordLevel', 'vocab': {'" + times(million, "x") +
                                 "': 0}, 'unk_token': '" + times(million, "x") + "'}"),
            times(100, "b"), "model: the spellings of the tokens would take 68000000 bytes");
        row("bytes of a prefix",
            file("", "'model': {'type': 'BPE', 'merges': [], 'byte_fallback': true, 'continuing_subword_prefix': '" +
                         times(million, "x") + "', 'vocab': {" + byte_vocabulary("'a': 256") + "}}"),
            times(20, "b"), "model: a word would begin as 8388609 symbols, at most 8388608 are allowed");
        row("a word of BPE", file("", "'model': {'type': 'BPE', 'merges': [], 'vocab': {'a': 0}}"),
            times(9 * million, "a"), "model: a word would begin as 8388609 symbols");
        row("a word of Unigram", file("", "'model': {'type': 'Unigram', 'unk_id': 0, 'vocab': [['a', 0]]}"),
            times(9 * million, "a"), "model: a word would begin as 9000000 symbols");
        row("tokens of a word", file("", "'model': {'type': 'BPE', 'merges': [], 'vocab': {'a': 0}}"),
            times(5 * million, "a"), "model: there would be 4194305 tokens, " + tokens);
    }
    void growth_is_refused() {
        QFETCH(std::string, json);
        QFETCH(std::string, text);
        QFETCH(QString, says);
        QElapsedTimer timer;
        timer.start();
        const auto error = error_of([&] { parse_tokenizer(json, "t.json")->encode(text); });
        QVERIFY2(error.contains(says), qPrintable(error.left(300)));
        QVERIFY2(timer.elapsed() < 60'000, qPrintable(QString::number(timer.elapsed())));
    }

    void large_parts_are_refused_data() {
        QTest::addColumn<std::string>("json");
        QTest::addColumn<QString>("says");
        QTest::newRow("many parts") << file(normalizers(times(1000, "{'type': 'NFC'}", ", ")))
                                    << "t.json: normalizer: has 1001 parts, at most 1000 are allowed";
        QTest::newRow("a long pattern") << file("'normalizer': " + replace(times(70'000, "x"), "", "Regex"))
                                        << "takes 70000 bytes, at most 65536 are allowed";
        QTest::newRow("a long text") << file("'normalizer': " + replace(times(70'000, "x"), ""))
                                     << "takes 70000 bytes, at most 65536 are allowed";
        QTest::newRow("an added token that grows")
            << file("'added_tokens': [" + added("x", 3, true) + "], 'normalizer': " + replace("x", times(5000, "y")))
            << "added_tokens: the added token 'x' takes 5000 bytes, at most 4096 may be";
        std::string many;
        for (int i = 0; i < 1100; ++i)
            many += (i == 0 ? "" : ", ") + added(std::to_string(i) + times(4000, "x"), 3 + i, false);
        QTest::newRow("long added tokens")
            << file("'added_tokens': [" + many + "]") << "added_tokens: the added tokens take more than 4194304 bytes";
        std::string long_tokens;
        for (int i = 0; i < 18; ++i)
            long_tokens += "'" + std::string(1, static_cast<char>('a' + i)) + times(million, "x") +
                           "': " + std::to_string(i) + ", ";
        QTest::newRow("long tokens") << file("", "'model': {'type': 'WordPiece', 'unk_token': 'z', "
                                                 "'continuing_subword_prefix': '##', 'max_input_chars_per_word': 9, "
                                                 "'vocab': {" +
                                                     long_tokens + "'z': 99}}")
                                     << "model: the tokens need more than 16777216 nodes of a tree";
    }
    void large_parts_are_refused() {
        QFETCH(std::string, json);
        QFETCH(QString, says);
        const auto error = error_of([&] { parse_tokenizer(json, "t.json"); });
        QVERIFY2(error.contains(says), qPrintable(error.left(300)));
    }

    void decoding_is_limited_data() {
        QTest::addColumn<std::string>("json");
        QTest::addColumn<QString>("says");
        QTest::newRow("doubled") << file(decoders(times(40, replace("a", "aa"), ", ")))
                                 << "decoder.decoders[21] (Replace): the text would take ";
        QTest::newRow("a long replacement") << file("'decoder': " + replace("a", times(10 * million, "x")))
                                            << "decoder (Replace): the text would take 40";
        const auto name = times(10 * million, "x");
        QTest::newRow("a long token") << file("", "'model': {'type': 'WordLevel', 'vocab': {'" + name +
                                                      "': 0}, 'unk_token': '?'}")
                                      << "decoder: the text would take 40000000 bytes, at most 33554432 are allowed";
    }
    void decoding_is_limited() {
        QFETCH(std::string, json);
        QFETCH(QString, says);
        const auto tokenizer = parse_tokenizer(json, "t.json");
        const auto error = error_of([&] { tokenizer->decode({0, 0, 0, 0, 0, 0, 0, 0, 0, 0}); });
        QVERIFY2(error.contains(says), qPrintable(error.left(300)));
    }

    void cancels_data() {
        QTest::addColumn<std::string>("json");
        QTest::addColumn<std::string>("text");
        const auto row = [](const char* name, const std::string& json, const std::string& text) {
            QTest::newRow(name) << json << text;
        };
        const auto letters = times(2 * million, "a");
        row("a look ahead at each place", file(split("(?=.*z)a")), letters);
        row("a look ahead within one match", file(split("(?:a(?!.*z))*z")), letters);
        row("a run within one match", file(split("(?:a(?>(?:aa)*)b|a)*z")), letters);
        row("a pattern that backtracks", file(split("(?:(?:a|a)+)+$")), letters + "b");
        row("normalizers", file(normalizers(times(450, "{'type': 'NFKC'}, {'type': 'Lowercase'}", ", "))),
            letters + "\u00e9");
        row("replacements", file(normalizers(times(900, replace("a", "a"), ", "))), letters);
        row("sorting of marks", file(normalizers(times(900, "{'type': 'NFD'}", ", "))), times(million, "\u0301\u0316"));
        row("words",
            file("'pre_tokenizer': {'type': 'Sequence', 'pretokenizers': [" +
                 times(900, "{'type': 'FixedLength', 'length': 4}", ", ") + "]}"),
            letters);
        row("merges",
            file("", "'model': {'type': 'BPE', 'merges': ['a a', 'aa aa'], 'vocab': {'a': 0, 'aa': 1, "
                     "'aaaa': 2}}"),
            times(8 * million, "a"));
        row("the likeliest division",
            file("", "'model': {'type': 'Unigram', 'unk_id': 0, 'vocab': [['a', 0], ['" + times(5000, "a") + "', 0]]}"),
            letters);
        row("templates",
            file(split("a") + ", 'post_processor': {'type': 'Sequence', 'processors': [" +
                 times(900, "{'type': 'BertProcessing', 'cls': ['a', 0], 'sep': ['b', 1]}", ", ") + "]}"),
            times(200'000, "a"));
    }
    /// Within a second: an idle machine needs a few milliseconds.
    void cancels() {
        QFETCH(std::string, json);
        QFETCH(std::string, text);
        const auto tokenizer = parse_tokenizer(json, "t.json");
        constexpr int patience = 100, at_most = 1100;
        QElapsedTimer timer;
        timer.start();
        QVERIFY_THROWS_EXCEPTION(Cancelled, tokenizer->encode(text, {}, cancelled_after(patience)));
        QVERIFY2(timer.elapsed() < at_most, qPrintable(QString::number(timer.elapsed())));
    }

    void cancels_decoding() {
        const auto tokenizer = parse_tokenizer(file(decoders(times(900, replace("a", "a", "Regex"), ", "))), "t.json");
        QElapsedTimer timer;
        timer.start();
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 tokenizer->decode(std::vector<std::int64_t>(million, 0), cancelled_after(100)));
        QVERIFY2(timer.elapsed() < 1100, qPrintable(QString::number(timer.elapsed())));
    }

    void cancels_opening() {
        const auto json =
            file("'added_tokens': [" + added("x", 3, true) + "], " +
                 normalizers(times(10, replace("x", "xxx"), ", ") + ", " + times(900, replace("x", "x"), ", ")));
        QElapsedTimer timer;
        timer.start();
        QVERIFY_THROWS_EXCEPTION(Cancelled, parse_tokenizer(json, "t.json", cancelled_after(100)));
        QVERIFY2(timer.elapsed() < 1100, qPrintable(QString::number(timer.elapsed())));
    }

    void a_call_that_is_cancelled_before_it_begins() {
        const auto tokenizer = parse_tokenizer(file(""), "t.json");
        const RunControl control{.cancelled = [] { return true; }};
        QVERIFY_THROWS_EXCEPTION(Cancelled, tokenizer->encode("a", {}, control));
        QVERIFY_THROWS_EXCEPTION(Cancelled, tokenizer->decode({0}, control));
    }
};

ATTNLAB_TEST(TestTokensLimits)
#include "test_tokens_limits.moc"

// Tokenizers beside what the `tokenizers` library of Hugging Face computes (tests/data/tokenizers).
#include "core/model/unread.h"
#include "core/tokens/parts.h"
#include "core/tokens/pattern.h"
#include "core/tokens/tokenizer.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using tokens::parse_tokenizer;

namespace {

QJsonValue ids_of(const std::vector<tokens::Token>& all) {
    QJsonArray ids;
    for (const auto& token : all)
        ids.append(static_cast<qint64>(token.id));
    return ids;
}

/// With the quotation marks of JSON. moc reads no raw strings.
std::string json_of(std::string text) {
    std::ranges::replace(text, '\'', '"');
    return text;
}

/// A tokenizer.json of words, with more members before the model.
std::string of_words(const std::string& members) {
    return json_of("{'added_tokens': [], " + members +
                   "'model': {'type': 'WordLevel', 'vocab': {'a': 0, 'b': 1, '?': 2}, 'unk_token': '?'}}");
}

std::vector<tokens::Match> find(const tokens::Pattern& pattern, std::string_view text) {
    const RunControl control;
    tokens::Budget budget(control);
    return pattern.find(text, budget);
}

std::string with_model(const std::string& model) { return json_of("{'model': " + model + "}"); }

/// The text of a tokenizer.json, with ' for ".
std::string tokenizer_called(const QString& name) {
    const auto added = [](const char* content) {
        return std::string("'added_tokens': [{'id': 0, 'content': '") + content +
               "', 'single_word': false, 'lstrip': false, 'rstrip': false, 'normalized': false, 'special': true}], ";
    };
    if (name == "bert")
        return "{" + added("[CLS]") + R"(
            'normalizer': {'type': 'BertNormalizer', 'clean_text': true, 'handle_chinese_chars': true,
                           'strip_accents': null, 'lowercase': true},
            'pre_tokenizer': {'type': 'BertPreTokenizer'},
            'post_processor': {'type': 'TemplateProcessing', 'single': [{'SpecialToken': {'id': '[CLS]', 'type_id': 0}},
                {'Sequence': {'id': 'A', 'type_id': 0}}], 'pair': [],
                'special_tokens': {'[CLS]': {'id': '[CLS]', 'ids': [0], 'tokens': ['[CLS]']}}},
            'model': {'type': 'WordPiece', 'unk_token': '[UNK]', 'continuing_subword_prefix': '##',
                      'max_input_chars_per_word': 100, 'vocab': {'[CLS]': 0, '##s': 1, '[UNK]': 2, 'fox': 3, 'Fox': 4,
                      'the': 5, 'e': 6, '\u00e9': 7, '\u4f60': 8}}})";
    if (name == "bytes")
        return R"({'pre_tokenizer': {'type': 'ByteLevel', 'add_prefix_space': false, 'trim_offsets': true},
            'model': {'type': 'BPE', 'vocab': {'b': 0, '\u0120': 1, '\u0120b': 2}, 'merges': [['\u0120', 'b']]}})";
    return "{" + added("<s>") + R"(
        'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'Prepend', 'prepend': '\u2581'},
            {'type': 'Replace', 'pattern': {'String': ' '}, 'content': '\u2581'}]},
        'model': {'type': 'BPE', 'fuse_unk': true, 'byte_fallback': true, 'unk_token': '<unk>',
            'vocab': {'<s>': 0, '<unk>': 1, '\u2581': 2, 'b': 3, '\u2581b': 4}, 'merges': [['\u2581', 'b']]}})";
}

} // namespace

class TestTokens : public QObject {
    Q_OBJECT

private slots:
    void as_the_library_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name :
             {"gemma", "gpt2", "llama2", "llama3", "neox", "qwen2", "roberta", "unigram", "wordpiece"})
            QTest::newRow(name) << QString(name);
    }
    void as_the_library() {
        QFETCH(QString, name);
        const auto tokenizer = tokens::read_tokenizer(data_path("tokenizers/" + name.toStdString() + ".json"));
        const auto cases =
            QJsonDocument::fromJson(data_bytes("tokenizers/" + name.toStdString() + ".expected.json")).array();
        QVERIFY(cases.size() > 30);
        for (const auto& value : cases) {
            const auto wanted = value.toObject();
            const auto text = wanted["text"].toString().toStdString(), pair = wanted["pair"].toString().toStdString();
            const auto all =
                tokenizer->encode(text, wanted.contains("pair") ? std::optional<std::string_view>(pair) : std::nullopt);
            QJsonArray texts, offsets, special, types;
            for (const auto& token : all) {
                texts.append(QString::fromStdString(token.text));
                offsets.append(QJsonArray{static_cast<qint64>(token.begin), static_cast<qint64>(token.end)});
                special.append(token.special ? 1 : 0);
                types.append(token.type);
            }
            QCOMPARE(ids_of(all), wanted["ids"]);
            QCOMPARE(QJsonValue(texts), wanted["tokens"]);
            for (const auto& [key, found] : {std::pair{"offsets", offsets}, {"special", special}, {"type_ids", types}})
                if (wanted.contains(key))
                    QCOMPARE(QJsonValue(found), wanted[key]);
        }
    }

    void refused_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& text, const QString& says) {
            QTest::newRow(name) << json_of(text) << "t.json: " + says;
        };
        row("normalizer", of_words("'normalizer': {'type': 'Foo'}, "), "normalizer: 'Foo' is unknown");
        row("within a sequence",
            of_words("'pre_tokenizer': {'type': 'Sequence', 'pretokenizers': [{'type': 'Foo'}]}, "),
            "pre_tokenizer.pretokenizers[0]: 'Foo' is unknown");
        row("post-processor", of_words("'post_processor': {'type': 'Foo'}, "), "post_processor: 'Foo' is unknown");
        row("decoder", of_words("'decoder': {'type': 'Foo'}, "), "decoder: 'Foo' is unknown");
        row("model", with_model("{'type': 'Foo'}"), "model: 'Foo' is unknown");
        row("no model", "{}", "'model' is missing");
        row("behaviour",
            of_words(
                "'pre_tokenizer': {'type': 'Split', 'pattern': {'String': 'x'}, 'behavior': 'Foo', 'invert': false}, "),
            "'pre_tokenizer.behavior' is \"Foo\", expected one of Removed");
        row("pattern", of_words("'normalizer': {'type': 'Replace', 'pattern': {'Regex': '(a'}, 'content': ''}, "),
            "normalizer.pattern: the pattern '(a' cannot be read near byte 2: a parenthesis is not closed");
        row("property",
            of_words("'normalizer': {'type': 'Replace', 'pattern': {'Regex': '\\\\p{Foo}'}, 'content': ''}, "),
            "normalizer.pattern: the pattern '\\p{Foo}' cannot be read near byte 7: \\p{Foo} is unknown");
        row("dropout", with_model("{'type': 'BPE', 'dropout': 0.1, 'vocab': {}, 'merges': []}"),
            "'model.dropout' is 0.1, expected null");
        row("merge of unknown tokens", with_model("{'type': 'BPE', 'vocab': {'a': 0}, 'merges': [['a', 'b']]}"),
            "model: a merge needs the token 'b', which is missing");
        row("merge of three", with_model("{'type': 'BPE', 'vocab': {'a': 0}, 'merges': ['a b c']}"),
            "'model.merges[0]' is \"a b c\", expected two tokens");
        row("same id", with_model("{'type': 'BPE', 'vocab': {'a': 0, 'b': 0}, 'merges': []}"),
            "model.vocab: the tokens 'a' and 'b' have the same id, 0");
        row("negative id", with_model("{'type': 'BPE', 'vocab': {'a': -1}, 'merges': []}"),
            "model.vocab: the token 'a' has the id -1, expected 0 to 4294967295");
        row("score", with_model("{'type': 'Unigram', 'unk_id': 0, 'vocab': [['a', 'inf']]}"),
            "model: the score of the token 'a' is inf");
        row("unk beyond", with_model("{'type': 'Unigram', 'unk_id': 3, 'vocab': [['a', 0]]}"),
            "model: the token for unknown characters is 3, and there are 1");
        row("id of an added token",
            "{'added_tokens': [{'id': 7, 'content': '<x>', 'single_word': false, 'lstrip': false, 'rstrip': false, "
            "'normalized': false, 'special': true}], 'model': {'type': 'BPE', 'vocab': {'a': 0}, 'merges': []}}",
            "'added_tokens[0].id' is 7, which is not the id that the token gets");
        row("charsmap", of_words("'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': 'AAAA'}, "),
            "normalizer: the table of characters is damaged");
        row("base 64", of_words("'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': '*'}, "),
            "normalizer: the text is not in base 64");
    }
    void refused() {
        QFETCH(std::string, text);
        QFETCH(QString, says);
        const auto error = error_of([&] { parse_tokenizer(text, "t.json"); });
        QVERIFY2(error.startsWith(says), qPrintable(error));
    }

    void texts_that_are_no_utf8() {
        const auto tokenizer = parse_tokenizer(of_words(""), "t.json");
        for (const auto* bad : {"\xff", "a\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80"})
            QCOMPARE(error_of([&] { tokenizer->encode(bad); }), "the text is not UTF-8");
    }

    void a_hostile_pattern_ends() {
        QElapsedTimer timer;
        timer.start();
        const auto pattern = tokens::Pattern::oniguruma("(?:(?:a|a)+)+$");
        const auto error = error_of([&] { find(pattern, std::string(40, 'a') + "b"); });
        QVERIFY2(error.contains("takes too many steps"), qPrintable(error));
        QVERIFY(timer.elapsed() < 60'000);
    }

    void long_texts_take_linear_time_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"gpt2", "llama2", "unigram", "wordpiece"})
            QTest::newRow(name) << QString(name);
    }
    /// A single word, and many.
    void long_texts_take_linear_time() {
        QFETCH(QString, name);
        const auto tokenizer = tokens::read_tokenizer(data_path("tokenizers/" + name.toStdString() + ".json"));
        std::string words;
        while (words.size() < 300'000)
            words += "the quick brown fox ";
        for (const auto& text : {words, std::string(300'000, 't')}) {
            QElapsedTimer timer;
            timer.start();
            const auto all = tokenizer->encode(text);
            QVERIFY(!all.empty());
            QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
        }
    }

    void patterns_of_oniguruma_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("matches");
        QTest::newRow("hexadecimal digits") << "\\h+"
                                            << "xyz0aF" << QStringList{"0aF"};
        QTest::newRow("repeated repeat") << "\\d{1,2}+"
                                         << "12345" << QStringList{"12345"};
        QTest::newRow("optional repeat") << "x{2}?y"
                                         << "xxy y" << QStringList{"xxy", "y"};
        QTest::newRow("range from 0") << "ax{,2}"
                                      << "axxx" << QStringList{"axx"};
        QTest::newRow("option alone") << "a(?i)b|c"
                                      << "aB aC" << QStringList{"aB", "aC"};
        QTest::newRow("dot and line feed") << "(?m:.+)"
                                           << "a\nb" << QStringList{"a\nb"};
        QTest::newRow("intersection") << "[a-z&&[^aeiou]]+"
                                      << "house" << QStringList{"h", "s"};
        QTest::newRow("marks are letters of words") << "\\w+"
                                                    << "e\u0301x \u00bd" << QStringList{"e\u0301x", "\u00bd"};
        QTest::newRow("punctuation with symbols") << "[[:punct:]]"
                                                  << "a$.\u2603" << QStringList{"$", ".", "\u2603"};
        QTest::newRow("punctuation") << "\\p{Punct}"
                                     << "a$.\u2603" << QStringList{"."};
        QTest::newRow("spaces") << "\\s"
                                << "\u180e\u0085\u3000" << QStringList{"\u0085", "\u3000"};
        QTest::newRow("script") << "\\p{Han}+"
                                << "ab\u4f60\u597d" << QStringList{"\u4f60\u597d"};
        // Within brackets numbers such as "²" are no letters of words, outside they are.
        QTest::newRow("word") << "\\w+"
                              << "a\u00bd \u00b2 b3" << QStringList{"a\u00bd", "\u00b2", "b3"};
        QTest::newRow("word as a property") << "\\p{Word}+"
                                            << "a\u00bd b" << QStringList{"a\u00bd", "b"};
        for (const char* in_brackets : {"[\\w]+", "[[:word:]]+", "[\\p{Word}]+", "[\\w&&[^\\-]]+"})
            QTest::newRow(in_brackets) << in_brackets << "a\u00bd \u00b2 b3" << QStringList{"a", "b3"};
        QTest::newRow("[^\\w\\s]") << "[^\\w\\s]+"
                                   << "a\u00bd\u00b2 b3!" << QStringList{"\u00bd\u00b2", "!"};
        QTest::newRow("[\\W]") << "[\\W]+"
                               << "a\u00bc b" << QStringList{"\u00bc "};
        QTest::newRow("endings") << "(?i:'s|'ll|[dm])|\\p{Ll}"
                                 << "X'S'LLaD" << QStringList{"'S", "'LL", "a", "D"};
        QTest::newRow("lines") << "^.|.$"
                               << "ab\ncd" << QStringList{"a", "b", "c", "d"};
    }
    void patterns_of_oniguruma() {
        QFETCH(QString, pattern);
        QFETCH(QString, text);
        const auto utf8 = text.toStdString();
        QStringList found;
        for (const auto& match : find(tokens::Pattern::oniguruma(pattern.toStdString()), utf8))
            if (match.matched)
                found << QString::fromStdString(utf8.substr(match.begin, match.end - match.begin));
        QTEST(found, "matches");
    }

    void patterns_that_could_differ_are_refused_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("says");
        // Oniguruma folds one character to several, and the properties within brackets.
        QTest::newRow("one for two") << "(?i)\u00df"
                                     << "near byte 4: without regard to case, only letters of ASCII are supported";
        QTest::newRow("two for one") << "(?i:essay)"
                                     << "near byte 5: without regard to case, these letters are also one";
        QTest::newRow("a code") << "(?i)\\x{df}"
                                << "only characters of ASCII may be written as numbers";
        QTest::newRow("a class") << "(?i:[[:upper:]])"
                                 << "this class of characters is not supported";
        QTest::newRow("a property") << "a(?i)b|[\\p{L}]"
                                    << "this class of characters is not supported";
        QTest::newRow("a range") << "(?i:[a-\u00ff])"
                                 << "only characters of ASCII are supported";
        QTest::newRow("no UTF-8") << QString() << "a pattern is not UTF-8";
    }
    void patterns_that_could_differ_are_refused() {
        QFETCH(QString, pattern);
        QFETCH(QString, says);
        const auto expression = pattern.isNull() ? std::string("a\xc3") : pattern.toStdString();
        const auto error = error_of([&] { tokens::Pattern::oniguruma(expression); });
        QVERIFY2(error.contains(says), qPrintable(error));
    }

    void decodes() {
        const auto gpt2 = tokens::read_tokenizer(data_path("tokenizers/gpt2.json"));
        for (const auto* text : {"The quick brown fox", "  naïve 你好 🙂\n", "<|endoftext|>"}) {
            std::vector<std::int64_t> ids;
            for (const auto& token : gpt2->encode(text))
                ids.push_back(token.id);
            QCOMPARE(gpt2->decode(ids), text);
        }
        QVERIFY(!gpt2->text_of(-1) && !gpt2->text_of(gpt2->size()));
        QCOMPARE(*gpt2->text_of(0), "<|endoftext|>");
    }

    void built_from_parts() {
        tokens::TokenizerParts parts;
        parts.name = "m.gguf";
        parts.kind = tokens::PartsKind::ScoredBpe;
        parts.tokens = {"<unk>", "<s>", "</s>", "<0xC3>", "<0xA9>", "\u2581", "a", "b", "ab", "\u2581ab"};
        parts.scores = {0, 0, 0, 0, 0, -3, -4, -5, -1, -2};
        using enum tokens::TokenType;
        parts.types = {Unknown, Control, Control, Byte, Byte, Normal, Normal, Normal, Normal, Normal};
        parts.bos = 1;
        parts.eos = 2;
        parts.unk = 0;
        parts.add_bos = true;
        QCOMPARE(ids_of(build_tokenizer(parts)->encode("ab é</s>")), QJsonValue(QJsonArray{1, 9, 5, 3, 4, 2}));
        parts.scores.pop_back();
        QCOMPARE(error_of([&] { build_tokenizer(parts); }),
                 "m.gguf: the vocabulary: there are 10 tokens, but 9 scores");
        parts.kind = tokens::PartsKind::ByteLevelBpe;
        parts.scores.clear();
        parts.tokens = {"1", "2", "12", "a", "a1"};
        parts.types = std::vector(parts.tokens.size(), Normal);
        parts.merges = {"1 2", "a 1"};
        parts.bos = parts.eos = parts.unk = {};
        parts.add_bos = false;
        parts.pre = "gpt-2";
        QCOMPARE(ids_of(build_tokenizer(parts)->encode("12a12")), QJsonValue(QJsonArray{2, 3, 2}));
        parts.pre = "smollm"; // each digit alone
        QCOMPARE(ids_of(build_tokenizer(parts)->encode("12a12")), QJsonValue(QJsonArray{0, 1, 3, 0, 1}));
        parts.eos = 10;
        QVERIFY(error_of([&] { build_tokenizer(parts); }).contains("a special token has the id 10"));
    }

    void vocabularies_of_folders() {
        const QTemporaryDir folder;
        const auto path = to_path(folder.path());
        QVERIFY(!tokens::find_tokenizer(path));
        put_file(folder.filePath("vocab.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nfox\n##es\n");
        QCOMPARE(ids_of(tokens::find_tokenizer(path)->encode("The FOXES x")), QJsonValue(QJsonArray{2, 5, 6, 7, 1, 3}));
        put_file(folder.filePath("tokenizer_config.json"),
                 QByteArray::fromStdString(json_of("{'do_lower_case': false}")));
        QCOMPARE(ids_of(tokens::find_tokenizer(path)->encode("The fox")), QJsonValue(QJsonArray{2, 1, 6, 3}));
        put_file(
            folder.filePath("vocab.json"),
            QByteArray::fromStdString(json_of("{'<s>': 0, '</s>': 1, 'a': 2, 'b': 3, 'ab': 4, '<|endoftext|>': 5}")));
        put_file(folder.filePath("merges.txt"), "#version: 0.2\na b\n");
        QVERIFY(error_of([&] { tokens::find_tokenizer(path); }).contains("says which tokenizer this is"));
        put_file(folder.filePath("config.json"), QByteArray::fromStdString(json_of("{'model_type': 'gpt2'}")));
        QCOMPARE(ids_of(tokens::find_tokenizer(path)->encode("aba")), QJsonValue(QJsonArray{4, 2}));
        put_file(folder.filePath("config.json"), QByteArray::fromStdString(json_of("{'model_type': 'roberta'}")));
        QCOMPARE(ids_of(tokens::find_tokenizer(path)->encode("aba")), QJsonValue(QJsonArray{0, 4, 2, 1}));
        put_file(folder.filePath("config.json"), QByteArray::fromStdString(json_of("{'model_type': 'foo'}")));
        QVERIFY(error_of([&] { tokens::find_tokenizer(path); }).contains("'foo' needs a tokenizer.json"));
    }

    void settings_beside_a_tokenizer_data() {
        QTest::addColumn<QString>("made");   // "bert", "bytes", "pieces"
        QTest::addColumn<QString>("config"); // tokenizer_config.json
        QTest::addColumn<QString>("text");
        QTest::addColumn<QJsonArray>("ids");
        QTest::addColumn<QString>("named"); // the keys that a user hears of
        const auto row = [](const char* name, const char* made, const char* config, const char* text, QJsonArray ids,
                            const char* named = "") { QTest::newRow(name) << made << config << text << ids << named; };
        const auto* bert = "{'tokenizer_class': 'BertTokenizer'}";
        row("as it stands", "bert", "{}", "Fox \u00e9", {0, 3, 6});
        row("the class's own defaults", "bert", bert, "Fox \u00e9", {0, 3, 6});
        row("case", "bert", "{'tokenizer_class': 'BertTokenizer', 'do_lower_case': false}", "Fox fox \u00e9",
            {0, 4, 3, 7});
        row("accents", "bert", "{'tokenizer_class': 'BertTokenizerFast', 'strip_accents': false}", "Fox \u00e9",
            {0, 3, 7});
        row("ideographs", "bert", "{'tokenizer_class': 'BertTokenizer', 'tokenize_chinese_chars': false}",
            "\u4f60\u4f60", {0, 2});
        row("another class", "bert", "{'tokenizer_class': 'PreTrainedTokenizerFast', 'do_lower_case': false}", "Fox",
            {0, 3}, "do_lower_case");
        row("another class, the same", "bert", "{'do_lower_case': true, 'add_prefix_space': false}", "Fox", {0, 3});
        row("a special token", "bert", "{'mask_token': '<zz>'}", "fox <zz>", {0, 3, 9});
        row("extra tokens", "bert", "{'additional_special_tokens': ['<yy>', '<zz>'], 'sep_token': '<ww>'}",
            "<ww><yy><zz>", {0, 9, 10, 11});
        row("extra tokens by name", "bert", "{'extra_special_tokens': {'image_token': '<zz>'}}", "<zz>", {0, 9});
        row("a token of another kind", "bert", "{'image_token': '<zz>'}", "<zz>", {0, 9});
        row("added tokens", "bert", "{'added_tokens_decoder': {'10': {'content': '<zz>'}, '9': {'content': '<yy>'}}}",
            "<zz><yy>", {0, 10, 9});
        row("added tokens with another id", "bert", "{'added_tokens_decoder': {'12': {'content': '<zz>'}}}", "<zz>",
            {0, 9}, "added_tokens_decoder");
        row("spaces of an added token", "bert",
            "{'added_tokens_decoder': {'0': {'content': '[CLS]', 'special': true, 'normalized': false}}}", "[CLS]",
            {0, 0});
        row("special tokens are text", "bert", "{'split_special_tokens': true}", "[CLS]", {0, 2, 2, 2});
        row("ends", "bert", "{'bos_token': '[CLS]', 'eos_token': '[CLS]', 'add_bos_token': true}", "fox", {0, 3});
        row("another end", "bert",
            "{'eos_token': '[CLS]', 'cls_token': '<zz>', 'bos_token': '<zz>', "
            "'add_bos_token': true}",
            "fox", {0, 3}, "add_bos_token");
        row("no ends", "bert", "{'bos_token': '[CLS]', 'add_bos_token': false}", "fox", {0, 3}, "add_bos_token");
        row("another first token", "bert", "{'tokenizer_class': 'BertTokenizer', 'cls_token': '<zz>'}", "fox", {0, 3},
            "cls_token");
        row("a class of other parts", "bert", "{'tokenizer_class': 'GPT2Tokenizer'}", "fox", {0, 3}, "tokenizer_class");
        row("of batches", "bert", "{'model_max_length': 8, 'padding_side': 'left', 'chat_template': 'x'}", "fox",
            {0, 3});
        row("unheard of", "bert", "{'unheard_of': 3}", "fox", {0, 3}, "unheard_of");
        row("bytes", "bytes", "{}", "b b", {0, 2});
        row("a space before bytes", "bytes", "{'tokenizer_class': 'GPT2Tokenizer', 'add_prefix_space': true}", "b b",
            {2, 2});
        row("a space that stays out", "bytes", "{'add_prefix_space': true}", "b b", {0, 2}, "add_prefix_space");
        row("pieces", "pieces", "{}", "b<s>b", {4, 0, 4});
        row("pieces begin once", "pieces", "{'tokenizer_class': 'LlamaTokenizer'}", "b<s>b", {4, 0, 3});
        row("pieces of old", "pieces", "{'tokenizer_class': 'LlamaTokenizer', 'legacy': true}", "b<s>b", {4, 0, 4});
        row("pieces without a space", "pieces", "{'tokenizer_class': 'LlamaTokenizer', 'add_prefix_space': false}",
            "b<s>b", {3, 0, 3});
    }

    void settings_beside_a_tokenizer() {
        QFETCH(const QString, made);
        QFETCH(const QString, config);
        QFETCH(const QString, text);
        QFETCH(const QJsonArray, ids);
        QFETCH(const QString, named);
        const QTemporaryDir folder;
        put_file(folder.filePath("tokenizer.json"), QByteArray::fromStdString(json_of(tokenizer_called(made))));
        put_file(folder.filePath("tokenizer_config.json"), QByteArray::fromStdString(json_of(config.toStdString())));
        model::Unread unread;
        const auto tokenizer = model::open_tokenizer(to_path(folder.path()), unread);
        QCOMPARE(ids_of(tokenizer->encode(text.toStdString())), QJsonValue(ids));
        QStringList said;
        for (const auto& entry : unread.settings)
            if (entry.is_said)
                said << QString::fromStdString(entry.name);
        QCOMPARE(said.join(","), named);
    }

    /// Without tokenizer_config.json, AutoTokenizer takes the class from config.json.
    void a_class_of_other_parts_is_named_with_its_file() {
        const auto said = [](const char* config) {
            const QTemporaryDir folder;
            put_file(folder.filePath("tokenizer.json"), QByteArray::fromStdString(json_of(tokenizer_called("pieces"))));
            put_file(folder.filePath("config.json"), QByteArray::fromStdString(json_of(config)));
            model::Unread unread;
            model::open_tokenizer(to_path(folder.path()), unread);
            QStringList lines;
            for (const auto& entry : unread.settings)
                if (entry.is_said)
                    lines << QString::fromStdString(entry.file + " " + entry.name + " " + entry.value);
            return lines.join(",");
        };
        QCOMPARE(said("{'model_type': 'qwen2'}"), "config.json model_type qwen2");
        QCOMPARE(said("{'model_type': 'qwen2', 'tokenizer_class': 'PreTrainedTokenizer'}"),
                 "config.json model_type qwen2");
        QCOMPARE(said("{'model_type': 'qwen3', 'tokenizer_class': 'GPT2Tokenizer'}"),
                 "config.json tokenizer_class GPT2Tokenizer");
        QCOMPARE(said("{'model_type': 'olmo'}"), "");
    }

    void settings_that_cannot_be_applied_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* file, const char* content, const char* error) {
            QTest::newRow(name) << file << content << error;
        };
        const auto *config = "tokenizer_config.json", *json = "tokenizer.json";
        row("of tokens", config, "{'split_letters': true}", "'split_letters' is true, which is not supported");
        row("no number", config, "{'added_tokens_decoder': {'x': {'content': '<zz>'}}}", "an id as its key");
        row("no flag", config, "{'split_special_tokens': 3}", "split_special_tokens");
        row("too many", config, "{'tokenizer_class': 'T5Tokenizer', 'extra_ids': 100000}", "extra_ids");
        row("a part", json, "{'model': {'type': 'WordLevel', 'vocab': {'a': 0}, 'unk_token': 'a', 'novelty': 3}}",
            "'model.novelty' is 3, which AttnLab does not read");
        row("a normalizer", json,
            "{'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'NFC', 'novelty': true}]}, "
            "'model': {'type': 'WordLevel', 'vocab': {'a': 0}, 'unk_token': 'a'}}",
            "'normalizer.normalizers[0].novelty' is true");
    }

    void settings_that_cannot_be_applied() {
        QFETCH(const QString, file);
        QFETCH(const QString, content);
        QFETCH(const QString, error);
        const QTemporaryDir folder;
        put_file(folder.filePath("tokenizer.json"), QByteArray::fromStdString(json_of(tokenizer_called("bert"))));
        put_file(folder.filePath(file), QByteArray::fromStdString(json_of(content.toStdString())));
        model::Unread unread;
        const auto got = error_of([&] { model::open_tokenizer(to_path(folder.path()), unread); });
        QVERIFY2(got.contains(error), qPrintable(got));
    }

    void members_without_a_part_in_tokens_are_named() {
        const QTemporaryDir folder;
        put_file(folder.filePath("tokenizer.json"), QByteArray::fromStdString(json_of(R"({
            'truncation': {'max_length': 3}, 'novelty': 1, 'decoder': {'type': 'ByteLevel', 'other': 2},
            'model': {'type': 'WordLevel', 'vocab': {'a': 0}, 'unk_token': 'a', 'novelty': null}})")));
        model::Unread unread;
        QVERIFY(model::open_tokenizer(to_path(folder.path()), unread));
        QStringList all, said;
        for (const auto& entry : unread.settings)
            (entry.is_said ? said : all) << QString::fromStdString(entry.name);
        QCOMPARE(said, QStringList({"novelty", "decoder.other"}));
        QCOMPARE(all, QStringList({"truncation"}));
    }
};

ATTNLAB_TEST(TestTokens)
#include "test_tokens.moc"

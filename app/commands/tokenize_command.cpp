// Implements `attnlab tokenize`: the tokens that a model's tokenizer makes of a text.
#include "app/command_table.h"
#include "app/model_options.h"
#include "app/output.h"
#include "app/parse.h"
#include "app/spec_options.h"
#include "core/model/model.h"
#include "core/model/unread.h"
#include "core/tokens/tokenizer.h"
#include "ui/document/local_files.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <filesystem>

namespace attnlab::app {
namespace {

constexpr std::int64_t largest_tokenized_text = std::int64_t{1} << 28;

/// A folder, or a tokenizer.json. A .gguf has its vocabulary inside.
std::shared_ptr<const tokens::Tokenizer> openTokenizer(const QString& name) {
    const auto path = modelPath(name);
    std::error_code ignored;
    if (path.extension() == ".gguf") {
        if (auto tokenizer = model::open_gguf_model(path).tokenizer())
            return tokenizer;
        throw Error({ATTNLAB_TEXT("%1: has no tokenizer"), {name.toStdString()}});
    }
    if (!std::filesystem::is_directory(path, ignored))
        return tokens::read_tokenizer(path);
    model::Unread unread;
    auto tokenizer = model::open_tokenizer(path, unread);
    for (const auto& note : unread.notes())
        printError("attnlab: note: " + note.english());
    if (tokenizer)
        return tokenizer;
    throw Error({ATTNLAB_TEXT("%1: has no tokenizer.json, no vocab.json beside merges.txt, and no vocab.txt"),
                 {name.toStdString()}});
}

std::string readText(const QCommandLineParser& parser) {
    if (parser.isSet("text") == parser.isSet("text-file"))
        throw UsageError("tokenize: needs --text or --text-file");
    return givenText(parser, largest_tokenized_text);
}

/// In parts, since a QJsonArray of millions of objects takes gigabytes.
void printAsJson(const std::vector<tokens::Token>& all) {
    constexpr qsizetype at_once = 1000;
    writeOut("[");
    QJsonArray list;
    const char* separator = "";
    const auto flush = [&] {
        const auto lines = QJsonDocument(list).toJson(); // "[\n ... \n]\n"
        writeOut(separator + lines.sliced(1, lines.size() - 4).toStdString());
        separator = ",";
        list = {};
    };
    for (const auto& token : all) {
        list.append(QJsonObject{{"id", static_cast<qint64>(token.id)},
                                {"token", QString::fromStdString(token.text)},
                                {"start", static_cast<qint64>(token.begin)},
                                {"end", static_cast<qint64>(token.end)},
                                {"special", token.special}});
        if (list.size() == at_once)
            flush();
    }
    if (!list.isEmpty())
        flush();
    writeOut("\n]\n");
}

void printAsTable(const std::vector<tokens::Token>& all) {
    printOut("%6s %8s %10s %5s  %s\n", "", "id", "place", "type", "token");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& token = all[i];
        const auto place =
            token.special ? std::string("-") : std::to_string(token.begin) + ":" + std::to_string(token.end);
        printOut("%6zu %8lld %10s %5d  %s\n", i, static_cast<long long>(token.id), place.c_str(), token.type,
                 oneLine(token.text).c_str());
    }
}

} // namespace

int tokenizeCommand(const QStringList& arguments) {
    CommandParser parser;
    parser.setApplicationDescription("Shows the tokens of a text by a model's tokenizer, including special tokens. "
                                     "Positions count the code points of "
                                     "the text; the pair has its own.");
    parser.addPositionalArgument("PATH", "The folder of a model, sample, or a tokenizer.json.", "tokenize PATH");
    parser.addOptions({{"text", "The text.", "TEXT"},
                       {"text-file", "A file in UTF-8 that holds the text.", "FILE"},
                       {"pair", "A second text, for models that read two.", "TEXT"},
                       {"json", "Print a list of {\"id\", \"token\", \"start\", \"end\", \"special\"}."}});
    if (!parse(parser, arguments))
        return 0;
    const auto paths = parser.positionalArguments();
    if (paths.size() != 1)
        throw UsageError("tokenize: needs one PATH, has " + std::to_string(paths.size()));
    const auto text = readText(parser);
    const auto tokenizer = openTokenizer(paths.first());
    const auto pair = parser.value("pair").toStdString();
    const auto all =
        tokenizer->encode(text, parser.isSet("pair") ? std::optional<std::string_view>(pair) : std::nullopt);
    if (parser.isSet("json"))
        printAsJson(all);
    else
        printAsTable(all);
    return 0;
}

} // namespace attnlab::app

#include "app/spec_options.h"

#include "core/flash/refusals.h"
#include "core/inputs.h"
#include "core/io/workspace.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/variants.h"
#include "ui/file_name.h"

#include <QProcess>

#include <cmath>
#include <filesystem>
#include <limits>

namespace attnlab::app {
namespace {

/// What the engine says of an option is a wrong command line, not bad data.
template <class Read>
auto fromOption(Read read) {
    try {
        return read();
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

ParameterValues readSettings(const QStringList& settings, const Variant& variant) {
    ParameterValues values;
    for (const auto& setting : settings) {
        const auto equals = setting.indexOf(QLatin1Char('='));
        if (equals <= 0)
            throw UsageError("--set: has '" + setting.toStdString() + "', expected NAME=VALUE");
        const auto name = setting.left(equals).toStdString();
        const auto text = setting.mid(equals + 1).toStdString();
        const Parameter* declared = nullptr;
        for (const auto& parameter : variant.parameters)
            if (parameter.name == name)
                declared = &parameter;
        if (!declared) { // with_defaults knows how to say it
            values.set(name, text);
            with_defaults(variant.parameters, values, variant.id);
        }
        values.set(name, parse_value(*declared, text, variant.id));
    }
    return values;
}

double readFill(const QString& text) {
    if (text == QLatin1String("-inf"))
        return -std::numeric_limits<double>::infinity();
    bool ok = false;
    const double value = text.toDouble(&ok);
    if (!ok || !std::isfinite(value))
        throw UsageError("--mask-fill: has '" + text.toStdString() + "', expected -inf or a finite number");
    return value;
}

template <class Value>
Value readWord(const char* option, const QString& text, std::pair<const char*, Value> first,
               std::pair<const char*, Value> second) {
    for (const auto& [word, value] : {first, second})
        if (text == QLatin1String(word))
            return value;
    throw UsageError(std::string(option) + ": has '" + text.toStdString() + "', expected " + first.first + " or " +
                     second.first);
}

/// A mask or position, or nothing for "none".
std::optional<Selection> orNone(const QString& text, Selection (*parse)(std::string_view)) {
    if (text == QLatin1String("none"))
        return std::nullopt;
    try {
        return parse(text.toStdString());
    } catch (const Error& error) {
        const std::string what = error.what();
        throw UsageError(what.find("is not one of") == std::string::npos ? what : what + ", none");
    }
}

KeyGrid readGrid(const QString& text) {
    const auto parts = text.split(QLatin1Char('x'));
    bool high = false, wide = false;
    const KeyGrid grid{parts.value(0).toLongLong(&high), parts.value(1).toLongLong(&wide)};
    constexpr std::int64_t longest = std::int64_t{1} << 30; // the product stays within 64 bits
    if (parts.size() != 2 || !high || !wide || grid.rows < 1 || grid.columns < 1 || grid.rows > longest ||
        grid.columns > longest)
        throw UsageError("--key-grid: has '" + text.toStdString() + "', expected ROWSxCOLUMNS, integers from 1");
    return grid;
}

void mergeFile(AttentionProblem& problem, const std::filesystem::path& path) {
    auto read = io::read_problem(path);
    for (auto& [name, tensor] : read.tensors)
        if (!problem.tensors.emplace(name, std::move(tensor)).second)
            throw Error({ATTNLAB_TEXT("%1: is given twice, the second time by %2"), {name, path.string()}});
    if (read.spec != AttentionSpec{})
        problem.spec = std::move(read.spec);
    if (!read.query_tokens.empty())
        problem.query_tokens = std::move(read.query_tokens);
    if (!read.key_tokens.empty())
        problem.key_tokens = std::move(read.key_tokens);
    if (read.key_grid)
        problem.key_grid = read.key_grid;
    if (read.compared_with)
        problem.compared_with = std::move(read.compared_with);
}

void applyOptions(const QCommandLineParser& parser, AttentionSpec& spec) {
    if (parser.isSet("variant")) {
        const auto id = parser.value("variant").toStdString();
        if (id != spec.variant)
            spec.parameters = {};
        spec.variant = id;
    }
    const auto& chosen = variant(spec.variant);
    const auto settings = readSettings(parser.values("set"), chosen);
    for (const auto& [name, value] : settings.all())
        spec.parameters.set(name, value);
    if (parser.isSet("scale"))
        spec.scale = parse_scale(parser.value("scale").toStdString());
    if (parser.isSet("scale-after-softmax"))
        spec.scale_after_softmax = true;
    if (parser.isSet("position"))
        spec.position = orNone(parser.value("position"), parse_position).value_or(Selection{});
    if (parser.isSet("mask")) {
        spec.masks.clear();
        for (const auto& text : parser.values("mask"))
            if (auto mask = orNone(text, parse_mask))
                spec.masks.push_back(std::move(*mask));
    }
    if (parser.isSet("mask-fill"))
        spec.mask_fill.value = readFill(parser.value("mask-fill"));
    if (parser.isSet("mask-fill-mode"))
        spec.mask_fill.mode =
            readWord("--mask-fill-mode", parser.value("mask-fill-mode"), std::pair{"replace", MaskFill::Mode::Replace},
                     std::pair{"add", MaskFill::Mode::Add});
    if (parser.isSet("mask-true"))
        spec.mask_true = readWord("--mask-true", parser.value("mask-true"), std::pair{"blocks", MaskTrue::Blocks},
                                  std::pair{"keeps", MaskTrue::Keeps});
    if (parser.isSet("statistics"))
        spec.statistics = true;
    check_spec(spec);
}

/// What a setting consists of: the options of A, and within the text of --with those of B.
void addSettingOptions(CommandParser& parser) {
    parser.addOptions({
        {"variant", "The mechanism; 'attnlab list' shows them. Default: what the arrays fit.", "ID"},
        {"set", "A parameter of the mechanism; may be given several times.", "NAME=VALUE"},
        {"scale", "The scale mode, with its value where it has one: temperature:0.7.", "ID[:VALUE]"},
        {"scale-after-softmax", "Multiply the weights instead of the scores."},
        {"position", "Where tokens stand: none, or a term with its values where it has some: rope:base=500000.",
         "ID[:VALUE]"},
        {"mask",
         "A mask, with its value where it has one: window:4; may be given several times; none takes a workspace's "
         "away.",
         "ID[:ARG]"},
        {"mask-fill", "What stands in a blocked cell: -inf (default) or a number.", "F"},
        {"mask-fill-mode", "replace (default) the score by the fill, or add the fill to it.", "MODE"},
        {"mask-true", "What True means in attn_mask: blocks (default) or keeps.", "MEANING"},
        {"statistics", "Add entropy, effective_keys, max_weight and jacobian_norm of each row."},
    });
}

/// Labels or a grid for other tokens than these would stand in the wrong places.
void checkTokenOptions(const QCommandLineParser& parser, const AttentionProblem& problem) {
    Bindings sizes;
    try {
        sizes = bind(problem);
    } catch (const Error&) {
        return; // the run says what is wrong
    }
    const auto check = [&](const char* option, std::int64_t given, const char* symbol, const char* each) {
        const auto size = sizes.find(symbol);
        if (parser.isSet(option) && size != sizes.end() && given != size->second)
            throw UsageError("--" + std::string(option) + ": has " + std::to_string(given) + ", expected " +
                             std::to_string(size->second) + ", one for each " + each);
    };
    check("tokens", static_cast<std::int64_t>(problem.query_tokens.size()), "L", "query");
    check("key-tokens", static_cast<std::int64_t>(problem.key_tokens.size()), "S", "key");
    if (problem.key_grid)
        check("key-grid", problem.key_grid->rows * problem.key_grid->columns, "S", "key");
}

} // namespace

void addSpecOptions(CommandParser& parser) {
    addSettingOptions(parser);
    parser.addOptions({
        {"tokens", "Labels of the queries, separated by blanks.", "WORDS"},
        {"key-grid", "How keys that come from an image lie in it.", "ROWSxCOLUMNS"},
        {"key-tokens", "Labels of the keys, where they are not the queries.", "WORDS"},
    });
}

AttentionProblem readProblem(const QCommandLineParser& parser, const QStringList& files) {
    if (files.isEmpty())
        throw UsageError("no input: expected the arrays' files (.npz, .npy, .safetensors, .pt, .csv, .tsv)");
    // Options first: a wrong one is found without reading gigabytes.
    if (AttentionSpec probe; parser.isSet("variant"))
        fromOption([&] { applyOptions(parser, probe); });

    AttentionProblem problem;
    for (const auto& file : files)
        mergeFile(problem, ui::toPath(file));
    if (!parser.isSet("variant") && problem.spec == AttentionSpec{})
        if (auto fitting = spec_for(problem.tensors))
            problem.spec = std::move(*fitting);
    fromOption([&] { applyOptions(parser, problem.spec); });
    const auto words = [&](const char* option, std::vector<std::string>& labels) {
        if (!parser.isSet(option))
            return;
        labels.clear();
        for (const auto& word : parser.value(option).split(QLatin1Char(' '), Qt::SkipEmptyParts))
            labels.push_back(word.toStdString());
    };
    if (parser.isSet("key-grid"))
        problem.key_grid = readGrid(parser.value("key-grid"));
    words("tokens", problem.query_tokens);
    words("key-tokens", problem.key_tokens);
    if (parser.isSet("tokens") || parser.isSet("key-tokens") || parser.isSet("key-grid"))
        checkTokenOptions(parser, problem);
    return problem;
}

void checkTiles(const QCommandLineParser& parser, const AttentionProblem& problem) {
    const auto refused = flash::refused_choice(problem);
    if (!refused)
        return;
    const auto options = [&]() -> QStringList {
        switch (refused->choice) {
        case flash::Choice::Variant:
            return {"variant"};
        case flash::Choice::Parameters:
            return {"set"};
        case flash::Choice::Scale:
            return {"scale"};
        case flash::Choice::Position:
            return {"position"};
        case flash::Choice::Masks:
            return {"mask"};
        case flash::Choice::MaskFill:
            return {"mask-fill", "mask-fill-mode"};
        case flash::Choice::Statistics:
            return {"statistics"};
        }
        return {};
    }();
    for (const auto& option : options)
        if (parser.isSet(option))
            throw UsageError("--" + option.toStdString() + ": " + refused->why.english());
    throw Error(refused->why);
}

void addCompareOption(CommandParser& parser) {
    parser.addOption({"with",
                      "Setting B: options that replace those of A, in one text: \"--scale none --mask window:4\".",
                      "OPTIONS"});
}

void readComparedSetting(const QCommandLineParser& parser, AttentionProblem& problem) {
    if (!parser.isSet("with"))
        return;
    CommandParser options;
    addSettingOptions(options);
    const auto words = QStringList{QStringLiteral("with")} + QProcess::splitCommand(parser.value("with"));
    if (!options.parse(words))
        throw UsageError("--with: " + options.errorText().toStdString());
    if (const auto others = options.positionalArguments(); !others.isEmpty())
        throw UsageError("--with: has '" + others.first().toStdString() + "', expected options alone");
    auto spec = problem.spec;
    try {
        fromOption([&] { applyOptions(options, spec); });
    } catch (const UsageError& error) {
        throw UsageError("--with: " + std::string(error.what()));
    }
    problem.compared_with = std::move(spec);
}

} // namespace attnlab::app

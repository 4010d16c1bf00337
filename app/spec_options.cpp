// Reads the options of a setting (mechanism, masks, scale, position), and reports on standard error what has no effect.
#include "app/spec_options.h"

#include "app/model_options.h"
#include "app/output.h"
#include "app/parse.h"
#include "core/flash/unsupported_reasons.h"
#include "core/inputs.h"
#include "core/io/file_formats.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/recognition/layout.h"
#include "core/recognition/recognition.h"
#include "core/resolved_problem.h"
#include "core/rounding.h"
#include "core/stages/decay.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/sliding_window.h"
#include "core/stages/view.h"
#include "ui/document/local_files.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <QCommandLineParser>
#include <QProcess>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace attnlab::app {

/// Every decision between alternatives, and every unused array, one line each; many arrays unused for one reason share
/// a line.
void reportArrays(const Recognition& recognition, const AttentionProblem& problem);

/// Options about masks, and parameters, that have no effect in any of the settings: this depends on the files, so it is
/// not a usage error. `within` precedes their names: "--with: ".
void reportIdleSetting(const QCommandLineParser& parser, const std::vector<AttentionSpec>& settings,
                       const std::string& within = {});
/// The same for the options of a command, which also apply to its setting B.
void reportIdleOptions(const QCommandLineParser& parser, const AttentionProblem& problem);

namespace {

bool readsFill(const AttentionSpec& spec) {
    return mechanism_of(spec.variant).fills_own_mask ||
           std::any_of(spec.masks.begin(), spec.masks.end(),
                       [](const Selection& mask) { return !mask_kind(mask.id).adds; });
}

/// The condition under which a parameter is read, where no setting that has it meets it; empty otherwise.
std::string idleBecause(const std::string& name, const std::vector<AttentionSpec>& settings) {
    std::string condition;
    for (const auto& spec : settings)
        for (const auto& parameter : mechanism_of(spec.variant).parameters) {
            if (parameter.name != name)
                continue;
            if (holds(parameter.when, mechanism_of(spec.variant).parameters, spec.parameters))
                return {};
            condition = parameter.when;
        }
    return condition;
}

bool readsMaskTrue(const AttentionSpec& spec) { return find_mask(spec.masks, &MaskKind::uses_mask_true) != nullptr; }

} // namespace

void reportArrays(const Recognition& recognition, const AttentionProblem& problem) {
    const auto say = [](const char* kind, const std::string& what) {
        printError("attnlab: " + std::string(kind) + ": " + what);
    };
    for (const auto& note : recognition.notes)
        say("note", note.english());
    for (const auto& use : read_arrays(recognition, problem))
        if (!use.how.empty())
            say("note", use.file + ": " + use.name + " " + to_string(use.shape) + ": " + use.how.english());
    auto unused = recognition.unused;
    const auto unread = unread_arrays(recognition, problem);
    unused.insert(unused.end(), unread.begin(), unread.end());
    // A capture has many passes, of which one is chosen: the others are no mistake.
    std::erase_if(unused, [](const UnusedArray& array) {
        return array.why.english() == "belongs to another pass of the capture";
    });
    for (const auto& group : grouped(unused)) {
        constexpr std::size_t most = 3;
        const auto names = listed(std::span(group.names).first(std::min(group.names.size(), most)));
        if (group.names.size() == 1)
            say("warning", group.file + ": " + names + " is not used: " + group.why.english());
        else
            say("warning", group.file + ": " + names + " and " + std::to_string(group.names.size() - most) +
                               " more are not used ('attnlab info' lists them); each: " + group.why.english());
    }
}

bool usesOffset(const AttentionSpec& spec) {
    const auto implied = mechanism_of(spec.variant).implied_mask;
    return find_input(expression_inputs(spec), query_offset_input.name) || uses_positions(spec.masks) ||
           !spec.position.id.empty() || implies_order(spec) || (!implied.empty() && mask_kind(implied).band);
}

void reportIdleSetting(const QCommandLineParser& parser, const std::vector<AttentionSpec>& settings,
                       const std::string& within) {
    const auto warn = [&](const char* option, bool (*reads)(const AttentionSpec&), const char* why) {
        if (parser.isSet(option) && std::none_of(settings.begin(), settings.end(), reads))
            printError("attnlab: warning: " + within + "--" + option + " has no effect: " + why);
    };
    warn("mask-fill", readsFill, "no mask blocks a cell");
    warn("mask-fill-mode", readsFill, "no mask blocks a cell");
    warn("query-offset", usesOffset, "no mask and no position uses it");
    warn(
        "mask-combine",
        [](const AttentionSpec& spec) {
            return combines_otherwise(spec) || names_in_combination(spec.masks).size() > 1;
        },
        "fewer than two masks block cells");
    warn("mask-true", readsMaskTrue, "no attn_mask is read");
    for (const auto& assignment : parser.values("set"))
        if (const auto condition = idleBecause(assignment.section('=', 0, 0).toStdString(), settings);
            !condition.empty())
            printError("attnlab: warning: " + within + "--set " + assignment.toStdString() +
                       " has no effect: it is read with " + condition);
}

void reportIdleOptions(const QCommandLineParser& parser, const AttentionProblem& problem) {
    const auto given = parser.optionNames();
    std::vector<AttentionSpec> settings{problem.spec};
    if (given.contains(QLatin1String("with")) && problem.compared_with)
        settings.push_back(*problem.compared_with); // messages for A apply to B too
    reportIdleSetting(parser, settings);
    const auto reads_grid = [](const AttentionSpec& spec) {
        return std::ranges::any_of(spec.masks, [](const Selection& mask) { return mask_kind(mask.id).needs_key_grid; });
    };
    if (given.contains(QLatin1String("key-grid")) && !given.contains(QLatin1String("row")) &&
        std::ranges::none_of(settings, reads_grid))
        printError("attnlab: warning: --key-grid has no effect: it is for the mask neighborhood, and for render --row, "
                   "which draws a row of weights on it");
}

namespace {

/// Turns the engine's errors about an option into usage errors.
template <class Read>
auto fromOption(Read read) {
    try {
        return read();
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

bool declares(const Mechanism& variant, std::string_view name) {
    return std::any_of(variant.parameters.begin(), variant.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name == name; });
}

/// The number of heads also applies to arrays, whatever mechanism reads them.
bool isHeadCount(std::string_view name) { return name == "num_heads" || name == "num_kv_heads"; }

/// `heads_read`: the numbers of heads are already in use.
ParameterValues readSettings(const QStringList& settings, const Mechanism& variant, bool heads_read) {
    ParameterValues values;
    for (const auto& setting : settings) {
        const auto equals = setting.indexOf(QLatin1Char('='));
        if (equals <= 0)
            throw UsageError("--set: has '" + setting.toStdString() + "', expected NAME=VALUE");
        const auto name = setting.left(equals).toStdString();
        const auto text = setting.mid(equals + 1).toStdString();
        if (values.find(name))
            throw UsageError("--set: " + name + " is given twice");
        if (heads_read && isHeadCount(name) && !declares(variant, name))
            continue;
        const Parameter* declared = nullptr;
        for (const auto& parameter : variant.parameters)
            if (parameter.name == name)
                declared = &parameter;
        if (!declared) { // with_defaults throws the message
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

/// A mask or position, or nullopt for "none".
template <class Result>
std::optional<Result> orNone(const QString& text, Result (*parse)(std::string_view)) {
    if (text == QLatin1String("none"))
        return std::nullopt;
    try {
        return parse(text.toStdString());
    } catch (const UnknownName& error) {
        throw UsageError(error.what() + std::string(", none"));
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

KeyGrid readGrid(const QString& text) {
    const auto parts = text.split(QLatin1Char('x'));
    bool high = false, wide = false;
    const KeyGrid grid{parts.value(0).toLongLong(&high), parts.value(1).toLongLong(&wide)};
    constexpr std::int64_t longest = std::int64_t{1} << 30; // keeps the product within 64 bits
    if (parts.size() != 2 || !high || !wide || grid.rows < 1 || grid.columns < 1 || grid.rows > longest ||
        grid.columns > longest)
        throw UsageError("--key-grid: has '" + text.toStdString() + "', expected ROWSxCOLUMNS, integers from 1");
    return grid;
}

std::int64_t readOffset(const QString& text) {
    bool ok = false;
    const auto offset = text.toLongLong(&ok);
    if (!ok)
        throw UsageError("--query-offset: has '" + text.toStdString() + "', expected an integer");
    return offset;
}

/// The texts of --mask, and those of --mask-expression as masks.
QStringList masksOf(const QCommandLineParser& parser) {
    auto texts = parser.values("mask");
    for (const auto& expression : parser.values("mask-expression"))
        texts << QStringLiteral("expression:") + expression;
    return texts;
}

/// A sliding window counts as one mask where masks are combined: a window of its reach.
std::vector<Selection> parseCombinedMasks(std::string_view text) {
    auto masks = parse_masks(text);
    const auto keys = masks.size() > 1 ? sliding_window_of(masks) : std::nullopt;
    if (keys)
        return {parse_mask("window:" + std::to_string(*keys - 1) + ",0")};
    return masks;
}

/// --mask-combine with the names that masks have in a setting.
std::string readCombination(const QString& text, const QStringList& masks) {
    std::vector<std::pair<std::string, std::string>> names;
    int windows = 0, sliding = 0;
    for (const auto& mask : masks) {
        const auto id = mask.section(':', 0, 0);
        const bool slides = id == QLatin1String(sliding_window_id.data());
        if (!slides && id != QLatin1String("window"))
            continue;
        const auto name = [](const std::string& of, int count) {
            return count > 1 ? of + "_" + std::to_string(count) : of;
        };
        const auto as_window = name("window", ++windows);
        sliding += slides ? 1 : 0;
        names.emplace_back(slides ? name(std::string(sliding_window_id), sliding) : name("window", windows - sliding),
                           as_window);
    }
    return parse_combination(with_renamed_words(text.toStdString(), names));
}

/// "none" removes that of a workspace.
std::string readScoreMod(const QString& text) {
    return text == QLatin1String("none") ? std::string() : text.toStdString();
}

/// The masks of --mask and those whose arrays are in the files, unless --mask includes "none". `combined`: by
/// --mask-combine.
std::vector<Selection> readMasks(const QStringList& texts, const std::vector<Selection>& file_masks, bool combined) {
    std::vector<Selection> masks;
    bool none = false;
    for (const auto& text : texts) {
        const auto read = orNone(text, combined ? parseCombinedMasks : parse_masks);
        none = none || !read;
        for (const auto& mask : read.value_or(std::vector<Selection>()))
            if (std::find(masks.begin(), masks.end(), mask) == masks.end())
                masks.push_back(mask);
    }
    for (const auto& mask : file_masks)
        if (!none && std::none_of(masks.begin(), masks.end(), [&](const auto& given) { return given.id == mask.id; }))
            masks.push_back(mask);
    return masks;
}

} // namespace

std::string readWeightsView(const QCommandLineParser& parser, bool drawings) {
    if (!parser.optionNames().contains(QLatin1String("view")))
        return {};
    const auto text = parser.value("view").toStdString();
    const bool known = lookup(weights_views(), text.substr(0, text.find(':'))) != nullptr;
    if (text == "none" || (drawings && !known))
        return text == "none" ? text : std::string();
    try {
        return parse_view(text);
    } catch (const Error& error) {
        throw UsageError("--" + std::string(error.what()));
    }
}

namespace {

/// `file_masks` are the masks whose arrays are in the files.
void applyOptions(const QCommandLineParser& parser, AttentionSpec& spec, const std::vector<Selection>& file_masks = {},
                  bool heads_read = false) {
    if (parser.isSet("variant")) {
        const auto id = parser.value("variant").toStdString();
        if (id != spec.variant)
            spec.parameters = {};
        spec.variant = id;
    }
    const auto& chosen = mechanism_of(spec.variant);
    const auto settings = readSettings(parser.values("set"), chosen, heads_read);
    for (const auto& [name, value] : settings.all())
        spec.parameters.set(name, value);
    if (parser.isSet("scale"))
        spec.scale = parse_scale(parser.value("scale").toStdString());
    if (parser.isSet("scale-after-softmax"))
        spec.scale_after_softmax = true;
    if (parser.isSet("position"))
        spec.position = orNone(parser.value("position"), parse_position).value_or(Selection{});
    if (parser.isSet("query-offset"))
        spec.query_offset = readOffset(parser.value("query-offset"));
    if (parser.isSet("mask") || parser.isSet("mask-expression"))
        spec.masks = readMasks(masksOf(parser), file_masks, parser.isSet("mask-combine"));
    if (parser.isSet("mask-combine"))
        spec.mask_combine = readCombination(parser.value("mask-combine"), parser.values("mask"));
    else if (parser.isSet("mask") || parser.isSet("mask-expression"))
        fit_combination(spec);
    if (parser.isSet("score-mod"))
        spec.score_mod = readScoreMod(parser.value("score-mod"));
    if (parser.isSet("normaliser"))
        spec.normaliser = parse_normaliser(parser.value("normaliser").toStdString());
    if (parser.isSet("decay"))
        spec.decay = orNone(parser.value("decay"), parse_decay).value_or(Selection{});
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
    if (parser.isSet("round")) {
        spec.rounding.reset();
        if (const auto text = parser.value("round"); text != QLatin1String("none"))
            spec.rounding = parse_rounding(text.toStdString());
    }
    if (const auto view = readWeightsView(parser); !view.empty())
        spec.view = view == "none" ? std::string() : view;
    check_spec(spec);
}

/// The options of a setting: of A on the command line, of B in the text of --with.
void addSettingOptions(CommandParser& parser) {
    parser.addOptions({
        {"variant", "The mechanism; 'attnlab list' shows all. Default: the one that fits the arrays.", "ID"},
        {"set",
         "A parameter of the mechanism; may be given several times. num_heads=N also splits query, key and value of "
         "(B,L,H*E) into heads.",
         "NAME=VALUE"},
        {"scale", "The scale mode, with its value if it has one: temperature:0.7.", "ID[:VALUE]"},
        {"scale-after-softmax", "Multiply the weights instead of the scores."},
        {"position", "How scores depend on positions: none, or a term with its values: rope:base=500000.",
         "ID[:VALUE]"},
        {"mask",
         "A mask, with its value if it has one: window:4, or window:2,1 for keys before and after. May be given "
         "several times. none removes the masks of a workspace. sliding_window:n, n keys including the query's own, is "
         "causal and window:2n-2.",
         "ID[:ARG]"},
        {"mask-expression",
         "The mask expression:EXPR, a condition to keep a cell: \"q >= k and doc[b, q] == doc[b, k]\". May be given "
         "several times.",
         "EXPR"},
        {"mask-combine",
         "How masks are combined: and (default), or, or an expression of their ids: \"causal and (window or not "
         "prefix)\". A second window is window_2.",
         "EXPR"},
        {"score-mod",
         "A number that replaces each scaled score before the masks: \"score - 0.5 * abs(q - k)\". none removes the "
         "expression of a workspace.",
         "EXPR"},
        {"normaliser",
         "How a row of masked scores becomes weights: softmax (default), softmax1, sigmoid, relu, sparsemax, "
         "entmax:1.5, stick_breaking, none.",
         "ID[:VALUE]"},
        {"decay",
         "How keys fade with their distance: none, retention:0.9 (weights times a factor for each token), or forget "
         "(gates from the array forget_gate or log_forget_gate).",
         "ID[:VALUE]"},
        {"query-offset",
         "The position of the first query among the keys, for masks and positions; in a cache, the number of keys "
         "before it. An array query_offset (B) has one for each sequence. Default: 0.",
         "N"},
        {"mask-fill", "The value of a blocked cell: -inf (default) or a number.", "F"},
        {"mask-fill-mode", "replace (default) the score by the fill, or add the fill to it.", "MODE"},
        {"mask-true", "What True means in attn_mask: blocks (default) or keeps.", "MEANING"},
        {"statistics",
         "Add row_sum, support, entropy, effective_keys, max_weight and jacobian_norm of each row of the weights."},
        {"round",
         "Imitate narrower numbers: bfloat16 or float16, then :inputs, :scores, :weights or :all (default). Default: "
         "none, float64 throughout.",
         "TYPE[:WHERE]"},
    });
    parser.allowSeveral({"set", "mask", "mask-expression"});
}

/// Labels or a grid for another number of tokens would be misplaced.
void checkTokenOptions(const QCommandLineParser& parser, const AttentionProblem& problem) {
    Bindings sizes;
    try {
        sizes = resolve(problem).sizes;
    } catch (const Error&) {
        return; // the run reports the error
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

/// The arrays that --mask, --mask-expression and --score-mod name. Options that are wrong have none; applyOptions()
/// reports them.
std::set<std::string, std::less<>> arraysInExpressions(const QCommandLineParser& parser) {
    AttentionSpec spec;
    for (const auto& text : masksOf(parser))
        if (text.startsWith(QLatin1String("expression:"))) {
            spec.masks.push_back({"expression", {}});
            spec.masks.back().parameters.set("expression", text.section(':', 1).toStdString());
        }
    if (parser.isSet("score-mod"))
        spec.score_mod = readScoreMod(parser.value("score-mod"));
    std::set<std::string, std::less<>> names;
    for (const auto& input : expression_inputs(spec))
        names.emplace(input.name);
    return names;
}

/// Checks options first, so that errors are found before gigabytes are read.
Choices readChoices(const QCommandLineParser& parser) {
    Choices choices;
    AttentionSpec probe;
    if (parser.isSet("variant"))
        fromOption([&] { applyOptions(parser, probe, {}, true); });
    choices.variant = parser.value("variant").toStdString();
    choices.kept = arraysInExpressions(parser);
    if (parser.isSet("layout"))
        choices.layout = fromOption([&] { return std::string(layout(parser.value("layout").toStdString()).id); });
    if (parser.isSet("prefix") && parser.isSet("pass"))
        throw UsageError("--pass: is given together with --prefix, expected one of the two");
    if (parser.isSet("pass"))
        choices.group = parser.value("pass").toStdString();
    if (parser.isSet("prefix"))
        choices.group = parser.value("prefix").toStdString();
    for (const auto& text : parser.values("role")) {
        const auto equals = text.lastIndexOf(QLatin1Char('='));
        if (equals <= 0)
            throw UsageError("--role: has '" + text.toStdString() +
                             "', expected ARRAY=INPUT, or ARRAY= to leave it out");
        const auto array = text.left(equals).toStdString();
        if (!choices.roles.emplace(array, text.mid(equals + 1).toStdString()).second)
            throw UsageError("--role: " + array + " is given twice");
    }
    // Splitting a fused projection requires the number of heads before the mechanism is known.
    for (const auto& text : parser.values("set"))
        for (auto [name, count] :
             {std::pair{"num_heads=", &choices.num_heads}, {"num_kv_heads=", &choices.num_kv_heads}})
            if (bool whole = false; text.startsWith(QLatin1String(name)))
                if (const auto number = text.mid(static_cast<int>(std::strlen(name))).toLongLong(&whole); whole)
                    *count = number;
    return choices;
}

Recognition recogniseFiles(const Choices& choices, const QStringList& files, const io::ReadLimits& limits) {
    if (files.isEmpty())
        throw UsageError("no input: expected the arrays' files (" + io::suffix_list(io::usual_suffixes()) + ")");
    std::vector<std::filesystem::path> paths;
    for (const auto& file : files)
        paths.push_back(ui::toPath(file));
    return recognise(io::read_contents(paths, limits), choices);
}

void readTokenOptions(const QCommandLineParser& parser, AttentionProblem& problem) {
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
}

/// The options of --with, applied to the problem's own choices, give its second setting. Without --with a workspace's
/// second setting stays.
void readComparedSetting(const QCommandLineParser& parser, AttentionProblem& problem,
                         const std::vector<Selection>& file_masks) {
    if (!parser.optionNames().contains(QLatin1String("with")))
        return;
    CommandParser options;
    addSettingOptions(options);
    const auto words = QStringList{QStringLiteral("with")} + QProcess::splitCommand(parser.value("with"));
    try {
        parseOptions(options, words);
    } catch (const UsageError& error) {
        throw UsageError("--with: " + std::string(error.what()));
    }
    if (const auto others = options.positionalArguments(); !others.isEmpty())
        throw UsageError("--with: has '" + others.first().toStdString() + "', expected options alone");
    auto spec = problem.spec;
    try {
        fromOption([&] { applyOptions(options, spec, file_masks); });
    } catch (const UsageError& error) {
        throw UsageError("--with: " + std::string(error.what()));
    }
    reportIdleSetting(options, {spec}, "--with: ");
    problem.compared_with = std::move(spec);
}

} // namespace

void addSpecOptions(CommandParser& parser) {
    addSettingOptions(parser);
    parser.addOptions({
        {"layout",
         "The axes of query, key, value and grad_output, or of the input of layers: BHLE, BLHE, HLE, LHE, BLE, LBE or "
         "LE. For "
         "weights whose columns are offsets from the query, as in Longformer: BHLO, HLO or LO. Default: by the number "
         "of axes.",
         "AXES"},
        {"role",
         "The input that an array is, if its name is unknown; may be given several times. Lists of texts, by their "
         "name or their file, are query_tokens or key_tokens. An empty input leaves the array out.",
         "ARRAY=INPUT"},
        {"prefix", "The layer to read, if the files have several: the beginning of its arrays' names.", "TEXT"},
        {"pass", "The pass to read of a capture or a model: decoder.3.self.", "NAME"},
        {"tokens", "Labels of the queries, separated by blanks.", "WORDS"},
        {"key-grid", "The rows and columns of the image whose cells are the keys.", "ROWSxCOLUMNS"},
        {"key-tokens", "Labels of the keys, if they are not the queries.", "WORDS"},
    });
    parser.allowSeveral({"role"});
}

RecognisedInput recogniseInput(const QCommandLineParser& parser, const QStringList& files,
                               const io::ReadLimits& limits) {
    RecognisedInput input{recogniseFiles(readChoices(parser), files, limits), {}};
    auto& problem = input.problem = input.recognition.problem;
    if (input.recognition.question(Question::Kind::Group))
        return input; // the mechanism of the options is not known yet
    const auto file_masks = input.recognition.is_workspace ? std::vector<Selection>{} : problem.spec.masks;
    fromOption([&] { applyOptions(parser, problem.spec, file_masks, input.recognition.parts_heads); });
    readTokenOptions(parser, problem);
    readComparedSetting(parser, problem, file_masks);
    return input;
}

/// A pass of a model, with the options applied to its own choices.
static AttentionProblem modelProblem(const QCommandLineParser& parser) {
    auto problem = readModelProblem(parser);
    const auto masks = problem.spec.masks;
    fromOption([&] { applyOptions(parser, problem.spec, masks); });
    readTokenOptions(parser, problem);
    readComparedSetting(parser, problem, masks);
    reportIdleOptions(parser, problem);
    return problem;
}

AttentionProblem readProblem(const QCommandLineParser& parser, const QStringList& files, std::string_view spare) {
    if (parser.optionNames().contains(QLatin1String("model")))
        return modelProblem(parser);
    auto [recognition, problem] = recogniseInput(parser, files);
    reportArrays(recognition, problem);
    reportIdleOptions(parser, problem);
    if (const auto missing = lacking(recognition, problem, spare))
        throw Error(*missing);
    if (const auto question = heads_question(problem); question && !recognition.is_workspace)
        throw Error(question->text);
    return problem;
}

QString replacingOption(const QCommandLineParser& parser) {
    CommandParser settings;
    addSettingOptions(settings);
    QStringList replacing{"layout", "role", "prefix"};
    for (const auto& option : settings.declared().options)
        replacing += option.names();
    replacing.removeAll("statistics"); // adds stages and changes none
    for (const auto& name : parser.optionNames())
        if (replacing.contains(name))
            return name;
    return {};
}

void checkTiles(const QCommandLineParser& parser, const AttentionProblem& problem) {
    auto refused = flash::unsupported_choice(problem.spec);
    try {
        if (!refused)
            refused = flash::unsupported_choice(resolve(problem));
    } catch (const Error&) { // the run reports the error
    }
    if (!refused)
        return;
    const auto options = [&]() -> QStringList {
        switch (refused->choice) {
        case flash::Choice::Mechanism:
            return {"variant"};
        case flash::Choice::Parameters:
            return {"set"};
        case flash::Choice::Scale:
            return {"scale"};
        case flash::Choice::Position:
            return {"position"};
        case flash::Choice::ScoreMod:
            return {"score-mod"};
        case flash::Choice::Decay:
            return {"decay"};
        case flash::Choice::Normaliser:
            return {"normaliser"};
        case flash::Choice::Mask:
            return {"mask", "mask-expression"};
        case flash::Choice::MaskCombine:
            return {"mask-combine"};
        case flash::Choice::MaskFill:
            return {"mask-fill", "mask-fill-mode"};
        case flash::Choice::Statistics:
            return {"statistics"};
        case flash::Choice::View:
            return {"view"};
        case flash::Choice::Rounding:
            return {"round"};
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

} // namespace attnlab::app

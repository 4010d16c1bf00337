#include "app/input_report.h"

#include "app/output.h"
#include "core/stages/mask.h"
#include "core/variants.h"

#include <algorithm>

namespace attnlab::app {
namespace {

/// True for mechanisms with built-in masks.
bool masksItself(const AttentionSpec& spec) { return spec.variant == "causal" || spec.variant == "transformer"; }

bool readsFill(const AttentionSpec& spec) {
    return masksItself(spec) || std::any_of(spec.masks.begin(), spec.masks.end(),
                                            [](const Selection& mask) { return !mask_kind(mask.id).adds; });
}

/// The condition under which a parameter is read, where no setting that has it meets it; empty otherwise.
std::string idleBecause(const std::string& name, const std::vector<AttentionSpec>& settings) {
    std::string condition;
    for (const auto& spec : settings)
        for (const auto& parameter : variant(spec.variant).parameters) {
            if (parameter.name != name)
                continue;
            if (holds(parameter.when, variant(spec.variant).parameters, spec.parameters))
                return {};
            condition = parameter.when;
        }
    return condition;
}

bool readsMaskTrue(const AttentionSpec& spec) {
    return std::any_of(spec.masks.begin(), spec.masks.end(),
                       [](const Selection& mask) { return mask.id == "attn_mask"; });
}

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
    for (const auto& group : grouped(unused)) {
        constexpr std::size_t most = 3;
        std::string names;
        for (std::size_t i = 0; i < group.names.size() && i < most; ++i)
            names += (names.empty() ? "" : ", ") + group.names[i];
        if (group.names.size() == 1)
            say("warning", group.file + ": " + names + " is not used: " + group.why.english());
        else
            say("warning", group.file + ": " + names + " and " + std::to_string(group.names.size() - most) +
                               " more are not used ('attnlab info' lists them); each: " + group.why.english());
    }
}

bool usesOffset(const AttentionSpec& spec) {
    return uses_positions(spec.masks) || !spec.position.id.empty() || spec.variant == "causal";
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
    if (given.contains(QLatin1String("key-grid")) && !given.contains(QLatin1String("row")))
        printError("attnlab: warning: --key-grid has no effect: it is for render --row, which draws a row of weights "
                   "on it");
}

} // namespace attnlab::app

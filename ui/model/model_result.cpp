#include "ui/model/model_result.h"

#include "core/capture/capture.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QCoreApplication>

namespace attnlab::ui {

bool ModelResult::isOff(HeadIndex place) const {
    return result && std::ranges::any_of(result->ablations, [&](const model::Ablation& ablation) {
               return ablation.head == place.head && ablation.pass == heads(place).name;
           });
}

const QString& passTitle(const ModelResult& result, int pass) {
    return result.passes[static_cast<std::size_t>(pass)].title;
}

QString headTitle(const ModelResult& result, HeadIndex place) {
    return (result.are_layers ? QCoreApplication::translate("ModelPage", "Layer %1 · head %2")
                              : QCoreApplication::translate("ModelPage", "%1 · head %2"))
        .arg(passTitle(result, place.pass))
        .arg(place.head);
}

std::vector<int> layersUpTo(const ModelResult& result, int pass) {
    const auto& last = result.passes[static_cast<std::size_t>(pass)];
    const auto wanted = parts_of_pass_name(last.name);
    if (!wanted || wanted->kind != "self" || last.queries != last.keys)
        return {};
    std::vector<int> layers;
    for (int i = 0; i <= pass; ++i) {
        const auto& one = result.passes[static_cast<std::size_t>(i)];
        const auto parts = parts_of_pass_name(one.name);
        if (parts && parts->stack == wanted->stack && parts->kind == "self" && parts->run == wanted->run &&
            parts->layer == std::ssize(layers) && one.queries == last.queries && one.keys == last.keys)
            layers.push_back(i);
    }
    return std::ssize(layers) == wanted->layer + 1 ? layers : std::vector<int>{};
}

namespace {

using explain::HeadFigures;

template <auto member>
std::optional<double> mean(const ModelResult& result, HeadIndex place) {
    const auto& share = result.figures(place).*member;
    return share ? std::optional(share->mean) : std::nullopt;
}

std::optional<double> difference(const ModelResult& result, HeadIndex place) {
    const ComparedPass* compared = result.comparedHeads(place);
    return compared ? std::optional(compared->distances[static_cast<std::size_t>(place.head)]) : std::nullopt;
}

constexpr HeadFigure figures_table[] = {
    {"entropy", QT_TRANSLATE_NOOP("HeadsWall", "entropy"),
     [](const ModelResult& result, HeadIndex place) { return std::optional(result.figures(place).entropy); }},
    {"max_weight", QT_TRANSLATE_NOOP("HeadsWall", "largest weight of a row, on average"),
     [](const ModelResult& result, HeadIndex place) { return std::optional(result.figures(place).max_weight); }},
    {"previous", QT_TRANSLATE_NOOP("HeadsWall", "previous token"), mean<&HeadFigures::previous>},
    {"first", QT_TRANSLATE_NOOP("HeadsWall", "first token"), mean<&HeadFigures::first>},
    {"diagonal", QT_TRANSLATE_NOOP("HeadsWall", "itself"), mean<&HeadFigures::diagonal>},
    {"same_token", QT_TRANSLATE_NOOP("HeadsWall", "same token"), mean<&HeadFigures::same_token>},
    {"induction", QT_TRANSLATE_NOOP("HeadsWall", "induction"), mean<&HeadFigures::induction>},
    {"sink", QT_TRANSLATE_NOOP("HeadsWall", "sink"),
     [](const ModelResult& result, HeadIndex place) { return result.figures(place).sink; }},
    {"difference", QT_TRANSLATE_NOOP("HeadsWall", "difference"), difference},
};

} // namespace

std::span<const HeadFigure> headFigures() { return figures_table; }

std::vector<const HeadFigure*> headFiguresIn(const ModelResult& result) {
    std::vector<const HeadFigure*> present;
    for (const auto& figure : figures_table) {
        bool found = false;
        for (int pass = 0; pass < static_cast<int>(result.passes.size()) && !found; ++pass)
            for (int head = 0; head < result.heads({pass, 0}).heads && !found; ++head)
                found = figure.of(result, {pass, head}).has_value();
        if (found)
            present.push_back(&figure);
    }
    return present;
}

QString headText(const ModelResult& result, HeadIndex place) {
    QStringList lines{headTitle(result, place)};
    if (const auto word = explain::what_it_does(result.figures(place)); !word.empty())
        lines << translated(word);
    for (const auto& figure : headFigures())
        if (const auto value = figure.of(result, place))
            lines
                << QCoreApplication::translate("HeadsWall", "%1: %2").arg(figure.displayTitle(), numberText(*value, 3));
    if (result.isOff(place))
        lines << QCoreApplication::translate("HeadsWall", "switched off");
    return lines.join(QLatin1Char('\n'));
}

} // namespace attnlab::ui

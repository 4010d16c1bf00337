#include "ui/model/model_result.h"

#include "core/capture/pass_name.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace attnlab::ui {

bool ModelResult::isOff(HeadPlace place) const {
    return result && std::ranges::any_of(result->ablations, [&](const model::Ablation& ablation) {
               return ablation.head == place.head && ablation.pass == heads(place).name;
           });
}

const QString& passTitle(const ModelResult& result, int pass) {
    return result.passes[static_cast<std::size_t>(pass)].title;
}

QString headTitle(const ModelResult& result, HeadPlace place) {
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

} // namespace attnlab::ui

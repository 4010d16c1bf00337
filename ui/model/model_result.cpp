#include "ui/model/model_result.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace attnlab::ui {
namespace {

bool severalKinds(const ModelResult& result) {
    const auto& description = result.model->description();
    return description.encoder && description.decoder;
}

} // namespace

bool ModelResult::isOff(HeadPlace place) const {
    return std::ranges::any_of(result->ablations, [&](const model::Ablation& ablation) {
        return ablation.head == place.head && ablation.pass == heads(place).pass->name;
    });
}

QString passTitle(const ModelResult& result, int pass) {
    const auto& name = result.passes[static_cast<std::size_t>(pass)].pass->name;
    return severalKinds(result) ? textOf(name) : QString::number(pass);
}

QString headTitle(const ModelResult& result, HeadPlace place) {
    return severalKinds(result)
               ? QCoreApplication::translate("ModelPage", "%1 · head %2")
                     .arg(passTitle(result, place.pass))
                     .arg(place.head)
               : QCoreApplication::translate("ModelPage", "Layer %1 · head %2").arg(place.pass).arg(place.head);
}

} // namespace attnlab::ui

#include "ui/panels/mechanism/rounding_menu.h"

#include "core/rounding.h"
#include "core/variants.h"
#include "ui/matrix/stages/rounding_words.h"
#include "ui/panels/mechanism/choices.h"
#include "ui/widgets/text.h"

#include <QActionGroup>

namespace attnlab::ui {
namespace {

using Where = Rounding::Where;

constexpr Where places[] = {Where::All, Where::Inputs, Where::Scores, Where::Weights};

QString idOf(const std::optional<Rounding>& rounding) {
    return rounding ? QString::fromStdString(to_text(*rounding)) : QStringLiteral("none");
}

} // namespace

RoundingMenu::RoundingMenu(const ComparedSide& setting, QWidget* parent) : QMenu(parent), setting_(setting) {
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &RoundingMenu::fill);
    fill();
}

void RoundingMenu::fill() {
    clear();
    delete findChild<QActionGroup*>();
    new QActionGroup(this);
    add(tr("float64: nothing is rounded"), std::nullopt);
    const auto* chosen = rowOf(variants(), setting_.spec().variant);
    const char* refused = chosen ? refusal_of_rounding(*chosen) : nullptr;
    if (refused) {
        addAction(translated(refused))->setEnabled(false);
        return;
    }
    for (const auto format : {DType::BFloat16, DType::Float16}) {
        addSeparator();
        for (const auto where : places) {
            add(RoundingWords::of(Rounding{format, where}), Rounding{format, where});
            actions().back()->setToolTip(RoundingWords::helpOf(where));
        }
    }
}

void RoundingMenu::add(const QString& text, const std::optional<Rounding>& rounding) {
    auto* item = addAction(text, this, [this, rounding] {
        AttentionSpec spec = setting_.spec();
        spec.rounding = rounding;
        if (spec != setting_.spec())
            setting_.setSpec(std::move(spec),
                             rounding ? tr("Round to %1").arg(RoundingWords::of(rounding)) : tr("Round nothing"));
    });
    item->setObjectName(idOf(rounding));
    item->setCheckable(true);
    item->setChecked(setting_.spec().rounding == rounding);
    findChild<QActionGroup*>()->addAction(item);
}

QAction* RoundingMenu::action(const QString& rounding) const {
    for (auto* item : actions())
        if (item->objectName() == rounding)
            return item;
    return nullptr;
}

} // namespace attnlab::ui

#include "ui/mechanism/rounding_menu.h"

#include "core/rounding.h"
#include "core/variants.h"
#include "ui/mechanism/choices.h"
#include "ui/text.h"

#include <QActionGroup>

namespace attnlab::ui {
namespace {

using Where = Rounding::Where;

constexpr Where places[] = {Where::All, Where::Inputs, Where::Scores, Where::Weights};

QString idOf(const std::optional<Rounding>& rounding) {
    return rounding ? QString::fromStdString(to_text(*rounding)) : QStringLiteral("none");
}

struct RoundingWords {
    Q_DECLARE_TR_FUNCTIONS(RoundingMenu)
public:
    static QString of(Where where) {
        switch (where) {
        case Where::Inputs:
            return tr("inputs");
        case Where::Scores:
            return tr("scores");
        case Where::Weights:
            return tr("weights");
        case Where::All:
            break;
        }
        return tr("all numbers");
    }
    static QString helpOf(Where where) {
        switch (where) {
        case Where::Inputs:
            return tr("Query, key and value as the mechanism uses them, after a projection");
        case Where::Scores:
            return tr("Scores, and what scale, position and masks make of them");
        case Where::Weights:
            return tr("Weights, after the softmax");
        case Where::All:
            break;
        }
        return tr("Inputs, scores, weights and the output");
    }
};

} // namespace

RoundingMenu::RoundingMenu(const Setting& setting, QWidget* parent) : QMenu(parent), setting_(setting) {
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &RoundingMenu::fill);
    fill();
}

QString RoundingMenu::words(const std::optional<Rounding>& rounding) {
    return rounding ? tr("%1 %2").arg(textOf(name_of(rounding->format)), RoundingWords::of(rounding->where))
                    : QStringLiteral("float64");
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
            add(words(Rounding{format, where}), Rounding{format, where});
            actions().back()->setToolTip(RoundingWords::helpOf(where));
        }
    }
}

void RoundingMenu::add(const QString& text, const std::optional<Rounding>& rounding) {
    auto* item = addAction(text, this, [this, rounding] {
        AttentionSpec spec = setting_.spec();
        spec.rounding = rounding;
        if (spec != setting_.spec())
            setting_.setSpec(std::move(spec), rounding ? tr("Round to %1").arg(words(rounding)) : tr("Round nothing"));
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

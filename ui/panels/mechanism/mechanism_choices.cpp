#include "ui/panels/mechanism/mechanism_choices.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/rounding.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/text.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QRegularExpression>

namespace attnlab::ui {
namespace {

class Texts {
    Q_DECLARE_TR_FUNCTIONS(attnlab::ui::MechanismBar)
};

QString firstSentence(const QString& text) {
    static const QRegularExpression end(QStringLiteral("[.!?](?=\\s)|[。！？]"));
    const auto match = end.match(text);
    return match.hasMatch() ? text.left(match.capturedEnd()) : text;
}

} // namespace

const ScaleMode* scaleOf(const Mechanism& chosen, const AttentionSpec& spec) {
    return lookup(scale_modes(), spec.scale.id.empty() ? chosen.default_scale : std::string_view(spec.scale.id));
}

const PositionTerm* positionOf(const AttentionSpec& spec) { return lookup(position_terms(), spec.position.id); }

std::vector<PickerItem> variantItems() {
    std::vector<PickerItem> items;
    for (const auto& each : mechanisms())
        items.push_back({.id = textOf(each.id),
                         .heading = translated(each.family),
                         .title = capitalised(translated(each.title)),
                         .help = firstSentence(translated(each.help))});
    return items;
}

std::vector<PickerItem> scaleItems(const Mechanism& chosen) {
    std::vector<PickerItem> items;
    for (const auto& mode : scale_modes()) {
        const char* why = mode.factor ? nullptr : chosen.refuses.scale_of_many_factors;
        if (mode.id != chosen.default_scale && chosen.refuses.scale)
            why = chosen.refuses.scale;
        items.push_back({.id = textOf(mode.id),
                         .title = capitalised(translated(mode.title)),
                         .alone = mode.id == "none" ? Texts::tr("No scale") : QString(),
                         .help = firstSentence(translated(mode.help)),
                         .badge = mode.id == chosen.default_scale ? Texts::tr("default") : QString(),
                         .formula = QStringLiteral("scale_") + textOf(mode.id),
                         .formula_text = textOf(mode.formula),
                         .refusal = why ? translated(why) : QString()});
    }
    return items;
}

std::vector<PickerItem> positionItems(const Mechanism& chosen) {
    std::vector<PickerItem> items{{.id = QString::fromLatin1(no_position),
                                   .title = Texts::tr("None"),
                                   .alone = Texts::tr("No position"),
                                   .help = Texts::tr("Scores see contents alone; the order of tokens plays no part.")}};
    for (const auto& term : position_terms())
        items.push_back({.id = textOf(term.id),
                         .title = capitalised(translated(term.title)),
                         .help = firstSentence(translated(term.help)),
                         .formula = QStringLiteral("position_") + textOf(term.id),
                         .formula_text = textOf(term.rule),
                         .refusal = chosen.refuses.position ? translated(chosen.refuses.position) : QString()});
    return items;
}

std::vector<PickerItem> normaliserItems(const Mechanism& chosen) {
    const char* refused = refusal_of_normaliser(chosen);
    std::vector<PickerItem> items;
    for (const auto& row : normalisers()) {
        const bool is_default = row.id == normalisers().front().id;
        items.push_back({.id = textOf(row.id),
                         .title = translated(row.title),
                         .help = firstSentence(translated(row.help)),
                         .badge = is_default ? Texts::tr("default") : QString(),
                         .formula = QStringLiteral("normaliser_") + textOf(row.id),
                         .formula_text = textOf(row.formula),
                         .refusal = refused && !is_default ? translated(refused) : QString()});
    }
    return items;
}

std::vector<PickerItem> decayItems(const Mechanism& chosen) {
    const char* refused = refusal_of_decay(chosen);
    std::vector<PickerItem> items{{.id = QString::fromLatin1(no_decay),
                                   .title = Texts::tr("None"),
                                   .alone = Texts::tr("No decay"),
                                   .help = Texts::tr("Keys do not fade with their distance.")}};
    for (const auto& row : decays())
        items.push_back({.id = textOf(row.id),
                         .title = capitalised(translated(row.title)),
                         .help = firstSentence(translated(row.help)),
                         .formula = QStringLiteral("decay_") + textOf(row.id),
                         .formula_text = textOf(row.rule),
                         .refusal = refused ? translated(refused) : QString()});
    return items;
}

ParameterValues kept(std::span<const Parameter> declared, const ParameterValues& values) {
    const auto complete = completed(declared, values);
    ParameterValues result;
    for (const auto& [name, value] : values.all())
        if (const auto* allowed = complete.find(name); allowed && *allowed == value)
            result.set(name, value);
    return result;
}

QString changedTitle(std::span<const Parameter> declared, const ParameterValues& before, const ParameterValues& after) {
    for (const auto& parameter : declared) {
        const auto* old_value = before.find(parameter.name);
        const auto* new_value = after.find(parameter.name);
        if (!old_value || !new_value || *old_value != *new_value)
            return parameterTitle(parameter);
    }
    return {};
}

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
    const auto* chosen = lookup(mechanisms(), setting_.spec().variant);
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

#include "ui/panels/setting_words.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/view.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mask/mask_forms.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/mechanism_choices.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QRegularExpression>

namespace attnlab::ui {
namespace {

/// "temperature 0.7", "window 4": a row's title with its parameter values, but for choices that are the usual ones.
QString valued(const QString& title, std::span<const Parameter> declared, const ParameterValues& values) {
    QStringList parts{title};
    for (const auto& parameter : declared)
        if (const auto* value = values.find(parameter.name))
            if (parameter.type != ParameterType::Choice ||
                *value != ParameterValue(std::string(parameter.default_text)))
                parts << valueText(*value);
    return parts.join(QLatin1Char(' '));
}

QString mechanismOf(const AttentionSpec& spec) {
    const auto* chosen = lookup(mechanisms(), spec.variant);
    return chosen ? translated(chosen->title) : QString::fromStdString(spec.variant);
}

Selection scaleOf(const AttentionSpec& spec) {
    const auto* chosen = lookup(mechanisms(), spec.variant);
    Selection scale = spec.scale;
    if (scale.id.empty() && chosen)
        scale.id = chosen->default_scale;
    return scale;
}

QString titleOfScale(const Selection& scale) {
    const auto* mode = lookup(scale_modes(), scale.id);
    return mode ? valued(translated(mode->title), mode->parameters, scale.parameters)
                : QString::fromStdString(scale.id);
}

/// "[CLS], it", or "0, 15" without names.
QString namesOf(const IntegerList& numbers, std::span<const std::string> tokens) {
    QStringList names;
    for (const auto number : numbers)
        names << (number >= 0 && number < std::ssize(tokens)
                      ? QString::fromStdString(tokens[static_cast<std::size_t>(number)])
                      : QString::number(number));
    return names.isEmpty() ? valueText(numbers) : names.join(QStringLiteral(", "));
}

/// The parameters of one mechanism that differ: "heads 4", "Zero key: no", "Global tokens: [CLS]".
QStringList differingParameters(const AttentionSpec& spec, const AttentionSpec& other,
                                std::span<const std::string> tokens = {}) {
    QStringList parts;
    const auto* chosen = lookup(mechanisms(), spec.variant);
    if (!chosen || spec.variant != other.variant)
        return parts;
    const auto here = completed(chosen->parameters, spec.parameters);
    const auto there = completed(chosen->parameters, other.parameters);
    for (const auto& parameter : chosen->parameters) {
        const auto* value = here.find(parameter.name);
        const auto* elsewhere = there.find(parameter.name);
        if (!value || !elsewhere || *value == *elsewhere)
            continue;
        const QString title = parameterTitle(parameter);
        if (parameter.type == ParameterType::IntegerList)
            parts << SettingWords::tr("%1: %2", "parameter, value")
                         .arg(title, namesOf(std::get<IntegerList>(*value), tokens));
        else if (parameter.type == ParameterType::Boolean || std::holds_alternative<std::string>(*value))
            parts << SettingWords::tr("%1: %2", "parameter, value").arg(title, valueText(*value));
        else
            parts << title + QLatin1Char(' ') + valueText(*value);
    }
    return parts;
}

QString meaningOf(const AttentionSpec& spec) {
    return spec.mask_true == MaskTrue::Keeps ? SettingWords::tr("True means kept")
                                             : SettingWords::tr("True means blocked");
}

QString normaliserOf(const AttentionSpec& spec) {
    const auto* row = lookup(normalisers(), spec.normaliser.id.empty() ? "softmax" : spec.normaliser.id);
    return row ? valued(translated(row->title), row->parameters, spec.normaliser.parameters)
               : QString::fromStdString(spec.normaliser.id);
}

/// "position ALiBi": the title without its gloss in brackets.
QString positionWords(const AttentionSpec& spec) {
    if (spec.position.id.empty())
        return SettingWords::tr("no position");
    const auto* term = lookup(position_terms(), spec.position.id);
    const QString title = term ? translated(term->title) : QString::fromStdString(spec.position.id);
    return SettingWords::tr("position %1").arg(title.section(QRegularExpression(QStringLiteral("\\s*[(（]")), 0, 0));
}

QString decayOf(const AttentionSpec& spec) {
    if (spec.decay.id.empty())
        return SettingWords::tr("no decay");
    const auto* row = lookup(decays(), spec.decay.id);
    return row ? valued(translated(row->title), row->parameters, spec.decay.parameters)
               : QString::fromStdString(spec.decay.id);
}

QString viewOf(const AttentionSpec& spec) {
    const auto* row = lookup(weights_views(), spec.view.substr(0, spec.view.find(':')));
    const auto argument = spec.view.find(':');
    return !row ? SettingWords::tr("weights as they are")
                : translated({row->title, {argument == spec.view.npos ? "0" : spec.view.substr(argument + 1)}});
}

QString modifierOf(const AttentionSpec& spec) {
    return spec.score_mod.empty() ? SettingWords::tr("no score_mod")
                                  : SettingWords::tr("score_mod %1").arg(QString::fromStdString(spec.score_mod));
}

} // namespace

QString SettingWords::ofMasks(const AttentionSpec& spec) {
    QStringList titles;
    for (const auto& mask : spec.masks) {
        const auto* kind = lookup(mask_kinds(), mask.id);
        if (kind && is_window(*kind))
            titles << WindowForm::words(translated(kind->title), mask.parameters);
        else
            titles << (kind ? valued(translated(kind->title), kind->parameters, mask.parameters)
                            : QString::fromStdString(mask.id));
    }
    if (!combines_otherwise(spec))
        return titles.isEmpty() ? tr("no mask") : titles.join(tr(", "));
    return spec.mask_combine == "or" ? tr("any of: %1").arg(titles.join(tr(", ")))
                                     : tr("%1, as %2", "masks, their combination")
                                           .arg(titles.join(tr(", ")), QString::fromStdString(spec.mask_combine));
}

QStringList SettingWords::ofEach(std::span<const AttentionSpec> specs, std::span<const std::string> tokens) {
    const auto differ = [&](const auto& part) {
        return std::ranges::any_of(specs, [&](const AttentionSpec& spec) { return part(spec) != part(specs.front()); });
    };
    const bool mechanisms = differ([](const auto& spec) { return spec.variant; });
    const bool after = differ([](const auto& spec) { return spec.scale_after_softmax; });
    const bool masks = differ([](const auto& spec) { return std::pair(spec.masks, spec.mask_combine); });
    const bool modifiers = differ([](const auto& spec) { return spec.score_mod; });
    const bool normalisers = differ([](const auto& spec) { return spec.normaliser; });
    const bool decays = differ([](const auto& spec) { return spec.decay; });
    const bool views = differ([](const auto& spec) { return spec.view; });
    const bool meanings = differ([](const auto& spec) { return spec.mask_true; });
    const bool places = differ([](const auto& spec) { return spec.query_offset; });
    const bool fills = differ([](const auto& spec) { return std::pair(spec.mask_fill.value, spec.mask_fill.mode); });
    const bool modes = differ([](const auto& spec) { return spec.mask_fill.mode; });
    const bool positions = differ([](const auto& spec) { return spec.position; });
    const bool scales = differ([](const auto& spec) { return scaleOf(spec); });
    const bool parameters = differ([](const auto& spec) { return spec.parameters; });
    const bool numbers = differ([](const auto& spec) { return spec.rounding; });
    const bool scale_alone = !mechanisms && !after && !masks && !modifiers && !normalisers && !decays && !views &&
                             !meanings && !places && !fills && !positions && !parameters && !numbers;
    QStringList result;
    for (const auto& spec : specs) {
        QStringList parts;
        if (mechanisms)
            parts << mechanismOf(spec);
        for (const auto& other : specs)
            if (const auto own = differingParameters(spec, other, tokens); parameters && !own.isEmpty()) {
                parts << own;
                break;
            }
        if (scales)
            parts << (scale_alone ? titleOfScale(scaleOf(spec)) : tr("scale %1").arg(titleOfScale(scaleOf(spec))));
        if (after)
            parts << (spec.scale_after_softmax ? tr("after softmax") : tr("before softmax"));
        if (masks)
            parts << ofMasks(spec);
        if (modifiers)
            parts << modifierOf(spec);
        if (normalisers)
            parts << normaliserOf(spec);
        if (decays)
            parts << decayOf(spec);
        if (views)
            parts << viewOf(spec);
        if (meanings)
            parts << meaningOf(spec);
        if (places)
            parts << FirstQueryForm::words(spec);
        // The fill has no effect without a mask.
        if (fills && !spec.masks.empty())
            parts << (modes && spec.mask_fill.mode == MaskFill::Mode::Add
                          ? tr("plus %1").arg(powerText(spec.mask_fill.value))
                          : tr("fill %1").arg(powerText(spec.mask_fill.value)));
        if (positions)
            parts << positionWords(spec);
        if (numbers)
            parts << RoundingWords::of(spec.rounding);
        result << (parts.isEmpty() ? mechanismOf(spec) : parts.join(QStringLiteral(" · ")));
    }
    return result;
}

QString SettingWords::of(const AttentionSpec& spec, const AttentionSpec& other) {
    QStringList parts;
    if (spec.variant != other.variant)
        parts << mechanismOf(spec);
    parts << differingParameters(spec, other);
    if (scaleOf(spec) != scaleOf(other))
        parts << tr("scale %1").arg(titleOfScale(scaleOf(spec)));
    if (spec.scale_after_softmax != other.scale_after_softmax)
        parts << (spec.scale_after_softmax ? tr("after softmax") : tr("before softmax"));
    if (spec.masks != other.masks || spec.mask_combine != other.mask_combine)
        parts << ofMasks(spec);
    if (spec.score_mod != other.score_mod)
        parts << modifierOf(spec);
    if (spec.normaliser != other.normaliser)
        parts << normaliserOf(spec);
    if (spec.decay != other.decay)
        parts << decayOf(spec);
    if (spec.view != other.view)
        parts << viewOf(spec);
    if (spec.mask_true != other.mask_true)
        parts << meaningOf(spec);
    if (spec.query_offset != other.query_offset)
        parts << FirstQueryForm::words(spec);
    if (spec.mask_fill != other.mask_fill)
        parts << tr("fill %1").arg(powerText(spec.mask_fill.value));
    if (spec.position != other.position)
        parts << positionWords(spec);
    if (spec.rounding != other.rounding)
        parts << RoundingWords::of(spec.rounding);
    if (parts.isEmpty())
        parts << mechanismOf(spec);
    return parts.join(QStringLiteral(" · "));
}

} // namespace attnlab::ui

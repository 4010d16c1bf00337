#include "ui/model/effect_marks.h"

#include "ui/widgets/text.h"

#include <cmath>
#include <QCoreApplication>
#include <QStringList>

namespace attnlab::ui {
namespace {

struct EffectWords {
    Q_DECLARE_TR_FUNCTIONS(EffectWords)
};

QString effectWords(const HeadEffects& effects, HeadIndex place, bool marks_flip) {
    if (!effects.sizeOf(place))
        return {};
    if (const auto number = effects.signedOf(place))
        return (*number > 0.0 ? QStringLiteral("+") : QString()) + numberText(*number, 2);
    const auto& effect = *effects.of(place);
    const bool flips = flipsAnswer(effects, place);
    if (!flips && effect.numbers.moved < HeadEffects::least_share)
        return EffectWords::tr("nothing");
    return (marks_flip && flips ? EffectWords::tr("→ %1 %2") : EffectWords::tr("%1 %2"))
        .arg(effect.answer.name, probabilityText(effect.answer.probability));
}

/// What stands below each head.
QString measureWords(const HeadEffects& effects) {
    const auto& pair = effects.pair();
    if (effects.measure() == HeadEffects::Measure::Direct)
        return pair ? EffectWords::tr("Below each head: what it adds to the logit of %1 against %2 by itself.")
                          .arg(pair->a.name, pair->b.name)
                    : EffectWords::tr("Below each head: what it adds to the logit of this answer by itself.");
    using By = model::Ablation::By;
    const QString instead = effects.by() == By::Mean    ? EffectWords::tr("while it gives its average")
                            : effects.by() == By::Other ? EffectWords::tr("while it gives what it gives for text B")
                                                        : EffectWords::tr("while it alone is off");
    if (pair)
        return EffectWords::tr("Below each head: the change of logit(%1) − logit(%2) %3.")
            .arg(pair->a.name, pair->b.name, instead);
    return EffectWords::tr("Below each head: the answer %1; the bar is how much probability that moves.").arg(instead);
}

/// The end of a long text, which the answer follows. Empty without a text.
QString textWords(const ModelResult& result) {
    constexpr qsizetype most_letters = 160;
    const QString text = result.text.simplified();
    if (text.isEmpty())
        return {};
    if (text.size() <= most_letters)
        return EffectWords::tr("Text: “%1”.").arg(text);
    const qsizetype space = text.indexOf(u' ', text.size() - most_letters);
    return EffectWords::tr("Text: “… %1”.").arg(space < 0 ? text.right(most_letters) : text.mid(space + 1));
}

QString noteOf(const HeadEffects& effects, const ModelResult& result) {
    constexpr double percent = 100.0;
    QStringList sentences;
    if (const QString text = textWords(result); !text.isEmpty())
        sentences << text;
    if (const auto& answer = effects.answer())
        sentences << (answer->probability < least_sure
                          ? EffectWords::tr("With all heads on, the model is unsure: the likeliest is %1, %2.")
                          : EffectWords::tr("With all heads on, the answer is %1: %2."))
                         .arg(answer->name, probabilityText(answer->probability));
    sentences << measureWords(effects);
    if (effects.measure() == HeadEffects::Measure::Without) {
        if (!effects.pair())
            sentences << EffectWords::tr("Bold: another answer; nothing: less than %1% of the probability moves.")
                             .arg(std::lround(percent * HeadEffects::least_share));
        if (effects.hasDirect() && effects.by() == model::Ablation::By::Zero)
            sentences << EffectWords::tr("Hollow bar: it works through later heads and layers.");
        if (effects.found() < effects.count())
            sentences << EffectWords::tr("%1 of %2 heads were tried.").arg(effects.found()).arg(effects.count());
    }
    QString note = sentences.takeFirst();
    for (const QString& sentence : sentences)
        note = EffectWords::tr("%1 %2", "two sentences").arg(note, sentence);
    return note;
}

} // namespace

bool flipsAnswer(const HeadEffects& effects, HeadIndex place) {
    const auto* effect = effects.measure() == HeadEffects::Measure::Without ? effects.of(place) : nullptr;
    return effect && effects.answer() && effect->answer.id != effects.answer()->id;
}

QString wayWords(const HeadEffects& effects, HeadIndex place) {
    const auto way = effects.wayOf(place);
    if (!way)
        return {};
    const bool is_direct = *way == HeadEffects::Way::Directly;
    if (effects.helps(place))
        return is_direct ? EffectWords::tr("writes to the answer itself") : EffectWords::tr("later heads need it");
    return is_direct ? EffectWords::tr("writes against the answer itself")
                     : EffectWords::tr("works against the answer through later heads");
}

PanelMark effectMark(const HeadEffects& effects, HeadIndex place, bool marks_flip) {
    const auto size = effects.sizeOf(place);
    if (!size)
        return {};
    const auto number = effects.signedOf(place);
    return {.text = effectWords(effects, place, marks_flip),
            .is_strong = flipsAnswer(effects, place),
            .share = number && *number < 0.0 ? -*size : *size,
            .is_signed = number.has_value(),
            .is_hollow =
                effects.measure() == HeadEffects::Measure::Without && effects.wayOf(place) == HeadEffects::Way::Later};
}

EffectMarks effectMarks(const HeadEffects& effects, const ModelResult& result) {
    EffectMarks marks{.of = {}, .note = noteOf(effects, result)};
    for (int pass = 0; pass < static_cast<int>(result.passes.size()); ++pass) {
        auto& row = marks.of.emplace_back();
        for (int head = 0; head < result.heads({pass, 0}).heads; ++head)
            row.push_back(effectMark(effects, {pass, head}));
    }
    return marks;
}

} // namespace attnlab::ui

#include "ui/matrix/stages/head_words.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <cmath>

namespace attnlab::ui {
namespace {

struct HeadTexts {
    Q_DECLARE_TR_FUNCTIONS(HeadWords)
};

QString twoDigits(double value) { return std::isfinite(value) ? QString::number(value, 'f', 2) : numberText(value); }

QString meansOf(const explain::HeadFigures& figures) {
    return HeadTexts::tr("mean entropy %1 nats, mean largest weight %2")
        .arg(twoDigits(figures.entropy), twoDigits(figures.max_weight));
}

/// "previous token 0.66": the weight on each kind of key.
QStringList sharesOf(const explain::HeadFigures& figures) {
    QStringList shares;
    const auto add = [&](const char* name, const std::optional<explain::KeyShare>& share) {
        if (share)
            shares << translated(name) + QLatin1Char(' ') + twoDigits(share->mean);
    };
    add("previous token", figures.previous);
    add("next token", figures.next);
    add("itself", figures.diagonal);
    add("first token", figures.first);
    add("nearby tokens", figures.neighbours);
    add("same token", figures.same_token);
    add("induction", figures.induction);
    if (figures.sink)
        shares << translated("sink") + QLatin1Char(' ') + twoDigits(*figures.sink);
    return shares;
}

} // namespace

QString headWords(const explain::HeadFigures& figures) {
    const Message words = explain::what_it_does(figures);
    return words.empty() ? QString() : translated(words);
}

QStringList allHeadWords() {
    QStringList words;
    for (const auto& message : explain::words_of_heads())
        words << translated(message);
    return words;
}

QString headSummary(const explain::HeadFigures& figures) {
    if (figures.rows == 0)
        return HeadTexts::tr("no row has more than one readable key");
    const QString words = headWords(figures);
    return words.isEmpty() ? meansOf(figures)
                           : HeadTexts::tr("%1, %2", "what a head does, and its figures").arg(words, meansOf(figures));
}

QString headTip(const explain::HeadFigures& figures) {
    QStringList lines(headSummary(figures));
    const QStringList shares = sharesOf(figures);
    if (!shares.isEmpty())
        lines << HeadTexts::tr("Weight on %1", "previous token 0.66 · itself 0.10")
                     .arg(shares.join(QStringLiteral(" · ")));
    if (figures.rows > 0)
        lines << HeadTexts::tr("Means over the rows with more than one readable key: %1").arg(figures.rows);
    return lines.join(QLatin1Char('\n'));
}

} // namespace attnlab::ui

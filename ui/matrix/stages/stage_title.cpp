#include "ui/matrix/stages/stage_title.h"

#include "ui/document/view_state.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>

namespace attnlab::ui {
namespace {

struct Titles {
    Q_DECLARE_TR_FUNCTIONS(MatrixPage)
};

/// Names for translators. Other names are shown with spaces between their words.
[[maybe_unused]] constexpr const char* names[] = {
    QT_TRANSLATE_NOOP("StageWords", "query"),
    QT_TRANSLATE_NOOP("StageWords", "key"),
    QT_TRANSLATE_NOOP("StageWords", "value"),
    QT_TRANSLATE_NOOP("StageWords", "query features"),
    QT_TRANSLATE_NOOP("StageWords", "key features"),
    QT_TRANSLATE_NOOP("StageWords", "projected key"),
    QT_TRANSLATE_NOOP("StageWords", "projected value"),
    QT_TRANSLATE_NOOP("StageWords", "rotated query"),
    QT_TRANSLATE_NOOP("StageWords", "rotated key"),
    QT_TRANSLATE_NOOP("StageWords", "context"),
    QT_TRANSLATE_NOOP("StageWords", "context weights"),
    QT_TRANSLATE_NOOP("StageWords", "context term"),
    QT_TRANSLATE_NOOP("StageWords", "scores"),
    QT_TRANSLATE_NOOP("StageWords", "position bias"),
    QT_TRANSLATE_NOOP("StageWords", "scaled"),
    QT_TRANSLATE_NOOP("StageWords", "masked"),
    QT_TRANSLATE_NOOP("StageWords", "blocked"),
    QT_TRANSLATE_NOOP("StageWords", "weights"),
    QT_TRANSLATE_NOOP("StageWords", "weights mean"),
    QT_TRANSLATE_NOOP("StageWords", "view"),
    QT_TRANSLATE_NOOP("StageWords", "weights dropped"),
    QT_TRANSLATE_NOOP("StageWords", "implied weights"),
    QT_TRANSLATE_NOOP("StageWords", "local weights"),
    QT_TRANSLATE_NOOP("StageWords", "global weights"),
    QT_TRANSLATE_NOOP("StageWords", "lse"),
    QT_TRANSLATE_NOOP("StageWords", "entropy"),
    QT_TRANSLATE_NOOP("StageWords", "effective keys"),
    QT_TRANSLATE_NOOP("StageWords", "max weight"),
    QT_TRANSLATE_NOOP("StageWords", "jacobian norm"),
    QT_TRANSLATE_NOOP("StageWords", "decay"),
    QT_TRANSLATE_NOOP("StageWords", "state output"),
    QT_TRANSLATE_NOOP("StageWords", "state norm"),
    QT_TRANSLATE_NOOP("StageWords", "state"),
    QT_TRANSLATE_NOOP("StageWords", "chunk states"),
    QT_TRANSLATE_NOOP("StageWords", "head output"),
    QT_TRANSLATE_NOOP("StageWords", "output"),
    QT_TRANSLATE_NOOP("StageWords", "similarity"),
    QT_TRANSLATE_NOOP("StageWords", "grad output"),
    QT_TRANSLATE_NOOP("StageWords", "grad head output"),
    QT_TRANSLATE_NOOP("StageWords", "grad value"),
    QT_TRANSLATE_NOOP("StageWords", "grad weights"),
    QT_TRANSLATE_NOOP("StageWords", "grad masked"),
    QT_TRANSLATE_NOOP("StageWords", "grad scores"),
    QT_TRANSLATE_NOOP("StageWords", "grad query"),
    QT_TRANSLATE_NOOP("StageWords", "grad key"),
    QT_TRANSLATE_NOOP("StageWords", "grad gate"),
    QT_TRANSLATE_NOOP("StageWords", "grad log gate"),
    QT_TRANSLATE_NOOP("StageWords", "grad gamma"),
    QT_TRANSLATE_NOOP("StageWords", "grad beta"),
    QT_TRANSLATE_NOOP("StageWords", "threshold"),
    QT_TRANSLATE_NOOP("StageWords", "row sum"),
    QT_TRANSLATE_NOOP("StageWords", "support"),
    QT_TRANSLATE_NOOP("StageWords", "modified"),
    QT_TRANSLATE_NOOP("StageWords", "lambda"),
    QT_TRANSLATE_NOOP("StageWords", "c kv"),
    QT_TRANSLATE_NOOP("StageWords", "k rope"),
    QT_TRANSLATE_NOOP("StageWords", "query absorbed"),
    QT_TRANSLATE_NOOP("StageWords", "latent output"),
    QT_TRANSLATE_NOOP("StageWords", "selector scores"),
    QT_TRANSLATE_NOOP("StageWords", "selected"),
    QT_TRANSLATE_NOOP("StageWords", "mass lost"),
    QT_TRANSLATE_NOOP("StageWords", "compressed key"),
    QT_TRANSLATE_NOOP("StageWords", "compressed value"),
    QT_TRANSLATE_NOOP("StageWords", "compressed weights"),
    QT_TRANSLATE_NOOP("StageWords", "block importance"),
    QT_TRANSLATE_NOOP("StageWords", "selected blocks"),
    QT_TRANSLATE_NOOP("StageWords", "selected weights"),
    QT_TRANSLATE_NOOP("StageWords", "window weights"),
    QT_TRANSLATE_NOOP("StageWords", "exact weights"),
    QT_TRANSLATE_NOOP("StageWords", "exact output"),
    QT_TRANSLATE_NOOP("StageWords", "difference"),
    QT_TRANSLATE_NOOP("StageWords", "output error"),
    QT_TRANSLATE_NOOP("StageWords", "tile row max"),
    QT_TRANSLATE_NOOP("StageWords", "tile row sum"),
    QT_TRANSLATE_NOOP("StageWords", "tile output"),
    QT_TRANSLATE_NOOP("StageWords", "buckets"),
    QT_TRANSLATE_NOOP("StageWords", "key pages"),
    QT_TRANSLATE_NOOP("StageWords", "input"),
    QT_TRANSLATE_NOOP("StageWords", "embedding"),
    QT_TRANSLATE_NOOP("StageWords", "positions"),
    QT_TRANSLATE_NOOP("StageWords", "attended"),
    QT_TRANSLATE_NOOP("StageWords", "cross attended"),
    QT_TRANSLATE_NOOP("StageWords", "feed forward"),
    QT_TRANSLATE_NOOP("StageWords", "memory"),
    QT_TRANSLATE_NOOP("StageWords", "logits"),
    QT_TRANSLATE_NOOP("StageWords", "probabilities"),
    QT_TRANSLATE_NOOP("StageWords", "encoder"),
    QT_TRANSLATE_NOOP("StageWords", "decoder"),
    QT_TRANSLATE_NOOP("StageWords", "self"),
    QT_TRANSLATE_NOOP("StageWords", "cross"),
};

/// With the spaces around them, the longest first.
constexpr const char* formula_words[] = {
    QT_TRANSLATE_NOOP("FormulaWords", " where blocked, else "),
    QT_TRANSLATE_NOOP("FormulaWords", " where blocked"),
    QT_TRANSLATE_NOOP("FormulaWords", "mean of its sentence"),
    QT_TRANSLATE_NOOP("FormulaWords", "mean of its paragraph"),
    QT_TRANSLATE_NOOP("FormulaWords", "mean of the keys"),
    QT_TRANSLATE_NOOP("FormulaWords", " is global, else "),
    QT_TRANSLATE_NOOP("FormulaWords", " for j in page b"),
    QT_TRANSLATE_NOOP("FormulaWords", " with "),
    QT_TRANSLATE_NOOP("FormulaWords", " where "),
    QT_TRANSLATE_NOOP("FormulaWords", ", or "),
    QT_TRANSLATE_NOOP("FormulaWords", " or "),
};

} // namespace

QString stageWords(std::string_view name) {
    auto words = std::string(name.substr(prefix_of(name).size()));
    std::string number; // of one of two passes: "weights_1"
    if (words.ends_with("_1") || words.ends_with("_2")) {
        number = ' ' + words.substr(words.size() - 1);
        words.resize(words.size() - 2);
    }
    std::ranges::replace(words, '_', ' ');
    return QCoreApplication::translate("StageWords", words.c_str()) + QString::fromStdString(number);
}

QString stageWordsInPass(std::string_view name) {
    if (prefix_of(name) == "difference.")
        return QCoreApplication::translate("StageWords", "difference of %1").arg(stageWords(name));
    const QString pass = passWords(name);
    return pass.isEmpty() ? stageWords(name) : pass + QLatin1Char('.') + stageWords(name);
}

QString stageNameOf(const Stage& stage) {
    if (shortNameOf(stage) != "view")
        return stageWordsInPass(stage.name);
    const QString pass = passWords(stage.name), view = translated(stage.operation);
    return pass.isEmpty() ? view : pass + QLatin1Char('.') + view;
}

QString passWords(std::string_view name) {
    QStringList words;
    for (const auto& part : textOf(prefix_of(name)).split(QLatin1Char('.'), Qt::SkipEmptyParts))
        words << QCoreApplication::translate("StageWords", part.toUtf8().constData());
    return words.join(QLatin1Char('.'));
}

QString formulaText(std::string_view formula) {
    QString text = textOf(formula);
    for (const char* words : formula_words)
        text.replace(QLatin1String(words), QCoreApplication::translate("FormulaWords", words));
    return text;
}

namespace {

QString exactTitle(const Trace& trace, const Stage& stage, int batch, int head) {
    const TraceSize size = sizeOf(trace);
    const QString name = stageNameOf(stage);
    if (size.heads < 2 || !hasAxis(stage, Axis::Head))
        return size.batches > 1 ? Titles::tr("%1 · batch %2").arg(name).arg(batch) : name;
    if (head == ViewState::mean_of_heads)
        return size.batches > 1 ? Titles::tr("%1 · batch %2 · mean of heads").arg(name).arg(batch)
                                : Titles::tr("%1 · mean of heads").arg(name);
    return size.batches > 1 ? Titles::tr("%1 · batch %2 · head %3").arg(name).arg(batch).arg(head)
                            : Titles::tr("%1 · head %2").arg(name).arg(head);
}

} // namespace

QString stageTitle(const Trace& trace, const Stage& stage, int batch, int head) {
    const auto title = exactTitle(trace, stage, batch, head);
    return trace.rounding ? title + QStringLiteral(" · ") + RoundingWords::of(trace.rounding) : title;
}

QString headTitle(int head) { return Titles::tr("Head %1").arg(head); }

namespace {

struct RoundedPart {
    Rounding::Where where;
    const char* name;
    const char* help;
};

constexpr RoundedPart rounded_parts[] = {
    {Rounding::Where::All, QT_TRANSLATE_NOOP("RoundingWords", "all numbers"),
     QT_TRANSLATE_NOOP("RoundingWords", "Inputs, scores, weights and the output")},
    {Rounding::Where::Inputs, QT_TRANSLATE_NOOP("RoundingWords", "inputs"),
     QT_TRANSLATE_NOOP("RoundingWords", "Query, key and value as the mechanism uses them, after a projection")},
    {Rounding::Where::Scores, QT_TRANSLATE_NOOP("RoundingWords", "scores"),
     QT_TRANSLATE_NOOP("RoundingWords", "Scores, and what scale, position and masks make of them")},
    {Rounding::Where::Weights, QT_TRANSLATE_NOOP("RoundingWords", "weights"),
     QT_TRANSLATE_NOOP("RoundingWords", "Weights, after the softmax")},
};

const RoundedPart& partOf(Rounding::Where where) {
    return *std::ranges::find(rounded_parts, where, &RoundedPart::where);
}

} // namespace

QString RoundingWords::of(const std::optional<Rounding>& rounding) {
    return rounding ? tr("%1 %2").arg(textOf(name_of(rounding->format)), tr(partOf(rounding->where).name))
                    : QStringLiteral("float64");
}

QString RoundingWords::helpOf(Rounding::Where where) { return tr(partOf(where).help); }

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

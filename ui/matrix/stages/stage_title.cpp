#include "ui/matrix/stages/stage_title.h"

#include "ui/document/view_state.h"
#include "ui/matrix/slice.h"
#include "ui/matrix/stages/rounding_words.h"
#include "ui/matrix/stages/stage_kinds.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

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
    QT_TRANSLATE_NOOP("StageWords", "weights dropped"),
    QT_TRANSLATE_NOOP("StageWords", "implied weights"),
    QT_TRANSLATE_NOOP("StageWords", "local weights"),
    QT_TRANSLATE_NOOP("StageWords", "global weights"),
    QT_TRANSLATE_NOOP("StageWords", "lse"),
    QT_TRANSLATE_NOOP("StageWords", "entropy"),
    QT_TRANSLATE_NOOP("StageWords", "effective keys"),
    QT_TRANSLATE_NOOP("StageWords", "max weight"),
    QT_TRANSLATE_NOOP("StageWords", "jacobian norm"),
    QT_TRANSLATE_NOOP("StageWords", "head output"),
    QT_TRANSLATE_NOOP("StageWords", "output"),
    QT_TRANSLATE_NOOP("StageWords", "grad output"),
    QT_TRANSLATE_NOOP("StageWords", "grad head output"),
    QT_TRANSLATE_NOOP("StageWords", "grad value"),
    QT_TRANSLATE_NOOP("StageWords", "grad weights"),
    QT_TRANSLATE_NOOP("StageWords", "grad masked"),
    QT_TRANSLATE_NOOP("StageWords", "grad scores"),
    QT_TRANSLATE_NOOP("StageWords", "grad query"),
    QT_TRANSLATE_NOOP("StageWords", "grad key"),
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
    std::ranges::replace(words, '_', ' ');
    return QCoreApplication::translate("StageWords", words.c_str());
}

QString stageWordsInPass(std::string_view name) {
    const QString pass = passWords(name);
    return pass.isEmpty() ? stageWords(name) : pass + QLatin1Char('.') + stageWords(name);
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
    const QString name = stageWordsInPass(stage.name);
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

} // namespace attnlab::ui

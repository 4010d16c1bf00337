#include "ui/panels/ribbon/ribbon_tokens.h"

#include "ui/panels/ribbon/token_chip.h"
#include "ui/widgets/text.h"

#include <QHash>

#include <algorithm>

namespace attnlab::ui {
namespace {

QString shortened(const QString& label, int longest) {
    return longest > 0 && label.size() > longest ? label.left(longest - 1) + QChar(0x2026) : label;
}

/// Within a sentence of the other direction, a label keeps to itself.
QString isolated(const QString& label) { return label.isRightToLeft() ? QChar(0x2068) + label + QChar(0x2069) : label; }

} // namespace

RibbonTokens::Line::Line(const std::vector<std::string>& tokens, std::int64_t count) : labels(textsOf(tokens)) {
    QHash<QString, int> times;
    for (const auto& label : labels)
        ++times[label];
    for (int token = 0; token < count; ++token) {
        shown.push_back(hasLabel(token) ? shownToken(labels[token]) : QString::number(token));
        repeated.push_back(hasLabel(token) && times[labels[token]] > 1);
    }
}

RibbonTokens::RibbonTokens(const Trace& trace, const Stage& weights)
    : queries_(weights.tokens ? weights.tokens->query : trace.query_tokens, weights.value.dim(-2)),
      keys_(weights.tokens ? weights.tokens->key : trace.key_tokens, weights.value.dim(-1)) {
    const auto own = weights.value.dim(-1) - trace.pass(prefix_of(weights.name)).appended_keys;
    one_line_ =
        own == weights.value.dim(-2) && std::equal(queries_.shown.begin(), queries_.shown.end(), keys_.shown.begin());
}

QString RibbonTokens::quoted(const Line& line, int token, int longest) {
    const QString label = isolated(shortened(shownToken(line.labels[token]), longest));
    return line.repeated[static_cast<std::size_t>(token)] ? tr("“%1” (%2)").arg(label).arg(token)
                                                          : tr("“%1”").arg(label);
}

QString RibbonTokens::full(Side side, int token) const {
    const Line& of = line(side);
    if (of.hasLabel(token))
        return tr("“%1” (%2)").arg(shownToken(of.labels[token])).arg(token);
    return side == Side::Queries ? tr("Query %1").arg(token) : tr("Key %1").arg(token);
}

explain::ReadingNames RibbonTokens::names(int query, int longest) const {
    const auto key = [this, longest](std::int64_t of) {
        const int token = static_cast<int>(of);
        return keys_.hasLabel(token) ? quoted(keys_, token, longest) : tr("key %1").arg(token);
    };
    const auto item = [this, longest](std::int64_t of, const QString& weight) {
        const int token = static_cast<int>(of);
        return keys_.hasLabel(token) ? tr("%1 %2").arg(quoted(keys_, token, longest), weight)
                                     : tr("key %1: %2").arg(QString::number(token), weight);
    };
    return {(queries_.hasLabel(query) ? quoted(queries_, query, longest) : tr("Query %1").arg(query)).toStdString(),
            [key](std::int64_t of) { return key(of).toStdString(); },
            [item](std::int64_t of, const std::string& weight) { return item(of, textOf(weight)).toStdString(); },
            queries_.hasLabel(query) ? std::string() : tr("query %1").arg(query).toStdString()};
}

} // namespace attnlab::ui

#include "ui/learn/lesson/measured_claims.h"

#include "core/lessons/expression_parser.h"
#include "ui/learn/cards/card_content.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <QCoreApplication>
#include <utility>

namespace attnlab::ui {
namespace {

using Node = lessons::ExpressionNode;
using Kind = Node::Kind;

struct ClaimWords {
    Q_DECLARE_TR_FUNCTIONS(ClaimWords)
};

/// Words around the arguments of a function.
struct FunctionWords {
    std::string_view name;
    const char* words;
};

constexpr FunctionWords function_words[] = {
    {"variance", QT_TRANSLATE_NOOP("ClaimWords", "variance of %1")},
    {"mean", QT_TRANSLATE_NOOP("ClaimWords", "mean of %1")},
    {"max", QT_TRANSLATE_NOOP("ClaimWords", "largest of %1")},
    {"min", QT_TRANSLATE_NOOP("ClaimWords", "smallest of %1")},
    {"sum", QT_TRANSLATE_NOOP("ClaimWords", "sum of %1")},
    {"size", QT_TRANSLATE_NOOP("ClaimWords", "number of cells of %1")},
    {"norm", QT_TRANSLATE_NOOP("ClaimWords", "length of %1")},
    {"rank", QT_TRANSLATE_NOOP("ClaimWords", "rank of %1")},
    {"sorted", QT_TRANSLATE_NOOP("ClaimWords", "%1, sorted")},
    {"softmax", QT_TRANSLATE_NOOP("ClaimWords", "softmax of %1")},
    {"round", QT_TRANSLATE_NOOP("ClaimWords", "%1, rounded")},
    {"argmax", QT_TRANSLATE_NOOP("ClaimWords", "place of the largest of %1")},
    {"argmin", QT_TRANSLATE_NOOP("ClaimWords", "place of the smallest of %1")},
    {"distance", QT_TRANSLATE_NOOP("ClaimWords", "distance between %1 and %2")},
    {"dot", QT_TRANSLATE_NOOP("ClaimWords", "dot product of %1 and %2")},
    {"moved", QT_TRANSLATE_NOOP("ClaimWords", "how far outputs move when %2 changes (%1)")},
    {"moved_by_reading", QT_TRANSLATE_NOOP("ClaimWords", "how far outputs move by reading %2 when it changes (%1)")},
    {"entropy", QT_TRANSLATE_NOOP("ClaimWords", "entropy (%1)")},
    {"effective_keys", QT_TRANSLATE_NOOP("ClaimWords", "effective keys (%1)")},
    {"max_weight", QT_TRANSLATE_NOOP("ClaimWords", "largest weight of a row, on average (%1)")},
    {"jacobian_norm", QT_TRANSLATE_NOOP("ClaimWords", "Jacobian norm (%1)")},
    {"theory", QT_TRANSLATE_NOOP("ClaimWords", "expected variance (%1)")},
    {"gradients", QT_TRANSLATE_NOOP("ClaimWords", "gradients of the rows (%1)")},
    {"median", QT_TRANSLATE_NOOP("ClaimWords", "median of %1")},
    {"log", QT_TRANSLATE_NOOP("ClaimWords", "logarithm of %1")},
    {"exp", "e^(%1)"},
    {"abs", "|%1|"},
    {"sqrt", "√(%1)"},
    {"cbrt", "∛(%1)"},
};

QString spaced(std::string_view id) { return textOf(id).replace(QLatin1Char('_'), QLatin1Char(' ')); }

/// Writes the tree of one side of a comparison.
class Writer {
public:
    Writer(const lab::Scene& scene, const QMap<QString, QString>& names)
        : scene_(scene), names_(names), titles_(CardContents::settingTitles(scene)) {}

    QString words(const Node& node) const {
        switch (node.kind) {
        case Kind::Number:
            return isInteger(node.number) ? shown(node.number) : exactText(node.number);
        case Kind::Constant:
            return node.name == "inf"  ? QStringLiteral("∞")
                   : node.name == "pi" ? QStringLiteral("π")
                                       : textOf(node.name);
        case Kind::Array: // of masks, not of lessons
        case Kind::Setting:
            return setting(node.name);
        case Kind::Part:
            return ofSetting(part(node), node);
        case Kind::Index:
            return index(node);
        case Kind::Call:
            return call(node);
        case Kind::Negative:
            return QStringLiteral("−") + operand(node.children.front());
        case Kind::Binary:
            return binary(node);
        default: // a comparison is no side of one
            return {};
        }
    }

    /// "Scores, row “milk”: largest at “sweet”", "Variance of scores: 64.3".
    QString measured(const Node& node, const lessons::Value& value) const {
        const bool largest = node.kind == Kind::Call && node.name == "argmax";
        if ((largest || (node.kind == Kind::Call && node.name == "argmin")) && value.cells.size() == 1) {
            const Node& of = node.children.front();
            const auto [first, along] = counted(of);
            const QString at =
                place(std::llround(value.cells.front()) + std::max<std::int64_t>(first, 0), along, wholeOf(of).name);
            return (largest ? ClaimWords::tr("%1: largest at %2", "cells of a matrix, token or number")
                            : ClaimWords::tr("%1: smallest at %2", "cells of a matrix, token or number"))
                .arg(capitalised(words(of)), at);
        }
        return ClaimWords::tr("%1: %2", "what was measured, number")
            .arg(capitalised(words(withoutMargin(node))), shown(value));
    }

    /// "Weights (a) and weights (b) differ by up to 0.2."
    QString compared(const Node& one, const Node& other, const lessons::Value& a, const lessons::Value& b) const {
        double apart = 0.0;
        for (std::size_t k = 0; k < a.cells.size(); ++k)
            apart = a.cells[k] == b.cells[k] ? apart : std::max(apart, std::abs(a.cells[k] - b.cells[k]));
        constexpr double rounding = 1e-9;
        const QString first = capitalised(words(withoutMargin(one))), second = words(withoutMargin(other));
        return apart <= rounding ? ClaimWords::tr("%1 and %2 are equal in all %n cells", "two arrays",
                                                  static_cast<int>(a.cells.size()))
                                       .arg(first, second)
                                 : ClaimWords::tr("%1 and %2 differ by up to %3", "two arrays, a number")
                                       .arg(first, second, shown(apart));
    }

private:
    /// A claim with < can add a number that is small beside what it measures.
    static const Node& withoutMargin(const Node& node) {
        const bool sum = node.kind == Kind::Binary && (node.name == "+" || node.name == "-");
        const bool margin = sum && node.children.back().kind == Kind::Number && node.children.back().number <= 1e-5;
        return margin ? node.children.front() : node;
    }

    static bool isInteger(double value) { return value == std::floor(value) && std::abs(value) < 1e9; }

    static QString shown(double value) {
        return isInteger(value) ? QString::number(value, 'f', 0) : significantText(value);
    }

    static QString shown(const lessons::Value& value) {
        constexpr std::size_t most = 8;
        if (value.truth)
            return value.holds() ? ClaimWords::tr("true") : ClaimWords::tr("false");
        if (value.cells.size() == 1)
            return shown(value.cells.front());
        if (value.cells.size() > most) {
            const auto [least, largest] = std::ranges::minmax(value.cells);
            return ClaimWords::tr("%1 to %2 (%n cells)", "least, largest", static_cast<int>(value.cells.size()))
                .arg(shown(least), shown(largest));
        }
        QStringList cells;
        for (const double cell : value.cells)
            cells << shown(cell);
        return QStringLiteral("[%1]").arg(cells.join(QStringLiteral(", ")));
    }

    QString setting(std::string_view id) const {
        if (const QString name = names_.value(textOf(id)); !name.isEmpty())
            return ClaimWords::tr("“%1”").arg(name);
        const auto found = std::ranges::find(scene_.settings, id, &lab::SceneSetting::id);
        const QString title = titles_.value(found - scene_.settings.begin());
        return found == scene_.settings.end() || title.isEmpty() || titles_.count(title) > 1 ? spaced(id) : title;
    }

    /// Which setting, where there are several.
    QString ofSetting(const QString& what, const Node& part) const {
        return scene_.settings.size() > 1 ? ClaimWords::tr("%1 (%2)", "part, setting").arg(what, setting(part.name))
                                          : what;
    }

    QString part(const Node& node) const {
        std::string_view name = node.part;
        if (scene_.cache && name.starts_with("measure.")) {
            const auto costs = lab::cache_costs(*scene_.cache, lab::CacheSharing::MultiHead);
            const auto found = std::ranges::find(costs, name.substr(name.find('.') + 1), &Measure::name);
            if (found != costs.end())
                return translated(found->title);
        }
        for (const std::string_view group : {"tensor.", "measure."})
            if (name.starts_with(group))
                name.remove_prefix(group.size());
        return node.part.starts_with("measure.") ? spaced(name) : stageWords(name);
    }

    using Subscript = Node::Subscript;
    enum class Along { Queries, Keys, Columns };

    static bool isWhole(const Subscript& one) { return one.range && one.first.empty() && one.last.empty(); }

    /// A number of the file; the last ones have negative numbers.
    static std::int64_t numberOf(const Node& node) {
        return node.kind == Kind::Negative ? -std::llround(node.children.front().number) : std::llround(node.number);
    }

    /// "“cat”", or its number, from 0 as beside matrices.
    QString place(std::int64_t number, Along along, std::string_view of = {}) const {
        const auto setting = std::ranges::find(scene_.settings, of, &lab::SceneSetting::id);
        const bool found = setting != scene_.settings.end();
        const auto& queries = found ? lab::query_tokens_of(scene_, *setting) : scene_.query_tokens;
        const auto& named_keys = found ? lab::key_tokens_of(scene_, *setting) : scene_.key_tokens;
        const auto& keys = named_keys.empty() ? queries : named_keys;
        static const std::vector<std::string> none;
        const auto& tokens = along == Along::Queries ? queries : along == Along::Keys ? keys : none;
        const auto count = static_cast<std::int64_t>(tokens.size());
        const auto index = number < 0 ? number + count : number;
        if (index >= 0 && index < count)
            return ClaimWords::tr("“%1”").arg(textOf(tokens[static_cast<std::size_t>(index)]));
        return QString::number(number);
    }

    /// `of`: the setting, which may have tokens of its own.
    QString places(const Subscript& one, Along along, std::string_view of = {}) const {
        if (!one.range)
            return place(numberOf(one.first.front()), along, of);
        const auto first = one.first.empty() ? 0 : numberOf(one.first.front());
        return one.last.empty() ? ClaimWords::tr("%1 and on").arg(place(first, along, of))
                                : ClaimWords::tr("%1 to %2", "first, last")
                                      .arg(place(first, along, of), place(numberOf(one.last.front()) - 1, along, of));
    }

    /// The matrices of these have a column for each key.
    static bool hasKeys(const Node& node) {
        constexpr std::string_view names[] = {"scores",     "scaled",      "masked",     "blocked",
                                              "difference", "grad_scores", "grad_masked"};
        return node.kind == Kind::Part &&
               (node.part.ends_with("weights") || std::ranges::find(names, node.part) != std::end(names));
    }

    /// "row “it” of query", "weights, row “it”, column “cat”".
    QString index(const Node& node) const {
        const Node& of = node.children.front();
        if (of.kind == Kind::Part && of.part == "loss" && node.subscripts.size() == 1 && !node.subscripts.front().range)
            return ofSetting(numberOf(node.subscripts.front().first.front()) < 0 ? ClaimWords::tr("loss at the end")
                                                                                 : ClaimWords::tr("loss at the start"),
                             of);
        const bool is_part = of.kind == Kind::Part;
        auto at = node.subscripts;
        const QString what = is_part ? part(of) : words(of);
        QStringList parts;
        const bool one_a_row = is_part && (of.part.starts_with("tile_row") || of.part == "buckets");
        const std::size_t last = one_a_row ? 1 : 2; // axes of the matrix
        if (at.size() > last) {                     // behind tile, batch and head
            if (const auto& head = at[at.size() - last - 1]; !isWhole(head))
                parts << ClaimWords::tr("head %1").arg(places(head, Along::Columns));
            if (at.size() > last + 2 && !isWhole(at.front()))
                parts << ClaimWords::tr("tile %1").arg(places(at.front(), Along::Columns));
            at.erase(at.begin(), at.end() - static_cast<std::ptrdiff_t>(last));
        }
        if (!at.empty() && !isWhole(at.front()))
            parts << ClaimWords::tr("row %1").arg(places(at.front(), Along::Queries, of.name));
        if (at.size() > 1 && !isWhole(at.back()))
            parts << ClaimWords::tr("column %1")
                         .arg(places(at.back(), hasKeys(of) ? Along::Keys : Along::Columns, of.name));
        parts.prepend(is_part ? ofSetting(what, of) : what);
        return parts.join(QStringLiteral(", "));
    }

    /// Of the axis along which argmax counts: the first number, and what is there.
    std::pair<std::int64_t, Along> counted(const Node& node) const {
        if (node.kind == Kind::Call && node.name == "sum" &&
            node.children.size() > 1) // over the rows: one number a column
            return {0, hasKeys(wholeOf(node.children.front())) ? Along::Keys : Along::Columns};
        if (node.kind != Kind::Index)
            return {0, Along::Columns};
        const auto& last = node.subscripts.back();
        const auto first = last.range && !last.first.empty() ? numberOf(last.first.front()) : 0;
        return {first, hasKeys(wholeOf(node)) && last.range ? Along::Keys : Along::Columns};
    }

    static const Node& wholeOf(const Node& node) { return node.kind == Kind::Index ? node.children.front() : node; }

    QString call(const Node& node) const {
        QStringList arguments;
        for (const auto& child : node.children)
            arguments << words(child);
        if (node.name.starts_with("moved") && arguments.size() > 1)
            arguments[1] = token(node.children[1]);
        const auto known = std::ranges::find(function_words, node.name, &FunctionWords::name);
        if (known == std::end(function_words))
            return QStringLiteral("%1(%2)").arg(textOf(node.name), arguments.join(QStringLiteral(", ")));
        QString text = QCoreApplication::translate("ClaimWords", known->words);
        if (node.name == "sum" && arguments.size() > 1)
            text = node.children[1].kind == Kind::Number && node.children[1].number == 0.0
                       ? ClaimWords::tr("sum of each column of %1")
                       : ClaimWords::tr("sum of each row of %1");
        else if (node.name == "mean" && arguments.size() > 1)
            text = ClaimWords::tr("mean of the rows of %1");
        return text.contains(QLatin1String("%2")) ? text.arg(arguments.value(0), arguments.value(1))
                                                  : text.arg(arguments.value(0));
    }

    QString token(const Node& node) const {
        const bool last = node.kind == Kind::Negative && node.children.front().number == 1.0;
        return last ? ClaimWords::tr("the last token")
                    : ClaimWords::tr("token %1").arg(place(numberOf(node), Along::Keys));
    }

    QString operand(const Node& node) const {
        const QString text = words(node);
        return node.kind == Kind::Binary ? QStringLiteral("(%1)").arg(text) : text;
    }

    QString binary(const Node& node) const {
        const Node &left = node.children.front(), &right = node.children.back();
        if (node.name == "^" && right.kind == Kind::Number && right.number == 2.0)
            return operand(left) + QStringLiteral("²");
        const QString sign = node.name == "*"   ? QStringLiteral(" · ")
                             : node.name == "-" ? QStringLiteral(" − ")
                             : node.name == "^" ? QStringLiteral("^")
                                                : QStringLiteral(" %1 ").arg(textOf(node.name));
        return operand(left) + sign + operand(right);
    }

    const lab::Scene& scene_;
    const QMap<QString, QString>& names_;
    QStringList titles_;
};

} // namespace

QString measuredValuesText(const std::vector<lessons::Measured>& measured, const lab::Scene& scene,
                           const QMap<QString, QString>& names) {
    const Writer writer(scene, names);
    QStringList all;
    for (std::size_t k = 0; k < measured.size(); ++k) {
        const auto& one = measured[k];
        const auto node = lessons::parse_expression(one.what);
        QString words;
        if (k + 1 < measured.size() && one.value.cells.size() > 1 && !one.value.truth &&
            one.value.shape == measured[k + 1].value.shape) {
            const auto& other = measured[++k];
            words = writer.compared(node, lessons::parse_expression(other.what), one.value, other.value);
        } else {
            words = writer.measured(node, one.value);
        }
        if (!all.contains(words))
            all << words;
    }
    return all.join(QStringLiteral("; "));
}

} // namespace attnlab::ui

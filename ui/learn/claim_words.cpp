#include "ui/learn/claim_words.h"

#include "core/lessons/expression_tree.h"
#include "ui/learn/lab/card_content.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

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
    {"argmax", QT_TRANSLATE_NOOP("ClaimWords", "position of the largest of %1")},
    {"argmin", QT_TRANSLATE_NOOP("ClaimWords", "position of the smallest of %1")},
    {"distance", QT_TRANSLATE_NOOP("ClaimWords", "distance between %1 and %2")},
    {"dot", QT_TRANSLATE_NOOP("ClaimWords", "dot product of %1 and %2")},
    {"moved", QT_TRANSLATE_NOOP("ClaimWords", "how far outputs move when %2 changes (%1)")},
    {"entropy", QT_TRANSLATE_NOOP("ClaimWords", "entropy (%1)")},
    {"effective_keys", QT_TRANSLATE_NOOP("ClaimWords", "effective keys (%1)")},
    {"max_weight", QT_TRANSLATE_NOOP("ClaimWords", "largest weight of a row (%1)")},
    {"jacobian_norm", QT_TRANSLATE_NOOP("ClaimWords", "Jacobian norm (%1)")},
    {"theory", QT_TRANSLATE_NOOP("ClaimWords", "variance in theory (%1)")},
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
    explicit Writer(const lab::Scene& scene) : scene_(scene), titles_(CardContents::settingTitles(scene)) {}

    QString words(const Node& node) const {
        switch (node.kind) {
        case Kind::Number:
            return exactText(node.number);
        case Kind::Constant:
            return node.name == "inf"  ? QStringLiteral("∞")
                   : node.name == "pi" ? QStringLiteral("π")
                                       : textOf(node.name);
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

private:
    QString setting(std::string_view id) const {
        const auto found = std::ranges::find(scene_.settings, id, &lab::SceneSetting::id);
        const QString title = titles_.value(found - scene_.settings.begin());
        return found == scene_.settings.end() || title.isEmpty() || titles_.count(title) > 1 ? spaced(id) : title;
    }

    /// Which setting, where there are several.
    QString ofSetting(const QString& what, const Node& part) const {
        return scene_.settings.size() > 1 ? ClaimWords::tr("%1 (%2)", "part, setting").arg(what, setting(part.name))
                                          : what;
    }

    static QString part(const Node& node) {
        std::string_view name = node.part;
        for (const std::string_view group : {"tensor.", "measure."})
            if (name.starts_with(group))
                name.remove_prefix(group.size());
        return node.part.starts_with("measure.") ? spaced(name) : stageWords(name);
    }

    static QString subscript(const Node::Subscript& one) {
        const auto end = [](const std::vector<Node>& nodes) {
            if (nodes.empty())
                return QString();
            const Node& node = nodes.front();
            return node.kind == Kind::Negative ? QStringLiteral("−") + exactText(node.children.front().number)
                                               : exactText(node.number);
        };
        return one.range ? end(one.first) + QStringLiteral(":") + end(one.last) : end(one.first);
    }

    /// "row 2 of the query", "query[2, 0:3]".
    QString index(const Node& node) const {
        const Node& of = node.children.front();
        const bool is_part = of.kind == Kind::Part;
        const auto all = [](const Node::Subscript& one) { return one.range && one.first.empty() && one.last.empty(); };
        const auto& at = node.subscripts;
        const QString what = is_part ? part(of) : words(of);
        QString text;
        if (std::ranges::all_of(at, all)) {
            text = what;
        } else if (at.size() == 2 && !at[0].range && all(at[1])) {
            text = ClaimWords::tr("row %1 of %2").arg(subscript(at[0]), what);
        } else if (at.size() == 4 && !at[0].range && !at[1].range && all(at[2]) && all(at[3])) {
            text = ClaimWords::tr("head %1 of %2").arg(subscript(at[1]), what);
        } else {
            QStringList list;
            for (const auto& one : at)
                list << subscript(one);
            text = QStringLiteral("%1[%2]").arg(what, list.join(QStringLiteral(", ")));
        }
        return is_part ? ofSetting(text, of) : text;
    }

    QString call(const Node& node) const {
        QStringList arguments;
        for (const auto& child : node.children)
            arguments << words(child);
        if (node.name == "moved" && arguments.size() > 1)
            arguments[1] = token(node.children[1], arguments[1]);
        const auto known = std::ranges::find(function_words, node.name, &FunctionWords::name);
        if (known == std::end(function_words))
            return QStringLiteral("%1(%2)").arg(textOf(node.name), arguments.join(QStringLiteral(", ")));
        QString text = QCoreApplication::translate("ClaimWords", known->words);
        if (node.name == "sum" && arguments.size() > 1)
            text = ClaimWords::tr("sum of each row of %1");
        else if (node.name == "mean" && arguments.size() > 1)
            text = ClaimWords::tr("mean of the rows of %1");
        return text.contains(QLatin1String("%2")) ? text.arg(arguments.value(0), arguments.value(1))
                                                  : text.arg(arguments.value(0));
    }

    static QString token(const Node& node, const QString& number) {
        const bool last = node.kind == Kind::Negative && node.children.front().number == 1.0;
        return last ? ClaimWords::tr("the last token") : ClaimWords::tr("token %1").arg(number);
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
    QStringList titles_;
};

} // namespace

QString measuredWords(const std::vector<lessons::Measured>& measured, const lab::Scene& scene) {
    const Writer writer(scene);
    const auto number = [](double value) { return significantText(value).toStdString(); };
    QStringList all;
    for (const auto& one : measured)
        all << ClaimWords::tr("%1: %2", "what was measured, number")
                   .arg(capitalised(writer.words(lessons::parse_expression(one.what))),
                        textOf(lessons::shown(one.value, number)));
    return all.join(QStringLiteral("; "));
}

} // namespace attnlab::ui

#include "ui/document/option_words.h"

#include "core/recognition/layout.h"

#include <QRegularExpression>

#include <string_view>

namespace attnlab::ui {
namespace {

QString axesOf(std::string_view id) {
    for (const auto& known : layouts())
        if (known.id == id)
            return QString::fromStdString(axes_text(known));
    return QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
}

} // namespace

std::optional<QString> OptionWords::of(const std::string& argument) {
    const auto behind = [&](std::string_view option) {
        return argument.starts_with(option) ? std::optional(argument.substr(option.size())) : std::nullopt;
    };
    if (const auto axes = behind("--layout "))
        return tr("“Read otherwise…” with the axes %1").arg(axesOf(*axes));
    if (const auto role = behind("--role ")) {
        const auto text = QString::fromStdString(*role);
        const auto equals = text.lastIndexOf(QLatin1Char('='));
        return tr("“Read otherwise…” with %1 as %2").arg(text.left(equals), text.mid(equals + 1));
    }
    if (const auto prefix = behind("--prefix "))
        return tr("“Read otherwise…” with the layer %1").arg(QString::fromStdString(*prefix));
    if (behind("--set num_kv_heads="))
        return tr("“Read otherwise…” with a number of key heads");
    if (behind("--set num_heads="))
        return tr("“Read otherwise…” with a number of heads");
    if (const auto mask = behind("--mask "))
        return tr("“%1” in the Mask panel").arg(QString::fromStdString(*mask));
    if (behind("--mask-true keeps"))
        return tr("“True means kept” in the Mask panel");
    if (behind("--mask-true blocks"))
        return tr("“True means blocked” in the Mask panel");
    if (behind("attnlab compare --against"))
        return tr("“Compare with a file…” in the Attention menu");
    static const QRegularExpression sum(QStringLiteral("^(\\d+) over (\\d+) (heads|sequences)$"));
    if (const auto parts = sum.match(QString::fromStdString(argument)); parts.hasMatch())
        return (parts.captured(3) == QLatin1String("heads") ? tr("%1 over %2 heads") : tr("%1 over %2 sequences"))
            .arg(parts.captured(1), parts.captured(2));
    return std::nullopt;
}

} // namespace attnlab::ui

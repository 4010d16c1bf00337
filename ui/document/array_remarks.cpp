#include "ui/document/array_remarks.h"

#include "core/recognition/layout.h"
#include "ui/document/document.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <QHBoxLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <string_view>

namespace attnlab::ui {

QString ArrayRemark::text() const {
    auto words = translated(message);
    switch (kind) {
    case Kind::Unused:
        return translated(Message{ATTNLAB_TEXT("%1 is not used: %2"), {array, words.toStdString()}});
    case Kind::ReadAs:
        return translated(Message{ATTNLAB_TEXT("%1: %2"), {array, words.toStdString()}});
    case Kind::Made:
    case Kind::Decided:
        break;
    }
    return words;
}

namespace {

constexpr int most_lines = 12; ///< the others scroll: more lines would leave no room for the pictures

} // namespace

RemarksBar::RemarksBar(Document& document, QWidget* parent)
    : QFrame(parent), document_(document), label_(new WrappedLabel),
      room_(new FittingScrollArea(label_, FittingScrollArea::Scrolls::Down)), all_(new QPushButton),
      choose_(new QPushButton) {
    setObjectName(QStringLiteral("remarksBar"));
    label_->setWordWrap(true);
    label_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 2, 6, 2);
    auto policy = room_->sizePolicy();
    policy.setVerticalPolicy(QSizePolicy::Maximum);
    policy.setHeightForWidth(true);
    room_->setSizePolicy(policy);
    room_->setMinimumHeight(fontMetrics().height());
    room_->setMaximumHeight(most_lines * fontMetrics().height());
    layout->addWidget(room_, 1);
    layout->addWidget(all_, 0, Qt::AlignTop);
    layout->addWidget(choose_, 0, Qt::AlignTop);
    connect(all_, &QPushButton::clicked, this, [this] { showAll(!open_); });
    connect(choose_, &QPushButton::clicked, this, &RemarksBar::chooseRequested);
    connect(&document_, &Document::remarksChanged, this, [this] { showAll(false); });
    choose_->hide();
    showRemarks();
}

QString RemarksBar::text() const { return label_->text(); }

void RemarksBar::setChoosable(bool choosable) { choose_->setVisible(choosable); }

void RemarksBar::showAll(bool all) {
    open_ = all;
    showRemarks();
}

void RemarksBar::showRemarks() {
    const auto& remarks = document_.remarks();
    // What is made up is never out of sight.
    const auto made =
        static_cast<std::size_t>(std::ranges::count(remarks, ArrayRemark::Kind::Made, &ArrayRemark::kind));
    const auto first = std::min(remarks.size(), std::max<std::size_t>(made, 1));
    const auto shown = open_ ? remarks.size() : first;
    QStringList lines;
    for (std::size_t i = 0; i < shown; ++i)
        lines << remarks[i].text();
    label_->setText(lines.join(QLatin1Char('\n')));
    room_->updateGeometry(); // it does not follow its content's size by itself
    const auto more = remarks.size() - first;
    setWords(*all_, open_ ? tr("Fewer") : tr("%n more", nullptr, static_cast<int>(more)));
    all_->setVisible(more > 0);
    setWords(*choose_, tr("Read otherwise…"));
    choose_->setToolTip(tr("Which array is which, how its axes lie, how many heads there are"));
    label_->setToolTip(tr("Axes: B batch, H heads, L tokens (S, for keys), E features, O offsets from the query"));
    setVisible(!remarks.empty());
}

namespace {

QString axesOf(std::string_view id) {
    for (const auto& known : layouts())
        if (known.id == id)
            return QString::fromStdString(axes_text(known));
    return QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
}

} // namespace

std::optional<QString> OptionNames::of(const std::string& argument) {
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
    if (const auto offset = behind("--query-offset "))
        return tr("“First query at” %1 in the Mask panel").arg(QString::fromStdString(*offset));
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

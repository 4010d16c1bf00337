#include "ui/document/remarks_bar.h"

#include "ui/document/document.h"
#include "ui/widgets/scroll_room.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wrapped_label.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int most_lines = 12; ///< the others scroll: more lines would leave no room for the pictures

} // namespace

RemarksBar::RemarksBar(Document& document, QWidget* parent)
    : QFrame(parent), document_(document), label_(new WrappedLabel),
      room_(new ScrollRoom(label_, ScrollRoom::Scrolls::Down)), all_(new QPushButton), choose_(new QPushButton) {
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
    label_->setToolTip(tr("Axes: B batch, H heads, L tokens (S, for keys), E features"));
    setVisible(!remarks.empty());
}

} // namespace attnlab::ui

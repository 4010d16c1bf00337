#include "ui/panels/help/reference_dialog.h"

#include "ui/drawing/formula_view.h"
#include "ui/widgets/inert_document.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/theme.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <cmath>

namespace attnlab::ui {
namespace {

constexpr int topic_role = Qt::UserRole; ///< index into the topics; headings have none

/// Paints the formulas that a page refers to, in the colours of the theme and at the screen's resolution; loads nothing
/// else.
class Page : public QTextBrowser {
public:
    Page() {
        setOpenLinks(false);
        document()->setDocumentMargin(14);
    }

protected:
    QVariant loadResource(int type, const QUrl& name) override {
        if (type != QTextDocument::ImageResource || name.scheme() != QLatin1String("formula"))
            return InertDocument::nothing(type);
        const Formula formula(name.path(), theme().text, theme().accent);
        const qreal em = QFontInfo(font()).pixelSize() * 1.3;
        QSizeF size = formula.size(em);
        const qreal room = viewport()->width() - 2 * document()->documentMargin();
        if (size.width() > room)
            size *= room / size.width();
        const qreal ratio = devicePixelRatioF();
        QImage image((size * ratio).toSize() + QSize(1, 1), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        image.setDevicePixelRatio(ratio);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        formula.paint(painter, QRectF(QPointF(), size));
        return image;
    }
};

} // namespace

ReferenceDialog::ReferenceDialog(QWidget* parent)
    : QDialog(parent), search_(new QLineEdit), list_(new QListWidget), browser_(new Page) {
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(search_);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // long titles are elided
    column->addWidget(list_, 1);
    auto* parts = new Splitter(Qt::Horizontal);
    parts->addWidget(left);
    parts->addWidget(browser_);
    parts->setStretchFactor(1, 1);
    parts->setSizes({240, 620});
    parts->setChildrenCollapsible(false);
    parts->setDividerName(1, tr("Width of the list of pages"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(parts, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Enter in the search must not close
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, &ReferenceDialog::filter);
    connect(list_, &QListWidget::currentItemChanged, this, &ReferenceDialog::showCurrent);
    retranslate();
    resize(900, 640);
}

void ReferenceDialog::showTopic(const QString& id) {
    search_->clear();
    for (int row = 0; row < list_->count(); ++row) {
        const auto index = list_->item(row)->data(topic_role);
        if (index.isValid() && (topics_[index.toUInt()].id == id || row == 1))
            list_->setCurrentRow(row);
        if (index.isValid() && topics_[index.toUInt()].id == id)
            return;
    }
}

QString ReferenceDialog::topic() const {
    const auto* item = list_->currentItem();
    return item && item->data(topic_role).isValid() ? topics_[item->data(topic_role).toUInt()].id : QString();
}

void ReferenceDialog::fillList() {
    list_->clear();
    QString heading;
    for (std::size_t i = 0; i < topics_.size(); ++i) {
        if (topics_[i].heading != heading) {
            heading = topics_[i].heading;
            auto* above = new QListWidgetItem(heading, list_);
            above->setFlags(Qt::NoItemFlags);
            QFont bold = list_->font();
            bold.setBold(true);
            above->setFont(bold);
            above->setForeground(theme().muted);
        }
        auto* item = new QListWidgetItem(QStringLiteral("   ") + topics_[i].title, list_);
        item->setData(topic_role, static_cast<uint>(i));
        item->setData(Qt::AccessibleTextRole, topics_[i].title);
        item->setToolTip(topics_[i].title);
    }
}

void ReferenceDialog::filter(const QString& words) {
    QListWidgetItem* heading = nullptr;
    for (int row = 0; row < list_->count(); ++row) {
        auto* item = list_->item(row);
        const auto index = item->data(topic_role);
        if (!index.isValid()) {
            heading = item;
            heading->setHidden(true);
            continue;
        }
        const auto& topic = topics_[index.toUInt()];
        const bool found = words.isEmpty() || topic.title.contains(words, Qt::CaseInsensitive) ||
                           topic.html.contains(words.toHtmlEscaped(), Qt::CaseInsensitive);
        item->setHidden(!found);
        if (found && heading)
            heading->setHidden(false);
    }
}

void ReferenceDialog::showCurrent() {
    const auto* item = list_->currentItem();
    if (item && item->data(topic_role).isValid())
        browser_->setHtml(topics_[item->data(topic_role).toUInt()].html);
}

void ReferenceDialog::retranslate() {
    const QString shown = topic();
    setWindowTitle(tr("Mechanisms, scales and masks"));
    search_->setPlaceholderText(tr("Search"));
    search_->setAccessibleName(tr("Search the pages"));
    list_->setAccessibleName(tr("Pages"));
    browser_->setAccessibleName(tr("Page"));
    topics_ = referenceTopics();
    fillList();
    showTopic(shown);
}

void ReferenceDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::PaletteChange && browser_ && !topics_.empty()) {
        fillList();
        showCurrent();
    }
    QDialog::changeEvent(event);
}

} // namespace attnlab::ui

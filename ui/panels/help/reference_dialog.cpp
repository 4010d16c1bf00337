#include "ui/panels/help/reference_dialog.h"

#include "core/mechanisms.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "ui/drawing/formula_view.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

struct Reference {
    Q_DECLARE_TR_FUNCTIONS(Reference)
};

QString escaped(std::string_view text) { return textOf(text).toHtmlEscaped(); }

QString section(const QString& heading, const QString& content) {
    return content.isEmpty() ? QString() : QStringLiteral("<h4>%1</h4>%2").arg(heading, content);
}

QString paragraph(const QString& text) {
    return text.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped());
}

/// The typeset formula if there is one, else the plain text.
QString formula(const QString& id, std::string_view plain) {
    if (!hasFormula(id))
        return QStringLiteral("<p><i>%1</i></p>").arg(formulaText(plain).toHtmlEscaped());
    return QStringLiteral("<p><img src=\"formula:%1\"></p>").arg(id);
}

QString row(const QStringList& cells) {
    QString line;
    for (const auto& cell : cells)
        line += QStringLiteral("<td style=\"padding: 2px 14px 2px 0\">%1</td>").arg(cell);
    return QStringLiteral("<tr>%1</tr>").arg(line);
}

QString table(const QString& rows) {
    return rows.isEmpty() ? QString() : QStringLiteral("<table cellspacing=\"0\">%1</table>").arg(rows);
}

/// "B H L E | L E" as shapes: "(B, H, L, E) or (L, E)".
QString shapes(const Input& input) {
    QStringList alternatives;
    for (const auto& dims : textOf(input.dims).split(QStringLiteral(" | ")))
        alternatives << QLatin1Char('(') + dims.split(QLatin1Char(' ')).join(QStringLiteral(", ")) + QLatin1Char(')');
    return alternatives.join(Reference::tr(" or ", "between two shapes"));
}

/// Help with the choice that the array or parameter depends on.
QString withCondition(const QString& help, std::string_view when) {
    return when.empty() ? help : Reference::tr("%1 (with %2)").arg(help, textOf(when));
}

QString inputTable(std::span<const Input> inputs) {
    QString rows;
    for (const auto& input : inputs) {
        const auto help =
            input.required ? translated(input.help) : Reference::tr("%1 (optional)").arg(translated(input.help));
        rows += row({QStringLiteral("<b>%1</b>").arg(escaped(input.name)), shapes(input).toHtmlEscaped(),
                     withCondition(help, input.when).toHtmlEscaped()});
    }
    return table(rows);
}

QString parameterTable(std::span<const Parameter> parameters) {
    QString rows;
    for (const auto& parameter : parameters)
        rows += row({QStringLiteral("<b>%1</b>").arg(escaped(parameter.name)), escaped(parameter.default_text),
                     withCondition(parameterHelp(parameter), parameter.when)
                         .toHtmlEscaped()
                         .replace(QLatin1Char('\n'), QStringLiteral("<br>"))});
    return table(rows);
}

QString refusals(const Refusals& refuses) {
    QString list;
    for (const char* why : {refuses.masks, refuses.position, refuses.scale_after_softmax, refuses.scale_of_many_factors,
                            refuses.statistics, refuses.scale, refuses.finite_fill})
        if (why && !list.contains(translated(why).toHtmlEscaped()))
            list += QStringLiteral("<li>%1</li>").arg(translated(why).toHtmlEscaped());
    return list.isEmpty() ? QString() : QStringLiteral("<ul>%1</ul>").arg(list);
}

QString page(const Mechanism& variant) {
    const QString line = textOf(variant.attention_line) + QLatin1Char('_') + textOf(variant.default_scale);
    return (hasFormula(line) ? formula(line, {}) : QString()) + formula(textOf(variant.id), variant.formula) +
           paragraph(translated(variant.help)) +
           section(Reference::tr("What to look for"), paragraph(translated(variant.look_for))) +
           section(Reference::tr("Arrays"), inputTable(variant.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(variant.parameters)) +
           section(Reference::tr("What it cannot take"), refusals(variant.refuses)) +
           section(Reference::tr("Source"), paragraph(textOf(variant.source))) +
           QStringLiteral("<p><code>attnlab compute … --variant %1</code></p>").arg(escaped(variant.id));
}

QString page(const ScaleMode& mode) {
    return formula(QStringLiteral("scale_") + textOf(mode.id), mode.formula) + paragraph(translated(mode.help)) +
           section(Reference::tr("Arrays"), inputTable(mode.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(mode.parameters)) +
           QStringLiteral("<p><code>attnlab compute … --scale %1</code></p>").arg(escaped(mode.id));
}

QString page(const PositionTerm& term) {
    return formula(QStringLiteral("position_") + textOf(term.id), term.rule) + paragraph(translated(term.help)) +
           section(Reference::tr("Arrays"), inputTable(term.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(term.parameters)) +
           section(Reference::tr("Source"), paragraph(textOf(term.source))) +
           QStringLiteral("<p><code>attnlab compute … --position %1</code></p>").arg(escaped(term.id));
}

QString page(const Normaliser& row) {
    return formula(QStringLiteral("normaliser_") + textOf(row.id), row.formula) + paragraph(translated(row.help)) +
           paragraph(row.row_sums ? Reference::tr("%1.", "a sentence").arg(translated(row.row_sums)) : QString()) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(row.parameters)) +
           (row.source.empty() ? QString() : section(Reference::tr("Source"), paragraph(textOf(row.source)))) +
           QStringLiteral("<p><code>attnlab compute … --normaliser %1</code></p>").arg(escaped(row.id));
}

QString broadcasting(std::span<const Input> inputs) {
    const auto broadcasts = [](const Input& input) { return input.dims.find('?') != input.dims.npos; };
    if (std::none_of(inputs.begin(), inputs.end(), broadcasts))
        return {};
    return paragraph(
        Reference::tr("A size with a question mark may be 1 instead: the array is then the same along that "
                      "axis."));
}

QString page(const Decay& row) {
    return formula(QStringLiteral("decay_") + textOf(row.id), row.rule) + paragraph(translated(row.help)) +
           section(Reference::tr("Arrays"), inputTable(row.inputs) + broadcasting(row.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(row.parameters)) +
           section(Reference::tr("Source"), paragraph(textOf(row.source))) +
           QStringLiteral("<p><code>attnlab compute … --decay %1</code></p>").arg(escaped(row.id));
}

QString page(const MaskKind& kind) {
    return (kind.rule.empty() ? QString()
                              : paragraph((kind.adds ? Reference::tr("A score s becomes %1.")
                                                     : Reference::tr("Keeps a cell where %1."))
                                              .arg(formulaText(kind.rule)))) +
           paragraph(translated(kind.help)) +
           section(Reference::tr("Arrays"), inputTable(kind.inputs) + broadcasting(kind.inputs)) +
           section(Reference::tr("Parameters and their defaults"), parameterTable(kind.parameters)) +
           (kind.source.empty() ? QString() : section(Reference::tr("Source"), paragraph(textOf(kind.source)))) +
           QStringLiteral("<p><code>attnlab compute … --mask %1</code></p>").arg(escaped(kind.id));
}

} // namespace

std::vector<ReferenceTopic> referenceTopics() {
    std::vector<ReferenceTopic> topics;
    const auto add = [&](const char* kind, std::string_view id, const QString& heading, const char* title,
                         const QString& html) {
        const QString shown = capitalised(translated(title));
        topics.push_back({QLatin1String(kind) + QLatin1Char('/') + textOf(id), heading, shown,
                          QStringLiteral("<h2>%1</h2>%2").arg(shown.toHtmlEscaped(), html)});
    };
    for (const auto& variant : mechanisms())
        add("variant", variant.id, translated(variant.family), variant.title, page(variant));
    for (const auto& mode : scale_modes())
        add("scale", mode.id, Reference::tr("Scales"), mode.title, page(mode));
    for (const auto& term : position_terms())
        add("position", term.id, Reference::tr("Positions"), term.title, page(term));
    for (const auto& row : normalisers())
        add("normaliser", row.id, Reference::tr("Normalisers"), row.title, page(row));
    for (const auto& row : decays())
        add("decay", row.id, Reference::tr("Decays"), row.title, page(row));
    for (const auto& kind : mask_kinds())
        add("mask", kind.id, Reference::tr("Masks"), kind.title, page(kind));
    return topics;
}

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
        const Formula formula(name.path(), theme().text, theme());
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
    : QDialog(parent), search_(new QLineEdit), list_(new QListWidget),
      nothing_(new StateBox(list_->viewport(), StateBox::Place::Middle)), browser_(new Page) {
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
    bool any = false;
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
        any = any || found;
        if (found && heading)
            heading->setHidden(false);
    }
    nothing_->setState({PictureState::Look::Empty, any ? QString() : tr("No page has these words")});
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

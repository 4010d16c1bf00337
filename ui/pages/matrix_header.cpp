#include "ui/pages/matrix_header.h"

#include "core/map/attention_map.h"
#include "ui/document/view_state.h"
#include "ui/drawing/color_bar.h"
#include "ui/drawing/formula_view.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <array>
#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPalette>
#include <QStandardItemModel>
#include <QToolButton>

namespace attnlab::ui {
namespace {

constexpr int gap = 4; ///< between controls

} // namespace

MatrixHeader::MatrixHeader(ViewState& view, QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel(this)), formula_(new NotationLabel(this)),
      colors_(new ColorsButton(view, this)), batch_(new QComboBox(this)), head_(new QComboBox(this)),
      pool_(new QComboBox(this)), weights_as_(new QComboBox(this)), jump_(new JumpField(this)),
      zoom_out_(zoomButton(QStringLiteral("zoom-out"), Page::Zoom::Out)),
      fit_(zoomButton(QStringLiteral("zoom-fit"), Page::Zoom::Fit)),
      zoom_in_(zoomButton(QStringLiteral("zoom-in"), Page::Zoom::In)) {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    formula_->setForegroundRole(QPalette::PlaceholderText);
    formula_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pool_->addItem(tr("Largest"), static_cast<int>(Pool::Max));
    pool_->addItem(tr("Mean"), static_cast<int>(Pool::Mean));
    jump_->setMaximumWidth(fontMetrics().averageCharWidth() * 22);
    layOut();
    setTexts();
}

QToolButton* MatrixHeader::zoomButton(const QString& icon_name, Page::Zoom how) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(icon_name));
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this, [this, how] { emit zoomClicked(how); });
    return button;
}

void MatrixHeader::layOut() {
    auto* heading = new QWidget(this);
    auto* words = new QHBoxLayout(heading);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(10);
    words->addWidget(title_);
    words->addWidget(formula_, 1);
    heading->setMinimumWidth(fontMetrics().averageCharWidth() * 9);
    auto* row = new FlowLayout(this, gap, gap);
    row->addWidget(heading);
    row->setFilling(heading);
    for (QWidget* tool : tools()) {
        row->addWidget(tool);
        row->setAlignment(tool, Qt::AlignVCenter);
    }
    row->setAlignment(heading, Qt::AlignVCenter);
    new RovingFocus({zoom_out_, fit_, zoom_in_}, this);
}

/// With and without its pickers.
void MatrixHeader::keepHeight() { setMinimumHeight(weights_as_->sizeHint().height()); }

void MatrixHeader::setTexts() {
    batch_->setAccessibleName(tr("Batch"));
    head_->setAccessibleName(tr("Head"));
    pool_->setAccessibleName(tr("What a pixel shows of its cells"));
    pool_->setToolTip(pool_->accessibleName());
    weights_as_->setAccessibleName(tr("How the weights are shown"));
    weights_as_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    weights_as_->setMinimumContentsLength(8);
    weights_as_->view()->setTextElideMode(Qt::ElideNone);
    weights_as_->hide();
    zoom_in_->setAccessibleName(tr("Zoom in"));
    zoom_out_->setAccessibleName(tr("Zoom out"));
    fit_->setAccessibleName(tr("Fit to window"));
    keepHeight();
    for (auto* button : zoomButtons())
        button->setToolTip(button->accessibleName());
}

QList<QWidget*> MatrixHeader::tools() const {
    return {batch_, head_, pool_, weights_as_, jump_, colors_, zoom_out_, fit_, zoom_in_};
}

void MatrixHeader::setTitle(const QString& title, std::optional<AttentionRole> role) {
    title_->setText(title);
    fitViews();
    role_ = role;
    colorTitle();
}

void MatrixHeader::colorTitle() {
    QPalette colors;
    if (role_)
        colors.setColor(QPalette::WindowText, roleColor(*role_, theme()));
    title_->setPalette(colors);
}

void MatrixHeader::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colorTitle();
    if (event->type() == QEvent::FontChange)
        keepHeight();
}

void MatrixHeader::setSubtitle(const QString& formula, const QString& cell) {
    if (cell.isEmpty())
        formula_->setFormula(formula);
    else
        formula_->setWords(cell);
    formula_->setElideMode(cell.isEmpty() ? Qt::ElideRight : Qt::ElideMiddle); // the number follows after long labels
    formula_->setToolTip(formula);
}

QString MatrixHeader::subtitle() const { return formula_->text(); }

void MatrixHeader::offer(const TraceSize& size, bool mean_of_heads, bool heads_beside) {
    if (batch_->count() != size.batches) {
        batch_->clear();
        for (int i = 0; i < size.batches; ++i)
            batch_->addItem(tr("Batch %1").arg(i));
    }
    const int choices = mean_of_heads ? size.heads + 1 : size.heads;
    if (head_->count() != choices) {
        head_->clear();
        for (int i = 0; i < size.heads; ++i)
            head_->addItem(tr("Head %1").arg(i), i);
        if (mean_of_heads)
            head_->addItem(tr("Average", "of all heads"), ViewState::mean_of_heads);
    }
    batch_->setVisible(size.batches > 1);
    head_->setVisible(size.heads > 1 && !heads_beside);
}

void MatrixHeader::choose(int batch, int head) {
    batch_->setCurrentIndex(batch);
    head_->setCurrentIndex(head_->findData(head));
}

void MatrixHeader::offerViews(const QList<WeightsChoice>& choices, const QString& current) {
    weights_as_->clear();
    for (const auto& choice : choices) {
        weights_as_->addItem(choice.title, choice.id);
        const int row = weights_as_->count() - 1;
        weights_as_->setItemData(row, choice.refusal.isEmpty() ? choice.help : choice.refusal, Qt::ToolTipRole);
        if (auto* model = qobject_cast<QStandardItemModel*>(weights_as_->model()))
            model->item(row)->setEnabled(choice.refusal.isEmpty());
    }
    weights_as_->setCurrentIndex(std::max(0, weights_as_->findData(current)));
    weights_as_->setToolTip(weights_as_->currentData(Qt::ToolTipRole).toString());
    fitViews();
}

/// In a narrow window a second line would take its room from the picture. A view that is on show can always be left.
void MatrixHeader::fitViews() {
    const auto around = [this] {
        const QList<QWidget*> all = tools();
        int width = gap * static_cast<int>(all.size());
        for (const QWidget* tool : all)
            width += tool != weights_as_ && !tool->isHidden() ? tool->sizeHint().width() : 0;
        return width;
    };
    // The title is read before the name of the colours, which their picture shows, too.
    const bool has_name = colors_->toolButtonStyle() != Qt::ToolButtonIconOnly;
    constexpr int more = 24; // than the name takes, so that it does not come and go
    const int name = has_name ? 0 : colors_->fontMetrics().horizontalAdvance(colors_->text()) + more;
    const bool fits = width() >= title_->sizeHint().width() + around() + name;
    colors_->setToolButtonStyle(fits ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    const int needed = title_->parentWidget()->minimumWidth() + weights_as_->sizeHint().width() + around();
    weights_as_->setVisible(weights_as_->count() > 0 && (weights_as_->currentIndex() > 0 || width() >= needed));
}

void MatrixHeader::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitViews();
}

void MatrixHeader::setZoomEnabled(bool enabled) {
    for (auto* button : zoomButtons())
        button->setEnabled(enabled);
}

void MatrixHeader::setZoomVisible(bool visible) {
    for (auto* button : zoomButtons())
        button->setVisible(visible);
}

namespace {

/// A number within the axis, or the first token with that text.
std::optional<int> indexOf(const QString& word, const MatrixAxis& axis) {
    bool number = false;
    const qlonglong index = word.toLongLong(&number);
    if (number)
        return index >= 0 && index < axis.count ? std::optional(static_cast<int>(index)) : std::nullopt;
    const auto found = axis.labels.indexOf(word);
    return found < 0 ? std::nullopt : std::optional(static_cast<int>(found));
}

} // namespace

std::optional<Cell> cellOfText(const QString& text, const MatrixAxes& axes) {
    const auto words = text.split(QLatin1Char(','));
    if (words.size() > 2)
        return std::nullopt;
    const auto row = indexOf(words[0].trimmed(), axes.rows);
    const auto column = words.size() == 2
                            ? indexOf(words[1].trimmed(), axes.columns)
                            : std::optional(std::min(row.value_or(0), static_cast<int>(axes.columns.count) - 1));
    return row && column ? std::optional(Cell{*row, *column}) : std::nullopt;
}

JumpField::JumpField(QWidget* parent) : QLineEdit(parent) {
    setPlaceholderText(tr("Row, column"));
    setAccessibleName(tr("Jump to a cell"));
    setToolTip(tr("Jump to a cell: row and column by number or token, separated by a comma"));
    connect(this, &QLineEdit::textEdited, this, [this] { setPalette(parentWidget()->palette()); });
}

std::optional<Cell> JumpField::cellIn(const MatrixAxes& axes) {
    const auto cell = cellOfText(text(), axes);
    QPalette colors = parentWidget()->palette();
    if (!cell)
        colors.setColor(QPalette::Text, theme().error_text);
    setPalette(colors);
    return cell;
}

namespace {

constexpr qsizetype longest_setting = 28; ///< in characters; a longer one is in the tooltip alone

/// The setting that the range of a stage is from, where it is not the present one; else empty.
QString settingOf(const HeldRanges& held, std::string_view stage) {
    const auto found = held.stages.find(stage);
    if (found == held.stages.end() || !found->second.from || *found->second.from == held.now)
        return {};
    const std::array settings{*found->second.from, held.now};
    return SettingWords::ofEach(settings).front();
}

} // namespace

ScaleChip::ScaleChip(ViewState& view, QWidget* parent) : Chip(parent), view_(view) {
    setCheckable(false);
    setCursor(Qt::PointingHandCursor);
    hide();
    connect(this, &QAbstractButton::clicked, this, &ScaleChip::act);
}

void ScaleChip::act() {
    if (scale_.held)
        return view_.fitColors();
    ColorChoice colors = view_.colors();
    colors.linear = scale_.logarithmic;
    colors.logarithmic = false; // by itself, if it is not linear
    view_.setColors(colors);
}

void ScaleChip::setScale(const ColorScale& scale, std::string_view stage, Settings settings) {
    scale_ = scale;
    if (scale.held)
        showHeld(scale, stage, settings);
    else if (scale.linear_hides && !view_.colors().locked)
        showLogarithm(scale.logarithmic);
    else
        hide();
}

void ScaleChip::showHeld(const ColorScale& scale, std::string_view stage, Settings settings) {
    QStringList from;
    if (const QString a = settingOf(view_.held().a, stage); !a.isEmpty())
        from << (settings == Settings::Both ? tr("A: %1", "setting").arg(a) : a);
    if (const QString b = settingOf(view_.held().b, stage); settings == Settings::Both && !b.isEmpty())
        from << tr("B: %1", "setting").arg(b);
    const QString words = from.join(QStringLiteral(", "));
    QStringList names = scale.grown ? QStringList{tr("Range grown"), tr("Grown", "the range of the colours")}
                                    : QStringList{tr("Range held"), tr("Held", "the range of the colours")};
    if (!words.isEmpty() && words.size() <= longest_setting)
        names.prepend(scale.grown ? tr("Range grown from %1").arg(words) : tr("Range held from %1").arg(words));
    texts_.clear();
    for (const QString& name : names)
        texts_ << tr("%1 · Refit", "fit the range of the colours").arg(name);
    texts_ << tr("Refit", "fit the range of the colours");
    QStringList help{words.isEmpty()
                         ? tr("The colours keep their range, so that a change of the numbers is seen.")
                         : tr("The colours keep the range of %1, so that a change of the numbers is seen.").arg(words)};
    if (scale.grown)
        help << tr("It has grown, because some numbers were far beyond it.");
    if (const QString hidden = hiddenWords(scale); !hidden.isEmpty())
        help << hidden;
    help << tr("A click fits the range to the present numbers.");
    say(names.front(), help);
}

void ScaleChip::showLogarithm(bool logarithmic) {
    if (logarithmic) {
        texts_ = {tr("Log colours · Linear"), tr("Log · Linear"), tr("Linear")};
        say(tr("Logarithmic colours"), {tr("Linear colours would show nearly all of these cells as one. Here each "
                                           "factor of ten is the same step."),
                                        tr("A click makes the colours linear.")});
    } else {
        texts_ = {tr("Linear colours · Log"), tr("Linear · Log"), tr("Log")};
        say(tr("Linear colours"), {tr("Nearly all of these cells have one colour, although they differ."),
                                   tr("A click makes the colours logarithmic.")});
    }
}

void ScaleChip::say(const QString& name, const QStringList& help) {
    fitText();
    setToolTip(help.join(QLatin1Char('\n')));
    setAccessibleName(name);
    setAccessibleDescription(toolTip());
    updateGeometry();
    setVisible(true);
    update();
}

int ScaleChip::widthOf(const QString& text) const {
    return fontMetrics().horizontalAdvance(text) + 2 * metrics::field_padding;
}

QSize ScaleChip::sizeHint() const {
    constexpr int height = 24; // as little of the picture as a target may take
    return {texts_.isEmpty() ? 0 : widthOf(texts_.front()), std::max(height, fontMetrics().height() + 4)};
}

void ScaleChip::fitText() {
    const auto fits = [this](const QString& text) { return widthOf(text) <= width(); };
    const auto found = std::ranges::find_if(texts_, fits);
    setText(texts_.isEmpty() ? QString() : found == texts_.end() ? texts_.back() : *found);
}

void ScaleChip::resizeEvent(QResizeEvent* event) {
    Chip::resizeEvent(event);
    fitText();
}

} // namespace attnlab::ui

#include "ui/panels/mask/mask_settings.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/sliding_window.h"
#include "ui/document/document.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mask/lengths_field.h"
#include "ui/panels/mask/mask_forms.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

/// Below this, exp of a replaced score is 0 relative to any usual score.
constexpr double practically_blocked = -1e3;

} // namespace

QString MaskDescription::ofFill(const MaskFill& fill) {
    const QString value = powerText(fill.value);
    const bool adds = fill.mode == MaskFill::Mode::Add;
    if (std::isinf(fill.value))
        return adds ? tr("A hatched cell may not be read: −∞ is added to its score and its weight becomes 0.")
                    : tr("A hatched cell may not be read: its score becomes −∞ and its weight 0.");
    if (adds && fill.value <= practically_blocked)
        return tr("In a hatched cell, %1 is added to the score: a row with every key blocked stays as it was in "
                  "float64.")
            .arg(value);
    if (adds)
        return tr("In a hatched cell, %1 is added to the score: the cell is read less or more, but still read.")
            .arg(value);
    if (fill.value <= practically_blocked)
        return tr("The score of a hatched cell becomes %1: a row with every key blocked turns uniform.").arg(value);
    return tr("The score of a hatched cell becomes %1: it may still get a share of the weight.").arg(value);
}

QString MaskDescription::of(const AttentionSpec& spec, bool blocks_any) {
    if (blocks_any)
        return ofFill(spec.mask_fill);
    if (spec.masks.empty())
        return tr("No mask: every query reads every key.");
    const bool only_adds = std::ranges::all_of(spec.masks, [](const Selection& mask) {
        const MaskKind* kind = lookup(mask_kinds(), mask.id);
        return kind && kind->adds;
    });
    if (only_adds)
        return tr("The bias is added to the scaled scores; −∞ in it blocks a cell.");
    return tr("These masks block no cell: every query reads every key.");
}

QString MaskDescription::ofTrue(MaskTrue meaning) {
    return meaning == MaskTrue::Blocks ? tr("True blocks a cell, as in torch's nn.MultiheadAttention.")
                                       : tr("True keeps a cell, as in torch's scaled_dot_product_attention.");
}

namespace {

/// The step of undo.
QString fillText(const MaskFill& fill) {
    const QString number = powerText(fill.value);
    return fill.mode == MaskFill::Mode::Replace ? MaskFillForm::tr("Blocked scores become %1").arg(number)
                                                : MaskFillForm::tr("Blocked scores plus %1").arg(number);
}

} // namespace

MaskFillForm::MaskFillForm(const ComparedSide& setting, QWidget* parent)
    : QWidget(parent), setting_(setting), mode_(new QComboBox(this)), value_(new QComboBox(this)),
      meaning_label_(new Label(tr("True means"), this)), meaning_(new QComboBox(this)),
      meaning_words_(new Label(this)) {
    auto* fill_label = new Label(tr("Blocked score"), this);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(6);
    layout->setVerticalSpacing(4);
    layout->addWidget(fill_label, 0, 0, 1, 2); // above its fields, so that the form fits a narrow panel
    layout->addWidget(mode_, 1, 0);
    layout->addWidget(value_, 1, 1);
    layout->addWidget(meaning_label_, 2, 0);
    layout->addWidget(meaning_, 2, 1);
    layout->addWidget(meaning_words_, 3, 0, 1, 2);
    meaning_words_->setWordWrap(true);
    layout->setColumnStretch(0, 1);
    layout->setColumnStretch(1, 1);
    for (QComboBox* box : {mode_, value_, meaning_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(4);
    }
    mode_->addItems({tr("becomes"), tr("plus")});
    meaning_->addItems({tr("blocked"), tr("kept")});
    value_->setEditable(true);
    value_->setInsertPolicy(QComboBox::NoInsert);
    value_->setCompleter(nullptr);
    for (const double fill : {-std::numeric_limits<double>::infinity(), -1e9, -1e6})
        value_->addItem(powerText(fill));
    fill_label->setBuddy(mode_);
    meaning_label_->setBuddy(meaning_);
    connect(mode_, &QComboBox::activated, this, [this](int index) {
        AttentionSpec spec = setting_.spec();
        spec.mask_fill.mode = index == 0 ? MaskFill::Mode::Replace : MaskFill::Mode::Add;
        const QString text = fillText(spec.mask_fill);
        setting_.setSpec(std::move(spec), text);
    });
    connect(value_, &QComboBox::textActivated, this, &MaskFillForm::applyValue);
    connect(value_->lineEdit(), &QLineEdit::editingFinished, this, &MaskFillForm::applyValue);
    connect(meaning_, &QComboBox::activated, this, [this](int index) {
        AttentionSpec spec = setting_.spec();
        spec.mask_true = index == 0 ? MaskTrue::Blocks : MaskTrue::Keeps;
        setting_.setSpec(std::move(spec), index == 0 ? tr("True means blocked") : tr("True means kept"));
    });
    connect(&setting_.document(), &Document::problemChanged, this, &MaskFillForm::showSetting);
    mode_->setAccessibleName(tr("How the fill enters blocked scores"));
    mode_->setToolTip(tr("The fill replaces the score of a blocked cell, or is added to it."));
    value_->setAccessibleName(tr("Fill of blocked cells"));
    value_->setToolTip(tr("−∞, or any other number: −1e9 and −1e6 are found in textbooks."));
    meaning_->setAccessibleName(tr("What True means in attn_mask"));
    meaning_->setToolTip(tr("PyTorch's functions disagree: a mask is read wrongly without this choice."));
    showSetting();
}

std::optional<double> MaskFillForm::parseFill(QString text) {
    text = text.trimmed().replace(QChar(0x2212), QLatin1Char('-')).replace(QLatin1Char(','), QLatin1Char('.'));
    if (text == QStringLiteral("-∞") || text.compare(QLatin1String("-inf"), Qt::CaseInsensitive) == 0)
        return -std::numeric_limits<double>::infinity();
    bool read = false;
    const double value = text.toDouble(&read);
    return read && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

MaskFillForm::~MaskFillForm() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    value_->lineEdit()->disconnect(this);
}

void MaskFillForm::applyValue() {
    const QString text = value_->currentText();
    const auto value = parseFill(text);
    if (!value) {
        showSetting();
        emit refused(tr("“%1” cannot fill blocked cells: expected a finite number or −∞.").arg(text));
        return;
    }
    AttentionSpec spec = setting_.spec();
    spec.mask_fill.value = *value;
    if (spec != setting_.spec()) { // leaving an unchanged field does not start a comparison
        const QString words = fillText(spec.mask_fill);
        setting_.setSpec(std::move(spec), words);
    }
    showSetting();
}

void MaskFillForm::showSetting() {
    const AttentionSpec& spec = setting_.spec();
    mode_->setCurrentIndex(spec.mask_fill.mode == MaskFill::Mode::Replace ? 0 : 1);
    const QString text = powerText(spec.mask_fill.value);
    const QSignalBlocker blocker(value_);
    value_->setCurrentIndex(value_->findText(text));
    value_->setEditText(text);
    meaning_->setCurrentIndex(spec.mask_true == MaskTrue::Blocks ? 0 : 1);
    meaning_words_->setText(MaskDescription::ofTrue(spec.mask_true));
    const bool reads_mask = find_mask(spec.masks, &MaskKind::uses_mask_true) != nullptr;
    meaning_label_->setVisible(reads_mask);
    meaning_->setVisible(reads_mask);
    meaning_words_->setVisible(reads_mask);
}

MaskChips::MaskChips(const ComparedSide& setting, QWidget* parent)
    : QWidget(parent), setting_(setting), chips_(new QWidget(this)), rows_(new QWidget),
      room_(new FittingScrollArea(rows_, FittingScrollArea::Scrolls::Down, this)), sliding_(new Chip(chips_)),
      more_(new Chip(chips_)) {
    new FlowLayout(chips_, 4, 4);
    auto* rows = new FlowLayout(rows_, 12, 4);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(chips_);
    column->addWidget(room_);
    for (const MaskKind& kind : mask_kinds()) {
        addItem(kind);
        if (kind.id == sliding_window(1).back().id)
            chips_->layout()->addWidget(sliding_); // behind its parts
    }
    chips_->layout()->addWidget(more_);
    more_->setText(QStringLiteral("…"));
    more_->setToolTip(tr("Shows the masks that are seldom used"));
    more_->setAccessibleName(tr("More masks"));
    more_->setAccessibleDescription(more_->toolTip());
    connect(more_, &QAbstractButton::clicked, this, &MaskChips::showSetting);
    QList<QWidget*> all; // as they are laid out
    for (int i = 0; i < chips_->layout()->count(); ++i)
        all << chips_->layout()->itemAt(i)->widget();
    new RovingFocus(all, this);
    sliding_form_ = new ParameterForm(ParameterForm::Arrangement::Row);
    addRow(sliding_row_, sliding_label_, *sliding_form_);
    connect(sliding_, &QAbstractButton::clicked, this, [this](bool on) {
        const auto usual = with_defaults(sliding_window_parameters(), {}, sliding_window_id).integer("n");
        slide(on ? std::optional(usual) : std::nullopt);
    });
    connect(sliding_form_, &ParameterForm::valuesChanged, this, [this](const ParameterValues& values, int gesture) {
        slide(with_defaults(sliding_window_parameters(), values, sliding_window_id).integer("n"), gesture);
    });
    sliding_form_->setParameters(sliding_window_parameters(), {});
    room_->setFixedHeight(sliding_row_->sizeHint().height() + 2);
    connect(&setting_.document(), &Document::problemChanged, this, [this] {
        if (shown_ != setting_.spec()) // numbers change no mask
            showSetting();
    });
    sliding_->setText(tr("sliding window"));
    sliding_->setToolTip(tr("Causal with a window: a query reads itself and the n − 1 keys before it. Mistral and "
                            "other models call n sliding_window in their configuration."));
    sliding_->setAccessibleName(tr("Mask: %1").arg(tr("sliding window")));
    sliding_->setAccessibleDescription(sliding_->toolTip());
    sliding_label_->setText(tr("sliding window"));
    showSetting();
}

void MaskChips::addItem(const MaskKind& kind) {
    Item one{&kind, new Chip(chips_), nullptr, nullptr, nullptr};
    chips_->layout()->addWidget(one.chip);
    connect(one.chip, &QAbstractButton::clicked, this, [this, &kind](bool on) { toggle(kind, on); });
    if (!kind.parameters.empty() && !has_alignment(kind)) { // which FirstQueryForm has
        const auto set = [this, &kind](const ParameterValues& values, int gesture) {
            setParameters(kind, values, gesture);
        };
        if (is_window(kind)) {
            one.window = new WindowForm;
            one.form = one.window->width();
            addRow(one.row, one.label, *one.window);
            one.label->hide(); // the fields say what they are, and need the room
            connect(one.window, &WindowForm::valuesChanged, this, set);
        } else {
            const bool is_narrow = kind.parameters.size() == 1 && kind.parameters.front().type != ParameterType::Text;
            one.form =
                new ParameterForm(is_narrow ? ParameterForm::Arrangement::Row : ParameterForm::Arrangement::Column);
            addRow(one.row, one.label, *one.form);
            connect(one.form, &ParameterForm::valuesChanged, this, set);
        }
    }
    if (kind.parameters.empty() && kind.inputs.size() == 1 && kind.inputs.front().dtype == DType::Int64) {
        one.lengths = new LengthsField(setting_, std::string(kind.inputs.front().name));
        addRow(one.row, one.label, *one.lengths);
    }
    items_.push_back(one);
}

void MaskChips::addRow(QWidget*& row, QLabel*& label, QWidget& form) {
    row = new QWidget(rows_);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    label = new ElidedLabel(row); // in a narrow panel the fields need the room
    label->setForegroundRole(QPalette::PlaceholderText);
    line->addWidget(label);
    line->addWidget(&form);
    rows_->layout()->addWidget(row);
    row->hide();
}

const MaskChips::Item* MaskChips::item(std::string_view kind) const {
    return lookup(items_, kind, [](const Item& one) { return one.kind->id; });
}

Chip* MaskChips::chip(std::string_view kind) const {
    const Item* found = item(kind);
    return found ? found->chip : nullptr;
}

ParameterForm* MaskChips::form(std::string_view kind) const {
    const Item* found = item(kind);
    return found ? found->form : nullptr;
}

LengthsField* MaskChips::lengths(std::string_view kind) const {
    const Item* found = item(kind);
    return found ? found->lengths : nullptr;
}

WindowForm* MaskChips::windowForm() const {
    const auto found = std::ranges::find_if(items_, [](const Item& one) { return one.window != nullptr; });
    return found == items_.end() ? nullptr : found->window;
}

void MaskChips::toggle(const MaskKind& kind, bool on) {
    AttentionSpec spec = setting_.spec();
    const QString title = translated(kind.title);
    if (!on) {
        std::erase_if(spec.masks, [&](const Selection& mask) { return mask.id == kind.id; });
        fit_combination(spec);
        setting_.setSpec(std::move(spec), tr("Turn off mask “%1”").arg(title));
    } else {
        add_mask(spec, {std::string(kind.id), with_defaults(kind.parameters, {}, kind.id)});
        setting_.setSpecCompletingInputs(std::move(spec), tr("Turn on mask “%1”").arg(title));
    }
    showSetting();
}

void MaskChips::setParameters(const MaskKind& kind, const ParameterValues& values, int gesture) {
    AttentionSpec spec = setting_.spec();
    Selection* mask = lookup(spec.masks, kind.id);
    if (!mask)
        return;
    mask->parameters = values;
    const QString text = tr("Change mask “%1”").arg(translated(kind.title));
    if (kind.rules) // which may read arrays that are not there yet
        setting_.setSpecCompletingInputs(std::move(spec), text, gesture);
    else
        setting_.setSpec(std::move(spec), text, gesture);
}

void MaskChips::showSetting() {
    shown_ = setting_.spec();
    const auto& masks = setting_.spec().masks;
    const Mechanism* chosen = lookup(mechanisms(), setting_.spec().variant);
    for (Item& one : items_) {
        const Selection* mask = lookup(masks, one.kind->id);
        const bool on = mask != nullptr;
        one.chip->setChecked(on);
        one.chip->setVisible(on || !one.kind->aside || more_->isChecked());
        one.refusal = chosen ? refusal_of_mask(*chosen, one.kind->id) : nullptr;
        one.chip->setEnabled(!one.refusal || on); // a refused mask from a file can be turned off
        if (one.row)
            one.row->setVisible(on);
        if (!one.form)
            continue;
        const ParameterValues& values = on ? mask->parameters : ParameterValues();
        if (one.window)
            one.window->setValues(values);
        else
            one.form->setParameters(one.kind->parameters, values);
    }
    showSlidingWindow();
    describeChips();
}

/// Replaces the existing causal and window masks; nullopt removes both.
void MaskChips::slide(std::optional<std::int64_t> keys, int gesture) {
    AttentionSpec spec = setting_.spec();
    spec.masks = with_sliding_window(std::move(spec.masks), keys);
    fit_combination(spec);
    if (spec != setting_.spec())
        setting_.setSpec(std::move(spec),
                         keys ? tr("Sliding window of %1 keys").arg(*keys) : tr("Turn off the sliding window"),
                         gesture);
    showSetting();
}

void MaskChips::showSlidingWindow() {
    const auto keys = sliding_window_of(setting_.spec().masks);
    sliding_->setChecked(keys.has_value());
    const auto parts = sliding_window(1);
    sliding_->setEnabled(
        keys || std::ranges::none_of(parts, [&](const Selection& part) { return item(part.id)->refusal != nullptr; }));
    sliding_row_->setVisible(keys.has_value());
    if (!keys)
        return;
    ParameterValues values;
    values.set("n", *keys);
    sliding_form_->setParameters(sliding_window_parameters(), values);
    for (const Selection& part : parts)
        if (QWidget* row = item(part.id)->row)
            row->hide(); // its own chip describes it
}

void MaskChips::describeChips() {
    for (const Item& one : items_) {
        const QString title = translated(one.kind->title);
        if (one.label)
            one.label->setText(title);
        const QString rule = formulaText(one.kind->rule);
        const QString help = translated(one.kind->help);
        one.chip->setText(title);
        one.chip->setToolTip(one.kind->adds ? tr("%1\nScore: %2").arg(help, rule)
                                            : tr("%1\nKeeps: %2").arg(help, rule));
        if (one.refusal)
            one.chip->setToolTip(translated(one.refusal));
        one.chip->setAccessibleName(tr("Mask: %1").arg(title));
        one.chip->setAccessibleDescription(one.refusal ? translated(one.refusal) : help);
    }
}

} // namespace attnlab::ui

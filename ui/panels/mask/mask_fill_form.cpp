#include "ui/panels/mask/mask_fill_form.h"

#include "ui/document/document.h"
#include "ui/panels/mask/mask_words.h"
#include "ui/widgets/label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::ui {
namespace {

/// The step of undo.
QString fillText(const MaskFill& fill) {
    const QString number = MaskWords::fillText(fill.value);
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
        value_->addItem(MaskWords::fillText(fill));
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
    const QString text = MaskWords::fillText(spec.mask_fill.value);
    const QSignalBlocker blocker(value_);
    value_->setCurrentIndex(value_->findText(text));
    value_->setEditText(text);
    meaning_->setCurrentIndex(spec.mask_true == MaskTrue::Blocks ? 0 : 1);
    meaning_words_->setText(MaskWords::ofTrue(spec.mask_true));
    const bool reads_mask =
        std::ranges::any_of(spec.masks, [](const Selection& mask) { return mask.id == "attn_mask"; });
    meaning_label_->setVisible(reads_mask);
    meaning_->setVisible(reads_mask);
    meaning_words_->setVisible(reads_mask);
}

} // namespace attnlab::ui

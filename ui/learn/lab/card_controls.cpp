#include "ui/learn/lab/card_controls.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "ui/panels/mask/mask_panel.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/mechanism_choices.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QScreen>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

struct CardFormat {
    const char* name;
    lab::Precision precision;
    std::optional<DType> rounded; ///< of every stage
};

constexpr CardFormat card_formats[] = {{"float64", lab::Precision::Float64, std::nullopt},
                                       {"float32", lab::Precision::Float32, std::nullopt},
                                       {"float16", lab::Precision::Float64, DType::Float16},
                                       {"bfloat16", lab::Precision::Float64, DType::BFloat16}};

constexpr int card_longest_mask_text = 9; ///< in text lines

} // namespace

CardControls::CardControls(QWidget* parent)
    : QWidget(parent), scale_(new Picker(this)), scale_form_(new ParameterForm(ParameterForm::Arrangement::Row, this)),
      masks_(new Chip(this)), editor_(new MaskEditor(this)), fill_mode_(new QComboBox(this)),
      fill_(new QComboBox(this)), precision_(new QComboBox(this)), remove_(new QToolButton(this)) {
    build();
}

CardControls::~CardControls() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    fill_->lineEdit()->disconnect(this);
}

bool CardControls::any(const lab::BoardSpec& view, const lab::SceneSetting& setting) {
    // The fill has no effect where nothing is blocked.
    return replacesTitle(view) || view.is_live(lab::BoardControl::Precision) ||
           (view.is_live(lab::BoardControl::Fill) && !setting.spec.masks.empty());
}

bool CardControls::replacesTitle(const lab::BoardSpec& view) {
    return view.is_live(lab::BoardControl::Scale) || view.is_live(lab::BoardControl::Masks);
}

void CardControls::build() {
    auto* choices = new FlowLayout(nullptr, 4, 4);
    for (QWidget* each : std::initializer_list<QWidget*>{scale_, scale_form_, masks_, fill_mode_, fill_, precision_})
        choices->addWidget(each);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addLayout(choices, 1);
    line->addWidget(remove_, 0, Qt::AlignTop);
    masks_->setCheckable(false);
    remove_->setText(QStringLiteral("×"));
    remove_->setAutoRaise(true);
    remove_->setFocusPolicy(Qt::StrongFocus);
    fill_mode_->addItems({tr("becomes"), tr("plus")});
    for (const auto& format : card_formats)
        precision_->addItem(QLatin1String(format.name));
    fill_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    fill_->setMinimumContentsLength(4);
    for (QComboBox* box : {fill_mode_, precision_})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    fill_->setEditable(true);
    fill_->setInsertPolicy(QComboBox::NoInsert);
    fill_->setCompleter(nullptr);
    for (const double fill : {-std::numeric_limits<double>::infinity(), -1e9, -1e6})
        fill_->addItem(powerText(fill));

    scale_->setSpokenLabel(tr("Scale of this card"));
    masks_->setAccessibleName(tr("Masks of this card"));
    fill_mode_->setAccessibleName(tr("How the fill enters blocked scores"));
    fill_->setAccessibleName(tr("Fill of blocked cells"));
    fill_->setToolTip(tr("−∞, or any other number: −1e9 and −1e6 are found in textbooks."));
    precision_->setAccessibleName(tr("Precision of the numbers"));
    precision_->setToolTip(
        tr("float32 rounds scores, mask, softmax and output as most programs do; float16 and bfloat16 "
           "round every stage, as models in half precision do."));
    remove_->setAccessibleName(tr("Remove this card"));
    remove_->setToolTip(remove_->accessibleName());

    connect(scale_, &Picker::picked, this, &CardControls::chooseScale);
    connect(scale_form_, &ParameterForm::valuesChanged, this, [this](const ParameterValues& values) {
        auto next = setting_;
        next.spec.scale.parameters = values;
        emitEdited(std::move(next));
    });
    connect(masks_, &QAbstractButton::clicked, this, [this] { editor_->open(*masks_); });
    connect(editor_, &MaskEditor::edited, this, &CardControls::emitEdited);
    connect(fill_mode_, &QComboBox::activated, this, [this](int index) {
        auto next = setting_;
        next.spec.mask_fill.mode = index == 0 ? MaskFill::Mode::Replace : MaskFill::Mode::Add;
        emitEdited(std::move(next));
    });
    connect(fill_, &QComboBox::textActivated, this, &CardControls::applyFill);
    connect(fill_->lineEdit(), &QLineEdit::editingFinished, this, &CardControls::applyFill);
    connect(precision_, &QComboBox::activated, this, [this](int index) {
        auto next = setting_;
        const CardFormat& format = card_formats[static_cast<std::size_t>(index)];
        next.precision = format.precision;
        next.spec.rounding =
            format.rounded ? std::optional(Rounding{*format.rounded, Rounding::Where::All}) : std::nullopt;
        emitEdited(std::move(next));
    });
    connect(remove_, &QToolButton::clicked, this, &CardControls::removeRequested);
}

void CardControls::follow(const lab::Scene& scene, std::size_t index, const lab::BoardSpec& view,
                          const TensorMap& drawn, const Trace* trace, bool removable) {
    setting_ = scene.settings.at(index);
    scale_->setVisible(view.is_live(lab::BoardControl::Scale));
    scale_form_->setVisible(view.is_live(lab::BoardControl::Scale));
    masks_->setVisible(view.is_live(lab::BoardControl::Masks));
    const bool blocks = !setting_.spec.masks.empty();
    fill_mode_->setVisible(view.is_live(lab::BoardControl::Fill) && blocks);
    fill_->setVisible(view.is_live(lab::BoardControl::Fill) && blocks);
    precision_->setVisible(view.is_live(lab::BoardControl::Precision));
    remove_->setVisible(removable);
    remove_->setMinimumHeight(precision_->sizeHint().height()); // in the middle of the first line
    editor_->follow(scene, setting_, drawn, trace);
    showSetting();
}

void CardControls::showSetting() {
    const Mechanism* chosen = lookup(mechanisms(), setting_.spec.variant);
    const ScaleMode* mode = chosen ? scaleOf(*chosen, setting_.spec) : nullptr;
    if (chosen && chosen->id != listed_) {
        scale_->setItems(scaleItems(*chosen));
        listed_ = chosen->id;
    }
    scale_->setCurrent(mode ? QString::fromUtf8(mode->id.data(), static_cast<qsizetype>(mode->id.size())) : QString());
    scale_form_->setParameters(mode ? mode->parameters : std::span<const Parameter>(), setting_.spec.scale.parameters);
    scale_form_->setVisible(!scale_->isHidden() && mode && !mode->parameters.empty());
    const QString masks = SettingWords::ofMasks(setting_.spec);
    const QFontMetrics metrics = masks_->fontMetrics();
    setWords(*masks_, metrics.elidedText(masks, Qt::ElideRight, card_longest_mask_text * metrics.height()) +
                          QStringLiteral(" ▾"));
    masks_->setToolTip(masks);
    masks_->updateGeometry();
    fill_mode_->setCurrentIndex(setting_.spec.mask_fill.mode == MaskFill::Mode::Replace ? 0 : 1);
    const QSignalBlocker quiet(fill_);
    const QString text = powerText(setting_.spec.mask_fill.value);
    fill_->setCurrentIndex(fill_->findText(text));
    fill_->setEditText(text);
    fill_mode_->setToolTip(MaskDescription::ofFill(setting_.spec.mask_fill));
    const auto format = std::ranges::find_if(card_formats, [&](const CardFormat& one) {
        return one.precision == setting_.precision &&
               one.rounded == (setting_.spec.rounding ? std::optional(setting_.spec.rounding->format) : std::nullopt);
    });
    precision_->setCurrentIndex(format == std::end(card_formats) ? -1 : static_cast<int>(format - card_formats));
}

void CardControls::emitEdited(lab::SceneSetting setting) {
    if (setting == setting_)
        return;
    setting_ = std::move(setting);
    showSetting();
    emit edited(setting_);
}

void CardControls::chooseScale(const QString& id) {
    auto next = setting_;
    next.spec.scale = {id.toStdString(), {}};
    emitEdited(std::move(next));
}

void CardControls::applyFill() {
    const QString text = fill_->currentText();
    const auto value = MaskFillForm::parseFill(text);
    if (!value) {
        showSetting();
        emit refused(tr("“%1” cannot fill blocked cells: expected a finite number or −∞.").arg(text));
        return;
    }
    auto next = setting_;
    next.spec.mask_fill.value = *value;
    emitEdited(std::move(next));
    showSetting();
}

namespace {

constexpr std::int64_t most_in_a_line = 64; ///< numbers of an array
constexpr QSize room_in_lines(22, 25);

/// "3, 5": the numbers of a small array.
QString editorText(const Tensor& array) {
    QStringList numbers;
    for (const double value : array.values())
        numbers << exactText(value);
    return numbers.join(QStringLiteral(", "));
}

/// nullopt unless there are as many numbers as the array has.
std::optional<Tensor> readInto(const Tensor& array, const QString& text) {
    static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
    const QStringList parts = text.split(between, Qt::SkipEmptyParts);
    if (parts.size() != array.size())
        return std::nullopt;
    Tensor result = array;
    const auto values = result.mutable_values();
    for (qsizetype k = 0; k < parts.size(); ++k) {
        bool read = false;
        const double value = parts[k].toDouble(&read);
        if (!read || !std::isfinite(value))
            return std::nullopt;
        values[static_cast<std::size_t>(k)] = value;
    }
    return result;
}

} // namespace

MaskEditor::MaskEditor(QWidget* parent)
    : QFrame(parent, Qt::Popup), painter_(document_, view_), panel_(new MaskPanel(painter_, this)),
      arrays_(new QFormLayout) {
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    // There is no large heatmap to paint on here, and files are opened by the window.
    panel_->tools()->hideWindowActions();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 6);
    column->addWidget(panel_, 1);
    arrays_->setContentsMargins(10, 0, 10, 4);
    column->addLayout(arrays_);
    connect(&document_, &Document::problemChanged, this, &MaskEditor::takeEdit);
}

QLineEdit* MaskEditor::line(const std::string& array) const {
    const auto found = lines_.find(array);
    return found == lines_.end() ? nullptr : found->second;
}

void MaskEditor::follow(const lab::Scene& scene, const lab::SceneSetting& setting, const TensorMap& drawn,
                        const Trace* trace) {
    if (painter_.isStroking())
        return; // the edit came from this stroke
    setting_ = setting;
    shared_ = scene.tensors;
    shared_.insert(drawn.begin(), drawn.end());
    auto problem = lab::problem_of(scene, setting, drawn);
    following_ = true;
    if (!(problem == document_.problem()))
        document_.reset(std::move(problem));
    following_ = false;
    if (trace && isVisible()) {
        auto computed = std::make_shared<Computed>();
        computed->trace = *trace;
        painter_.setTrace(computed);
    }
    showArrays();
}

void MaskEditor::takeEdit() {
    if (following_)
        return;
    auto next = setting_;
    next.spec = document_.problem().spec;
    next.tensors.clear();
    for (const auto& [name, tensor] : document_.problem().tensors) {
        const auto shared = shared_.find(name);
        if (shared == shared_.end() || !(shared->second == tensor))
            next.tensors[name] = tensor;
    }
    showArrays();
    if (next == setting_)
        return;
    setting_ = next;
    emit edited(next);
}

void MaskEditor::showArrays() {
    const auto& problem = document_.problem();
    std::map<std::string, Tensor> wanted;
    for (const auto& mask : problem.spec.masks)
        if (const auto* kind = lookup(mask_kinds(), mask.id))
            for (const auto& input : kind->inputs)
                if (const auto found = problem.tensors.find(input.name);
                    found != problem.tensors.end() && found->second.rank() <= 2 &&
                    found->second.size() <= most_in_a_line && (kind->band || kind->keeps_first_keys)) // not cells
                    wanted[std::string(input.name)] = found->second;
    std::erase_if(lines_, [&](const auto& entry) {
        if (wanted.contains(entry.first))
            return false;
        arrays_->removeRow(entry.second);
        return true;
    });
    for (const auto& [name, array] : wanted) {
        auto*& line = lines_[name];
        if (!line) {
            line = new QLineEdit(this);
            line->setAccessibleName(QString::fromStdString(name));
            arrays_->addRow(QString::fromStdString(name), line);
            connect(line, &QLineEdit::textEdited, this, [this, name = name, line] { applyArray(name, line); });
        }
        if (const auto read = readInto(array, line->text()); !read || !(*read == array))
            line->setText(editorText(array));
    }
}

void MaskEditor::applyArray(const std::string& name, QLineEdit* line) {
    const Tensor& array = document_.problem().tensors.at(name);
    if (auto next = readInto(array, line->text()))
        document_.setTensor(QString::fromStdString(name), std::move(*next), QString());
}

void MaskEditor::open(const QWidget& anchor) {
    const int line = fontMetrics().height();
    const QRect screen = anchor.screen()->availableGeometry();
    const QSize size = (room_in_lines * line).boundedTo(screen.size());
    QPoint corner = anchor.mapToGlobal(QPoint(0, anchor.height() + 3));
    corner.setX(std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - size.width())));
    corner.setY(std::clamp(corner.y(), screen.top(), std::max(screen.top(), screen.bottom() - size.height())));
    setGeometry(QRect(corner, size));
    show();
    panel_->setFocus(Qt::PopupFocusReason);
}

} // namespace attnlab::ui

#include "ui/panels/mask/mask_forms.h"

#include "core/edit/painted_mask.h"
#include "core/inputs.h"
#include "core/lookup.h"
#include "core/resolved_problem.h"
#include "core/stages/mask.h"
#include "core/stages/query_offset.h"
#include "ui/document/document.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolTip>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

constexpr std::string_view array_of_places = "query_offset";

const Parameter place_parameter{.name = array_of_places,
                                .type = ParameterType::Integer,
                                .default_text = "0",
                                .minimum = -farthest_query_offset,
                                .maximum = farthest_query_offset};

/// The mask with an alignment of its own, which causal has.
Selection* alignedMask(AttentionSpec& spec) {
    const auto found = std::ranges::find_if(spec.masks, [](const Selection& mask) {
        const MaskKind* kind = lookup(mask_kinds(), mask.id);
        return kind && has_alignment(*kind);
    });
    return found == spec.masks.end() ? nullptr : &*found;
}

bool isBottomRight(const AttentionSpec& spec) { return std::ranges::any_of(spec.masks, is_bottom_right); }

/// Without any choice: the first query stands at the first key.
void forgetPlace(AttentionSpec& spec) {
    spec.query_offset.reset();
    if (Selection* aligned = alignedMask(spec); aligned && aligned->parameters.find("alignment"))
        aligned->parameters.set("alignment", std::string("top_left"));
}

/// How many of the masks and the position read a place.
std::ptrdiff_t readersOfPlace(const AttentionSpec& spec) {
    try {
        return std::ranges::count_if(further_inputs(spec), [](std::span<const Input> declared) {
            return lookup(declared, array_of_places, &Input::name) != nullptr;
        });
    } catch (const Error&) {
        return 0;
    }
}

/// The alignment of causal is that of this mask alone.
bool isAlignedAlone(const AttentionSpec& spec) { return isBottomRight(spec) && readersOfPlace(spec) > 1; }

std::ptrdiff_t masksWithPlace(const AttentionSpec& spec) {
    return std::ranges::count_if(spec.masks, [](const Selection& mask) {
        const MaskKind* kind = lookup(mask_kinds(), mask.id);
        return kind && lookup(kind->inputs, array_of_places, &Input::name);
    });
}

} // namespace

FirstQueryForm::FirstQueryForm(const ComparedSide& setting, QWidget* parent)
    : QWidget(parent), setting_(setting), label_(new ElidedLabel(this)), place_(new QComboBox(this)),
      number_(new NumberField(place_parameter, this)), doubt_(new QWidget(this)),
      doubt_words_(new WrappedLabel(doubt_)), first_key_(new LinkButton(doubt_)), last_key_(new LinkButton(doubt_)) {
    layOut();
    label_->setText(tr("First query at"));
    place_->addItems({tr("key 0 (top left)"), tr("S − L (bottom right)"), tr("a number"), tr("one per sequence")});
    place_->setItemData(0, tr("Lines the first query up with the first key"), Qt::ToolTipRole);
    place_->setItemData(1, tr("Lines the last query up with the last key"), Qt::ToolTipRole);
    place_->setItemData(2, tr("The number of keys before the first query, such as the tokens in a cache"),
                        Qt::ToolTipRole);
    place_->setItemData(3, tr("The array query_offset has a number for each sequence of the batch"), Qt::ToolTipRole);
    place_->setAccessibleName(tr("Place of the first query among the keys"));
    number_->setAccessibleName(tr("Key of the first query"));
    number_->setToolTip(place_->itemData(2, Qt::ToolTipRole).toString());
    first_key_->setText(tr("First with first"));
    first_key_->setToolTip(place_->itemData(0, Qt::ToolTipRole).toString());
    last_key_->setText(tr("Last with last"));
    last_key_->setToolTip(place_->itemData(1, Qt::ToolTipRole).toString());
    connect(place_, &QComboBox::activated, this, [this](int index) { choose(static_cast<Place>(index)); });
    connect(first_key_, &QAbstractButton::clicked, this, [this] { choose(Place::FirstKey); });
    connect(last_key_, &QAbstractButton::clicked, this, [this] { choose(Place::LastKey); });
    connect(number_, &NumberField::valueEdited, this,
            [this](const ParameterValue& value) { setOffset(std::get<std::int64_t>(value)); });
    connect(number_, &QAbstractSpinBox::editingFinished, this, [this] { gesture_ = 0; });
    connect(number_, &NumberField::refused, this, [this](const QString& why) {
        QToolTip::showText(number_->mapToGlobal(QPoint(0, number_->height())), why, number_);
    });
    connect(&setting_.document(), &Document::problemChanged, this, &FirstQueryForm::showSetting);
    showSetting();
}

FirstQueryForm::~FirstQueryForm() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    number_->disconnect(this);
}

void FirstQueryForm::layOut() {
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(6);
    layout->setVerticalSpacing(4);
    layout->addWidget(label_, 0, 0);
    layout->addWidget(place_, 0, 1);
    layout->addWidget(number_, 0, 2);
    layout->addWidget(doubt_, 1, 0, 1, 3);
    layout->setColumnStretch(1, 1);
    label_->setForegroundRole(QPalette::PlaceholderText);
    label_->setBuddy(place_);
    place_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    place_->setMinimumContentsLength(4);
    auto* column = new QVBoxLayout(doubt_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(doubt_words_);
    auto* answers = new FlowLayout(nullptr, 12, 2);
    answers->addWidget(first_key_);
    answers->addWidget(last_key_);
    column->addLayout(answers);
    doubt_words_->setWordWrap(true);
}

std::optional<MaskContext> FirstQueryForm::sizes() const {
    AttentionProblem problem = setting_.document().problem();
    problem.spec = setting_.spec();
    return painted_mask::sizes_of(problem);
}

bool FirstQueryForm::hasArray() const { return setting_.document().problem().tensors.contains(array_of_places); }

FirstQueryForm::Place FirstQueryForm::place() const {
    if (hasArray())
        return Place::PerSequence;
    const AttentionSpec& spec = setting_.spec();
    if (!spec.query_offset)
        return isBottomRight(spec) ? Place::LastKey : Place::FirstKey;
    if (shows_number_)
        return Place::Number;
    if (*spec.query_offset == 0)
        return Place::FirstKey;
    const auto known = sizes();
    return known && *spec.query_offset == known->S - known->L ? Place::LastKey : Place::Number;
}

void FirstQueryForm::choose(Place place) {
    const auto known = sizes();
    AttentionSpec spec = setting_.spec();
    const bool was_last = this->place() == Place::LastKey;
    shows_number_ = place == Place::Number;
    switch (place) {
    case Place::FirstKey:
        forgetPlace(spec);
        if (known && known->L != known->S)
            spec.query_offset = 0; // said: no longer in doubt
        store(std::move(spec), tr("First query at the first key"));
        break;
    case Place::LastKey:
        if (!known)
            break;
        forgetPlace(spec);
        // The alignment of causal follows the sizes. It is that of one mask: others need the number.
        if (Selection* aligned = alignedMask(spec); aligned && readersOfPlace(spec) == 1)
            aligned->parameters.set("alignment", std::string("bottom_right"));
        else
            spec.query_offset = known->S - known->L;
        store(std::move(spec), tr("Last query at the last key"));
        break;
    case Place::Number: {
        std::int64_t offset = spec.query_offset.value_or(was_last && known ? known->S - known->L : 0);
        if (hasArray()) {
            const Tensor& array = setting_.document().problem().tensors.find(array_of_places)->second;
            const double first = array.size() > 0 ? array.value(0) : 0.0;
            offset = std::abs(first) <= farthest_query_offset ? static_cast<std::int64_t>(first) : 0;
        }
        setOffset(offset);
        number_->setFocus();
        break;
    }
    case Place::PerSequence:
        storeArray();
        break;
    }
    showSetting();
}

void FirstQueryForm::setOffset(std::int64_t offset) {
    if (gesture_ == 0)
        gesture_ = Document::newGesture();
    AttentionSpec spec = setting_.spec();
    forgetPlace(spec);
    spec.query_offset = offset;
    shows_number_ = true;
    store(std::move(spec), tr("First query at key %1").arg(offset), gesture_);
}

/// Removes the array as well: its places take precedence.
void FirstQueryForm::store(AttentionSpec spec, const QString& text, int gesture) {
    if (!hasArray()) {
        if (spec != setting_.spec())
            setting_.setSpec(std::move(spec), text, gesture);
        return;
    }
    AttentionProblem next = setting_.document().problem();
    next.tensors.erase(std::string(array_of_places));
    next.spec = std::move(spec);
    setting_.document().edit(text, std::move(next), gesture);
}

void FirstQueryForm::storeArray() {
    const auto known = sizes();
    if (!known || hasArray())
        return;
    AttentionProblem next = setting_.document().problem();
    const auto offset = place() == Place::LastKey ? known->S - known->L : next.spec.query_offset.value_or(0);
    next.tensors[std::string(array_of_places)] = Tensor({known->B}, static_cast<double>(offset), DType::Int64);
    forgetPlace(next.spec);
    if (next.compared_with)
        forgetPlace(*next.compared_with);
    setting_.document().edit(tr("A place for the first query of each sequence"), std::move(next));
    emit arrayMade(QString::fromLatin1(array_of_places.data(), static_cast<int>(array_of_places.size())));
}

void FirstQueryForm::showSetting() {
    const AttentionSpec& spec = setting_.spec();
    const bool reads = readersOfPlace(spec) > 0;
    setVisible(reads);
    if (!reads)
        return;
    if (!spec.query_offset)
        shows_number_ = false;
    const Place shown = place();
    place_->setCurrentIndex(static_cast<int>(shown));
    const bool is_ours = setting_.side() == ComparedSide::Side::A;
    place_->setEnabled(is_ours || !hasArray());
    place_->setToolTip(place_->isEnabled() ? place_->itemData(static_cast<int>(shown), Qt::ToolTipRole).toString()
                                           : tr("Both settings read the array query_offset"));
    number_->setVisible(shown == Place::Number);
    const std::int64_t offset = spec.query_offset.value_or(0);
    if (number_->value() != ParameterValue(offset)) {
        gesture_ = 0; // changed elsewhere
        number_->setValue(offset);
    }
    showDoubt();
}

void FirstQueryForm::showDoubt() {
    const AttentionSpec& spec = setting_.spec();
    const auto known = sizes();
    const bool is_alone = isAlignedAlone(spec);
    const bool open = known && known->L != known->S && known->L > 0 && known->S > 0 && !spec.query_offset &&
                      !hasArray() && (is_alone || (!isBottomRight(spec) && masksWithPlace(spec) > 0));
    doubt_->setVisible(open);
    if (!open) {
        doubt_words_->clear();
        return;
    }
    doubt_words_->setText(
        is_alone ? tr("Only the causal mask lines up the last query with the last key. The rest of the setting puts "
                      "the first query at the first key.")
                 : tr("There are %1 queries and %2 keys. The first query now stands at the first key; in a model "
                      "with a cache the last query stands at the last key.")
                       .arg(known->L)
                       .arg(known->S));
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, theme().warning_text);
    doubt_words_->setPalette(colors);
}

void FirstQueryForm::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        showDoubt();
    QWidget::changeEvent(event);
}

QString FirstQueryForm::doubt() const { return doubt_words_->text(); }

QString FirstQueryForm::words(const AttentionSpec& spec) {
    return isBottomRight(spec) ? tr("last query at the last key")
                               : tr("first query at key %1").arg(spec.query_offset.value_or(0));
}

namespace {

constexpr std::int64_t unlimited_reach = -1;
constexpr std::int64_t longest_reach = 1'000'000'000;

struct Reaches {
    std::int64_t left, right; ///< negative: unlimited
};

/// nullopt where the values give the full width.
std::optional<Reaches> reachesOf(const ParameterValues& values) {
    const auto complete = completed(window_parameters(), values);
    // As complete_mask(): a reach alone says that the sides are separate.
    const bool are_separate =
        values.find("sides") ? complete.choice("sides") == "separate" : values.find("left") || values.find("right");
    return are_separate ? std::optional(Reaches{complete.integer("left"), complete.integer("right")}) : std::nullopt;
}

ParameterValues valuesOf(const Reaches& reaches) {
    ParameterValues values;
    values.set("sides", std::string("separate"));
    values.set("left", reaches.left);
    values.set("right", reaches.right);
    return with_defaults(window_parameters(), values, "window");
}

ParameterValues valuesOf(std::int64_t width) {
    ParameterValues values;
    values.set("w", width);
    return with_defaults(window_parameters(), values, "window");
}

std::span<const Parameter> widthParameter() { return window_parameters().first(1); }

std::int64_t widthOf(const ParameterValues& values) {
    return completed(widthParameter(), values).integer(widthParameter().front().name);
}

/// The width whose half is the farther of two reaches.
std::int64_t widthOf(const Reaches& reaches) {
    const auto farther = std::max(reaches.left, reaches.right);
    const auto most = static_cast<std::int64_t>(widthParameter().front().maximum);
    return farther < 0 ? widthOf(ParameterValues()) : std::min(2 * farther, most);
}

} // namespace

WindowForm::WindowForm(QWidget* parent)
    : QWidget(parent), width_(new ParameterForm(ParameterForm::Arrangement::Row, this)),
      left_(makeReach(tr("Keys before the query"), tr("How many keys before its own a query reads"))),
      right_(makeReach(tr("Keys after the query"), tr("How many keys after its own a query reads"))),
      before_(new Label(QStringLiteral("←"), this)), after_(new Label(QStringLiteral("→"), this)),
      mode_(new LinkButton(this)) {
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(3);
    for (QWidget* part : {static_cast<QWidget*>(width_), static_cast<QWidget*>(before_), static_cast<QWidget*>(left_),
                          static_cast<QWidget*>(after_), static_cast<QWidget*>(right_), static_cast<QWidget*>(mode_)})
        line->addWidget(part);
    for (QLabel* label : {before_, after_})
        label->setForegroundRole(QPalette::PlaceholderText);
    before_->setBuddy(left_);
    after_->setBuddy(right_);
    connect(width_, &ParameterForm::valuesChanged, this, [this](const ParameterValues& values, int gesture) {
        values_ = valuesOf(widthOf(values));
        emit valuesChanged(values_, gesture);
    });
    connect(mode_, &QAbstractButton::clicked, this, &WindowForm::changeMode);
    setValues({});
}

WindowForm::~WindowForm() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    for (QComboBox* reach : {left_, right_})
        reach->lineEdit()->disconnect(this);
}

QComboBox* WindowForm::makeReach(const QString& name, const QString& help) {
    auto* reach = new QComboBox(this);
    reach->setEditable(true);
    reach->setInsertPolicy(QComboBox::NoInsert);
    reach->setCompleter(nullptr);
    reach->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    reach->setMinimumContentsLength(2);
    for (const std::int64_t keys :
         {unlimited_reach, std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}})
        reach->addItem(keys < 0 ? tr("unlimited") : reachText(keys));
    reach->setAccessibleName(name);
    reach->setToolTip(tr("%1, or ∞: unlimited").arg(help));
    connect(reach, &QComboBox::textActivated, this, [this, reach] { applyReaches(*reach); });
    connect(reach->lineEdit(), &QLineEdit::editingFinished, this, [this, reach] { applyReaches(*reach); });
    return reach;
}

std::optional<std::int64_t> WindowForm::parseReach(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed == QStringLiteral("∞") || trimmed == tr("unlimited") ||
        trimmed.compare(QLatin1String("inf"), Qt::CaseInsensitive) == 0)
        return unlimited_reach;
    QString digits = trimmed;
    bool read = false;
    const qlonglong keys = digits.replace(QChar(0x2212), QLatin1Char('-')).toLongLong(&read);
    if (!read || keys > longest_reach)
        return std::nullopt;
    return keys < 0 ? unlimited_reach : keys;
}

QString WindowForm::reachText(std::int64_t reach) { return reach < 0 ? QStringLiteral("∞") : QString::number(reach); }

QString WindowForm::words(const QString& title, const ParameterValues& values) {
    if (const auto reaches = reachesOf(values))
        return tr("%1 left %2, right %3").arg(title, reachText(reaches->left), reachText(reaches->right));
    return values.find("w") ? tr("%1 %2", "window and its width").arg(title).arg(widthOf(values)) : title;
}

void WindowForm::applyReaches(QComboBox& edited) {
    const auto left = parseReach(left_->currentText()), right = parseReach(right_->currentText());
    const auto before = reachesOf(values_);
    if (!before)
        return; // a field that is hidden loses the focus
    if (!left || !right) {
        const QString why = NumberField::refusalOf(edited.currentText(), tr("a number of keys from 0, or ∞"));
        showValues();
        if (edited.isVisible())
            QToolTip::showText(edited.mapToGlobal(QPoint(0, edited.height())), why, &edited);
        return;
    }
    if (*left != before->left || *right != before->right) {
        values_ = valuesOf(Reaches{*left, *right});
        emit valuesChanged(values_, 0);
    }
    showValues();
}

void WindowForm::changeMode() {
    if (const auto reaches = reachesOf(values_))
        values_ = valuesOf(widthOf(*reaches));
    else
        values_ = valuesOf(Reaches{widthOf(values_) / 2, widthOf(values_) / 2});
    emit valuesChanged(values_, 0);
    showValues();
}

void WindowForm::setValues(const ParameterValues& values) {
    values_ = values;
    showValues();
}

void WindowForm::showValues() {
    const auto reaches = reachesOf(values_);
    width_->setParameters(widthParameter(), reaches ? ParameterValues() : completed(widthParameter(), values_));
    width_->setVisible(!reaches);
    for (QWidget* part : {static_cast<QWidget*>(before_), static_cast<QWidget*>(left_), static_cast<QWidget*>(after_),
                          static_cast<QWidget*>(right_)})
        part->setVisible(reaches.has_value());
    for (QComboBox* reach : {left_, right_}) {
        const QSignalBlocker blocker(reach);
        reach->setEditText(reaches ? reachText(reach == left_ ? reaches->left : reaches->right) : QString());
    }
    mode_->setText(reaches ? tr("width") : tr("reaches"));
    mode_->setToolTip(reaches ? tr("Gives the window by its full width, the same to either side")
                              : tr("Gives the window by its reaches before and after a query, as window_size of "
                                   "flash-attention"));
    mode_->updateGeometry();
}

} // namespace attnlab::ui

#include "ui/panels/mechanism/scale_slider.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "ui/panels/mechanism/mechanism_choices.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QHBoxLayout>
#include <QLabel>

namespace attnlab::ui {
namespace {

constexpr std::string_view divides = "temperature"; ///< the scale that divides by any number
constexpr const char* divisor_parameter = "t";

const Parameter* numberOf(const ScaleMode& mode) {
    const auto found = std::ranges::find(mode.parameters, ParameterType::Real, &Parameter::type);
    return found == mode.parameters.end() ? nullptr : &*found;
}

/// "2", "2.06"
QString shortText(double number) { return QString::number(number, 'g', 4); }

bool isNear(double one, double other) { return std::abs(one - other) <= 1e-9 * std::abs(other); }

/// The scale without a number of its own that divides by `divisor`; the default of the mechanism before others.
const ScaleMode* namedScale(const Mechanism& mechanism, double divisor, const ScaleContext& context) {
    for (const std::string_view id :
         std::array<std::string_view, 4>{mechanism.default_scale, "sqrt_dk", "dk", "none"}) {
        const ScaleMode* mode = lookup(scale_modes(), id);
        if (mode && mode->factor && mode->parameters.empty() && mode->row_norm == RowNorm::None &&
            isNear(1.0 / mode->factor(context, {}), divisor))
            return mode;
    }
    return nullptr;
}

} // namespace

std::optional<ScaleNumber> scaleNumberOf(const AttentionSpec& spec, std::int64_t width, std::int64_t keys) {
    const Mechanism* mechanism = lookup(mechanisms(), spec.variant);
    const ScaleMode* mode = mechanism ? scaleOf(*mechanism, spec) : nullptr;
    if (!mode || mechanism->refuses.scale)
        return std::nullopt;
    const auto values = completed(mode->parameters, spec.scale.parameters);
    ScaleNumber number{.width = static_cast<double>(width)};
    const Parameter* parameter = numberOf(*mode);
    const bool any_factor = mode->id == "temperature" || mode->id == "custom";
    if (parameter && !any_factor) {
        number.kind = ScaleNumber::Kind::Parameter;
        number.value = values.real(parameter->name);
        number.parameter = parameter;
    } else if (mode->factor && mode->row_norm == RowNorm::None) {
        number.value = 1.0 / mode->factor({width, keys}, values);
    } else {
        return std::nullopt;
    }
    return number.value > 0.0 && std::isfinite(number.value) ? std::optional(number) : std::nullopt;
}

AttentionSpec withScaleNumber(AttentionSpec spec, const ScaleNumber& from, double value) {
    const Mechanism* mechanism = lookup(mechanisms(), spec.variant);
    if (from.kind == ScaleNumber::Kind::Parameter) {
        if (spec.scale.id.empty() && mechanism)
            spec.scale.id = mechanism->default_scale;
        spec.scale.parameters.set(from.parameter->name, value);
        return spec;
    }
    const ScaleContext context{static_cast<std::int64_t>(from.width), 1};
    if (const ScaleMode* named = mechanism ? namedScale(*mechanism, value, context) : nullptr) {
        spec.scale = {named->id == mechanism->default_scale ? std::string() : std::string(named->id), {}};
        return spec;
    }
    spec.scale = {std::string(divides), {}};
    spec.scale.parameters.set(divisor_parameter, value);
    return spec;
}

ScaleSlider::ScaleSlider(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), slider_(new LogSlider(this)), heading_(new Label(this)),
      words_(new Label(this)) {
    heading_->hide();
    constexpr int least_width = 100; // in a narrow window
    slider_->setMinimumWidth(least_width);
    slider_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(heading_);
    row->addWidget(slider_);
    row->addWidget(words_);
    slider_->setToolTip(tr("Drag, or use the arrow keys: Shift × 10, Alt ÷ 10. Escape during a drag goes back."));
    slider_->setAccessibleDescription(slider_->toolTip());
    connect(slider_, &QSlider::sliderPressed, this, &ScaleSlider::beginGesture);
    connect(slider_, &LogSlider::edited, this, &ScaleSlider::edit);
    connect(slider_, &QSlider::sliderReleased, this, &ScaleSlider::beginGesture); // for the keys after it
    connect(slider_, &LogSlider::dragCancelled, this, [this] {
        document_.setSpec(before_, {}, gesture_);
        follow();
    });
    connect(&document_, &Document::problemChanged, this, [this] {
        if (isVisible())
            follow();
    });
}

void ScaleSlider::setHeading(const QString& heading, const QString& help) {
    heading_->setText(heading);
    heading_->setToolTip(help);
    heading_->show();
}

QString ScaleSlider::words() const { return words_->text(); }

bool ScaleSlider::setContext(const ScaleContext& context) {
    width_ = context.head_width;
    keys_ = context.key_count;
    number_ = scaleNumberOf(document_.problem().spec, width_, keys_);
    if (!number_)
        return false;
    const double value = number_->value;
    std::vector<LogSlider::Mark> marks;
    double low = 1.0, high = 16.0;
    if (number_->kind == ScaleNumber::Kind::Divisor) {
        const double d = number_->width;
        const std::array all{LogSlider::Mark{1.0, QStringLiteral("1")},
                             LogSlider::Mark{std::sqrt(d), QStringLiteral("√d")},
                             LogSlider::Mark{d, QStringLiteral("d")}, LogSlider::Mark{d * d, QStringLiteral("d²")}};
        for (const auto& mark : all)
            if (marks.empty() || mark.number > marks.back().number)
                marks.push_back(mark);
        high = std::max(high, d * d);
    } else {
        const double usual = completed({number_->parameter, 1}, {}).real(number_->parameter->name);
        low = std::max(usual / 100.0, number_->parameter->minimum_excluded ? number_->parameter->minimum * 1.01
                                                                           : number_->parameter->minimum);
        high = std::min(usual * 100.0, number_->parameter->maximum);
        for (const double factor : {0.01, 0.1, 1.0, 10.0, 100.0})
            if (usual * factor >= low && usual * factor <= high)
                marks.push_back({usual * factor, shortText(usual * factor)});
    }
    while (value < low)
        low /= 10.0;
    while (value > high)
        high *= 10.0;
    slider_->setAxis(low, high, std::move(marks));
    beginGesture();
    follow();
    const QString sign = words_->text().section(QLatin1Char(' '), 0, -2);
    words_->setMinimumWidth(fontMetrics().horizontalAdvance(sign + QStringLiteral(" 88.888"))); // nothing moves
    return true;
}

void ScaleSlider::beginGesture() {
    gesture_ = Document::newGesture();
    before_ = document_.problem().spec;
    number_ = scaleNumberOf(before_, width_, keys_);
    slider_->setBefore(number_ ? std::optional(number_->value) : std::nullopt);
}

/// Shows the scale of the document, whoever has changed it.
void ScaleSlider::follow() {
    const AttentionSpec& spec = document_.problem().spec;
    const auto now = scaleNumberOf(spec, width_, keys_);
    if (!now)
        return emit numberLost();
    if (number_ && (now->kind != number_->kind || now->parameter != number_->parameter)) { // another scale was chosen
        setContext({width_, keys_});
        return;
    }
    if (!slider_->isSliderDown())
        slider_->setNumber(now->value);
    const QString number = shortText(now->value);
    words_->setText(now->kind == ScaleNumber::Kind::Divisor
                        ? QStringLiteral("÷ ") + number
                        : QString::fromUtf8(now->parameter->name.data(), std::ssize(now->parameter->name)) +
                              QStringLiteral(" = ") + number);
    slider_->setAccessibleName(now->kind == ScaleNumber::Kind::Divisor
                                   ? tr("Scores divided by %1").arg(number)
                                   : parameterTitle(*now->parameter) + QLatin1Char(' ') + number);
}

void ScaleSlider::edit(double number) {
    if (!number_)
        return;
    document_.setSpec(withScaleNumber(document_.problem().spec, *number_, number), stepText(*number_, number),
                      gesture_);
}

QString ScaleSlider::stepText(const ScaleNumber& number, double value) {
    return number.kind == ScaleNumber::Kind::Divisor ? tr("Divide scores by %1").arg(shortText(value))
                                                     : tr("Change %1").arg(parameterTitle(*number.parameter));
}

} // namespace attnlab::ui

#include "ui/panels/mechanism/operator_scrub.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/normaliser.h"
#include "ui/document/document.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/scale_slider.h"
#include "ui/widgets/number_controls.h"

#include <algorithm>
#include <cmath>
#include <QAbstractButton>
#include <QEvent>
#include <QKeyEvent>
#include <utility>
#include <variant>

namespace attnlab::ui {
namespace {

/// The number of a divisor moves like the parameter of the scale that divides by any number.
const Parameter& divisorParameter() { return scale_mode("temperature").parameters.front(); }

double moved(const OperatorNumber& number, double steps) {
    return std::get<double>(draggedValue(*number.parameter, number.value, steps));
}

} // namespace

std::optional<OperatorNumber> numberOfScale(const AttentionSpec& spec, const ScaleContext& context) {
    const auto scale = scaleNumberOf(spec, context.head_width, context.key_count);
    if (!scale)
        return std::nullopt;
    const bool divides = scale->kind == ScaleNumber::Kind::Divisor;
    OperatorNumber number{.parameter = divides ? &divisorParameter() : scale->parameter,
                          .value = scale->value,
                          .with = [scale = *scale](const AttentionSpec& before,
                                                   double value) { return withScaleNumber(before, scale, value); },
                          .step_text = [scale = *scale](double value) { return ScaleSlider::stepText(scale, value); }};
    if (divides && scale->width > 0.0)
        number.marks = {1.0, std::sqrt(scale->width), scale->width};
    return number;
}

std::optional<OperatorNumber> numberOfWeights(const AttentionSpec& spec, const ScaleContext& context) {
    const Normaliser* normaliser = lookup(normalisers(), spec.normaliser.id);
    if (spec.normaliser.id.empty())
        return numberOfScale(spec, context);
    if (!normaliser)
        return std::nullopt;
    const auto found = std::ranges::find(normaliser->parameters, ParameterType::Real, &Parameter::type);
    if (found == normaliser->parameters.end())
        return std::nullopt;
    const auto values = completed(normaliser->parameters, spec.normaliser.parameters);
    if (!values.find(found->name)) // stays open
        return std::nullopt;
    const Parameter* parameter = &*found;
    return OperatorNumber{.parameter = parameter,
                          .value = values.real(parameter->name),
                          .with =
                              [parameter](AttentionSpec next, double value) {
                                  next.normaliser.parameters.set(parameter->name, value);
                                  return next;
                              },
                          .step_text =
                              [parameter](double value) {
                                  return ScaleSlider::stepText(
                                      {.kind = ScaleNumber::Kind::Parameter, .value = value, .parameter = parameter},
                                      value);
                              }};
}

OperatorScrub::OperatorScrub(Document& document, QAbstractButton& button, Find find)
    : QObject(&button), document_(document), button_(button), find_(std::move(find)) {
    button.installEventFilter(this);
    auto* drag = new NumberDrag(button);
    drag->setWhere([this](const QPoint&) { return find_().has_value(); });
    connect(drag, &NumberDrag::began, this, [this] {
        gesture_ = Document::newGesture();
        before_ = document_.problem().spec;
        start_ = find_();
    });
    connect(drag, &NumberDrag::moved, this, &OperatorScrub::dragTo);
    connect(drag, &NumberDrag::ended, this, [this](bool kept) {
        button_.setDown(false); // the release is not the button's
        if (!kept)
            document_.setSpec(before_, {}, gesture_);
        start_.reset();
        gesture_ = 0;
    });
}

void OperatorScrub::dragTo(double steps) {
    constexpr double snap = 0.012; // half of what a pixel moves
    if (!start_)
        return;
    double value = moved(*start_, steps);
    for (const double mark : start_->marks)
        if (std::abs(value / mark - 1.0) < snap)
            value = mark;
    set(*start_, value);
}

/// A step does not leap over a mark.
bool OperatorScrub::press(const QKeyEvent& key) {
    const bool more = key.key() == Qt::Key_Up;
    const auto number = more || key.key() == Qt::Key_Down ? find_() : std::nullopt;
    if (!number)
        return false;
    constexpr double coarse = 10.0, fine = 0.1;
    const auto keys = key.modifiers();
    const double size = keys & Qt::ShiftModifier ? coarse : keys & (Qt::AltModifier | Qt::ControlModifier) ? fine : 1.0;
    double value = moved(*number, more ? size : -size);
    for (const double mark : number->marks)
        if ((mark - number->value) * (mark - value) < 0.0 && std::abs(mark / number->value - 1.0) > 1e-9)
            value = mark;
    if (gesture_ == 0)
        gesture_ = Document::newGesture();
    set(*number, value);
    return true;
}

void OperatorScrub::set(const OperatorNumber& number, double value) {
    document_.setSpec(number.with(document_.problem().spec, value), number.step_text(value), gesture_);
}

bool OperatorScrub::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && press(*static_cast<QKeyEvent*>(event)))
        return true;
    if (event->type() == QEvent::FocusOut && !start_)
        gesture_ = 0;
    return QObject::eventFilter(watched, event);
}

} // namespace attnlab::ui

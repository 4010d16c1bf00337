// A slider for what the scores are divided by, while the picture follows.
#pragma once

#include "core/attention.h"
#include "core/stages/scale.h"
#include "ui/document/document.h"

#include <optional>
#include <QWidget>

class QLabel;

namespace attnlab::ui {

class LogSlider;

/// The number of a scale that a slider moves.
struct ScaleNumber {
    /// Divisor: of the scores. Parameter: the only number of a scale that is no plain divisor: a cap, a gain.
    enum class Kind { Divisor, Parameter } kind = Kind::Divisor;
    double value = 1.0;
    double width = 0.0; ///< d; 0: not known
    const Parameter* parameter = nullptr;
};
/// That of the effective scale of `spec`, for heads of this width and so many keys. nullopt where there is none, or
/// none above 0.
std::optional<ScaleNumber> scaleNumberOf(const AttentionSpec& spec, std::int64_t width, std::int64_t keys);
/// The setting with another number. A divisor of 1, √d or d is the scale of that name, the mechanism's default scale
/// without a name; any other is the scale `temperature`.
AttentionSpec withScaleNumber(AttentionSpec spec, const ScaleNumber& from, double value);

/// The slider and its number. A drag, or a run of keys, is one undo step.
class ScaleSlider : public QWidget {
    Q_OBJECT
public:
    explicit ScaleSlider(Document& document, QWidget* parent = nullptr);

    /// A text before the slider.
    void setHeading(const QString& heading, const QString& help);
    /// For heads of this width and number of keys. False where the scale has no number to move.
    bool setContext(const ScaleContext& context);

    LogSlider* slider() const { return slider_; }
    /// "÷ 2.9"
    QString words() const;
    /// The undo step that sets it: "Divide scores by 3".
    static QString stepText(const ScaleNumber& number, double value);

signals:
    /// The scale of the document has no number any more.
    void numberLost();

private:
    void follow();
    void edit(double number);
    void beginGesture();

    Document& document_;
    LogSlider* slider_;
    QLabel *heading_, *words_;
    std::optional<ScaleNumber> number_;
    AttentionSpec before_; ///< the setting before the gesture
    std::int64_t width_ = 0, keys_ = 0;
    int gesture_ = 0;
};

} // namespace attnlab::ui

// The number of an operation, changed at its button: by a drag to the side, or with the arrow keys.
#pragma once

#include "core/attention.h"
#include "core/parameter.h"
#include "core/stages/scale.h"

#include <functional>
#include <optional>
#include <QObject>
#include <QString>
#include <vector>

class QAbstractButton;
class QKeyEvent;

namespace attnlab::ui {

class Document;

/// A number of a setting that a button shows.
struct OperatorNumber {
    const Parameter* parameter = nullptr; ///< has its range
    double value = 1.0;
    std::vector<double> marks = {}; ///< where a drag and the keys stop exactly: 1, √d, d
    /// The setting with another number, and the name of that undo step.
    std::function<AttentionSpec(const AttentionSpec& spec, double value)> with;
    std::function<QString(double value)> step_text;
};

/// The number of the effective scale; nullopt where it has none, or none above 0.
std::optional<OperatorNumber> numberOfScale(const AttentionSpec& spec, const ScaleContext& context);
/// The number of the normaliser. Softmax has none of its own: its temperature is the number of the scale.
std::optional<OperatorNumber> numberOfWeights(const AttentionSpec& spec, const ScaleContext& context);

/// A drag is one undo step, and so is a run of keys. Escape during a drag restores the number before. Shift moves ten
/// times as far, Alt a tenth. A click is still the button's, and so is everything while there is no number.
class OperatorScrub : public QObject {
    Q_OBJECT
public:
    using Find = std::function<std::optional<OperatorNumber>()>;
    /// `find` returns the present number. A child of `button`; `document` must outlive it.
    OperatorScrub(Document& document, QAbstractButton& button, Find find);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void dragTo(double steps);
    bool press(const QKeyEvent& key);
    void set(const OperatorNumber& number, double value);

    Document& document_;
    QAbstractButton& button_;
    Find find_;
    std::optional<OperatorNumber> start_; ///< of a drag
    AttentionSpec before_;                ///< of a drag
    int gesture_ = 0;                     ///< of a drag or a run of keys; 0: none
};

} // namespace attnlab::ui

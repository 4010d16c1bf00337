// The chip beside a colour bar whose range is held while a setting changes.
#pragma once

#include "ui/document/held_ranges.h"
#include "ui/drawing/colormap.h"
#include "ui/widgets/controls.h"

#include <QStringList>
#include <string_view>

namespace attnlab::ui {

class ViewState;

/// "Range held from 1/√d", the setting that the range is from. A click fits the colours to the present numbers. Hidden
/// where they fit.
class HeldRangeChip : public Chip {
    Q_OBJECT
public:
    explicit HeldRangeChip(ViewState& view, QWidget* parent = nullptr);

    enum class Settings { A, Both };
    /// The displayed scale, of the stage in one or in both settings.
    void setScale(const ColorScale& scale, std::string_view stage = {}, Settings settings = Settings::A);

    /// That of the longest text; with less, the text is shorter.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int widthOf(const QString& text) const;
    void fitText();

    ViewState& view_;
    QStringList texts_; ///< the longest first
};

} // namespace attnlab::ui

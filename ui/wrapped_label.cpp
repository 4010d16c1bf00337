#include "ui/wrapped_label.h"

#include <algorithm>

namespace attnlab::ui {

QSize WrappedLabel::sizeHint() const {
    return wordWrap() ? QSize(minimumWidth(), heightForWidth(std::max(width(), minimumWidth()))) : Label::sizeHint();
}

QSize WrappedLabel::minimumSizeHint() const {
    return wordWrap() ? QSize(minimumWidth(), fontMetrics().height()) : Label::minimumSizeHint();
}

int WrappedLabel::heightForWidth(int width) const {
    if (!wordWrap())
        return Label::heightForWidth(width);
    auto* known = std::find_if(std::begin(latest_), std::end(latest_), [&](const Layout& layout) {
        return layout.width == width && layout.text == text() && layout.font == font();
    });
    if (known == std::end(latest_)) {
        known = std::end(latest_) - 1;
        *known = {text(), font(), width, Label::heightForWidth(width)};
    }
    std::rotate(std::begin(latest_), known, known + 1);
    return latest_[0].height;
}

} // namespace attnlab::ui

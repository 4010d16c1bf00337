// Markdown of lessons in a label.
#pragma once

#include "ui/widgets/rich_text.h"
#include "ui/widgets/wrapped_label.h"

namespace attnlab::ui {

/// HTML and pictures in the Markdown are shown as source text, and links are inactive. Sizes follow the label's font.
class MarkdownLabel : public WrappedLabel {
public:
    explicit MarkdownLabel(QWidget* parent = nullptr, TextSpacing spacing = TextSpacing::Tight);

    void setSource(const QString& markdown);
    QString source() const { return markdown_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void renew();

    QString markdown_;
    TextSpacing spacing_;
};

} // namespace attnlab::ui

// The pages that read each other.
#pragma once

#include "ui/document/view_state.h"
#include "ui/pages/exhibits/marking_page.h"
#include "ui/pages/exhibits/page_reads_drawing.h"

namespace attnlab::ui {

/// Up and Down mark a query page; a text describes what it reads.
class PageReadsView : public MarkingPage<PageReadsDrawing> {
    Q_OBJECT
public:
    explicit PageReadsView(ViewState& view, QWidget* parent = nullptr);

protected:
    std::int64_t read() override;
    QString wordsNow() const override;
    std::optional<std::int64_t> markAt(const QPointF& position) const override;

private:
    QString sumsText() const;

    ViewState& view_;
};

} // namespace attnlab::ui

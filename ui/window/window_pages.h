// The pages of the window's centre.
#pragma once

#include "ui/document/computation.h"
#include "ui/pages/centre_pages.h"

namespace attnlab::ui {

class AgainstPage;
class ComparePage;
class Document;
class ExhibitPages;
class LargeInputs;
class MatrixPage;

/// Makes the pages, gives each the newest result, and keeps those available that have something to show.
class WindowPages : public CentrePages {
    Q_OBJECT
public:
    WindowPages(Document& document, ViewState& view, LargeInputs* large, QWidget* parent = nullptr);

    void setTrace(const ComputedPtr& computed);
    void showMatrix() { setCurrent(QStringLiteral("matrix")); }

    MatrixPage* matrix() const { return matrix_; }
    ComparePage* compare() const { return compare_; }
    AgainstPage* against() const { return against_; }

private:
    /// addPage(), for a page that shows every result.
    void add(const QString& id, const char* title, Page* page);

    std::vector<Page*> of_any_trace_;
    MatrixPage* matrix_;
    ComparePage* compare_;
    AgainstPage* against_;
    ExhibitPages* exhibits_;
};

} // namespace attnlab::ui

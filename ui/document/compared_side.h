// One of the two settings that a document holds: what it shows, or what that is compared with.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>
#include <QString>

namespace attnlab::ui {

class Document;

/// What a control edits that knows settings and need not know which. The document must outlive it.
class ComparedSide {
    Q_DECLARE_TR_FUNCTIONS(ComparedSide)
public:
    enum class Side { A, B };

    /// A document stands for what it shows.
    ComparedSide(Document& document, Side side = Side::A) : document_(&document), side_(side) {}

    Document& document() const { return *document_; }
    Side side() const { return side_; }
    /// While nothing is compared, B is as A.
    const AttentionSpec& spec() const;

    /// As Document has them. An edit of B begins a comparison and leaves A as it is, what it computes included.
    void setSpec(AttentionSpec spec, const QString& text, int gesture = 0) const;
    void setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture = 0) const;

private:
    Document* document_;
    Side side_;
};

} // namespace attnlab::ui

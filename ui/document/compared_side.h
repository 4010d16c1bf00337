// One of the two settings of a document: the displayed one, or the one that it is compared with.
#pragma once

#include "core/attention.h"

#include <QCoreApplication>
#include <QString>

namespace attnlab::ui {

class Document;

/// Lets a control edit a setting without knowing which of the two it is. The document must outlive it.
class ComparedSide {
    Q_DECLARE_TR_FUNCTIONS(ComparedSide)
public:
    enum class Side { A, B };

    /// A document converts to its side A.
    ComparedSide(Document& document, Side side = Side::A) : document_(&document), side_(side) {}

    Document& document() const { return *document_; }
    Side side() const { return side_; }
    /// Without a comparison, B equals A.
    const AttentionSpec& spec() const;

    /// As in Document. Editing B starts a comparison and does not change A or its results.
    void setSpec(AttentionSpec spec, const QString& text, int gesture = 0) const;
    bool setSpecCompletingInputs(AttentionSpec spec, const QString& text, int gesture = 0) const;

private:
    Document* document_;
    Side side_;
};

/// Document::edit() with the inputs that setting B of `next` lacks; see Document::editBy().
bool editCompletingB(Document& document, const QString& text, AttentionProblem next, int gesture = 0);

} // namespace attnlab::ui

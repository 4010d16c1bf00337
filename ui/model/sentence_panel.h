// What one token reads in the head on show, as arcs and in words.
#pragma once

#include "ui/model/head_view.h"

class QBoxLayout;

namespace attnlab::ui {

class ElidedLabel;
class PlainCard;
class TokenArcs;

class SentencePanel : public QWidget {
    Q_OBJECT
public:
    explicit SentencePanel(QWidget* parent = nullptr);

    TokenArcs* arcs() const { return arcs_; }
    const std::optional<int>& query() const { return query_; }
    const explain::Reading& reading() const { return reading_; }

    /// Null, or weights that are pooled: nothing is shown.
    void setHead(const HeadOnShowPtr& head);
    void setQuery(int query);
    /// Words alone, in one line.
    void setLow(bool low);

signals:
    void rowChanged();

private:
    void showRow();
    void stretchWords(int around, int words);

    HeadOnShowPtr head_;
    std::optional<int> query_;
    explain::Reading reading_;
    bool low_ = false;
    TokenArcs* arcs_;
    QBoxLayout* words_;
    ElidedLabel *claim_, *details_;
};

} // namespace attnlab::ui

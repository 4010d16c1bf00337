// What the model expects: the next token, masked tokens, or a class.
#pragma once

#include "ui/model/model_result.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace attnlab::ui {

class ElidedLabel;
class OutcomeBars;
class WrappedLabel;

/// Of both texts where two are compared.
class GuessesPanel : public QWidget {
    Q_OBJECT
public:
    explicit GuessesPanel(QWidget* parent = nullptr);

    /// Null, or a model that expects nothing: the panel is hidden.
    void setResult(const ModelResultPtr& result);
    /// Those in sight, from above.
    std::vector<OutcomeBars*> bars() const;
    QStringList titles() const;
    /// How to see guesses where there are none.
    QString hint() const;

private:
    struct Section {
        ElidedLabel* title;
        OutcomeBars* bars;
    };
    void show(std::size_t index, const QString& title, const Guesses& guesses);
    QString titleOf(const ModelResult& result, const std::vector<std::string>& tokens, const Guesses& guesses) const;

    QVBoxLayout* column_;
    WrappedLabel* hint_;
    std::vector<Section> sections_;
    std::size_t shown_ = 0;
};

} // namespace attnlab::ui

// Cost and error of a mechanism, compared with exact attention.
#pragma once

#include "core/attention.h"
#include "ui/widgets/card.h"

#include <vector>

class QGridLayout;

namespace attnlab::ui {

/// "950", "1.23 k", "45.6 M", "7.89 G" with three digits; bytes as "1.23 kB".
QString amountText(double value, Measure::Unit unit);

/// A line for each measure: its number, or the number, that of exact attention and their ratio. Hidden if there are
/// none.
class MeasuresCard : public Card {
    Q_OBJECT
public:
    explicit MeasuresCard(QWidget* parent = nullptr);

    void setMeasures(std::vector<Measure> measures);

    /// The texts of a measure's line, from the left; empty for an unknown measure.
    QStringList line(const std::string& name) const;

private:
    void refresh();
    static QStringList headings();
    QStringList textsOf(const Measure& measure) const;
    void addLine(const QStringList& texts, const QString& help);

    std::vector<Measure> measures_;
    QWidget* table_ = nullptr;
    QGridLayout* grid_ = nullptr;
};

} // namespace attnlab::ui

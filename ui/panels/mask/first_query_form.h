// Where the first query stands among the keys, for the masks and positions that depend on it.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

#include <cstdint>
#include <optional>

class QComboBox;
class QLabel;

namespace attnlab {
struct MaskContext;
}

namespace attnlab::ui {

class LinkButton;
class NumberField;

/// Hidden unless the setting depends on the place. Where keys and queries differ in number and no place is chosen, a
/// note names both usual ones. An array of places belongs to both compared settings: side A makes and removes it.
class FirstQueryForm : public QWidget {
    Q_OBJECT
public:
    /// FirstKey: offset 0. LastKey: the last query stands at the last key, offset S - L.
    enum class Place { FirstKey, LastKey, Number, PerSequence };

    explicit FirstQueryForm(const ComparedSide& setting, QWidget* parent = nullptr);
    ~FirstQueryForm() override;

    QComboBox* placeBox() const { return place_; }
    NumberField* number() const { return number_; }
    /// Empty while nothing is in doubt.
    QString doubt() const;
    LinkButton* firstKeyButton() const { return first_key_; }
    LinkButton* lastKeyButton() const { return last_key_; }

    Place place() const;
    void choose(Place place);

    /// "first query at key 3".
    static QString words(const AttentionSpec& spec);

signals:
    /// The array has been made.
    void arrayMade(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void setOffset(std::int64_t offset);
    void store(AttentionSpec spec, const QString& text, int gesture = 0);
    void storeArray();
    void showSetting();
    void showDoubt();
    std::optional<MaskContext> sizes() const;
    bool hasArray() const;

    ComparedSide setting_;
    QLabel* label_;
    QComboBox* place_;
    NumberField* number_;
    QWidget* doubt_;
    QLabel* doubt_words_;
    LinkButton* first_key_;
    LinkButton* last_key_;
    bool shows_number_ = false; ///< the user has chosen to type it, also where it equals another place
    int gesture_ = 0;           ///< of the number being typed, or 0
};

} // namespace attnlab::ui

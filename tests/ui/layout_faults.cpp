#include "layout_faults.h"

#include "ui/matrix/stages/stage_strip.h"
#include "ui/widgets/labels.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QRadioButton>
#include <QRubberBand>
#include <QSizeGrip>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include <vector>

namespace attnlab::ui {
namespace {

QString describe(const QWidget& widget) {
    QString name = QString::fromLatin1(widget.metaObject()->className()).section(QLatin1String("::"), -1);
    if (!widget.objectName().isEmpty())
        name += QLatin1Char('#') + widget.objectName();
    const QRect place(widget.mapTo(widget.window(), QPoint()), widget.size());
    name += QStringLiteral(" [%1,%2 %3x%4]").arg(place.x()).arg(place.y()).arg(place.width()).arg(place.height());
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        name += QStringLiteral(" '%1'").arg(label->text().left(40));
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        name += QStringLiteral(" '%1'").arg(button->text().left(40));
    return name;
}

/// The parent places its children itself, some beyond its edge or one on another: a scroll area, a stack, the window's
/// frame of panels.
bool placesFreely(const QWidget& parent) {
    return parent.inherits("QAbstractScrollArea") || parent.inherits("QAbstractItemView") ||
           parent.inherits("QComboBox") || parent.inherits("QAbstractSpinBox") || parent.inherits("QCustomPlot") ||
           parent.inherits("QLineEdit") || parent.inherits("QTabBar") || parent.inherits("QToolBar") ||
           parent.inherits("QMenuBar") || parent.inherits("QStackedWidget") || parent.inherits("QMainWindow") ||
           parent.inherits("QStatusBar");
}

/// Lies on its siblings on purpose.
bool liesAbove(const QWidget& widget) {
    return widget.isWindow() || qobject_cast<const QRubberBand*>(&widget) || qobject_cast<const QSizeGrip*>(&widget) ||
           widget.testAttribute(Qt::WA_TransparentForMouseEvents) || widget.inherits("attnlab::ui::MessageBar") ||
           widget.inherits("attnlab::ui::StateBox") || widget.inherits("QFocusFrame") ||
           widget.inherits("QSplitterHandle");
}

bool elides(const QLabel& label) {
    return dynamic_cast<const ElidedLabel*>(&label) || dynamic_cast<const OperationLabel*>(&label);
}

bool isViewport(const QWidget& widget) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
    return area && area->viewport() == &widget;
}

class Search {
public:
    explicit Search(int most) : most_(most) {}

    void look(const QWidget& parent) {
        std::vector<const QWidget*> shown;
        for (const QObject* child : parent.children()) {
            const auto* widget = qobject_cast<const QWidget*>(child);
            if (widget && !widget->isWindow() && widget->isVisible() && !widget->size().isEmpty())
                shown.push_back(widget);
        }
        if (!placesFreely(parent) && !isViewport(parent))
            comparePlaces(parent, shown);
        for (const QWidget* widget : shown) {
            lookAtText(*widget);
            look(*widget);
        }
    }

    QString found() const { return found_.join(QLatin1Char('\n')); }

private:
    void comparePlaces(const QWidget& parent, const std::vector<const QWidget*>& shown) {
        for (std::size_t i = 0; i < shown.size(); ++i) {
            if (liesAbove(*shown[i]))
                continue;
            if (!parent.rect().contains(shown[i]->geometry()))
                note(QStringLiteral("%1 is not within %2").arg(describe(*shown[i]), describe(parent)));
            for (std::size_t j = i + 1; j < shown.size(); ++j)
                if (!liesAbove(*shown[j]) && shown[i]->geometry().intersects(shown[j]->geometry()))
                    note(QStringLiteral("%1 and %2 cover each other").arg(describe(*shown[i]), describe(*shown[j])));
        }
    }

    void lookAtText(const QWidget& widget) {
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            lookAtLabel(*label);
        else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
            lookAtButton(*button);
    }

    void lookAtLabel(const QLabel& label) {
        if (label.text().isEmpty() || elides(label) || label.textFormat() == Qt::RichText ||
            label.textFormat() == Qt::MarkdownText)
            return;
        const QRect room = label.contentsRect();
        if (label.wordWrap()) {
            if (label.heightForWidth(label.width()) > label.height() + 1)
                note(QStringLiteral("%1 lacks height: has %2, needs %3")
                         .arg(describe(label))
                         .arg(label.height())
                         .arg(label.heightForWidth(label.width())));
            return;
        }
        const QSize needed = label.fontMetrics().size(Qt::TextShowMnemonic, label.text());
        if (needed.width() > room.width() + 1 || needed.height() > room.height() + 2)
            note(QStringLiteral("%1 is cut: its text needs %2x%3")
                     .arg(describe(label))
                     .arg(needed.width())
                     .arg(needed.height()));
    }

    void lookAtButton(const QAbstractButton& button) {
        if (const auto* tool = qobject_cast<const QToolButton*>(&button);
            tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull())
            return; // its text is for the tooltip
        if (button.text().isEmpty() || button.inherits("attnlab::ui::Picker") ||
            button.inherits("attnlab::ui::OperatorButton")) // which elide their texts
            return;
        const bool has_box = qobject_cast<const QCheckBox*>(&button) || qobject_cast<const QRadioButton*>(&button);
        const int needed = has_box ? button.sizeHint().width()
                                   : button.fontMetrics().size(Qt::TextShowMnemonic, button.text()).width();
        if (needed > button.width())
            note(QStringLiteral("%1 is cut: its text needs %2").arg(describe(button)).arg(needed));
    }

    void note(const QString& fault) {
        if (found_.size() < most_)
            found_ << fault;
    }

    int most_;
    QStringList found_;
};

} // namespace

QString layoutFaults(const QWidget& window, int most) {
    Search search(most);
    search.look(window);
    return search.found();
}

} // namespace attnlab::ui

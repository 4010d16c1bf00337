// A mechanism bar on a document, and its pickers.
#pragma once

#include "core/inputs.h"
#include "ui/document/document.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/picker.h"

#include <QListView>
#include <QTest>

namespace attnlab::ui {

inline QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

inline AttentionProblem problemOf(const char* variant) {
    AttentionProblem problem;
    problem.spec.variant = variant;
    complete_inputs(problem, 1);
    return problem;
}

/// A shown bar on a document.
struct Fixture {
    explicit Fixture(const char* variant = "scaled_dot_product") {
        document.reset(problemOf(variant));
        bar.resize(1280, bar.sizeHint().height());
        bar.show();
    }
    const AttentionSpec& spec() const { return document.problem().spec; }

    Document document;
    MechanismBar bar{document};
};

inline QModelIndex entry(const Picker* picker, const QString& id) {
    const auto* model = picker->list()->view()->model();
    const auto found = model->match(model->index(0, 0), Qt::UserRole, id, 1, Qt::MatchExactly);
    return found.value(0);
}

inline void clickEntry(Picker* picker, const QString& id) {
    QTest::mouseClick(picker, Qt::LeftButton);
    auto* view = picker->list()->view();
    QVERIFY(view->isVisible());
    const auto index = entry(picker, id);
    QVERIFY(index.isValid());
    view->scrollTo(index);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, view->visualRect(index).center());
    QVERIFY(!view->isVisible());
}

} // namespace attnlab::ui

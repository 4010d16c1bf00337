#include "ui/learn/lab/inputs_editor.h"

#include "ui/drawing/role_color.h"
#include "ui/learn/lab/scene_model.h"
#include "ui/panels/inputs/tensor_model.h"
#include "ui/panels/inputs/tensor_table.h"
#include "ui/widgets/text.h"

#include <QEvent>
#include <QSignalBlocker>
#include <QTabBar>
#include <QVBoxLayout>

namespace attnlab::ui {

InputsEditor::InputsEditor(SceneModel& model, QWidget* parent)
    : QDialog(parent), model_(model), numbers_(new TensorModel(document_, this)), tabs_(new QTabBar(this)),
      table_(new TensorTable(*numbers_, this)) {
    auto* column = new QVBoxLayout(this);
    column->addWidget(tabs_);
    column->addWidget(table_, 1);
    tabs_->setDrawBase(false);
    setModal(false);
    connect(tabs_, &QTabBar::currentChanged, this,
            [this](int index) { numbers_->show(tabs_->tabData(index).toString()); });
    connect(&document_, &Document::problemChanged, this, &InputsEditor::takeEdit);
    connect(&model_, &SceneModel::computed, this, &InputsEditor::follow);
    setWindowTitle(tr("Inputs of the lab"));
    table_->setAccessibleName(tr("Numbers of the chosen input"));
    tabs_->setAccessibleName(tr("Inputs"));
}

void InputsEditor::open() {
    show();
    follow();
    raise();
    table_->setFocus();
}

void InputsEditor::follow() {
    if (!isVisible() || !model_.result() || model_.isComputing())
        return;
    AttentionProblem problem;
    problem.spec = model_.scene().settings.front().spec;
    problem.tensors = model_.scene().tensors;
    problem.tensors.insert(model_.result()->drawn.begin(), model_.result()->drawn.end());
    problem.query_tokens = model_.scene().query_tokens;
    problem.key_tokens = model_.scene().key_tokens;
    following_ = true;
    if (!(problem == document_.problem()))
        document_.reset(std::move(problem));
    following_ = false;
    showTabs();
}

void InputsEditor::showTabs() {
    QStringList names;
    for (const auto& [name, tensor] : document_.problem().tensors)
        names << QString::fromStdString(name);
    QStringList shown;
    for (int k = 0; k < tabs_->count(); ++k)
        shown << tabs_->tabData(k).toString();
    if (shown == names)
        return;
    const QString before = tabs_->tabData(tabs_->currentIndex()).toString();
    {
        const QSignalBlocker quiet(tabs_);
        while (tabs_->count() > 0)
            tabs_->removeTab(0);
        for (const auto& name : names)
            tabs_->setTabData(tabs_->addTab(menuText(name)), name);
        tabs_->setCurrentIndex(std::max<int>(0, static_cast<int>(names.indexOf(before))));
        colorTabs();
    }
    numbers_->show(tabs_->tabData(tabs_->currentIndex()).toString());
}

void InputsEditor::colorTabs() {
    for (int k = 0; k < tabs_->count(); ++k)
        if (const auto role = roleOf(tabs_->tabData(k).toString().toStdString()))
            tabs_->setTabTextColor(k, roleColor(*role, theme()));
}

void InputsEditor::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colorTabs();
}

void InputsEditor::takeEdit() {
    if (following_)
        return;
    auto scene = model_.scene();
    scene.draw.reset();
    scene.tensors = document_.problem().tensors;
    scene.query_tokens = document_.problem().query_tokens;
    scene.key_tokens = document_.problem().key_tokens;
    model_.setScene(std::move(scene));
}

} // namespace attnlab::ui

#include "ui/learn/lab/setting_board.h"

#include "ui/learn/lab/scene_model.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/widgets/card.h"
#include "ui/widgets/markdown_label.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {

SettingBoard::SettingBoard(SceneModel& model, QWidget* parent)
    : Board(parent), model_(model), column_(new QVBoxLayout(this)), caption_(new MarkdownLabel(this)),
      error_(mutedLabel(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(6);
    column_->addWidget(caption_);
    column_->addWidget(error_, 1);
    error_->setWordWrap(true);
    error_->setAlignment(Qt::AlignCenter);
    connect(&model_, &SceneModel::computed, this, &SettingBoard::refresh);
    connect(&model_, &SceneModel::failed, this, &SettingBoard::refresh);
}

void SettingBoard::setPage(ExhibitPage* page) {
    page_ = page;
    column_->addWidget(page_, 1);
}

void SettingBoard::setWords(const QMap<QString, QString>& words) {
    words_ = words;
    refresh();
}

std::shared_ptr<const Drawing> SettingBoard::picture() const { return page_->picture(); }
QString SettingBoard::error() const { return error_->isHidden() ? QString() : error_->text(); }
QString SettingBoard::words() const { return caption_->isHidden() ? QString() : caption_->source(); }

/// Shows the computed scene, which may still be the previous one.
void SettingBoard::refresh() {
    const auto& settings = model_.computedScene().settings;
    const auto found = std::ranges::find(settings, model_.view().setting, &lab::SceneSetting::id);
    const auto index = static_cast<std::size_t>(found == settings.end() ? 0 : found - settings.begin());
    std::shared_ptr<const Trace> trace;
    QString why;
    if (const auto result = model_.result(); result && index < result->settings.size()) {
        const auto& setting = result->settings[index];
        if (setting.error)
            why = translated(*setting.error);
        else
            trace = {result, &setting.trace};
    }
    showTrace(trace);
    const bool shown = page_->hasExhibit();
    if (trace && !shown)
        why = whyNothing();
    caption_->setSource(index < settings.size() ? words_.value(QString::fromStdString(settings[index].id)) : QString());
    caption_->setVisible(why.isEmpty() && !caption_->source().isEmpty());
    page_->setVisible(shown);
    error_->setText(why);
    error_->setVisible(!shown);
}

} // namespace attnlab::ui

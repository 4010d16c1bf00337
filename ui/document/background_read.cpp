#include "ui/document/background_read.h"

#include "ui/widgets/message_bar.h"

namespace attnlab::ui {

BackgroundRead::BackgroundRead(MessageBar& messages, QWidget* window)
    : LatestJobBase({{}, WorkPool::Files, reading_failed}, nullptr), messages_(messages),
      box_(*this, window, tr("Reading…")) {
    connect(this, &LatestJobBase::failed, this, [this](const Message& why) {
        messages_.showMessage(MessageBar::Kind::Error, why, topic);
        giveUp();
    });
    connect(this, &LatestJobBase::cancelled, this, &BackgroundRead::giveUp);
}

void BackgroundRead::begin(AnyWork work, std::function<void()> otherwise) {
    messages_.clear(topic);
    if (const auto before = std::exchange(otherwise_, std::move(otherwise)))
        before();
    requestAny(std::move(work));
}

void BackgroundRead::finish(const std::function<void()>& use) {
    otherwise_ = nullptr;
    use();
    emit ended(true);
}

void BackgroundRead::giveUp() {
    if (const auto otherwise = std::exchange(otherwise_, nullptr))
        otherwise();
    emit ended(false);
}

} // namespace attnlab::ui

// Offers and restores copies of unsaved work.
#include "ui/document/left_work.h"

#include "ui/document/background_read.h"
#include "ui/document/file_name.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <QStringList>

#include <utility>

namespace attnlab::ui {
namespace {

OpenedFiles readCopy(const std::filesystem::path& copy, const RunControl& control) {
    auto read = io::read_recovery_copy(copy, control);
    OpenedFiles work;
    work.problem = std::move(read.work.problem);
    work.path = fromPath(read.work.path);
    work.stamp = read.work.stamp;
    work.title = QString::fromStdString(read.work.title);
    work.view_json = std::move(read.work.view_json);
    work.missing = std::move(read.missing);
    return work;
}

} // namespace

LeftWork::LeftWork(Document& document, ViewState& view, MessageBar& messages, MessageBar& offers,
                   BackgroundRead& reading, Replace replace)
    : messages_(messages), offers_(offers), reading_(reading), replace_(std::move(replace)), recovery_(document, view) {
    connect(&recovery_, &Recovery::failed, this, [this](const Message& why) {
        // The next edit tries again: reports it once.
        if (std::exchange(failure_, why) != why)
            messages_.showMessage(MessageBar::Kind::Error,
                                  tr("Your unsaved work is not kept for the case of a crash: %1").arg(translated(why)));
    });
}

void LeftWork::start() {
    recovery_.start();
    offer();
}

void LeftWork::offer() {
    const auto& all = recovery_.left();
    if (all.empty()) {
        offers_.hide();
        return;
    }
    const auto& left = all.front();
    const auto words = [saved = left.saved, title = left.title, more = static_cast<int>(all.size()) - 1] {
        const bool today = saved.date() == QDate::currentDate();
        const auto when = today ? languageLocale().toString(saved.time(), QLocale::ShortFormat)
                                : languageLocale().toString(saved, QLocale::ShortFormat);
        const auto text = title.isEmpty() ? tr("Work of %1 was not saved.").arg(when)
                                          : tr("Work of %1 on “%2” was not saved.").arg(when, title);
        return more > 0 ? text + QLatin1Char(' ') + tr("(%n more)", nullptr, more) : text;
    };
    const auto copy = left.copy;
    offers_.showQuestion(
        words, [] { return tr("Restore"); }, [this, copy] { restore(copy); }, {}); // offered again at the next start
    offers_.offerToo([] { return tr("Discard"); },
                     [this, copy] {
                         recovery_.drop(copy);
                         offer();
                     });
}

void LeftWork::restore(const std::filesystem::path& copy) {
    reading_.start<OpenedFiles>([copy](const RunControl& control) { return readCopy(copy, control); },
                                [this, copy](OpenedFiles work) {
                                    if (work.missing.empty())
                                        use(copy, std::move(work));
                                    else
                                        offerTheRest(copy, std::move(work));
                                },
                                [this] { offer(); });
}

/// Offers work of which some arrays are lost with their files.
void LeftWork::offerTheRest(const std::filesystem::path& copy, OpenedFiles work) {
    const auto words = [missing = work.missing] {
        QStringList lost;
        for (const auto& why : missing)
            lost << translated(why);
        return lost.join(QLatin1Char('\n'));
    };
    offers_.showQuestion(
        words, [] { return tr("Restore the rest"); }, [this, copy, work = std::move(work)] { use(copy, work); }, {});
    offers_.offerToo([] { return tr("Not now"); }, [this] { offer(); });
}

void LeftWork::use(const std::filesystem::path& copy, OpenedFiles work) {
    if (replace_(std::move(work)))
        recovery_.take(copy);
    offer();
}

} // namespace attnlab::ui

#include "ui/window/copy_as.h"

#include "ui/document/document.h"
#include "ui/document/file_controller.h"
#include "ui/document/file_name.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <QClipboard>
#include <QGuiApplication>

namespace attnlab::ui {
namespace {

QString titleOf(const code::LanguageInfo& info) {
    return info.language == code::Language::Command ? CopyAs::tr("&Command line")
                                                    : QLatin1Char('&') + QLatin1String(info.title.data());
}

/// The saved workspace; otherwise the name that the code asks for.
std::string fileOf(const Document& document) {
    const bool saved = !document.path().isEmpty() && !document.isModified();
    return saved ? toPath(document.path()).string() : std::string(code::workspace_name);
}

} // namespace

CopyAs::CopyAs(QMenu& menu, Document& document, FileController& files, MessageBar& messages, QObject* parent)
    : QObject(parent), menu_(menu), document_(document), files_(files), messages_(messages) {
    for (const auto& info : code::languages())
        connect(menu_.addAction(titleOf(info)), &QAction::triggered, this,
                [this, language = info.language] { copy(language); });
    connect(&document_, &Document::problemChanged, this, [this] { reasons_.reset(); });
    connect(&menu_, &QMenu::aboutToShow, this, &CopyAs::showReasons);
}

void CopyAs::copy(code::Language language) {
    files_.finishTyping();
    if (const auto why = code::why_no_code(document_.problem(), language)) {
        messages_.showMessage(MessageBar::Kind::Notice, *why);
        return;
    }
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(code::code_of(document_.problem(), language, fileOf(document_))));
    const auto at = static_cast<qsizetype>(language);
    messages_.showMessage(MessageBar::Kind::Notice,
                          tr("Copied as code: %1").arg(withoutMnemonic(menu_.actions().value(at)->text())));
}

const CopyAs::Reasons& CopyAs::reasons() {
    if (!reasons_) {
        reasons_.emplace();
        for (const auto& info : code::languages())
            reasons_->push_back(code::why_no_code(document_.problem(), info.language));
    }
    return *reasons_;
}

void CopyAs::showReasons() {
    const auto actions = menu_.actions();
    for (qsizetype i = 0; i < actions.size(); ++i) {
        const auto& why = reasons()[static_cast<std::size_t>(i)];
        const auto text = why ? translated(*why) : QString();
        actions[i]->setEnabled(!why);
        actions[i]->setToolTip(why ? text : withoutMnemonic(actions[i]->text()));
        actions[i]->setStatusTip(text);
    }
}

} // namespace attnlab::ui

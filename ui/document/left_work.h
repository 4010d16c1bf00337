// Offers the unsaved work that earlier runs left.
#pragma once

#include "ui/document/open_files.h"
#include "ui/document/recovery.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <optional>

namespace attnlab::ui {

class BackgroundRead;
class MessageBar;

/// Keeps copies of the document's unsaved work, and offers those of crashed programs one by one until each is restored
/// or discarded.
class LeftWork : public QObject {
    Q_OBJECT
public:
    /// Makes the work the document, unless the user keeps the present one (then it returns false).
    using Replace = std::function<bool(OpenedFiles)>;
    /// `offers` is only for this: no other message replaces an offer.
    LeftWork(Document& document, ViewState& view, MessageBar& messages, MessageBar& offers, BackgroundRead& reading,
             Replace replace);

    void start();
    /// Shows the current offer in the current language.
    void offer();
    /// The work is saved or discarded: no copy is needed.
    void end() { recovery_.end(); }

private:
    void restore(const std::filesystem::path& copy);
    void offerTheRest(const std::filesystem::path& copy, OpenedFiles work);
    void use(const std::filesystem::path& copy, OpenedFiles work);

    MessageBar& messages_;
    MessageBar& offers_;
    BackgroundRead& reading_;
    Replace replace_;
    Recovery recovery_;
    std::optional<Message> failure_; ///< the last one reported
};

} // namespace attnlab::ui

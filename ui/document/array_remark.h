// Remarks on the arrays that a document was made from.
#pragma once

#include "core/message.h"

#include <QString>

#include <string>

namespace attnlab::ui {

/// Stores the message untranslated, so that its language can change.
struct ArrayRemark {
    enum class Kind {
        Made,    ///< `message` says that an input is random, since the files lack it
        Decided, ///< `message` is a sentence
        Unused,  ///< `message` is why `array` is not used
        ReadAs   ///< `message` is how `array` is read
    };
    Kind kind = Kind::Decided;
    Message message;
    std::string array = {};

    /// In the current language.
    QString text() const;
};

} // namespace attnlab::ui

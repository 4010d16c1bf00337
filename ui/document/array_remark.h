// What has to be known of an array that a document was made of.
#pragma once

#include "core/message.h"

#include <QString>

#include <string>

namespace attnlab::ui {

/// Kept as it was said, so that it can be said again in another language.
struct ArrayRemark {
    enum class Kind {
        Decided, ///< `message` is a sentence
        Unused,  ///< `message` is why `array` is not used
        ReadAs   ///< `message` is how `array` is read
    };
    Kind kind = Kind::Decided;
    Message message;
    std::string array = {};

    /// In the present language.
    QString text() const;
};

} // namespace attnlab::ui

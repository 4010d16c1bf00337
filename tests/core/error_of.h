#pragma once

#include "core/message.h"

#include <QString>

namespace attnlab::test {

/// The message of the Error thrown by `body`; empty if none.
template <class Body>
QString error_of(Body body) {
    try {
        body();
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace attnlab::test

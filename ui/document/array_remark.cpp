#include "ui/document/array_remark.h"

#include "ui/widgets/text.h"

namespace attnlab::ui {

QString ArrayRemark::text() const {
    auto words = translated(message);
    switch (kind) {
    case Kind::Unused:
        return translated(Message{ATTNLAB_TEXT("%1 is not used: %2"), {array, words.toStdString()}});
    case Kind::ReadAs:
        return translated(Message{ATTNLAB_TEXT("%1: %2"), {array, words.toStdString()}});
    case Kind::Made:
    case Kind::Decided:
        break;
    }
    return words;
}

} // namespace attnlab::ui

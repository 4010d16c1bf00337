#include "ui/window/application.h"

#include "ui/widgets/failure.h"

#include <QEvent>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace attnlab::ui {
namespace {

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx"))) void clearUpperHalves() { _mm256_zeroupper(); }
bool hasUpperHalves() {
    static const bool has = __builtin_cpu_supports("avx");
    return has;
}
#else
void clearUpperHalves() {}
bool hasUpperHalves() { return false; }
#endif

} // namespace

bool Application::notify(QObject* receiver, QEvent* event) {
    const auto type = event->type(); // it may be deleted afterwards
    bool result = true;
    try {
        result = QApplication::notify(receiver, event);
    } catch (...) {
        if (const auto why = caughtFailure([] { throw; }, handling_failed))
            emit failed(*why);
    }
    if ((type == QEvent::Paint || type == QEvent::UpdateRequest) && hasUpperHalves())
        clearUpperHalves();
    return result;
}

} // namespace attnlab::ui

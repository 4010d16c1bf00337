#include "ui/widgets/motion.h"

#include <QApplication>
#include <QStyle>

namespace attnlab::ui {
namespace {

bool asked_for = false;

} // namespace

bool reducedMotion() {
    return asked_for || QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
}

void setReducedMotion(bool reduced) { asked_for = reduced; }

} // namespace attnlab::ui

// Performs random actions in the window.
#pragma once

#include "tests/soak/hands.h"
#include "tests/soak/journal.h"
#include "tests/soak/random_problem.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>

class QDialog;

namespace attnlab::ui {
class MainWindow;
}

namespace attnlab::soak {

class DocumentChecks;

/// One run of the program within a round.
struct Plan {
    QString folder; ///< of the round; contains all files
    std::uint64_t seed = 0;
    int life = 0; ///< counts the runs of the round
    bool last = false;
};

class Driver : public QObject {
    Q_OBJECT
public:
    Driver(ui::MainWindow& window, const Plan& plan);

private:
    void begin();
    void checkRecovery();
    void tick();
    void act();
    void end();

    void answer(QDialog* dialog);
    void fiddle(QDialog* dialog);
    void trigger();
    void undoAndRedo();
    void openDocument();
    void save();
    void checkMemory();

    QString filesFolder() const;
    QString randomPath(const char* suffix);

    ui::MainWindow& window_;
    Plan plan_;
    Chance chance_;
    Journal journal_;
    Hands hands_;
    DocumentChecks* checks_ = nullptr; ///< once unsaved work is back
    QTimer timer_;
    int left_ = 0;                     ///< remaining actions
    bool busy_ = false;                ///< in an action, which may run its own event loop
    const QDialog* fiddled_ = nullptr; ///< the dialog of such an action
    bool ending_ = false;
    int documents_ = 0;
    qint64 resident_ = 0; ///< measured after the first documents
};

} // namespace attnlab::soak

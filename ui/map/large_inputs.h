// What the window does with problems whose matrices are too large to be stored: a map instead of stages.
#pragma once

#include "ui/map/head_overview.h"
#include "ui/map/map_page.h"

#include <QObject>

namespace attnlab::ui {

/// Decides which problems are drawn as maps, and owns what shows them. The widgets belong to the window once placed.
class LargeInputs : public QObject {
    Q_OBJECT
public:
    explicit LargeInputs(ViewState& view, QObject* parent = nullptr);

    /// Takes a problem whose heads have more cells than the settings allow to be stored. False: it is to be computed as
    /// a whole, and no map is open.
    bool open(const AttentionProblem& problem);
    void close();
    bool isOpen() const { return open_; }
    /// The map of the shown head is being computed.
    bool isComputing() const { return computing_; }

    /// "B 1 · H 8 · L 32768 · S 32768" of the problem opened last.
    QString sizes() const { return sizes_; }
    MapPage* page() const { return page_; }
    HeadOverview* heads() const { return heads_; }
    MapSession& session() { return session_; }

signals:
    void started();
    void progressed(double fraction);
    /// The map is there.
    void ready(const QString& engine);
    /// The problem cannot be drawn as a map.
    void failed(const attnlab::Message& why);
    /// See MapSession.
    void noted(const attnlab::Message& note);

private:
    MapSession session_;
    MapPage* page_;
    HeadOverview* heads_;
    bool open_ = false;
    bool computing_ = false;
    QString sizes_;
};

} // namespace attnlab::ui

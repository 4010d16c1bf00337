// The menus whose entries are not commands: recent files, samples, panels, themes, languages.
#pragma once

#include <QList>
#include <QObject>

class QAction;

namespace attnlab::ui {

class Actions;
class FileController;

class Menus : public QObject {
    Q_OBJECT
public:
    /// Everything must outlive this object.
    /// The actions that show panels, and the menus of their places, are in "Panels".
    Menus(Actions& actions, FileController& files, const QList<QAction*>& panels, const QList<QAction*>& places,
          QObject* parent);

    void fill();

signals:
    /// A recent model.
    void modelChosen(const QString& path);

private:
    void fillRecent();
    void fillRecentModels();
    void fillSamples();
    void fillLooks();
    void fillLanguages();

    Actions& actions_;
    FileController& files_;
    QList<QAction*> panels_, places_;
};

} // namespace attnlab::ui

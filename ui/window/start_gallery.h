// The gallery of samples, with a picture of each, and the other ways to begin.
#pragma once

#include "ui/document/samples.h"
#include "ui/learn/lesson/card_button.h"
#include "ui/widgets/latest_job.h"

#include <QDialog>
#include <QImage>
#include <vector>

class QLabel;

namespace attnlab::ui {

/// A sample as a card that is a button: the picture of its weights, its title, and what to look at.
class SampleCard : public CardButton {
    Q_OBJECT
public:
    SampleCard(const QString& title, const QString& help, QWidget* parent = nullptr);

    void setPicture(const QImage& picture);
    const QImage& picture() const { return picture_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QImage picture_;
    QWidget* frame_;
    QLabel* title_;
};

/// Cards in groups, three in a row. The pictures are computed in the background. Closes when something is chosen.
class StartGallery : public QDialog {
    Q_OBJECT
public:
    explicit StartGallery(QWidget* parent = nullptr);

    /// In the order of samples(), and the trained model at the end.
    const std::vector<SampleCard*>& cards() const { return cards_; }

signals:
    void sampleChosen(const QString& id);
    void modelChosen(); ///< the one that comes with the program
    void newRequested();
    void openRequested();
    void openModelRequested();

private:
    QWidget* makeGroup(SampleGroup group);
    void requestPictures();

    std::vector<SampleCard*> cards_;
    LatestJob<std::vector<QImage>> pictures_;
};

} // namespace attnlab::ui

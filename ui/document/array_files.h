// Single arrays in files: opened as a tensor, used as a mask or to compare with, saved.
#pragma once

#include "core/tensor.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

class QWidget;

namespace attnlab {
struct Contents;
}

namespace attnlab::ui {

class BackgroundRead;
class Document;
class MessageBar;

class ArrayFiles : public QObject {
    Q_OBJECT
public:
    ArrayFiles(const Document& document, MessageBar& messages, BackgroundRead& reading, QWidget* window);

    /// Reads one array of a file, whatever its name; ends in tensorRead().
    void chooseForTensor(const QString& tensor);
    /// Reads one array of a file and passes it to `use`.
    void chooseArray(std::function<void(const Tensor&, const QString& name)> use);
    /// Passes the contents of a file to `use`, with its name for display.
    using UseContents = std::function<void(std::shared_ptr<const Contents>, const QString& file)>;
    void chooseToCompare(UseContents use);
    void readToCompare(const QString& path, UseContents use);
    void chooseToSaveTensor(const QString& tensor);

signals:
    void tensorRead(const QString& tensor, const attnlab::Tensor& values, const QString& path);

private:
    QString choosePath(const QString& title);

    const Document& document_;
    MessageBar& messages_;
    BackgroundRead& reading_;
    QWidget* window_;
};

} // namespace attnlab::ui

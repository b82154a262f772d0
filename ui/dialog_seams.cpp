#include "ui/dialog_seams.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

namespace attnscope {

static void askNow(QWidget* parent, const QString& question, const QString& accept, std::function<void()> accepted) {
  auto* box = new QMessageBox(QMessageBox::Question, QCoreApplication::applicationName(), question, QMessageBox::Cancel,
                              parent);
  box->setObjectName("confirmBox");
  box->setTextFormat(Qt::PlainText);
  box->setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* agree = box->addButton(accept, QMessageBox::AcceptRole);
  agree->setObjectName("confirmAccept");
  box->setDefaultButton(QMessageBox::Cancel);
  QObject::connect(agree, &QPushButton::clicked, parent, [accepted = std::move(accepted)] { accepted(); });
  box->open();
}

DialogSeams& dialogSeams() {
  static DialogSeams seams = {
      [](QWidget* parent, const QString& title, const QString& filter) {
        return QFileDialog::getOpenFileNames(parent, title, {}, filter);
      },
      [](QWidget* parent, const QString& title, const QString& proposal, const QString& filter) {
        return QFileDialog::getSaveFileName(parent, title, proposal, filter);
      },
      askNow};
  return seams;
}

}  // namespace attnscope

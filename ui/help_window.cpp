#include "ui/help_window.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace attnscope {

HelpWindow::HelpWindow(QWidget* parent) : QWidget(parent, Qt::Window), m_browser(new QTextBrowser) {
  setObjectName("helpWindow");
  setWindowTitle(tr("Help – Attnscope"));
  resize(640, 680);
  m_browser->setObjectName("helpBrowser");
  m_browser->setSearchPaths({QStringLiteral(":/attnscope/help")});
  auto* home = new QPushButton(tr("Contents"));
  home->setObjectName("helpContents");
  auto* back = new QPushButton(tr("Back"));
  back->setObjectName("helpBack");
  back->setEnabled(false);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 8, 8, 0);
  row->addWidget(home);
  row->addWidget(back);
  row->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(row);
  column->addWidget(m_browser);
  connect(home, &QPushButton::clicked, this, [this] { showPage(QStringLiteral("index")); });
  connect(back, &QPushButton::clicked, m_browser, &QTextBrowser::backward);
  connect(m_browser, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
}

void HelpWindow::showPage(const QString& page) {
  m_browser->setSource(QUrl(page + QStringLiteral(".md")), QTextDocument::MarkdownResource);
  show();
  raise();
  activateWindow();
}

}  // namespace attnscope

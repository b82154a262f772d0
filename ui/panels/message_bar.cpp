#include "ui/panels/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

#include "ui/icons.h"
#include "ui/panels/fields.h"

namespace attnscope {

MessageBar::MessageBar() : m_label(roleLabel({}, "message", "message")), m_close(new QToolButton) {
  setObjectName("messageBar");
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_close->setObjectName("closeMessage");
  m_close->setProperty("role", "flat");
  m_close->setToolTip(tr("Close this message"));
  m_close->setAccessibleName(tr("Close this message"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 5, 6, 5);
  row->addWidget(m_label, 1);
  row->addWidget(m_close, 0, Qt::AlignTop);
  connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
  hide();
}

void MessageBar::setIconColor(const QColor& color) { m_close->setIcon(makeIcon(attnscope::Shape::Close, color)); }

void MessageBar::show(const QString& message, bool error) {
  m_label->setText(message);
  setProperty("error", error);
  style()->unpolish(this);
  style()->polish(this);
  setVisible(true);
}

}  // namespace attnscope

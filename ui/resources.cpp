#include "ui/resources.h"

#include <QDir>

// Q_INIT_RESOURCE names a function outside every namespace.
static void initAttnscope() { Q_INIT_RESOURCE(attnscope); }

namespace attnscope {

void loadResources() { initAttnscope(); }

}  // namespace attnscope

// Ctrl-C while something is worth saving: the first is noted, a second one ends the program at once.
#pragma once

namespace attnscope {

void noteInterrupts();  // from now on SIGINT and SIGTERM
bool wasInterrupted();

}  // namespace attnscope

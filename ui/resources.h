// Style sheet, icons and help pages live in the library; a program that links it calls this once.
#pragma once

namespace attnscope {

void loadResources();

}  // namespace attnscope

# shellcheck shell=bash disable=SC2034,SC2154
# The Debian 12 packages that Attnscope needs, and a function that installs those that are missing. Sourced by
# scripts/setup and scripts/test; the only place that names packages.

# Compiler and tools, the engine's libraries, the window's libraries, fonts for Latin, Chinese and emoji tokens.
build_packages=(
  g++ cmake ninja-build pkgconf
  libeigen3-dev nlohmann-json3-dev libutf8proc-dev libcli11-dev
  qt6-base-dev qt6-svg-dev libqcustomplot-dev
  fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji
)

# What the tests use besides: a virtual display for the window, and readers of the files it exports.
test_packages=(xvfb x11-utils poppler-utils)

# What scripts/format uses.
format_packages=(clang-format)

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# is_installed PACKAGE
is_installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

# install_missing PACKAGE…: asks for nothing, and needs no network, where everything is there.
install_missing() {
  local package missing=() as_root=()
  command -v dpkg-query >/dev/null ||
    fail "this is no Debian system; install these by hand, then run cmake --preset release: $*"
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  say "Missing Debian packages: ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "installing them needs root, and there is no sudo; as root, run: apt-get install --no-install-recommends ${missing[*]}"
    say "Installing them with sudo, which may ask for your password …"
    as_root=(sudo)
  fi
  # One broken source of many must not stop what the others can give.
  "${as_root[@]}" apt-get update -q </dev/null ||
    say "apt-get update failed (see above); trying with the package lists that are here."
  # env: sudo does not pass the variable on.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=120 "${missing[@]}" </dev/null ||
    fail "apt-get could not install them (see above); is there a network? Attnscope is made for Debian 12"
}

# ccache, which the build uses where it is installed, fails every compilation when it cannot write.
check_compiler_cache() {
  command -v ccache >/dev/null || return 0
  local folder
  folder=$(ccache --get-config cache_dir)
  if ! { mkdir -p "$folder/tmp" && [[ -w $folder/tmp ]]; } 2>/dev/null; then
    export CCACHE_DISABLE=1
  fi
}

# build PRESET TARGET: configures and compiles; quick where nothing changed.
build() {
  check_compiler_cache
  (cd "$root" && cmake --preset "$1" --log-level=WARNING >/dev/null)
  cmake --build "$root/build/$1" --target "$2"
}

# What `packaging/run` and `packaging/test` share: the virtual environment and the system packages. Sourced, never run.
#
# Nothing is done twice: the environment carries a stamp over pyproject.toml, the interpreter and its own place, and
# system packages are asked for only when the loader really misses a library. Without root nothing is installed system-wide;
# the one line that would do it is printed instead.

repository="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)"
venv="$repository/.venv"

say() { printf '%s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

# --- system packages --------------------------------------------------------------------------------------------------

apt_lists_are_fresh=no

# Install the named packages by apt as root; otherwise print the line that does it, and end.
apt_install() {
    local line="apt-get install -y --no-install-recommends $*"
    command -v apt-get >/dev/null 2>&1 || fail "These packages are missing (Debian's names): $*" \
        "This is no Debian; install what your system calls them, then try again."
    if [ "$(id -u)" -ne 0 ]; then
        fail "Some system packages are missing. Install them with this line, then try again:" "" "    sudo $line" ""
    fi
    say "Installing system packages: $*"
    if [ "$apt_lists_are_fresh" = no ]; then
        apt-get -qq update >&2 || say "The package lists could not be renewed; trying with the ones that are here."
        apt_lists_are_fresh=yes
    fi
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $line -qq -o Dpkg::Use-Pty=0 >/dev/null </dev/null \
        || fail "apt could not install: $*" "Try it yourself to see why:" "" "    $line"
}

# The names among the given packages that dpkg does not have installed.
missing_packages() {
    local name
    for name in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || printf '%s ' "$name"
    done
}

# --- Python -----------------------------------------------------------------------------------------------------------

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# A Python of 3.11 or later: $PYTHON if set, else the plain one, else a numbered one.
find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
        if is_new_enough "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# The environment works, and is the one in this place (a moved or copied one is not).
venv_works() {
    [ -x "$venv/bin/python" ] || return 1
    "$venv/bin/python" - "$venv" >/dev/null 2>&1 <<'PYTHON'
import os, sys
import pip
sys.exit(sys.version_info < (3, 11) or os.path.realpath(sys.prefix) != os.path.realpath(sys.argv[1]))
PYTHON
}

make_venv() {
    venv_works && return 0
    local python
    if ! python="$(find_python)"; then
        apt_install python3 python3-venv
        python="$(find_python)" || fail "Coven Desktop needs Python 3.11 or later; this system's is older. Name one in PYTHON."
    fi
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        apt_install python3-venv
        "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || fail "$python cannot make virtual environments."
    fi
    say "Making the virtual environment $venv"
    rm -rf -- "$venv" || fail "$venv is unusable and cannot be removed."
    "$python" -m venv "$venv" || fail "The virtual environment could not be made."
}

stamp_of() {
    {
        printf '%s\n%s\n' "$1" "$venv"
        "$venv/bin/python" -c 'import sys; print(sys.version)'
        cat -- "$repository/pyproject.toml"
    } | sha256sum | cut -d ' ' -f 1
}

# Install the application, with the extra of that name if one is given; the second time takes no time.
install_application() {
    local extra="${1:-}" stamp log
    stamp="$venv/.installed${extra:+-$extra}"
    make_venv
    [ "$(cat -- "$stamp" 2>/dev/null)" = "$(stamp_of "$extra")" ] && return 0
    say "Installing Coven Desktop's packages into $venv (the first time takes a minute or two)"
    log="$(mktemp)"
    # Editable: a newer checkout needs no second installation.
    if ! "$venv/bin/python" -m pip install --quiet --no-input --disable-pip-version-check --root-user-action=ignore \
            --editable "$repository${extra:+[$extra]}" >"$log" 2>&1 </dev/null; then
        cat -- "$log" >&2
        rm -f -- "$log"
        fail "" "The packages could not be installed; pip's own words are above."
    fi
    rm -f -- "$log"
    stamp_of "$extra" >"$stamp"
}

# --- Qt's system libraries --------------------------------------------------------------------------------------------

# The Debian package of a shared library that Qt was linked against.
package_of_library() {
    case "$1" in
        libEGL.so.1) echo libegl1 ;;
        libGL.so.1) echo libgl1 ;;
        libGLX.so.0) echo libglx0 ;;
        libGLdispatch.so.0) echo libglvnd0 ;;
        libOpenGL.so.0) echo libopengl0 ;;
        libICE.so.6) echo libice6 ;;
        libSM.so.6) echo libsm6 ;;
        libX11-xcb.so.1) echo libx11-xcb1 ;;
        libX11.so.6) echo libx11-6 ;;
        libdbus-1.so.3) echo libdbus-1-3 ;;
        libfontconfig.so.1) echo libfontconfig1 ;;
        libfreetype.so.6) echo libfreetype6 ;;
        libglib-2.0.so.0 | libgthread-2.0.so.0 | libgobject-2.0.so.0) echo libglib2.0-0 ;;
        libwayland-client.so.0) echo libwayland-client0 ;;
        libwayland-cursor.so.0) echo libwayland-cursor0 ;;
        libwayland-egl.so.1) echo libwayland-egl1 ;;
        libxkbcommon.so.0) echo libxkbcommon0 ;;
        libxkbcommon-x11.so.0) echo libxkbcommon-x11-0 ;;
        libxcb.so.1) echo libxcb1 ;;
        libxcb-cursor.so.0) echo libxcb-cursor0 ;;
        libxcb-icccm.so.4) echo libxcb-icccm4 ;;
        libxcb-image.so.0) echo libxcb-image0 ;;
        libxcb-keysyms.so.1) echo libxcb-keysyms1 ;;
        libxcb-randr.so.0) echo libxcb-randr0 ;;
        libxcb-render.so.0) echo libxcb-render0 ;;
        libxcb-render-util.so.0) echo libxcb-render-util0 ;;
        libxcb-shape.so.0) echo libxcb-shape0 ;;
        libxcb-shm.so.0) echo libxcb-shm0 ;;
        libxcb-sync.so.1) echo libxcb-sync1 ;;
        libxcb-util.so.1) echo libxcb-util1 ;;
        libxcb-xfixes.so.0) echo libxcb-xfixes0 ;;
        libxcb-xkb.so.1) echo libxcb-xkb1 ;;
        libz.so.1) echo zlib1g ;;
        libzstd.so.1) echo libzstd1 ;;
        *) return 1 ;;
    esac
}

# The Qt modules and plugins that this application loads; headless it is the core alone.
qt_files() {
    local qt
    qt="$("$venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("PySide6").submodule_search_locations[0])')" \
        || fail "PySide6 is not in $venv."
    printf '%s\n' "$qt"/QtCore.abi3.so
    [ "$1" = headless ] && return 0
    printf '%s\n' "$qt"/Qt{Gui,Widgets,Svg,DBus}.abi3.so "$qt"/Qt/plugins/platforms/libq{xcb,wayland*,offscreen}.so \
        "$qt"/Qt/plugins/iconengines/libqsvgicon.so "$qt"/Qt/plugins/imageformats/libqsvg.so
}

# The libraries the loader cannot find for them.
missing_libraries() {
    local files=() file
    while IFS= read -r file; do
        if [ -e "$file" ]; then files+=("$file"); fi
    done < <(qt_files "$1")
    ldd "${files[@]}" 2>/dev/null | awk '/=> not found/ {print $1}' | sort -u
}

# See that Qt can be loaded ("headless": the core; "window": widgets and a platform plugin), and mend it if it can't.
check_qt() {
    local kind="$1" library package packages='' unknown='' said
    for library in $(missing_libraries "$kind"); do
        if package="$(package_of_library "$library")"; then packages+="$package "; else unknown+="$library "; fi
    done
    if [ "$kind" = window ] && [ -z "$(fonts)" ]; then packages+='fontconfig fonts-dejavu-core '; fi
    if [ -n "$packages" ]; then
        # shellcheck disable=SC2046,SC2086
        apt_install $(printf '%s\n' $packages | sort -u)
        # What has just come may have shown what else is missing.
        for library in $(missing_libraries "$kind"); do unknown+="$library "; done
    fi
    [ -z "$unknown" ] || fail "Qt needs system libraries that are not here, and no package for them is known: $unknown"
    # The proof: load it.
    if [ "$kind" = headless ]; then
        said="$("$venv/bin/python" -c 'import PySide6.QtCore' 2>&1)" || fail "$said" "Qt cannot be loaded."
    else
        said="$("$venv/bin/python" -c 'import PySide6.QtWidgets, PySide6.QtSvg' 2>&1)" || fail "$said" "Qt cannot be loaded."
    fi
}

# Any font at all; a window without one has no letters.
fonts() {
    find /usr/share/fonts /usr/local/share/fonts "${XDG_DATA_HOME:-${HOME:-/root}/.local/share}/fonts" \
        \( -name '*.ttf' -o -name '*.otf' -o -name '*.pfb' -o -name '*.ttc' \) -print -quit 2>/dev/null
}

# What `packaging/run` and `packaging/test` share: the virtual environment and the system packages. Sourced, never run.
#
# Nothing is done twice: the environment carries a stamp over pyproject.toml, the interpreter and its own place, and
# system packages are asked for only when the loader really misses a library. Without root nothing is installed system-wide;
# the one line that would do it is printed instead.

repository="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)"
venv="$repository/.venv"

# Each argument is a line.
say() { printf '%s\n' "$@" >&2; }
fail() { say "$@"; exit 1; }

# Run a command in silence; when it fails, show what it said.
run_quietly() {
    local log status=0
    log="$(mktemp)"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ]; then cat -- "$log" >&2; fi
    rm -f -- "$log"
    return "$status"
}

# --- system packages --------------------------------------------------------------------------------------------------

# The Debian package of each shared library that Qt was linked against.
declare -A package_of=(
    [libEGL.so.1]=libegl1
    [libGL.so.1]=libgl1
    [libGLX.so.0]=libglx0
    [libGLdispatch.so.0]=libglvnd0
    [libOpenGL.so.0]=libopengl0
    [libICE.so.6]=libice6
    [libSM.so.6]=libsm6
    [libX11-xcb.so.1]=libx11-xcb1
    [libX11.so.6]=libx11-6
    [libdbus-1.so.3]=libdbus-1-3
    [libfontconfig.so.1]=libfontconfig1
    [libfreetype.so.6]=libfreetype6
    [libglib-2.0.so.0]=libglib2.0-0
    [libgthread-2.0.so.0]=libglib2.0-0
    [libgobject-2.0.so.0]=libglib2.0-0
    [libwayland-client.so.0]=libwayland-client0
    [libwayland-cursor.so.0]=libwayland-cursor0
    [libwayland-egl.so.1]=libwayland-egl1
    [libxkbcommon.so.0]=libxkbcommon0
    [libxkbcommon-x11.so.0]=libxkbcommon-x11-0
    [libxcb.so.1]=libxcb1
    [libxcb-cursor.so.0]=libxcb-cursor0
    [libxcb-icccm.so.4]=libxcb-icccm4
    [libxcb-image.so.0]=libxcb-image0
    [libxcb-keysyms.so.1]=libxcb-keysyms1
    [libxcb-randr.so.0]=libxcb-randr0
    [libxcb-render.so.0]=libxcb-render0
    [libxcb-render-util.so.0]=libxcb-render-util0
    [libxcb-shape.so.0]=libxcb-shape0
    [libxcb-shm.so.0]=libxcb-shm0
    [libxcb-sync.so.1]=libxcb-sync1
    [libxcb-util.so.1]=libxcb-util1
    [libxcb-xfixes.so.0]=libxcb-xfixes0
    [libxcb-xkb.so.1]=libxcb-xkb1
    [libz.so.1]=zlib1g
    [libzstd.so.1]=libzstd1
)

apt_lists_are_fresh=no

# Install the named packages by apt as root; otherwise print the line that does it, and end.
apt_install() {
    command -v apt-get >/dev/null 2>&1 || fail "These packages are missing (Debian's names): $*" \
        "This is no Debian; install what your system calls them, then try again."
    if [ "$(id -u)" -ne 0 ]; then
        fail "Some system packages are missing. Install them with this line, then try again:" "" \
            "    sudo apt-get install -y --no-install-recommends $*" ""
    fi
    say "Installing system packages: $*"
    if [ "$apt_lists_are_fresh" = no ]; then
        run_quietly apt-get -qq update || say "The package lists could not be renewed; trying with the ones that are here."
        apt_lists_are_fresh=yes
    fi
    run_quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" \
        || fail "" "apt could not install: $*" "Its own words are above."
}

# The names among the given packages that dpkg does not have installed.
missing_packages() {
    local name
    for name in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || printf '%s ' "$name"
    done
}

# What Qt may need and dpkg does not have: for a line that is printed before Qt itself can be asked.
missing_for_qt() {
    # shellcheck disable=SC2046
    missing_packages $(printf '%s\n' "${package_of[@]}" fontconfig fonts-dejavu-core | sort -u)
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

# Without root the line that is printed names everything at once, Qt's libraries too.
install_python() {
    # shellcheck disable=SC2046
    if [ "$(id -u)" -eq 0 ]; then apt_install "$@"; else apt_install "$@" $(missing_for_qt); fi
}

make_venv() {
    venv_works && return 0
    local python
    if ! python="$(find_python)"; then
        install_python python3 python3-venv
        python="$(find_python)" || fail "Coven Desktop needs Python 3.11 or later; this system's is older. Name one in PYTHON."
    fi
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        install_python python3-venv
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
    local extra="${1:-}" stamp
    stamp="$venv/.installed${extra:+-$extra}"
    make_venv
    # Beforehand, because a session host writes none (a full disk would leave half of it). Where it cannot be written,
    # hosts start a little slower.
    "$venv/bin/python" -m compileall -q -q "$repository/coven_desktop" || true
    [ "$(cat -- "$stamp" 2>/dev/null)" = "$(stamp_of "$extra")" ] && return 0
    say "Installing Coven Desktop's packages into $venv (the first time takes a minute or two)"
    # Editable: a newer checkout needs no second installation.
    run_quietly "$venv/bin/python" -m pip install --quiet --no-input --disable-pip-version-check \
        --root-user-action=ignore --editable "$repository${extra:+[$extra]}" \
        || fail "" "The packages could not be installed; pip's own words are above."
    stamp_of "$extra" >"$stamp"
}

# --- Qt's system libraries --------------------------------------------------------------------------------------------

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
    local kind="$1" library packages='' unknown='' said
    for library in $(missing_libraries "$kind"); do
        if [ -n "${package_of[$library]:-}" ]; then packages+="${package_of[$library]} "; else unknown+="$library "; fi
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

#!/usr/bin/env bash
# Run a command on a small desktop: a window manager, a panel with a tray, a notification service. Needs a display, a
# session bus and a HOME that may be written; ends what it started and hands on the command's exit code.
set -euo pipefail

export NO_AT_BRIDGE=1 # no accessibility bus for panel and friends
log="$HOME/desktop-session.log"
config="${XDG_CONFIG_HOME:-$HOME/.config}"
started=()

# Ended one by one by their ids; nothing else is touched.
end_all() {
    local pid
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
}
trap end_all EXIT

start() {
    "$@" >>"$log" 2>&1 </dev/null &
    started+=("$!")
}

# Wait at most 20 s for a condition.
await() {
    local what="$1" tries
    shift
    for tries in $(seq 200); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.1
    done
    printf 'The test desktop has no %s after 20 s. Its log:\n' "$what" >&2
    cat -- "$log" >&2
    exit 1
}

owned() {
    dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
        org.freedesktop.DBus.NameHasOwner "string:$1" | grep -q 'boolean true'
}

has_window_manager() { xprop -root _NET_SUPPORTING_WM_CHECK | grep -q 'window id'; }

# A panel with a tray and nothing else; without this the panel asks a question at its first start.
panel="$config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml"
if [ ! -e "$panel" ]; then
    mkdir -p -- "$(dirname -- "$panel")"
    cp -- "$(dirname -- "${BASH_SOURCE[0]}")/desktop_panel.xml" "$panel"
fi

start openbox
await 'window manager' has_window_manager
start dunst
start xfce4-panel --disable-wm-check
await 'notification service' owned org.freedesktop.Notifications
await 'tray' owned org.kde.StatusNotifierWatcher

status=0
"$@" || status=$?
exit "$status"

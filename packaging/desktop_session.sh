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
    cat >"$panel" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="30"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>
</channel>
XML
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

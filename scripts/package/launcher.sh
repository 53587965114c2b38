#!/bin/sh
# Starts Talaria on Linux. Where Chromium cannot set up its sandbox it aborts before any code of Talaria runs, so this
# looks first and says what to do. The sandbox is never left out unasked.
root=
here=$(dirname "$(readlink -f "$0")")
app="$here/$(basename "$(readlink -f "$0")")-app"

is_app_image() { [ -n "${APPDIR:-}" ] && [ "$here" = "$(readlink -f "$APPDIR")" ]; }

# AppRun, the start script that electron-builder puts into an AppImage, adds --no-sandbox in front by itself.
if is_app_image && [ "${1:-}" = --no-sandbox ]; then shift; fi
if [ "${TALARIA_NO_SANDBOX:-}" = 1 ]; then exec "$app" --no-sandbox "$@"; fi
for argument in "$@"; do
  if [ "$argument" = --no-sandbox ]; then exec "$app" "$@"; fi
done

setting() { cat "$root/proc/sys/$1" 2>/dev/null; }
# An AppImage is mounted without setuid.
has_setuid_sandbox() {
  ! is_app_image && [ -u "$here/chrome-sandbox" ] && [ "$(stat -c %u "$here/chrome-sandbox")" = 0 ]
}

# The reason why Chromium’s sandbox does not work here; nothing where it works.
obstacle() {
  if [ "$(id -u)" = 0 ]; then echo root
  elif has_setuid_sandbox; then :
  elif [ "$(setting user/max_user_namespaces)" = 0 ]; then echo user.max_user_namespaces=15000
  elif [ "$(setting kernel/unprivileged_userns_clone)" = 0 ]; then echo kernel.unprivileged_userns_clone=1
  elif [ "$(setting kernel/apparmor_restrict_unprivileged_userns)" != 1 ]; then :
  elif grep -qsF "\"$here/" "$root/etc/apparmor.d/talaria"; then :
  else echo kernel.apparmor_restrict_unprivileged_userns=0
  fi
}

found=$(obstacle)
if [ -z "$found" ]; then exec "$app" "$@"; fi

unsafe="Without the sandbox, a page that takes over Talaria’s window can do everything that you can do:
  TALARIA_NO_SANDBOX=1 \"${APPIMAGE:-$0}\""
if [ "$found" = root ]; then
  text="Talaria did not start: its window cannot protect itself for the user root.
Start it as another user, or without the sandbox.
$unsafe"
else
  text="Talaria did not start: this system does not let its window set up a sandbox.
Choose one of these:
• Install the deb package of Talaria. It brings the permission with it (an AppArmor profile).
• Allow sandboxes to all programs, until the computer starts again:
  sudo sysctl -w $found
• $unsafe"
fi
printf '%s\n' "$text" >&2
# Started from a menu, nobody sees the terminal.
if [ ! -t 2 ]; then
  zenity --error --no-markup --title=Talaria --text="$text" 2>/dev/null ||
    kdialog --title Talaria --error "$text" 2>/dev/null ||
    notify-send Talaria "$text" 2>/dev/null
fi
exit 1

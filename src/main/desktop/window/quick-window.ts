import { BrowserWindow, globalShortcut, screen } from 'electron'
import type { DesktopSettings } from '../../app/host-types.ts'
import { pageUrl } from '../page/address.ts'
import { watchPage } from '../page/stopped-page.ts'
import { offerEditing } from './text-editing.ts'
import { webPreferences, windowBackground, type PageOptions } from './main-window.ts'

const size = { width: 600, height: 200 }

/** The small window for one question, opened by a shortcut that works in every program. */
export type QuickWindow = {
  /** Apply the settings. Returns why the shortcut fails, for the user; undefined if it works or is off. */
  follow(settings: Pick<DesktopSettings, 'quick_window' | 'quick_keys'>): string | undefined
  hide(): void
  /** Release the shortcut and remove the window. */
  close(): void
}

/** Prepare the quick window. It keeps its text while it is hidden. */
export function createQuickWindow(page: PageOptions, report: (error: unknown) => void): QuickWindow {
  let window: BrowserWindow | undefined
  let keys: string | undefined

  function open(): BrowserWindow {
    const opened = new BrowserWindow({
      ...size,
      show: false,
      frame: false,
      resizable: false,
      maximizable: false,
      minimizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      title: 'Talaria',
      backgroundColor: windowBackground(),
      webPreferences: webPreferences(page),
    })
    // Users leave the window by clicking elsewhere.
    opened.on('blur', () => opened.hide())
    opened.on('closed', () => (window = undefined))
    offerEditing(opened)
    watchPage(opened, report)
    opened.loadURL(pageUrl('window=quick')).catch(() => {})
    return opened
  }
  function toggle() {
    if (window?.isVisible()) return window.hide()
    window ??= open()
    const { x, y, width, height } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea
    window.setPosition(Math.round(x + (width - size.width) / 2), Math.round(y + height / 4))
    window.show()
    window.focus()
  }
  function release() {
    if (keys !== undefined) globalShortcut.unregister(keys)
    keys = undefined
  }
  function close() {
    release()
    // `destroy` instead of `close`, which a page may refuse.
    window?.destroy()
    window = undefined
  }

  return {
    follow({ quick_window, quick_keys }) {
      if (!quick_window) {
        close()
        return undefined
      }
      if (keys === quick_keys) return undefined
      release()
      if (!isRegistered(quick_keys, toggle))
        return `The keys ${quick_keys} do not open the quick window: another program or the system uses them. Choose other keys in Settings > Desktop.`
      keys = quick_keys
      return undefined
    },
    hide: () => window?.hide(),
    close,
  }
}

/** Register a shortcut. Electron throws for keys that it cannot read, and returns false for keys in use. */
function isRegistered(keys: string, act: () => void): boolean {
  try {
    return globalShortcut.register(keys, act)
  } catch {
    return false
  }
}

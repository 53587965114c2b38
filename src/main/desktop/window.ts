import { join } from 'node:path'
import { BrowserWindow, nativeTheme, screen } from 'electron'
import { resourcePath } from '../lib/places.ts'
import { offerEditing } from './menu.ts'
import { pageUrl } from './app-scheme.ts'
import { readWindowState, writeWindowState } from './window-state.ts'

/** The background colour (`--color-canvas` of the window), so that a dark window does not flash white before its first paint. */
const backgrounds = { light: '#ffffff', dark: '#1a1a1c' }

type Options = { home: string; preload: string; report: (error: unknown) => void }

/** Open the window at its last position, and show it at its first paint. The position is stored in `home`. */
export async function openWindow({ home, preload, report }: Options): Promise<BrowserWindow> {
  const file = join(home, 'window.json')
  const last = readWindowState(
    file,
    screen.getAllDisplays().map(display => display.workArea),
  )
  const window = new BrowserWindow({
    width: 1200,
    height: 820,
    ...last?.bounds,
    minWidth: 480,
    minHeight: 480,
    show: false,
    title: 'Talaria',
    icon: resourcePath('icon.png'),
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      // Outside macOS, Chromium would download its dictionaries.
      spellcheck: process.platform === 'darwin',
    },
  })
  if (last?.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    try {
      writeWindowState(file, { bounds: window.getNormalBounds(), maximized: window.isMaximized() })
    } catch (error) {
      // A full disk must not keep the window open.
      report(error)
    }
  })
  offerEditing(window)
  await window.loadURL(pageUrl())
  return window
}

/** Bring the open window to the front; false when there is none. */
export function focusWindow(): boolean {
  const [window] = BrowserWindow.getAllWindows()
  if (!window) return false
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  return true
}

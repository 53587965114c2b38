import { BrowserWindow, nativeTheme, screen } from 'electron'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { pageUrl } from '../page/address.ts'
import { watchPage } from '../page/stopped-page.ts'
import { offerEditing } from './text-editing.ts'
import { readWindowState, writeWindowState } from './window-state.ts'

/** Return the window's `--color-canvas`, so that a dark window does not flash white at first. */
export const windowBackground = () => (nativeTheme.shouldUseDarkColors ? '#1a1a1c' : '#ffffff')

/** The complete web preferences of all our pages. */
export const webPreferences = ({ preload, spellcheck }: PageOptions) => ({
  preload,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  spellcheck,
})

/** The preload script, and whether Chromium checks spelling. */
export type PageOptions = { preload: string; spellcheck: boolean }

type Options = PageOptions & {
  home: string
  /** Whether to open it without showing it. */
  hidden?: boolean
  report: (error: unknown) => void
}

/**
 * Open the main window at its last position, and show it at its first paint. The position is stored in
 * `home`. A page that does not load is replaced by one that says so.
 */
export function openMainWindow({ home, hidden = false, report, ...page }: Options): BrowserWindow {
  const screens = () => screen.getAllDisplays().map(display => display.workArea)
  const last = readWindowState(home, screens())
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
    backgroundColor: windowBackground(),
    webPreferences: webPreferences(page),
  })
  if (!hidden) {
    if (last?.maximized) window.maximize()
    window.once('ready-to-show', () => window.show())
  }
  window.on('close', () => {
    try {
      const state = { bounds: window.getNormalBounds(), maximized: window.isMaximized() }
      writeWindowState(home, screens(), state)
    } catch (error) {
      // A full disk must not keep the window open.
      report(error)
    }
  })
  offerEditing(window)
  zoomByWheel(window)
  watchPage(window, report)
  // The failure itself arrives as `did-fail-load`.
  window.loadURL(pageUrl()).catch(() => {})
  return window
}

/** Bring a window to the front. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** Chromium's zoom levels from 25 to 500 %. */
const levels = { least: -7.6, most: 8.8, step: 0.5 }

/** Let Ctrl and the mouse wheel zoom a page. Chromium stores the zoom in its profile. */
function zoomByWheel({ webContents }: BrowserWindow): void {
  webContents.on('zoom-changed', (_event, direction) => {
    const level = webContents.getZoomLevel() + (direction === 'in' ? levels.step : -levels.step)
    webContents.setZoomLevel(Math.min(levels.most, Math.max(levels.least, level)))
  })
}

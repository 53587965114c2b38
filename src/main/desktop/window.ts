import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { BrowserWindow, nativeTheme, screen } from 'electron'
import { z } from 'zod'
import { resourcePath } from '../lib/shipped-files.ts'
import { offerEditing } from './menu.ts'
import { pageUrl } from './page.ts'
import { writeAtomic } from '../lib/durable-files.ts'

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

const Rectangle = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
type Rectangle = z.infer<typeof Rectangle>

const WindowState = z.object({ bounds: Rectangle, maximized: z.boolean() })

/** The last window state: its normal bounds in desktop pixels, and whether it was maximized. */
type WindowState = z.infer<typeof WindowState>

/** The last window state, if it is readable and at least 100 px of the window in each direction are on a connected screen. */
function readWindowState(file: string, screens: readonly Rectangle[]): WindowState | undefined {
  const state = WindowState.safeParse(parse(file)).data
  return state && screens.some(screen => overlap(state.bounds, screen)) ? state : undefined
}

/** Save the window state. Synchronous, because it runs while the window closes. */
function writeWindowState(file: string, state: WindowState): void {
  writeAtomic(file, JSON.stringify(state))
}

// An unreadable state needs no message: the window opens in the middle of the screen.
function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const overlap = (one: Rectangle, other: Rectangle) =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) >= 100 &&
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) >= 100

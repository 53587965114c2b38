import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrowserWindow, nativeTheme, screen } from 'electron'
import { z } from 'zod'
import { writeAtomic } from '../../lib/durable-files.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { resourcePath } from '../../lib/shipped-files.ts'
import { pageUrl } from '../page/address.ts'
import { watchPage } from '../page/stopped-page.ts'
import { offerEditing } from './text-editing.ts'

/** The background colour (`--color-canvas` of the window), so that a dark window does not flash white before its first paint. */
export const windowBackground = () => (nativeTheme.shouldUseDarkColors ? '#1a1a1c' : '#ffffff')

/** What every page of ours gets, and nothing else. */
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
  /** Open it without showing it. */
  hidden?: boolean
  report: (error: unknown) => void
}

/**
 * Open the main window at its last position, and show it at its first paint. The position is stored in `home`. A page that
 * does not load is replaced by one that says so.
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

/** Chromium's steps from 25 to 500 %. */
const levels = { least: -7.6, most: 8.8, step: 0.5 }

/** Let Ctrl and the mouse wheel change the size of a page. Chromium keeps the size in its profile. */
function zoomByWheel({ webContents }: BrowserWindow): void {
  webContents.on('zoom-changed', (_event, direction) => {
    const level = webContents.getZoomLevel() + (direction === 'in' ? levels.step : -levels.step)
    webContents.setZoomLevel(Math.min(levels.most, Math.max(levels.least, level)))
  })
}

const Rectangle = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
/** A part of the desktop, in pixels of the desktop. */
export type Rectangle = z.infer<typeof Rectangle>

const WindowState = z.object({ bounds: Rectangle, maximized: z.boolean() })
/** The normal bounds of a window, and whether it was maximized. */
export type WindowState = z.infer<typeof WindowState>

/** The newest state first, each with the screens it was for: a laptop has one at the desk and another on the way. */
const Stored = z.array(z.object({ screens: z.string(), state: WindowState }))

/** Sets of screens that are remembered. */
const mostSets = 8

const fileIn = (home: string) => join(home, 'window.json')

/**
 * The state of the window with the present screens: the one it had with them, else its newest one. Undefined if at most
 * 100 pixels of it in one direction would be on a screen, and if there is none. An unreadable file counts as none.
 */
export function readWindowState(home: string, screens: readonly Rectangle[]): WindowState | undefined {
  const stored = read(home)
  const known = stored.find(each => each.screens === nameOf(screens)) ?? stored[0]
  return known && screens.some(screen => overlap(known.state.bounds, screen)) ? known.state : undefined
}

/** Save the state of the window with the present screens. Synchronous, because it runs while the window closes. */
export function writeWindowState(home: string, screens: readonly Rectangle[], state: WindowState): void {
  const name = nameOf(screens)
  const others = read(home).filter(each => each.screens !== name)
  writeAtomic(fileIn(home), JSON.stringify([{ screens: name, state }, ...others].slice(0, mostSets)))
}

function read(home: string): z.infer<typeof Stored> {
  try {
    const found = parseJson(readFileSync(fileIn(home), 'utf8'))
    // Versions up to 0.1 knew one state.
    const old = WindowState.safeParse(found)
    return old.success ? [{ screens: '', state: old.data }] : (Stored.safeParse(found).data ?? [])
  } catch {
    // An unreadable state needs no message: the window opens in the middle of the screen.
    return []
  }
}

const nameOf = (screens: readonly Rectangle[]): string =>
  screens
    .map(({ x, y, width, height }) => `${width}x${height}+${x}+${y}`)
    .toSorted()
    .join(' ')

const overlap = (one: Rectangle, other: Rectangle) =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) >= 100 &&
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) >= 100

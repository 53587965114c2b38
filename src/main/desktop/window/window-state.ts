import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { parseJson } from '../../lib/expected-errors.ts'

const Rectangle = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
/** A part of the desktop, in desktop pixels. */
type Rectangle = z.infer<typeof Rectangle>

const WindowState = z.object({ bounds: Rectangle, maximized: z.boolean() })
/** The normal bounds of a window, and whether it was maximised. */
type WindowState = z.infer<typeof WindowState>

/** The newest state first, each with its screens: a laptop has other ones at the desk and on the way. */
const Stored = z.array(z.object({ screens: z.string(), state: WindowState }))

/** Maximum number of screen sets to remember. */
const mostSets = 8

const fileIn = (home: string) => join(home, 'window.json')

/**
 * Return the window's state for the present screens: its last one with them, else its newest. Undefined if
 * there is none, or if at most 100 pixels of it in one direction would be on a screen. An unreadable file
 * counts as none.
 */
export function readWindowState(home: string, screens: readonly Rectangle[]): WindowState | undefined {
  const stored = read(home)
  const known = stored.find(each => each.screens === nameOf(screens)) ?? stored[0]
  return known && screens.some(screen => overlap(known.state.bounds, screen)) ? known.state : undefined
}

/** Save the window's state for the present screens. Synchronous, because it runs while the window closes. */
export function writeWindowState(home: string, screens: readonly Rectangle[], state: WindowState): void {
  const name = nameOf(screens)
  const others = read(home).filter(each => each.screens !== name)
  writeAtomic(fileIn(home), JSON.stringify([{ screens: name, state }, ...others].slice(0, mostSets)))
}

function read(home: string): z.infer<typeof Stored> {
  try {
    const found = parseJson(readFileSync(fileIn(home), 'utf8'))
    // Versions up to 0.1 stored a single state.
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

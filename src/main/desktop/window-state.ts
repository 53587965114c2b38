import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { writeAtomic } from '../lib/durable-files.ts'

const Rectangle = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
type Rectangle = z.infer<typeof Rectangle>

const WindowState = z.object({ bounds: Rectangle, maximized: z.boolean() })

/** The last window state: its normal bounds in desktop pixels, and whether it was maximized. */
export type WindowState = z.infer<typeof WindowState>

/** The last window state, if it is readable and at least 100 px of the window in each direction are on a connected screen. */
export function readWindowState(file: string, screens: readonly Rectangle[]): WindowState | undefined {
  const state = WindowState.safeParse(parse(file)).data
  return state && screens.some(screen => overlap(state.bounds, screen)) ? state : undefined
}

/** Save the window state. Synchronous, because it runs while the window closes. */
export function writeWindowState(file: string, state: WindowState): void {
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

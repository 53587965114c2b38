import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../lib/parse-json.ts'
import { writeAtomic } from '../lib/write-atomic.ts'
import { addUp, Entry } from './piece.ts'

const State = z.object({ version: z.literal(1), transfers: z.array(Entry) })

const path = (home: string) => join(home, 'transfers.json')

/** Said of what was under way when Talaria ended, however it ended. */
const INTERRUPTED = 'Talaria was closed meanwhile. Resume to go on where it stopped.'
const PAGE_GONE = {
  error: 'Talaria was closed while the page sent this file.',
  fix: 'Drop the file on the window again, or type its path.',
}

/**
 * The transfers as they were when this home was last used. None goes on by itself: nothing is asked of the network at a start.
 * What cannot be read is reported and left behind.
 */
export function loadTransfers(home: string, report: (error: unknown) => void): Entry[] {
  let text
  try {
    text = readFileSync(path(home), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report(error)
    return []
  }
  const state = State.safeParse(parseJson(text))
  if (!state.success) {
    report(state.error)
    return []
  }
  return state.data.transfers.map(interrupted)
}

function interrupted(entry: Entry): Entry {
  // Of what came after the last moment at which the disk had it for certain, nobody knows whether it is whole.
  for (const piece of entry.pieces)
    piece.doneBytes = entry.state === 'done' ? piece.doneBytes : piece.safeBytes
  addUp(entry)
  const still = { ...entry, bytesPerSecond: null, secondsLeft: null }
  if (!['waiting', 'running', 'checking'].includes(entry.state)) return still
  if (entry.kind === 'upload') return { ...still, state: 'failed', ...PAGE_GONE }
  return { ...still, state: 'paused', note: INTERRUPTED }
}

/** Write down all transfers. Their bytes lie beside it, so that a failure costs nothing but the order. */
export function saveTransfers(home: string, transfers: readonly Entry[]): void {
  const kept = transfers.map(entry => ({ ...entry, bytesPerSecond: null, secondsLeft: null }))
  const state: z.input<typeof State> = { version: 1, transfers: kept }
  // Addresses may hold keys.
  writeAtomic(path(home), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
}

import { mkdirSync, mkdtempSync, readFileSync, rmSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import type { Fit } from '../../shared/contract/model.ts'
import type { Transfer } from '../../shared/contract/transfers.ts'
import { randomModel } from '../../../testing/gguf/cached.ts'
import { splitGguf } from '../../../testing/gguf/split.ts'
import { startFileServer } from '../../../testing/file-server.ts'
import { isFailure } from '../llm/engine.ts'
import { readGguf } from '../llm/local/gguf-file.ts'
import { openTransfers, type Transfers } from './open-transfers.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A real, tiny model. */
export const model = readFileSync(randomModel())
/** Another one of the same length. */
export const otherModel = readFileSync(randomModel({ seed: 2, name: 'random-t1ny' }))

/** A real model in so many files, in order. */
export function modelIn(parts: number, source = randomModel()): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-cut-'))
  const files = splitGguf(source, join(folder, 's'), { parts }).map(path => readFileSync(path))
  rmSync(folder, { recursive: true })
  return files
}

/** An empty folder that is gone after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-transfers-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A server that is closed after the test, with the model at `/m.gguf`. */
export async function aServer() {
  const server = await startFileServer()
  cleanups.push(() => server.close())
  server.put('/m.gguf', model)
  return server
}

export type Odd = Partial<Parameters<typeof openTransfers>[0]>

/** Transfers of a home, with what they asked for and how long they wanted to wait; nobody waits here. */
export function open(home = aFolder(), odd: Odd = {}) {
  const reports: unknown[] = []
  const waits: number[] = []
  const subjects: string[] = []
  const events: Transfer[][] = []
  const transfers = openTransfers({
    home,
    fetchFor: ({ purpose, subject }) => {
      subjects.push(`${purpose}: ${subject}`)
      return fetch
    },
    locked: () => false,
    check: async (path, how) => {
      const facts = await readGguf(path, how)
      return isFailure(facts) ? facts : undefined
    },
    idOf: path => `file:${path}`,
    known: async () => [],
    fitting: async () => () => noFit,
    onChange: list => void events.push(list),
    now: Date.now,
    report: error => void reports.push(error),
    wait: async (ms, signal) => {
      signal.throwIfAborted()
      waits.push(ms)
    },
    ...odd,
  })
  cleanups.push(() => transfers.close())
  mkdirSync(join(home, 'models'), { recursive: true })
  const folder = join(home, 'models')
  return {
    ...transfers,
    home,
    folder,
    reports,
    waits,
    subjects,
    events,
    names: () => readdirSync(folder).toSorted(),
  }
}

/** Wait until a transfer is in one of these states. */
export async function reached(
  { list }: Pick<Transfers, 'list'>,
  id: string,
  ...states: Transfer['state'][]
): Promise<Transfer> {
  let found: Transfer | undefined
  await expect
    .poll(() => (found = list().find(each => each.id === id))?.state, { interval: 5 })
    .toSatisfy((state: Transfer['state']) => states.includes(state))
  return found!
}

/** What a download of `/m.gguf` comes to in the end. */
export async function downloaded(transfers: Transfers, address: string, sha256?: string) {
  const { id } = await transfers.download({ address, ...(sha256 && { sha256 }) })
  return reached(transfers, id, 'done', 'failed')
}

const noFit: Fit = {
  label: 'unknown',
  contextTokens: 8_192,
  mostContextTokens: 0,
  weightsBytes: 0,
  contextBytes: 0,
  buffersBytes: 0,
  processBytes: 0,
  neededBytes: 0,
  totalBytes: 0,
  othersBytes: 0,
  freedBytes: 0,
  availableBytes: 0,
  missingBytes: 0,
  uncertain: '',
}

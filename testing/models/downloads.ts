import { mkdirSync, mkdtempSync, readFileSync, rmSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Fit } from '../../src/shared/contract/models/model.ts'
import type { Transfer } from '../../src/shared/contract/models/download.ts'
import { randomModel } from '../gguf/cached.ts'
import { splitGguf } from '../gguf/split.ts'
import { startFileServer } from '../servers/file-server.ts'
import { isFailure } from '../../src/main/models/interface/engine.ts'
import { readExtent } from '../../src/main/models/engines/local/gguf/gguf-header.ts'
import { readGguf } from '../../src/main/models/engines/local/gguf/read-gguf.ts'
import { openDownloads, type Downloads } from '../../src/main/models/download/open-downloads.ts'

/** A real, tiny model. */
export const model = readFileSync(randomModel())
/** A different model of the same length. */
export const otherModel = readFileSync(randomModel({ seed: 2, name: 'random-t1ny' }))

/** A real model split into this many files, in order. */
export function modelIn(parts: number, source = randomModel()): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-cut-'))
  const files = splitGguf(source, join(folder, 's'), { parts }).map(path => readFileSync(path))
  rmSync(folder, { recursive: true })
  return files
}

/** An empty folder, removed after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-transfers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A server with the model at `/m.gguf`, closed after the test. */
export async function aServer() {
  const server = await startFileServer()
  onTestFinished(() => server.close())
  server.put('/m.gguf', model)
  return server
}

export type Odd = Partial<Parameters<typeof openDownloads>[0]>

/**
 * The downloads of a home folder, with the requests they made and the delays they asked for. Tests do not
 * wait.
 */
export function open(home = aFolder(), odd: Odd = {}) {
  const reports: unknown[] = []
  const waits: number[] = []
  const subjects: string[] = []
  const events: Transfer[][] = []
  const transfers = openDownloads({
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
    readExtent,
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
  onTestFinished(() => transfers.close())
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

/** Wait until a download is in one of these states. */
export async function reached(
  { list }: Pick<Downloads, 'list'>,
  id: string,
  ...states: Transfer['state'][]
): Promise<Transfer> {
  let found: Transfer | undefined
  await expect
    .poll(() => (found = list().find(each => each.id === id))?.state, { interval: 5 })
    .toSatisfy((state: Transfer['state']) => states.includes(state))
  return found!
}

/** The final state of a download of `/m.gguf`. */
export async function downloaded(transfers: Downloads, address: string, sha256?: string) {
  const { id } = await transfers.download({ address, ...(sha256 && { sha256 }) })
  return reached(transfers, id, 'done', 'failed')
}

const noFit: Fit = {
  label: 'unknown',
  contextTokens: 8_192,
  chats: 1,
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

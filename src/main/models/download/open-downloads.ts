import { existsSync, mkdirSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Fit } from '../../../shared/contract/models/model.ts'
import type { Transfer } from '../../../shared/contract/models/download.ts'
import { Fault } from '../../../shared/rpc.ts'
import { newId } from '../../lib/ids.ts'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { firstPart, resolveTypedPath } from '../files/model-paths.ts'
import { readCatalogue, type Catalogue, type CatalogueFacts } from './catalogue.ts'
import {
  allAddresses,
  allPartNames,
  fileAddress,
  freeNames,
  modelNameOf,
  nameOfAddress,
  safeName,
} from './target-names.ts'
import { updateTotals, newPiece, type DownloadEntry, type Piece } from './download-entry.ts'
import { openDownloadQueue, type QueueParts } from './download-queue.ts'
import { findArrived } from './find-here.ts'
import { createHub } from './hub.ts'
import { discardPiece } from './run-download.ts'

type Parts = QueueParts & {
  /** Return a function that estimates whether a model with these figures fits, with the default context. */
  fitting: () => Promise<(facts: CatalogueFacts) => Fit>
  /** Path of the catalogue; by default the one that ships with Talaria. */
  cataloguePath?: string
}

type Wish = ({ catalogueId: string } | { address: string; sha256?: string | undefined }) & {
  again?: boolean | undefined
}
/** The result of an upload. */
type Received = { ok: true } | { ok: false; text: string }

/**
 * Downloads, copies and uploads of model files into Talaria’s folder. Progress is saved, so that they can
 * resume after any kind of exit.
 */
export type Downloads = {
  list(this: void): Transfer[]
  /**
   * Download a file, or all parts of a split model. Repeating the request resumes a stopped download. If the
   * file is already on this computer, returns that entry, unless `again` is set.
   */
  download(this: void, wish: Wish): Promise<Transfer>
  /** Copy a local file, or all parts of a split model. */
  copy(this: void, input: { path: string }): Promise<Transfer>
  /** Announce a file that the page will send. */
  upload(this: void, input: { name: string; sizeBytes: number }): Promise<Transfer>
  /** Receive the bytes of an upload. Never rejects because of the page or the disk. */
  receive(this: void, id: string, body: Readable, length: number): Promise<Received>
  pause(this: void, id: string): Promise<Transfer>
  resume(this: void, id: string): Promise<Transfer>
  /** Cancel a download and delete its bytes, or remove a finished one from the list. */
  cancel(this: void, id: string): Promise<void>
  /** Remove finished entries from the list, and those that failed before any byte arrived. */
  clear(this: void): void
  catalogue(this: void): Promise<Catalogue>
  /** Stop running downloads so that they can be resumed. */
  close(this: void): Promise<void>
}

/** Open the downloads of a home folder. */
export function openDownloads(parts: Parts): Downloads {
  const folder = join(parts.home, 'models')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const hub = parts.hub ?? createHub({ settings: () => NO_HUB, read: () => undefined })
  const queue = openDownloadQueue({ ...parts, hub }, folder)
  const cataloguePath = parts.cataloguePath ?? resourcePath('catalogue.json')

  function find(id: string): DownloadEntry {
    const entry = queue.entries.find(each => each.id === id)
    if (!entry) throw new Fault('not_found', 'This download is no longer in the list.')
    return entry
  }

  function add(kind: Transfer['kind'], pieces: Piece[], rest: Partial<DownloadEntry> = {}): Transfer {
    const unfinished = queue.entries.filter(entry => entry.state !== 'done')
    const reserved = new Set(unfinished.flatMap(entry => entry.pieces.map(each => each.name.toLowerCase())))
    const isTaken = (name: string) =>
      reserved.has(name.toLowerCase()) || [name, `${name}.part`].some(each => existsSync(join(folder, each)))
    const names = freeNames(
      pieces.map(piece => piece.name),
      isTaken,
    )
    for (const [index, piece] of pieces.entries()) {
      piece.name = names[index]!
      piece.part = `${piece.name}.part`
    }
    const entry: DownloadEntry = {
      id: newId('transfer', parts.now),
      kind,
      name: modelNameOf(names[0]!),
      from: pieces[0]!.from,
      state: 'waiting',
      doneBytes: 0,
      totalBytes: null,
      bytesPerSecond: null,
      secondsLeft: null,
      error: '',
      fix: '',
      verified: false,
      startedAt: parts.now(),
      endedAt: null,
      modelId: null,
      catalogueId: '',
      again: false,
      pieces,
      ...rest,
    }
    updateTotals(entry)
    queue.add(entry)
    return queue.view(entry)
  }

  function goOn(entry: DownloadEntry): Transfer {
    if (entry.state === 'paused' || entry.state === 'failed') queue.enqueue(entry)
    else queue.retryNow(entry)
    return queue.view(entry)
  }

  /** List the models whose files exist. The model list also keeps missing ones, to report them. */
  const here = async () => (await parts.known()).filter(({ path }) => existsSync(path))

  /** Find a finished download of the same address or checksum whose files still exist. */
  async function arrived(
    isSame: (entry: DownloadEntry) => boolean,
    sha256: string,
  ): Promise<Transfer | undefined> {
    const known = await here()
    for (const entry of queue.entries.filter(({ state }) => state === 'done')) {
      const sums = entry.pieces.map(piece => piece.sha256 || piece.announced)
      const isOther = sha256 !== '' && sums[0] !== '' && sums[0] !== sha256
      if (isOther || !(isSame(entry) || (sha256 !== '' && entry.verified && sums[0] === sha256))) continue
      const isHere = entry.here
        ? known.some(({ id }) => id === entry.modelId)
        : (await findArrived(entry, folder)) !== undefined
      if (isHere) return { ...queue.view(entry), here: true }
    }
    return undefined
  }

  const fetched = async () => {
    const known = await here()
    const done = queue.entries.filter(entry => entry.state === 'done' && entry.catalogueId !== '')
    const byId = new Map(done.map(entry => [entry.catalogueId, entry.modelId]))
    return (id: string, name: string) =>
      known.find(file => file.id === byId.get(id) || basename(file.path) === name)?.id ?? null
  }
  const catalogue = async () => readCatalogue(cataloguePath, await parts.fitting(), await fetched())

  return {
    list: () => queue.entries.map(queue.view),
    catalogue,

    async download(wish) {
      const { address, sha256, catalogueId } = await wanted(wish, catalogue)
      const addresses = allAddresses(address)
      // Report an invalid mirror now.
      hub.route(addresses[0]!)
      const identity = hub.identify(addresses[0]!)
      const isSame = (entry: DownloadEntry) =>
        entry.kind === 'download' && hub.identify(entry.from) === identity
      const under = queue.entries.find(entry => entry.state !== 'done' && isSame(entry))
      if (under) {
        if (!queue.isActive(under)) renew(under, addresses, sha256)
        return goOn(under)
      }
      if (sha256 !== '' && addresses.length > 1)
        throw new Fault('bad_input', 'A checksum can only be compared for a model in a single file.')
      const { again = false } = wish
      const before = again ? undefined : await arrived(isSame, sha256)
      if (before) return before
      const names = allPartNames(nameOfAddress(addresses[0]!))
      const pieces = addresses.map((from, index) =>
        newPiece({ from, name: names[index] ?? names[0]!, part: '', sha256 }),
      )
      return add('download', pieces, { catalogueId, again })
    },

    async copy({ path }) {
      const from = firstPart(resolveTypedPath(path))
      const trouble = await parts.check(from)
      if (trouble) throw new Fault('bad_input', `${trouble.text} ${trouble.fix}`)
      if (dirname(await realpath(from)) === (await realpath(folder)))
        throw new Fault('conflict', `${basename(from)} is already in Talaria’s folder.`)
      const under = queue.entries.find(entry => entry.from === from && entry.state !== 'done')
      if (under) return goOn(under)
      const pieces = await Promise.all(allPartNames(from).map(pieceOf))
      return add('copy', pieces)
    },

    async upload({ name, sizeBytes }) {
      if (!/\.gguf$/i.test(name)) throw new Fault('bad_input', `${name} is not a GGUF model file.`)
      const piece = newPiece({ from: '', name: safeName(name), part: '', totalBytes: sizeBytes })
      const trouble = await queue.room({ pieces: [piece], name } as DownloadEntry)
      if (trouble) throw new Fault('not_ready', `${trouble.text} Free some space, or choose a smaller file.`)
      return add('upload', [piece])
    },

    async receive(id, body, length) {
      const entry = queue.entries.find(each => each.id === id && each.kind === 'upload')
      if (!entry || entry.state === 'done') return refused('This file is no longer expected.')
      if (queue.isActive(entry)) return refused('This file is already being sent.')
      if (length !== entry.pieces[0]!.totalBytes)
        return refused('The size of the file has changed since it was chosen.')
      const trouble = await queue.runNow(entry, body)
      return trouble ? refused(`${trouble.text} ${trouble.fix}`) : { ok: true }
    },

    async pause(id) {
      const entry = find(id)
      if (entry.kind === 'upload' && entry.state !== 'done')
        throw new Fault('bad_input', 'A file that a page sends cannot be paused, only cancelled.')
      if (['waiting', 'running', 'checking'].includes(entry.state)) await queue.stop(entry, 'paused')
      return queue.view(entry)
    },

    async resume(id) {
      return goOn(find(id))
    },

    async cancel(id) {
      const entry = find(id)
      await queue.stop(entry, 'paused')
      if (entry.state !== 'done') for (const piece of entry.pieces) await discardPiece(piece, folder)
      queue.remove(new Set([entry]))
    },

    clear() {
      const over = queue.entries.filter(
        ({ state, doneBytes }) => state === 'done' || (state === 'failed' && doneBytes === 0),
      )
      queue.remove(new Set(over))
    },

    close: queue.close,
  }
}

const NO_HUB = { hub_mirror: 'off', hub_token_file: false }

/** Update the addresses and checksum of a stopped download, for example a new signature. Keeps its bytes. */
function renew(entry: DownloadEntry, addresses: readonly string[], sha256: string): void {
  entry.from = addresses[0]!
  for (const [index, piece] of entry.pieces.entries()) {
    piece.from = addresses[index] ?? piece.from
    if (sha256 === '' || sha256 === piece.sha256) continue
    piece.sha256 = sha256
    // The doubt came from the old checksum.
    piece.suspect = false
  }
}

const refused = (text: string): Received => ({ ok: false, text })

async function pieceOf(path: string): Promise<Piece> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile())
    throw new Fault('bad_input', `${basename(path)} is missing. It is a part of this model.`)
  return newPiece({ from: path, name: safeName(basename(path)), part: '', totalBytes: stats.size })
}

/** Return the address to download. Throws a Fault if it is invalid or already downloaded. */
async function wanted(wish: Wish, catalogue: () => Promise<Catalogue>) {
  if ('address' in wish) {
    const { username, password } = new URL(wish.address)
    if (username || password)
      throw new Fault('bad_input', 'Talaria does not use addresses with a name and a password.')
    const sha256 = wish.sha256?.toLowerCase() ?? ''
    return { address: fileAddress(wish.address), sha256, catalogueId: '' }
  }
  const { models } = await catalogue()
  const file = models.flatMap(model => model.files).find(each => each.id === wish.catalogueId)
  if (!file) throw new Fault('not_found', 'The catalogue has no such file.')
  if (file.modelId !== null && !wish.again)
    throw new Fault('conflict', `${nameOfAddress(file.address)} is already on this computer.`)
  return { address: file.address, sha256: file.sha256, catalogueId: file.id }
}

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { plainOf } from './fake-platform.ts'
import type {
  Button,
  Incoming,
  IncomingFile,
  IncomingMessage,
  Part,
  Place,
  Platform,
  PlatformKind,
  SendResult,
} from '../../src/main/gateway/platform.ts'

// For tests: a messenger that is a folder. Messages from people are files in `in/`, messages to them files in
// `out/`; edits, button presses and typing are files too. So the other process can be killed at any moment,
// and the phone still shows what arrived.

/** One action in a chat of the messenger, as a file. */
type Done =
  | {
      kind: 'sent'
      id: string
      place: string
      text: string
      quiet: boolean
      buttons: Button[]
      answers?: string
    }
  | { kind: 'edited'; id: string; place: string; text: string; buttons: Button[] }
  | { kind: 'file'; id: string; place: string; name: string; base64: string; caption: string }
  | { kind: 'pressed'; id: string; text: string }

/**
 * Faults to simulate. `before`: the answer instead of doing the action; `after`: the answer although the
 * action was done.
 */
type Faults = {
  before?: (what: 'send' | 'edit' | 'file', text: string) => SendResult | undefined
  after?: (what: 'send' | 'edit' | 'file', text: string) => SendResult | undefined
}

const LONGEST_PART = 400
const POLL_MS = 15
const OWNER_MS = 1_000

/**
 * `isAlone`: no other home reads the folder, so there is no wait. `keyName`: a key is needed; any key except
 * “wrong” works.
 */
type FolderOptions = {
  name?: string
  title?: string
  keyName?: string
  faults?: Faults
  address?: string
  isAlone?: boolean
}

/** The messenger in a folder. `address` decides whether the offline lock allows it. */
export function folderKind(folder: string, options: FolderOptions = {}): PlatformKind {
  const { name = 'folder', title = TITLE, keyName, address = 'https://folder.invalid' } = options
  return {
    name,
    title,
    keyName: keyName ?? null,
    address: () => address,
    open: ({ key }) => openFolder(folder, { ...options, name, title }, key),
  }
}

const TITLE = 'Folder messenger'

function openFolder(
  folder: string,
  { name, title, faults = {}, isAlone = false }: FolderOptions & { name: string; title: string },
  key: string,
): Platform {
  for (const each of ['in', 'out', 'typing']) mkdirSync(join(folder, each), { recursive: true })
  const me = { id: '1', name: 'Talaria', link: 'folder:talaria' }
  const owner = Math.random().toString(36)

  function write(done: (id: string) => Done): string {
    const id = String(readdirSync(join(folder, 'out')).length + 1).padStart(6, '0')
    put(join(folder, 'out', `${id}.json`), JSON.stringify(done(id)))
    return id
  }
  function act(what: 'send' | 'edit' | 'file', text: string, work: () => string): SendResult {
    const instead = faults.before?.(what, text)
    if (instead) return instead
    const messageId = work()
    return faults.after?.(what, text) ?? { kind: 'sent', messageId }
  }
  /** Whether another home folder reads this folder. */
  function isTaken(): boolean {
    const path = join(folder, 'reader')
    if (
      existsSync(path) &&
      readFileSync(path, 'utf8') !== owner &&
      Date.now() - statSync(path).mtimeMs < OWNER_MS
    )
      return true
    writeFileSync(path, owner)
    return false
  }

  return {
    name,
    title,
    limits: { editMs: 10, fetchBytes: 1_000_000, sendBytes: 1_000_000 },
    async receive({ offset, take, standing, signal }) {
      let confirmed = offset
      let isConnected = false
      if (key === 'wrong') {
        const fix = 'Give the key of your bot once more.'
        return standing({ state: 'failed', text: `${title} does not know this key.`, fix })
      }
      while (!signal.aborted) {
        if (!isAlone && isTaken()) {
          isConnected = false
          standing({ state: 'waiting', text: 'Another Talaria reads this messenger.', retryAt: 0 })
          await sleep(OWNER_MS / 4)
          continue
        }
        if (!isConnected) standing({ state: 'connected', me })
        isConnected = true
        writeFileSync(join(folder, 'confirmed'), confirmed)
        const arrived = filesIn(join(folder, 'in')).filter(file => file > confirmed)
        const last = arrived.at(-1)
        if (last !== undefined) {
          try {
            take(
              arrived.map(file => JSON.parse(readFileSync(join(folder, 'in', file), 'utf8')) as Incoming),
              last,
            )
            confirmed = last
          } catch {
            // A message that could not be stored is not confirmed, and is fetched again.
            await sleep(20)
          }
        }
        await sleep(POLL_MS)
      }
    },
    compose: markdown => partsOf(markdown),
    send: async (place, part, { isQuiet, buttons = [], answers }) =>
      act('send', part.plain, () =>
        write(id => ({
          kind: 'sent',
          id,
          place: place.key,
          text: part.payload,
          quiet: isQuiet,
          buttons: buttons.flat(),
          ...(answers !== undefined && { answers }),
        })),
      ),
    edit: async (place, id, part, buttons = []) =>
      act('edit', part.plain, () => {
        write(() => ({ kind: 'edited', id, place: place.key, text: part.payload, buttons: buttons.flat() }))
        return id
      }),
    async answerPress(pressId, text) {
      write(() => ({ kind: 'pressed', id: pressId, text }))
    },
    async showTyping(place) {
      writeFileSync(join(folder, 'typing', encodeURIComponent(place.key)), '')
    },
    async fetchFile({ ref }) {
      const path = join(folder, 'files', ref)
      return existsSync(path) ? { bytes: readFileSync(path) } : { problem: 'It is not there any more.' }
    },
    sendFile: async (place, { name: file, bytes, caption }) =>
      act('file', caption, () =>
        write(id => ({
          kind: 'file',
          id,
          place: place.key,
          name: file,
          base64: Buffer.from(bytes).toString('base64'),
          caption,
        })),
      ),
    async offerCommands(commands) {
      writeFileSync(join(folder, 'commands.json'), JSON.stringify(commands))
    },
    pairingLink: (code, { link }) => `${link}?${code}`,
  }
}

/** Split a text into parts of at most 400 characters, between lines if possible. */
function partsOf(markdown: string): Part[] {
  const parts: string[] = []
  let rest = markdown
  while (rest.length > LONGEST_PART) {
    const at = rest.lastIndexOf('\n', LONGEST_PART - 1)
    const end = at > 0 ? at + 1 : LONGEST_PART
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest].map(text => ({ payload: text, plain: plainOf(text, /(?!)/g) }))
}

/** A message as its reader sees it, with edits applied. */
type Seen = {
  id: string
  text: string
  quiet: boolean
  buttons: Button[]
  answers?: string
  file?: string
  edits: number
}

/** The phone of somebody who writes to a folder messenger. */
export function aPhone(folder: string, from: { id: string; name: string }, given: Partial<Place> = {}) {
  mkdirSync(join(folder, 'in'), { recursive: true })
  mkdirSync(join(folder, 'out'), { recursive: true })
  mkdirSync(join(folder, 'files'), { recursive: true })
  const place: Place = { key: from.id, kind: 'private', title: from.name, chatId: from.id, ...given }
  const sender = { ...from, isBot: false }

  function arrive(make: (n: string) => Incoming): string {
    const n = String(readdirSync(join(folder, 'in')).length + 1).padStart(6, '0')
    put(join(folder, 'in', `${n}.json`), JSON.stringify(make(n)))
    return n
  }
  const done = (): Done[] =>
    filesIn(join(folder, 'out')).map(
      file => JSON.parse(readFileSync(join(folder, 'out', file), 'utf8')) as Done,
    )

  const sees = (): Seen[] => {
    const messages = new Map<string, Seen>()
    for (const each of done()) {
      if (each.kind === 'sent' && each.place === place.key) messages.set(each.id, { ...each, edits: 0 })
      if (each.kind === 'file' && each.place === place.key)
        messages.set(each.id, {
          id: each.id,
          text: each.caption,
          quiet: false,
          buttons: [],
          file: each.name,
          edits: 0,
        })
      const before = each.kind === 'edited' ? messages.get(each.id) : undefined
      if (before && each.kind === 'edited')
        messages.set(each.id, { ...before, text: each.text, buttons: each.buttons, edits: before.edits + 1 })
    }
    return [...messages.values()]
  }

  return {
    place,
    sender,
    /** Write something; returns the id of the message. */
    writes: (text: string, more: Partial<IncomingMessage> = {}): string =>
      arrive(n => ({
        kind: 'message',
        key: n,
        place,
        from: sender,
        messageId: n,
        at: Date.now(),
        text,
        files: [],
        isAddressed: true,
        ...more,
      })),
    /** Press a button of a visible message. */
    presses(text: string): string {
      const found = sees().findLast(({ buttons }) => buttons.some(each => each.text === text))
      const data = found?.buttons.find(each => each.text === text)?.data
      if (!found || data === undefined) throw new Error(`There is no button “${text}”.`)
      return arrive(n => ({
        kind: 'press',
        key: n,
        place,
        from: sender,
        pressId: n,
        messageId: found.id,
        data,
      }))
    },
    /** Send the same message again, like a messenger whose delivery was not confirmed. */
    replays(n: string) {
      const again = String(readdirSync(join(folder, 'in')).length + 1).padStart(6, '0')
      put(join(folder, 'in', `${again}.json`), readFileSync(join(folder, 'in', `${n}.json`), 'utf8'))
    },
    arrive,
    /** A file to be sent with a message. */
    file(
      name: string,
      bytes: Uint8Array,
      kind: IncomingFile['kind'] = 'file',
      mime = 'text/plain',
    ): IncomingFile {
      writeFileSync(join(folder, 'files', name), bytes)
      return { ref: name, kind, name, mime, bytes: bytes.length }
    },
    sees,
    texts: () => sees().map(({ text }) => text),
    told: () => done().flatMap(each => (each.kind === 'pressed' ? [each.text] : [])),
    isTyping: () => existsSync(join(folder, 'typing', encodeURIComponent(place.key))),
    confirmed: () =>
      existsSync(join(folder, 'confirmed')) ? readFileSync(join(folder, 'confirmed'), 'utf8') : '',
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .toSorted()

/** Write a file atomically. */
function put(path: string, text: string) {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}

const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

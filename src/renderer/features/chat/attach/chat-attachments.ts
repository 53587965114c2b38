import {
  MAX_ATTACHMENT_BYTES,
  MAX_INLINE_BYTES,
  MOST_ATTACHMENTS,
  type UnsentAttachment,
} from '../../../../shared/contract/chats/attachments.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { byCount, formatBytes } from '../../../../shared/text/amounts.ts'
import { attemptCall, refusalOf, windowRefusal, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { readBase64, type Given } from '../../../ui/given-files.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import type { Access } from '../store/chat-state.ts'

/**
 * A file that is being sent to the host, or was refused: then `problem` says why, and its content is still
 * here. `isLocked`: a password would open it.
 */
export type Arriving = { key: string; given: Given; problem: string | null; isLocked?: boolean }

/** The files that belong to the unsent messages of a chat. */
export type ChatAttachments = {
  /** The unsent attachments on the host, including those of queued messages. */
  unsent: readonly UnsentAttachment[]
  /** What the model of the chat cannot do with them; empty if there is nothing to say. */
  attachmentNote: string
  arriving: readonly Arriving[]
  /** Attach files, one after the other. Resolves once each was accepted or refused; true if none was refused. */
  attach: (given: readonly Given[]) => Promise<boolean>
  /** Resolves once no file is still being attached. */
  whenAttached: () => Promise<unknown>
  attachAgain: (key: string, password?: string) => Promise<unknown>
  forgetArriving: (key: string) => void
  changeUse: (hash: string, use: 'whole' | 'passages') => Promise<void>
  takeBack: (hash: string) => Promise<void>
  /** Replace an attachment with its file as it is now on disk. */
  renew: (attachment: UnsentAttachment) => Promise<void>
  readUnsent: () => Promise<void>
  /** Find files in the chat’s folder whose paths contain the words. Creates the chat if it is new. */
  findFiles: (query: string, signal: AbortSignal) => Promise<Outcome<FoundFiles>>
}

type FoundFiles = { files: readonly { path: string; bytes: number }[]; more: boolean }
type Fields = ChatAttachments & { sessionId: string | null }

/** The data that decides which attachments the unsent messages of a chat include. */
type Unsent = Pick<ChatAttachments, 'unsent'> & {
  pending: string | null
  pendingFiles: readonly UnsentAttachment[]
  queue: readonly { files?: readonly UnsentAttachment[] }[]
}

/** Maximum bytes to send inside a call, which blocks later calls. A browser page uploads larger files. */
const MOST_INLINE = 2_000_000

/** The attachments for the next message: not those of queued messages or of one being sent. */
export function freeAttachments({
  unsent,
  queue,
  pending,
  pendingFiles,
}: Unsent): readonly UnsentAttachment[] {
  const taken = new Set([
    ...queue.flatMap(({ files = [] }) => files.map(({ hash }) => hash)),
    ...(pending === null ? [] : pendingFiles.map(({ hash }) => hash)),
  ])
  return taken.size === 0 ? unsent : unsent.filter(({ hash }) => !taken.has(hash))
}

/** The part of the chat store that attaches files. */
export function createChatAttachments(
  { client }: Pick<Link, 'client'>,
  {
    get,
    set,
    ensureSession,
  }: Pick<Access<Fields>, 'set'> & {
    get: () => Fields & Unsent
    ensureSession: () => Promise<Outcome<string>>
  },
): {
  part: ChatAttachments
  /** Call this when attachments were sent. */
  sent: (hashes: readonly string[]) => void
  /** Call this when the unsent attachments have changed, here or in another window. */
  heard: () => void
  /** Call this when the chat was opened. */
  opened: (session: Session) => void
  /** Call this when the host reports the session: another model or branch changes the attachments. */
  told: (session: Session) => void
} {
  let lastKey = 0
  let lastRead = 0
  let seen = ''
  let working: Promise<unknown> = Promise.resolve()

  async function readUnsent() {
    const { sessionId } = get()
    if (sessionId === null) return
    const turn = ++lastRead
    const found = await attemptCall(client['attachment.list']({ sessionId }))
    if (!found.ok || turn !== lastRead) return
    set({ unsent: found.value.attachments, attachmentNote: found.value.note ?? '' })
  }

  async function give(
    { file, name, path, isFolder }: Given,
    password: string | undefined,
  ): Promise<Outcome<unknown>> {
    const opened = password === undefined ? {} : { password }
    if (isFolder)
      return windowRefusal(
        'Folders cannot be attached. Attach files from it, or write its path so that tools can read it.',
      )
    if (file.size > MAX_ATTACHMENT_BYTES)
      return windowRefusal(
        `It has ${formatBytes(file.size)}; an attachment can have at most ${formatBytes(MAX_ATTACHMENT_BYTES)}. Write its path instead, so that tools can read it in parts.`,
      )
    const known = await ensureSession()
    if (!known.ok) return known
    const sessionId = known.value
    if (path !== '')
      return attemptCall(client['attachment.add']({ sessionId, ...opened, from: { kind: 'path', path } }))
    // In the app, only pasted pictures have no path, and nothing is uploaded.
    const isApp = window.desktop !== undefined
    if (file.size <= (isApp ? MAX_INLINE_BYTES : MOST_INLINE)) {
      const base64 = await readBase64(file)
      if (base64 === undefined) return windowRefusal('It cannot be read. Does it still exist?')
      return attemptCall(
        client['attachment.add']({ sessionId, ...opened, from: { kind: 'bytes', name, base64 } }),
      )
    }
    if (isApp)
      return windowRefusal(
        `It is too large to paste: ${formatBytes(file.size)}. Save it as a file and drop the file here.`,
      )
    const announced = await attemptCall(
      client['attachment.upload']({ sessionId, ...opened, name, sizeBytes: file.size }),
    )
    if (!announced.ok) return announced
    // Only a page of a browser can be asked for its token.
    const { uploadFile } = await import('../../../rpc/page-token.ts')
    const refused = await uploadFile(announced.value.uploadId, file)
    if (refused === undefined) return { ok: true, value: undefined }
    return refusalOf(refused.text, refused.needs === undefined ? undefined : { needs: refused.needs })
  }

  async function attachOne({ key, given }: Arriving, password?: string): Promise<boolean> {
    const before = get().unsent
    const done = await give(given, password)
    if (!done.ok) {
      const problem = withoutName(done.fault.message, given)
      const isLocked = needsPassword(done.fault.data)
      set(({ arriving }) => ({
        arriving: arriving.map(each => (each.key === key ? { key, given, problem, isLocked } : each)),
      }))
      // Changes by another window in the meantime were not read.
      await readUnsent()
      return false
    }
    await readUnsent()
    forget(key)
    // Read from the host, because an upload does not return its attachment.
    const isNew = get().unsent.some(({ hash }) => before.every(each => each.hash !== hash))
    if (!isNew && get().unsent.length > 0) showToast(sayTwice(given.name, before, get()))
    return true
  }

  const forget = (key: string) =>
    set(({ arriving }) => ({ arriving: arriving.filter(each => each.key !== key) }))

  /** One after the other, so that they keep their order. */
  function inTurn(arriving: readonly Arriving[], password?: string): Promise<boolean> {
    const mine = working.then(async () => {
      let isAll = true
      for (const each of arriving) isAll = (await attachOne(each, password)) && isAll
      return isAll
    })
    working = mine
    return mine
  }

  return {
    sent(hashes) {
      lastRead++
      set(({ unsent }) => ({ unsent: unsent.filter(({ hash }) => !hashes.includes(hash)) }))
    },
    heard() {
      const isComing = get().arriving.some(({ problem }) => problem === null)
      // Attachments from this window are read when they arrive.
      if (get().sessionId !== null && !isComing) void readUnsent()
    },
    opened(session) {
      seen = stateOf(session)
      void readUnsent()
    },
    told(session) {
      if (stateOf(session) === seen) return
      const isNew = seen === '' && session.turnCount === 0
      // The answer may take until the new model is loaded, and the note on the previous model is wrong.
      if (!seen.startsWith(`${session.modelId} `)) set({ attachmentNote: '' })
      seen = stateOf(session)
      if (!isNew) void readUnsent()
    },
    part: {
      unsent: [],
      attachmentNote: '',
      arriving: [],
      async attach(given) {
        const { unsent, arriving } = get()
        // Refused files are not sent with any message.
        const coming = arriving.filter(({ problem }) => problem === null)
        const room = Math.max(0, MOST_ATTACHMENTS - unsent.length - coming.length)
        if (given.length > room)
          showToast(
            byCount(
              given.length - room,
              `A message has at most ${MOST_ATTACHMENTS} attachments, so one of these was left out.`,
              `A message has at most ${MOST_ATTACHMENTS} attachments, so ${given.length - room} of these were left out.`,
            ),
            { level: 'error' },
          )
        const added = given.slice(0, room).map(each => ({ key: `f${++lastKey}`, given: each, problem: null }))
        set({ arriving: [...arriving, ...added] })
        return inTurn(added)
      },
      whenAttached: () => working,
      async attachAgain(key, password) {
        set(({ arriving }) => ({
          arriving: arriving.map(each => (each.key === key ? { ...each, problem: null } : each)),
        }))
        const again = get().arriving.find(each => each.key === key)
        return again && inTurn([again], password)
      },
      forgetArriving: forget,
      async changeUse(hash, use) {
        const { sessionId } = get()
        if (sessionId === null) return
        const changed = await attemptCall(client['attachment.change']({ sessionId, hash, use }))
        if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
        await readUnsent()
      },
      async takeBack(hash) {
        const { sessionId } = get()
        if (sessionId === null) return
        const removed = await attemptCall(client['attachment.remove']({ sessionId, hash }))
        if (!removed.ok) showToast(removed.fault.message, { level: 'error' })
        await readUnsent()
      },
      async renew({ hash, path = '', name }) {
        const before = new Set(get().unsent.map(each => each.hash))
        const isIn = await get().attach([{ name, path, file: new File([], name), isFolder: false }])
        if (isIn && get().unsent.some(each => !before.has(each.hash))) await get().takeBack(hash)
      },
      readUnsent,
      async findFiles(query, signal) {
        const known = await ensureSession()
        if (!known.ok) return known
        return attemptCall(client['attachment.files']({ sessionId: known.value, query }, { signal }))
      },
    },
  }
}

/** The text for a file that is already attached to this message, or to a waiting one. */
function sayTwice(name: string, before: readonly UnsentAttachment[], state: Unsent): string {
  const free = freeAttachments(state)
  if (free.length < state.unsent.length && free.every(each => each.name !== name))
    return `${name} is already attached to a waiting message. Attach it again after that message is sent.`
  const isNamed = before.some(each => each.name === name)
  return isNamed
    ? `${name} is already attached.`
    : `${name} has the same content as an attached file, so it is attached only once.`
}

/** A key of the session state that affects the unsent attachments of a chat. */
const stateOf = ({ modelId, turnCount, pathMoves }: Session) => `${modelId} ${turnCount} ${pathMoves}`

/** Whether a fault says that a password would help. */
const needsPassword = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'needs' in data && data.needs === 'password'

/** The reason without the name of the file, which the chip already shows above it. */
function withoutName(message: string, { name, path }: Given): string {
  if (message.startsWith(`${name} `)) return `It${message.slice(name.length)}`
  const start = [`${name}: `, `${path} cannot be attached: `].find(each => message.startsWith(each))
  if (start === undefined) return message
  return message.slice(start.length)
}

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { formatBytes } from '../../shared/text/amounts.ts'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import {
  isInside,
  missingReason,
  resolveAgain,
  resolveFirst,
  shownPath,
} from '../files/paths/resolve-path.ts'
import { defineTool, type IntentContext } from '../tools/registry/tool.ts'
import { tellFileSent } from '../tools/tell/tell-files.ts'

/** The messenger of a chat, as needed by the tool that sends files. */
export type FileSender = {
  /** Return who gets a chat's files, and the maximum size; undefined if it is on no messenger. */
  receiverOf(this: void, sessionId: string): { name: string; most: number } | undefined
  /** Return the path of a file attached to a chat. */
  attachedAs(this: void, sessionId: string, name: string): string | undefined
  /** Send a file. Returns why it was not sent; `unsure`: it may have arrived anyway. */
  send(
    this: void,
    sessionId: string,
    file: { name: string; bytes: Uint8Array; caption: string },
  ): Promise<'sent' | { problem: string; unsure: boolean }>
}

/** The name of the tool that sends files. */
export const SEND_FILE = 'send_file'

const input = z.object({
  path: z.string().describe('in the folder of the chat, or the name of an attached file'),
  caption: z.string().max(900).optional(),
})
type Given = z.output<typeof input>

/** The state of a file when the user was asked. */
const asked = new WeakMap<object, string>()

const NOT_HERE = 'This chat is on no messenger, so no file can be sent from it.'

/** The tool that sends a file to a chat's messenger. It always asks, because sending cannot be undone. */
export const sendFileTool = (sender: FileSender) =>
  defineTool({
    name: SEND_FILE,
    tell: tellFileSent,
    says: 'Send a file of the folder of this chat, or an attached one, to the user on the messenger. The user is always asked.',
    input,
    toolset: 'files',
    risk: 'network',
    async intent(given, context) {
      const receiver = receiverOf(sender, context)
      if (isRefusal(receiver)) return receiver
      const file = await find(sender, given, context, 'first')
      if (isRefusal(file)) return file
      const bytes = await readWhole(file, receiver.most)
      if (isRefusal(bytes)) return bytes
      asked.set(given, hashOf(bytes))
      return {
        title: `Send ${file.name} to ${receiver.name}`,
        detail: [file.path, formatBytes(bytes.length), ...(given.caption ? ['', given.caption] : [])].join(
          '\n',
        ),
        risk: 'network',
        inWorkspace: true,
        mustAsk: 'It leaves this computer, and what was sent cannot be taken back.',
        folder: context.workspace,
        path: file.path,
      }
    },
    async run(given, context) {
      const receiver = receiverOf(sender, context)
      if (isRefusal(receiver)) return { ok: false, reason: receiver.refused }
      const file = await find(sender, given, context, 'again')
      if (isRefusal(file)) return { ok: false, reason: file.refused }
      const bytes = await readWhole(file, receiver.most)
      if (isRefusal(bytes)) return { ok: false, reason: bytes.refused }
      if (asked.get(given) !== hashOf(bytes))
        return {
          ok: false,
          reason: `${file.name} is not what it was when the user was asked. Nothing was sent.`,
        }
      const { caption = '' } = given
      const result = await sender.send(context.sessionId, { name: basename(file.name), bytes, caption })
      if (result === 'sent') return { ok: true, text: `Sent ${file.name} to ${receiver.name}.` }
      return {
        ok: false,
        reason: result.unsure
          ? `${file.name} may have arrived, but that was not confirmed: ${result.problem} Do not send it again without asking the user.`
          : `${file.name} was not sent: ${result.problem}`,
      }
    },
  })

function receiverOf(sender: FileSender, { sessionId }: Pick<IntentContext, 'sessionId'>) {
  return (sessionId === undefined ? undefined : sender.receiverOf(sessionId)) ?? { refused: NOT_HERE }
}

type Found = { path: string; name: string }

/** Return the requested file: in the folder of the chat, or else an attached one with this name. */
async function find(
  sender: FileSender,
  given: Given,
  context: IntentContext,
  when: 'first' | 'again',
): Promise<Found | Refusal> {
  const attached = sender.attachedAs(context.sessionId ?? '', given.path)
  const resolveIt = when === 'first' ? resolveFirst : resolveAgain
  const target = await resolveIt(given, context, given.path)
  const isThere = !isRefusal(target) && target.kind !== 'missing'
  if (attached !== undefined && !isThere) return { path: attached, name: given.path }
  if (isRefusal(target)) return target
  const { path, kind } = target
  if (!isInside(context.workspace, path))
    return {
      refused: `${shownPath(context, path)} is not in the folder of this chat. Only files in it can be sent.`,
    }
  if (kind === 'missing') return { refused: await missingReason(context, target.given, path) }
  return kind === 'folder'
    ? { refused: `${target.given} is a folder.` }
    : { path, name: shownPath(context, path) }
}

async function readWhole({ path, name }: Found, most: number): Promise<Uint8Array | Refusal> {
  try {
    const { size } = await stat(path)
    if (size > most)
      return {
        refused: `${name} has ${formatBytes(size)}, and at most ${formatBytes(most)} can be sent there.`,
      }
    if (size === 0) return { refused: `${name} is empty, so there is nothing to send.` }
    return await readFile(path)
  } catch (error) {
    return { refused: `${name} cannot be read: ${reasonOf(fileErrorCode(error))}.` }
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

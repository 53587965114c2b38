import type { ApiMethods, Chat, File, Message, Update, UserFromGetMe } from '@grammyjs/types'
import { redactEagerly } from '../../untrusted/redact.ts'
import { isNeverSent, readAnswer, explainFailedCall, type BotAnswer } from './bot-answer.ts'

/** Maximum file size that bots may fetch, in bytes; the server names no path for larger files. */
export const MOST_FETCHED_BYTES = 20_000_000

/** Time limits of a call and of a file transfer, in ms; a poll has its own. */
const CALL_MS = 30_000
const FILE_MS = 180_000
const POLL_GRACE_MS = 15_000

type Parts = {
  fetch: typeof fetch
  token: string
  /** Without a trailing slash. */
  address: string
  /** Resolves after so many ms, or immediately at the signal. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

type Methods = ApiMethods<Blob>
/** The parameters of a method. */
type Given<M extends keyof Methods> = NonNullable<Parameters<Methods[M]>[0]>
type Is<T> = (value: unknown) => value is T

/** The parameters of a message. Never a parse mode: entities need no escaping, and fail one by one. */
type Unparsed<T> = Omit<T, 'parse_mode' | 'business_connection_id'>

/** A file to send, with its name. */
export type OutgoingFile = { bytes: Blob; name: string }

/** The parameters of a poll. */
export type PollRequest = {
  offset?: number
  seconds: number
  kinds: readonly Exclude<keyof Update, 'update_id'>[]
}

/**
 * The part of Telegram's Bot API that the gateway needs. It never retries: callers know what may run twice.
 */
export type BotApi = ReturnType<typeof createBotApi>

/** Create a client for one bot. The token appears in no answer and no error. */
export function createBotApi({ fetch, token, address, wait }: Parts) {
  const hide = (text: string) => redactEagerly(text, token).replaceAll(token.split(':')[1] ?? token, '…')

  /** Send a request and judge the response, within a time limit. */
  async function request<T>(
    path: string,
    init: RequestInit,
    within: number,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<BotAnswer<T>>,
  ): Promise<BotAnswer<T>> {
    if (signal?.aborted) return { kind: 'not-sent', why: 'It was stopped before it was sent.' }
    const over = new AbortController()
    const late = new AbortController()
    void wait(within, over.signal).then(() => over.signal.aborted || late.abort())
    try {
      const signals = AbortSignal.any([late.signal, ...(signal ? [signal] : [])])
      const response = await fetch(`${address}${path}`, { ...init, redirect: 'manual', signal: signals })
      return await read(response)
    } catch (error) {
      if (signal?.aborted) return { kind: 'maybe-sent', why: 'It was stopped before an answer came.' }
      if (late.signal.aborted)
        return { kind: 'maybe-sent', why: `No answer came within ${within / 1_000} seconds.` }
      const why = hide(explainFailedCall(error))
      return isNeverSent(error) ? { kind: 'not-sent', why } : { kind: 'maybe-sent', why }
    } finally {
      over.abort()
    }
  }

  const call = <T>(
    method: keyof Methods,
    is: Is<T>,
    body: Pick<RequestInit, 'body' | 'headers'>,
    within = CALL_MS,
    signal?: AbortSignal,
  ): Promise<BotAnswer<T>> =>
    request(`/bot${token}/${method}`, { method: 'POST', ...body }, within, signal, response =>
      readAnswer(response, is, hide),
    )

  const ask = <T>(method: keyof Methods, is: Is<T>, given: object, signal?: AbortSignal) =>
    call(method, is, jsonOf(given), CALL_MS, signal)

  const upload = async (
    method: 'sendDocument' | 'sendPhoto',
    field: string,
    file: OutgoingFile,
    given: object,
  ) => call(method, isMessage, await formOf(field, file, given), FILE_MS)

  /** An edit that changes nothing counts as success. */
  const edited = async (answer: Promise<BotAnswer<Message | true>>): Promise<BotAnswer<Message | true>> => {
    const said = await answer
    const isSame = said.kind === 'bad-request' && /message is not modified/i.test(said.why)
    return isSame ? { kind: 'ok', result: true } : said
  }

  return {
    /** Return the bot's identity; also proves that the server is reachable. */
    getMe: (signal?: AbortSignal) => ask('getMe', isBot, {}, signal),
    /** Make updates available to polls, keeping those that wait. */
    deleteWebhook: (signal?: AbortSignal) => ask('deleteWebhook', isTrue, {}, signal),
    /** Wait for updates. Updates below the offset are thereby confirmed and deleted. */
    getUpdates: ({ offset, seconds, kinds }: PollRequest, signal?: AbortSignal) =>
      call(
        'getUpdates',
        isUpdates,
        jsonOf({ offset, timeout: seconds, allowed_updates: kinds }),
        seconds * 1_000 + POLL_GRACE_MS,
        signal,
      ),
    /** Set the commands that Telegram suggests to users. */
    setMyCommands: (given: Given<'setMyCommands'>) => ask('setMyCommands', isTrue, given),
    sendMessage: (given: Unparsed<Given<'sendMessage'>>) => ask('sendMessage', isMessage, given),
    editMessageText: (given: Unparsed<Given<'editMessageText'>>) =>
      edited(ask('editMessageText', isEdited, given)),
    editMessageReplyMarkup: (given: Given<'editMessageReplyMarkup'>) =>
      edited(ask('editMessageReplyMarkup', isEdited, given)),
    deleteMessage: (given: Given<'deleteMessage'>) => ask('deleteMessage', isTrue, given),
    /** Answer a pressed button; this must happen within moments. */
    answerCallbackQuery: (given: Given<'answerCallbackQuery'>) => ask('answerCallbackQuery', isTrue, given),
    sendChatAction: (given: Given<'sendChatAction'>) => ask('sendChatAction', isTrue, given),
    sendDocument: (file: OutgoingFile, given: Omit<Unparsed<Given<'sendDocument'>>, 'document'>) =>
      upload('sendDocument', 'document', file, given),
    sendPhoto: (file: OutgoingFile, given: Omit<Unparsed<Given<'sendPhoto'>>, 'photo'>) =>
      upload('sendPhoto', 'photo', file, given),
    getChat: (given: Given<'getChat'>) => ask('getChat', isChat, given),
    leaveChat: (given: Given<'leaveChat'>) => ask('leaveChat', isTrue, given),
    /** Fetch a received file. One that is too large is refused, even if announced as small. */
    async fetchFile(fileId: string, signal?: AbortSignal): Promise<BotAnswer<Uint8Array>> {
      const found = await ask('getFile', isFile, { file_id: fileId }, signal)
      if (found.kind !== 'ok') return found
      const path = found.result.file_path
      if (path === undefined || path.split('/').some(part => part === '' || part === '.' || part === '..'))
        return { kind: 'bad-request', why: 'Telegram gave no usable path for this file.' }
      const encoded = path.split('/').map(encodeURIComponent).join('/')
      return request(`/file/bot${token}/${encoded}`, {}, FILE_MS, signal, async response => {
        if (response.status !== 200) return readAnswer(response, isNothing, hide)
        const bytes = await readBytes(response, MOST_FETCHED_BYTES)
        return bytes ? { kind: 'ok', result: bytes } : { kind: 'bad-request', why: 'The file is too big.' }
      })
    },
  }
}

const jsonOf = (given: object) => ({
  body: JSON.stringify(given),
  headers: { 'content-type': 'application/json' },
})

/** Build a call with a file as bytes: the `fetch` used with a proxy does not know Node's forms. */
async function formOf(field: string, file: OutgoingFile, given: object) {
  const form = new FormData()
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  form.set(field, file.bytes, file.name)
  const encoded = new Response(form)
  return {
    body: await encoded.bytes(),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  }
}

/** Read the bytes of a response; undefined if there are more than allowed. */
async function readBytes(response: Response, most: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    // Leaving the loop ends the response.
    if (size > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

// The types cover all fields; only those that decide where data goes are checked.
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
const hasNumber = (value: unknown, name: string) => Number.isSafeInteger(fieldOf(value, name))

const isTrue: Is<true> = value => value === true
const isNothing: Is<never> = (_value): _value is never => false
const isChat = (value: unknown): value is Chat => hasNumber(value, 'id')
const isBot = (value: unknown): value is UserFromGetMe =>
  hasNumber(value, 'id') && typeof fieldOf(value, 'username') === 'string'
const isMessage = (value: unknown): value is Message =>
  hasNumber(value, 'message_id') && isChat(fieldOf(value, 'chat'))
const isEdited = (value: unknown): value is Message | true => value === true || isMessage(value)
const isFile = (value: unknown): value is File => typeof fieldOf(value, 'file_id') === 'string'
const isUpdates = (value: unknown): value is Update[] =>
  Array.isArray(value) && value.every(each => hasNumber(each, 'update_id'))

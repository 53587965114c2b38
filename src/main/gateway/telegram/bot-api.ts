import type { ApiMethods, Chat, File, Message, Update, UserFromGetMe } from '@grammyjs/types'
import { redactEagerly } from '../../untrusted/redact.ts'
import { isNeverSent, readAnswer, explainFailedCall, type BotAnswer } from './bot-answer.ts'

/** What bots may fetch; the server names no path for more. */
export const MOST_FETCHED_BYTES = 20_000_000

/** How long a call may take. Files take their time, and a poll its own. */
const CALL_MS = 30_000
const FILE_MS = 180_000
const POLL_GRACE_MS = 15_000

type Parts = {
  fetch: typeof fetch
  token: string
  /** Without a slash at its end. */
  address: string
  /** Resolves after so many milliseconds, and at once at the signal. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

type Methods = ApiMethods<Blob>
/** What a method takes. */
type Given<M extends keyof Methods> = NonNullable<Parameters<Methods[M]>[0]>
type Is<T> = (value: unknown) => value is T

/** What every message has that is sent: never a parse mode, since entities need no escaping and cannot fail as a whole. */
type Unparsed<T> = Omit<T, 'parse_mode' | 'business_connection_id'>

/** A file that goes out, with its name. */
export type OutgoingFile = { bytes: Blob; name: string }

/** What an open poll asks for. */
export type PollRequest = {
  offset?: number
  seconds: number
  kinds: readonly Exclude<keyof Update, 'update_id'>[]
}

/** Telegram's Bot API, as far as the gateway needs it. Nothing is repeated here: the caller knows what may run twice. */
export type BotApi = ReturnType<typeof createBotApi>

/** Create a client for one bot. The token is in no answer and no error. */
export function createBotApi({ fetch, token, address, wait }: Parts) {
  const hide = (text: string) => redactEagerly(text, token).replaceAll(token.split(':')[1] ?? token, '…')

  /** Send a request and judge what comes back, within a time. */
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

  /** An edit to what a message says already is what was wanted. */
  const edited = async (answer: Promise<BotAnswer<Message | true>>): Promise<BotAnswer<Message | true>> => {
    const said = await answer
    const isSame = said.kind === 'bad-request' && /message is not modified/i.test(said.why)
    return isSame ? { kind: 'ok', result: true } : said
  }

  return {
    /** Who the bot is; also the proof that the way to the server is open. */
    getMe: (signal?: AbortSignal) => ask('getMe', isBot, {}, signal),
    /** Let updates come by polls, keeping those that wait. */
    deleteWebhook: (signal?: AbortSignal) => ask('deleteWebhook', isTrue, {}, signal),
    /** Wait for updates. Those below the offset are confirmed by it, and are gone. */
    getUpdates: ({ offset, seconds, kinds }: PollRequest, signal?: AbortSignal) =>
      call(
        'getUpdates',
        isUpdates,
        jsonOf({ offset, timeout: seconds, allowed_updates: kinds }),
        seconds * 1_000 + POLL_GRACE_MS,
        signal,
      ),
    /** Name the commands that people are offered. */
    setMyCommands: (given: Given<'setMyCommands'>) => ask('setMyCommands', isTrue, given),
    sendMessage: (given: Unparsed<Given<'sendMessage'>>) => ask('sendMessage', isMessage, given),
    editMessageText: (given: Unparsed<Given<'editMessageText'>>) =>
      edited(ask('editMessageText', isEdited, given)),
    editMessageReplyMarkup: (given: Given<'editMessageReplyMarkup'>) =>
      edited(ask('editMessageReplyMarkup', isEdited, given)),
    deleteMessage: (given: Given<'deleteMessage'>) => ask('deleteMessage', isTrue, given),
    /** Answer a pressed button, which has to be done within moments. */
    answerCallbackQuery: (given: Given<'answerCallbackQuery'>) => ask('answerCallbackQuery', isTrue, given),
    sendChatAction: (given: Given<'sendChatAction'>) => ask('sendChatAction', isTrue, given),
    sendDocument: (file: OutgoingFile, given: Omit<Unparsed<Given<'sendDocument'>>, 'document'>) =>
      upload('sendDocument', 'document', file, given),
    sendPhoto: (file: OutgoingFile, given: Omit<Unparsed<Given<'sendPhoto'>>, 'photo'>) =>
      upload('sendPhoto', 'photo', file, given),
    getChat: (given: Given<'getChat'>) => ask('getChat', isChat, given),
    leaveChat: (given: Given<'leaveChat'>) => ask('leaveChat', isTrue, given),
    /** Fetch a file that somebody sent. What is too large is refused, also if the server said that it is small. */
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

/** A call with a file. It is bytes, since a request through a proxy is sent by a `fetch` that does not know Node's forms. */
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

/** The bytes of a response; undefined if they are more than allowed. */
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

// The types tell of all fields; looked at is what decides where things go. The address is Telegram's own or on this computer.
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

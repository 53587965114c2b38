import { setTimeout as sleep } from 'node:timers/promises'
import type { InlineKeyboardMarkup, Update } from '@grammyjs/types'
import type { Button, Part, Place, Platform, Receiving, SendResult } from '../platform.ts'
import type { BotAnswer } from './bot-answer.ts'
import { createBotApi, MOST_FETCHED_BYTES } from './bot-api.ts'
import { createChatPace, type ChatPace, type PaceClock } from './chat-pace.ts'
import { readArrived, type OwnBot } from './read-arrived.ts'
import { readUpdates, type PollState } from './read-updates.ts'
import type { RichText } from './text/rich-text.ts'
import { writeParts } from './text/write-parts.ts'

type Parts = {
  /** Empty where the key cannot be one. */
  token: string
  address: string
  fetch: typeof fetch
  now(): number
  /** Resolves after so many ms, and at once at the signal; tests move the time themselves. */
  wait?: PaceClock['wait']
}

const MOST_SENT_BYTES = 50_000_000
/** UTF-16 units below a file. */
const LONGEST_CAPTION = 1_024
/** Bytes that a button may say to the bot. */
const LONGEST_DATA = 64
const LONGEST_TOAST = 200
const LONGEST_HELP = 256
const EDIT_MS = 1_000
/** So many times in so long another program may fetch the updates, until this one leaves them to it. */
const MOST_CONFLICTS = 8
const CONFLICTS_MS = 30 * 60_000

const NO_KEY: PollState & { kind: 'unauthorized' } = { kind: 'unauthorized' }

const waitFor: PaceClock['wait'] = (ms, signal) =>
  sleep(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)

/** Open Telegram for one bot. Nothing is asked before `receive`, and nothing is sent twice here. */
export function openTelegram({ token, address, fetch, now, wait = waitFor }: Parts): Platform {
  const api = createBotApi({ fetch, token, address, wait })
  const botId = token.split(':')[0] ?? ''
  const paces = new Map<string, ChatPace>()

  function paceOf({ chatId, kind }: Place): ChatPace {
    const pace = paces.get(chatId) ?? createChatPace({ now, wait }, { isGroup: kind !== 'private' })
    paces.set(chatId, pace)
    return pace
  }

  /** What an answer means for whoever sent something. */
  function judge<T>(place: Place, answer: BotAnswer<T>, idOf: (result: T) => string): SendResult {
    switch (answer.kind) {
      case 'ok':
        return { kind: 'sent', messageId: idOf(answer.result) }
      case 'retry-after':
        paceOf(place).pauseFor(answer.seconds)
        return { kind: 'wait', ms: answer.seconds * 1_000 }
      case 'blocked':
        return { kind: 'gone', why: answer.why }
      case 'migrated':
        return { kind: 'moved', to: String(answer.chat) }
      case 'unauthorized':
        return { kind: 'not_sent', why: 'Telegram does not accept the key of the bot.' }
      case 'conflict':
      case 'not-sent':
        return { kind: 'not_sent', why: answer.why }
      case 'maybe-sent':
        return { kind: 'unsure', why: answer.why }
      case 'bad-request':
        return /chat not found|deactivated|not enough rights to send/i.test(answer.why)
          ? { kind: 'gone', why: answer.why }
          : { kind: 'refused', why: answer.why }
    }
  }

  /** A text as it is, or without looks where Telegram does not take them: better plain than not at all. */
  async function withoutLooksIfRefused<T>(
    part: RichText,
    call: (part: RichText) => Promise<BotAnswer<T>>,
  ): Promise<BotAnswer<T>> {
    const answer = await call(part)
    const isRefused = answer.kind === 'bad-request' && /entit/i.test(answer.why) && part.entities.length > 0
    return isRefused ? call({ text: part.text, entities: [] }) : answer
  }

  const whereOf = ({ chatId, topic }: Place) => ({
    chat_id: Number(chatId),
    ...(topic && { message_thread_id: Number(topic.id) }),
  })
  const shownAs = ({ text, entities }: RichText) => ({
    text,
    ...(entities.length > 0 && { entities: [...entities] }),
    // What stands behind a link is not fetched by Telegram for a picture of it.
    link_preview_options: { is_disabled: true },
  })

  return {
    name: 'telegram',
    title: 'Telegram',
    limits: { editMs: EDIT_MS, fetchBytes: MOST_FETCHED_BYTES, sendBytes: MOST_SENT_BYTES },
    async receive(receiving) {
      if (token === '') return receiving.standing(standingOf(NO_KEY))
      await receive(receiving)
    },
    compose: (markdown, isLive = false) => writeParts(markdown, { isLive }).map(asPart),
    async send(place, part, { isQuiet, buttons = [], answers, signal }) {
      const tooLong = buttons.flat().find(({ data }) => Buffer.byteLength(data) > LONGEST_DATA)
      if (tooLong) return { kind: 'refused', why: `The button “${tooLong.text}” says too much.` }
      if (signal.aborted) return { kind: 'not_sent', why: 'Talaria was closing.' }
      // Whoever calls waits, and knows that nothing was sent, whatever ends the wait.
      const ms = paceOf(place).tryTurn()
      if (ms > 0) return { kind: 'wait', ms }
      const answer = await withoutLooksIfRefused(readPart(part), rich =>
        api.sendMessage({
          ...whereOf(place),
          ...shownAs(rich),
          ...(isQuiet && { disable_notification: true }),
          ...(answers !== undefined && {
            reply_parameters: { message_id: Number(answers), allow_sending_without_reply: true },
          }),
          ...(buttons.length > 0 && { reply_markup: keyboardOf(buttons) }),
        }),
      )
      return judge(place, answer, ({ message_id: id }) => String(id))
    },
    async edit(place, messageId, part, buttons = []) {
      const pace = paceOf(place)
      // An edit may be made twice, so it waits here for its turn; what Telegram asks to wait is for whoever asks.
      const ms = pace.pauseLeft()
      if (ms > 0) return { kind: 'wait', ms }
      await pace.awaitTurn()
      const answer = await withoutLooksIfRefused(readPart(part), rich =>
        api.editMessageText({
          chat_id: Number(place.chatId),
          message_id: Number(messageId),
          ...shownAs(rich),
          ...(buttons.length > 0 && { reply_markup: keyboardOf(buttons) }),
        }),
      )
      return judge(place, answer, () => messageId)
    },
    async answerPress(pressId, text) {
      // Nothing follows from an answer that came too late: what was decided stands in the chat.
      await api.answerCallbackQuery({
        callback_query_id: pressId,
        ...(text !== '' && { text: shortened(text, LONGEST_TOAST) }),
      })
    },
    async showTyping(place) {
      // Each call while Telegram asks to wait makes the wait longer.
      if (paceOf(place).pauseLeft() > 0) return
      const said = await api.sendChatAction({ ...whereOf(place), action: 'typing' })
      if (said.kind === 'retry-after') paceOf(place).pauseFor(said.seconds)
    },
    async fetchFile({ ref }, signal) {
      const fetched = await api.fetchFile(ref, signal)
      if (fetched.kind === 'ok') return { bytes: fetched.result }
      if (fetched.kind === 'retry-after') return { problem: 'Telegram asks to wait. Send it again later.' }
      return { problem: 'why' in fetched ? fetched.why : 'Telegram does not accept the key of the bot.' }
    },
    async sendFile(place, { name, mime, bytes, caption }) {
      if (bytes.length > MOST_SENT_BYTES)
        return { kind: 'refused', why: 'Telegram takes files of bots up to 50 MB.' }
      await paceOf(place).awaitTurn()
      const [below] = caption.trim() === '' ? [] : writeParts(caption, { longest: LONGEST_CAPTION })
      const file = { name, bytes: new Blob([new Uint8Array(bytes)], { type: mime }) }
      const given = {
        ...whereOf(place),
        ...(below && { caption: below.text, caption_entities: [...below.entities] }),
      }
      return judge(place, await api.sendDocument(file, given), ({ message_id: id }) => String(id))
    },
    async offerCommands(commands) {
      await api.setMyCommands({
        commands: commands.map(({ name, help }) => ({
          command: name,
          description: shortened(help, LONGEST_HELP),
        })),
      })
    },
    pairingLink: (code, { link }) => `${link}?start=${encodeURIComponent(code)}`,
  }

  /** Follow the updates of the bot until the signal, or until only the person can help. */
  async function receive({ offset, take, standing, signal }: Receiving): Promise<void> {
    const over = new AbortController()
    let stored = offset
    let bot: OwnBot | undefined
    let conflicts: number[] = []
    const onState = (state: PollState) => {
      if (state.kind === 'open') bot = state.bot
      if (state.kind === 'waiting' && state.conflict) {
        conflicts = [...conflicts.filter(at => at > now() - CONFLICTS_MS), now()]
        if (conflicts.length >= MOST_CONFLICTS) {
          over.abort()
          return standing(LEFT_TO_OTHER)
        }
      }
      standing(standingOf(state))
    }
    const updates = readUpdates({
      api,
      offset: () => offsetIn(stored, botId),
      now,
      wait,
      signal: AbortSignal.any([signal, over.signal]),
      onState,
    })
    for await (const batch of updates) {
      const known = bot
      const next = `${botId}:${batch.offset}`
      take(known ? batch.updates.flatMap(update => readSafely(update, known) ?? []) : [], next)
      stored = next
    }
  }
}

/** What cannot be read, since Telegram may send what we do not know, must not come again for ever. */
function readSafely(update: Update, bot: OwnBot) {
  try {
    return readArrived(update, bot)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return undefined
  }
}

/** The number in a stored offset. That of another bot says nothing of this one: it would throw away what waits. */
function offsetIn(stored: string, botId: string): number | undefined {
  const [of, number] = stored.split(':')
  return of === botId && /^\d{1,15}$/.test(number ?? '') ? Number(number) : undefined
}

const LEFT_TO_OTHER = {
  state: 'failed' as const,
  text: 'Another program fetches the messages of this bot, perhaps Talaria on another computer. This computer has stopped fetching them.',
  fix: 'Only one program can fetch them. Switch Telegram off there, or give this computer a bot of its own, and connect again.',
}

function standingOf(state: PollState): Parameters<Receiving['standing']>[0] {
  if (state.kind === 'open') {
    const { id, username, first_name: name } = state.bot
    return { state: 'connected', me: { id: String(id), name, link: `https://t.me/${username}` } }
  }
  if (state.kind === 'unauthorized')
    return {
      state: 'failed',
      text: 'Telegram does not accept the key of the bot.',
      fix: 'The key was not copied in full, or BotFather made a new one. Write /mybots to BotFather, copy the API token and connect again.',
    }
  const text = state.conflict
    ? 'Another program fetches the messages of this bot, perhaps Talaria on another computer. Only one can have them.'
    : state.why
  return { state: 'waiting', text, retryAt: state.until }
}

const asPart = (rich: RichText): Part => ({ payload: JSON.stringify(rich), plain: rich.text })
/** A part is read only by what wrote it. */
const readPart = ({ payload }: Part): RichText => JSON.parse(payload) as RichText

const keyboardOf = (buttons: readonly (readonly Button[])[]): InlineKeyboardMarkup => ({
  inline_keyboard: buttons.map(row => row.map(({ text, data }) => ({ text, callback_data: data }))),
})

const shortened = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

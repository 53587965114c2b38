import type {
  Button,
  Incoming,
  IncomingMessage,
  Part,
  Place,
  Platform,
  SendResult,
} from '../../src/main/gateway/platform.ts'

/** A message as its reader sees it on a fake messenger. */
type Sent = { id: string; place: Place; text: string; buttons: readonly (readonly Button[])[] }

/**
 * A messenger that records sent messages. A message has at most `most` characters, and `black` is blacked
 * out.
 */
export function fakePlatform({ most = 1_000, black = '\0' }: { most?: number; black?: string } = {}) {
  const sent: Sent[] = []
  const pressed: { pressId: string; text: string }[] = []
  /** The results of the next sends; later sends succeed. */
  const results: SendResult[] = []
  const platform: Platform = {
    name: 'fake',
    title: 'Fake',
    limits: { editMs: 0, fetchBytes: 1_000, sendBytes: 1_000 },
    receive: () => Promise.resolve(),
    compose(markdown) {
      const plain = plainOf(markdown.replaceAll(black, '[redacted]'))
      const parts: Part[] = []
      for (let at = 0; at < plain.length; at += most)
        parts.push({ payload: plain.slice(at, at + most), plain: plain.slice(at, at + most) })
      return parts
    },
    async send(place, part, { buttons = [] }) {
      const result = results.shift()
      if (result && result.kind !== 'sent') return result
      const id = `m${sent.length + 1}`
      sent.push({ id, place, text: part.plain, buttons })
      return { kind: 'sent', messageId: id }
    },
    async edit(_place, messageId, part, buttons = []) {
      const found = sent.find(({ id }) => id === messageId)
      if (!found) return { kind: 'refused', why: 'There is no such message.' }
      Object.assign(found, { text: part.plain, buttons })
      return { kind: 'sent', messageId }
    },
    async answerPress(pressId, text) {
      pressed.push({ pressId, text })
    },
    showTyping: () => Promise.resolve(),
    fetchFile: () => Promise.resolve({ problem: 'There are no files.' }),
    sendFile: () => Promise.resolve({ kind: 'refused', why: 'There are no files.' }),
    offerCommands: () => Promise.resolve(),
    pairingLink: (code, { link }) => `${link}?start=${code}`,
  }
  return { platform, sent, pressed, results }
}

/** The visible text of Markdown with code blocks and escapes, without the marks of bold words. */
export const plainOf = (markdown: string, bold = /(?<!\\)\*\*/g): string =>
  markdown
    .split(/^(`{3,})\n([^]*?)\n\1$/m)
    .map((text, at) =>
      at % 3 === 0
        ? text.replaceAll(bold, '').replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
        : at % 3 === 2
          ? text
          : '',
    )
    .join('')

/** The private chat of an account. */
export const privateOf = (id: string): Place => ({ key: id, kind: 'private', title: '', chatId: id })

/** A group, or a topic of it. */
export const groupOf = (chatId: string, topic?: string): Place => ({
  key: topic === undefined ? chatId : `${chatId}/${topic}`,
  kind: 'group',
  title: 'The garden',
  chatId,
  ...(topic !== undefined && { topic: { id: topic, title: 'Roses' } }),
})

let count = 0
/** A message of account 7 in its private chat. */
export const aMessage = (
  given: Partial<IncomingMessage> & { fromId?: string } = {},
): Incoming & IncomingMessage => {
  const { fromId = '7', ...rest } = given
  return {
    key: `k${++count}`,
    kind: 'message',
    place: privateOf(fromId),
    from: { id: fromId, name: 'Ada', isBot: false },
    messageId: String(count),
    at: 0,
    text: 'Hello',
    files: [],
    isAddressed: true,
    ...rest,
  }
}

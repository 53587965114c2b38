/** A reply of a model, with its tokens. */
export type Reply = {
  text: string
  tokens: readonly number[]
  /** How much of `text` is complete after each token; -1 after a token that ends inside a character. */
  ends: readonly number[]
}

/** The effect of a token: text to show now, all text that it completes, and whether the reply ends. */
export type ReplyStep = { text: string; heard: string; ended: boolean }

/** Converts the tokens of a reply to text as they arrive. */
export type ReplyText = {
  /** Add one token. Without `marksEnd`, end markers are plain text. */
  push(token: number, marksEnd?: boolean): ReplyStep
  /** Remove the last token, unless the reply ended with it. Allowed once after each `push`. */
  undo(): void
  /** End the reply. `text` is the part that was held back as a possible end marker. */
  end(): { text: string; reply: Reply }
}

/** Maximum number of tokens per character: it has at most four bytes, and a token at least one. */
const longestCharacter = 4

/**
 * Start a reply. `decode` returns the text of tokens that follow the tokens `before`. Incomplete characters
 * and possible end markers are held back. The cost per token is constant, because every token is decoded
 * once.
 */
export function startReply(
  decode: (tokens: readonly number[], before: readonly number[]) => string,
  markers: readonly string[],
  before: readonly number[] = [],
): ReplyText {
  const tokens: number[] = []
  const ends: number[] = []
  const shown: string[] = []
  let shownLength = 0
  let held = ''
  let pending: number[] = []
  let context = before.slice(-longestCharacter)
  let undo = () => {}

  const remember = (): void => {
    const state = { shownLength, held, pending, context, count: tokens.length, pieces: shown.length }
    const lastEnds = ends.slice(-longestCharacter)
    undo = () => {
      ;({ shownLength, held, pending, context } = state)
      tokens.length = state.count
      shown.length = state.pieces
      ends.length = state.count
      ends.splice(-lastEnds.length, lastEnds.length, ...lastEnds)
    }
  }
  const take = (token: number): string => {
    tokens.push(token)
    pending = [...pending, token]
    ends.push(-1)
    const text = decode(pending, context)
    if (!text.endsWith('\uFFFD')) return accept(pending.length)
    return pending.length >= longestCharacter ? accept(wholeTokens(text)) : ''
  }
  const accept = (count: number): string => {
    const complete = pending.slice(0, count)
    const text = decode(complete, context)
    held += text
    pending = pending.slice(count)
    ends[ends.length - 1 - pending.length] = shownLength + held.length
    context = [...context, ...complete].slice(-longestCharacter)
    return text
  }
  /**
   * Return how many pending tokens can be released without splitting a character. A complete U+FFFD looks
   * like an incomplete character.
   */
  const wholeTokens = (text: string): number => {
    const parts = (at: number) => decode(pending.slice(0, at), context) + decode(pending.slice(at), context)
    const at = pending.findIndex((_, at) => at > 0 && parts(at) === text)
    return at > 0 ? at : pending.length
  }
  const show = (length: number): string => {
    const text = held.slice(0, length)
    held = held.slice(length)
    shownLength += text.length
    if (text !== '') shown.push(text)
    return text
  }
  const cutAt = (length: number): void => {
    held = held.slice(0, length)
    const kept = tokensWithin(ends, shownLength + length)
    tokens.length = kept
    ends.length = kept
    pending = []
  }

  return {
    push(token, marksEnd = true) {
      remember()
      const heard = take(token)
      const at = marksEnd ? firstMarker(held, markers) : -1
      if (at < 0) {
        const length = marksEnd ? held.length - unfinishedMarker(held, markers) : held.length
        return { text: show(length), heard, ended: false }
      }
      cutAt(at)
      return { text: show(at), heard, ended: true }
    },
    undo: () => undo(),
    end() {
      if (pending.length > 0) accept(pending.length)
      return { text: show(held.length), reply: { text: shown.join(''), tokens, ends } }
    },
  }
}

/**
 * Return the tokens of the first `length` characters, up to the last token that ends within them. `covers` is
 * the length of their text.
 */
export function tokensOfStart(reply: Reply, length: number): { tokens: number[]; covers: number } {
  const count = tokensWithin(reply.ends, length)
  return { tokens: reply.tokens.slice(0, count), covers: reply.ends[count - 1] ?? 0 }
}

function tokensWithin(ends: readonly number[], length: number): number {
  return ends.findLastIndex(end => end >= 0 && end <= length) + 1
}

function firstMarker(text: string, markers: readonly string[]): number {
  const found = markers.map(marker => text.indexOf(marker)).filter(at => at >= 0)
  return found.length > 0 ? Math.min(...found) : -1
}

/** Return the length of the longest suffix of `text` that could be the start of a marker. */
function unfinishedMarker(text: string, markers: readonly string[]): number {
  const longest = Math.max(0, ...markers.map(marker => marker.length - 1))
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length)
    if (markers.some(marker => marker.startsWith(end))) return length
  }
  return 0
}

/** One message that may be what is looked for, or stands near one. */
export type Candidate = {
  id: number
  sessionId: string
  /** The chat that it counts for; a session may have come from another. */
  chatId: string
  role: string
  text: string
  /** How often each thing that is looked for stands in it. */
  counts: readonly number[]
  /** Whether the index found it, or it only stands near what was found. */
  found: boolean
  /** Whether it may be an answer; what may not only lends weight to its neighbours. */
  eligible: boolean
  /** Whether it is all that was asked for, and so comes before what only has some of it. */
  fulfils: boolean
}

/** A part of a chat that was found as a whole. `score` is that of the index, the higher the better. */
export type Passage = { sessionId: string; firstId: number; lastId: number; score: number }

export type Ranked = {
  messages: { id: number; sessionId: string; score: number }[]
  /** With the messages in each that fit best, best first. */
  chats: { chatId: string; score: number; best: number[] }[]
}

/** How much a word counts that stands so many messages before or after. */
const NEARBY = [1, 0.5, 0.25, 0.12]
/** The saturation of BM25: the second mention of a word tells less than the first. */
const SATURATION = 1.2
/** The usual measure of length, for chats; a message that says more is more often the one that answers. */
const LENGTH = { chat: 0.75, message: 0.4 }
/** Of what a message gets, this part only in the measure in which it has the words itself. */
const OWN = 0.2
/** Who asks does not tell. */
const QUESTION = 0.7
/** What tools answered is long, and full of words. */
const TOOL = 0.5
/** What the passage around adds to a message, and what the two best messages add to a chat. */
const PASSAGE_TO_MESSAGE = 0.9
const MESSAGES_TO_CHAT = 0.5
/** More than anything else can add up to. */
const FULFILLED = 1_000
/** The best messages that are named of each chat. */
const BEST = 5

/**
 * Order messages and chats by how well they fit. A message profits from what is said around it, and both from the
 * passage that they stand in: people rarely say everything in one sentence. `candidates` come chat by chat in the order
 * of their ids, with the neighbours of what was found; `weights` say how much finding each thing tells.
 */
export function rank(
  weights: readonly number[],
  candidates: readonly Candidate[],
  passages: readonly Passage[],
): Ranked {
  const average =
    candidates.reduce((sum, each) => sum + each.text.length, 0) / Math.max(candidates.length, 1) || 1
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  const messages: Ranked['messages'] = []
  const chats = new Map<string, { score: number; forChat: number[]; fits: { id: number; fit: number }[] }>()

  candidates.forEach((message, at) => {
    const around = nearby(candidates, at)
    const length = message.text.length / average
    let forChat = 0
    let forMessage = 0
    let own = 0
    weights.forEach((weight, term) => {
      const count = message.counts[term]!
      const near = around[term]!
      if (count + near === 0) return
      if (count > 0) own += weight
      forChat += weight * saturated(count, near, length, LENGTH.chat)
      forMessage += weight * saturated(count, near, length, LENGTH.message)
    })
    if (!message.eligible || (forChat === 0 && !message.found)) return
    const passage = passages.find(
      each => each.sessionId === message.sessionId && each.firstId <= message.id && message.id <= each.lastId,
    )
    const kind = message.role === 'tool' ? TOOL : message.text.trimEnd().endsWith('?') ? QUESTION : 1
    const bonus = message.fulfils ? FULFILLED : 0
    const fit = forMessage * kind * (1 - OWN + (OWN * own) / total)
    const score = fit + bonus + PASSAGE_TO_MESSAGE * (passage?.score ?? 0)
    messages.push({ id: message.id, sessionId: message.sessionId, score })
    const chat = chats.get(message.chatId) ?? { score: 0, forChat: [], fits: [] }
    chat.score = Math.max(chat.score, passage?.score ?? 0)
    chat.forChat.push(bonus + (message.role === 'tool' ? forChat * TOOL : forChat))
    chat.fits.push({ id: message.id, fit: bonus + fit })
    chats.set(message.chatId, chat)
  })

  const found = [...chats].map(([chatId, { score, forChat, fits }]) => {
    const [first = 0, second = 0] = forChat.toSorted((a, b) => b - a)
    const best = fits.toSorted((a, b) => b.fit - a.fit || a.id - b.id).slice(0, BEST)
    return { chatId, score: score + MESSAGES_TO_CHAT * (first + second), best: best.map(({ id }) => id) }
  })
  return {
    // Of two that fit equally well, the newer one.
    messages: messages.toSorted((a, b) => b.score - a.score || b.id - a.id),
    chats: found.toSorted((a, b) => b.score - a.score || b.best[0]! - a.best[0]!),
  }
}

/** For each thing that is looked for, how often it stands in the messages around, the farther the less. */
function nearby(all: readonly Candidate[], at: number): number[] {
  const message = all[at]!
  const sums = message.counts.map(() => 0)
  for (let distance = 1; distance < NEARBY.length; distance++) {
    for (const other of [all[at - distance], all[at + distance]]) {
      if (other?.sessionId !== message.sessionId) continue
      other.counts.forEach((count, term) => (sums[term]! += NEARBY[distance]! * count))
    }
  }
  return sums
}

function saturated(count: number, near: number, length: number, weight: number): number {
  const frequency = count / (1 - weight + weight * length) + near
  return (frequency * (SATURATION + 1)) / (frequency + SATURATION)
}

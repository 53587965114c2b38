/** A message that matches, or is next to one that does. */
export type Candidate = {
  id: number
  sessionId: string
  /** The chat that it counts for; a session may continue another one. */
  chatId: string
  role: string
  text: string
  /** Number of matches per search term. */
  counts: readonly number[]
  /** Whether the index found it; otherwise it is only a neighbour. */
  found: boolean
  /** Whether it may be a result; others only add weight to their neighbours. */
  eligible: boolean
  /** Whether it matches the full expression, and so ranks before partial matches. */
  fulfils: boolean
}

/** A passage that the index found as a whole; a higher `score` is better. */
export type Passage = { sessionId: string; firstId: number; lastId: number; score: number }

export type Ranked = {
  messages: { id: number; sessionId: string; chatId: string; score: number }[]
  /** The chats, each with the ids of its best messages, best first. */
  chats: { chatId: string; score: number; best: number[] }[]
}

/** Weight of a match by its distance in messages. */
const NEARBY = [1, 0.5, 0.25, 0.12]
/** Saturation of BM25: a second match adds less than the first. */
const SATURATION = 1.2
/** Length normalisation of BM25: lower for messages than for chats, because longer ones answer more often. */
const LENGTH = { chat: 0.75, message: 0.4 }
/** Share of a message's score that depends on how many of the terms it contains itself. */
const OWN = 0.2
/** Weights: questions rarely contain the answer, and tool results are long and match many words. */
const KIND = { question: 0.7, tool: 0.5, other: 1 }
/** Weight of the passage score for a message, and of the two best messages for their chat. */
const PASSAGE_TO_MESSAGE = 0.9
const MESSAGES_TO_CHAT = 0.5
/** Bonus for a full match, above any possible sum. */
const FULFILLED = 1_000
/** How many best messages to list per chat. */
const BEST = 5

/**
 * Rank messages and chats by relevance. Users rarely say everything in one sentence, so a message gains from
 * matches around it, and both gain from their passage. `candidates` are grouped by chat and sorted by id,
 * including the neighbours of matches; `weights` are per search term.
 */
export function rankMessages(
  weights: readonly number[],
  candidates: readonly Candidate[],
  passages: readonly Passage[],
): Ranked {
  const average = candidates.reduce((sum, { text }) => sum + text.length, 0) / candidates.length || 1
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
    const isQuestion = message.text.trimEnd().endsWith('?')
    const kind = KIND[message.role === 'tool' ? 'tool' : isQuestion ? 'question' : 'other']
    const bonus = message.fulfils ? FULFILLED : 0
    const fit = forMessage * kind * (1 - OWN + (OWN * own) / total)
    const score = fit + bonus + PASSAGE_TO_MESSAGE * (passage?.score ?? 0)
    const { id, sessionId, chatId } = message
    messages.push({ id, sessionId, chatId, score })
    const chat = chats.get(message.chatId) ?? { score: 0, forChat: [], fits: [] }
    chat.score = Math.max(chat.score, passage?.score ?? 0)
    chat.forChat.push(bonus + (message.role === 'tool' ? forChat * KIND.tool : forChat))
    chat.fits.push({ id: message.id, fit: bonus + fit })
    chats.set(message.chatId, chat)
  })

  const found = [...chats].map(([chatId, { score, forChat, fits }]) => {
    const [first = 0, second = 0] = forChat.toSorted((a, b) => b - a)
    const best = fits.toSorted((a, b) => b.fit - a.fit || a.id - b.id).slice(0, BEST)
    return { chatId, score: score + MESSAGES_TO_CHAT * (first + second), best: best.map(({ id }) => id) }
  })
  return {
    // For equal scores, the newer one comes first.
    messages: messages.toSorted((a, b) => b.score - a.score || b.id - a.id),
    chats: found.toSorted((a, b) => b.score - a.score || b.best[0]! - a.best[0]!),
  }
}

/** Return the weighted matches per search term in nearby messages; less with distance. */
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

import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openConnection } from '../src/main/db/connection.ts'
import { openStore, type Store } from '../src/main/db/store.ts'

const VOCABULARY = 200_000
const BATCH = 1_000
/** The time between two messages of a chat, and between the beginnings of two chats, in ms. */
const APART_MS = 60_000

/**
 * The commonest words of the vocabulary, taken from English. A question holds as many of them as any
 * sentence.
 */
const COMMONEST =
  `the to and i a you that it of in is for was my on with so have this be me your but at are we do what just can been from
  they really how like about all as it's some not had out if up has i'm by or their will get when there one them time more
  an would did who which were she he her his him where why our could very too then than no into over after before`
    .trim()
    .split(/\s+/)

/** Open the store of a home as the host does. Throws whatever is wrong with it. */
export const openBenchStore = (home: string): Store =>
  openStore(home, {
    clock: Date.now,
    report: raise,
  }).store

const raise = (error: unknown) => {
  throw error
}

/**
 * Index passages in the steps of the host (`keep-indexed.ts`), until all are indexed or `most` of them were.
 */
export async function indexPassages(store: Store, most = Infinity): Promise<void> {
  for (let indexed = 0; indexed < most;) {
    const done = store.recall.refresh(10)
    if (done === 0) return
    indexed += done
    await nextTurn()
  }
}

/** Makes sentences of so many words, and numbers from 0 to 1; the same ones for the same seed. */
export function sentencesOf(seed: number): { sentence(length: number): string; random(): number } {
  const random = seeded(seed)
  const pick = zipf(random)
  const words = vocabulary(random)
  return { sentence: length => Array.from({ length }, () => words[pick()]).join(' '), random }
}

/** What to write: the number of messages of each chat, and their texts. */
type Filling = {
  chats: readonly number[]
  textOf(): string
  titleOf(): string
  model?: string
  workspace?: string
}

/** The id of chat number `n`, counted from 0, that `fillChats` writes. */
export const filledChatId = (n: number): string => `chat_${String(n).padStart(17, '0')}`

/** Write chats as the store does, but many messages in one commit. Returns the bytes of all texts. */
export function fillChats(
  home: string,
  { chats, textOf, titleOf, model = 'builtin', workspace = '/desk' }: Filling,
): number {
  openBenchStore(home).close()
  const { db, atomically } = openConnection(join(home, 'state.db'))
  const chat = db.prepare(`
    insert into sessions (id, origin, title, model, workspace, options, created_at, updated_at, message_count,
      turn_count)
    values (@id, 'window', @title, @model, @workspace, '{"approval":"full"}', @at, @at + @messages * ${APART_MS}, @messages, @messages / 2)`)
  const message = db.prepare(
    'insert into messages (session_id, role, content, created_at, model) values (?, ?, ?, ?, ?)',
  )
  let bytes = 0
  let written = 0
  for (const [n, messages] of chats.entries()) {
    const id = filledChatId(n)
    for (let first = 0; first < messages; first += BATCH) {
      atomically(() => {
        const at = 1_600_000_000_000 + written * APART_MS
        if (first === 0) chat.run({ id, title: titleOf(), model, workspace, at, messages })
        for (let m = first; m < Math.min(first + BATCH, messages); m++) {
          const text = textOf()
          bytes += Buffer.byteLength(text)
          const isUser = m % 2 === 0
          const saidAt = at + (m - first) * APART_MS
          message.run(id, isUser ? 'user' : 'assistant', text, saidAt, isUser ? null : model)
        }
        written += Math.min(BATCH, messages - first)
      })
    }
  }
  db.close()
  return bytes
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Ranks of words as often as in real text: the second half as often as the first, the third a third as often.
 */
function zipf(random: () => number): () => number {
  const sums = new Float64Array(VOCABULARY)
  let sum = 0
  for (let rank = 0; rank < VOCABULARY; rank++) sums[rank] = sum += 1 / (rank + 1)
  return () => {
    const wanted = random() * sum
    let [low, high] = [0, VOCABULARY - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

function vocabulary(random: () => number): string[] {
  const words = new Set(COMMONEST)
  const letter = (from: string) => from[Math.floor(random() * from.length)]
  while (words.size < VOCABULARY) {
    const syllables = 1 + Math.floor(random() * 2 + Math.min(1, words.size / 5_000))
    let word = ''
    for (let n = 0; n < syllables; n++) word += `${letter('bcdfghklmnprstvz')}${letter('aeiou')}`
    words.add(word + letter('nrstlm ')!.trim())
  }
  return [...words]
}

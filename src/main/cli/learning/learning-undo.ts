import type { HostClient } from '../../../shared/contract/index.ts'
import type { LearnedChange, Proposal } from '../../../shared/contract/learned/learning.ts'
import { Fault } from '../../../shared/rpc.ts'
import { everyItem, isUndone } from './learned-items.ts'
import { findById, shortId } from '../find-item.ts'
import { oneLine, printAside, escapeInvisible, printLine, startOfDay, many } from '../output/terminal-text.ts'
import { withClient } from '../open-client.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

export type UndoOptions = {
  home?: string
  json?: true
  review?: string
  chat?: string
  since?: string
  yes?: true
}

type What = Parameters<HostClient['learning.undo']>[0]['what']
/** A learned item that is not undone yet. */
type Card = Pick<Proposal | LearnedChange, 'id' | 'headline' | 'reviewId' | 'sessionId'> & { at: number }

/** Maximum number of items to name before the question. */
const NAMED = 10

/**
 * Undo what was learned: items by id, or everything from a review, from a chat or since a day, after a
 * question with the number of items. Resolves to whether everything was undone.
 */
export async function learningUndo(given: string[], options: UndoOptions): Promise<boolean> {
  const { home, json, review, chat, since, yes } = options
  const ways = [given.length > 0 ? given : undefined, review, chat, since].filter(each => each !== undefined)
  if (ways.length !== 1)
    throw new Fault('bad_input', 'Say what to undo: ids, or one of --review, --chat and --since.')
  return withClient(home, async client => {
    const { what, cards } = meant(await learnedCards(client), given, options)
    if (cards.length === 0) throw new Fault('not_found', 'Nothing to undo.')
    if (what.by !== 'items' && !yes && !(await isWanted(cards))) return false
    const undone = await client['learning.undo']({ what })
    const { left, memoryRevisions, skillRevisions } = undone
    if (json) printLine(jsonLine({ ...undone, items: cards.map(({ id }) => id) }))
    else {
      const done = memoryRevisions.length + skillRevisions.length
      if (left.length > 0) printLine(`Undone: ${done} of ${many(done + left.length, 'change')}.`)
      else for (const { id, headline } of cards) printLine(`Undone: ${shortId(id)}  ${oneLine(headline)}`)
      for (const reason of left) printAside(`Not undone: ${escapeInvisible(reason)}`)
      if (memoryRevisions.length > 0) printAside(`Redo: talaria memory undo ${memoryRevisions.join(' ')}`)
      if (skillRevisions.length > 0) printAside(`Redo: talaria skills undo ${skillRevisions.join(' ')}`)
    }
    return left.length === 0
  })
}

async function learnedCards(client: HostClient): Promise<Card[]> {
  const cards: Card[] = []
  for await (const item of everyItem(client, 'all')) {
    if (item.type === 'proposal' && item.proposal.state === 'kept')
      cards.push({ ...item.proposal, at: item.at })
    if (item.type === 'change' && !isUndone(item.change))
      cards.push({ ...item.change, at: newestOf(item.change) })
  }
  return cards
}

const newestOf = ({ memory, skills }: LearnedChange): number =>
  Math.max(...[...memory, ...skills].filter(({ undoneBy }) => undoneBy === null).map(({ at }) => at))

function meant(all: readonly Card[], given: readonly string[], { review, chat, since }: UndoOptions) {
  if (since !== undefined) {
    const at = startOfDay(since)
    if (at === undefined)
      throw new Fault('bad_input', `${escapeInvisible(since)} is not a date. Write it like 2026-11-21.`)
    return { what: { by: 'since', at } satisfies What, cards: all.filter(card => card.at >= at) }
  }
  if (review !== undefined) {
    const { id } = findById(idsIn(all, 'reviewId'), review, 'review with something to undo and the id')
    return { what: { by: 'review', id } satisfies What, cards: all.filter(card => card.reviewId === id) }
  }
  if (chat !== undefined) {
    const { id } = findById(idsIn(all, 'sessionId'), chat, 'chat with something to undo and the id')
    return { what: { by: 'chat', id } satisfies What, cards: all.filter(card => card.sessionId === id) }
  }
  const cards = [...new Set(given.map(each => findById(all, each, 'change to undo with the id')))]
  return { what: { by: 'items', ids: cards.map(({ id }) => id) } satisfies What, cards }
}

const idsIn = (cards: readonly Card[], field: 'reviewId' | 'sessionId') =>
  [...new Set(cards.map(card => card[field]))].filter(id => id !== null).map(id => ({ id }))

async function isWanted(cards: readonly Card[]): Promise<boolean> {
  const count = many(cards.length, 'learned change')
  for (const { headline } of cards.slice(0, NAMED)) printAside(`  ${oneLine(headline)}`)
  if (cards.length > NAMED) printAside(`  … and ${cards.length - NAMED} more`)
  return confirmOnTerminal(
    `Undo ${count}?`,
    `There is no terminal to confirm undoing ${count}. Add --yes to undo without asking.`,
  )
}

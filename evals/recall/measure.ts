import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearch, type ChatSearch } from '../../src/main/chats/search/open-search.ts'
import { openStore, type Store } from '../../src/main/db/store.ts'
import { sessionSearchTool } from '../../src/main/chats/search/tool/session-search-tool.ts'
import type { ToolContext } from '../../src/main/tools/registry/tool.ts'
import { shareOf, type Figures } from '../records.ts'
import { fillStore, joinLines, type Stored } from './fill-store.ts'
import type { Conversation, Query } from './read-set.ts'

/** The forms of answers of `session_search`: the default, and with `detail: full`. */
export const FORMS = ['default', 'full'] as const
export type Form = (typeof FORMS)[number]

/**
 * What one question found. `whole`: the evidence whose complete text is in the answer; a message that the
 * answer cuts does not count. `session`: a chat with evidence is among the first three.
 */
export type RecallRow = {
  query_id: string
  language?: string
  kind?: string
  whole: string[]
  missing: string[]
  session: boolean
  characters: number
  /** Whether the answer says that nothing was found, or only everyday words. */
  saysNothing: boolean
  answer: string
}

/**
 * Ask the tool `session_search` each question in each of these forms. As when a model calls it, it gets only
 * the question.
 */
export async function measureRecall<F extends Form>(
  { conversations, queries }: { conversations: readonly Conversation[]; queries: readonly Query[] },
  forms: readonly F[],
): Promise<Record<F, { rows: RecallRow[]; figures: Figures }>> {
  const home = mkdtempSync(join(tmpdir(), 'talaria-recall-'))
  const report = (error: unknown) => console.error(error)
  const { store } = openStore(home, { clock: Date.now, report })
  const search = openSearch({ store, report })
  try {
    const stored = fillStore(store, home, conversations)
    const asked = queries.filter(({ skip }) => skip === undefined)
    const measured: Partial<Record<Form, { rows: RecallRow[]; figures: Figures }>> = {}
    for (const form of forms) {
      const ask = askerOf(form, search, store, home)
      const rows: RecallRow[] = []
      for (const query of asked) rows.push(judgeAnswer(query, await ask(query.question), stored))
      measured[form] = { rows, figures: figuresOf(rows, queries.length - asked.length) }
    }
    return measured as Record<F, { rows: RecallRow[]; figures: Figures }>
  } finally {
    await search.close()
    store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

function askerOf(form: Form, { best }: ChatSearch, store: Store, home: string) {
  const context: ToolContext = {
    workspace: home,
    home,
    sessionId: 'eval',
    askedId: 1,
    access: 'unconfined',
    signal: new AbortController().signal,
    output: () => {},
  }
  const askRecap = async () => ({ refused: 'No model is asked here.' })
  const tool = sessionSearchTool({ best, store, askRecap })
  return async (query: string): Promise<string> => {
    const result = await tool.run(form === 'full' ? { query, detail: 'full' } : { query }, context)
    return result.ok ? result.text : ''
  }
}

const NOTHING = /^(?:Nothing was found in earlier chats\.|None of the words that tell something was found)/

function judgeAnswer(query: Query, answer: string, { texts, sessions }: Stored): RecallRow {
  const { query_id, language, kind, conversation_id: about, evidence } = query
  const said = joinLines(answer)
  const isWhole = (id: string) => said.includes(texts.get(`${about}/${id}`) ?? '\0')
  const wanted = evidence.map(id => `${about}/s${id.slice(1).split(':')[0]!.padStart(2, '0')}`)
  const first = [...answer.matchAll(/session_id ([\w-]+)/g)].slice(0, 3)
  return {
    query_id,
    ...(language !== undefined && { language }),
    ...(kind !== undefined && { kind }),
    whole: evidence.filter(isWhole),
    missing: evidence.filter(id => !isWhole(id)),
    session: first.some(([, id = '']) => wanted.includes(sessions.get(id) ?? '')),
    characters: answer.length,
    saysNothing: NOTHING.test(answer),
    answer,
  }
}

const isAnswerable = ({ whole, missing }: RecallRow) => whole.length + missing.length > 0

/**
 * The figures. Questions without an answer are in no share, because the search may show what is close or say
 * that there is nothing.
 */
function figuresOf(rows: readonly RecallRow[], skipped: number): Figures {
  const answerable = rows.filter(isAnswerable)
  const unanswerable = rows.filter(row => !isAnswerable(row))
  const lengths = rows.map(({ characters }) => characters)
  return {
    ...sharesOf(answerable),
    characters: Math.round(lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)),
    mostCharacters: Math.max(0, ...lengths),
    unanswerable: unanswerable.length,
    unanswerableSaid: unanswerable.filter(({ saysNothing }) => saysNothing).length,
    skipped,
  }
}

/**
 * The number of questions that have an answer, and the shares of those whose answer was found, in per cent.
 */
export function sharesOf(rows: readonly RecallRow[]) {
  const answerable = rows.filter(isAnswerable)
  const share = (is: (row: RecallRow) => boolean) => shareOf(answerable.filter(is).length, answerable.length)
  return {
    questions: answerable.length,
    anyWhole: share(({ whole }) => whole.length > 0),
    allWhole: share(({ missing }) => missing.length === 0),
    sessionInFirstThree: share(({ session }) => session),
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSearch, type ChatSearch } from '../src/main/chats/search/open-search.ts'
import { openStore, type Store } from '../src/main/db/store.ts'
import { fullSessionSearch } from '../src/main/tools/full-session-search.ts'
import { sessionSearchTool } from '../src/main/tools/session-search.ts'
import type { ToolContext } from '../src/main/tools/tool.ts'
import { fail, readLines } from './command-line.ts'

const USAGE = `Usage: node evals/recall.ts [--form default|full|basic] FOLDER   with conversations.jsonl and queries.jsonl
default: what models get; full: the same with detail full; basic: what the built-in model gets`

type Turn = { dia_id: string; text: string; speaker: string; image_caption?: string }
type Conversation = { conversation_id: string; session_id: string; datetime: string; turns: Turn[] }
type Query = {
  query_id: string
  conversation_id: string
  question: string
  evidence: string[]
  skip?: boolean
}

const FORMS = ['default', 'full', 'basic'] as const
type Form = (typeof FORMS)[number]

/** What one question found. `whole`: the evidence that stands whole in the answer's text. */
type Row = { query_id: string; whole: string[]; missing: string[]; session: boolean; characters: number }

/**
 * Asks the tool `session_search` each question of a folder, in one of its forms and as a model calls it, prints one JSON line for each,
 * and at last the shares: an evidence message counts when all of its text stands in the answer.
 */
async function main(args: string[]): Promise<void> {
  const { folder, form } = readArguments(args)
  const conversations = readRows<Conversation>(join(folder, 'conversations.jsonl'), ['session_id', 'turns'])
  const queries = readRows<Query>(join(folder, 'queries.jsonl'), ['query_id', 'question', 'evidence'])
  const asked = queries.filter(each => !each.skip)
  if (conversations.length === 0 || asked.length === 0) fail(`There is nothing to ask in ${folder}.`)
  const home = mkdtempSync(join(tmpdir(), 'talaria-recall-'))
  const { store } = openStore(home, { clock: Date.now, report: error => console.error(error) })
  const search = openSearch({ store, report: error => console.error(error) })
  try {
    const known = addChats(store, home, conversations)
    while (store.recall.refresh(1_000)) continue
    const ask = askerOf(form, search, store, home)
    const rows: Row[] = []
    for (const query of asked) {
      const row = judge(query, await ask(query.question), known)
      rows.push(row)
      console.log(JSON.stringify(row))
    }
    console.log(JSON.stringify(sumOf(form, rows)))
  } finally {
    await search.close()
    store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

type Known = { texts: Map<string, string>; chats: Map<string, string> }

function addChats(store: Store, workspace: string, conversations: readonly Conversation[]): Known {
  const known: Known = { texts: new Map(), chats: new Map() }
  for (const { conversation_id: about, session_id: name, datetime, turns } of conversations) {
    const { id } = store.sessions.create({ modelId: 'none', workspace, approval: 'ask', origin: 'terminal' })
    known.chats.set(id, name)
    const [first] = turns.map(({ speaker }) => speaker)
    const at = Date.parse(datetime)
    for (const [n, turn] of turns.entries()) {
      const text = [turn.text, turn.image_caption && `[${turn.image_caption}]`].filter(Boolean).join(' ')
      const common = { sessionId: id, at: at + n * 1_000, text }
      store.messages.append(
        turn.speaker === first
          ? { role: 'user', ...common }
          : { role: 'assistant', ...common, reasoning: '', calls: [], interrupted: false, model: 'none' },
      )
      known.texts.set(`${about}/${turn.dia_id}`, oneLine(text))
    }
  }
  return known
}

/** The tool in one of its forms, called with nothing but the question. */
function askerOf(form: Form, { find, best }: ChatSearch, store: Store, home: string) {
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
  const basic = sessionSearchTool({ find, store })
  const full = fullSessionSearch({ best, store, askRecap })
  return async (query: string): Promise<string> => {
    const result =
      form === 'basic'
        ? await basic.run({ query }, context)
        : await full.run(form === 'full' ? { query, detail: 'full' } : { query }, context)
    return result.ok ? result.text : ''
  }
}

/** Lines of an answer are joined by blanks, as it writes messages. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

function judge({ query_id, conversation_id: about, evidence }: Query, answer: string, known: Known): Row {
  const said = oneLine(answer)
  const isWhole = (id: string) => said.includes(known.texts.get(`${about}/${id}`) ?? '\0')
  const wanted = evidence.map(id => `${about}/s${id.slice(1).split(':')[0]!.padStart(2, '0')}`)
  const first = [...answer.matchAll(/session_id ([\w-]+)/g)].slice(0, 3)
  return {
    query_id,
    whole: evidence.filter(isWhole),
    missing: evidence.filter(id => !isWhole(id)),
    session: first.some(([, id = '']) => wanted.includes(known.chats.get(id) ?? '')),
    characters: answer.length,
  }
}

function sumOf(form: Form, rows: readonly Row[]) {
  const share = (is: (row: Row) => boolean) => Math.round((1_000 * rows.filter(is).length) / rows.length) / 10
  return {
    form,
    questions: rows.length,
    anyWhole: share(({ whole }) => whole.length > 0),
    allWhole: share(({ missing }) => missing.length === 0),
    sessionInFirstThree: share(({ session }) => session),
    characters: Math.round(rows.reduce((sum, { characters }) => sum + characters, 0) / rows.length),
  }
}

function readArguments(args: string[]): { folder: string; form: Form } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { form: { type: 'string', default: 'default' } },
    })
    const form = FORMS.find(each => each === values.form)
    return positionals.length === 1 && form ? { folder: positionals[0]!, form } : fail(USAGE)
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

/** The rows of a file, each with these fields. */
function readRows<T>(path: string, fields: readonly string[]): T[] {
  return readLines(path).map((line, at) => {
    try {
      const row = JSON.parse(line) as Record<string, unknown>
      if (fields.every(field => row[field] !== undefined)) return row as T
    } catch {
      // Said below.
    }
    return fail(`Line ${at + 1} of ${path} is no row with ${fields.join(', ')}.`)
  })
}

await main(process.argv.slice(2))

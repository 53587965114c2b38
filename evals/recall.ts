import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BASIC_SHAPE, findChats } from '../src/main/chats/search/find-chats.ts'
import { createRecall } from '../src/main/chats/search/recall.ts'
import { openStore } from '../src/main/db/store.ts'

const USAGE = 'Usage: node evals/recall.ts <folder with conversations.jsonl and queries.jsonl>'

type Turn = { dia_id: string; speaker: string; text: string; image_caption?: string }
type Conversation = { conversation_id: string; session_id: string; datetime: string; turns: Turn[] }
type Query = { query_id: string; question: string }

const folder = process.argv[2]
if (folder === undefined) {
  console.error(USAGE)
  process.exit(2)
}
const readLines = <T>(name: string): T[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as T)

const home = mkdtempSync(join(tmpdir(), 'talaria-recall-'))
const { store } = openStore(home, { clock: Date.now, report: error => console.error(error) })
const messageIds = new Map<number, string>()
const sessionIds = new Map<string, string>()
for (const conversation of readLines<Conversation>('conversations.jsonl')) {
  const session = store.sessions.create({
    modelId: 'none',
    workspace: home,
    approval: 'ask',
    origin: 'terminal',
  })
  sessionIds.set(session.id, conversation.session_id)
  const speakers = [...new Set(conversation.turns.map(turn => turn.speaker))]
  const at = Date.parse(conversation.datetime)
  conversation.turns.forEach((turn, n) => {
    const text = [turn.text, turn.image_caption && `[${turn.image_caption}]`].filter(Boolean).join(' ')
    const common = { sessionId: session.id, at: at + n * 1000, text }
    const message = store.messages.append(
      speakers.indexOf(turn.speaker) === 0
        ? { role: 'user', ...common }
        : { role: 'assistant', ...common, reasoning: '', calls: [], interrupted: false, model: 'none' },
    )
    messageIds.set(message.id, `${conversation.conversation_id}/${turn.dia_id}`)
  })
}
store.recall.refresh(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
const recall = createRecall(store.recall)
for (const { query_id, question } of readLines<Query>('queries.jsonl')) {
  const { messages, chats } = recall({ query: question })
  const { chats: full, others } = findChats({ recall, store }, { query: question }, BASIC_SHAPE)
  const found = [...full, ...others]
  const shown = found.flatMap(chat => chat.shown.map(({ message }) => messageIds.get(message.id)))
  console.log(
    JSON.stringify({
      query_id,
      messages: messages.slice(0, 50).map(message => messageIds.get(message.id)),
      sessions: chats.slice(0, 10).map(chat => sessionIds.get(chat.chatId)),
      shown,
    }),
  )
}
store.close()
rmSync(home, { recursive: true, force: true })

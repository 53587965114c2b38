import { createWriteStream, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostClient } from '../../src/shared/contract/index.ts'
import { aChatGptChat } from '../../testing/chats/an-export.ts'
import { answerInputs, endInputs, streamAnswer } from '../../testing/host/ten-inputs.ts'
import type { OpenAiServer } from '../../testing/servers/openai-server.ts'
import { filledChatId, sentencesOf } from '../fill-chats.ts'
import { generateSkills } from '../skills.ts'
import { LONG_CHATS, type Homes } from './homes.ts'

type Place = { home: string; homes: Homes; server: OpenAiServer }

/** Long work of a host. `work` is called with 0, 1 and so on, until enough calls were made during it. */
export type Case = {
  /** Fill the home before the host starts. */
  prepare(place: Place): void | Promise<void>
  work(place: Place & { client: HostClient }, n: number): Promise<void>
}

export type CaseName =
  | 'import'
  | 'turn'
  | 'line'
  | 'replace'
  | 'skills'
  | 'search'
  | 'compaction'
  | 'backup'
  | 'purge'
  | 'hostile'

const IMPORTED_CHATS = [100_000, ...Array.from({ length: 1_500 }, () => 20)]
const LINE_BYTES = 20_000_000
const FILE_BYTES = 30_000_000
const SKILLS = 5_000
const LONG_CHAT = filledChatId(0)

/** The characters of the longest hostile text. */
const HARD = 900_000
const STREAMED = Array.from({ length: 150 }, (_, n) => `word ${n} `)

const words = sentencesOf(3)
let skillFiles: readonly string[] = []

export const cases: Record<CaseName, Case> = {
  import: {
    prepare: ({ home }) => writeExport(join(home, 'conversations.json')),
    async work({ home, client }) {
      const { id } = await client['import.preview']({ path: join(home, 'conversations.json') })
      for await (const event of client['import.run']({ id, memories: false })) void event
    },
  },
  turn: {
    async prepare({ home, homes, server }) {
      await homes.addLongChats(home)
      server.reply({ text: Array.from({ length: 20 }, () => `${words.sentence(4)} `) })
    },
    work: ({ client }) => answer(client, LONG_CHAT),
  },
  line: {
    prepare: ({ server }) => server.reply({ text: 'word '.repeat(LINE_BYTES / 5) }),
    async work({ client }) {
      const { id } = await client['session.create']({})
      await answer(client, id)
    },
  },
  replace: {
    prepare({ server }) {
      server.reply(({ body }) => fileCall(body.messages as readonly { role: string }[]))
    },
    async work({ homes, client }) {
      const { workspace } = homes
      writeFileSync(join(workspace, FILE), fileText)
      const { id } = await client['session.create']({ workspace, approval: 'full' })
      await answer(client, id)
      const { messages } = await client['session.messages']({ id, limit: 60 })
      const results = messages.filter(message => message.role === 'tool')
      const refused = results.find(({ ok }) => !ok)
      if (refused || results.length < CALLS || readFileSync(join(workspace, FILE), 'utf8') !== NOTHING)
        throw new Error(`The file was not patched, read and replaced. ${refused?.text ?? ''}`)
    },
  },
  skills: {
    prepare({ home }) {
      skillFiles = generateSkills(join(home, 'skills'), SKILLS)
    },
    async work({ client }, n) {
      const { skills } = await client['skills.list']({})
      if (skills.length < SKILLS) throw new Error(`${skills.length} skills were listed.`)
      // A new time makes each file a new one, so all of them are read again.
      const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000)
      for (const path of skillFiles) utimesSync(path, at, at)
    },
  },
  search: {
    prepare: ({ home, homes }) => homes.addMillion(home),
    async work({ client }) {
      await client['recall.search']({ query: `${words.sentence(10)}?` })
      await client['session.list']({ query: words.sentence(2) })
    },
  },
  compaction: {
    async prepare({ home, homes, server }) {
      await homes.addLongChats(home)
      server.reply({ text: '## Done\n- Talked about many things.' })
    },
    async work({ client }, n) {
      const { runId } = await client['chat.compact']({ sessionId: filledChatId(n % LONG_CHATS) })
      await end(client, runId)
    },
  },
  backup: {
    prepare: ({ home, homes }) => homes.addLongChats(home),
    async work({ homes, client }, n) {
      const path = join(homes.workspace, `backup-${n}`)
      for await (const event of client['data.backup']({ path })) if (event.type === 'done') rmSync(event.path)
    },
  },
  purge: {
    prepare: ({ home, homes }) => homes.addLongChats(home),
    async work({ client }, n) {
      const id = filledChatId(n % LONG_CHATS)
      // Each chat can be removed once. Further rounds remove nothing.
      if (n < LONG_CHATS) await client['session.remove']({ id })
      await client['session.purge']({ ids: [id] })
      while ((await client['session.deleted']({})).removing > 0) await sleep(20)
    },
  },
  // Ten texts that nobody would write by accident, through ten inputs at once, while a chat streams.
  hostile: {
    prepare: ({ server }) => answerInputs(server, HARD, STREAMED),
    async work({ home, homes, client }, n) {
      const place = { client, home, workspace: homes.workspace, size: HARD }
      const [answer] = await Promise.all([streamAnswer(place), endInputs(place, n)])
      if (answer.trim() !== STREAMED.join('').trim())
        throw new Error('The answer that streamed is not whole.')
    },
  },
}

/** Let the agent answer one message of a chat. */
async function answer(client: HostClient, sessionId: string): Promise<void> {
  const { runId } = await client['chat.send']({ sessionId, text: words.sentence(12) })
  await end(client, runId)
}

async function end(client: HostClient, runId: string): Promise<void> {
  for await (const event of client['run.watch']({ runId }))
    if (event.type === 'turn_end' && event.reason !== 'done')
      throw new Error(`The run ended so: ${event.reason}.`)
}

/** Write an export as ChatGPT makes it: one chat of 100,000 messages, and 1,500 chats of twenty. */
async function writeExport(path: string): Promise<void> {
  const file = createWriteStream(path)
  let separator = '['
  for (const [n, messages] of IMPORTED_CHATS.entries()) {
    const turns = Array.from({ length: messages }, () => words.sentence(8))
    if (!file.write(`${separator}${JSON.stringify(aChatGptChat(`chat-${n}`, turns))}`))
      await once(file, 'drain')
    separator = ','
  }
  file.end(']')
  await once(file, 'close')
}

const FILE = 'log.txt'
const CALLS = 3
const NOTHING = 'Nothing.\n'
const CHANGED = 'the line in the middle'
const LINE = 'A line of a log, as programs write them by the million.\n'
const half = LINE.repeat(FILE_BYTES / 2 / LINE.length)
const fileText = `${half}${CHANGED}\n${half}`

/** The next call on the file: first an edit of a passage, then a reading, then a replacement of all. */
function fileCall(messages: readonly { role: string }[]) {
  const done = messages.slice(messages.findLastIndex(({ role }) => role === 'user')).length - 1
  const call = [
    {
      name: 'patch_file',
      arguments: { path: FILE, old_string: CHANGED, new_string: 'another line' },
    },
    { name: 'read_file', arguments: { path: FILE } },
    { name: 'write_file', arguments: { path: FILE, content: NOTHING } },
  ][done / 2]
  return call ? { toolCalls: [call] } : { text: 'Done.' }
}

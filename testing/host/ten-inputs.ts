import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostClient } from '../../src/shared/contract/index.ts'
import { Fault } from '../../src/shared/rpc.ts'
import { aChatGptChat } from '../chats/an-export.ts'
import { putServer } from '../mcp/agree.ts'
import type { OpenAiServer, ServedReply } from '../servers/openai-server.ts'

/** Where inputs are put: a folder of chats, with a model that answers as `answerInputs` says. */
export type InputPlace = { client: HostClient; home: string; workspace: string; size: number }

/** Send one stranger's text through its real input path. Returns the result, in words. */
type Input = (place: InputPlace, n: number) => Promise<string>

const FENCES = '```\na\n'
const BRACKETS = '[a'
const SERVER = fileURLToPath(new URL('../mcp/misbehaving-server.ts', import.meta.url))

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** Lines that do not repeat, because a repetitive call is not accepted as a call. */
const linesOf = (length: number) =>
  Array.from({ length: length / 16 }, (_, n) => `${(n * 7_919) % 10_007} and ${n}`).join('\n')

/** Script the model: it answers with tool calls or long texts, by the first word of the newest message. */
export function answerInputs(server: OpenAiServer, size: number, streamed: readonly string[]): void {
  server.reply(({ body }): ServedReply => {
    const messages = body.messages as readonly { role: string; content?: unknown }[]
    const at = messages.findLastIndex(({ role }) => role === 'user')
    const asked = JSON.stringify(messages[at]?.content ?? '')
    if (messages.slice(at).some(({ role }) => role === 'tool')) return { text: 'Done.' }
    if (asked.includes('STREAM')) return { text: [...streamed], delayMs: 20 }
    const call = (name: string, args: object): ServedReply => ({
      toolCalls: [{ name, arguments: { path: 'hard.txt', ...args } }],
    })
    if (asked.includes('PATCH')) return call('patch_file', { old_string: linesOf(size / 45), new_string: '' })
    if (asked.includes('WRITE')) return call('write_file', { content: linesOf(size / 4) })
    if (asked.includes('ANSWER')) return { text: fill('**_word ', size / 10) }
    return { text: 'Yes.' }
  })
}

/** Ten extreme texts, each through another input path. */
export const tenInputs: Readonly<Record<string, Input>> = {
  'a file to patch': (place, n) => say(place, n, 'PATCH'),
  'a file to write over': (place, n) => say(place, n, 'WRITE'),
  'an answer in the window': (place, n) => say(place, n, 'ANSWER'),
  'a message': ({ size, ...place }, n) => say({ ...place, size }, n, `Look: ${fill("it's ", size / 10)}`),
  async 'a result of an MCP server'({ client, size }, n) {
    const name = `hard${n}`
    const server = { name, command: process.execPath, args: [SERVER], enabled: true }
    await putServer(client, { server })
    const { text } = await client['mcp.call']({ name, tool: 'echo', args: { text: fill(BRACKETS, size) } })
    return text
  },
  async 'a skill to import'({ client, workspace, size }, n) {
    const folder = join(workspace, `skill-${n}`)
    mkdirSync(join(folder, 'scripts'), { recursive: true })
    writeFileSync(join(folder, 'SKILL.md'), `---\nname: hard-${n}\ndescription: Does it.\n---\nDo it.\n`)
    for (let file = 0; file < 20; file++)
      writeFileSync(join(folder, 'scripts', `${file}.sh`), `# ${n}\n${fill('A=b\n', size / 9)}`)
    const { candidates } = await client['skills.fetch']({ from: { kind: 'path', path: folder } })
    return candidates.map(({ name, policy }) => `${name}: ${policy}`).join()
  },
  async 'a text in the editor of skills'({ client, size }) {
    const { scan } = await client['skills.check']({ text: fill('# a\n', size / 5), scan: true })
    return scan?.verdict ?? ''
  },
  async 'chats to import'({ client, workspace, size }, n) {
    const path = join(workspace, `conversations-${n}.json`)
    writeFileSync(path, JSON.stringify([aChatGptChat(`hard-${n}`, [fill(BRACKETS, size / 2), 'Yes.'])]))
    const { id } = await client['import.preview']({ path })
    let last = ''
    for await (const event of client['import.run']({ id, memories: false })) last = event.type
    return last
  },
  async 'a file of settings'({ client, home, size }) {
    writeFileSync(join(home, '.env'), `A=${fill(' ', size)}x\n`)
    const settings = await client['settings.list']({})
    return Object.keys(settings).join()
  },
  async 'a search in a chat'({ client, workspace, size }) {
    const { id } = await client['session.create']({ workspace, approval: 'full' })
    await answered(client, id, `ANSWER ${fill('![[', size / 10)}`)
    const { total } = await client['chat.find']({ sessionId: id, query: '![[a' })
    return `${total} found`
  },
}

/** Run each input to its end. A refusal in words counts as an end. */
export async function endInputs(place: InputPlace, n: number): Promise<Record<string, string>> {
  writeFileSync(join(place.workspace, 'hard.txt'), fill(FENCES, place.size))
  const ends = await Promise.all(
    Object.entries(tenInputs).map(async ([name, input]) => {
      try {
        return [name, await input(place, n)] as const
      } catch (error) {
        if (error instanceof Fault && error.code !== 'internal') return [name, error.message] as const
        throw error
      }
    }),
  )
  return Object.fromEntries(ends)
}

async function say({ client, workspace }: InputPlace, n: number, text: string): Promise<string> {
  const { id } = await client['session.create']({ workspace, approval: 'full' })
  return answered(client, id, `${text} ${n}`)
}

/** Send a message. Returns the results of calls that the model read, and its answer. */
async function answered(client: HostClient, sessionId: string, text: string): Promise<string> {
  const { runId } = await client['chat.send']({ sessionId, text })
  let reason = ''
  const warnings: string[] = []
  for await (const event of client['run.watch']({ runId }))
    if (event.type === 'turn_end') reason = event.reason
    else if (event.type === 'warning') warnings.push(event.text)
  const { messages } = await client['session.messages']({ id: sessionId, limit: 60 })
  const said = messages.filter(({ role }) => role !== 'user').map(message => message.text)
  return `${reason}: ${[...said, ...warnings].join('\n')}`
}

/** Stream an answer in a new chat, and return it. */
export async function streamAnswer({ client, workspace }: InputPlace): Promise<string> {
  const { id } = await client['session.create']({ workspace, approval: 'full' })
  const { runId } = await client['chat.send']({ sessionId: id, text: 'STREAM' })
  for await (const event of client['run.watch']({ runId }))
    if (event.type === 'turn_end' && event.reason !== 'done') throw new Error(`It ended so: ${event.reason}.`)
  const { messages } = await client['session.messages']({ id, limit: 60 })
  return messages.at(-1)?.text ?? ''
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Message } from '../../src/shared/contract/chats/messages.ts'
import { aBareServer, aHost } from '../host/a-host.ts'
import { until } from '../until.ts'
import { knowPeople } from './a-gateway.ts'
import { aPhone, folderKind } from './folder-platform.ts'
import { letIn } from './let-in.ts'

// For tests: a host with a messenger is killed repeatedly while somebody writes.

const PROGRAM = fileURLToPath(new URL('answer-until-killed.ts', import.meta.url))
export const SECOND_COPY = 'You may already have this message:'
export const BROKEN_OFF = /^_This was interrupted/

/** A home whose model repeats what it is told, and a phone to write with. */
export async function aHomeToKill(home: string) {
  knowPeople(home, { 7: {} })
  const server = await aBareServer()
  const folder = join(home, 'logs', 'messenger')
  const phone = aPhone(folder, { id: '7', name: 'Ada' })
  // Once switched on, the messenger runs at every start.
  const carrying = async () => {
    const carried = await aHost(home, {
      gateway: {
        platforms: [folderKind(folder, { isAlone: true })],
        rights: needs => letIn({ 7: {} }, needs),
        joinMs: 20,
      },
    })
    await carried.client['gateway.connect']({ platform: 'folder' })
    return carried
  }
  const { client, close } = await carrying()
  const { id } = await client['model.addServer']({ name: 'S', baseUrl: server.baseUrl, model: 'qwen3' })
  await client['model.setDefault']({ id })
  await close()
  return {
    server,
    folder,
    phone,
    carrying,
    /** Start a process that answers. It is connected when this resolves. */
    async start(when = '') {
      const child = spawn(process.execPath, [PROGRAM, home, folder, when], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'talaria-kill-cache') },
      })
      const ended = once(child, 'exit')
      await Promise.race([once(child.stdout, 'data'), ended])
      return { kill: () => (child.kill('SIGKILL'), ended), ended }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/**
 * Write, kill and restart. Then check that each message is in a chat once, went to a model at most once, and
 * was answered or reported as interrupted. Throws an error that says what is wrong.
 */
export async function killWhileAnswering(home: string, rounds: number, random: () => number) {
  await using place = await aHomeToKill(home)
  const { server, phone } = place
  const repeat = ({ body }: { body: Parameters<typeof lastOf>[0] }) => ({
    text: ['You wrote ', lastOf(body)],
    delayMs: 2,
  })
  server.reply(repeat)
  const written: string[] = []
  for (let round = 0; round < rounds; round++) {
    const child = await place.start(random() < 0.2 ? 'after send' : '')
    for (let n = 0; n < 1 + Math.floor(random() * 2); n++) {
      const text = `message-${round}-${n}-`
      written.push(text)
      phone.writes(text)
      await sleep(random() * 60)
    }
    await sleep(random() * 900)
    await child.kill()
    if (round % 10 === 9) console.warn(`${round + 1} rounds`)
  }
  await using host = await place.carrying()
  const isQuiet = async () => {
    const { platforms } = await host.client['gateway.state']({})
    return platforms.every(
      ({ waitingIn, waitingOut, state }) => state === 'connected' && waitingIn + waitingOut === 0,
    )
  }
  await sleep(300)
  await until(isQuiet)
  await sleep(100)
  await until(isQuiet)

  const all: Message[] = []
  for (const { id } of (await host.client['session.list']({ limit: 100 })).sessions)
    all.push(...(await host.client['session.messages']({ id, limit: 500 })).messages)
  const asked = all.filter(({ role }) => role === 'user').map(({ text }) => text)
  const seen = phone.texts()
  const wrong: string[] = []
  for (const text of written) {
    const times = asked.filter(each => each.includes(text)).length
    if (times !== 1) wrong.push(`${text} stands in chats ${times} times`)
    const runs = server.chats().filter(({ body }) => lastOf(body).includes(text)).length
    if (runs > 1) wrong.push(`${text} was given to a model ${runs} times`)
    const copies = seen.filter(
      (each, n) => each.startsWith('You wrote') && each.includes(text) && seen[n - 1] !== SECOND_COPY,
    )
    if (copies.length > 1) wrong.push(`${text} was answered ${copies.length} times without a word about it`)
  }
  const answers = all.flatMap(each => (each.role === 'assistant' && each.text !== '' ? [each.text] : []))
  for (const text of answers)
    if (!seen.includes(text)) wrong.push(`“${text}” stands in a chat and did not arrive`)
  const unanswered = all.filter(
    (each, n) => each.role === 'user' && !each.steered && all[n + 1]?.role !== 'assistant',
  ).length
  const broken = seen.filter(each => BROKEN_OFF.test(each)).length
  if (unanswered > broken)
    wrong.push(`${unanswered} have no answer, and ${broken} were said to be broken off`)
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return {
    written: written.length,
    answered: answers.length,
    brokenOff: broken,
    copies: seen.filter(each => each === SECOND_COPY).length,
    lost: 0,
    twice: 0,
  }
}

/** The last question in a request. Unanswered messages are sent to a model as paragraphs of one message. */
const lastOf = (body: { messages: { role: string; content: unknown }[] }): string =>
  String(body.messages.findLast(({ role }) => role === 'user')?.content)
    .split('\n\n')
    .at(-1) ?? ''

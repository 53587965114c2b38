import { existsSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../../../package.json' with { type: 'json' }
import type { HostClient } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { rootFolder } from '../../lib/disk/shipped-files.ts'
import { TWICE, withClient } from '../open-client.ts'
import { many, momentOf, stripControls } from '../output/terminal-text.ts'
import type { UsageSum } from '../../../shared/contract/connections/network.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

/** The current state as one object. */
async function readStatus(client: HostClient) {
  const watching = client['app.watch']({})
  const first = await watching.next()
  await watching.return()
  if (first.done || first.value.type !== 'hello') throw new Error('The host did not say hello.')
  const { version, hosting, home, workspace, engine, notices, locked, setupDone } = first.value
  const { models, defaultId } = await client['model.list']({})
  const { waiting, reviews, settings } = await client['learning.activity']({ limit: 1 })
  const { problems } = await client['settings.list']({})
  const { connections } = await client['connect.list']({})
  const model = models.find(each => each.id === defaultId)
  return {
    version,
    // Without a running host, this command is the host.
    running: hosting !== 'cli',
    home,
    workspace,
    model: {
      id: defaultId,
      name: model?.name ?? defaultId,
      demo: model?.demo ?? false,
      problem: model?.problem ?? null,
    },
    models: models.length,
    engine,
    learning: { mode: settings.mode, waiting: waiting.length, queued: reviews.length },
    otherAgents: connections
      .filter(({ state, events }) => state !== 'off' || events > 0)
      .map(({ program, title, state, sessions, events, lastEventAt, note }) => ({
        program,
        title,
        state,
        sessions,
        events,
        lastEventAt,
        note,
      })),
    offlineLock: locked,
    setupDone,
    problems: [...problems.map(each => each.text), ...notices.map(each => each.text)],
  }
}

/** Print what Talaria is doing and with what. */
export async function showStatus({ home, json }: { home?: string; json?: true }): Promise<void> {
  const status = await withClient(home, readStatus, TWICE)
  if (json) return print(jsonLine(status))
  const { engine, model, learning } = status
  const lines: [string, string][] = [
    ['Talaria', `${status.version}, ${status.running ? 'running' : 'not running (this command answers)'}`],
    ['Home', status.home],
    [
      'Model',
      `${model.name}${model.demo ? ' (a demo: add a larger model for real work)' : ''}${model.problem ? ` – ${model.problem}` : ''}`,
    ],
    ['Engine', engineInWords(engine)],
    [
      'Learning',
      `${{ ask: 'asks first', save: 'saves without asking', off: 'off' }[learning.mode]}, ${many(learning.waiting, 'proposal')}, ${many(learning.queued, 'review')} queued`,
    ],
    ['Network', status.offlineLock ? 'offline lock on' : 'offline lock off'],
    ...status.otherAgents.map((agent): [string, string] => ['Agent', agentInWords(agent)]),
    ...status.problems.map((text): [string, string] => ['Problem', text]),
  ]
  print(lines.map(([name, text]) => `${name.padEnd(10)}${text}`).join('\n'))
}

function agentInWords({
  title,
  state,
  sessions,
  events,
  lastEventAt,
  note,
}: Awaited<ReturnType<typeof readStatus>>['otherAgents'][number]): string {
  const standing = { off: 'not connected', connected: 'connected', changed: 'needs attention' }[state]
  const last = lastEventAt === null ? 'no events yet' : `last event ${momentOf(lastEventAt)}`
  return `${title}: ${standing}, ${many(sessions, 'session')}, ${many(events, 'event')}, ${last}${note === '' ? '' : ` – ${note}`}`
}

function engineInWords({
  phase,
  modelName,
  contextTokens,
  error,
}: Awaited<ReturnType<typeof readStatus>>['engine']): string {
  if (phase === 'failed') return error ?? 'failed'
  if (phase === 'stopped') return 'no local model is loaded'
  const room = contextTokens === null ? '' : `, context window of ${contextTokens} tokens`
  return `${modelName}: ${phase}${room}`
}

export type LedgerOptions = { home?: string; json?: true }

const DAY_MS = 86_400_000

/** Print the usage of the last days. */
export async function showUsage({ home, json, days }: LedgerOptions & { days: number }): Promise<void> {
  const read = await withClient(
    home,
    client => client['usage.read']({ from: Date.now() - days * DAY_MS }),
    TWICE,
  )
  if (json) return print(jsonLine(read))
  if (read.total.answers === 0) return print(`No answers in the last ${many(days, 'day')}.`)
  print(`Last ${many(days, 'day')}   ${sum(read.total)}`)
  for (const model of read.models) print(`  ${model.name}   ${sum(model)}`)
  print('')
  for (const day of read.days) print(`${day.day}   ${sum(day)}`)
}

function sum({ answers, promptTokens, cachedTokens, outputTokens, ms, costUsd }: UsageSum): string {
  const cached = promptTokens > 0 ? Math.round((100 * cachedTokens) / promptTokens) : 0
  const parts = [
    `${count(answers)} answers`,
    `${count(promptTokens)} tokens read (${cached} % from the cache)`,
    `${count(outputTokens)} written`,
    `${Math.round(ms / 1_000)} s`,
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`]),
  ]
  return parts.join(' · ')
}

/**
 * Print a new address that opens a window in a browser. Throws a `not_ready` Fault if the host serves no
 * browser.
 */
export async function printAddress({ home, json }: { home?: string; json?: true }): Promise<void> {
  const { address } = await withClient(home, client => client['app.newAddress']({}), TWICE)
  if (address === null)
    throw new Fault('not_ready', 'Talaria serves no browser here. Start it with: npm start -- --open')
  print(json ? jsonLine({ address }) : address)
}

/** Print the contacted hosts and the last requests. */
export async function showNetwork({ home, json, limit }: LedgerOptions & { limit: number }): Promise<void> {
  const { locked, hosts, entries } = await withClient(
    home,
    client => client['network.list']({ limit }),
    TWICE,
  )
  if (json) return print(jsonLine({ locked, hosts, entries }))
  print(`Offline lock: ${locked ? 'on, nothing leaves this computer' : 'off'}`)
  if (hosts.length === 0) return print('Talaria has not contacted any host.')
  for (const host of hosts) {
    const where = host.nearby ? ' (this computer)' : ''
    const blocked = host.blocked > 0 ? `, ${host.blocked} blocked` : ''
    print(
      `${host.host}${where}   ${many(host.requests, 'request')}${blocked}, ${host.sentBytes} bytes out, ${host.receivedBytes} in`,
    )
  }
  print('')
  for (const { at, host, purpose, subject, state } of entries)
    print(
      `${new Date(at).toLocaleString('sv-SE')}  ${state.padEnd(7)}  ${host}  ${purpose.replace('_', ' ')}: ${subject}`,
    )
}

/** Switch the offline lock. */
export async function lockNetwork(locked: boolean, { home }: LedgerOptions): Promise<void> {
  await withClient(home, client => client['network.lock']({ locked }), TWICE)
  print(
    locked
      ? 'The offline lock is on: Talaria sends nothing from this computer. Only commands that you let run unconfined can still use the network.'
      : 'The offline lock is off.',
  )
}

/** Print how to get a newer version. Does not check for updates or download anything. */
export async function explainUpdate({ json }: { json?: true }): Promise<void> {
  const { version } = packageJson
  const folder = rootFolder()
  const commands = [...(existsSync(join(folder, '.git')) ? ['git pull'] : []), 'npm install', 'npm run build']
  if (json) return print(jsonLine({ version, folder, commands }))
  print(`This is Talaria ${version} in ${folder}. To update it, run there:`)
  for (const command of commands) print(`  ${command}`)
  if (commands.length === 2) print('Unpack the newer version over this folder first.')
  print(
    'Your chats, memory, skills and settings are in the home folder and stay. They are copied before they change.',
  )
  print('The desktop app is updated in Settings, under Updates.')
}

const count = (number: number) => number.toLocaleString('en-US')
const print = (text: string) => void process.stdout.write(`${stripControls(text)}\n`)

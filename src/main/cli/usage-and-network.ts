import type { UsageSum } from '../../shared/contract/usage.ts'
import { withClient } from './open-client.ts'
import { stripControls } from './terminal-text.ts'

export type LedgerOptions = { home?: string; json?: true }

const TWICE = { twice: true }
const DAY_MS = 86_400_000

/** Print the usage of the last days. */
export async function showUsage({ home, json, days }: LedgerOptions & { days: number }): Promise<void> {
  const read = await withClient(
    home,
    client => client['usage.read']({ from: Date.now() - days * DAY_MS }),
    TWICE,
  )
  if (json) return print(JSON.stringify(read))
  if (read.total.answers === 0) return print(`No answers in the last ${days} days.`)
  print(`Last ${days} days   ${sum(read.total)}`)
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

/** Print the contacted hosts and the last requests. */
export async function showNetwork({ home, json, limit }: LedgerOptions & { limit: number }): Promise<void> {
  const { locked, hosts, entries } = await withClient(
    home,
    client => client['network.list']({ limit }),
    TWICE,
  )
  if (json) return print(JSON.stringify({ locked, hosts, entries }))
  print(`Offline lock: ${locked ? 'on, nothing leaves this computer' : 'off'}`)
  if (hosts.length === 0) return print('Nothing was ever contacted.')
  for (const host of hosts) {
    const where = host.nearby ? ' (this computer)' : ''
    const blocked = host.blocked > 0 ? `, ${host.blocked} blocked` : ''
    print(
      `${host.host}${where}   ${host.requests} requests${blocked}, ${host.sentBytes} bytes out, ${host.receivedBytes} in`,
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
      ? 'The offline lock is on: Talaria lets nothing leave this computer. Commands that you allow it to run may.'
      : 'The offline lock is off.',
  )
}

const count = (number: number) => number.toLocaleString('en-US')
const print = (text: string) => void process.stdout.write(`${stripControls(text)}\n`)

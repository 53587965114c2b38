import { text as wholeText } from 'node:stream/consumers'
import { many } from '../../../shared/text/amounts.ts'
import type { Contact, GatewayItem, GatewayPlatform } from '../../../shared/contract/connections/gateway.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'

import { absolutePath } from '../command-line.ts'
import { withClient } from '../open-client.ts'
import { askHidden } from '../interactive/ask-at-terminal.ts'
import { momentOf, printAside, printLine } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }

const STATES: Record<GatewayPlatform['state'], string> = {
  off: 'off',
  no_key: 'not connected',
  connecting: 'connecting',
  connected: 'connected',
  waiting: 'no connection',
  locked: 'stopped by the offline lock',
  failed: 'stopped',
}

const NOT_CARRIED =
  'Neither the Talaria app nor “talaria serve” is running with this home folder, so no messages are being answered.'

/**
 * Print the state of each messenger. Resolves to whether all messengers that are switched on are connected.
 */
export async function gatewayStatus({ home, json }: Options): Promise<boolean> {
  const state = await withClient(home, client => client['gateway.state']({}))
  const isWell = state.platforms.every(({ state: how }) => !['waiting', 'locked', 'failed'].includes(how))
  if (json) {
    printLine(jsonLine(state))
    return isWell
  }
  for (const platform of state.platforms) printLine(describePlatform(platform))
  printLine(`contacts: ${state.contacts.length}`)
  for (const { title, allowed } of state.groups)
    printLine(`group ${showHiddenInLine(title)}: ${allowed ? 'allowed' : 'not allowed'}`)
  for (const item of state.items) printLine(describeItem(item))
  if (!state.isCarried) printAside(NOT_CARRIED)
  return isWell
}

function describePlatform({ title, state, me, text, fix, waitingIn, waitingOut }: GatewayPlatform): string {
  const facts = [
    `${title}: ${STATES[state]}`,
    ...(me ? [`as ${showHiddenInLine(me.name)} (${me.link})`] : []),
    ...(waitingIn > 0 ? [`${waitingIn} to answer`] : []),
    ...(waitingOut > 0 ? [`${waitingOut} to send`] : []),
  ].join(' · ')
  return text === '' ? facts : `${facts}\n  ${showHiddenInLine(`${text} ${fix}`.trim())}`
}

const describeItem = ({ way, place, at, state, beginning, problem }: GatewayItem): string =>
  `${way === 'in' ? 'from' : 'to'} ${showHiddenInLine(place)}, ${momentOf(at)}: ${state} · ${showHiddenInLine(beginning)}${problem === '' ? '' : ` · ${showHiddenInLine(problem)}`}`

/**
 * Connect a messenger with the key that the user types or pipes. Resolves to whether the key was accepted.
 */
export async function gatewayConnect(named: string | undefined, { home }: Options): Promise<boolean> {
  return await withClient(home, async client => {
    const { name, title } = await findPlatform(client, named)
    printAside(`${title}’s servers can read your messages and the answers.`)
    const unanswerable = `There is no terminal to ask for the key. Pipe it: talaria gateway connect ${name} < key.txt`
    const key = process.stdin.isTTY
      ? await askHidden(`Key of your bot on ${title} (from @BotFather): `, unanswerable)
      : await wholeText(process.stdin)
    if (key.trim() === '') throw new Fault('bad_input', unanswerable)
    const platform = await client['gateway.connect']({ platform: name, key: key.trim() })
    printLine(describePlatform(platform))
    if (platform.state === 'connected') printAside('Next: talaria gateway pair')
    return platform.state !== 'failed'
  })
}

/** Print the contacts, who may write to the agent. */
export async function gatewayContacts({ home, json }: Options): Promise<void> {
  const { contacts } = await withClient(home, client => client['gateway.state']({}))
  if (json) printLine(jsonLine({ contacts }))
  else if (contacts.length === 0) printLine('Nobody is paired. Pair a phone: talaria gateway pair')
  else for (const each of contacts) printLine(describeContact(each))
}

type ContactOptions = Options & {
  rights?: Contact['rights']
  name?: string
  folder?: string
  model?: string
  tokensADay?: number | null
  readsMemory?: 'yes' | 'no'
  remove?: true
}

/** Change a contact and print it. */
export async function gatewayContact(
  named: string,
  { home, json, remove, rights, name, folder, model, readsMemory, tokensADay }: ContactOptions,
): Promise<void> {
  await withClient(home, async client => {
    const { id, seen, ...known } = await findContact(client, named)
    if (remove) {
      await client['gateway.remove']({ id })
      return printLine(
        json
          ? jsonLine({ removed: id })
          : `${showHiddenInLine(known.name)} can no longer write to the agent.`,
      )
    }
    const contact = await client['gateway.change']({
      id,
      seen,
      ...(rights && { rights }),
      ...(name !== undefined && { name }),
      ...(folder !== undefined && { folder: folder === 'none' ? null : absolutePath(folder) }),
      ...(model !== undefined && { modelId: model === 'none' ? null : model }),
      ...(readsMemory !== undefined && { readsMemory: readsMemory === 'yes' }),
      ...(tokensADay !== undefined && { limits: { tokensADay } }),
    })
    printLine(json ? jsonLine(contact) : describeContact(contact))
  })
}

/** Send a text to a contact. Resolves to whether it was sent or queued. */
export async function gatewaySend(
  named: string,
  words: readonly string[],
  { home, json }: Options,
): Promise<boolean> {
  const sent = await withClient(home, async client => {
    const { id: contactId } = await findContact(client, named)
    return await client['gateway.send']({ contactId, text: words.join(' ') })
  })
  const says = {
    sent: 'Sent.',
    waiting: 'Queued. It will be sent as soon as possible.',
    unsure: 'It may have arrived: the connection broke before the messenger answered.',
    failed: 'Not sent.',
  }[sent.state]
  if (json) printLine(jsonLine(sent))
  else printLine(`${says}${sent.problem === '' ? '' : ` ${showHiddenInLine(sent.problem)}`}`)
  return sent.state === 'sent' || sent.state === 'waiting'
}

/** Allow a group, or forbid it again. */
export async function gatewayGroup(
  named: string,
  { home, forbid = false }: Options & { forbid?: boolean },
): Promise<void> {
  await withClient(home, async client => {
    const { groups } = await client['gateway.state']({})
    const found = groups.filter(({ title }) => title.toLowerCase() === named.trim().toLowerCase())
    const [group] = found
    if (!group || found.length > 1)
      throw new Fault(
        'not_found',
        group
          ? `${found.length} groups have the title “${named}”. Decide in the window, on the Messengers page.`
          : `No contact has written to the agent in a group “${named}”. List them: talaria gateway status`,
      )
    const { platform, placeKey, title } = group
    await client['gateway.allowGroup']({ platform, placeKey, allowed: !forbid })
    printLine(`group ${showHiddenInLine(title)}: ${forbid ? 'not allowed' : 'allowed'}`)
  })
}

/** Switch a messenger off. */
export async function gatewayOff(
  named: string | undefined,
  { home, forget = false }: Options & { forget?: boolean },
): Promise<void> {
  await withClient(home, async client => {
    const { name, title } = await findPlatform(client, named)
    await client['gateway.disconnect']({ platform: name, forget })
    printLine(forget ? `${title} is off; its key and its contacts are gone.` : `${title} is off.`)
  })
}

/**
 * Find a messenger by its name; without a name, the only messenger. Throws a `bad_input` Fault if there is no
 * match.
 */
export async function findPlatform(client: HostClient, named: string | undefined): Promise<GatewayPlatform> {
  const { platforms } = await client['gateway.state']({})
  const names = platforms.map(({ name }) => name).join(', ')
  const found = named === undefined ? platforms : platforms.filter(({ name }) => name === named.toLowerCase())
  if (found.length === 1) return found[0]!
  throw new Fault(
    'bad_input',
    named === undefined
      ? `Name one of these: ${names}.`
      : `There is no messenger “${named}”. Use one of these: ${names}.`,
  )
}

async function findContact(client: HostClient, named: string): Promise<Contact> {
  const { contacts } = await client['gateway.state']({})
  const wanted = named.trim().toLowerCase()
  const byId = contacts.find(({ id }) => id === named)
  const byName = contacts.filter(({ name }) => name.toLowerCase() === wanted)
  if (byId) return byId
  if (byName.length === 1) return byName[0]!
  throw new Fault(
    'not_found',
    byName.length > 1
      ? `${byName.length} contacts have the name “${named}”. Use the id: ${byName.map(({ id }) => id).join(', ')}`
      : `There is no contact “${named}”. List them: talaria gateway contacts`,
  )
}

/** Describe a contact with all details. */
export function describeContact({
  id,
  name,
  relation,
  rights,
  readsMemory,
  folder,
  modelId,
  limits,
  accounts,
  today,
}: Contact): string {
  return [
    `${id}  ${showHiddenInLine(name)} · ${relation === 'you' ? 'you' : 'somebody else'}`,
    ...accounts.map(each => `  Account ${each.platform} ${each.accountId}, ${showHiddenInLine(each.name)}`),
    `  Rights  ${rights === 'ask' ? 'calls that need approval ask in the messenger' : 'calls that need approval are denied'}`,
    ...(relation === 'other'
      ? [
          `  Memory  ${readsMemory ? 'can read what Talaria remembers about you' : 'cannot read what Talaria remembers about you'}`,
        ]
      : []),
    `  Folder  ${folder === null ? 'its own empty folder' : showHiddenInLine(folder)}`,
    `  Model   ${modelId === null ? 'the model of new chats' : showHiddenInLine(modelId)}`,
    `  Today   ${many(today.messages, 'message')}, ${many(today.tokens, 'token')}${limits.tokensADay === null ? '' : ` of ${limits.tokensADay.toLocaleString('en')}`}`,
  ].join('\n')
}

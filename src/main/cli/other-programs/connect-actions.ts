import type { ConnectProgram, Connection, ConnectPlan } from '../../../shared/contract/connections/connect.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { many } from '../../../shared/text/amounts.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { resolveHome } from '../../config/home.ts'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { hookLines, isPrintedOnly } from '../../other-agents/connect/print-hooks.ts'
import { agreeAsShown } from '../mcp/agree-as-shown.ts'
import { TWICE, withClient } from '../open-client.ts'
import { momentOf, printAside, printLine } from '../output/terminal-text.ts'

export type ConnectOptions = {
  home?: string
  json?: true
  print?: true
  remove?: true
  yes?: true
  run?: true
}

/**
 * Print the state of the connections, or connect or disconnect one program after asking. Resolves to whether
 * it was done.
 */
export async function connectFrom(named: string | undefined, options: ConnectOptions): Promise<boolean> {
  const { home, json, print, remove } = options
  if (named === undefined) {
    if (print || remove) throw new Fault('bad_input', 'Name the program, such as claude-code.')
    const { connections } = await withClient(home, client => client['connect.list']({}), TWICE)
    if (json) printLine(jsonLine({ connections }))
    else for (const each of connections) printLine(describeConnection(each))
    return true
  }
  if (isPrintedOnly(named)) return printHooks(named, options)
  const program = named as ConnectProgram
  const what = remove ? 'remove' : 'connect'
  return await withClient(home, async client => {
    if (print) {
      const plan = await client['connect.plan']({ program, what })
      if (json) printLine(jsonLine(plan))
      else showPlan(plan, printLine)
      return true
    }
    return await apply(client, { program, what }, options)
  })
}

/** Show the plan, ask, and carry it out. */
async function apply(
  client: HostClient,
  asked: { program: ConnectProgram; what: 'connect' | 'remove' },
  { json, yes, run }: ConnectOptions,
): Promise<boolean> {
  const applied = await agreeAsShown({
    look: () => client['connect.plan'](asked),
    show: plan => showPlan(plan, printAside),
    question: asked.what === 'connect' ? 'Do all of this?' : 'Disconnect it?',
    unanswerable:
      'There is no terminal to confirm this. Add --yes, and --run to run the commands too, or use --print to see the plan.',
    yes: yes === true,
    agree: async ({ seen, canRun }) =>
      await client['connect.apply']({ ...asked, seen, run: canRun && (!yes || run === true) }),
  })
  if (applied === undefined) {
    printAside('Nothing was done.')
    return false
  }
  const { connection, commands, said } = applied
  if (json) printLine(jsonLine(applied))
  else {
    for (const each of said) printLine(showHiddenInLine(each))
    if (commands.length > 0) printLine('Run these commands yourself:')
    for (const each of commands) printLine(`  ${showHiddenInLine(each)}`)
    if (asked.what === 'connect' && connection.note !== '') printLine(showHiddenInLine(connection.note))
  }
  return true
}

function showPlan(
  { folder, files, changes, commands, canRun, notes }: ConnectPlan,
  print: (text: string) => void,
) {
  if (files.length > 0)
    print(`Talaria would write ${showHiddenInLine(folder)} (${many(files.length, 'file')}):`)
  for (const { name } of files) print(`  ${showHiddenInLine(name)}`)
  for (const { path, diff } of changes) {
    print(`It would change ${showHiddenInLine(path)}:`)
    for (const line of diff.split('\n')) print(`  ${showHiddenInLine(line)}`)
  }
  if (commands.length > 0) print(canRun ? 'It would run:' : 'You would run:')
  for (const each of commands) print(`  ${showHiddenInLine(each)}`)
  for (const each of notes) print(showHiddenInLine(each))
}

const STATES = { off: 'not connected', connected: 'connected', changed: 'connected, but something is wrong' }

/** Describe the connection of one program, with its sessions and events. */
function describeConnection({
  program,
  title,
  isInstalled,
  state,
  lastEventAt,
  sessions,
  events,
  note,
}: Connection): string {
  const facts = [
    ...(isInstalled ? [] : ['not found on this computer']),
    ...(events === 0
      ? []
      : [`${many(sessions, 'session')}, ${many(events, 'event')}, last event ${momentOf(lastEventAt ?? 0)}`]),
    ...(events === 0 && state !== 'off' ? ['no events yet'] : []),
  ]
  const line = `${title} (${program}): ${[STATES[state], ...facts].join(' · ')}`
  return note === '' ? line : `${line}\n  ${showHiddenInLine(note)}`
}

function printHooks(named: 'codex' | 'gemini', { home, print, remove }: ConnectOptions): boolean {
  if (!print || remove)
    throw new Fault(
      'bad_input',
      `For ${named}, Talaria only prints lines that you add yourself: talaria connect ${named} --print`,
    )
  const script = resourcePath('connect/claude-code/hook.mjs')
  const { place, text, notes } = hookLines(named, { node: 'node', script, home: resolveHome(home) })
  printLine(text)
  printAside(`Put this into ${place}.`)
  for (const each of notes) printAside(each)
  return true
}

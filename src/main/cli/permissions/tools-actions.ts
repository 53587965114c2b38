import type { HostClient } from '../../../shared/contract/index.ts'
import type { Toolset } from '../../../shared/contract/settings.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { absolutePath } from '../command-line.ts'
import { chatNamed } from '../find-item.ts'
import { TWICE, withClient } from '../open-client.ts'
import { escapeInvisible, printAside, printLine } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true; folder?: string; chat?: string }

/**
 * Print the toolsets with their states and the source of each. Resolves to false if config.yaml has a mistake
 * in its toolsets.
 */
export async function listToolsets({ home, json, ...place }: Options): Promise<boolean> {
  const listed = await withClient(
    home,
    async client => client['toolset.list'](await placeOf(client, place)),
    TWICE,
  )
  const { toolsets, problems, folders } = listed
  if (json) printLine(jsonLine(listed))
  else {
    for (const problem of problems) printAside(escapeInvisible(problem))
    for (const each of toolsets) printLine(lineOf(each))
    if (place.folder === undefined && place.chat === undefined)
      for (const { folder, isGone, switches } of folders)
        printLine(escapeInvisible(`In ${folder}${isGone ? ' (gone)' : ''}: ${wordsOf(switches)}`))
  }
  return problems.length === 0
}

/** Switch toolsets on or off; null removes their switches. */
export async function switchToolsets(
  names: readonly string[],
  on: boolean | null,
  { home, json, ...place }: Options,
): Promise<void> {
  const { toolsets } = await withClient(home, async client =>
    client['toolset.switch']({ ...(await placeOf(client, place)), names: [...names], on }),
  )
  const changed = toolsets.filter(each => names.includes(each.name))
  if (json) return printLine(jsonLine({ toolsets: changed }))
  for (const each of changed) printLine(lineOf(each))
  if (names.some(name => name !== 'web'))
    printLine('New chats have these tools. Existing chats refuse tools that are off immediately.')
  if (names.includes('web'))
    printLine('The change of the web applies from the next message, also in existing chats.')
}

/**
 * Give a chat only the toolsets in a list such as `files,memory`. Without a chat the list is only checked.
 */
export async function useOnlyToolsets(client: HostClient, given: string, sessionId?: string): Promise<void> {
  const names = given
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
  if (names.length === 0)
    throw new Fault('bad_input', 'Name at least one toolset, such as --tools files,memory.')
  await client['toolset.only']({ names, ...(sessionId !== undefined && { sessionId }) })
}

const placeOf = async (client: HostClient, { folder, chat }: Pick<Options, 'folder' | 'chat'>) => ({
  ...(folder !== undefined && { folder: absolutePath(folder) }),
  ...(chat !== undefined && { sessionId: (await chatNamed(client, chat)).id }),
})

const STATES = { on: 'on', off: 'off', partly: 'in part' } as const

const lineOf = (toolset: Toolset): string => {
  const { name, state, tools, includes } = toolset
  const parts = [
    ...(includes.length > 0 ? [`includes ${includes.join(', ')}`] : []),
    tools.map(each => (each.on ? each.name : `${each.name} (off)`)).join(', ') || 'no tools',
  ]
  return escapeInvisible(
    `${name.padEnd(12)} ${STATES[state].padEnd(7)}  ${sourceOf(toolset)}: ${parts.join('; ')}`,
  )
}

function sourceOf({ from, folder, fromTokens }: Toolset): string {
  if (from === 'chat') return 'set for this chat'
  if (from === 'folder') return `set for the folder ${folder}`
  if (from === 'everything') return 'set for every chat'
  return fromTokens > 0
    ? `by default from a context window of ${fromTokens.toLocaleString('en-US')} tokens`
    : 'by default'
}

const wordsOf = (switches: Readonly<Record<string, boolean>>): string =>
  Object.entries(switches)
    .map(([name, on]) => `${name} ${on ? 'on' : 'off'}`)
    .join(', ')

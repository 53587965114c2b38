import { resolve } from 'node:path'
import {
  accessTexts,
  type PermissionRule,
  type TestedCommand,
} from '../../../shared/contract/runs/permissions.ts'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import { ruleName, typedCommand } from '../../../shared/words/permission-words.ts'
import { absolutePath, currentFolder } from '../command-line.ts'
import { TWICE, withClient } from '../open-client.ts'
import { dayOf, escapeInvisible, printAside, printLine } from '../output/terminal-text.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { Fault } from '../../../shared/rpc.ts'

type Common = { home?: string; json?: true }

/** Print the standing rules, strictest first, and the tools of servers that run without a question. */
export async function listPermissions({ home, json }: Common): Promise<void> {
  const [{ rules, file, problem }, { servers }] = await withClient(
    home,
    client => Promise.all([client['permissions.list']({}), client['mcp.list']({})]),
    TWICE,
  )
  const tools = servers.flatMap(server =>
    server.tools.filter(tool => tool.unasked).map(tool => ({ server: server.name, tool: tool.name })),
  )
  if (json) return printLine(jsonLine({ file, rules, tools, problem }))
  if (problem !== null) printAside(escapeInvisible(problem))
  if (rules.length + tools.length === 0) return printLine('No rules. “talaria permissions add” makes one.')
  const order = ['never', 'ask', 'allow']
  for (const rule of rules.toSorted((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect)))
    printLine(lineOf(rule))
  for (const { server, tool } of tools)
    printLine(
      escapeInvisible(`allow  ${tool} of ${server}  (end it with: talaria mcp ask ${server} ${tool})`),
    )
}

const lineOf = (rule: PermissionRule): string => {
  const also = [
    ...(rule.effect === 'allow' && rule.network ? ['with network'] : []),
    ...(rule.effect === 'allow' && rule.unconfined ? ['also where nothing confines commands'] : []),
    `${dayOf(rule.at)}, ${rule.by}`,
  ]
  return escapeInvisible(`${rule.id}  ${rule.effect.padEnd(5)}  ${ruleName(rule)}  (${also.join('; ')})`)
}

type AddOptions = Common & { tool?: string; folder?: string; network?: boolean; unconfined?: boolean }

/** Add a rule. Several words are the words of the command as they are. */
export async function addPermission(
  effect: PermissionRule['effect'],
  words: readonly string[],
  { home, json, tool = 'terminal', folder, network = false, unconfined = false }: AddOptions,
): Promise<void> {
  const rule = await withClient(home, client =>
    client['permissions.add']({
      effect,
      tool,
      ...(words.length > 0 && { command: commandOf(words) }),
      ...(folder !== undefined && { folder: absolutePath(folder) }),
      network,
      unconfined,
      by: 'terminal',
    }),
  )
  printLine(json ? jsonLine(rule) : lineOf(rule))
}

/** One word is a command as typed in a shell; of several, only a last `*` is more than a word. */
function commandOf(words: readonly string[]): string {
  if (words.length === 1) return words[0]!
  const isOpen = words.at(-1) === '*'
  return `${typedCommand(isOpen ? words.slice(0, -1) : words)}${isOpen ? ' *' : ''}`
}

/** Remove rules by their ids. */
export async function removePermissions(ids: readonly string[], { home, json }: Common): Promise<void> {
  await withClient(home, async client => {
    const { rules } = await client['permissions.list']({})
    for (const id of ids) {
      const shown = rules.find(each => each.id === id)
      if (!shown) throw new Fault('not_found', 'This rule no longer exists.')
      const rule = await client['permissions.remove']({ id, seen: shown.seen })
      printLine(json ? jsonLine(rule) : `Removed: ${lineOf(rule)}`)
    }
  })
}

const DECISIONS = { run: 'It would run.', ask: 'It would ask.', refuse: 'It would not run.' } as const

type TestOptions = Common & { folder?: string; mode?: ApprovalMode }

/** Print what would happen to a command, and why, without running it. */
export async function testPermission(
  words: readonly string[],
  { home, json, folder, mode }: TestOptions,
): Promise<void> {
  const tested = await withClient(
    home,
    client =>
      client['permissions.test']({
        command: words.length === 1 ? words[0]! : typedCommand(words),
        folder: folder === undefined ? resolve(currentFolder()) : absolutePath(folder),
        ...(mode && { mode }),
      }),
    TWICE,
  )
  printLine(json ? jsonLine(tested) : textOf(tested))
}

const textOf = ({ decision, reason, access, mayObey, parts }: TestedCommand): string =>
  escapeInvisible(
    [
      `${DECISIONS[decision]} ${reason}`,
      ...(access === null ? [] : [accessTexts[access]]),
      ...(mayObey === null ? [] : [mayObey]),
      ...parts.map(({ command, reasons }) => `  ${command}: ${reasons.join(', ')}`),
    ].join('\n'),
  )

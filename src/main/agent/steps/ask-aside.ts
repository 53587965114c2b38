import { tellObeyedBy } from '../../confinement/obeyed/guard/tell-obeyed.ts'
import type { AsideItem } from '../../confinement/obeyed/guard/aside-item.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import type { ToolResult } from '../../tools/registry/tool.ts'
import { askUser } from './ask-approval.ts'
import type { CallAt, Permission } from '../turn-types.ts'

/** Maximum number of characters of files in one question, in total. */
const MOST_SHOWN = 12_000

/**
 * A command made files that programs obey, and they were put aside. Ask the user once whether to accept them,
 * and tell the model the outcome. If nobody can answer, they stay put aside, and the result says where.
 */
export async function askAboutAside(at: CallAt, result: ToolResult): Promise<ToolResult> {
  const { ports, signal } = at
  const { aside: items = [], ...rest } = result
  if (items.length === 0) return result
  const asked = items.filter(({ isNew }) => isNew)
  if (asked.length === 0 || ports.approvalMode() === 'none' || signal.aborted)
    return withLine(rest, `It lies in ${placesOf(items)}.`)
  const names = listed(asked)
  const permission = await askUser(questionAbout(at, asked), { ...QUESTION, reason: reasonFor(asked) })
  if (permission.refusal) return withLine(rest, refusedLine(permission, items, names))
  const outcomes = asked.map(item => ({ item, refused: item.place() }))
  const placed = outcomes.filter(({ refused }) => !refused).map(({ item }) => item)
  const left = outcomes.flatMap(({ item, refused }) => (refused ? [{ item, refused }] : []))
  const lines = [
    ...(placed.length > 0 ? [`The user allowed it: ${listed(placed)} is in the folder now.`] : []),
    ...left.map(({ item, refused }) => `${item.name} stays aside in ${item.at}, because ${reason(refused)}.`),
  ]
  const isPlaced = (path: string) => placed.some(({ name }) => path === name || path.startsWith(`${name}/`))
  const obeyed = rest.obeyed?.map(each => (isPlaced(each.path) ? { ...each, kept: 'stands' as const } : each))
  return withLine({ ...rest, ...(obeyed && { obeyed }) }, lines.join(' '))
}

/** Ask whether a command that failed on protected files may run again and write them. */
export const askToRunAgain = (at: CallAt, blocked: readonly string[]): Promise<Permission> =>
  askUser(at, {
    mayAllowInChat: false,
    obeyed: 'all',
    inEveryMode: true,
    reason: `It ran and failed, because it may not write ${blocked.join(', ')}, which programs obey without being asked. It would run again, from its beginning, and could write that.`,
  })

const QUESTION = { mayAllowInChat: false, obeyed: 'nothing' as const, inEveryMode: true as const }
const reason = (refused: Refusal | undefined) => (isRefusal(refused) ? refused.refused : '')
const placesOf = (items: readonly AsideItem[]) => items.map(({ at }) => at).join(', ')
const listed = (items: readonly AsideItem[]) => items.map(({ name }) => name).join(', ')

/** “The command made this … Git runs it without being asked.”, or several files and who obeys each. */
function reasonFor(items: readonly AsideItem[]): string {
  const kinds = Map.groupBy(items, ({ by }) => tellObeyedBy(by))
  const who = [...kinds].map(([obeys, those]) => `${obeys} ${items.length > 1 ? listed(those) : 'it'}`)
  const sentence = `${who.join('; ')} without being asked.`
  const made = items.length > 1 ? 'these, and they were' : 'this, and it was'
  return `The command made ${made} put aside. ${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}

function refusedLine(permission: Permission, items: readonly AsideItem[], names: string): string {
  const { by, why: said } = permission.record
  const words = said === undefined ? '' : ` and says: “${said}”`
  if (by !== 'user') return `Nobody allowed it. It lies in ${placesOf(items)}.`
  return `The user did not allow it${words}. Do not make ${names} again in another way. It lies in ${placesOf(items)}.`
}

/** The same call, as a question about files. */
function questionAbout(at: CallAt, items: readonly AsideItem[]): CallAt {
  const { folder } = at.intent
  let room = MOST_SHOWN
  const shown = items.flatMap(({ files, more, by }) => [
    ...files.map(({ name, text }) => {
      const part = text.slice(0, Math.max(room, 0))
      room -= part.length
      return `${name} (${tellObeyedBy(by)} it)\n${part}${part.length < text.length ? '…' : ''}`
    }),
    ...(more > 0 ? [`and ${more} more files`] : []),
  ])
  const intent = {
    title: `Put ${listed(items)} into the folder`,
    detail: shown.join('\n\n'),
    risk: 'write' as const,
    inWorkspace: true,
    folder,
  }
  return { ...at, intent }
}

/** Add a line for the model to a result. */
export function withLine(result: ToolResult, line: string): ToolResult {
  const note = `\n[${line}]`
  return result.ok ? { ...result, text: result.text + note } : { ...result, reason: result.reason + note }
}

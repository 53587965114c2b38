import type { ToolCall } from '../../../shared/contract/messages.ts'
import { oneLine } from './one-line.ts'
import { chatText } from './strings.ts'

/** The one argument that says what a call is about, for the tools that ship. */
const telling: Readonly<Record<string, readonly string[]>> = {
  terminal: ['command'],
  read_file: ['path'],
  write_file: ['path'],
  patch_file: ['path'],
  list_files: ['path', 'folder'],
  search_files: ['query', 'pattern'],
  skill_view: ['name'],
  skill_manage: ['name'],
}

/**
 * A title for a call: from its name and its most telling argument for the tools that ship, so that it reads the same
 * while it runs and long after; `told` is what the run said of another one.
 */
export function callTitle(call: ToolCall, told?: string): string {
  const { titles, titleWith } = chatText.tool
  const what = telling[call.name]?.map(name => call.arguments[name]).find(value => typeof value === 'string')
  const title = titleWith[`${call.name} ${String(call.arguments['action'])}`] ?? titleWith[call.name]
  if (typeof what === 'string' && what.trim() !== '' && title) return title(oneLine(what))
  return titles[call.name] ?? told ?? `${chatText.tool.tool}: ${call.name}`
}

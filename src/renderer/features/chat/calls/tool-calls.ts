import type { ToolCall, ToolMessage } from '../../../../shared/contract/chats/messages.ts'
import type { Approval } from '../../../../shared/contract/runs/run.ts'
import { wasStopped } from '../../../../shared/words/call-words.ts'
import { oneLine } from '../../../ui/text/format-values.ts'
import type { CallInfo, Turn } from '../store/chat-state.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

/** The status of a call. Only `failed` is a failure; `denied` and `stopped` are the user's choice. */
export type CallPhase = 'queued' | 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'stopped'

/** A call with its status and result. */
export type Card = {
  key: string
  /** The id of the reply that made the call. */
  messageId: number
  call: ToolCall
  info: CallInfo | undefined
  approval: Approval | undefined
  result: ToolMessage | undefined
  phase: CallPhase
}

/** Combine a call with its data from the run and from the stored messages. */
export function cardOf(
  messageId: number,
  call: ToolCall,
  turn: Turn | undefined,
  result: ToolMessage | undefined,
): Card {
  const info = turn?.calls[call.id]
  const approval = turn?.waiting.find(each => each.callId === call.id)
  const key = `${messageId}:${call.id}`
  return { key, messageId, call, info, approval, result, phase: phaseOf(turn, info, approval, result) }
}

function phaseOf(
  turn: Turn | undefined,
  info: CallInfo | undefined,
  approval: Approval | undefined,
  result: ToolMessage | undefined,
): CallPhase {
  if (result?.ok) return 'done'
  if (result) {
    // A stop also resolves the open approval, so check it first.
    if (wasStopped(result.record)) return 'stopped'
    return info?.decision === 'deny' || result.record.decision === 'denied' ? 'denied' : 'failed'
  }
  if (!turn || turn.ended !== null) return 'stopped'
  if (approval) return 'waiting'
  return info ? 'running' : 'queued'
}

const titles = {
  terminal: 'Run a command',
  'terminal list': 'List the background processes',
  read_file: 'Read a file',
  write_file: 'Write a file',
  patch_file: 'Change a file',
  list_files: 'List files',
  search_files: 'Search in files',
  web_search: 'Search the web',
  web_read: 'Read a page',
  skills_list: 'List the skills',
  skill_view: 'Read a skill',
  skill_manage: 'Change a skill',
} as Readonly<Record<string, string>>
/** Titles of calls without a stored title: those that did not run, and those of older versions. */
const untold = {
  memory: 'Change the memory',
  session_search: 'Search earlier chats',
  todo: 'Update the plan',
  ask_user: 'Ask you a question',
  delegate: 'Give a task to a sub-agent',
  schedule: 'Change the schedules',
  read_attachment: 'Read an attached file',
  describe_picture: 'Describe a picture',
  web_search: 'Search the web',
  web_read: 'Read a page',
} as Readonly<Record<string, string>>
const titlesWith = {
  terminal: (what: string) => `Run ${what}`,
  'terminal start': (what: string) => `Start ${what}`,
  'terminal read': (what: string) => `Read the output of ${what}`,
  'terminal stop': (what: string) => `Stop ${what}`,
  read_file: (what: string) => `Read ${what}`,
  write_file: (what: string) => `Write ${what}`,
  patch_file: (what: string) => `Change ${what}`,
  list_files: (what: string) => `List ${what}`,
  search_files: (what: string) => `Search for ${what}`,
  web_search: (what: string) => `Search the web for ${what}`,
  web_read: (what: string) => `Read ${what}`,
  skill_view: (what: string) => `Read the skill ${what}`,
  skill_manage: (what: string) => `Change the skill ${what}`,
  'skill_manage create': (what: string) => `Write the skill ${what}`,
  'skill_manage delete': (what: string) => `Delete the skill ${what}`,
} as Readonly<Record<string, (what: string) => string>>

/** The one argument that describes a call, for built-in tools. */
const telling: Readonly<Record<string, readonly string[]>> = {
  terminal: ['command', 'id'],
  read_file: ['path'],
  write_file: ['path'],
  patch_file: ['path'],
  list_files: ['path', 'folder'],
  search_files: ['query', 'pattern'],
  web_search: ['query'],
  web_read: ['address'],
  skill_view: ['name'],
  skill_manage: ['name'],
}

/**
 * A title for a call. For built-in tools it is built from the name and the main argument, so that it reads
 * the same during the run and later. For other tools it is the title that the run gave, which is stored with
 * the result.
 */
export function callTitle(call: ToolCall, stored?: string): string {
  const what = telling[call.name]?.map(name => call.arguments[name]).find(value => typeof value === 'string')
  const detailed = `${call.name} ${String(call.arguments['action'])}`
  const title = titlesWith[detailed] ?? titlesWith[call.name]
  if (typeof what === 'string' && what.trim() !== '' && title) return title(oneLine(showHidden(what)))
  return (
    titles[detailed] ??
    titles[call.name] ??
    oneLine(showHidden(stored ?? untold[call.name] ?? `Tool: ${call.name}`), 120)
  )
}

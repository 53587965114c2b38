import type { CallRecord } from '../../shared/contract/runs/call-record.ts'

/** The forms of reasons before call records. They are fixed; today's texts do not affect them. */
const OLD: readonly [RegExp, CallRecord][] = [
  [/^stopped$/, { decision: 'stopped' }],
  [/^not run$/, { decision: 'not_run' }],
  [/^not asked$/, { decision: 'not_run', how: 'enough_asked' }],
  [/^denied by you$/, { decision: 'denied', by: 'user' }],
  [/^denied: A rule of the user forbids it/, { decision: 'denied', by: 'rule' }],
  [
    /^denied: (?:It needs permission, and nobody|Nobody |The terminal that started)/,
    { decision: 'denied', by: 'nobody' },
  ],
  [/^denied: This chat is set to chat only/, { decision: 'denied', by: 'mode' }],
  [/^denied/, { decision: 'denied', by: 'policy' }],
  [/^its own background process/, { decision: 'ran', by: 'policy', how: 'own_process' }],
  [/^reading in the workspace/, { decision: 'ran', by: 'policy', how: 'reads_folder' }],
  [/^a command that only reads/, { decision: 'ran', by: 'policy', how: 'only_reads', access: 'look' }],
  [/^it runs confined, where/, { decision: 'ran', by: 'policy', how: 'confined_read', access: 'look' }],
  [/^it only changes what Talaria/, { decision: 'ran', by: 'policy', how: 'undoable' }],
  [/^you let this tool run/, { decision: 'ran', by: 'policy', how: 'trusted_tool' }],
  [/^full access/, { decision: 'ran', by: 'mode' }],
  [/^allowed by your rule /, { decision: 'ran', by: 'rule' }],
  [/^allowed by you for this chat/, { decision: 'ran', by: 'grant' }],
  [/^allowed by you, with network/, { decision: 'ran', by: 'user', how: 'once', access: 'network' }],
  [/^allowed by you/, { decision: 'ran', by: 'user', how: 'once' }],
  [/^always allowed by you/, { decision: 'ran', by: 'user', how: 'always' }],
  [/^answered by you/, { decision: 'ran', by: 'user', how: 'answer' }],
  [/^another agent/, { decision: 'ran', by: 'other_agent' }],
]
const CUT_SHORT = /, then stopped$/
const RULES = /^allowed by your rule (.*?)(?:, then stopped)?$/s
const WHY = /^denied: (.*)$/s
/** Tools whose results began with the exit code of their command. */
const EXIT = /^(?:Error: )?exit code (-?\d{1,9})\n/
const OF_SERVERS = /^(?:use_tool$|mcp__)/

/** Return the record of a call whose reason was stored as a sentence; for the migration to records. */
export function readOldReason(reason: string, tool: string, text: string, path: string | null): CallRecord {
  const found = OLD.find(([form]) => form.test(reason))?.[1] ?? { decision: 'ran' as const, why: reason }
  const record: CallRecord = { ...found }
  const rules = RULES.exec(reason)?.[1]
  if (rules !== undefined) record.rules = [rules]
  const why = WHY.exec(reason)?.[1]
  if (why !== undefined) record.why = why
  if (record.decision !== 'ran') return record
  if (CUT_SHORT.test(reason)) record.cutShort = true
  const exit = tool === 'terminal' ? EXIT.exec(text)?.[1] : undefined
  if (exit !== undefined) record.exitCode = Number(exit)
  if (path !== null && path !== '') record.files = [path]
  if (OF_SERVERS.test(tool)) record.sources = [tool]
  return record
}

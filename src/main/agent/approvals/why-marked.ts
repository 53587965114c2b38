import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { isDescribed, isOfWeb } from '../../untrusted/strangers-text.ts'
import type { Intent } from '../../tools/registry/tool.ts'

/** Whether a mark is for a server's description of its tools, which the user has agreed to. */
const isAgreed = ({ source, described }: StrangersMark) => described === true || isDescribed(source)

/** Remove the marks of descriptions, which the user has agreed to. */
export const unreadOf = (marks: readonly StrangersMark[] = []): StrangersMark[] =>
  marks.filter(mark => !isAgreed(mark))

/** All marks, those of descriptions last. */
export const unreadFirst = (marks: readonly StrangersMark[] = []): StrangersMark[] => [
  ...unreadOf(marks),
  ...marks.filter(isAgreed),
]

/**
 * The marks that count for a call. The user has agreed to descriptions, so these do not keep a tool from
 * running unasked. Beside another text they need not be named.
 */
export function marksFor(intent: Intent, marks: readonly StrangersMark[] = []): readonly StrangersMark[] {
  const unread = unreadOf(marks)
  return intent.mcp || unread.length > 0 ? unread : marks
}

/** Whether a call goes to the source of all marks, a server or a mixture's models: it learns nothing new. */
export function isOfTheirSource(marks: readonly StrangersMark[], { mcp, models }: Intent): boolean {
  const own = mcp?.source ?? models?.source
  return own !== undefined && marks.length > 0 && marks.every(({ source }) => source === own)
}

/** The known facts about a command. */
type Read = {
  reads?: boolean
  readsPlainly?: boolean
  /** Why every such call must be approved. */
  risk?: string | undefined
  /** The command of a background process in the folder. */
  running?: string | undefined
}

/**
 * Why a call asks in every mode while the chat contains a stranger's text, which may have asked for it.
 * Changes to files in the folder continue as before, unless a background process there may run those files.
 * So do commands that only read, if they run in *Look* or are known to start no program.
 */
export function whyMarked(
  marks: readonly StrangersMark[],
  intent: Intent,
  { reads, readsPlainly, risk: danger, running }: Read,
): string | undefined {
  const { command, mcp, models, risk, inWorkspace, undoable, background } = intent
  if (mcp) return textBehind(`It sends something to ${mcp.source}.`, marks)
  if (models) return textBehind(`It sends a question to ${models.away}.`, marks)
  const onlyReads = (reads || readsPlainly) && danger === undefined && inWorkspace && !background
  if (command !== undefined && !onlyReads) return textBehind('It may send or schedule something.', marks)
  if (undoable) return textBehind('It would be remembered.', marks)
  if (command !== undefined || risk === 'read') return undefined
  if (!inWorkspace) return textBehind('It writes outside the folder.', marks)
  return running === undefined
    ? undefined
    : textBehind(
        `The background process “${shortCommand(running)}” runs in this folder and may run what it writes.`,
        marks,
      )
}

const shortCommand = (command: string) => {
  const line = command.replaceAll(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line
}

/** Maximum number of sources in a reason. */
const MOST_NAMED = 3

/** Describe a call, and name the texts that may have asked for it. */
export function textBehind(what: string, marks: readonly StrangersMark[]): string {
  const sources = [
    ...new Set(
      marks.map(mark => (isAgreed(mark) || isOfWeb(mark.source) ? mark.source : `text from ${mark.source}`)),
    ),
  ]
  const named = sources.slice(0, MOST_NAMED)
  const more = sources.length - named.length
  const read = [...named, ...(more > 0 ? [`${more} more`] : [])].join(' and ')
  return `${what} This chat has read ${read}, which may have asked for it.`
}

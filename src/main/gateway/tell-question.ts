import type { Approval } from '../../shared/contract/runs/run.ts'
import { showHidden, showHiddenInLine } from '../../shared/visible-text/show-hidden.ts'
import type { Part } from './platform.ts'

/** Tools of files, whose calls the detail of a question shows whole. */
const FILE_TOOLS = new Set(['read_file', 'write_file', 'patch_file', 'list_files', 'search_files'])
/** A tool that always asks and may be answered on a phone: it sends a file of the chat to the very place that answers. */
const SEND_FILE = 'send_file'

const AT_COMPUTER = 'Decide at the computer.'

/**
 * Why a question cannot be allowed on a phone, for the person; undefined if it can. Only what is known to stay in the folder of the chat, or
 * to say whole what it sends, may be allowed there: whatever else there is, now or later, is decided at the computer.
 */
export function whyAtComputer(approval: Approval): string | undefined {
  const { tool, command, sends, question, texts, trial, inEveryMode, parts = [] } = approval
  const beyond = new Set(approval.beyond)
  const isQuestion = question !== undefined && tool === 'ask_user'
  if (trial !== undefined) return 'It would change what a schedule may do from now on.'
  if (beyond.has('rule')) return 'One of your rules asks each time.'
  if (beyond.has('obeyed')) return 'It would change what other programs obey.'
  if (isQuestion) return undefined
  if (tool === SEND_FILE) return beyond.has('outside') ? OUTSIDE : undefined
  if (question !== undefined || beyond.has('tool')) return 'It would change what may be done from now on.'
  if (sends) return undefined
  if (beyond.has('outside')) return OUTSIDE
  if (command) {
    if (command.whyNot !== '') return 'This computer cannot confine commands to the folder of the chat.'
    if ((command.obeyed ?? 'all') !== 'nothing') return 'It would change what other programs obey.'
    if (command.keys === undefined || command.keys.length > 0) return 'It would get some of your keys.'
    // What cannot be read cannot be checked against what never runs.
    if (parts.length === 0) return 'Not all of the command can be read.'
  } else if (!FILE_TOOLS.has(tool)) return 'Questions of this kind can only be answered there.'
  return inEveryMode && !texts?.length ? 'It asks in every mode.' : undefined
}

const OUTSIDE = 'It reaches outside the folder of the chat.'

/** What a question says on a phone: the Markdown, and the texts that must be seen whole before it is allowed. */
export type ToldQuestion = { markdown: string; mustShow: readonly string[] }

/** Put a question into words for a phone. What a model wrote stands in blocks of code or is escaped, so that it cannot look like anything else. */
export function tellQuestion(approval: Approval, howTo: string): ToldQuestion {
  const { agent, title, detail, reason, folder, sends, question, command } = approval
  const shown = showHidden(question ? question.text : (sends?.text ?? detail)).trim()
  const head = `${agent ? `${showHiddenInLine(agent.name)}: ` : ''}${showHiddenInLine(title)}`
  const choices = question?.choices.map((choice, at) => `${at + 1}. ${showHiddenInLine(choice)}`) ?? []
  const known = sends?.data.map(each => showHiddenInLine(each)) ?? []
  const about = question || sends || head.includes(folder) ? '' : `Folder: ${showHiddenInLine(folder)}`
  const why = showHiddenInLine(reason)
  const blocks = [
    `**${escapeMarkdown(head)}**`,
    ...(shown === '' ? [] : [fenceText(shown)]),
    ...(choices.length > 0 ? [choices.map(escapeMarkdown).join('  \n')] : []),
    ...(known.length > 0 ? [`From this chat: ${escapeMarkdown(known.join(', '))}`] : []),
    ...(command?.keys?.length ? [escapeMarkdown(`With the keys ${command.keys.join(', ')}`)] : []),
    ...[about, why].filter(text => text !== '').map(escapeMarkdown),
    escapeMarkdown(howTo),
  ]
  return {
    markdown: blocks.join('\n\n'),
    mustShow: [head, shown, ...choices, ...known, about, why],
  }
}

/** Whether one message shows all of it, with nothing pushed out of sight, blacked out or left out. */
export function isShownWhole(parts: readonly Part[], { mustShow }: ToldQuestion): boolean {
  const [part] = parts
  if (!part || parts.length > 1) return false
  const seen = withoutSpaces(part.plain)
  return mustShow.every(text => !FAR.test(text) && seen.includes(withoutSpaces(text)))
}

/** Space that moves what follows out of sight. */
const FAR = /(?:\n[ \t]*){4}|[ \t]{40}/
const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, '')

/** A text as it is, in Markdown: all that could mean something is escaped. */
const escapeMarkdown = (text: string) => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)

function fenceText(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** What is said in place of buttons to allow, where there are none. */
export const sayAtComputer = (why: string): string => `${why} ${AT_COMPUTER}`

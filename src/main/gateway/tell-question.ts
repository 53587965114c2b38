import type { Approval } from '../../shared/contract/runs/run.ts'
import { showHidden, showHiddenInLine } from '../../shared/visible-text/show-hidden.ts'
import type { Part } from './platform.ts'

/** File tools, for which a question's detail shows the whole call. */
const FILE_TOOLS = new Set(['read_file', 'write_file', 'patch_file', 'list_files', 'search_files'])
/** A tool that always asks and may be allowed on a phone: its file goes to the place that answers. */
const SEND_FILE = 'send_file'

const AT_COMPUTER = 'Decide at the computer.'

/**
 * Return why a question cannot be allowed on a phone; undefined if it can. Only calls known to stay in the
 * chat's folder, or to show all that they send, can be. Everything else, now or later, is decided at the
 * computer.
 */
export function whyAtComputer(approval: Approval): string | undefined {
  const { tool, command, sends, question, texts, trial, inEveryMode, parts = [] } = approval
  const beyond = new Set(approval.beyond)
  const isQuestion = question !== undefined && tool === 'ask_user'
  if (trial !== undefined) return 'It would change what a schedule may do from now on.'
  if (beyond.has('rule')) return 'One of your rules asks each time.'
  if (beyond.has('obeyed')) return 'It would change files that other programs obey.'
  if (isQuestion) return undefined
  if (tool === SEND_FILE) return beyond.has('outside') ? OUTSIDE : undefined
  if (question !== undefined || beyond.has('tool')) return 'It would change what may be done from now on.'
  if (sends) return undefined
  if (beyond.has('outside')) return OUTSIDE
  if (command) {
    if (command.whyNot !== '') return 'On this computer, nothing confines commands to the chat’s folder.'
    if ((command.obeyed ?? 'all') !== 'nothing') return 'It would change files that other programs obey.'
    if (command.keys === undefined || command.keys.length > 0) return 'It would get some of your keys.'
    // A command that cannot be parsed cannot be checked against the hard limits.
    if (parts.length === 0) return 'Part of the command cannot be read.'
  } else if (!FILE_TOOLS.has(tool)) return 'It is of a kind that is decided there.'
  return inEveryMode && !texts?.length ? 'It asks in every mode.' : undefined
}

const OUTSIDE = 'It reaches outside the folder of the chat.'

/** A question for a phone: its Markdown, and the texts that must be fully visible before allowing it. */
export type ToldQuestion = { markdown: string; mustShow: readonly string[] }

/** Phrase a question for a phone. Text by a model is escaped or in a code block, so that it cannot pose as the question. */
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

/** Return whether one message shows everything, with nothing pushed out of sight, redacted or left out. */
export function isShownWhole(parts: readonly Part[], { mustShow }: ToldQuestion): boolean {
  const [part] = parts
  if (!part || parts.length > 1) return false
  const seen = withoutSpaces(part.plain)
  return mustShow.every(text => !FAR.test(text) && seen.includes(withoutSpaces(text)))
}

/** White space that pushes the following text out of sight. */
const FAR = /(?:\n[ \t]*){4}|[ \t]{40}/
const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, '')

/** Escape a text for Markdown, so that it is shown as it is. */
const escapeMarkdown = (text: string) => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)

function fenceText(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** Return the text that replaces the buttons to allow. */
export const sayAtComputer = (why: string): string => `${why} ${AT_COMPUTER}`

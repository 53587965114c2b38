import { byCount, many } from '../../../../shared/text/amounts.ts'
import { readCut } from '../../../tools/tell/cut-texts.ts'
import {
  listPoints,
  quoteWords,
  textIn,
  toOneLine,
  writeBlock,
  writeWords,
} from '../../../tools/tell/plain-markdown.ts'
import { forPerson, tellFailed } from '../../../tools/tell/tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** Maximum number of chats and messages to show, and of characters per message. */
const MOST_CHATS = 12
const MOST_MESSAGES = 20
const LONGEST_LINE = 200

type Message = { role: string; text: string; isBest: boolean }
type Chat = { title: string; day: string; messages: Message[] }

const HEADING = /^## ([^\n]*), (\d{4}-\d{2}-\d{2}) \(session_id [^\n]*\)$/
const MESSAGE = /^(→| ) (\w+) \(\d+[^()\n]*\): (.*)$/
const RECENT = /^- (\d{4}-\d{2}-\d{2}) (.*?) \(session_id \S+ \d+ messages(?:, archived)?\): ?(.*)$/

/** Return a text that lists the found chats, or the messages of one. */
export function tellChats(input: Input, { ok, text: given }: Result): string {
  const query = textIn(input, 'query').trim()
  const about = query === '' ? '' : ` about ${quoteWords(query, 120)}`
  const text = readCut(given).text.replace(
    /^(?:\[There is no argument [^\n]*\]\n|\[\w+ is a number from [^\n]*\]\n)+/,
    '',
  )
  if (!ok) return tellUnfound(about, text)
  if (text.startsWith('Nothing was found in earlier chats'))
    return `I found nothing${about} in earlier chats.`
  if (text === 'There are no earlier chats.') return 'There are no earlier chats.'
  if (text === 'Nothing was said in this chat.') return 'Nothing was said in that chat.'
  const recent = text.split('\n').flatMap(line => {
    const [, day = '', title = '', preview = ''] = RECENT.exec(line) ?? []
    return day === ''
      ? []
      : [`${day}, ${quoteWords(title, 120)}${preview === '' ? '' : `: ${writeWords(preview, LONGEST_LINE)}`}`]
  })
  if (recent.length > 0 && !HEADING.test(text.split('\n', 1)[0] ?? ''))
    return `${byCount(recent.length, 'This is the latest chat', `These are the ${recent.length} latest chats`)}:\n\n${listPoints(recent, MOST_CHATS)}`
  const chats = readChats(text)
  const [only] = chats
  if (!only) return writeBlock(text).block
  const isRead = /\n\[\d+ of \d+ messages shown/.test(text)
  return isRead ? tellChat(only, text) : tellFound(chats, about, text)
}

function tellFound(chats: readonly Chat[], about: string, text: string): string {
  const points = chats.map(({ day, title, messages }) => {
    const best = messages.find(({ isBest }) => isBest) ?? messages[0]
    return `${day}, ${quoteWords(title || 'Untitled chat', 120)}${best ? `: ${messageInWords(best)}` : ''}`
  })
  const weak = text.startsWith('None of the words that tell something')
    ? ' They have only its everyday words, so they may be about something else.'
    : ''
  return `I found ${many(chats.length, 'earlier chat')}${about}:${weak}\n\n${listPoints(points, MOST_CHATS)}`
}

function tellChat({ title, day, messages }: Chat, text: string): string {
  const [, count = '', all = '', which = ''] =
    /\n\[(\d+) of (\d+) messages shown(?:: (page \d+ of \d+))?/.exec(text) ?? []
  const points = messages.map(each => messageInWords(each))
  const part =
    count === all ? '' : ` These are ${count} of its ${all} messages${which === '' ? '' : ` (${which})`}.`
  return `This is the chat ${quoteWords(title || 'Untitled chat', 120)} of ${day}.${part}\n\n${listPoints(points, MOST_MESSAGES)}`
}

const WHO: Readonly<Record<string, string>> = { user: 'You', assistant: 'Talaria', tool: 'A result' }
const messageInWords = ({ role, text }: Message): string =>
  `${WHO[role] ?? role}: ${quoteWords(text, LONGEST_LINE)}`

function readChats(text: string): Chat[] {
  const chats: Chat[] = []
  for (const line of text.split('\n')) {
    const [, title = '', day = ''] = HEADING.exec(line) ?? []
    const chat = chats.at(-1)
    const [, sign = '', role = '', said = ''] = MESSAGE.exec(line) ?? []
    const last = chat?.messages.at(-1)
    if (day !== '') chats.push({ title, day, messages: [] })
    else if (chat && role !== '') chat.messages.push({ role, text: said, isBest: sign === '→' })
    // A long message continues on the next lines.
    else if (last?.isBest && line !== '' && !/^\s*…$|^# |^\[/.test(line) && last.text.length < LONGEST_LINE)
      last.text = toOneLine(`${last.text} ${line}`)
  }
  return chats
}

function tellUnfound(about: string, reason: string): string {
  if (reason.startsWith('There is no chat ')) return 'There is no such chat.'
  if (reason.startsWith('There is no message ')) return 'There is no such message in that chat.'
  if (reason.startsWith('This is still in your context')) return 'That is in this chat: it stands above.'
  return tellFailed(`search earlier chats${about}`, forPerson(reason))
}

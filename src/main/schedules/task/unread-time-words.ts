import { isNumeric, type UnreadToken } from './unread-tokens.ts'
import { isKind, isPlain, isSign, valueOf, type Token } from '../read/time-tokens.ts'

type Tokens = readonly Token[]

/** Whether a token is a day, or a part of one, that no clause has read. */
export function isUnreadDay({ token, tokens, at, before, after, recurs }: UnreadToken): boolean {
  if (isKind(token, 'group')) {
    const isOfTask =
      isPlain(before) && !(isKind(before, 'article') && isKind(tokens[at - 2], 'on', 'at', 'in'))
    return !isPlain(after) && !isOfTask
  }
  if (!isKind(token, 'weekday', 'weekdays', 'groups', 'offset', 'tonight') || recurs) return false
  const offset = valueOf(token, 'offset')
  return offset !== undefined && isKind(token, 'part') ? true : !isPlain(before) && (offset ?? 0) >= 0
}

const SHORT_UNIT = 86_400

/** Whether a unit of time says more than how long part of the task takes, or how long ago it was. */
export function isUnreadUnit({
  token,
  tokens,
  at,
  before,
  after,
  isAfterClause,
  isBeforeClause,
  isNearClause,
  recurs,
}: UnreadToken): boolean {
  if (!isKind(token, 'unit', 'months')) return false
  // “um 18 Uhr Stunden abgeben”
  if (isKind(before, 'oclock') && token.meanings.german && isPlain(after)) return false
  if (!isAfterClause && isOfTask(tokens, at)) return false
  if (isAfterClause || isBeforeClause || isNearClause || isKind(after, 'past', 'before', 'bound')) return true
  if (isKind(before, 'every', 'per', 'other', 'half', 'ordinal', 'repeat') && !isNumberOrArticle(before))
    return true
  if (isNumeric(before) || before?.type === 'decimal') return !isTaskSpan(tokens, at - 1)
  const isOnIt = isKind(before, 'article') && isKind(tokens[at - 2], 'on')
  return isOnIt || (isKind(before, 'next', 'coming', 'this') && !recurs && !isPlain(after))
}

/** Whether the unit belongs to the task: `a summary of the week`. */
const isOfTask = (tokens: Tokens, at: number) =>
  isKind(tokens[at - 1], 'article', 'this', 'next', 'coming') &&
  (isKind(tokens[at - 2], 'of') || /^(for|about|für)$/i.test(tokens[at - 2]?.text ?? '')) &&
  isPlain(tokens[at - 3]) &&
  !/^(end|start|beginning|middle|day|rest|half|part)$/i.test(tokens[at - 3]!.text)

const isNumberOrArticle = (token: Token | undefined) => isKind(token, 'number', 'article')

/** Whether a number and unit belong to the task: `older than 30 days`, `a 5 minute break`. */
function isTaskSpan(tokens: Tokens, at: number): boolean {
  const [first, second] = [tokens[at - 2], tokens[at - 1]]
  const unit = valueOf(tokens[at + 1], 'unit') ?? Infinity
  if (/^(than|als)$/i.test(second?.text ?? '')) return true
  if (/^(within|innerhalb)$/i.test(second?.text ?? '') && isPlain(first)) return true
  if (unit >= SHORT_UNIT) return false
  const isLed = isPlain(second) || (/^(for|für)$/i.test(second?.text ?? '') && isPlain(first))
  return isLed || (isKind(second, 'number', 'article') && isPlain(tokens[at + 2]))
}

/** Whether no word of the task explains a number, unlike in `3 notes` and `chapter 5`. */
export function isUnreadNumber({
  token,
  tokens,
  at,
  before,
  after,
  isAfterClause,
  isBeforeClause,
  isRead,
}: UnreadToken): boolean {
  // “on 3 and 5 December”: the clause has read only the end of the list.
  if ((isJoining(after) || isKind(after, 'or')) && isRead[at + 2] && tokens[at + 2]?.type === 'number')
    return true
  if (isKind(after, 'unit', 'months')) return !isTaskSpan(tokens, at)
  if (isKind(after, 'timesWord', 'month', 'weekday', 'meridiem', 'oclock')) return true
  const isLed = isKind(before, 'at', 'every', 'vague', 'until', 'start', 'range', 'month', 'half')
  if (isLed && !/^(alle|jeden?|after|from|von|vor|nach|about|since|seit|than|least)$/i.test(before!.text))
    return true
  if (token.isOrdinal) return !isPlain(after)
  if (token.type !== 'number' && (isAfterClause || isBeforeClause)) return true
  if (/^x$/i.test(after?.text ?? '')) return true
  const isCounting = isPlain(after) && !isBeforeClause
  if (isAfterClause && !isCounting) return true
  // “chapters 3, 4 and 5”
  let first = at
  while (isJoining(tokens[first - 1]) && tokens[first - 2]?.type === 'number') first -= 2
  const isNamed = isPlain(tokens[first - 1]) || isSign(before, '#$€£') || isSign(after, '%€$')
  return !isNamed && !isCounting && token.type === 'number' && (isBeforeClause || after === undefined)
}

const isJoining = (token: Token | undefined) => isKind(token, 'and') || isSign(token, ',&/')

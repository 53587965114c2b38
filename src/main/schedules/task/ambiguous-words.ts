import { isNumeric, isTimely, isTimeNear, type UnreadToken } from './unread-tokens.ts'
import { isUnreadDay, isUnreadNumber, isUnreadUnit } from './unread-time-words.ts'
import { isOtherTime, isZone } from './other-zone.ts'
import { isJoin } from '../read/read-clauses.ts'
import { isRestriction } from './restricting-words.ts'
import { isKind, isPlain, isSign, valueOf } from '../read/time-tokens.ts'

/** Kinds of words that would change the meaning of a clause after them: “around 8”, “until Friday”. */
const CHANGES_NEXT = [
  'vague',
  'bound',
  'not',
  'except',
  'until',
  'start',
  'range',
  'or',
  'to',
  'half',
  'quarter',
  'every',
  'next',
  'ago',
  'last',
  'now',
  'holiday',
  'timesWord',
] as const
/** Kinds of words that would change the meaning of a clause before them: “at 8 or so”, “at 9 to 17”. */
const CHANGES_LAST = [
  'to',
  'until',
  'not',
  'except',
  'or',
  'half',
  'ordinal',
  'times',
  'timesWord',
  'meridiem',
  'oclock',
  'start',
  'every',
  'bound',
  'holiday',
  'vague',
] as const
const MAY_FOLLOW = /^(an?|to|from|von|eine[rmn]?|ein|not|nicht|every|jede[nsmr]?|alle|lang|so|about)$/i

/** “how many days are left until Christmas”: the task counts towards a day. */
const isCountdown = ({ tokens, at }: UnreadToken) =>
  tokens
    .slice(Math.max(0, at - 4), at)
    .some(({ text }) => /^(days|weeks|months|left|tage|wochen)$/i.test(text)) &&
  tokens
    .slice(Math.max(0, at - 6), at)
    .some(({ text }) => /^(many|long|count|viele|lange|zähle|zählen)$/i.test(text))

/** “an den Geburtstag erinnern”: the day is the thing to remember. */
const isRemembered = ({ tokens, at, before }: UnreadToken) =>
  isKind(before, 'article') &&
  /^an$/i.test(tokens[at - 2]?.text ?? '') &&
  tokens.slice(at + 1, at + 8).some(({ text }) => /^(erinner(n|e)|denken?)$/i.test(text))

const SEARCHES = /^(nach)?(sehen|schauen|suchen|gucken|fragen|forschen)$/i

/** “nach neuen Dateien sehen”: the word belongs to the verb. */
const isSearch = ({ tokens, at, token, after }: UnreadToken) =>
  /^nach$/i.test(token.text) &&
  isPlain(after) &&
  (isKind(after, 'article')
    ? SEARCHES.test(tokens[at + 3]?.text ?? '')
    : tokens.slice(at + 1).some(({ text }) => SEARCHES.test(text)))

/** Cases in which a word that no clause has read is more than part of the task. */
export const AMBIGUITIES: readonly ((left: UnreadToken) => boolean)[] = [
  ({ token }) => ['clock', 'iso', 'date'].includes(token.type),
  left => ['number', 'decimal', 'slash'].includes(left.token.type) && isUnreadNumber(left),
  isZone,
  isOtherTime,
  isRestriction,
  // “9ish”, “bi-weekly”, “9-ish”.
  ({ token, after, tokens, at, isAfterClause, isBeforeClause }) =>
    (isAfterClause && token.isGlued && token.type === 'word') ||
    (token.type === 'word' &&
      isSign(after, '-–') &&
      after!.isGlued &&
      tokens[at + 2]?.isGlued === true &&
      tokens[at + 2]!.type === 'word' &&
      !isPlain(tokens[at + 2])) ||
    (isSign(token, '-–+') && isAfterClause && (isBeforeClause || token.isGlued)),
  ({ token, isBeforeClause }) => isBeforeClause && isKind(token, ...CHANGES_NEXT),
  left =>
    left.isAfterClause &&
    isKind(left.token, ...CHANGES_LAST) &&
    !isSearch(left) &&
    (!MAY_FOLLOW.test(left.token.text) || isTimely(left.after) || left.after === undefined),
  ({ token, after, isAfterClause }) => isAfterClause && isKind(token, 'number') && !isPlain(after),
  // “for two weeks” after a clause is an end.
  left => left.isAfterClause && /^(for|für)$/i.test(left.token.text) && isTimeNear(left, 5),
  ({ token, after, isAfterClause }) => isAfterClause && /^as$/i.test(token.text) && after?.text === 'long',
  left => isKind(left.token, 'until') && !/^(bis|through)$/i.test(left.token.text) && !isCountdown(left),
  left => isKind(left.token, 'except', 'not', 'until', 'start') && isTimeNear(left) && !isCountdown(left),
  ({ token, after }) => isKind(token, 'except', 'not') && /^(when|if|wenn|falls)$/i.test(after?.text ?? ''),
  ({ token }) => /^(unless|außer|otherwise)$/i.test(token.text),
  left =>
    /^(but|aber|doch|ohne|without|if|wenn|falls|no|minus|skip)$/i.test(left.token.text) && isTimeNear(left),
  ({ token, before, isAfterClause, isNearClause, ...left }) =>
    isKind(token, 'holiday') &&
    !isRemembered({ ...left, token, before, isAfterClause, isNearClause }) &&
    !isCountdown({ ...left, token, before, isAfterClause, isNearClause, at: left.at - 1 }) &&
    (isAfterClause ||
      isNearClause ||
      isKind(before, 'on', 'in', 'except', 'not', 'until', 'at', 'vague', 'bound', 'every', 'next', 'of')),
  ({ token, after }) => isKind(token, 'repeat') && !isPlain(after),
  // “after work every day at 9”
  ({ token, at }) => at === 0 && isKind(token, 'vague', 'until'),
  ({ token, after, isAfterClause, isBeforeClause }) =>
    isKind(token, 'part') &&
    !isKind(token, 'offset') &&
    (isBeforeClause || (isAfterClause && !isPlain(after))),
  ({ token, before }) =>
    /^x\d*$/i.test(token.text) && (isNumeric(before) || token.text.length > 1 || before === undefined),
  ({ token, before, isAfterClause }) =>
    token.text.toLowerCase() === 'times' &&
    (isAfterClause || isNumeric(before) || /^(few|several|many|some|couple|of)$/i.test(before?.text ?? '')),
  isUnreadDay,
  isUnreadUnit,
  ({ token, before, isAfterClause, isBeforeClause }) =>
    isKind(token, 'month') &&
    token.text.length > 3 &&
    !/^(march|sept)$/i.test(token.text) &&
    (isAfterClause || isBeforeClause || !(isPlain(before) || isKind(before, 'article', 'this', 'last'))),
  ({ token, before }) => isKind(token, 'timesWord') && isNumeric(before),
  ({ token }) => (valueOf(token, 'times') ?? 0) > 1,
  // “at 9 at the latest”
  ({ token, isAfterClause }) => isAfterClause && isKind(token, 'at'),
  ({ token, after, isBeforeClause }) =>
    /^(spätestens|frühestens)$/i.test(token.text) ||
    (/^(latest|earliest)$/i.test(token.text) && (isBeforeClause || !isPlain(after))),
  // “at minute 15 of every hour”
  ({ token, before }) => isKind(token, 'unit') && isKind(before, 'at'),
  ({ token }) =>
    isKind(token, 'clock', 'parts', 'oclock') || (isKind(token, 'meridiem') && !isKind(token, 'on')),
  isOtherDay,
]

/**
 * For a single run with a bare time: words that seem to name an unknown day, such as “every full moon at 9”
 * and “at 9 on my birthday”.
 */
function isOtherDay({ tokens, at, token, before, isAfterClause, isBareTime }: UnreadToken): boolean {
  if (!isBareTime || /^an$/i.test(token.text)) return false
  if (isKind(token, 'every', 'repeat') && (at === 0 || isAfterClause)) return true
  const isOn =
    (isKind(token, 'on') && !isKind(token, 'of')) ||
    /^(when|wenn|sobald|after|before|nach|vor|next|nächste[nrs]?)$/i.test(token.text)
  if (!isOn || (at > 0 && !isAfterClause && !isJoin(before!))) return false
  return at === 0 || isPlain(tokens[at + 1]) || isKind(tokens[at + 1], 'article', 'number')
}

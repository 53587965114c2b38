import type { Unplannable, Placed } from '../read/clause.ts'
import { AMBIGUITIES } from './ambiguous-words.ts'
import { isNumeric, type UnreadToken } from './unread-tokens.ts'
import { isNoOrder } from './restricting-words.ts'
import { isKind, isSign, type Token } from '../read/time-tokens.ts'

type Tokens = readonly Token[]

/** The reason why the rest of a text cannot be only a task: it has a time word that no clause has read. */
export function checkTask(
  tokens: Tokens,
  { all, placed, recurs }: { all: readonly Placed[]; placed: readonly Placed[]; recurs: boolean },
): Unplannable | undefined {
  const isRead = flagsOf(tokens, placed)
  const isPassed = flagsOf(tokens, all)
  const isBareTime =
    !recurs && placed.every(({ clause }) => clause.kind === 'times' || clause.kind === 'part')
  const isGerman = tokens.some(({ meanings }) => meanings.german === true)
  if (isNoOrder(tokens)) return { open: 'This asks about a schedule or ends one. Write what to do and when.' }
  for (let at = 0; at < tokens.length; at++) {
    if (isPassed[at]) continue
    const passed = endOfPast(tokens, at)
    const isOfMonth =
      passed !== undefined && isKind(tokens[passed], 'of') && isKind(tokens[passed + 2], 'months')
    const isDayBefore = at === 0 && !recurs && isRead[passed ?? -1] === true
    if (passed !== undefined && !isDayBefore && !isRead[passed - 1] && !isRead[at - 1] && !isOfMonth) {
      at = passed - 1
      continue
    }
    let near = at - 1
    while (near > at - 5 && near >= 0 && !isRead[near] && isKind(tokens[near], ...SMALL)) near--
    const isJoined = tokens
      .slice(near + 1, at)
      .some(each => isKind(each, 'of', 'in', 'on', 'every', 'this', 'next', 'coming'))
    const left: UnreadToken = {
      tokens,
      at,
      token: tokens[at]!,
      before: tokens[at - 1],
      after: tokens[at + 1],
      isAfterClause: isRead[at - 1] === true,
      isBeforeClause: isRead[at + 1] === true,
      isNearClause: isJoined && isRead[near] === true,
      isRead,
      isGerman,
      recurs,
      isBareTime,
    }
    if (!isOwner(left) && AMBIGUITIES.some(isDoubtful => isDoubtful(left)))
      return { open: `“${tokens[at]!.text}” is not understood: write the time without it, or more plainly.` }
  }
  return undefined
}

const SMALL = ['of', 'in', 'on', 'article', 'every', 'this', 'next', 'coming'] as const

function flagsOf(tokens: Tokens, placed: readonly Placed[]): boolean[] {
  const flags = tokens.map(() => false)
  for (const { at, end } of placed) flags.fill(true, at, end)
  return flags
}

/** The index after words about the past, such as `last week` or `the past 24 hours`; else undefined. */
function endOfPast(tokens: Tokens, at: number): number | undefined {
  if (!isKind(tokens[at], 'ago')) return undefined
  const end = isNumeric(tokens[at + 1]) ? at + 2 : at + 1
  return isKind(tokens[end], 'unit', 'months', 'weekday', 'month', 'part', 'group') ? end + 1 : undefined
}

/** Words such as “yesterday's” belong to what follows them. */
const isOwner = ({ token, tokens, at }: UnreadToken) =>
  /['’]s$/.test(token.text) || (isSign(tokens[at + 1], "'’") && tokens[at + 2]?.text === 's')

import { isBehindClause, lowerCased, type UnreadToken } from './unread-tokens.ts'
import { isKind, isSign, type Token } from '../read/time-tokens.ts'

/** Words after a clause that restrict it: “at 8 if it is dry”, “at 9, preferably earlier”. */
const RESTRICTS = new Set(
  (
    'if when whenever unless while provided providing assuming given once after before but however only except ' +
    'ago ending depending subject again right straight shortly immediately other throughout during ' +
    'as up effective last final thereafter onwards onward inclusive exclusive excluded included also too plus minus ' +
    'otherwise rather maximum minimum total though although even ' +
    'wenn falls sofern sobald nachdem bevor während solange aber jedoch allerdings erneut nochmal endend direkt gleich ' +
    'insgesamt maximal letztmals erstmals zuletzt inklusive ansonsten sonst abwechselnd obwohl'
  ).split(' '),
)
/** Words next to a clause that leave open whether it applies. */
const HEDGES = new Set(
  (
    'usually normally preferably ideally sometimes occasionally maybe perhaps probably possibly most least ' +
    'möglichst manchmal gelegentlich vielleicht wahrscheinlich eventuell meist meistens normalerweise bestenfalls'
  ).split(' '),
)
/** Seasons, moons and other days that are in no calendar here. */
const UNKNOWN_DAYS =
  /^(advent|lent|fastenzeit|regenzeit|season|saison|term|semester|trimester|vollmond|neumond|eve|payday|zahltag|schultag(en)?|kw|kalenderwochen?|monatsanfang|monatsmitte|monatsende|(jahres|quartals)(ende|anfang)|wochen(anfang|mitte)|dawn|dusk|sundown|tägige?|wöchige?|oster(montag|sonntag)|pfingst(montag|sonntag)|rosenmontag|karfreitag)$/
const SOME_DAY =
  /^(an?|some|any|one|another|following|previous|einem|irgendeinem?|manche[nrm]?|folgenden|darauffolgenden)$/
const FEAST = /^(black|good|cyber|ash|easter|shrove|maundy|palm|fat|pancake)$/
/** Conditions, not names: “at 8 bei Regen”. */
const STATES =
  /^(regen|schnee|sonne|sonnenschein|vollmond|neumond|bedarf|gelegenheit|gutem|schlechtem|schönem|frost|hitze|kälte)$/
const QUESTION = /^(what|how|why|which|who|is|are|does|did|was|where|wie|warum|wer|welche[rsn]?|ist|wann)$/
const ENDS_A_JOB = /^(stop|cancel|pause|remove|delete|lösche?|beende|stoppe?|pausiere|entferne|storniere)$/
const JOB =
  /^(job|jobs|schedule|schedules|reminder|reminders|running|reminding|doing|auftrag|zeitplan|erinnerung|erinnerungen)$/

const REMINDER = /^(schedules?|reminders?|zeitplan|erinnerung(en)?)$/

/** Whether a word restricts a clause to some occasions, or names days that are unknown. */
export function isRestriction(left: UnreadToken): boolean {
  const { at, token, after, before, isBeforeClause, isBareTime } = left
  const word = lowerCased(token)
  const isBehind = isBehindClause(left)
  if (isBehind && (RESTRICTS.has(word) || /^(permitting|allowing)$/.test(lowerCased(after)))) return true
  if (/^(full|new)$/.test(word) && lowerCased(after) === 'moon') return true
  // “on a Monday”, “some Monday”, “the following Monday” do not say which one.
  if (isBeforeClause && SOME_DAY.test(word) && isKind(after, 'weekday')) return true
  if (isBehind && word === 'on' && !isKind(after, 'article') && !/^(my|our|your)$/.test(lowerCased(after)))
    return true
  if (HEDGES.has(word) && (isBehind || isBeforeClause || at === 0)) return true
  if (
    at === 0 &&
    /^(if|when|whenever|unless|only|nur|wenn|falls|sofern|sobald|nachdem|bevor|solange)$/.test(word)
  )
    return true
  if (isBehind && /^(bei|bis)$/.test(word) && STATES.test(lowerCased(after))) return true
  if (at === 0 && word === 'bei') return true
  // “in Lent” and “in the rainy season” restrict the clause; “in my …” belongs to the task.
  if (
    isBehind &&
    word === 'in' &&
    !/^(my|our|your|order|detail|meine[mnr]?|unsere[mnr]?|der|dem|den|~)$/.test(lowerCased(after))
  )
    return !isSign(after, '~/"“') && !left.isGerman
  const isLedIn = isKind(before, 'in', 'on', 'of', 'every', 'at', 'article')
  if (UNKNOWN_DAYS.test(word) && (isBehind || isBeforeClause || isLedIn || at === 0)) return true
  if (isBeforeClause && FEAST.test(word)) return true
  // “8 in the morning and evening”
  if (isBehind && isKind(before, 'and') && isKind(token, 'part', 'parts', 'weekday', 'group')) return true
  if (isBareTime && isKind(token, 'group', 'holiday') && (isBeforeClause || isBehind || at < 2)) return true
  return word === 'week' && isKind(after, 'of') && left.isRead[at + 2] === true
}

/** Whether a text asks about a schedule or ends one, and so does not create one. */
export function isNoOrder(tokens: readonly Token[]): boolean {
  const start = /^(please|bitte)$/.test(lowerCased(tokens[0])) ? 1 : 0
  const first = lowerCased(tokens[start])
  if (isSign(tokens.at(-1), '?') && QUESTION.test(first)) return true
  // “cancel the 8 o'clock reminder”: its time may come first.
  if (ENDS_A_JOB.test(first))
    return (
      tokens.slice(start + 1, start + 4).some(each => JOB.test(lowerCased(each))) ||
      tokens.slice(start + 4, start + 8).some(each => REMINDER.test(lowerCased(each)))
    )
  const isNot = isKind(tokens[start], 'not') || (first === 'do' && isKind(tokens[start + 1], 'not'))
  const verb = lowerCased(tokens[first === 'do' ? start + 2 : start + 1])
  return (
    isNot && tokens[start + 1]?.type === 'word' && !/^(forget|let|miss|fail|vergessen|vergiss)$/.test(verb)
  )
}

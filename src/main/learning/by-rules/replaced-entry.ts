import type { MemoryEntry } from '../../../shared/contract/learned/memory.ts'

// Find the memory entry that a statement replaces, because it says something else about the same thing.

/** Things that a user has only one of, with the ways in which entries and statements name them. */
const HAS_ONE: readonly (readonly [string, RegExp])[] = [
  [
    'name',
    /\b(?:(?:my|user['’]s|their) name is|i(?:['’]m| am) called|call me|ich heiße|mein name ist|je m['’]appelle|me llamo)\b/iu,
  ],
  [
    'home',
    /\b(?:lives?|living|based|moved|relocated|resides?) (?:in|to|near)\b|\bmy home ?town is\b|\bich (?:wohne|lebe)\b|\bj['’]habite\b|\bvivo en\b/iu,
  ],
  ['age', /\b(?:i(?:['’]m| am)|is) \d{1,3}(?: years old)?\b/iu],
]
/** Things that a user may have several of, so only a correction replaces an entry. */
const MAY_HAVE_MORE: readonly (readonly [string, RegExp])[] = [
  [
    'work as',
    /\b(?:works? as|i(?:['’]m| am) an? \p{L}+(?:er|or|ist|se|ect|ant|ian)\b|my (?:job|profession) is|changed jobs)\b/iu,
  ],
  [
    'work at',
    /\b(?:works? (?:at|for)|my (?:employer|company) is|joined|changed jobs)\b|\bi(?:['’]m| am) at \p{Lu}/iu,
  ],
]
const BELONGING =
  /\b(?:my|user['’]s|their|our)(?: (?:favou?rite|preferred|new|current|main))* (birthday|pronouns|editor|ide|shell|terminal|browser|time ?zone|operating system|os|distro|keyboard|laptop|phone|native language|mother tongue|diet|employer|employers|street|address|(?<=(?:favou?rite|preferred) )\p{L}+) (?:is|are|runs?)\b/iu
const CALLED =
  /\b(?:my|user['’]s|their|an?) ([\p{L}-]+)(?:['’]s name is|,? (?:(?:is|are|was|be) )?(?:called|named)) /iu
/** Alternatives of one kind, so that “I switched to tea” replaces “I drink coffee”. */
const KINDS: readonly (readonly string[])[] = [
  ['npm', 'pnpm', 'yarn', 'bun'],
  ['pip', 'poetry', 'uv', 'conda'],
  ['tabs', 'spaces'],
  ['coffee', 'tea'],
  ['vim', 'neovim', 'emacs', 'helix', 'nano', 'vscode', 'zed', 'sublime', 'intellij'],
  ['bash', 'zsh', 'fish', 'powershell', 'nushell'],
  ['firefox', 'chrome', 'chromium', 'safari', 'edge', 'brave', 'vivaldi'],
  ['windows', 'linux', 'macos', 'ubuntu', 'debian', 'fedora', 'arch'],
  ['metric', 'imperial', 'kilometres', 'kilometers', 'miles'],
  ['celsius', 'fahrenheit'],
  ['postgresql', 'postgres', 'mysql', 'mariadb', 'sqlite', 'mongodb'],
  ['jest', 'vitest', 'mocha'],
  ['vegan', 'vegetarian', 'pescatarian'],
]
const CHANGED =
  /\b(?:no longer|not any ?more|any ?more|switched|changed|moved|instead|now|for good|quit|gave up|stopped|used to|nicht mehr|jetzt|umgezogen)\b/i
/** Separators between the parts of an entry that says several things. */
const AND = /,? (?:and|und) |; ?|, (?=i\b)|(?<=[.!]) /iu

/**
 * The entry that a statement replaces, and its whole new text; undefined if the statement is new. The other
 * parts of an entry stay.
 */
export function findReplaced<E extends Pick<MemoryEntry, 'text'>>(
  { text, isCorrection }: { text: string; isCorrection: boolean },
  entries: readonly E[],
): { entry: E; text: string } | undefined {
  const isChange = isCorrection || CHANGED.test(text)
  const slots = new Set(slotsOf(text, isChange))
  for (const entry of entries.toReversed()) {
    const clauses = entry.text.split(AND).filter(clause => clause.trim() !== '')
    const at = clauses.findIndex(clause => slotsOf(clause, isChange).some(slot => slots.has(slot)))
    const isMeant = at >= 0 || (isChange && shareKind(text, entry.text))
    if (!isMeant || saysSame(text, entry.text)) continue
    return {
      entry,
      text: at >= 0 && clauses.length > 1 ? withoutClause(text, entry.text, clauses, at) : text,
    }
  }
  return undefined
}

/** Whether an entry already says everything that a statement says, whatever the subject. */
export function saysSame(statement: string, entry: string): boolean {
  const [said, known] = [contentOf(statement), new Set(contentOf(entry))]
  return said.length > 0 && said.every(word => known.has(word))
}

function slotsOf(text: string, isChange: boolean): string[] {
  const named = (patterns: typeof HAS_ONE) =>
    patterns.filter(([, pattern]) => pattern.test(text)).map(([slot]) => slot)
  const belonging = BELONGING.exec(text)?.[1]
  const called = isChange ? CALLED.exec(text)?.[1] : undefined
  return [
    ...named(HAS_ONE),
    ...(isChange ? named(MAY_HAVE_MORE) : []),
    ...(belonging === undefined ? [] : [`my ${belonging.toLowerCase()}`]),
    ...(called === undefined ? [] : [`called ${called.toLowerCase()}`]),
  ]
}

/** Whether two texts name different things of one kind, such as two shells. */
function shareKind(a: string, b: string): boolean {
  const [left, right] = [new Set(contentOf(a)), new Set(contentOf(b))]
  return KINDS.some(kind => {
    const [one, other] = [kind.filter(word => left.has(word)), kind.filter(word => right.has(word))]
    return one.length > 0 && other.length > 0
  })
}

/** The new statement, followed by the other parts of the entry. */
function withoutClause(statement: string, entry: string, clauses: readonly string[], at: number): string {
  const rest = clauses
    .filter((_, index) => index !== at)
    .map(clause => clause.replace(/(?<![\s.])[\s.]+$/, ''))
  const isOwn = /^(?:i\b|ich\b)/i.test(entry)
  const first = at === 0 && isOwn && !/^(?:i|my|we|ich|mein)\b/i.test(rest[0]!)
  if (first) return `${statement.replace(/\.$/, '')} and ${rest.join(' and ')}.`
  const others = rest.map(clause => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`)
  return [statement, ...others].join(' ')
}

const EMPTY = new Set(
  "i my me we our us now live lives living moved the a an is are am was were be been that this user users user’s user's their they he she his her has have had do does to of in on at for and as it s m named called name please ich bin mein meine der die das ist und".split(
    ' ',
  ),
)

/** The meaningful words of a text, in a form in which “lives” and “live” are equal. */
const contentOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter(word => !EMPTY.has(word))
    .map(word => (word.length > 3 ? word.replace(/s$/, '') : word))

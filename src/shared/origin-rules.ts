import type { Origin } from './contract/chats/session.ts'

/** What follows from the origin of a run or of its chat. Everything that treats origins differently asks this table. */
export type OriginRules = {
  /** What the chat list shows beside its chats; undefined for chats of the person. */
  badge?: string
  /** The origin of a turn that somebody starts by writing into a chat of this origin, unless the caller names one. */
  continuedAs: Origin
  /**
   * Where questions go. `person`: to whoever is at the chat. `parent`: to the chat that delegated, and in a turn that a person
   * starts to that person. `nobody`: they are denied at once, and the mode `ask` is `none`.
   */
  asks: 'person' | 'parent' | 'nobody'
  /** Whether its prompt has the notebook in it. */
  readsMemory: boolean
  /** Toolsets and tools that its chats do not have, whatever is switched on. */
  without: readonly string[]
  /**
   * What is learned from its chats as wishes of the person. `all`: everything; `live`: only what is said from now on, not
   * what was there before; `nothing`: neither reviews nor notes.
   */
  learns: 'all' | 'live' | 'nothing'
  /** Most steps of a turn; the setting holds where it is lower. */
  mostSteps?: number
  /**
   * Where a model that searches earlier chats finds its chats. `last`: after those of people, or a run a day would hide what was said
   * once. `never`: what its chat brought stands in the chat that asked for it, and its questions are not the person's words. A
   * person's search finds all of them.
   */
  found: 'first' | 'last' | 'never'
  /** What the user allowed from now on, as rules or as tools of servers that run unasked, was allowed to the user alone. */
  ignoresAllowRules?: true
  /** It gives way to answers that somebody waits for. */
  priority?: 'background'
  /** No other model answers in place of the chosen one, since nobody sees what that would cost. */
  keepsModel?: true
}

/** The toolset that asks other models, several at once: a turn that nobody limits could spend much by it. */
const OTHER_MODELS = 'mixture'
/** Tools that only make sense with the person, or that write down what the person wants. */
const NEEDS_PERSON = ['delegation', 'memory', 'schedules', 'ask_user', 'skill_manage']

const PERSON: Omit<OriginRules, 'continuedAs'> = {
  asks: 'person',
  readsMemory: true,
  without: [],
  learns: 'all',
  found: 'first',
}

/** The rules of each origin. The first ones are the person's own; the rest run by themselves or for somebody else. */
export const ORIGIN_RULES: Readonly<Record<Origin, OriginRules>> = {
  window: { ...PERSON, continuedAs: 'window' },
  terminal: { ...PERSON, continuedAs: 'terminal' },
  import: { ...PERSON, badge: 'Imported', continuedAs: 'window', learns: 'live' },
  editor: { ...PERSON, badge: 'Editor', continuedAs: 'window' },
  // Another program with the key, in which nobody answers: nothing is written down for the person.
  api: {
    badge: 'API',
    continuedAs: 'window',
    asks: 'nobody',
    readsMemory: true,
    without: NEEDS_PERSON,
    learns: 'nothing',
    ignoresAllowRules: true,
    found: 'last',
    priority: 'background',
    keepsModel: true,
  },
  // The person, in a private chat of a messenger.
  messenger: { ...PERSON, badge: 'Messenger', continuedAs: 'window' },
  // Others, and groups: nothing is written down for the person, and nothing of them is told unless the person wants it.
  messenger_other: {
    ...PERSON,
    badge: 'Messenger',
    continuedAs: 'window',
    readsMemory: false,
    // Sub-agents would have the rights of the user, servers reach what is the user's, and skills tell what the user does and how.
    without: ['memory', 'skills', 'session_search', 'schedules', 'delegation', 'mcp', OTHER_MODELS],
    learns: 'nothing',
    ignoresAllowRules: true,
    found: 'last',
    // What another model costs would be seen by nobody who pays for it.
    keepsModel: true,
  },
  sub_agent: {
    badge: 'Sub-agent',
    continuedAs: 'sub_agent',
    asks: 'parent',
    readsMemory: false,
    without: [...NEEDS_PERSON, OTHER_MODELS],
    learns: 'nothing',
    found: 'never',
    mostSteps: 20,
  },
  schedule: {
    badge: 'Scheduled',
    continuedAs: 'window',
    asks: 'nobody',
    readsMemory: true,
    without: NEEDS_PERSON,
    learns: 'nothing',
    found: 'last',
    priority: 'background',
    keepsModel: true,
  },
  // Rows are often written by others: what is the person's own does not get there, and what they allowed was allowed to them.
  batch: {
    badge: 'Batch',
    continuedAs: 'window',
    asks: 'nobody',
    readsMemory: false,
    without: [...NEEDS_PERSON, 'skills', 'session_search', 'mcp'],
    learns: 'nothing',
    ignoresAllowRules: true,
    found: 'last',
    priority: 'background',
    keepsModel: true,
  },
}

/** What a temporary chat does not have beside that: it knows nothing of other chats, and leaves nothing behind. */
const NOT_TEMPORARY = ['memory', 'session_search', 'skill_manage', 'schedules']

/** The rules of a chat, or of a run in it. One that is temporary knows nothing of others and is known to none, whatever its origin. */
export function rulesOf({
  origin,
  temporary,
}: {
  origin: Origin
  temporary?: boolean | undefined
}): OriginRules {
  const rules = ORIGIN_RULES[origin]
  if (temporary !== true) return rules
  return {
    ...rules,
    readsMemory: false,
    without: [...rules.without, ...NOT_TEMPORARY],
    learns: 'nothing',
    found: 'never',
  }
}

const originsThat = (fit: (rules: OriginRules) => boolean): readonly Origin[] =>
  (Object.keys(ORIGIN_RULES) as Origin[]).filter(origin => fit(ORIGIN_RULES[origin]))

/** The origins whose chats are reviewed once they have ended. */
export const REVIEWED_ORIGINS = originsThat(({ learns }) => learns === 'all')
/** The origins whose chats a model finds after those of people, and those that it never finds. */
export const FOUND_LAST = originsThat(({ found }) => found === 'last')
export const NEVER_FOUND = originsThat(({ found }) => found === 'never')

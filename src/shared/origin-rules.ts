import type { Origin } from './contract/chats/session.ts'

/** The rules of an origin, for runs and chats. All code that treats origins differently reads this table. */
export type OriginRules = {
  /** The badge of its chats in the chat list; undefined for chats of the user. */
  badge?: string
  /**
   * The origin of a turn that the user starts by writing into a chat of this origin, unless the caller names
   * one.
   */
  continuedAs: Origin
  /**
   * Where questions go. `person`: to the person at the chat. `parent`: to the chat that delegated, or to the
   * user in a turn that the user starts. `nobody`: they are denied immediately, and the mode `ask` acts as
   * `none`.
   */
  asks: 'person' | 'parent' | 'nobody'
  /** Whether its prompt contains the memory. */
  readsMemory: boolean
  /** Toolsets and tools that its chats never have, even if switched on. */
  without: readonly string[]
  /**
   * What is learned from its chats as wishes of the user. `all`: everything; `live`: only new messages, not
   * imported ones; `nothing`: neither reviews nor notes.
   */
  learns: 'all' | 'live' | 'nothing'
  /** Maximum number of steps of a turn; a lower setting takes precedence. */
  mostSteps?: number
  /**
   * The rank of its chats when a model searches earlier chats. `last`: after the user's chats, because a
   * daily run would hide what was said once. `never`: its results are in the chat that asked for them, and
   * its questions are not the user's words. A search by the user finds all of them.
   */
  found: 'first' | 'last' | 'never'
  /**
   * The user's *allow* rules, and server tools that run without asking, do not apply: they were meant for the
   * user only.
   */
  ignoresAllowRules?: true
  /** Its runs give way to answers that somebody waits for. */
  priority?: 'background'
  /** No other model answers in place of the chosen model, because nobody would see the cost. */
  keepsModel?: true
}

/** The toolset that asks several other models: a turn that nobody watches could spend much with it. */
const OTHER_MODELS = 'mixture'
/** Tools that only make sense with the user, or that record what the user wants. */
const NEEDS_PERSON = ['delegation', 'memory', 'schedules', 'ask_user', 'skill_manage']

const PERSON: Omit<OriginRules, 'continuedAs'> = {
  asks: 'person',
  readsMemory: true,
  without: [],
  learns: 'all',
  found: 'first',
}

/**
 * The rules of each origin. The first origins are the user's own; the rest run automatically or for somebody
 * else.
 */
export const ORIGIN_RULES: Readonly<Record<Origin, OriginRules>> = {
  window: { ...PERSON, continuedAs: 'window' },
  terminal: { ...PERSON, continuedAs: 'terminal' },
  import: { ...PERSON, badge: 'Imported', continuedAs: 'window', learns: 'live' },
  editor: { ...PERSON, badge: 'Editor', continuedAs: 'window' },
  // Another program with the key, where nobody answers questions: nothing is remembered for the user.
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
  // The user, in a private chat of a messenger.
  messenger: { ...PERSON, badge: 'Messenger', continuedAs: 'window' },
  // Other people, and groups: nothing is remembered for the user, and nothing about the user is revealed
  // unless the user wants it.
  messenger_other: {
    ...PERSON,
    badge: 'Messenger',
    continuedAs: 'window',
    readsMemory: false,
    // Sub-agents would have the user's rights, servers reach the user's data, and skills reveal what the user
    // does.
    without: ['memory', 'skills', 'session_search', 'schedules', 'delegation', 'mcp', OTHER_MODELS],
    learns: 'nothing',
    ignoresAllowRules: true,
    found: 'last',
    // The person who pays would not see the cost of another model.
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
  // Others often write the rows: the user's own data stays out, and the user's *allow* rules do not apply.
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

/**
 * Further tools that a temporary chat does not have: it knows nothing of other chats, and leaves nothing
 * behind.
 */
const NOT_TEMPORARY = ['memory', 'session_search', 'skill_manage', 'schedules']

/**
 * The rules of a chat, or of a run in it. A temporary chat of any origin knows no other chats, and no chat
 * knows it.
 */
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
/** The origins whose chats a model finds after the user's chats, and those that it never finds. */
export const FOUND_LAST = originsThat(({ found }) => found === 'last')
export const NEVER_FOUND = originsThat(({ found }) => found === 'never')

import { formatCount, formatDuration } from '../../ui/format.ts'

const times = (count: number, one: string, many: string) =>
  count === 1 ? one : `${formatCount(count)} ${many}`

const LONGEST = 60
/** The beginning of a text, on one line. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  return line.length <= LONGEST
    ? line
    : `${line
        .slice(0, LONGEST - 1)
        .toWellFormed()
        .trimEnd()}…`
}

/** What the Activity page says. */
export const activityText = {
  title: 'Activity',
  tabList: 'Parts of the activity',
  tabs: { cards: 'Learned', timeline: 'Timeline', controls: 'How it learns' },
  about: {
    cards: 'What was learned from your chats, why, and from which words. All of it can be taken back.',
    timeline: 'What was learned in each week. Choose one to see it.',
    controls: 'When chats are looked back at, and what happens with what is found.',
  },
  loadFailed: (why: string) => `The activity could not be read: ${why}`,
  retry: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  more: 'More',
  showMore: 'Show more',
  keys: (move: string, open: string) => `${move} go from card to card, ${open} opens one.`,

  groups: { waiting: 'Waiting for you', today: 'Today', week: 'This week', older: 'Older' },
  filter: {
    label: 'What is shown',
    kinds: {
      all: 'Everything',
      memory: 'Memory',
      skills: 'Skills',
      undone: 'Undone',
      quiet: 'Quiet reviews',
    },
    waiting: (count: number) => (count === 1 ? '1 card waits for you.' : `${count} cards wait for you.`),
    showWaiting: 'Show what waits',
    nothing: 'Nothing of this kind has happened yet.',
  },
  empty: {
    title: 'Nothing was learned yet',
    says: 'After some turns, and when a chat has come to its end, Talaria quietly looks back at it. What it finds worth keeping appears here as a card: what it is, the words it comes from, why, and at what cost.',
    mode: {
      ask: 'Nothing is saved before you have said so.',
      save: 'It is saved at once, and you can take back anything here.',
      off: 'Learning is switched off, so nothing will appear by itself.',
    },
    settings: 'How it learns',
  },

  ops: {
    memory: {
      add: 'Add to memory',
      edit: 'Change in memory',
      remove: 'Remove from memory',
      create: 'Add to memory',
      delete: 'Remove from memory',
    },
    skill: {
      add: 'New file in a skill',
      edit: 'Change of a skill',
      remove: 'Remove a file of a skill',
      create: 'New skill',
      delete: 'Delete a skill',
    },
  },
  states: {
    open: 'Waiting',
    kept: 'Kept',
    rejected: 'Rejected',
    undone: 'Undone',
    dropped: 'Dropped',
    saved: 'Saved',
    part: 'Partly undone',
  },
  by: { agent: 'Saved by the agent in the chat', review: 'Saved by a review' },
  did: {
    add: 'Added to memory',
    edit: 'Changed in memory',
    remove: 'Removed from memory',
    restore: 'Brought back in memory',
    move: 'Moved in memory',
    lock: 'Locked in memory',
    unlock: 'Unlocked in memory',
  },
  didSkill: (name: string, op: string) =>
    op === 'create' ? `New skill “${name}”` : op === 'delete' ? `Deleted skill “${name}”` : `Skill “${name}”`,
  moved: (before: string, after: string) =>
    `from ${before || 'another place'} to ${after || 'another place'}`,
  binary: 'This file has no text to show.',
  diff: (place: string) => `Change of ${place}`,
  text: (place: string) => `Text of ${place}`,
  sameLines: (count: number) => times(count, '1 line is the same', 'lines are the same'),
  showEntry: 'Show in memory',

  evidence: 'Where it comes from',
  openChat: 'Open the chat',
  openMessage: 'Show in the chat',
  why: 'Why now',
  triggers: {
    memory_nudge: 'Some turns had passed without anything being noted, so the chat was looked back at.',
    skill_nudge: 'Some work had been done, so it was looked at whether a procedure can be learned from it.',
    compaction: 'Older messages were about to be replaced by a summary, so they were looked at before.',
    session_end: 'The chat had come to its end, so it was looked back at.',
    you: 'You asked for a review.',
    events: 'It comes from the record of another agent.',
  },
  agentDid: 'The agent saved it itself while it answered.',
  cost: 'Cost',
  costOf: (ms: number, tokens: string, model: string) =>
    `${formatDuration(ms)}, ${tokens} tokens${model === '' ? '' : `, ${model}`}`,
  costWhole: (read: number, reused: number, written: number) =>
    `${formatCount(read)} tokens read, ${formatCount(reused)} of them kept from before, ${formatCount(written)} written`,
  models: { local: (name: string) => `local model ${name}`, server: (name: string) => `${name} on a server` },
  asked: 'Why you are asked',
  stale: 'Waits for more than 30 days',
  changed: 'What this was made for has changed since.',
  gone: 'What this was made for is not there any more.',
  changedDiff: 'How it has changed meanwhile',
  compareAgain: 'Compare again',
  drop: 'Drop',

  keep: 'Keep',
  edit: 'Edit and keep',
  reject: 'Reject',
  notAgain: 'Not this kind again',
  undo: 'Undo',
  /** Names a button for those who hear it without its card. */
  of: (action: string, headline: string) => `${action}: ${headline}`,
  moreOf: (headline: string) => `More for “${headline}”`,
  editor: {
    field: 'Text to keep',
    save: 'Keep it so',
    keys: (save: string, cancel: string) => `${save} keeps it, ${cancel} cancels.`,
  },

  rule: {
    written: (text: string) => `A rule was written: ${text}. Reviews keep to it from now on.`,
    undo: 'Undo the rule',
    all: 'All rules',
  },
  left: 'Not all of it could be taken back:',

  select: (headline: string) => `Select “${headline}”`,
  bulk: {
    bar: 'Selected cards',
    selected: (count: number) => `${count} selected`,
    keep: 'Keep',
    reject: 'Reject',
    clear: 'Select nothing',
    keepAll: 'Keep all',
    rejectAll: 'Reject all',
    keepQuestion: (count: number) => `Keep ${times(count, 'it', 'cards')}?`,
    rejectQuestion: (count: number) =>
      `Reject ${times(count, 'it', 'cards')}? That cannot be undone, but it may be found again.`,
  },
  undoMany: {
    review: 'Undo everything from this review',
    chat: 'Undo everything from this chat',
    sinceThis: 'Undo everything since then',
    since: 'Undo everything since…',
    date: 'Since the beginning of',
    what: { review: 'from this review', chat: 'from this chat', since: 'since then' },
    counting: 'Counting…',
    question: (count: string, what: string) => `Take back ${count} ${what}?`,
    count: (count: number, isAll: boolean) =>
      `${isAll ? '' : 'at least '}${times(count, 'what was learned once', 'things that were learned')}`,
    nothing: (what: string) => `There is nothing to take back ${what}.`,
    yes: 'Take it back',
  },

  done: {
    kept: (text: string) => `Kept: ${short(text)}`,
    keptAll: (count: number) => `${formatCount(count)} cards were kept.`,
    rejected: (count: number) => (count === 1 ? 'Rejected.' : `${count} cards were rejected.`),
    dropped: 'Dropped.',
    undone: (count: number) => (count === 1 ? 'Taken back.' : `${count} changes were taken back.`),
    nothing: 'There was nothing to take back.',
    skipped: (count: number) =>
      count === 1
        ? '1 card was left: what it was made for has changed.'
        : `${count} cards were left: what they were made for has changed.`,
    compared: 'It is compared with the present text now.',
    queued: (count: number) =>
      count === 0
        ? 'There is nothing to look back at.'
        : `${times(count, 'One review begins', 'reviews begin')} as soon as possible.`,
    cancelled: 'The review was cancelled.',
    ruleRemoved: 'The rule was removed.',
    noWeek: 'Nothing of this week is left to show.',
  },

  reviews: {
    label: 'Reviews under way',
    running: (title: string) => `Looking back at ${title}`,
    queued: (title: string) => `Will look back at ${title}`,
    aChat: 'a chat',
    chat: (title: string) => `“${title}”`,
    another: 'what another agent did',
    cancel: (title: string) => `Cancel the review of ${title}`,
    tries: (count: number) => `${times(count, 'One try', 'tries')} so far.`,
    reasons: {
      memory_nudge: 'Some turns have passed without a note.',
      skill_nudge: 'Some work has been done.',
      compaction: 'Older messages were replaced by a summary.',
      session_end: 'The chat has come to its end.',
      you: 'You asked for it.',
      events: 'It comes from the record of another agent.',
    },
    done: (title: string, outcome: string) => `Reviewed ${title}: ${outcome}`,
    failed: (title: string, why: string) => `The review of ${title} failed: ${why}`,
    dropped: (title: string, why: string) => `The review of ${title} did not take place. ${why}`,
    again: 'Review again',
    now: 'Review now',
    thisChat: 'Review this chat now',
    nowHint: 'Reviews that wait begin as soon as nobody is being answered.',
    thisChatHint: (title: string) => `The chat that was open last: ${title}`,
  },

  weeks: {
    label: 'Weeks',
    week: (from: string) => `Week of ${from}`,
    kept: (count: number) => `${formatCount(count)} kept`,
    rejected: (count: number) => `${formatCount(count)} rejected`,
    undone: (count: number) => `${formatCount(count)} undone`,
    reviews: (count: number) => times(count, '1 review', 'reviews'),
    nothing: 'Nothing was learned yet. Weeks appear here once something was.',
    failed: (why: string) => `The weeks could not be read: ${why}`,
  },

  controls: {
    mode: 'How should it learn?',
    modes: { ask: 'Ask me first', save: 'Save and tell me', off: 'Off' },
    modeHints: {
      ask: 'What a review finds waits here as a card until you keep or reject it.',
      save: 'What a review finds is saved at once and shown here, with a way back. What would change your own words is still asked.',
      off: 'No review begins by itself. The agent can still save what you tell it to remember.',
    },
    when: 'When chats are looked back at',
    memoryNudge: 'Turns without a note',
    memoryNudgeHint: 'After so many of your messages it is looked for something to remember. 0 is never.',
    skillNudge: 'Steps without a skill',
    skillNudgeHint: 'After so many steps of work it is looked for a procedure. 0 is never.',
    idle: 'Seconds of quiet',
    idleHint: 'So long nothing may have happened before a review begins.',
    budget: 'Tokens for one review',
    budgetHint: 'What one review may read anew and write.',
    mains: 'Only on mains power',
    mainsHint: { on: 'On battery, reviews wait.', off: 'Reviews also run on battery.' },
    trajectories: 'Keep chats as training data',
    trajectoriesHint: {
      on: 'Finished turns are written to files in the home folder, with secrets left out. They never leave this computer by themselves; look through them before you give them away.',
      off: 'Nothing is written. If you switch it on, finished turns go to files on this computer, with secrets left out.',
    },
    range: (least: string, most: string) => `A whole number from ${least} to ${most}.`,
    now: 'Look back now',
    rules: 'What is not to be learned',
    rulesHint: 'Reviews keep to these rules. “Not this kind again” on a card writes one.',
    noRules: 'There are no rules yet.',
    addRule: 'Add a rule',
    rulePlaceholder: 'Nothing about my health',
    add: 'Add',
    hits: (count: number) =>
      count === 0 ? 'has kept nothing out yet' : `has kept out ${times(count, 'one thing', 'things')}`,
    removeRule: (text: string) => `Remove the rule: ${text}`,
    rulesFailed: (why: string) => `The rules could not be read: ${why}`,
  },
} as const

import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import { formatCount, formatDuration, formatRate, formatShare } from '../../ui/format.ts'

/** What a chip says of a change of memory. */
const did: Partial<Record<MemoryRevision['op'], string>> = {
  add: 'Saved',
  edit: 'Corrected',
  remove: 'Removed',
  restore: 'Brought back',
}

/** Every sentence of the chat page, in plain words. */
export const chatText = {
  newChat: 'New chat',
  rename: 'Rename this chat',
  titleField: 'Title of the chat',
  transcript: 'Conversation',
  you: 'You',
  talaria: 'Talaria',
  openMenu: 'Open the list of chats',

  loading: 'Opening the chat…',
  missing: 'This chat was removed.',
  missingHint: 'It can be brought back for a while through Undo. Start a new chat to go on.',
  startNew: 'Start a new chat',
  openFailed: 'The chat could not be opened.',
  tryAgain: 'Try again',
  loadingOlder: 'Loading older messages…',
  jumpToLatest: 'Jump to latest',
  notShown: (why: string) => `The message could not be shown: ${why}`,

  copy: 'Copy',
  copied: 'Copied',
  copyMessage: 'Copy message',
  copyAnswer: 'Copy answer',
  copyResult: 'Copy result',
  copyCommand: 'Copy',
  showAll: 'Show all',
  showLess: 'Show less',

  working: 'Working…',
  thinking: 'Thinking…',
  thought: (ms: number | null) => (ms === null ? 'Thoughts' : `Thought for ${formatDuration(ms)}`),
  progress: {
    loading: (share: number) => `Loading the model… ${formatShare(share)}`,
    reading: (share: number) => `Reading your message… ${formatShare(share)}`,
  },
  // Whoever did it: a person, a failure, or because it went in circles.
  interrupted: 'This answer was cut short here.',
  retries: {
    empty: 'The model answered with nothing, so Talaria asked it once more.',
    looping: 'The model repeated itself, so Talaria asked it once more.',
  },
  noText: 'The model wrote nothing.',

  stats: 'Show figures',
  hideStats: 'Hide figures',
  figures: {
    speed: (rate: number) => `${formatRate(rate)} tok/s`,
    first: (ms: number) => `first token ${formatDuration(ms)}`,
    tokens: (count: number) => `${formatCount(count)} tokens`,
    reused: (count: number) => `${formatCount(count)} reused`,
    context: (share: number) => `context ${formatShare(share)}`,
  },

  ends: {
    stopped: 'You stopped this answer.',
    budget_exhausted: 'Talaria used all the steps of one turn. Write “go on” to let it continue.',
    tool_calls_invalid:
      'The model kept calling tools in a way that could not be run, so the turn ended here. A larger model usually manages.',
    failed: 'Something went wrong, and the turn ended here. Try again, or pick another model.',
  },

  tool: {
    queued: 'Waiting its turn',
    waiting: 'Waiting for your answer',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    denied: 'Denied',
    stopped: 'Stopped',
    duration: formatDuration,
    arguments: 'Arguments',
    output: 'Output so far',
    result: 'Result',
    emptyResult: 'It printed nothing.',
    why: 'Why it ran',
    whyNot: 'Why it did not run',
    tool: 'Tool',
    readMany: (count: number) => `Looked at ${formatCount(count)} places`,
    readFiles: (count: number) => `Read ${formatCount(count)} files`,
    titles: {
      terminal: 'Run a command',
      read_file: 'Read a file',
      write_file: 'Write a file',
      patch_file: 'Change a file',
      list_files: 'List files',
      search_files: 'Search in files',
      skills_list: 'List the skills',
      skill_view: 'Read a skill',
      skill_manage: 'Change a skill',
    } as Readonly<Record<string, string>>,
    titleWith: {
      terminal: (what: string) => `Run ${what}`,
      read_file: (what: string) => `Read ${what}`,
      write_file: (what: string) => `Write ${what}`,
      patch_file: (what: string) => `Change ${what}`,
      list_files: (what: string) => `List ${what}`,
      search_files: (what: string) => `Search for ${what}`,
      skill_view: (what: string) => `Read the skill ${what}`,
      skill_manage: (what: string) => `Change the skill ${what}`,
      'skill_manage create': (what: string) => `Write the skill ${what}`,
      'skill_manage delete': (what: string) => `Delete the skill ${what}`,
    } as Readonly<Record<string, (what: string) => string>>,
  },

  learned: {
    label: 'Changed in memory',
    did: (op: MemoryRevision['op']) => did[op] ?? did.edit!,
    undone: 'Undone',
    colon: ': ',
    undo: 'Undo',
    redo: 'Redo',
    view: 'View',
    undoNamed: (text: string) => `Undo: ${text}`,
    redoNamed: (text: string) => `Redo: ${text}`,
    viewNamed: (text: string) => `View in memory: ${text}`,
    whole: ({ before, after }: MemoryRevision) =>
      before !== null && after !== null && before !== after
        ? `${before} → ${after}`
        : (after ?? before ?? ''),
    announce: (op: MemoryRevision['op'], text: string) => `${did[op] ?? did.edit!}: ${text}`,
  },

  claim: {
    title: 'The answer says that something was saved, but nothing was.',
    quote: (text: string) => `“${text}”`,
    field: 'What to save',
    target: 'Where to save it',
    targets: [
      { value: 'user', label: 'About you' },
      { value: 'memory', label: 'Notes' },
    ],
    save: 'Save it now',
    dismiss: 'Dismiss',
    sameAlready: 'Memory holds this already.',
    announce: 'The answer says that something was saved, but nothing was. You can save it now.',
  },

  approval: {
    region: 'A question for you',
    asks: 'Talaria asks',
    announce: (title: string) => `Talaria asks for your permission: ${title}`,
    folder: 'Folder',
    once: 'Allow once',
    chat: 'Allow in this chat',
    deny: 'Deny',
    denyWhy: 'Deny and explain…',
    whyLabel: 'What should it do instead?',
    sendDenial: 'Deny and send',
    cancel: 'Cancel',
    detail: 'What exactly would run',
    skillText: 'What it says',
    skillDiff: 'What would change',
    byKeyboard: 'to answer by keyboard',
    failed: (why: string) => `Your answer did not arrive: ${why}`,
    answerBelow: 'Answer below, above the message field.',
    risks: {
      read: 'Reads',
      write: 'Changes files',
      execute: 'Runs a command',
      network: 'Uses the network',
    },
  },

  composer: {
    label: 'Message',
    placeholder: 'Message Talaria',
    placeholderBusy: 'Write the next message; it is sent when this answer is done',
    send: 'Send',
    /** What Enter does when nothing but a command is written. */
    hints: {
      '/context': 'Enter shows what the model sees; nothing is sent.',
      '/compact': 'Enter summarises older messages for the model; add what must not be lost.',
    } as Readonly<Record<string, string>>,
    commands: {
      '/context': 'Shows what the model sees',
      '/compact': 'Summarises older messages, for the model',
    } as Readonly<Record<string, string>>,
    queue: 'Send when this answer is done',
    stop: 'Stop',
    stopping: 'Stopping…',
    problem: (why: string) => `Not sent: ${why}`,
    tooLong: (count: number) => `This message is too long by ${formatCount(count)} characters.`,
    enterSends: 'Enter sends, Shift+Enter starts a new line',
    modEnterSends: (key: string) => `${key} sends, Enter starts a new line`,
  },

  queue: {
    label: 'Messages that wait',
    waits: 'Will be sent when this answer is done',
    paused: 'Waiting, because the last answer did not end well',
    sendNow: 'Send now',
    edit: 'Edit',
    remove: 'Remove',
    save: 'Save',
    cancel: 'Cancel',
    editLabel: 'Queued message',
  },

  workspace: {
    label: 'Folder that this chat works in',
    hint: 'Tools read and write here. Give a full path, or one that starts with ~.',
    save: 'Use this folder',
    button: (folder: string) => `Working folder: ${folder}`,
    homeShort: '~',
  },

  empty: {
    title: 'What can I do for you?',
    /** Those with a beginning are for the person to finish. */
    starters: [
      {
        label: 'Remember how I like answers',
        begin: 'Remember that I like answers to be short and in plain words.',
      },
      { label: 'Make a skill from this', begin: 'Make a skill from this: ' },
      { label: 'What can you do offline?', begin: '' },
    ],
    startersLabel: 'Ideas to start with',
    lastChats: 'Last chats',
    demo: 'This is the built-in demo model: it is tiny and understands a handful of requests. Real work needs a bigger model.',
    addModel: 'Add a model',
    coming: (model: string, share: string) => `${model} is on its way: ${share}.`,
    noModel: 'No model is chosen yet.',
    engine: {
      stopped: 'The model is loaded with your first message.',
      starting: 'The engine is starting…',
      loading: 'The model is being loaded…',
      ready: 'The model is loaded and ready.',
      busy: 'The model is at work.',
    },
    load: (model: string, size: string) => `Load ${model}${size === '' ? '' : `, ${size}`}`,
    fixes: {
      context: (tokens: number) => `Context of ${formatCount(tokens)} tokens`,
      layers: (count: number) => `${formatCount(count)} layers on the graphics card`,
      cpu: 'Without the graphics card',
      anyway: 'Load anyway',
      again: 'Try again',
    },
    loadingShare: (share: string) => `The model is being loaded, ${share}.`,
    local: 'It runs on this computer; nothing leaves it.',
    locked: (model: string) =>
      `The offline lock is on, so ${model} cannot be asked. Choose a model on this computer, or switch the lock off under Settings, Privacy and network.`,
    nearby: (model: string) => `Messages are sent to the server of ${model}, on this computer.`,
    remote: (model: string) => `Messages are sent to the server of ${model}.`,
  },
} as const

import { formatCount, formatDuration, formatRate, formatShare } from '../../ui/format.ts'

/** Every sentence of the status bar. */
export const statusText = {
  bar: 'Status',
  engine: {
    stopped: 'Engine asleep',
    starting: 'Engine starting…',
    loading: (share: number | null) =>
      share === null ? 'Loading the model…' : `Loading the model ${formatShare(share)}`,
    ready: 'Engine ready',
    busy: 'Working',
    failed: 'Engine stopped',
    server: 'Answers come from a server',
  },
  withLess: 'smaller context',
  engineTitle: 'Engine',
  engineAbout: {
    stopped: (model: string) => `${model} is not in memory. It is loaded with the next message, or now.`,
    starting: () => 'The engine is starting.',
    loading: (model: string) => `${model} is being read into memory.`,
    ready: (model: string) => `${model} is in memory and answers at once.`,
    busy: (model: string) => `${model} is answering.`,
    failed: () => 'The engine stopped.',
  },
  serverAbout: (model: string, detail: string) =>
    `${model} runs on a server${detail === '' ? '' : ` (${detail})`}.`,
  noModel: 'no model',
  contextSize: (tokens: number) => `It reads up to ${formatCount(tokens)} tokens at once.`,
  load: 'Load now',
  unload: 'Free the memory',
  tryAgain: 'Try again',

  context: (share: number) => `Context ${formatShare(share)}`,
  contextLabel: (share: number) => `Context ${formatShare(share)} used. Show figures of the last answer`,
  usageTitle: 'Last answer',
  usage: {
    context: 'Context used',
    contextOf: (used: number, of: number) => `${formatCount(used)} of ${formatCount(of)} tokens`,
    speed: 'Speed',
    speedValue: (rate: number) => `${formatRate(rate)} tokens a second`,
    first: 'First token after',
    firstValue: formatDuration,
    output: 'Written',
    prompt: 'Read',
    promptValue: (evaluated: number, reused: number) =>
      reused > 0
        ? `${formatCount(evaluated)} tokens new, ${formatCount(reused)} kept from before`
        : `${formatCount(evaluated)} tokens`,
    tokens: (count: number) => `${formatCount(count)} tokens`,
  },

  learning: {
    idle: 'Learning idle',
    off: 'Learning off',
    reviewing: 'Reviewing',
    waiting: (count: number) => `${formatCount(count)} waiting`,
    label: (words: string) => `${words}. Show what was learned`,
  },

  model: (name: string) => `Model: ${name}`,
  permission: (mode: string) => `Permissions: ${mode}`,
  reach: {
    title: 'Where words go',
    whole: {
      here: () => 'Offline: nothing leaves this computer',
      near: (model: string) => `Offline: ${model} runs on this computer`,
      away: (model: string) => `Online: messages go to ${model}`,
      locked: () => 'Offline lock: nothing can leave this computer',
      blocked: (model: string) => `Offline lock: ${model} cannot be asked`,
    },
    short: { here: 'Offline', near: 'Offline', away: 'Online', locked: 'Locked', blocked: 'Locked' },
    about: {
      here: () => 'What you write is answered on this computer. Nothing of it is sent to anybody.',
      near: (model: string) =>
        `What you write goes to ${model}, a server on this computer. What that server does with it is up to it.`,
      away: (model: string) => `What you write in this chat is sent to ${model}, which is another computer.`,
      locked: () => 'What you write is answered on this computer, and nothing else is sent either.',
      blocked: (model: string) =>
        `${model} is another computer, so messages to it are kept back. Choose a model on this computer, or switch the lock off.`,
    },
    lock: 'Offline lock',
    lockOn: 'Nothing leaves this computer.',
    lockOff: 'Others are contacted for what you start.',
    ledger: 'What was sent',
    failed: (why: string) => `The lock was not changed: ${why}`,
  },
} as const

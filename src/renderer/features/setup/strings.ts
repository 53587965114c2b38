import { formatBytes, formatCount, formatDuration, formatShare } from '../../ui/format.ts'

/** Every sentence of the first run. */
export const setupText = {
  region: 'First steps',
  step: (at: number, of: number) => `Step ${at} of ${of}`,
  back: 'Back',
  next: 'Continue',
  skip: 'Skip',
  skipAll: 'Skip all of this',
  retry: 'Try again',
  close: 'Close',
  failed: (why: string) => `That did not work: ${why}`,

  welcome: {
    title: 'Welcome to Talaria',
    about: 'An agent on your own computer that remembers, learns, and asks before it changes anything.',
    promises: [
      ['No account', 'There is nothing to sign up for, and no key to enter.'],
      ['It stays here', 'Chats, memory and models are files in one folder of this computer.'],
      [
        'The network only when you start it',
        'Downloads and servers that you choose, nothing else, and every request is written down.',
      ],
    ],
    ledger: 'See what was sent so far',
    ledgerTitle: 'What was sent so far',
    theme: 'Colours',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  },

  computer: {
    title: 'This computer',
    checking: 'Checking…',
    late: 'Checking takes longer than usual. You need not wait for it.',
    unknown: (why: string) => `What this computer can do could not be found out: ${why}`,
    unknownHint: 'That stops nothing. Talaria looks again before it loads a model.',
    cpu: 'Processor',
    processor: (name: string, count: number, more: readonly string[]) =>
      [name, `${formatCount(count)} ${count === 1 ? 'core' : 'cores'}`, ...more].filter(Boolean).join(', '),
    memory: 'Memory',
    free: (free: number, total: number) => `${formatBytes(free)} free of ${formatBytes(total)}`,
    gpu: 'Graphics card',
    noGpu: 'None that models can use. They run on the processor.',
    disk: 'Disk',
    diskFree: (free: number) => `${formatBytes(free)} free for models`,
    diskUnknown: 'How much is free cannot be told',
  },

  model: {
    title: 'A model',
    about: 'A model is one large file. Bigger ones understand more and answer more slowly.',
    now: 'A tiny demo model is built in and answers until you have another one.',
    suggested: 'For this computer',
    loading: 'Looking what suits this computer…',
    cards: {
      light: ['Light', 'Small and quick'],
      balanced: ['Balanced', 'Recommended'],
      best: ['Best that fits', 'For the largest tasks'],
    },
    size: (bytes: number) => `${formatBytes(bytes)} to download`,
    fits: {
      gpu: () => 'Fits the graphics card',
      memory: () => 'Fits into memory',
      too_big: (missing: number) => `Too big: ${formatBytes(missing)} missing`,
      unknown: () => 'Cannot tell whether it fits',
    },
    fitsBeside: 'Runs in memory, slower',
    speed: (low: number, high: number) =>
      `Writes very roughly ${low === high ? low : `${low} to ${high}`} words a second`,
    licence: (name: string) => `Licence: ${name}`,
    noTools: (better: string) =>
      `It cannot use tools, so it can do and learn little.${better === '' ? '' : ` ${better} can.`}`,
    noRoom: (missing: number) => `Too little space on the disk: ${formatBytes(missing)} more are needed.`,
    download: (name: string) => `Download ${name}`,
    downloadShort: 'Download',
    here: 'It is here',
    locked: 'The offline lock is on, so nothing can be downloaded.',
    unlock: 'Switch the lock off',
    none: (why: string) => `The list of models could not be read: ${why}`,
    nothing: 'The list has no model for this computer. A small file of your own, or a server, can still do.',
    own: 'What you have already',
    answers: 'Answers in new chats',
    chooseShort: 'Use in new chats',
    choose: (name: string) => `Use in new chats: ${name}`,
    have: 'Or use what you have',
    file: 'A .gguf file…',
    fileHint: 'It is used where it lies. You can also drop it anywhere on this window.',
    server: 'A server address…',
    serverHint: 'Ollama, LM Studio, llama-server, vLLM, OpenRouter, Anthropic …',
    scan: 'Look in LM Studio, Jan, GPT4All and Ollama…',
    scanHint: 'Looks only when you press this, and leaves everything where it is.',
    later: 'Or later: the Models page has all of this.',
  },

  coming: {
    label: 'On its way',
    progress: (name: string) => `Progress of ${name}`,
    states: {
      waiting: 'Waits for its turn',
      running: 'On its way. You can go on.',
      checking: 'Being checked',
      paused: 'Paused',
      done: 'It is here',
      failed: 'It could not be fetched.',
    },
    share: (done: number, total: number | null) =>
      total === null || total === 0 ? formatBytes(done) : formatShare(done / total),
    left: (seconds: number) => `${formatDuration(seconds * 1_000)} left`,
    pause: 'Pause',
    resume: 'Go on',
    again: 'Try again',
    giveUp: 'Give it up',
    named: (action: string, name: string) => `${action}: ${name}`,
  },

  learning: {
    title: 'How should it learn?',
    about:
      'After a chat Talaria can look back: is there something about you that it should know the next time?',
    modes: {
      ask: ['Ask me first', 'What it finds waits on the Activity page until you keep or reject it.'],
      save: ['Save and tell me', 'Small things are saved at once, with a way back.'],
      off: ['Off', 'It never looks back. You can still tell it to remember something.'],
    },
    sample: 'This is what asking looks like',
    sampleHeadline: 'You use pnpm',
    sampleWhy: 'You said “we use pnpm here, not npm”.',
    sampleButtons: ['Keep', 'Edit', 'Reject'],
    you: 'About you (optional)',
    youHint:
      'One thing on each line. New chats begin with exactly these words, and you can change them later.',
    youPlaceholder: 'Prefers short answers in plain words.',
    kept: 'Kept on the Memory page',
  },

  done: {
    title: 'Ready',
    about: 'Everything here can be changed later under Settings.',
    answers: (name: string) => `${name} answers in your first chat.`,
    demo: 'The built-in demo model answers in your first chat. It is tiny: it understands a handful of requests.',
    coming: (name: string) => `${name} takes over when it is here.`,
    tour: [
      ['Ask', 'Say what you need. When it wants to change something, a card asks you first.'],
      [
        'Remember',
        'Say “remember that …”. The chip under the answer shows what was saved, and takes it back.',
      ],
      ['Repeat', 'What worked can become a skill. Type / in a chat to use one.'],
    ],
    start: 'Begin the first chat',
  },

  first: (name: string) => `${name} answers in new chats now.`,
} as const

import { formatBytes, formatCount } from '../../ui/format.ts'

/** Every sentence about choosing and adding models. */
export const modelsText = {
  pill: (name: string) => `Model: ${name}`,
  none: 'No model',
  demo: 'Built-in demo model',
  title: 'Models',
  choose: 'Which model answers in this chat',
  demoHint: 'Tiny, for a first look. Real work needs a bigger model.',
  size: formatBytes,
  context: (tokens: number) => `reads up to ${formatCount(tokens)} tokens`,
  kinds: { builtin: 'comes with Talaria', file: 'on this computer', server: 'on a server' },
  isDefault: 'Default',
  makeDefault: 'Use for new chats',
  remove: 'Remove from the list',
  removed: (name: string) => `${name} was removed from the list. Its file stays where it is.`,
  addFile: 'Add a model file…',
  addServer: 'Add a server…',
  manage: 'All models…',

  add: {
    title: 'Add a model',
    close: 'Close',
    which: 'Where the model is',
    file: 'File on this computer',
    server: 'Server',
    added: (name: string) => `${name} was added.`,
    addedFirst: (name: string) => `${name} answers in new chats now.`,
    addedHere: (name: string) => `${name} was added and answers in this chat now.`,
  },
} as const

import { formatCount, formatDuration } from '../../../ui/format.ts'

/** Every sentence about naming a server and changing one. */
export const serverText = {
  preset: 'Which server',
  other: 'Another one',
  kind: 'Kind of server',
  kinds: { openai: 'OpenAI-compatible', anthropic: 'Anthropic' },
  address: 'Address',
  addressPlaceholder: 'http://127.0.0.1:8080/v1',
  addressHint:
    'Most servers speak the OpenAI protocol. The address is the one that their manual names for it.',
  presetHint: (name: string) => `Where ${name} usually is. Change it if yours is elsewhere.`,
  wrong: {
    scheme: 'An address starts with http:// or https://.',
    secrets: 'Leave name and password out of the address, and put the key into its own field.',
    unreadable: 'This is no address that can be read.',
  },
  key: 'Key',
  keys: {
    none: (name: string) => `${name} wants none.`,
    maybe: 'Only if the server wants one.',
    needed: (name: string) => `${name} wants one, from your account there. It may cost money.`,
  },
  keyKept: 'It is kept apart from the settings file, and never shown again.',
  keyStored: 'A key is kept. Leave this empty to go on with it.',
  keyStoredPlaceholder: 'kept, not shown',
  keyMoved: 'The kept key belongs to the old address. It is not sent to this one; type one if it wants any.',
  keyEnvironment: 'The key comes from the environment. One that is typed here goes before it.',

  places: {
    here: 'It runs on this computer: nothing that you write in chats with it leaves it.',
    near: (host: string) => `What you write in chats with it is sent to ${host}, in your own network.`,
    far: (host: string) => `What you write in chats with it leaves this computer and is sent to ${host}.`,
    passesOn: (name: string) => `${name} hands what you write on to others, who run its models.`,
    unencrypted: 'The address begins with http://, so others can read it on the way.',
  },
  locked:
    'The offline lock is on: this server can be added, but nothing is sent to it before you switch that off.',

  test: 'Test',
  testing: 'Testing…',
  testHint: 'Asks which models it has. Nothing of yours is sent but the key.',
  took: (ms: number) => `It took ${formatDuration(ms)}.`,

  model: 'Model',
  modelPlaceholder: 'The name that the server uses for it',
  modelHint: 'Test the server to choose from its list, or type a name.',
  choose: (count: number) => (count === 1 ? 'Its only model' : `Its ${formatCount(count)} models`),
  filter: 'Filter the list',
  none: (query: string) => `None has “${query}” in its name.`,
  more: (count: number) => `${formatCount(count)} more. Filter the list to see them.`,
  context: (tokens: number) => `reads ${formatCount(tokens)} tokens`,

  name: 'Name',
  namePlaceholder: 'How it is called in Talaria',

  submit: 'Add',
  adding: 'Adding…',
  change: 'Change…',
  changeTitle: (name: string) => `Change ${name}`,
  save: 'Save',
  saving: 'Saving…',
  saved: (name: string) => `${name} was changed.`,
  close: 'Close',
} as const

import { formatCount } from '../../../ui/format.ts'

const requests = (count: number) => (count === 1 ? '1 request' : `${formatCount(count)} requests`)

/** What the ledger of the network, the lock and the keys say. */
export const networkText = {
  lock: {
    title: 'Offline lock',
    on: 'Nothing leaves this computer. Models here, and servers on this computer, go on working.',
    off: 'Talaria contacts others only for what you start: a model on a server, a download, an import.',
  },
  requests: 'What was sent',
  requestsHint:
    'Every request of Talaria goes through one place, and is written down here before it leaves. Commands that the agent runs are programs of their own, and are not in it.',
  failed: (why: string) => `The list could not be read: ${why}`,
  retry: 'Try again',
  nothing: 'Nothing was asked of the network.',
  hosts: 'Who was contacted',
  list: 'Each request',
  host: 'Host',
  nearby: 'this computer',
  why: 'What for',
  count: 'Requests',
  sent: 'Sent',
  received: 'Received',
  last: 'Last',
  when: 'When',
  state: 'Outcome',
  some: (count: number, blocked: number) =>
    blocked === 0
      ? formatCount(count)
      : count === blocked
        ? `${formatCount(count)}, all kept back`
        : `${formatCount(count)}, ${formatCount(blocked)} kept back`,
  states: { running: 'Under way', done: 'Done', failed: 'Failed', blocked: 'Kept back' },
  purposes: {
    chat: 'Chat',
    learning: 'Learning',
    server_check: 'Test of a server',
    download: 'Download',
    skill_import: 'Import of a skill',
  },
  unknown: 'not known',
  none: '–',
  more: 'Show more',
  clear: 'Clear the list…',
  clearTitle: 'Clear the list of requests?',
  clearSays: (count: number) =>
    `It forgets ${requests(count)}. What they have done stays done, and the list cannot be brought back.`,
  clearButton: 'Clear it',
  cancel: 'Cancel',
  close: 'Close',

  keys: 'Keys',
  keysHint: {
    desktop:
      'Keys of servers are kept by the host, encrypted where this system has a keychain, otherwise in the file .env, which only you can read. They are in no settings file, no log and no export, and this window never gets to see them.',
    other:
      'Keys of servers are kept by the host in the file .env, which only your user can read. They are in no settings file, no log and no export, and this window never gets to see them.',
  },
  keyOf: { stored: 'Kept here', environment: 'From the environment', none: 'Without a key' },
  noServers: 'There is no server, so there is no key.',
} as const

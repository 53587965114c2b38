import type { gateway } from '../../../shared/contract/connections/gateway.ts'
import { Fault, type Handlers } from '../../../shared/rpc.ts'
import type { Platform } from '../platform.ts'
import type { OpenContacts } from './open-contacts.ts'

type Parts = {
  contacts: OpenContacts
  /** Return a messenger by name, with the agent’s own account on it, while it is connected. */
  connected(this: void, platform: string): { platform: Platform; me: { link: string } } | undefined
  /** Return the folder that a path means. Throws a Fault if chats may not work there. */
  folderOf(this: void, given: string): Promise<string>
}

/** Handlers for the contacts and groups that windows and terminals show. */
export function contactHandlers({ contacts, connected, folderOf }: Parts) {
  return {
    'gateway.pair'({ platform: name }, signal) {
      const there = connected(name)
      if (!there)
        throw new Fault(
          'not_ready',
          'This messenger is not connected, so nobody can be paired. Connect it first.',
        )
      return contacts.follow(there.platform, there.me, signal)
    },
    'gateway.decide': decision => contacts.decide(decision),
    async 'gateway.change'({ id, seen, folder, ...change }) {
      const chosen = typeof folder === 'string' ? await folderOf(folder) : folder
      return contacts.change(id, seen, { ...change, ...(chosen !== undefined && { folder: chosen }) })
    },
    'gateway.remove'({ id }) {
      contacts.remove(id)
      return {}
    },
    'gateway.allowGroup'({ platform, placeKey, allowed }) {
      contacts.allowGroup(platform, placeKey, allowed)
      return {}
    },
  } satisfies Partial<Handlers<typeof gateway>>
}

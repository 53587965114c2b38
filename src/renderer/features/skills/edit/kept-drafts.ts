import type { HostClient } from '../../../../shared/contract/index.ts'
import type { Buffers } from './buffers.ts'

type Kept = { buffers: Buffers; category: string }

/** Unsaved drafts of editors that were left by navigation, kept while the window is open. */
const drafts = new WeakMap<HostClient, Map<string, Kept>>()

/** The unsaved draft of a skill, by its id or by the key of a new skill. */
export const keptDraft = (client: HostClient, id: string): Kept | undefined => drafts.get(client)?.get(id)

/** Keep a draft until the skill is edited again. */
export function keepDraft(client: HostClient, id: string, kept: Kept): void {
  const ofClient = drafts.get(client) ?? new Map<string, Kept>()
  drafts.set(client, ofClient.set(id, kept))
}

/** Remove a draft that was saved or discarded. */
export const forgetDraft = (client: HostClient, id: string): void => void drafts.get(client)?.delete(id)

import type { HostClient } from '../../../../shared/contract/index.ts'
import type { Buffers } from './buffers.ts'

type Kept = { buffers: Buffers; category: string }

/** What was being written when an editor was left by another way than its own, for as long as the window is open. */
const drafts = new WeakMap<HostClient, Map<string, Kept>>()

/** What was left unsaved of a skill, by its id or by whatever a new one is told apart by. */
export const keptDraft = (client: HostClient, id: string): Kept | undefined => drafts.get(client)?.get(id)

/** Keep what is not saved until the skill is edited again. */
export function keepDraft(client: HostClient, id: string, kept: Kept): void {
  const ofClient = drafts.get(client) ?? new Map<string, Kept>()
  drafts.set(client, ofClient.set(id, kept))
}

/** What was kept has been saved or thrown away. */
export const forgetDraft = (client: HostClient, id: string): void => void drafts.get(client)?.delete(id)

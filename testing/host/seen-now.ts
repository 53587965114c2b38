import type { HostClient } from '../../src/shared/contract/index.ts'
import type { Proposal } from '../../src/shared/contract/learned/learning.ts'

/** The hash of a schedule as it is shown now, for a decision right away. */
export const seenSchedule = async (client: HostClient, id: string): Promise<string> =>
  (await client['schedule.get']({ id })).seen

/** Keep a proposal as it was shown. */
export const keepShown = (client: HostClient, { id, seen }: Proposal) =>
  client['learning.keep']({ ids: [id], seen: { [id]: seen } })

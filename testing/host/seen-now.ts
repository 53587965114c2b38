import type { HostClient } from '../../src/shared/contract/index.ts'

/** The hash of a schedule as it is shown now: what a person carries who decides at once. */
export const seenSchedule = async (client: HostClient, id: string): Promise<string> =>
  (await client['schedule.get']({ id })).seen

import type { HostClient } from '../../shared/contract/index.ts'

/** Keep proposals from another window that shows their current versions. */
export async function keepElsewhere(
  { elsewhere }: { elsewhere: HostClient },
  ids: readonly string[],
): Promise<void> {
  const { waiting } = await elsewhere['learning.activity']({})
  const seen = Object.fromEntries(waiting.map(proposal => [proposal.id, proposal.seen]))
  await elsewhere['learning.keep']({ ids: [...ids], seen })
}

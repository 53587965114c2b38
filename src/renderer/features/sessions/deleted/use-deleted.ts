import type { HostClient } from '../../../../shared/contract/index.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'

type Deleted = Awaited<ReturnType<HostClient['session.deleted']>>

/** The deleted chats, read again whenever one is deleted, restored or removed. Undefined before the first answer. */
export function useDeleted(): Outcome<Deleted> | undefined {
  const { client } = useLink()
  const version = useHost(host => host.deletedVersion)
  return useAsked(signal => attemptCall(client['session.deleted']({}, { signal })), `${version}`)
}

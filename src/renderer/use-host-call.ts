import type { HostClient } from '../shared/contract/index.ts'
import { attemptCall } from './rpc/attempt.ts'
import { useLink } from './rpc/host-context.tsx'
import { showToast } from './ui/Toasts.tsx'

/** Returns a function that calls the host. On failure it shows a toast and resolves to undefined. */
export function useHostCall(): <T extends object>(
  act: (client: HostClient) => Promise<T>,
) => Promise<T | undefined> {
  const { client } = useLink()
  return async act => {
    const answer = await attemptCall(act(client))
    if (answer.ok) return answer.value
    showToast(answer.fault.message, { level: 'error' })
    return undefined
  }
}

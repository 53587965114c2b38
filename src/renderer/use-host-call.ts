import type { HostClient } from '../shared/contract/index.ts'
import { attemptCall } from './rpc/attempt.ts'
import { useLink } from './rpc/host-context.tsx'
import { showToast } from './ui/Toasts.tsx'

/** How to change something on the host: a toast says what goes wrong, and the promise is then undefined. */
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

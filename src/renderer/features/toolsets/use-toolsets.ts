import type { Toolset } from '../../../shared/contract/settings.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { showToast } from '../../ui/Toasts.tsx'

/** Where a switch is set. */
export type Level = keyof Toolset['switches']
/** A chat, a folder or a project; every chat if none is named. */
type Place = { sessionId?: string; folder?: string; projectId?: string }

/**
 * The toolsets at a place, read again whenever a switch may have changed. `also` names other things they
 * depend on.
 */
export function useToolsets(place: Place, also = '') {
  return useAnswer('toolset.list', place, { by: JSON.stringify([place, also]) })
}

/** Switches toolsets at a place; null removes the switches. Errors appear as toasts. */
export function useSwitching() {
  const { client } = useLink()
  return async (names: string[], on: boolean | null, place: Place): Promise<boolean> => {
    const answer = await attemptCall(client['toolset.switch']({ names, on, ...place }))
    if (!answer.ok) showToast(`The toolset was not switched: ${answer.fault.message}`, { level: 'error' })
    return answer.ok
  }
}

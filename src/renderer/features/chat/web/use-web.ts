import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { useSession } from '../store/open-chats.ts'

const WEB = 'web'

/** Whether the web is off for the model of the visible chat; undefined until that is known. */
export function useWebOff(): boolean | undefined {
  const session = useSession()
  const place = session ? { sessionId: session.id } : {}
  const answer = useAnswer('toolset.list', place, { by: JSON.stringify([place, session?.toolsets]) })
  return answer?.ok
    ? answer.value.toolsets.some(({ name, state }) => name === WEB && state === 'off')
    : undefined
}

/** Turns the web on or off for one chat, or for all without their own setting. Shows failures. */
export function useWebSwitch() {
  const { client } = useLink()
  return async (on: boolean, sessionId: string | undefined): Promise<boolean> => {
    const place = sessionId === undefined ? {} : { sessionId }
    const answer = await attemptCall(client['toolset.switch']({ names: [WEB], on, ...place }))
    if (!answer.ok) showToast(`The web setting was not changed: ${answer.fault.message}`, { level: 'error' })
    return answer.ok
  }
}

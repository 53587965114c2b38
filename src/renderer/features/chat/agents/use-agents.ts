import { useEffect, useMemo } from 'react'
import type { Delegated } from '../../../../shared/contract/runs/delegation.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { tellTrouble } from '../branches/MessageActions.tsx'
import { useChat } from '../store/open-chats.ts'

/** The sub-agents of the visible chat, oldest first. */
export function useAgents(): readonly Delegated[] {
  const sessionId = useChat(chat => chat.sessionId)
  const load = useHost(host => host.loadAgents)
  const agents = useHost(host => host.agents)
  useEffect(() => {
    if (sessionId !== null) void load(sessionId)
  }, [sessionId, load])
  return useMemo(
    () =>
      Object.values(agents)
        .filter(each => each.parentId === sessionId)
        .toSorted((a, b) => a.startedAt - b.startedAt),
    [agents, sessionId],
  )
}

/** Returns functions to stop one sub-agent, or all of a chat. They show failures. */
export function useStopAgents(): { one(sessionId: string): void; all(parentId: string): void } {
  const { client } = useLink()
  return {
    one: sessionId => void attemptCall(client['delegation.stop']({ sessionId })).then(tellTrouble),
    all: sessionId => void attemptCall(client['delegation.stopAll']({ sessionId })).then(tellTrouble),
  }
}

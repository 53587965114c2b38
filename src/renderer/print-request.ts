import { useEffect, useEffectEvent } from 'react'

/** The answer of a chat to print. */
type Asked = { chatId: string; messageId: number }

const asking = new EventTarget()

/** Ask the window to print one answer with its question. Parts of a chat do not import the printing code. */
export const printAnswer = (asked: Asked): void =>
  void asking.dispatchEvent(new CustomEvent('print', { detail: asked }))

/** Calls `onAsked` for each answer to print. */
export function usePrintRequests(onAsked: (asked: Asked) => void): void {
  const hear = useEffectEvent((event: Event) => onAsked((event as CustomEvent<Asked>).detail))
  useEffect(() => {
    const listener = (event: Event) => hear(event)
    asking.addEventListener('print', listener)
    return () => asking.removeEventListener('print', listener)
  }, [])
}

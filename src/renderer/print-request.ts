import { useEffect, useEffectEvent } from 'react'

/** Which answer of a chat to print. */
type Asked = { chatId: string; messageId: number }

const asking = new EventTarget()

/** Ask the window to print one answer with its question. Parts of a chat do not know what prints. */
export const printAnswer = (asked: Asked): void =>
  void asking.dispatchEvent(new CustomEvent('print', { detail: asked }))

/** Hear which answers are to be printed. */
export function usePrintRequests(onAsked: (asked: Asked) => void): void {
  const hear = useEffectEvent((event: Event) => onAsked((event as CustomEvent<Asked>).detail))
  useEffect(() => {
    const listener = (event: Event) => hear(event)
    asking.addEventListener('print', listener)
    return () => asking.removeEventListener('print', listener)
  }, [])
}

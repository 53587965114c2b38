import { useMemo, type ReactNode } from 'react'
import { citationsIn, citedPages, linkCitations, type Citation } from '../../../../shared/web-citations.ts'
import { useChat } from '../chats.ts'
import { WebPages } from './WebPages.tsx'

const NONE: ReadonlyMap<number, Citation> = new Map()

/** The pages that the chat found or read before a message; the newest ones while an answer is being written. */
export function useCitations(messageId: number | undefined): ReadonlyMap<number, Citation> {
  // A chat without the web has no such pages, and its answers are not drawn again with each message.
  const messages = useChat(chat => (usesWeb(chat.messages) ? chat.messages : undefined))
  // Messages before a stored answer do not change, but older ones may be loaded.
  const key = `${messageId ?? messages?.length} ${messages?.[0]?.id}`
  // oxlint-disable-next-line react/exhaustive-deps -- see above
  return useMemo(() => (messages ? citationsIn(messages, messageId) : NONE), [key, messages === undefined])
}

const usesWeb = (messages: readonly { role: string; record?: { web?: unknown } }[]) =>
  messages.some(({ record }) => record?.web !== undefined)

/** An answer whose numbers of pages are links. */
export function useLinked(text: string, messageId: number | undefined): string {
  const known = useCitations(messageId)
  return useMemo(() => linkCitations(text, known), [text, known])
}

/** The pages that an answer cites, below it. */
export function Sources({ text, messageId }: { text: string; messageId: number }): ReactNode {
  const known = useCitations(messageId)
  const pages = useMemo(() => citedPages(text, known), [text, known])
  if (pages.length === 0) return null
  return (
    <section aria-label="Sources" className="mt-2 border-t border-line pt-2">
      <h3 className="pb-1 text-xs font-semibold text-ink-2">Sources</h3>
      <WebPages label="Sources" pages={pages} />
    </section>
  )
}

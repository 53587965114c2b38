import { keep, readKept } from '../../ui/kept.ts'

/** Only the last run of a chat is told again after a reload, so older ones need not be known. */
const MOST = 50
const KEY = 'dismissed-claims'

const read = () => (readKept(KEY) ?? '').split(' ').filter(part => part !== '')

/** The answers of a chat whose claims were waved away before. */
export const dismissedIn = (sessionId: string | null): number[] =>
  read()
    .map(part => part.split(':'))
    .filter(([id]) => id === sessionId)
    .map(([, messageId]) => Number(messageId))

/** Remember across a reload that a claim was waved away. */
export const rememberDismissed = (sessionId: string, messageId: number): void =>
  keep(KEY, [...read(), `${sessionId}:${messageId}`].slice(-MOST).join(' '))

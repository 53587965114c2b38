import { keep, readKept } from '../../ui/kept.ts'

/** Claims to remember. After a reload only a chat's last run is replayed; older claims are not needed. */
const MOST = 50
const KEY = 'dismissed-claims'

const read = () => (readKept(KEY) ?? '').split(' ').filter(part => part !== '')

/** The answers of a chat whose claims were dismissed earlier. */
export const dismissedIn = (sessionId: string | null): number[] =>
  read()
    .map(part => part.split(':'))
    .filter(([id]) => id === sessionId)
    .map(([, messageId]) => Number(messageId))

/** Remember across reloads that a claim was dismissed. */
export const rememberDismissed = (sessionId: string, messageId: number): void =>
  keep(KEY, [...read(), `${sessionId}:${messageId}`].slice(-MOST).join(' '))

import { many } from '../../../shared/text/amounts.ts'
import type { StoredInbox } from '../../db/connections/gateway-tables.ts'
import { readInboxRow, type InboxRow } from '../places.ts'
import type { Incoming } from '../platform.ts'

const MOST_JOINED = 50

/** Return the sender of a row's message; empty for other rows. */
export const senderOf = ({ body }: InboxRow): string => (body.kind === 'message' ? body.from.id : '')

/** Return whether something received has the expected form, whatever the messenger sent. */
export function isReadable(each: Incoming): boolean {
  if (typeof each.key !== 'string' || each.key === '') return false
  if (each.kind === 'moved') return typeof each.from === 'string' && typeof each.to === 'string'
  const isPlace = typeof each.place.key === 'string' && typeof each.place.chatId === 'string'
  if (each.kind === 'left') return isPlace
  if (!isPlace || typeof each.from.id !== 'string' || typeof each.from.name !== 'string') return false
  if (each.kind === 'press') return typeof each.data === 'string'
  return (
    each.kind === 'message' &&
    typeof each.text === 'string' &&
    Number.isFinite(each.at) &&
    Array.isArray(each.files)
  )
}

/** Return unreadable rows, for example after a disk lost part of them. */
export const tornRows = (rows: readonly StoredInbox[]): StoredInbox[] =>
  rows.filter(row => {
    try {
      return !isReadable(readInboxRow(row).body)
    } catch {
      return true
    }
  })

/** Return the first rows that come from one sender and form one message. */
export function joinedRows(rows: readonly InboxRow[]): InboxRow[] {
  const [first] = rows
  const end = rows.findIndex(row => senderOf(row) !== senderOf(first!))
  return rows.slice(0, Math.min(MOST_JOINED, end === -1 ? rows.length : end))
}

/** Return a duration as rounded text: “20 minutes”, “6 hours”, “3 days”. */
export function inAbout(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes < 90) return many(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 36 ? many(hours, 'hour') : many(Math.round(hours / 24), 'day')
}

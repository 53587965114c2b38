import type { Transfer } from '../../shared/contract/download.ts'

const MOVING: readonly Transfer['state'][] = ['waiting', 'running', 'checking']

/** Overall transfer progress from 0 to 1; null without active transfers. */
export function incomingShare(transfers: readonly Transfer[]): number | null {
  const moving = transfers.filter(({ state }) => MOVING.includes(state))
  if (moving.length === 0) return null
  const known = moving.filter(({ totalBytes }) => totalBytes !== null)
  const total = known.reduce((sum, { totalBytes }) => sum + (totalBytes ?? 0), 0)
  return total === 0 ? 0 : known.reduce((sum, { doneBytes }) => sum + doneBytes, 0) / total
}

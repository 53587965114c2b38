import { dialog, type BrowserWindow } from 'electron'
import type { Transfer } from '../../../shared/contract/download.ts'
import type { Session } from '../../../shared/contract/session.ts'

/** What would end with the program: turns, and transfers of model files. */
export type Work = {
  onSession(session: Session): void
  onRemoved(id: string): void
  onTransfers(transfers: readonly Transfer[]): void
  /** What is in progress, for the user; undefined when nothing is. */
  text(): string | undefined
}

const moving: readonly Transfer['state'][] = ['waiting', 'running', 'checking']

/** Follow what is in progress. */
export function createWork(): Work {
  const answering = new Set<string>()
  let transfers = 0
  return {
    onSession({ id, activeRunId }) {
      if (activeRunId === null) answering.delete(id)
      else answering.add(id)
    },
    onRemoved: id => void answering.delete(id),
    onTransfers: list => void (transfers = list.filter(({ state }) => moving.includes(state)).length),
    text() {
      const parts = [
        ...(answering.size > 0 ? [counted(answering.size, 'answer', 'answers')] : []),
        ...(transfers > 0 ? [counted(transfers, 'transfer of a model', 'transfers of models')] : []),
      ]
      return parts.length === 0 ? undefined : `Still in progress: ${parts.join(', ')}.`
    },
  }
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Ask whether what is in progress may end. */
export async function mayEnd(what: string, window: BrowserWindow | undefined): Promise<boolean> {
  const options = {
    type: 'question' as const,
    title: 'Quit Talaria',
    message: what,
    detail:
      'If you quit, an answer stops where it is, and a transfer goes on at the next start. What is written stays.',
    buttons: ['Keep running', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  }
  const { response } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options))
  return response === 1
}

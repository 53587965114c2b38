import { useEffect, type ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ExportForm } from './ExportForm.tsx'
import type { ExportJob } from './export-store.ts'

type Props = { job: ExportJob; chatId: string; onClose: () => void }

/** Exports one chat. A running export goes on when the dialog is closed. */
export function ExportDialog({ job, chatId, onClose }: Props): ReactNode {
  const title = useHost(host => host.sessions[chatId]?.title) || 'New chat'
  useEffect(() => {
    if (job.getState().state.name !== 'running') job.getState().reset()
  }, [job])
  return (
    <Dialog title={`Export “${title}”`} closeLabel="Close" width="medium" onClose={onClose}>
      <ExportForm job={job} chat={{ id: chatId, title }} />
    </Dialog>
  )
}

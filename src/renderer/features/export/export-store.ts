import type { StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { ExportFormat } from '../../../shared/contract/data.ts'
import { createJob, type Job } from '../../rpc/job.ts'
import type { Link } from '../../rpc/link.ts'
import { showToast } from '../../ui/toasts.ts'

type Input = Parameters<HostClient['data.export']>[0]
type Exported = { type: 'done'; path: string; bytes: number; chats: number; messages: number }
export type ExportJob = StoreApi<Job<Input, Exported>>

/** The export of chats. It outlives the page and the dialog that started it. */
export const createExport = ({ client }: Pick<Link, 'client'>): ExportJob =>
  createJob(client['data.export'], end =>
    'done' in end
      ? showToast('The export is ready.', { about: 'export' })
      : showToast(`The export failed: ${end.problem}`, { level: 'error', about: 'export' }),
  )

export const formats: readonly { value: ExportFormat; label: string; ending: string }[] = [
  { value: 'html', label: 'Web page', ending: 'html' },
  { value: 'markdown', label: 'Markdown', ending: 'md' },
  { value: 'json', label: 'JSON', ending: 'json' },
]

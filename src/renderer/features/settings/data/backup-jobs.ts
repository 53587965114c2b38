import type { StoreApi } from 'zustand/vanilla'
import type { LeftOut } from '../../../../shared/contract/data.ts'
import type { HostClient } from '../../../../shared/contract/index.ts'
import { createJob, type Job } from '../../../rpc/job.ts'
import type { Link } from '../../../rpc/link.ts'
import { showToast } from '../../../ui/toasts.ts'

type BackedUp = { type: 'done'; path: string; bytes: number; chats: number; leftOut: LeftOut[] }
type Restored = { type: 'done'; folder: string; chats: number; files: number }

/** Backups and restoring them. Both outlive the page that started them. */
export type BackupJobs = {
  backup: StoreApi<Job<Parameters<HostClient['data.backup']>[0], BackedUp>>
  restore: StoreApi<Job<Parameters<HostClient['data.restore']>[0], Restored>>
}

const tell = (good: string, bad: string, end: { done: unknown } | { problem: string }) =>
  'done' in end
    ? showToast(good, { about: good })
    : showToast(`${bad}: ${end.problem}`, { level: 'error', about: good })

export const createBackupJobs = ({ client }: Pick<Link, 'client'>): BackupJobs => ({
  backup: createJob(client['data.backup'], end => tell('The backup is ready.', 'The backup failed', end)),
  restore: createJob(client['data.restore'], end =>
    tell('The backup was restored.', 'The backup was not restored', end),
  ),
})

import type { HostHandlers } from '../../../shared/contract/index.ts'
import type { Transfer } from '../../transfer/transfer.ts'

/** Bring chats and memories of other programs. */
export function transferHandlers({ transfer }: { transfer: Transfer }) {
  return {
    'import.preview': ({ path }, signal) => transfer.preview(path, signal),
    'import.run': ({ id, memories }, signal) => transfer.run(id, { memories }, signal),
  } satisfies Partial<HostHandlers>
}

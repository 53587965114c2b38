import type { ReactNode } from 'react'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { countOf, formatBytes, formatMoment } from '../../../ui/format.ts'
import { DataTable } from '../DataTable.tsx'
import { Part } from '../SectionParts.tsx'

const KINDS = {
  daily: 'Daily backup',
  update: 'Chats before an update',
  damaged: 'Damaged file',
  settings: 'Earlier settings',
  other: 'Other file',
} as const

/** The backups that Talaria keeps automatically. `onRestore` is given the path of the one to restore. */
export function KeptBackups(props: { version: string; onRestore: (path: string) => void }): ReactNode {
  const { client } = useLink()
  const answer = useAsked(async signal => attemptCall(client['data.backups']({}, { signal })), props.version)
  const backups = answer?.ok ? answer.value.backups : []
  const bytes = backups.reduce((sum, each) => sum + each.bytes, 0)
  return (
    <Part
      id="kept"
      title="Backups that Talaria keeps"
      hint={`${countOf(backups.length, 'file', 'files')}, ${formatBytes(bytes)}, in its folder backups. Daily backups have no keys and not the working folder.`}
    >
      {answer?.ok && answer.value.trouble !== null && (
        <p role="alert" className="mb-2 text-sm text-danger">
          The last daily backup was not made. {answer.value.trouble}
        </p>
      )}
      {answer?.ok === false && (
        <p role="alert" className="text-sm text-danger">
          The list could not be read: {answer.fault.message}
        </p>
      )}
      {answer?.ok && backups.length === 0 && (
        <p className="text-sm text-ink-2">
          None yet. The first is made some minutes after the first chat, unless you switched it off.
        </p>
      )}
      {backups.length > 0 && (
        <DataTable caption="In the folder backups" columns={['What', 'When', { number: 'Size' }, 'Restore']}>
          {backups.map(({ path, name, kind, at, bytes: size }) => (
            <tr key={path}>
              <th scope="row" title={name}>
                {KINDS[kind]}
              </th>
              <td>{formatMoment(at)}</td>
              <td className="data-number">{formatBytes(size)}</td>
              <td>
                {kind === 'daily' && (
                  <button
                    type="button"
                    className="link-btn"
                    aria-label={`Restore the backup of ${formatMoment(at)}`}
                    onClick={() => props.onRestore(path)}
                  >
                    Restore…
                  </button>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Part>
  )
}

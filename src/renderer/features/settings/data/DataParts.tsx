import { useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Part, DataTable } from '../SectionParts.tsx'
import { SettingGroups } from '../SettingRows.tsx'
import { useSettingsPlace } from '../use-settings.ts'
import { BackupPart } from './BackupPart.tsx'
import { RestorePart } from './RestorePart.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { formatBytes, formatCount, countOf, formatMoment } from '../../../ui/text/format-values.ts'
import { Problem } from '../../../ui/Banner.tsx'

type Props = {
  exporting: ReactNode
  /** Other parts about data. */
  children: ReactNode
}

/**
 * Export, backup, restore and sizes. Parts that load late come last, so that nothing moves under the pointer.
 */
export function DataParts({ exporting, children }: Props): ReactNode {
  const { jobs } = useSettingsPlace()
  const backup = useStore(jobs.backup, job => job.state.name)
  const [restoring, setRestoring] = useState('')
  const places = useAnswer('data.places', {})
  const suggested = (name: string) =>
    places?.ok ? `${places.value.files}${places.value.separator}${name}` : ''
  const restore = (path: string) => {
    setRestoring(path)
    const part = document.querySelector<HTMLElement>('[data-thing="restore"]')
    part?.scrollIntoView({ block: 'start' })
    part?.focus({ preventScroll: true })
  }
  return (
    <>
      <Part
        id="export"
        title="Export all chats"
        hint="One file with every chat, to read or to keep. To export a single chat, use its menu in the list."
      >
        {exporting}
      </Part>
      <BackupPart suggested={suggested} />
      <SettingGroups section="data" />
      <RestorePart path={restoring} onPath={setRestoring} />
      {children}
      <KeptBackups version={backup} onRestore={restore} />
      <SizesPart version={backup} />
    </>
  )
}

/** The size of everything in the home folder. `version` changes when it should be measured again. */
function SizesPart({ version }: { version: string }): ReactNode {
  const answer = useAnswer('data.sizes', {}, { isOnce: true, by: version })
  return (
    <Part id="sizes" title="What takes space" hint="Everything in Talaria’s folder.">
      {answer === undefined && (
        <p className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner /> Measuring…
        </p>
      )}
      {answer?.ok === false && <Problem text={`The sizes could not be read: ${answer.fault.message}`} />}
      {answer?.ok && (
        <DataTable caption="By part" columns={['What', { number: 'Files' }, { number: 'Size' }]}>
          {answer.value.parts.map(({ id, title, files, bytes }) => (
            <tr key={id}>
              <th scope="row">{title}</th>
              <td className="data-number">{formatCount(files)}</td>
              <td className="data-number">{formatBytes(bytes)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Everything</th>
            <td className="data-number">
              {formatCount(answer.value.parts.reduce((sum, { files }) => sum + files, 0))}
            </td>
            <td className="data-number">{formatBytes(answer.value.bytes)}</td>
          </tr>
        </DataTable>
      )}
    </Part>
  )
}

const KINDS = {
  daily: 'Daily backup',
  update: 'Chats before an update',
  damaged: 'Damaged file',
  settings: 'Earlier settings',
  other: 'Other file',
} as const

/** The backups that Talaria keeps automatically. `onRestore` is given the path of the one to restore. */
function KeptBackups(props: { version: string; onRestore: (path: string) => void }): ReactNode {
  const answer = useAnswer('data.backups', {}, { by: props.version })
  const backups = answer?.ok ? answer.value.backups : []
  const bytes = backups.reduce((sum, each) => sum + each.bytes, 0)
  return (
    <Part
      id="kept"
      title="Backups that Talaria keeps"
      hint={`${countOf(backups.length, 'file', 'files')}, ${formatBytes(bytes)}, in the backups folder. Daily backups contain neither keys nor the working folder.`}
    >
      {answer?.ok && answer.value.trouble !== null && (
        <Problem
          className="mb-2 text-sm"
          text={`The last daily backup was not made. ${answer.value.trouble}`}
        />
      )}
      {answer?.ok === false && <Problem text={`The list could not be read: ${answer.fault.message}`} />}
      {answer?.ok && backups.length === 0 && (
        <p className="text-sm text-ink-2">
          None yet. The first is made a few minutes after the first chat, unless daily backups are off.
        </p>
      )}
      {backups.length > 0 && (
        <DataTable caption="In the backups folder" columns={['What', 'When', { number: 'Size' }, 'Restore']}>
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

import { useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { Part } from '../SectionParts.tsx'
import { SettingGroups } from '../SettingRows.tsx'
import { useSettingsPlace } from '../use-settings.ts'
import { BackupPart } from './BackupPart.tsx'
import { KeptBackups } from './KeptBackups.tsx'
import { RestorePart } from './RestorePart.tsx'
import { SizesPart } from './SizesPart.tsx'

/** Sizes, export, backups and restoring them. */
export function DataParts({ exporting }: { exporting: ReactNode }): ReactNode {
  const { client } = useLink()
  const { jobs } = useSettingsPlace()
  const backup = useStore(jobs.backup, job => job.state.name)
  const [restoring, setRestoring] = useState('')
  const places = useAsked(async () => attemptCall(client['data.places']({})), '')
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
      <SizesPart version={backup} />
      <Part
        id="export"
        title="Export all chats"
        hint="One file with every chat, to read or to keep. A single chat is exported from its menu in the list."
      >
        {exporting}
      </Part>
      <BackupPart suggested={suggested} />
      <SettingGroups section="data" />
      <KeptBackups version={backup} onRestore={restore} />
      <RestorePart path={restoring} onPath={setRestoring} />
    </>
  )
}

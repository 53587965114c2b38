import { useState, type FormEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { HostClient } from '../../../../shared/contract/index.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { countOf, fileDay, formatBytes, formatMoment } from '../../../ui/text/format-values.ts'
import { CopyLine } from '../../../ui/IconButton.tsx'
import { WorkProgress } from '../../../ui/Progress.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { Part } from '../SectionParts.tsx'
import { useSettingsPlace } from '../use-settings.ts'
import { LeftOutList } from './BackupPart.tsx'
import { placeElements } from '../../../ui/text/place-elements.tsx'

type Contents = Awaited<ReturnType<HostClient['data.inspect']>>

type Props = { path: string; onPath: (path: string) => void }

/** Looks into a backup and restores it into a new home folder. */
export function RestorePart({ path, onPath }: Props): ReactNode {
  const { client } = useLink()
  const { jobs } = useSettingsPlace()
  const { state, stop, reset } = useStore(jobs.restore)
  const [contents, setContents] = useState<Contents | null>(null)
  const [problem, setProblem] = useState<string>()
  const change = (next: string) => {
    onPath(next)
    setContents(null)
    setProblem(undefined)
  }
  const look = async (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() === '') return
    const answer = await attemptCall(client['data.inspect']({ path: path.trim() }))
    setContents(answer.ok ? answer.value : null)
    setProblem(answer.ok ? undefined : answer.fault.message)
  }
  return (
    <Part
      id="restore"
      title="Restore a backup"
      hint="A backup is restored into a new folder. Nothing here changes. Restore only your own backups, because their rules and settings apply in the new folder."
    >
      {state.name === 'running' && (
        <WorkProgress label="Restoring the backup" share={state.share} onStop={stop} />
      )}
      {state.name === 'done' && (
        <Restored folder={state.done.folder} chats={state.done.chats} onAgain={reset} />
      )}
      {state.name === 'idle' && (
        <div className="grid max-w-xl gap-4">
          <form className="grid gap-3" onSubmit={event => void look(event)}>
            <TextField
              label="Backup to restore"
              hint={
                state.wasStopped ? 'Stopped. Nothing was left behind.' : 'The full path of a backup file.'
              }
              error={problem}
              dir="ltr"
              maxLength={4_096}
              value={path}
              onChange={event => change(event.target.value)}
            />
            <button
              type="submit"
              className="btn btn-secondary justify-self-start"
              disabled={path.trim() === ''}
            >
              Look inside
            </button>
          </form>
          {contents && <Confirmation contents={contents} problem={state.problem} />}
        </div>
      )}
    </Part>
  )
}

function Confirmation({ contents, problem }: { contents: Contents; problem: string | undefined }) {
  const { jobs } = useSettingsPlace()
  const home = useHost(host => host.hello?.home ?? '')
  const [folder, setFolder] = useState(() => `${home}-restored-${fileDay()}`)
  const { path, createdAt, chats, bytes, hasKeys, leftOut, seen } = contents
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (folder.trim() !== '') void jobs.restore.getState().start({ path, folder: folder.trim(), seen })
  }
  return (
    <form className="grid gap-3 rounded-xl border border-line p-4" onSubmit={submit}>
      <output className="text-sm">
        {hasKeys
          ? `Made on ${formatMoment(createdAt)}: ${countOf(chats, 'chat', 'chats')}, ${formatBytes(bytes)}, with keys.`
          : `Made on ${formatMoment(createdAt)}: ${countOf(chats, 'chat', 'chats')}, ${formatBytes(bytes)}, without keys.`}
      </output>
      <LeftOutList leftOut={leftOut} />
      <TextField
        label="New folder"
        hint="A folder that does not exist yet."
        error={problem}
        dir="ltr"
        maxLength={4_096}
        value={folder}
        onChange={event => setFolder(event.target.value)}
      />
      <button type="submit" className="btn btn-primary justify-self-start" disabled={folder.trim() === ''}>
        Restore into the new folder
      </button>
    </form>
  )
}

function Restored({ folder, chats, onAgain }: { folder: string; chats: number; onAgain: () => void }) {
  const command = `talaria chat --home '${folder}'`
  return (
    <output className="grid gap-2 text-sm">
      <p>
        {placeElements('{chats} and everything else are in {folder}. Your current data was not changed.', {
          chats: countOf(chats, 'chat', 'chats'),
          folder: (
            <code dir="ltr" className="text-xs break-all">
              {folder}
            </code>
          ),
        })}
      </p>
      <p>
        {placeElements(
          'To use it, close Talaria and start it with {option} and this folder, or set {variable} to it. In a terminal:',
          {
            option: <code className="text-xs">--home</code>,
            variable: <code className="text-xs">TALARIA_HOME</code>,
          },
        )}
      </p>
      <CopyLine label="Copy the command" text={command} />
      <p className="text-ink-2">
        Model files are not in a backup. Add them again, or copy the models folder.
      </p>
      <button type="button" className="btn btn-secondary justify-self-start" onClick={onAgain}>
        Restore another
      </button>
    </output>
  )
}

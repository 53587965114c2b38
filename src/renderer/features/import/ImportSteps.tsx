import { useId, type ReactNode } from 'react'
import type { HomeChoice, ImportPreview } from '../../../shared/contract/import.ts'
import { StepHeading } from '../../ui/Dialog.tsx'
import { sourceNames, countChats, countMemories, type ImportReport } from './import-store.ts'
import { countOf, formatCount } from '../../ui/text/format-values.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'

/** Number of chat titles shown: enough to recognize one's own export. */
const TITLES = 6

type PreviewProps = {
  preview: ImportPreview
  memories: boolean
  onMemories: (memories: boolean) => void
  home: HomeChoice
  onHome: (choice: Partial<HomeChoice>) => void
  onStart: () => void
  onBack: () => void
}

/** Previews the export before anything is written. */
export function PreviewStep(props: PreviewProps): ReactNode {
  const { preview, memories, onMemories, home, onHome, onStart, onBack } = props
  const parts = homeParts(preview.home)
  const fresh = preview.sessions - preview.known
  const isEmpty = fresh === 0 && preview.memories === 0 && parts.length === 0
  const wanted = fresh > 0 || (memories && preview.memories > 0) || parts.some(({ name }) => home[name])
  const nothing =
    preview.sessions > 0
      ? 'Nothing new: all its chats are already here.'
      : 'There is nothing in it to import.'
  return (
    <div className="grid min-w-0 gap-4">
      <div>
        <StepHeading>{`From ${sourceNames[preview.kind]}`}</StepHeading>
        <p dir="ltr" className="font-mono text-xs break-all text-ink-3">
          {preview.path}
        </p>
      </div>
      <Counts
        chats={preview.sessions}
        messages={preview.messages}
        memories={preview.memories}
        known={preview.known}
      />
      <Titles titles={preview.titles} total={preview.sessions} />
      <LeftOut skipped={preview.skipped} />
      {preview.memories > 0 && (
        <Also
          label="Also import the memories"
          hint="They are added to the Memory page while there is room, and every chat can use them."
          checked={memories}
          onChange={onMemories}
        />
      )}
      {parts.map(({ name, label, hint }) => (
        <Also
          key={name}
          label={label}
          hint={hint}
          checked={home[name]}
          onChange={checked => onHome({ [name]: checked })}
        />
      ))}
      {isEmpty && <p className="text-sm">{nothing}</p>}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onBack}>
          Choose another
        </button>
        {!isEmpty && (
          <button type="button" className="btn btn-primary px-5" disabled={!wanted} onClick={onStart}>
            Import
          </button>
        )}
      </div>
    </div>
  )
}

function Titles({ titles, total }: { titles: readonly string[]; total: number }) {
  const id = useId()
  const shown = titles.slice(0, TITLES)
  if (shown.length === 0) return null
  return (
    <section className="min-w-0">
      <h4 id={id} className="mb-1 text-xs font-medium text-ink-2">
        Among the chats
      </h4>
      <ul aria-labelledby={id} className="text-sm">
        {shown.map((title, at) => (
          <li key={at} dir="auto" className="truncate">
            {title}
          </li>
        ))}
        {total > shown.length && (
          <li className="text-ink-3">{`and ${countOf(total - shown.length, 'other', 'others')}`}</li>
        )}
      </ul>
    </section>
  )
}

type HomePart = { name: keyof HomeChoice; label: string; hint: string }

/** The other contents of a Hermes home, each with what the import would do with it. */
function homeParts(found: ImportPreview['home']): HomePart[] {
  if (!found) return []
  const { skills, settings, soul, keys } = found
  const parts: (HomePart | false)[] = [
    skills > 0 && {
      name: 'skills',
      label: `Also import ${countOf(skills, 'skill', 'skills')}`,
      hint: 'They have been scanned. You can undo the import on the Activity page.',
    },
    settings.length > 0 && {
      name: 'settings',
      label: `Also import ${countOf(settings.length, 'setting', 'settings')}`,
      hint: `${settings.map(({ path, value }) => `${path} = ${JSON.stringify(value)}`).join(', ')}. A copy of yours is kept in the backups folder.`,
    },
    soul !== null && {
      name: 'soul',
      label: 'Also import SOUL.md',
      hint: `It says who the agent is, in ${countOf(soul.chars, 'character', 'characters')}.${soul.replaces ? ' It replaces yours. A copy of yours is kept in the backups folder.' : ''}`,
    },
    keys.length > 0 && {
      name: 'keys',
      label: `Also import ${countOf(keys.length, 'key', 'keys')}`,
      hint: keys
        .map(({ name, masked, replaces }) =>
          replaces ? `${name} ${masked} (replaces yours)` : `${name} ${masked}`,
        )
        .join(', '),
    },
  ]
  return parts.filter(part => part !== false)
}

type AlsoProps = { label: string; hint: string; checked: boolean; onChange: (checked: boolean) => void }

/** A checkbox for a part to import along with the chats. */
function Also({ label, hint, checked, onChange }: AlsoProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={event => onChange(event.target.checked)}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block text-sm">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-xs break-words text-ink-3">
          {hint}
        </p>
      </div>
    </div>
  )
}

type RunProps = {
  preview: ImportPreview
  done: number
  total: number
  stopping: boolean
  onCancel: () => void
}

/** Progress of the import, with a stop button. */
export function RunStep({ preview, done, total, stopping, onCancel }: RunProps): ReactNode {
  const id = useId()
  const isRead = total > 0 && done >= total
  const words = isRead ? 'Preparing the search…' : `${formatCount(done)} of ${formatCount(total)}`
  return (
    <div className="grid gap-4">
      <div id={id}>
        <StepHeading>{`Importing from ${sourceNames[preview.kind]}`}</StepHeading>
      </div>
      <div>
        <progress
          aria-labelledby={id}
          max={Math.max(1, total)}
          value={done}
          aria-valuetext={words}
          className="sr-only"
        />
        <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-active">
          <span
            className="block h-full rounded-full bg-accent transition-[inline-size]"
            style={{ inlineSize: `${(100 * done) / Math.max(1, total)}%` }}
          />
        </div>
        <p className="mt-1.5 text-sm tabular-nums">{words}</p>
      </div>
      <p className="text-xs text-ink-3">You can close this and keep working. The import continues.</p>
      <button
        type="button"
        className="btn btn-secondary justify-self-end"
        disabled={stopping}
        onClick={onCancel}
      >
        {stopping ? 'Stopping…' : 'Cancel'}
      </button>
    </div>
  )
}

type ReportProps = { report: ImportReport | null; onMore: () => void; onClose: () => void }

/** The result of the import. */
export function Report({ report, onMore, onClose }: ReportProps): ReactNode {
  return (
    <div className="grid gap-4">
      <StepHeading>{report ? 'Imported' : 'Stopped'}</StepHeading>
      {report ? (
        <>
          <Counts chats={report.sessions} messages={report.messages} memories={report.memories} />
          {report.home && (
            <p className="text-sm text-ink-2">
              {[
                countOf(report.home.skills, 'skill', 'skills'),
                countOf(report.home.settings, 'setting', 'settings'),
                countOf(report.home.keys, 'key', 'keys'),
                ...(report.home.soul ? ['SOUL.md'] : []),
              ].join(', ')}
            </p>
          )}
          <LeftOut skipped={report.skipped} />
        </>
      ) : (
        <p className="text-sm text-ink-2">
          Each chat was imported completely or not at all. Import the same file again for the rest; nothing is
          imported twice.
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onMore}>
          Import more
        </button>
        <button type="button" className="btn btn-primary px-5" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}

type SummaryProps = { chats: number; messages: number; memories: number; known?: number }

/** Counts of chats, messages and memories. `known` chats already exist here. */
function Counts({ chats, messages, memories, known = 0 }: SummaryProps): ReactNode {
  const rows = [
    ['Chats', chats],
    ['Messages', messages],
    ['Memories', memories],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
      {rows.map(([name, count]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="tabular-nums">
            {formatCount(count)}{' '}
            {name === 'Chats' && known > 0 && (
              <span className="text-ink-3">{`(${formatCount(known)} already here)`}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Labels for the kinds of item the host skips. Any other name is a file. */
const things: Record<string, (count: number) => string> = {
  chat: countChats,
  message: count => countOf(count, 'message', 'messages'),
  memory: countMemories,
  attachment: count => countOf(count, 'attachment', 'attachments'),
  entry: count => countOf(count, 'entry', 'entries'),
}

/** Lists what is skipped, and why. */
function LeftOut({ skipped }: { skipped: ImportPreview['skipped'] }): ReactNode {
  const id = useId()
  if (skipped.length === 0) return null
  return (
    <section>
      <h4 id={id} className="mb-1 text-xs font-medium text-ink-2">
        Left out
      </h4>
      <Scrollable label="Left out" className="max-h-36 overflow-y-auto">
        <ul aria-labelledby={id} className="grid gap-1 text-sm">
          {skipped.map(({ what, why, count }) => (
            <li key={`${what}\n${why}`} className="break-words">
              {things[what]?.(count) ?? (count === 1 ? what : `${what} (${formatCount(count)})`)}
              <span className="text-ink-3">: {why}</span>
            </li>
          ))}
        </ul>
      </Scrollable>
    </section>
  )
}

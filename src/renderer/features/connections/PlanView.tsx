import { useState, type ReactNode } from 'react'
import type { ConnectPlan, SettingsChange } from '../../../shared/contract/connections/connect.ts'
import { showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { Banner } from '../../ui/Banner.tsx'
import { useFold } from '../../ui/text/fold-text.tsx'
import { countOf } from '../../ui/text/format-values.ts'
import { CopyButton } from '../../ui/IconButton.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { cx } from '../../ui/style.ts'
import { CommandLines } from './ServerDetail.tsx'

export type ConnectWhat = 'connect' | 'remove'

/** How many files to list at first. Each accepted skill adds at least one. */
const FIRST_FILES = 12
const BOX =
  'overflow-auto max-h-80 rounded-lg border border-line bg-side px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap'

/** Everything that would be written and run, before the user agrees to it. */
export function PlanView(props: { plan: ConnectPlan; what: ConnectWhat; title: string }): ReactNode {
  const { plan, what, title } = props
  const { folder, files, changes, commands, notes } = plan
  return (
    <>
      <p className="text-sm text-ink-2">
        {what === 'connect'
          ? `Nothing is written until you agree. What ${title} later reads from Talaria goes to that program’s provider.`
          : `Nothing is removed until you agree. Everything else in ${title} stays unchanged.`}
      </p>
      {notes.length > 0 && (
        <div className="notice-stack -mb-3">
          {notes.map(note => (
            <Banner key={note} level="warning">
              {showHidden(note)}
            </Banner>
          ))}
        </div>
      )}
      <section aria-label="Folder" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <h3 className="text-xs font-medium text-ink-2">
          {what === 'connect'
            ? 'Files go to Talaria’s own folder'
            : 'This folder with Talaria’s files is deleted'}
        </h3>
        <CommandLines text={showHiddenInLine(folder)} />
        <Files files={files} />
      </section>
      {changes.length > 0 && (
        <section aria-label="Settings" className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <h3 className="text-xs font-medium text-ink-2">{`Changes to the settings of ${title}`}</h3>
          {changes.map(change => (
            <Change key={change.path} change={change} title={title} />
          ))}
        </section>
      )}
      {commands.length > 0 && <Commands title={`Commands for ${title}`} commands={commands} />}
    </>
  )
}

/** The files, collapsed, because many skills mean many files. */
function Files({ files }: { files: ConnectPlan['files'] }) {
  const [isOpen, setOpen] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? files : files.slice(0, FIRST_FILES)
  if (files.length === 0) return null
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-xs text-ink-2">
        {countOf(files.length, 'file', 'files')}
      </summary>
      {isOpen && (
        <ul aria-label="Files" className="mt-1.5 grid grid-cols-[minmax(0,1fr)] gap-1.5 ps-4">
          {shown.map(file => (
            <li key={file.name}>
              <File {...file} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && files.length > shown.length && (
        <button type="button" className="btn btn-quiet" onClick={() => setWhole(true)}>
          {`Show ${countOf(files.length - shown.length, 'more file', 'more files')}`}
        </button>
      )}
    </details>
  )
}

/** A collapsed file. Its text is rendered when it is opened. */
function File({ name, text }: { name: string; text: string }) {
  const [isOpen, setOpen] = useState(false)
  const shown = showHiddenInLine(name)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-xs text-ink-2">
        <bdi dir="ltr" className="font-mono wrap-anywhere">
          {shown}
        </bdi>
      </summary>
      {isOpen && <Text label={shown} text={text} />}
    </details>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  const { shown, buttons } = useFold(showHidden(text), 'file')
  return (
    <>
      <Scrollable as="pre" label={label} dir="ltr" className={cx(BOX, 'mt-1.5')}>
        {shown}
      </Scrollable>
      {buttons}
    </>
  )
}

function Change({ change: { path, diff }, title }: { change: SettingsChange; title: string }) {
  const shown = showHiddenInLine(path)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p dir="ltr" className="font-mono text-xs wrap-anywhere">
        {shown}
      </p>
      {diff === '' ? (
        <p className="text-xs text-ink-2">{`${title} changes this file itself when you run the commands below.`}</p>
      ) : (
        <DiffLines label={`Change to ${shown}`} diff={diff} />
      )}
    </div>
  )
}

const TAGS = { '+': 'ins', '-': 'del' } as const
const LOOKS = { '+': 'text-good', '-': 'text-danger' } as const

/**
 * A diff whose lines start with “+”, “-” or a space. The signs stay visible, so that colour is not the only
 * cue.
 */
function DiffLines({ label, diff }: { label: string; diff: string }) {
  const { shown, buttons } = useFold(showHidden(diff), 'change')
  return (
    <>
      <Scrollable label={label} dir="ltr" className={BOX}>
        {shown.split('\n').map((line, at) => {
          const sign = line[0] === '+' || line[0] === '-' ? line[0] : undefined
          const Tag = sign ? TAGS[sign] : 'span'
          return (
            // The text of a diff never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <Tag key={at} className={cx('block no-underline', sign ? LOOKS[sign] : 'text-ink-2')}>
              {line === '' ? ' ' : line}
            </Tag>
          )
        })}
      </Scrollable>
      {buttons}
    </>
  )
}

type CommandsProps = { title: string; commands: readonly string[]; canCopy?: boolean }

/** The commands of another program, ready to type. */
export function Commands({ title, commands, canCopy = false }: CommandsProps): ReactNode {
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <h3 className="text-xs font-medium text-ink-2">{title}</h3>
      {commands.map(command => (
        <CommandLines key={command} text={showHiddenInLine(command)}>
          {canCopy && (
            <CopyButton label="Copy" doneLabel="Copied" text={() => command} className="-my-1 -me-1" />
          )}
        </CommandLines>
      ))}
    </section>
  )
}

import { Globe, Pencil, RotateCw, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { CODE_HASH, type McpServerState } from '../../../shared/contract/connections/mcp.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { Banner } from '../../ui/Banner.tsx'
import { countOf, formatCount } from '../../ui/text/format-values.ts'
import { MoreMenu } from '../../ui/Menu.tsx'
import { OpenableCard } from '../../ui/OpenableCard.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { TextDiff } from '../../ui/text/TextDiff.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { EditServer } from './AddServer.tsx'
import { CommandLines, ServerDetail, Writes } from './ServerDetail.tsx'
import { useHostCall } from '../../use-host-call.ts'

const STATES: Record<McpServerState['state'], { label: string; look: string }> = {
  'not accepted': { label: 'Waiting for you', look: 'text-warn' },
  disabled: { label: 'Off', look: '' },
  off: { label: 'Starts when used', look: '' },
  starting: { label: 'Starting', look: 'text-accent' },
  running: { label: 'Running', look: 'text-good' },
  failed: { label: 'Failed', look: 'text-danger' },
}

/** How long the toast offers to undo a removal, in ms. */
const UNDO_MS = 10_000

type Props = {
  server: McpServerState
  /** The names that are taken. */
  known: readonly string[]
  /** Why programs are not confined on this computer; empty if they are. */
  whyNotConfined: string
  isOpen: boolean
  onOpen: (name: string | null) => void
}

/** A server with its state and its switch. The open card shows what it runs, its tools and its output. */
export function ServerCard({ server, known, whyNotConfined, isOpen, onOpen }: Props): ReactNode {
  const { name, state, enabled, project, reach, seen } = server
  const act = useHostCall()
  const [isEdited, setEdited] = useState(false)
  const { label, look } = STATES[state]
  const remove = async () => {
    if (!(await act(client => client['mcp.remove']({ name })))) return
    const putBack = () => void act(client => client['mcp.restore']({ name }))
    showToast(`${name} was removed.`, { action: { label: 'Undo', run: putBack }, ms: UNDO_MS })
  }
  return (
    <OpenableCard
      label={name}
      title={name}
      badges={
        <span className={cx('badge gap-1', look)}>
          {state === 'starting' && <Spinner size={12} />}
          {label}
        </span>
      }
      facts={factsOf(server, whyNotConfined === '').join(' · ')}
      isOpen={isOpen}
      onToggle={() => onOpen(isOpen ? null : name)}
      actions={
        <>
          <button
            type="button"
            role="switch"
            aria-checked={enabled}
            aria-label={`Use ${name}`}
            className="switch mt-0"
            onClick={() => void act(client => client['mcp.switch']({ name, on: !enabled }))}
          />
          <MoreMenu
            of={name}
            entries={[
              ...(project !== null && reach !== 'address'
                ? [
                    {
                      id: 'network',
                      label: reach === 'program' ? 'Let it use the network' : 'Keep it off the network',
                      icon: <Globe size={16} />,
                      disabled: state === 'not accepted',
                      onSelect: () =>
                        void act(client =>
                          client['mcp.switch']({ name, network: reach === 'program', seen }),
                        ),
                    },
                  ]
                : []),
              ...(project === null
                ? [
                    {
                      id: 'edit',
                      label: 'Edit or rename…',
                      icon: <Pencil size={16} />,
                      onSelect: () => setEdited(true),
                    },
                  ]
                : []),
              {
                id: 'restart',
                label: 'Stop its program',
                hint: 'It starts again when it is next used.',
                icon: <RotateCw size={16} />,
                disabled: state !== 'running' && state !== 'starting',
                onSelect: () => void act(client => client['mcp.restart']({ name })),
              },
              ...(project === null
                ? [
                    {
                      id: 'remove',
                      label: 'Remove',
                      hint: 'Its program stops. Files that it wrote stay.',
                      icon: <Trash2 size={16} />,
                      danger: true,
                      onSelect: () => void remove(),
                    },
                  ]
                : []),
            ]}
          />
        </>
      }
      notes={
        <>
          <Trouble
            server={server}
            isOpen={isOpen}
            isConfined={whyNotConfined === ''}
            onOpen={() => onOpen(name)}
          />
          {isEdited && (
            <EditServer name={name} known={known} onSaved={onOpen} onClose={() => setEdited(false)} />
          )}
        </>
      }
    >
      <ServerDetail server={server} whyNotConfined={whyNotConfined} onEdit={() => setEdited(true)} />
    </OpenableCard>
  )
}

const NETWORK = { program: 'no network', 'program with network': 'with network' }

/** Such as `14 tools`, `2 pinned, using 310 tokens of each new chat`, `no network`. */
function factsOf({ tools, description, reach, project }: McpServerState, isConfined: boolean): string[] {
  const usable = tools.filter(tool => tool.state === 'on')
  const pinned = usable.filter(tool => tool.pinned)
  const tokens = pinned.reduce((sum, tool) => sum + tool.tokens, 0)
  const others = tools.length - usable.length
  return [
    ...(project === null ? [] : [`for chats in ${showHidden(project)}`]),
    ...(description === '' ? [] : [showHidden(description)]),
    tools.length === 0 ? 'tools not known yet' : countOf(usable.length, 'tool', 'tools'),
    ...(others === 0 ? [] : [`${formatCount(others)} off`]),
    ...(pinned.length === 0
      ? []
      : [`${formatCount(pinned.length)} pinned, using ${formatCount(tokens)} tokens of each new chat`]),
    reach === 'address' ? 'at an address' : isConfined ? NETWORK[reach] : 'not confined',
  ]
}

type TroubleProps = { server: McpServerState; isOpen: boolean; isConfined: boolean; onOpen: () => void }

/** What the user has to know or decide, shown on the closed card too. */
function Trouble({ server, isOpen, isConfined, onOpen }: TroubleProps) {
  const { name, state, shown, changes, problem, tools, warnings, writes, seen } = server
  const act = useHostCall()
  const asking = tools.filter(tool => tool.state === 'changed' || tool.state === 'new')
  const refused = tools.filter(tool => tool.state === 'refused').length
  return (
    <div className="notice-stack mt-2 -mb-3 empty:hidden">
      {state === 'not accepted' && (
        <Banner
          level="warning"
          actions={
            <button
              type="button"
              className="btn btn-secondary"
              onClick={() => void act(client => client['mcp.accept']({ name, seen }))}
            >
              {`Agree to ${name}`}
            </button>
          }
        >
          {whyItWaits(server)}
          <CommandLines className="mt-1.5" text={shown} />
          {isConfined && <Writes places={writes} />}
          {changes !== null && <WhatChanged name={name} changes={changes} />}
          {!isOpen &&
            warnings.map(warning => (
              <p key={warning} className="mt-1.5">
                {showHidden(warning)}
              </p>
            ))}
        </Banner>
      )}
      {problem !== '' && state !== 'disabled' && <Banner level="error">{showHidden(problem)}</Banner>}
      {!isOpen && asking.length + refused > 0 && (
        <button type="button" className="btn btn-quiet text-warn" onClick={onOpen}>
          {[
            ...(asking.length > 0 ? [`${countOf(asking.length, 'tool', 'tools')} to review`] : []),
            ...(refused > 0 ? [`${countOf(refused, 'tool', 'tools')} refused`] : []),
          ].join(' · ')}
        </button>
      )}
    </div>
  )
}

function whyItWaits({ project, changes }: McpServerState): string {
  const folder = project === null ? null : showHidden(project)
  if (changes !== null)
    return folder === null
      ? 'It has changed since you agreed to it, and will not run until you agree to this:'
      : `Its entry in the .mcp.json of ${folder} has changed since you agreed to it, and it will not run until you agree to this:`
  return folder === null
    ? 'It was added outside this page. It will not run until you agree to this:'
    : `It comes from the .mcp.json of ${folder}. It will not run until you agree to this:`
}

type ChangedProps = { name: string; changes: NonNullable<McpServerState['changes']> }

/** The parts of a server that changed since the user agreed to them, old and new. */
function WhatChanged({ name, changes }: ChangedProps) {
  if (changes.length === 0)
    return (
      <p className="mt-1.5 text-xs">
        What changed cannot be shown: it is a key, or you agreed to it in an older version.
      </p>
    )
  const hashes = changes.filter(({ part }) => part.startsWith(CODE_HASH))
  const others = changes.filter(each => !hashes.includes(each))
  const linesOf = (which: 'before' | 'after') =>
    others.map(each => `${each.part}: ${each[which] === '' ? 'none' : each[which]}`).join('\n')
  return (
    <>
      {hashes.map(each => (
        <ProgramChanged key={each.part} change={each} />
      ))}
      {others.length > 0 && (
        <TextDiff
          label={`What changed in ${name}`}
          before={linesOf('before')}
          after={linesOf('after')}
          className="mt-1.5 max-h-60 text-ink"
        />
      )}
    </>
  )
}

/** How many characters of a hash to show: enough to tell two hashes apart. */
const SHORT = 8

/** A program whose file changed: shortened hashes, and the full ones in a disclosure. */
function ProgramChanged({ change }: { change: NonNullable<McpServerState['changes']>[number] }) {
  const path = showHidden(change.part.slice(CODE_HASH.length))
  const short = (hash: string) =>
    /^[0-9a-f]{64}$/.test(hash) ? `${hash.slice(0, SHORT)}…` : hash === '' ? 'none' : showHidden(hash)
  return (
    <details className="mt-1.5 text-xs">
      <summary className="cursor-pointer wrap-anywhere">
        {`The file ${path} changed. Its SHA-256 was ${short(change.before)} and is now ${short(change.after)}.`}
      </summary>
      <dl className="mt-1 grid gap-1 ps-4 wrap-anywhere">
        <dt className="text-ink-2">When you agreed</dt>
        <dd className="font-mono">{change.before === '' ? 'none' : showHidden(change.before)}</dd>
        <dt className="text-ink-2">Now</dt>
        <dd className="font-mono">{change.after === '' ? 'none' : showHidden(change.after)}</dd>
      </dl>
    </details>
  )
}

import { RefreshCw, Trash2 } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { ConnectedAgent } from '../../../shared/contract/connections/agents.ts'
import type { Connection, ConnectProgram } from '../../../shared/contract/connections/connect.ts'
import { showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { Banner } from '../../ui/Banner.tsx'
import { MoreMenu } from '../../ui/Menu.tsx'
import { OpenableCard } from '../../ui/OpenableCard.tsx'
import { cx } from '../../ui/style.ts'
import { AgentRequests, AgentRights } from './AgentRights.tsx'
import { ConnectDialog } from './ConnectDialog.tsx'
import type { ConnectWhat } from './PlanView.tsx'
import { tellFacts, tellSilence, tellState } from './tell-connection.ts'
import { placeElements } from '../../ui/text/place-elements.tsx'

type Props = {
  connections: readonly Connection[]
  agents: readonly ConnectedAgent[]
  /** The open card: a program, or the id of an agent. */
  open: string | null
  onOpen: (id: string | null) => void
  /** When the lists were read. */
  now: number
  /** Called after a change, so that the lists are read again. */
  onChanged: () => void
}

/** The programs that Talaria can connect. The card of a connected program has the switches of its agent. */
export function Programs({ connections, agents, open, onOpen, now, onChanged }: Props): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const [asked, setAsked] = useState<{ program: ConnectProgram; what: ConnectWhat }>()
  const inDialog = connections.find(({ program }) => program === asked?.program)

  /** Focus the card of a program, because the button that opened the dialog may be gone. */
  function focusCard(program: ConnectProgram): void {
    const at = connections.findIndex(each => each.program === program)
    requestAnimationFrame(() => list.current?.children[at]?.querySelector('button')?.focus())
  }

  return (
    <>
      <h3 id="programs-heading" className="mt-2 text-sm font-medium">
        Programs you can connect
      </h3>
      <p className="text-sm text-ink-2">
        Sessions in a connected program start with what Talaria remembers about you. The program can search
        Talaria, and Talaria can learn from its sessions. You allow each of these separately.
      </p>
      <ul ref={list} aria-labelledby="programs-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {connections.map(connection => (
          <ProgramCard
            key={connection.program}
            connection={connection}
            agent={agents.find(({ id }) => id === connection.agentId)}
            now={now}
            isOpen={open === connection.program}
            onOpen={onOpen}
            onAsk={what => setAsked({ program: connection.program, what })}
          />
        ))}
      </ul>
      {asked && inDialog && (
        <ConnectDialog
          connection={inDialog}
          what={asked.what}
          mayChoose={!agents.some(({ id, allowed }) => id === inDialog.agentId && allowed)}
          onChanged={onChanged}
          onChoose={() => onOpen(asked.program)}
          onClose={() => {
            setAsked(undefined)
            focusCard(asked.program)
          }}
        />
      )}
    </>
  )
}

type CardProps = {
  connection: Connection
  /** Its agent; undefined if it is not connected, or if its key was removed elsewhere. */
  agent: ConnectedAgent | undefined
  now: number
  isOpen: boolean
  onOpen: (id: string | null) => void
  onAsk: (what: ConnectWhat) => void
}

function ProgramCard({ connection, agent, now, isOpen, onOpen, onAsk }: CardProps) {
  const { program, title, state, note } = connection
  const facts = tellFacts(connection, agent, now)
  const connectButton = (
    <button
      type="button"
      aria-haspopup="dialog"
      className="btn btn-secondary"
      onClick={() => onAsk('connect')}
    >
      {state === 'off' ? 'Connect…' : 'Connect again…'}
      <span className="sr-only">{` ${title}`}</span>
    </button>
  )
  const notes = (
    <Notes
      texts={[note, ...troubleOf(connection, agent, now)]}
      isLast={!isOpen}
      action={state !== 'off' && connectButton}
    />
  )
  if (state === 'off')
    return (
      <li aria-label={title} className="model-card">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
              {title}
              <span className="badge">{tellState(connection)}</span>
            </p>
            {facts.length > 0 && <p className="text-xs text-ink-3">{facts.join(' · ')}</p>}
          </div>
          {connectButton}
        </div>
        {notes}
      </li>
    )
  return (
    <OpenableCard
      label={title}
      title={title}
      badges={
        <>
          <span className={cx('badge', state === 'changed' ? 'text-warn' : 'text-good')}>
            {tellState(connection)}
          </span>
          {agent?.allowed === false && <span className="badge text-warn">Not allowed</span>}
        </>
      }
      facts={facts.join(' · ')}
      isOpen={isOpen}
      onToggle={() => onOpen(isOpen ? null : program)}
      actions={
        <MoreMenu
          of={title}
          entries={[
            {
              id: 'again',
              label: 'Connect again…',
              hint: 'You see first what would be written.',
              icon: <RefreshCw size={16} />,
              onSelect: () => onAsk('connect'),
            },
            {
              id: 'remove',
              label: 'Remove…',
              hint: 'You see first what would be removed.',
              icon: <Trash2 size={16} />,
              danger: true,
              onSelect: () => onAsk('remove'),
            },
          ]}
        />
      }
      notes={notes}
    >
      {agent && (
        <>
          <AgentRights agent={agent} isConnected />
          <AgentRequests id={agent.id} />
        </>
      )}
      {connection.folder !== null && (
        <p className="mt-4 text-xs text-ink-3">
          {placeElements('Talaria’s files for it are in {folder}', {
            folder: (
              <bdi dir="ltr" className="font-mono wrap-anywhere">
                {showHiddenInLine(connection.folder)}
              </bdi>
            ),
          })}
        </p>
      )}
    </OpenableCard>
  )
}

/** The problems of a connected program, besides the host's `note`. */
function troubleOf(connection: Connection, agent: ConnectedAgent | undefined, now: number): string[] {
  const { title, state, note } = connection
  if (state === 'off') return []
  return [
    ...(state === 'changed' && note === ''
      ? [`What Talaria added to ${title} was changed or deleted. Connect it again to restore it.`]
      : []),
    ...(agent === undefined
      ? ['Its key was removed, so it cannot read anything. Connect it again to give it a new key.']
      : []),
    tellSilence(connection, agent, now),
  ]
}

type NotesProps = { texts: readonly string[]; isLast: boolean; action: ReactNode }

function Notes({ texts, isLast, action }: NotesProps) {
  const shown = texts.filter(text => text !== '')
  if (shown.length === 0) return null
  return (
    <div className={cx('notice-stack mt-2', isLast && '-mb-3')}>
      <Banner level="warning" actions={action || undefined}>
        {shown.map(text => (
          <p key={text}>{showHidden(text)}</p>
        ))}
      </Banner>
    </div>
  )
}

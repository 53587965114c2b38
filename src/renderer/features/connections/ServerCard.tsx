import { ChevronRight, Ellipsis, Pencil, RotateCw, Trash2 } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import type { McpServerState } from '../../../shared/contract/mcp.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { countOf, formatCount } from '../../ui/format.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { EditServer } from './AddServer.tsx'
import { CommandLines, ServerDetail } from './ServerDetail.tsx'
import { useAct } from './ToolList.tsx'

const STATES: Record<McpServerState['state'], { label: string; look: string }> = {
  'not accepted': { label: 'Waits for you', look: 'text-warn' },
  disabled: { label: 'Off', look: '' },
  off: { label: 'Starts when used', look: '' },
  starting: { label: 'Starting', look: 'text-accent' },
  running: { label: 'Running', look: 'text-good' },
  failed: { label: 'Failed', look: 'text-danger' },
}

type Props = {
  server: McpServerState
  /** The names that are taken. */
  known: readonly string[]
  /** Why programs are not confined on this computer; empty if they are. */
  whyNotConfined: string
  isOpen: boolean
  onOpen: (name: string | null) => void
}

/** One server with its state and its switch. The open card shows what it runs, its tools and what it printed. */
export function ServerCard({ server, known, whyNotConfined, isOpen, onOpen }: Props): ReactNode {
  const { name, state, enabled } = server
  const id = useId()
  const act = useAct()
  const [asks, setAsks] = useState<'edit' | 'remove'>()
  const { label, look } = STATES[state]
  return (
    <li aria-label={name} className={cx('model-card', isOpen && 'model-card-open')}>
      <div className="flex items-start gap-x-3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          className="model-open"
          onClick={() => onOpen(isOpen ? null : name)}
        >
          <ChevronRight
            size={15}
            className={cx(
              'mt-0.5 shrink-0 text-ink-3 transition-transform',
              isOpen ? 'rotate-90' : 'rtl:rotate-180',
            )}
          />
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="text-sm font-medium break-all">{name}</span>
              <span className={cx('badge gap-1', look)}>
                {state === 'starting' && <Spinner size={10} />}
                {label}
              </span>
            </span>
            <span className="block text-xs break-words text-ink-3">
              {factsOf(server, whyNotConfined === '').join(' · ')}
            </span>
          </span>
        </button>
        <div className="flex shrink-0 items-center gap-1.5">
          <button
            type="button"
            role="switch"
            aria-checked={enabled}
            aria-label={`Use ${name}`}
            className="switch mt-0"
            onClick={() => void act(client => client['mcp.switch']({ name, on: !enabled }))}
          />
          <Menu
            label={`More for ${name}`}
            align="end"
            entries={[
              {
                id: 'edit',
                label: 'Edit or rename…',
                icon: <Pencil size={15} />,
                onSelect: () => setAsks('edit'),
              },
              {
                id: 'restart',
                label: 'Stop its program',
                hint: 'It starts again at its next use.',
                icon: <RotateCw size={15} />,
                disabled: state !== 'running' && state !== 'starting',
                onSelect: () => void act(client => client['mcp.restart']({ name })),
              },
              {
                id: 'remove',
                label: 'Remove…',
                icon: <Trash2 size={15} />,
                danger: true,
                onSelect: () => setAsks('remove'),
              },
            ]}
            renderButton={props => (
              <IconButton label={`More for ${name}`} {...props}>
                <Ellipsis size={17} />
              </IconButton>
            )}
          />
        </div>
      </div>
      <Trouble server={server} isOpen={isOpen} onOpen={() => onOpen(name)} />
      {isOpen && (
        <div id={id} className="mt-4 border-t border-line pt-4">
          <ServerDetail server={server} whyNotConfined={whyNotConfined} onEdit={() => setAsks('edit')} />
        </div>
      )}
      {asks === 'remove' && <RemoveServer name={name} onClose={() => setAsks(undefined)} />}
      {asks === 'edit' && (
        <EditServer name={name} known={known} onSaved={onOpen} onClose={() => setAsks(undefined)} />
      )}
    </li>
  )
}

const NETWORK = { program: 'no network', 'program with network': 'with network' }

/** Such as `14 tools · 2 pinned, 310 tokens of each new chat · no network`. */
function factsOf({ tools, description, reach }: McpServerState, isConfined: boolean): string[] {
  const usable = tools.filter(tool => tool.state === 'on')
  const pinned = usable.filter(tool => tool.pinned)
  const tokens = pinned.reduce((sum, tool) => sum + tool.tokens, 0)
  const others = tools.length - usable.length
  return [
    ...(description === '' ? [] : [showHidden(description)]),
    tools.length === 0 ? 'tools not known yet' : countOf(usable.length, 'tool', 'tools'),
    ...(others === 0 ? [] : [`${formatCount(others)} off`]),
    ...(pinned.length === 0
      ? []
      : [`${formatCount(pinned.length)} pinned, ${formatCount(tokens)} tokens of each new chat`]),
    reach === 'address' ? 'at an address' : isConfined ? NETWORK[reach] : 'not confined',
  ]
}

type TroubleProps = { server: McpServerState; isOpen: boolean; onOpen: () => void }

/** What the person has to know or decide, whether the card is open or not. */
function Trouble({ server: { name, state, shown, problem, tools }, isOpen, onOpen }: TroubleProps) {
  const act = useAct()
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
              onClick={() => void act(client => client['mcp.accept']({ name }))}
            >
              {`Agree to ${name}`}
            </button>
          }
        >
          It was added or changed outside of this page. It does not run before you agree to this:
          <CommandLines className="mt-1.5" text={shown} />
        </Banner>
      )}
      {problem !== '' && state !== 'disabled' && <Banner level="error">{showHidden(problem)}</Banner>}
      {!isOpen && asking.length + refused > 0 && (
        <button type="button" className="btn btn-quiet text-warn" onClick={onOpen}>
          {[
            ...(asking.length > 0 ? [`${countOf(asking.length, 'tool', 'tools')} to look at`] : []),
            ...(refused > 0 ? [`${countOf(refused, 'tool', 'tools')} refused`] : []),
          ].join(', ')}
        </button>
      )}
    </div>
  )
}

function RemoveServer({ name, onClose }: { name: string; onClose: () => void }) {
  const act = useAct()
  const remove = async () => {
    if (await act(client => client['mcp.remove']({ name }))) onClose()
  }
  return (
    <Dialog title={`Remove ${name}?`} closeLabel="Close" onClose={onClose}>
      <p className="mb-4 text-sm text-ink-2">
        Its program is ended, and its pins and what you agreed to are forgotten. Files that it wrote stay.
        Chats keep the results of its tools and can no longer call them.
      </p>
      <DialogButtons label="Remove" isDangerous onClick={() => void remove()} onCancel={onClose} />
    </Dialog>
  )
}

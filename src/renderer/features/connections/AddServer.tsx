import { useEffect, useId, useState, type ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { McpServer } from '../../../shared/contract/connections/mcp.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Banner, Problem } from '../../ui/Banner.tsx'
import { Segmented } from '../../ui/fields/Choice.tsx'
import { Dialog, StepHeading } from '../../ui/Dialog.tsx'
import { fieldsOf, NO_FIELDS } from './server-fields.ts'
import { CommandLines, Writes } from './ServerDetail.tsx'
import { NetworkSwitch, ServerForm } from './ServerForm.tsx'

type Found = Awaited<ReturnType<HostClient['mcp.read']>>['servers'][number]
type Way = 'json' | 'program' | 'address'

const WAYS = [
  { value: 'json', label: 'Paste JSON' },
  { value: 'program', label: 'A program' },
  { value: 'address', label: 'An address' },
] as const satisfies readonly { value: Way; label: string }[]

const EXAMPLE = '{ "mcpServers": { "files": { "command": "node", "args": ["server.js"] } } }'

/** Asks the host what a server would run, before it is added or saved. Resolves to a text if that fails. */
function usePreview() {
  const { client } = useLink()
  return async (server: McpServer): Promise<Found | string> => {
    const answer = await attemptCall(client['mcp.preview']({ server }))
    return answer.ok ? { name: server.name, server, ...answer.value, problem: '' } : answer.fault.message
  }
}

type AddProps = { known: readonly string[]; onAdded: (name: string) => void; onClose: () => void }

/**
 * Adds a server from pasted JSON or a form, after showing its full command. `known` are the names that are
 * taken.
 */
export function AddServer({ known, onAdded, onClose }: AddProps): ReactNode {
  const { client } = useLink()
  const preview = usePreview()
  const [way, setWay] = useState<Way>('json')
  const [text, setText] = useState('')
  const [fields, setFields] = useState(NO_FIELDS)
  const [found, setFound] = useState<readonly Found[] | null>(null)
  const [problem, setProblem] = useState('')

  async function read(): Promise<void> {
    const answer = await attemptCall(client['mcp.read']({ text }))
    setProblem(answer.ok ? '' : answer.fault.message)
    setFound(answer.ok ? answer.value.servers : null)
  }

  async function readForm(server: McpServer): Promise<void> {
    const shown = await preview(server)
    if (typeof shown === 'string') return setProblem(shown)
    setProblem('')
    setFound([shown])
  }

  /** Read the server again after its network was switched, or after it changed since it was shown. */
  async function show({ server, name }: Found): Promise<void> {
    if (!server) return
    const shown = await preview(server)
    if (typeof shown === 'string') return setProblem(shown)
    setFound(now => now?.map(each => (each.name === name ? shown : each)) ?? null)
  }

  async function add(given: Found): Promise<void> {
    const { server, name, seen } = given
    if (!server) return
    const answer = await attemptCall(client['mcp.put']({ server, seen }))
    if (!answer.ok) {
      setProblem(answer.fault.message)
      return answer.fault.code === 'conflict' ? show(given) : undefined
    }
    onAdded(name)
    // Another server may have been added in the meantime.
    setFound(now => {
      const left = now?.filter(each => each.name !== name) ?? []
      return left.some(each => each.server) ? left : []
    })
  }
  const isDone = found?.length === 0
  useEffect(() => {
    if (isDone) onClose()
  }, [isDone, onClose])

  return (
    <Dialog title="Add a server" closeLabel="Close" width="medium" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Problem text={showHidden(problem)} />
        {found !== null ? (
          <Review
            found={found}
            known={known}
            onChange={each => void show(each)}
            onAdd={each => void add(each)}
            onBack={() => setFound(null)}
          />
        ) : (
          <>
            <Segmented
              label="How to add it"
              options={WAYS}
              value={way}
              onChange={next => {
                setWay(next)
                setProblem('')
                if (next !== 'json') setFields({ ...fields, kind: next })
              }}
            />
            {way === 'json' ? (
              <PasteJson text={text} onText={setText} onRead={() => void read()} />
            ) : (
              <ServerForm fields={fields} onFields={setFields} onRead={server => void readForm(server)} />
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

function PasteJson(props: { text: string; onText: (text: string) => void; onRead: () => void }) {
  const { text, onText, onRead } = props
  const id = useId()
  return (
    <form
      className="grid gap-3.5"
      onSubmit={event => {
        event.preventDefault()
        onRead()
      }}
    >
      <div className="grid gap-1">
        <label htmlFor={id} className="text-xs font-medium text-ink-2">
          Server JSON
        </label>
        <textarea
          id={id}
          dir="ltr"
          rows={8}
          spellCheck={false}
          maxLength={100_000}
          placeholder={EXAMPLE}
          aria-describedby={`${id}-about`}
          className="field font-mono text-xs"
          value={text}
          onChange={event => onText(event.target.value)}
        />
        <p id={`${id}-about`} className="text-xs text-ink-3">
          The JSON that its documentation gives for Claude, Cursor, VS Code and others, with “command” and
          “args”, or with “url”. Keys in it go to the vault.
        </p>
      </div>
      <button type="submit" className="btn btn-primary justify-self-end" disabled={text.trim() === ''}>
        Show what it runs
      </button>
    </form>
  )
}

type ReviewProps = {
  found: readonly Found[]
  known: readonly string[]
  /** The name of the server being edited. */
  edited?: string
  onChange: (found: Found) => void
  onAdd: (found: Found) => void
  onBack: () => void
}

/** The last step: each server with its full command, and the button that agrees to it. */
function Review({ found, known, edited, onChange, onAdd, onBack }: ReviewProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <StepHeading>
        {found.every(({ server }) => server && 'url' in server)
          ? 'Talaria sends the calls of a model to this address'
          : 'This runs on your computer'}
      </StepHeading>
      <ul aria-label="Servers to review" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {found.map(each => (
          <li
            key={each.name}
            className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-xl border border-line p-3"
          >
            <p className="text-sm font-semibold wrap-anywhere">{showHidden(each.name)}</p>
            <Problem text={showHidden(each.problem)} />
            {each.shown !== '' && <CommandLines text={each.shown} />}
            <Writes places={each.writes} />
            <div className="notice-stack">
              {each.warnings.map(warning => (
                <Banner key={warning} level="warning">
                  {showHidden(warning)}
                </Banner>
              ))}
            </div>
            <ReviewedNetwork found={each} onChange={onChange} />
            {each.server && (
              <button type="button" className="btn btn-primary justify-self-end" onClick={() => onAdd(each)}>
                {actionFor(each.name, known, edited)}
              </button>
            )}
          </li>
        ))}
      </ul>
      <button type="button" className="btn btn-secondary justify-self-start" onClick={onBack}>
        Back
      </button>
    </div>
  )
}

function ReviewedNetwork({ found, onChange }: { found: Found; onChange: (found: Found) => void }) {
  const { server } = found
  if (!server || !('command' in server)) return null
  return (
    <NetworkSwitch
      server={server}
      onChange={network => onChange({ ...found, server: { ...server, network } })}
    />
  )
}

function actionFor(name: string, known: readonly string[], edited: string | undefined): string {
  if (edited !== undefined) return `Save ${name}`
  return known.includes(name) ? `Replace ${name}` : `Add ${name}`
}

type EditProps = {
  name: string
  known: readonly string[]
  onSaved: (name: string) => void
  onClose: () => void
}

/** Edits a server or its name. The full command is shown again before it is saved. */
export function EditServer({ name, known, onSaved, onClose }: EditProps): ReactNode {
  const { client } = useLink()
  const preview = usePreview()
  const entry = useAnswer('mcp.entry', { name }, { isOnce: true })
  const before = entry?.ok ? entry.value.server : undefined
  const [edited, setEdited] = useState<typeof NO_FIELDS>()
  const [found, setFound] = useState<Found | null>(null)
  const [problem, setProblem] = useState('')
  const fields = edited ?? (before && fieldsOf(before))

  async function read(server: McpServer): Promise<void> {
    const shown = await preview(server)
    setProblem(typeof shown === 'string' ? shown : '')
    if (typeof shown !== 'string') setFound(shown)
  }

  async function save({ server, seen }: Found): Promise<void> {
    if (!server) return
    const answer = await attemptCall(client['mcp.put']({ server, was: name, seen }))
    if (!answer.ok) {
      if (answer.fault.code === 'conflict') await read(server)
      return setProblem(answer.fault.message)
    }
    onSaved(server.name)
    onClose()
    if (server.enabled) void attemptCall(client['mcp.test']({ name: server.name }))
  }

  return (
    <Dialog title={`Edit ${name}`} closeLabel="Close" width="medium" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Problem text={entry?.ok === false ? entry.fault.message : showHidden(problem)} />
        {found ? (
          <Review
            found={[found]}
            known={known}
            edited={name}
            onChange={({ server }) => void (server && read(server))}
            onAdd={each => void save(each)}
            onBack={() => setFound(null)}
          />
        ) : (
          fields && (
            <ServerForm
              fields={fields}
              known={before}
              onFields={setEdited}
              onRead={server => void read(server)}
            />
          )
        )}
      </div>
    </Dialog>
  )
}

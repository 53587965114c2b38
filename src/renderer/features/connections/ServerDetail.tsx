import { useEffect, useRef, useState, type ReactNode } from 'react'
import { sayWrites, type McpServerState } from '../../../shared/contract/connections/mcp.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { countOf } from '../../ui/text/format-values.ts'
import { CopyButton } from '../../ui/IconButton.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { cx } from '../../ui/style.ts'
import { PinVersion } from './PinVersion.tsx'
import { ToolList } from './ToolList.tsx'

type CommandProps = { text: string; className?: string; children?: ReactNode }

/** A full command or address. */
export function CommandLines({ text, className, children }: CommandProps): ReactNode {
  return (
    <div className={cx('flex items-start gap-2 rounded-lg bg-sunken px-3 py-2 text-ink', className)}>
      <pre dir="ltr" className="min-w-0 flex-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
        {showHidden(text)}
      </pre>
      {children}
    </div>
  )
}

/** The places a server may write to, as one sentence. It is on every card that asks the user to agree. */
export function Writes({ places }: { places: readonly string[] }): ReactNode {
  return places.length > 0 && <p className="mt-1.5 text-xs wrap-anywhere">{showHidden(sayWrites(places))}</p>
}

type Props = { server: McpServerState; whyNotConfined: string; onEdit: () => void }

/** The content of an open card. */
export function ServerDetail({ server, whyNotConfined, onEdit }: Props): ReactNode {
  const { name, shown, warnings, lines, tools, reach, project, writes } = server
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <section aria-label={`About ${name}`} className="grid gap-2">
        <h2 className="text-xs font-medium text-ink-2">{reach === 'address' ? 'Address' : 'Command'}</h2>
        <CommandLines text={shown}>
          <CopyButton label="Copy" doneLabel="Copied" text={() => shown} className="-my-1 -me-1" />
        </CommandLines>
        <p className="text-xs text-ink-2">{rightsOf(reach, whyNotConfined)}</p>
        {whyNotConfined === '' && <Writes places={writes} />}
        {project !== null && (
          <p className="text-xs text-ink-2">
            {`It is defined in ${showHidden(project)}/.mcp.json. Change it there. Only chats in this folder use it.`}
          </p>
        )}
        <div className="notice-stack empty:hidden">
          {warnings.map(warning => (
            <Banner key={warning} level="warning">
              {showHidden(warning)}
            </Banner>
          ))}
        </div>
        {server.isUnpinned && <PinVersion server={server} />}
        <ServerTest server={server} onEdit={onEdit} />
      </section>
      {tools.length > 0 && <ToolList server={name} tools={tools} />}
      {lines.length > 0 && (
        <details>
          <summary className="text-xs font-medium text-ink-2">{`Output of ${name}`}</summary>
          <Scrollable
            as="pre"
            label={`Output lines of ${name}`}
            dir="ltr"
            atEnd
            className="mt-2 max-h-60 overflow-y-auto rounded-lg border border-line bg-side px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
          >
            {showHidden(lines.join('\n'))}
          </Scrollable>
        </details>
      )}
    </div>
  )
}

const TOLD = 'It gets the folder of the chat that uses it as its root.'

/** What the server may do on this computer, as text for the user. */
function rightsOf(reach: McpServerState['reach'], whyNotConfined: string): string {
  if (reach === 'address')
    return 'It runs elsewhere. Only what a model writes into its calls is sent to this address.'
  if (whyNotConfined !== '')
    return `It runs with all your rights, because programs are not confined here: ${whyNotConfined} ${TOLD}`
  const network =
    reach === 'program'
      ? 'It cannot use the network.'
      : 'It can use the network, unless the offline lock is on.'
  return `It runs confined: it can write only to the places below, and sees only its own keys. ${TOLD} ${network}`
}

/** Starts the server, lists its tools and shows the result. The user can stop it. */
function ServerTest({ server, onEdit }: { server: McpServerState; onEdit: () => void }) {
  const { name, state } = server
  const { client } = useLink()
  const stopping = useRef<AbortController>(null)
  const [isTesting, setTesting] = useState(false)
  const [found, setFound] = useState<{ text: string; ok: boolean }>()
  useEffect(() => () => stopping.current?.abort(), [])
  const isBusy = isTesting || state === 'starting'

  async function run(): Promise<void> {
    const over = new AbortController()
    stopping.current = over
    setTesting(true)
    setFound(undefined)
    const answer = await attemptCall(client['mcp.test']({ name }, { signal: over.signal }))
    if (over.signal.aborted) return
    setTesting(false)
    if (!answer.ok) return setFound({ ok: false, text: answer.fault.message })
    const { ok, tools } = answer.value
    // The card says why.
    if (!ok) return setFound({ ok, text: 'It does not work.' })
    const bad = tools.filter(tool => !tool.ok).length
    setFound({
      ok,
      text:
        bad === 0
          ? `It works: ${countOf(tools.length, 'tool', 'tools')}.`
          : `It works: ${countOf(tools.length, 'tool', 'tools')}, of which ${bad} cannot be used.`,
    })
  }

  async function stop(): Promise<void> {
    stopping.current?.abort()
    setTesting(false)
    setFound({ ok: true, text: 'Stopped.' })
    await attemptCall(client['mcp.restart']({ name }))
  }

  return (
    <div className="flex min-h-8 flex-wrap items-center gap-2">
      {isBusy ? (
        <button type="button" className="btn btn-secondary" onClick={() => void stop()}>
          {`Stop testing ${name}`}
        </button>
      ) : (
        <button
          type="button"
          className="btn btn-secondary"
          disabled={state === 'not accepted' || state === 'disabled'}
          onClick={() => void run()}
        >
          {`Test ${name}`}
        </button>
      )}
      {server.project === null && (
        <button type="button" className="btn btn-quiet" onClick={onEdit}>
          Edit…
        </button>
      )}
      <output className="flex items-center gap-2 text-sm">
        {isBusy ? (
          <>
            <Spinner />
            Starting it and listing its tools…
          </>
        ) : (
          found && <span className={found.ok ? 'text-ink-2' : 'text-danger'}>{found.text}</span>
        )}
      </output>
    </div>
  )
}

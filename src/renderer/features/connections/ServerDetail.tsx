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

/** A command or an address, whole. */
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

/** Where a server may write, in one sentence, on each card that asks to agree to it. */
export function Writes({ places }: { places: readonly string[] }): ReactNode {
  return places.length > 0 && <p className="mt-1.5 text-xs wrap-anywhere">{showHidden(sayWrites(places))}</p>
}

type Props = { server: McpServerState; whyNotConfined: string; onEdit: () => void }

/** What an open card shows. */
export function ServerDetail({ server, whyNotConfined, onEdit }: Props): ReactNode {
  const { name, shown, warnings, lines, tools, reach, project, writes } = server
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <section aria-label={`What ${name} is`} className="grid gap-2">
        <h2 className="text-xs font-medium text-ink-2">{reach === 'address' ? 'Address' : 'Command'}</h2>
        <CommandLines text={shown}>
          <CopyButton label="Copy" doneLabel="Copied" text={() => shown} className="-my-1 -me-1" />
        </CommandLines>
        <p className="text-xs text-ink-2">{rightsOf(reach, whyNotConfined)}</p>
        {whyNotConfined === '' && <Writes places={writes} />}
        {project !== null && (
          <p className="text-xs text-ink-2">
            {`It is defined in ${showHidden(project)}/.mcp.json; change it there. Only chats that work in this folder use it.`}
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
          <summary className="text-xs font-medium text-ink-2">{`What ${name} printed`}</summary>
          <Scrollable
            as="pre"
            label={`Lines of ${name}`}
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

const TOLD = 'It is told the folder of the chat that uses it, as its root.'

/** What the server may do on this computer, in words. */
function rightsOf(reach: McpServerState['reach'], whyNotConfined: string): string {
  if (reach === 'address')
    return 'It runs elsewhere. What a model writes into its calls is sent to this address; nothing else is.'
  if (whyNotConfined !== '')
    return `It runs with all your rights, because programs are not confined here: ${whyNotConfined} ${TOLD}`
  const network =
    reach === 'program'
      ? 'It does not reach the network.'
      : 'It reaches the network, except with the offline lock.'
  return `It runs confined: it writes only into the places below, and sees no keys but its own. ${TOLD} ${network}`
}

/** Starts the server and lists its tools, which can be stopped, and says what came of it. */
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
    // Why it does not work stands on the card.
    if (!ok) return setFound({ ok, text: 'It does not work.' })
    const bad = tools.filter(tool => !tool.ok).length
    setFound({
      ok,
      text:
        bad === 0
          ? `It works: ${countOf(tools.length, 'tool', 'tools')}.`
          : `It works: ${countOf(tools.length, 'tool', 'tools')}, ${bad} of them cannot be used.`,
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
          {`Cancel the start of ${name}`}
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
            Starting, and asking for its tools…
          </>
        ) : (
          found && <span className={found.ok ? 'text-ink-2' : 'text-danger'}>{found.text}</span>
        )}
      </output>
    </div>
  )
}

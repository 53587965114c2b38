import { useId, useState, type ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

type Found = Awaited<ReturnType<HostClient['mcp.read']>>['servers'][number]

const EXAMPLE = '{ "mcpServers": { "files": { "command": "node", "args": ["server.js"] } } }'

/** Paste the JSON of a server, see its command whole, and add it. `known` are the names that are taken. */
export function AddServer({ known, onClose }: { known: readonly string[]; onClose: () => void }): ReactNode {
  const { client } = useLink()
  const id = useId()
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Found[] | null>(null)
  const [problem, setProblem] = useState('')

  async function read(): Promise<void> {
    const answer = await attemptCall(client['mcp.read']({ text }))
    setProblem(answer.ok ? '' : answer.fault.message)
    setFound(answer.ok ? answer.value.servers : null)
  }

  async function add({ server, name }: Found): Promise<void> {
    if (!server) return
    const answer = await attemptCall(client['mcp.put']({ server }))
    if (!answer.ok) return setProblem(answer.fault.message)
    const left = found?.filter(each => each.name !== name) ?? []
    if (left.some(each => each.server)) setFound(left)
    else onClose()
    // Its tools are accepted as they are now; the page shows what comes of it.
    void attemptCall(client['mcp.test']({ name }))
  }

  return (
    <Dialog title="Add a server" closeLabel="Close" width="large" onClose={onClose}>
      <div className="grid gap-3">
        <div className="grid gap-1">
          <label htmlFor={id} className="text-xs font-medium text-ink-2">
            JSON of the server
          </label>
          <textarea
            id={id}
            dir="ltr"
            rows={6}
            spellCheck={false}
            placeholder={EXAMPLE}
            className="field font-mono text-xs"
            value={text}
            onChange={event => {
              setText(event.target.value)
              setFound(null)
            }}
          />
          <p className="text-xs text-ink-3">
            As its maker prints it, with “command” and “args” or with “url”. Keys in it go to the vault.
          </p>
        </div>
        <div role="alert">{problem !== '' && <Banner level="error">{showHidden(problem)}</Banner>}</div>
        {found === null ? (
          <div>
            <button
              type="button"
              className="btn btn-primary"
              disabled={text.trim() === ''}
              onClick={() => void read()}
            >
              Show what it runs
            </button>
          </div>
        ) : (
          <ul aria-label="Servers in this text" className="grid gap-3">
            {found.map(each => (
              <FoundServer
                key={each.name}
                found={each}
                isKnown={known.includes(each.name)}
                onAdd={() => void add(each)}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

type FoundProps = { found: Found; isKnown: boolean; onAdd: () => void }

function FoundServer({ found: { name, server, shown, warnings, problem }, isKnown, onAdd }: FoundProps) {
  return (
    <li className="grid gap-2 rounded-xl border border-line p-3">
      <p className="text-sm font-semibold">{showHidden(name)}</p>
      {problem !== '' && <p className="text-sm text-danger">{problem}</p>}
      {shown !== '' && (
        <pre dir="ltr" className="rounded-lg bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap">
          {showHidden(shown)}
        </pre>
      )}
      {warnings.map(warning => (
        <Banner key={warning} level="warning">
          {showHidden(warning)}
        </Banner>
      ))}
      {server && (
        <div>
          <button type="button" className="btn btn-primary" onClick={onAdd}>
            {isKnown ? `Replace ${name}` : `Add ${name}`}
          </button>
        </div>
      )}
    </li>
  )
}

import { useState, type ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { McpServerState, McpTool } from '../../../shared/contract/mcp.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { countOf, formatCount } from '../../ui/format.ts'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { showToast } from '../../ui/Toasts.tsx'

const STATES: Record<McpServerState['state'], string> = {
  'not accepted': 'Waits for you to agree',
  disabled: 'Switched off',
  off: 'Starts when it is used',
  starting: 'Starting',
  running: 'Running',
  failed: 'Failed',
}

/** Runs a call of the host; trouble is a toast. */
function useAct() {
  const { client } = useLink()
  return async (act: (client: HostClient) => Promise<unknown>): Promise<void> => {
    const answer: Outcome<unknown> = await attemptCall(act(client))
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
}

/** One server: its state, its tools, what it prints, and what can be done. */
export function ServerCard({ server }: { server: McpServerState }): ReactNode {
  const { name, state, shown, problem, warnings, lines, tools, enabled } = server
  const act = useAct()
  const [isTesting, setTesting] = useState(false)
  const pinned = tools.filter(tool => tool.pinned && tool.state === 'on')
  const tokens = pinned.reduce((sum, tool) => sum + tool.tokens, 0)

  async function runTest(): Promise<void> {
    setTesting(true)
    await act(async client => {
      const { ok, tools: found } = await client['mcp.test']({ name })
      if (ok) showToast(`${name} works: ${countOf(found.length, 'tool', 'tools')}.`)
    })
    setTesting(false)
  }

  return (
    <li aria-label={name} className="grid gap-3 rounded-xl border border-line p-4">
      <Switch
        label={name}
        hint={`${STATES[state]}. ${countOf(tools.length, 'tool', 'tools')}, ${formatCount(tokens)} tokens of pinned ones in a prompt.`}
        on={enabled}
        onChange={on => void act(client => client['mcp.switch']({ name, on }))}
      />
      <pre dir="ltr" className="rounded-lg bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap">
        {showHidden(shown)}
      </pre>
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
          It was added or changed outside of this page. It does not run before you agree to what stands above.
        </Banner>
      )}
      {warnings.map(warning => (
        <p key={warning} className="text-xs text-ink-2">
          {showHidden(warning)}
        </p>
      ))}
      {problem !== '' && <Banner level="error">{showHidden(problem)}</Banner>}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-secondary"
          disabled={isTesting}
          onClick={() => void runTest()}
        >
          {isTesting ? 'Testing…' : `Test ${name}`}
        </button>
        <button
          type="button"
          className="btn btn-quiet text-danger"
          onClick={() => void act(client => client['mcp.remove']({ name }))}
        >
          {`Remove ${name}`}
        </button>
      </div>
      {lines.length > 0 && (
        <details>
          <summary className="text-sm">{`What ${name} printed`}</summary>
          <pre
            dir="ltr"
            className="mt-2 max-h-60 overflow-y-auto font-mono text-xs break-words whitespace-pre-wrap"
          >
            {showHidden(lines.join('\n'))}
          </pre>
        </details>
      )}
      {tools.length > 0 && (
        <details>
          <summary className="text-sm">{`Tools of ${name}`}</summary>
          <ul aria-label={`Tools of ${name}`} className="mt-2 grid gap-3">
            {tools.map(tool => (
              <ToolRow key={tool.name} server={name} tool={tool} />
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function ToolRow({ server, tool }: { server: string; tool: McpTool }) {
  const { name, description, state, problem, pinned, unasked, change, tokens } = tool
  const act = useAct()
  const shown = showHidden(name)
  const set = (given: { on?: boolean; pinned?: boolean; unasked?: boolean }) =>
    void act(client => client['mcp.switch']({ name: server, tool: name, ...given }))
  if (state === 'refused')
    return (
      <li className="text-sm">
        <p className="font-medium">{shown}</p>
        <p className="text-xs text-danger">{`Not used: ${showHidden(problem)}`}</p>
      </li>
    )
  if (state === 'new' || state === 'changed')
    return (
      <li className="grid gap-2 text-sm">
        <p className="font-medium">{shown}</p>
        <p className="text-xs text-danger">
          {state === 'new'
            ? 'It is new since you agreed to the server, so it is off.'
            : `It changed since you agreed to it, so it is off.${(change?.times ?? 0) > 2 ? ' It changes at every start.' : ''}`}
        </p>
        {change ? (
          <TextDiff label={`What changed in ${shown}`} before={change.before} after={change.after} />
        ) : (
          <p className="text-xs whitespace-pre-wrap text-ink-2">{showHidden(description)}</p>
        )}
        <div>
          <button
            type="button"
            className="btn btn-secondary"
            onClick={() => void act(client => client['mcp.accept']({ name: server, tool: name }))}
          >
            {state === 'new' ? `Accept ${shown}` : `Accept the new text of ${shown}`}
          </button>
        </div>
      </li>
    )
  return (
    <li className="grid gap-1.5">
      <Switch label={shown} hint={showHidden(description)} on={state === 'on'} onChange={on => set({ on })} />
      <p className="flex flex-wrap gap-x-4 gap-y-1 ps-12 text-xs text-ink-2">
        <label className="flex items-center gap-1.5">
          <input type="checkbox" checked={pinned} onChange={event => set({ pinned: event.target.checked })} />
          {`Pin ${shown} to new chats (${formatCount(tokens)} tokens)`}
        </label>
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={unasked}
            onChange={event => set({ unasked: event.target.checked })}
          />
          {`Run ${shown} without asking`}
        </label>
      </p>
    </li>
  )
}

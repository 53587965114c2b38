import { useState, type ReactNode } from 'react'
import type { McpTool } from '../../../shared/contract/connections/mcp.ts'
import { useHostCall } from '../../use-host-call.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { formatCount } from '../../ui/text/format-values.ts'
import { SearchBox } from '../../ui/fields/TextField.tsx'
import { TextDiff } from '../../ui/text/TextDiff.tsx'
import { byCount } from '../../../shared/text/amounts.ts'

/** Lists up to this length need no search field. */
const SHORT = 10
/** Descriptions up to this length are shown in full. */
const LONG = 180

/** Tools that wait for the user come first, then usable tools, then refused ones. */
const ORDER: Record<McpTool['state'], number> = { changed: 0, new: 0, on: 1, off: 1, refused: 2 }

/** The tools of a server, with switches, pins and their share of a prompt. */
export function ToolList({ server, tools }: { server: string; tools: readonly McpTool[] }): ReactNode {
  const [query, setQuery] = useState('')
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = tools
    .filter(({ name, description }) =>
      words.every(word => `${name} ${description}`.toLowerCase().includes(word)),
    )
    .toSorted((a, b) => ORDER[a.state] - ORDER[b.state])
  const usable = tools.filter(tool => tool.state === 'on')
  const tokensOf = (some: readonly McpTool[]) => formatCount(some.reduce((sum, tool) => sum + tool.tokens, 0))
  const pinned = usable.filter(tool => tool.pinned)
  return (
    <section aria-label={`Tools of ${server}`} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="text-xs font-medium text-ink-2">{`Tools (${formatCount(tools.length)})`}</h2>
      <p className="text-xs text-ink-2">
        {[
          'Models find the tools that are on when they need them. The server takes up one line of a prompt.',
          'A pinned tool is part of the prompt of every new chat.',
          ...(pinned.length > 0
            ? [
                byCount(
                  pinned.length,
                  `The pinned tool takes ${tokensOf(pinned)} tokens.`,
                  `The ${formatCount(pinned.length)} pinned tools take ${tokensOf(pinned)} tokens.`,
                ),
              ]
            : []),
          `All tools that are on would take ${tokensOf(usable)} tokens.`,
        ].join(' ')}
      </p>
      {tools.length > SHORT && (
        <SearchBox
          label={`Search the tools of ${server}`}
          hint="Search the tools"
          query={query}
          onQuery={setQuery}
        />
      )}
      <ul aria-label={`Tools of ${server}`} className="grid grid-cols-[minmax(0,1fr)]">
        {found.map(tool => (
          <li key={tool.name} className="border-t border-line py-2.5 first:border-t-0">
            {tool.state === 'refused' ? (
              <RefusedTool tool={tool} />
            ) : tool.change || tool.state === 'new' ? (
              <AskingTool server={server} tool={tool} />
            ) : (
              <UsableTool server={server} tool={tool} />
            )}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-sm text-ink-2">{`No tool contains “${query}”.`}</p>}
    </section>
  )
}

function RefusedTool({ tool: { name, problem } }: { tool: McpTool }) {
  return (
    <div className="grid gap-0.5 ps-11.5">
      <p className="font-mono text-sm font-medium wrap-anywhere text-ink-2">{showHidden(name)}</p>
      <p className="text-xs text-danger">{`Not used: ${showHidden(problem)}`}</p>
    </div>
  )
}

type ToolProps = { server: string; tool: McpTool }

/** A tool whose text changed since the user agreed to it: what changed, and the button that accepts it. */
function AskingTool({ server, tool: { name, description, state, change, seen } }: ToolProps) {
  const act = useHostCall()
  const shown = showHidden(name)
  const often = (change?.times ?? 0) > 2
  const button = 'btn btn-secondary max-w-full whitespace-normal wrap-anywhere'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-warn-line bg-warn-soft p-3">
      <p className="font-mono text-sm font-medium wrap-anywhere">{shown}</p>
      <p className="text-xs">
        {state === 'new'
          ? 'It was added after you agreed to the server, so it is off.'
          : often
            ? 'It changed since you agreed to it, so it is off. It changes at every start.'
            : 'It changed since you agreed to it, so it is off.'}
      </p>
      {change ? (
        <TextDiff label={`What changed in ${shown}`} before={change.before} after={change.after} />
      ) : (
        <p className="text-xs wrap-anywhere whitespace-pre-wrap">{showHidden(description)}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className={button}
          onClick={() => void act(client => client['mcp.accept']({ name: server, tool: name, seen }))}
        >
          {state === 'new' ? `Accept ${shown}` : `Accept the new text of ${shown}`}
        </button>
        {change?.isShapeSame && (
          <button
            type="button"
            className={button}
            onClick={() =>
              void act(client => client['mcp.switch']({ name: server, tool: name, byShape: true, seen }))
            }
          >
            {`Accept any text of ${shown}`}
          </button>
        )}
      </div>
      {change?.isShapeSame && (
        <p className="text-xs text-ink-2">
          Accept any text of a tool whose text changes at every start. Only its name and arguments must stay
          the same. Models still get the text that you accepted.
        </p>
      )}
    </div>
  )
}

function UsableTool({ server, tool }: ToolProps) {
  const { name, description, state, pinned, byShape, unasked, tokens, seen } = tool
  const act = useHostCall()
  const [isWhole, setWhole] = useState(false)
  const shown = showHidden(name)
  const text = showHidden(description)
  const isOn = state === 'on'
  const set = (given: { on?: boolean; pinned?: boolean; byShape?: boolean; unasked?: boolean }) =>
    void act(client =>
      client['mcp.switch']({ name: server, tool: name, ...given, ...(given.unasked === true && { seen }) }),
    )
  return (
    <div className="flex items-start gap-3">
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-label={shown}
        className="switch"
        onClick={() => set({ on: !isOn })}
      />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <p className="font-mono text-sm font-medium wrap-anywhere">{shown}</p>
        <p
          className={
            isWhole
              ? 'text-xs wrap-anywhere whitespace-pre-wrap text-ink-2'
              : 'line-clamp-2 text-xs wrap-anywhere text-ink-2'
          }
        >
          {text || 'The server gives no description.'}
        </p>
        {text.length > LONG && (
          <button
            type="button"
            aria-expanded={isWhole}
            aria-label={`Full text of ${shown}`}
            className="justify-self-start text-xs text-accent"
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Less' : 'More'}
          </button>
        )}
        <div className="flex flex-wrap gap-x-5 gap-y-1 pt-0.5 text-xs text-ink-2">
          <ToolChoice
            tool={shown}
            label={`In every new chat (${formatCount(tokens)} tokens)`}
            on={pinned}
            disabled={!isOn}
            onChange={pin => set({ pinned: pin })}
          />
          <ToolChoice
            tool={shown}
            label="Runs without asking"
            on={unasked}
            disabled={!isOn}
            onChange={free => set({ unasked: free })}
          />
          {byShape && (
            <ToolChoice
              tool={shown}
              label="Its text may change"
              on
              disabled={false}
              onChange={() => set({ byShape: false })}
            />
          )}
        </div>
      </div>
    </div>
  )
}

type ChoiceProps = {
  tool: string
  label: string
  on: boolean
  disabled: boolean
  onChange: (on: boolean) => void
}

function ToolChoice({ tool, label, on, disabled, onChange }: ChoiceProps) {
  return (
    <label className="flex min-h-6 items-center gap-1.5">
      <input
        type="checkbox"
        className="check"
        aria-label={`${label}: ${tool}`}
        checked={on}
        disabled={disabled}
        onChange={event => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}

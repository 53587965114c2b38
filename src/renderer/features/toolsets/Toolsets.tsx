import { Wrench } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { byCount } from '../../../shared/text/amounts.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import type { Toolset } from '../../../shared/contract/settings.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { fillText } from '../../../shared/text/fill-template.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Segmented, Switch } from '../../ui/fields/Choice.tsx'
import { formatCount } from '../../ui/text/format-values.ts'
import { SignPopover } from '../../ui/Popover.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { useSwitching, useToolsets, type Level } from './use-toolsets.ts'

type RowsProps = {
  toolsets: readonly Toolset[]
  /** The level that the switches change. */
  level: Level
  onSwitch: (name: string, on: boolean | null) => void
}

function Rows({ toolsets, level, onSwitch }: RowsProps) {
  return (
    <ul aria-label="Toolsets" className="grid gap-3">
      {toolsets.map(toolset => {
        const { name, title, state, tools, switches } = toolset
        return (
          <li key={name} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <Switch
                label={title}
                hint={hintOf(toolset)}
                on={state === 'on'}
                onChange={on => onSwitch(name, on)}
              >
                <p className="mt-0.5 text-xs break-words text-ink-3">
                  {tools.map(tool => tool.name).join(', ') || 'No tools'}
                </p>
              </Switch>
            </div>
            {switches[level] !== null && (
              <button
                type="button"
                aria-label={`Remove the switch: ${title}`}
                className="btn btn-quiet shrink-0"
                onClick={() => onSwitch(name, null)}
              >
                Reset
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The purpose of the tools, their state and where it comes from. */
function hintOf({ says, state, from, folder, fromTokens, tools }: Toolset): string {
  const missing = tools.length > 0 && tools.every(tool => tool.missing !== null) ? tools[0]!.missing : null
  const place = from === 'default' && fromTokens > 0 ? 'window' : from
  const values = { tokens: formatCount(fromTokens), folder: showHidden(folder ?? '') }
  return [says, fillText(STATES[state][place], values), missing].filter(Boolean).join(' ')
}

const STATES = {
  on: {
    window: 'On by default for models that read {tokens} tokens or more.',
    default: 'On by default.',
    everything: 'On for every chat.',
    folder: 'On for the folder {folder}.',
    project: 'On for the project.',
    chat: 'On for this chat.',
  },
  partly: {
    window: 'Partly on by default for models that read {tokens} tokens or more.',
    default: 'Partly on by default.',
    everything: 'Partly on for every chat.',
    folder: 'Partly on for the folder {folder}.',
    project: 'Partly on for the project.',
    chat: 'Partly on for this chat.',
  },
  off: {
    window: 'Off by default. On for models that read {tokens} tokens or more.',
    default: 'Off by default.',
    everything: 'Off for every chat.',
    folder: 'Off for the folder {folder}.',
    project: 'Off for the project.',
    chat: 'Off for this chat.',
  },
} as const

const wordsOf = (switches: Readonly<Record<string, boolean>>): string =>
  Object.entries(switches)
    .map(([name, on]) => `${name} ${on ? 'on' : 'off'}`)
    .join(', ')

/** The toolsets of the chats of a project. */
export function ProjectToolsets({ projectId }: { projectId: string }): ReactNode {
  const place = { projectId }
  const answer = useToolsets(place)
  const switchAt = useSwitching()
  if (!answer) return null
  if (!answer.ok) return <Banner level="error">{answer.fault.message}</Banner>
  return (
    <Rows
      toolsets={answer.value.toolsets}
      level="project"
      onSwitch={(name, on) => void switchAt([name], on, place)}
    />
  )
}

/** For Settings: the toolsets of every chat, and the folders with their own switches. */
export function ToolsetSettings(): ReactNode {
  const answer = useToolsets({})
  const switchAt = useSwitching()
  if (!answer) return null
  if (!answer.ok) return <Banner level="error">{answer.fault.message}</Banner>
  const { toolsets, problems, folders } = answer.value
  return (
    <div className="grid gap-4">
      {problems.map(problem => (
        <Banner key={problem} level="warning">
          {showHidden(problem)}
        </Banner>
      ))}
      <Rows toolsets={toolsets} level="everything" onSwitch={(name, on) => void switchAt([name], on, {})} />
      {folders.length > 0 && (
        <ul aria-label="Folders with toolsets of their own" className="setting-list">
          {folders.map(({ folder, isGone, switches }) => (
            <li key={folder} className="setting">
              <div className="min-w-0 flex-1 text-sm">
                <bdi dir="ltr" className="font-mono break-all">
                  {showHidden(folder)}
                </bdi>
                <p className="text-xs text-ink-3">
                  {isGone && 'This folder no longer exists. '}
                  {wordsOf(switches)}
                </p>
              </div>
              <button
                type="button"
                aria-label={`Remove the switches of ${showHidden(folder)}`}
                className="btn btn-quiet"
                onClick={() => void switchAt(Object.keys(switches), null, { folder })}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const levels = [
  { value: 'chat', label: 'This chat' },
  { value: 'folder', label: 'This folder' },
  { value: 'everything', label: 'Every chat' },
] as const satisfies readonly { value: Level; label: string }[]

type MenuProps = {
  /** The chat; undefined before its first message or setting. */
  session: Session | undefined
  workspace: string
  /** Start the chat. Resolves to its id. */
  begin: () => Promise<Outcome<unknown>>
}

/** The toolsets of the visible chat, beside its message field. */
export function ToolsMenu({ session, workspace, begin }: MenuProps): ReactNode {
  const [changedIn, setChangedIn] = useState<string>()
  const place = session ? { sessionId: session.id } : { folder: workspace }
  const { toolsets: switches, modelId, activeRunId, messageCount } = session ?? {}
  // A turn may find that toolsets do not fit its model.
  const by = JSON.stringify([workspace, switches, modelId, activeRunId, messageCount])
  const answer = useToolsets(place, by)
  if (!answer?.ok) return null
  const { toolsets, leftOut } = answer.value
  const missing = leftOut ? toolsets.filter(each => leftOut.names.includes(each.name)) : []
  // Not counted: the web, which has its own button beside this one, and mixtures, which are used only on
  // request.
  const isCounted = ({ name, isOwn }: Toolset) => !isOwn && name !== 'web' && name !== 'mixture'
  const off = toolsets.filter(each => isCounted(each) && each.state !== 'on').map(each => each.title)
  // The label starts with the visible text, so that voice control finds the button by it.
  const left = missing.map(each => each.title)
  const shown =
    left.length > 0
      ? byCount(left.length, `Tools: ${left[0]} left out`, `Tools: ${left.length} left out`)
      : byCount(off.length, `Tools: ${off[0]} off`, `Tools: ${off.length} off`)
  const named = left.length > 0 ? left : off
  const label =
    named.length === 0 ? 'Tools: all on' : byCount(named.length, shown, `${shown} (${named.join(', ')})`)
  return (
    <SignPopover
      label="Tools of this chat"
      title={label}
      sign={<Wrench size={16} className="shrink-0" />}
      text={named.length === 0 ? '' : shown}
      hidesText
    >
      {() => (
        <MenuContent
          {...{ session, workspace, begin, toolsets }}
          leftOut={left.length > 0 && leftOut ? leftOutText(left, leftOut.contextTokens) : ''}
          isChanged={session !== undefined && changedIn === session.id}
          onChanged={setChangedIn}
        />
      )}
    </SignPopover>
  )
}

const leftOutText = (titles: readonly string[], contextTokens: number) =>
  `${titles.join(', ')} did not fit the model’s context window of ${formatCount(contextTokens)} tokens: set a larger one on the page Models, or switch other tools off.`

type ContentProps = MenuProps & {
  toolsets: readonly Toolset[]
  /** A sentence on the toolsets that do not fit, and what to do; empty if all fit. */
  leftOut: string
  /** Whether a switch was changed here since the prompt was built. */
  isChanged: boolean
  onChanged: (sessionId: string | undefined) => void
}

function MenuContent({ session, workspace, begin, toolsets, leftOut, isChanged, onChanged }: ContentProps) {
  const { client } = useLink()
  const [level, setLevel] = useState<Level>('chat')
  const switchAt = useSwitching()
  const turn = async (name: string, on: boolean | null) => {
    const isBegun = session !== undefined && session.messageCount > 0
    if (level === 'chat') {
      const begun = session ? { ok: true as const, value: session.id } : await begin()
      if (!begun.ok) return showToast(begun.fault.message, { level: 'error' })
      if (typeof begun.value === 'string' && (await switchAt([name], on, { sessionId: begun.value })))
        onChanged(isBegun ? begun.value : undefined)
    } else if (await switchAt([name], on, level === 'folder' ? { folder: workspace } : {}))
      onChanged(isBegun ? session.id : undefined)
  }
  const apply = async () => {
    const applied = await attemptCall(client['session.refreshPrompt']({ id: session!.id }))
    if (applied.ok) onChanged(undefined)
    else showToast(applied.fault.message, { level: 'error' })
  }
  return (
    <div className="grid gap-3">
      {leftOut !== '' && <p className="text-sm text-warn">{leftOut}</p>}
      <Segmented label="Where the switches apply" options={levels} value={level} onChange={setLevel} />
      <Rows toolsets={toolsets} level={level} onSwitch={(name, on) => void turn(name, on)} />
      <p className="text-xs text-ink-3">
        A call to a tool that is off is refused at once. The switch of this chat beats that of its folder, and
        the folder’s beats that of every chat.
      </p>
      {isChanged && (
        <div className="grid justify-items-start gap-2 rounded-xl border border-warn-line bg-warn-soft px-3 py-2.5 text-sm">
          <p>The list of tools that the model gets changes only in new chats.</p>
          <button
            type="button"
            disabled={session?.activeRunId !== null}
            className="btn btn-secondary"
            onClick={() => void apply()}
          >
            Apply here now
          </button>
        </div>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'
import type { Outcome } from '../../../rpc/attempt.ts'
import { useProjects } from '../../../rpc/use-lists.ts'
import type { SessionChange } from '../../../../shared/contract/chats/session.ts'
import { InstructionsField } from '../../../InstructionsField.tsx'
import { goTo } from '../../../route.ts'
import { SamplingFields } from '../../../SamplingFields.tsx'
import { sayDecider } from '../../../../shared/words/model-words.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Select } from '../../../ui/fields/Choice.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { useChat, useModel, useOpenChat, useSession } from '../store/open-chats.ts'

const NONE = ''

type Props = { isOpen: boolean; onOpen: (isOpen: boolean) => void }

/** The settings of only this chat: its project, instructions and sampling. */
export function ChatSettings({ isOpen, onOpen }: Props): ReactNode {
  const session = useSession()
  const projects = useProjects()
  const model = useModel()
  const isDemo = model?.demo ?? false
  const set = useSetting()
  const {
    projectId = null,
    instructions = '',
    sampling = {},
    decider = null,
    approval = 'ask',
  } = session ?? {}
  const project = projects.find(each => each.id === projectId)
  const change = async (wanted: SessionChange) => {
    const changed = await set(wanted)
    if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
  }
  const own = [instructions !== '' && 'instructions', Object.keys(sampling).length > 0 && 'sampling'].filter(
    each => each !== false,
  )
  return (
    <details
      className="mb-4 rounded-xl border border-line px-3 py-2 text-sm"
      open={isOpen}
      onToggle={event => onOpen(event.currentTarget.open)}
    >
      <summary data-chat-settings="" className="cursor-pointer">
        {'Settings for this chat'}
        <span className="text-xs text-ink-3">
          {[project && ` · ${showHidden(project.name)}`, own.length > 0 && ` · ${own.join(', ')}`].filter(
            Boolean,
          )}
        </span>
      </summary>
      {isOpen && (
        <div className="grid gap-4 pt-3">
          <div className="grid gap-1">
            <Select
              label="Project"
              showLabel
              value={projectId ?? NONE}
              options={[
                { value: NONE, label: 'None' },
                ...projects.map(each => ({ value: each.id, label: showHidden(each.name) })),
              ]}
              onChange={value => void change({ projectId: value === NONE ? null : value })}
            />
            <button
              type="button"
              className="btn btn-quiet justify-self-start"
              onClick={() => goTo({ page: 'projects', itemId: projectId })}
            >
              {project ? 'Edit the project' : 'All projects'}
            </button>
          </div>
          {isDemo && (
            <p className="text-xs text-ink-3">
              The built-in model was not trained on instructions or sampling, so it ignores both. What you set
              here applies once the chat uses another model.
            </p>
          )}
          <div className="grid gap-1">
            <Select
              label="Decider"
              showLabel
              value={decider ?? NONE}
              options={[
                { value: NONE, label: 'When the model needs it' },
                { value: 'on', label: 'On' },
                { value: 'off', label: 'Off' },
              ]}
              onChange={value => void change({ decider: value === 'on' || value === 'off' ? value : null })}
            />
            <output className="text-xs">{sayDecider({ decider, approval }, model)}</output>
            <p className="text-xs text-ink-3">
              If a model starts no tool calls itself, the decider starts the call that a message in English
              asks for. Such a call asks you before it writes or runs anything. While the decider is on, the
              model does not see any tools, so it reads less and starts no calls itself. A change applies from
              the next message; the model then reads the chat again.
            </p>
          </div>
          <InstructionsField
            label="Instructions for this chat"
            hint="They apply from the next answer; the model then reads the chat again."
            value={instructions}
            save={async text => {
              const changed = await set({ instructions: text })
              return changed.ok ? undefined : changed.fault.message
            }}
          />
          <SamplingFields value={sampling} onChange={next => void change({ sampling: next })} />
        </div>
      )}
    </details>
  )
}

/** Changes a setting. Creates the chat if there is none yet. */
function useSetting(): (change: SessionChange) => Promise<Outcome<unknown>> {
  const { store } = useOpenChat()
  const changeChat = useChat(chat => chat.change)
  return async change => {
    const begun = store.getState().sessionId === null ? await changeChat({}) : undefined
    return begun?.ok === false ? begun : changeChat(change)
  }
}

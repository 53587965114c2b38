import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { afterRemoval, type Project } from '../../../shared/contract/chats/projects.ts'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { InstructionsField } from '../../InstructionsField.tsx'
import { goTo } from '../../route.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { SamplingFields } from '../../SamplingFields.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { countOf } from '../../ui/text/format-values.ts'
import { cx } from '../../ui/style.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { ProjectChats } from './ProjectChats.tsx'
import { ProjectSkills } from './ProjectSkills.tsx'

type Change = Partial<
  Pick<Project, 'name' | 'folder' | 'instructions' | 'modelId' | 'approval' | 'skills' | 'sampling'>
>

type Props = {
  project: Project
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  renderToolsets: (projectId: string) => ReactNode
  onOpenChat: (id: string) => void
  /** Start a chat in the project. */
  onNewChat: (projectId: string) => void
}

/** One project. When open, it shows all its settings. */
export function ProjectCard({ project, isOpen, onOpen, renderToolsets, ...ways }: Props): ReactNode {
  const body = useId()
  const { name, folder, folderProblem, chats } = project
  return (
    <li className="rounded-xl border border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? body : undefined}
        className="flex w-full items-center gap-2 px-3 py-2.5 text-start"
        onClick={() => onOpen(!isOpen)}
      >
        <ChevronRight size={14} className={cx('shrink-0 transition-transform', isOpen && 'rotate-90')} />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-sm font-medium">
            {showHidden(name)}
          </span>
          <span className="block truncate text-xs text-ink-3">
            {countOf(chats, 'chat', 'chats')}
            {folder !== null && ` · ${showHidden(folder)}`}
          </span>
        </span>
        {folderProblem !== null && <span className="text-xs text-warn">Folder missing</span>}
      </button>
      {isOpen && (
        <div id={body} className="grid gap-4 border-t border-line p-3">
          <ProjectChats project={project} {...ways} />
          <Settings project={project} renderToolsets={renderToolsets} />
        </div>
      )}
    </li>
  )
}

const AS_USUAL = ''

/** The modes that new chats can start with. */
const modes: readonly { value: ApprovalMode; label: string }[] = [
  { value: 'chat_only', label: 'Chat only' },
  { value: 'ask', label: 'Ask' },
  { value: 'reads', label: 'Auto for safe reads' },
  { value: 'full', label: 'Full access' },
  { value: 'none', label: 'Deny' },
]

function Settings({ project, renderToolsets }: Pick<Props, 'project' | 'renderToolsets'>) {
  const { id, name, folder, folderProblem, instructions, modelId, approval, skills, sampling } = project
  const { client } = useLink()
  const models = useHost(host => host.models)
  const refresh = async () => {
    const done = await attemptCall(client['project.refreshPrompts']({ id }))
    if (!done.ok) return showToast(done.fault.message, { level: 'error' })
    showToast(
      `${countOf(done.value.chats, 'chat uses', 'chats use')} the new instructions from the next message.`,
    )
  }
  /** Resolves to the reason why nothing was changed; undefined on success. */
  const change = async (wanted: Change): Promise<string | undefined> => {
    const changed = await attemptCall(client['project.update']({ id, ...wanted }))
    return changed.ok ? undefined : changed.fault.message
  }
  const set = async (wanted: Change) => {
    const why = await change(wanted)
    if (why !== undefined) showToast(why, { level: 'error' })
  }
  const tell = async (text: string) => {
    const why = await change({ instructions: text })
    if (why === undefined && project.chats > 0)
      showToast('New chats use these instructions. Existing chats keep the earlier ones.', {
        ms: 10_000,
        action: { label: 'Apply to all chats', run: () => void refresh() },
      })
    return why
  }
  const isModelGone = modelId !== null && !models.some(each => each.id === modelId)
  return (
    <>
      {folderProblem !== null && (
        <Banner level="warning">
          {`${showHidden(folderProblem)} You can still read its chats. Give the project another folder, or none.`}
        </Banner>
      )}
      <SavedText key={`name ${name}`} label="Name" value={name} save={text => change({ name: text })} />
      <InstructionsField
        label="Instructions"
        hint="Every chat in this project gets these instructions. The built-in model ignores them: it was not trained on them."
        value={instructions}
        save={tell}
      />
      <SavedText
        key={`folder ${folder}`}
        label="Folder"
        hint="New chats in this project work there. Leave empty for none."
        value={folder ?? ''}
        isPath
        save={text => change({ folder: text === '' ? null : text })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="Model for new chats"
          showLabel
          value={modelId ?? AS_USUAL}
          options={[
            { value: AS_USUAL, label: 'As usual' },
            ...models.map(each => ({ value: each.id, label: showHidden(each.name) })),
            ...(isModelGone ? [{ value: modelId, label: 'A model that no longer exists' }] : []),
          ]}
          onChange={value => void set({ modelId: value === AS_USUAL ? null : value })}
        />
        <Select
          label="New chats may"
          showLabel
          value={approval ?? AS_USUAL}
          options={[{ value: AS_USUAL, label: 'As usual' }, ...modes]}
          onChange={value => void set({ approval: value === AS_USUAL ? null : value })}
        />
      </div>
      <details>
        <summary className="cursor-pointer text-sm">Toolsets</summary>
        <div className="pt-3">{renderToolsets(id)}</div>
      </details>
      <ProjectSkills only={skills} folder={folder} onChange={next => void set({ skills: next })} />
      <details>
        <summary className="cursor-pointer text-sm">Sampling</summary>
        <div className="pt-3">
          <SamplingFields value={sampling} onChange={next => void set({ sampling: next })} />
        </div>
      </details>
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" className="btn btn-quiet" onClick={() => goTo({ page: 'memory' })}>
          See its notes in Memory
        </button>
        <span className="flex-1" />
        <RemoveProject project={project} />
      </div>
    </>
  )
}

function RemoveProject({ project }: { project: Project }) {
  const { id, name } = project
  const { client } = useLink()
  const remove = async () => {
    const removed = await attemptCall(client['project.remove']({ id }))
    if (!removed.ok) return showToast(removed.fault.message, { level: 'error' })
    showToast(`The project “${showHidden(name)}” was removed. ${afterRemoval(project)}`, {
      ms: 10_000,
      action: { label: 'Undo', run: () => void attemptCall(client['project.restore']({ id })) },
    })
  }
  return (
    <Confirm
      label="Remove the project"
      question={`Remove it? Its folder stays. ${afterRemoval(project)}`}
      danger
      onYes={() => void remove()}
    />
  )
}

type SavedTextProps = {
  label: string
  hint?: string
  value: string
  isPath?: true
  save: (text: string) => Promise<string | undefined>
}

/** A text that is saved on Enter or when the field loses focus. */
function SavedText({ label, hint, value, isPath, save }: SavedTextProps) {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  const keep = async () => {
    if (text.trim() !== value) setProblem(await save(text.trim()))
  }
  return (
    <TextField
      label={label}
      {...(hint !== undefined && { hint })}
      error={problem}
      value={text}
      {...(isPath && { dir: 'ltr', className: 'field font-mono text-xs' })}
      onChange={event => {
        setText(event.target.value)
        setProblem(undefined)
      }}
      onBlur={() => void keep()}
      onKeyDown={event => event.key === 'Enter' && void keep()}
    />
  )
}

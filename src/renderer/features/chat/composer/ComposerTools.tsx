import { Feather, Folder } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { ChooseButton, RevealButton } from '../../../desktop.tsx'
import type { Outcome } from '../../../rpc/attempt.ts'
import { Radios } from '../../../ui/fields/Choice.tsx'
import { SignPopover } from '../../../ui/Popover.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { cx } from '../../../ui/style.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { useChat, useModel, useOpenChat, useSession, useWorkspace } from '../store/open-chats.ts'
import { useStyles } from './known-skills.ts'

const folderLabel = 'Working folder of this chat'

/** The folder of this chat, and the control to change it. */
export function WorkspaceButton(): ReactNode {
  const workspace = useWorkspace()
  return (
    <SignPopover
      label={folderLabel}
      title={`Working folder: ${showHiddenInLine(workspace)}`}
      sign={<Folder size={16} className="shrink-0" />}
      text={showHiddenInLine(shortPath(workspace))}
      hidesText
    >
      {close => <Form workspace={workspace} close={close} />}
    </SignPopover>
  )
}

function Form({ workspace, close }: { workspace: string; close: () => void }) {
  const change = useChat(chat => chat.change)
  const [folder, setFolder] = useState(workspace)
  const [error, setError] = useState<string>()
  const save = async (path = folder.trim()) => {
    const changed = await change({ workspace: path })
    if (changed.ok) close()
    else setError(changed.fault.message)
  }
  return (
    <form
      className="grid gap-3"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={folderLabel}
        hint="Tools read and write here. Give a full path, or one that starts with ~."
        error={error}
        value={folder}
        dir="ltr"
        className="field font-mono text-xs"
        // The user has just asked to change it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={event => {
          setFolder(event.target.value)
          setError(undefined)
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <button type="submit" className="btn btn-primary" disabled={folder.trim() === ''}>
          Use this folder
        </button>
        <ChooseButton
          what="folder"
          label="Choose…"
          at={workspace}
          onChosen={path => {
            setFolder(path)
            void save(path)
          }}
        />
        <RevealButton path={workspace} name="the folder of this chat" />
      </div>
    </form>
  )
}

/** The last folder of a path. */
const shortPath = (path: string): string => path.split(/[/\\]/u).findLast(part => part !== '') ?? path

const NO_STYLE = { value: '', label: 'None', hint: 'The model answers in its own way.' }
const NOT_BUILT_IN = 'The built-in model ignores styles. A style applies once the chat uses another model.'

/** The answering style of this chat, and the control to change it. The built-in model has no styles. */
export function StyleButton(): ReactNode {
  const style = useSession()?.personality ?? ''
  if (useModel()?.demo) return null
  return (
    <SignPopover
      label="Answering style"
      title={style === '' ? 'Answering style: none' : `Answering style: ${style}`}
      sign={<Feather size={16} className={cx('shrink-0', style !== '' && 'text-accent')} />}
      text={style}
      hidesText
    >
      {() => <Styles chosen={style} />}
    </SignPopover>
  )
}

function Styles({ chosen }: { chosen: string }) {
  const styles = useStyles(true)
  const setStyle = useSetStyle()
  const effect = useStyleEffect()
  const choose = async (name: string) => {
    const changed = await setStyle(name)
    if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
  }
  return (
    <Radios
      label="Answering style"
      about={effect}
      options={[
        NO_STYLE,
        ...styles.map(({ name, text, problem }) => ({
          value: name,
          label: name,
          hint: problem === null ? text : `Cannot be used: its file ${problem}.`,
          disabled: problem !== null,
        })),
      ]}
      value={chosen}
      onChange={name => void choose(name)}
    />
  )
}

/** Sets the style of the chat; an empty name removes it. Creates the chat if there is none yet. */
function useSetStyle(): (personality: string) => Promise<Outcome<unknown>> {
  const { store } = useOpenChat()
  return async personality => {
    const { sessionId, change } = store.getState()
    const begun = sessionId === null ? await change({}) : undefined
    return begun?.ok === false ? begun : change({ personality })
  }
}

/** Text on when a style takes effect in this chat, and what it costs. */
function useStyleEffect(): string {
  const isDemo = useModel()?.demo
  const hasBegun = (useSession()?.messageCount ?? 0) > 0
  if (isDemo) return NOT_BUILT_IN
  return `A style applies from the next answer.${hasBegun ? ' The model then reads this chat again.' : ''}`
}

/** Carries out `/personality NAME`; `off` removes the style. A toast reports the effect. */
export function useStyleCommand(): (name: string) => void {
  const setStyle = useSetStyle()
  const effect = useStyleEffect()
  return name => void choose(name)

  async function choose(name: string) {
    if (name === '') return showToast('Add the name of a style, such as /personality brief.')
    const changed = await setStyle(name === 'off' ? '' : name)
    if (!changed.ok) return showToast(changed.fault.message, { level: 'error' })
    showToast(name === 'off' ? 'This chat has no answering style.' : `Style: ${name}. ${effect}`)
  }
}

import { useState, type FormEvent, type ReactNode } from 'react'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useProjects } from '../../rpc/use-lists.ts'
import { Radios } from '../../ui/fields/Choice.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { countOf } from '../../ui/text/format-values.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { useMoveChat } from './ProjectGroup.tsx'

const NONE = 'none'
const NEW = 'new'

/** Moves a chat to a project, or to a new one. */
export function MoveDialog({ session, onClose }: { session: Session; onClose: () => void }): ReactNode {
  const projects = useProjects()
  const { client } = useLink()
  const move = useMoveChat()
  const [chosen, setChosen] = useState(session.projectId ?? (projects.length === 0 ? NEW : NONE))
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()

  const save = async (event: FormEvent) => {
    event.preventDefault()
    let id = chosen === NONE ? null : chosen
    if (chosen === NEW) {
      const made = await attemptCall(client['project.create']({ name: name.trim() }))
      if (!made.ok) return setProblem(made.fault.message)
      id = made.value.id
    }
    onClose()
    await move(session.id, id)
  }
  return (
    <Dialog title="Move to a project" closeLabel="Close" onClose={onClose}>
      <form className="grid gap-3" onSubmit={event => void save(event)}>
        <div className="max-h-80 overflow-y-auto">
          <Radios
            label="Project"
            about="A chat that has started keeps its model, its mode and its folder."
            options={[
              { value: NONE, label: 'No project', hint: 'The chat is listed by date.' },
              { value: NEW, label: 'A new project', hint: 'You choose its name.' },
              ...projects.map(each => ({
                value: each.id,
                label: showHidden(each.name),
                hint: countOf(each.chats, 'chat.', 'chats.'),
              })),
            ]}
            value={chosen}
            onChange={setChosen}
          />
        </div>
        {chosen === NEW && (
          <TextField
            label="Name of the new project"
            maxLength={80}
            value={name}
            error={problem}
            onChange={event => {
              setName(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
        <DialogButtons label="Move" disabled={chosen === NEW && name.trim() === ''} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
